package faceverify

// #include <faceverify.h>
import "C"

import (
	"context"
	"unsafe"
)

// A Code is a code that was read.
type Code struct {
	Format CodeFormat
	Bytes  []byte // what it holds; FNC1 between GS1 elements is 0x1D
	// By the character sets that the code names, else by the likeliest one; empty if its bytes are no text. It ends at the
	// first 0 byte.
	Text       string
	Encoding   string   // of the text: "ASCII", "UTF-8"...; empty if it is a guess
	Identifier string   // symbology and options as in ISO/IEC 15424, such as "]Q1"
	Purpose    string   // "link", "aamva-licence", "mobile-licence-engagement"; empty if it is not known
	Corners    [4]Point // upper left as it is read, then clockwise
	IsInverted bool     // light on dark
	IsMirrored bool
}

func readCode(c *C.fv_code) Code {
	return Code{
		Format:     CodeFormat(c.format),
		Text:       C.GoString(c.text),
		Encoding:   C.GoString(c.encoding),
		Identifier: C.GoString(c.identifier),
		Purpose:    C.GoString(c.purpose),
		Corners: [4]Point{
			readPoint(&c.upper_left), readPoint(&c.upper_right), readPoint(&c.lower_right), readPoint(&c.lower_left),
		},
		IsInverted: c.is_inverted == 1,
		IsMirrored: c.is_mirrored == 1,
	}
}

// Codes are what one picture shows of codes.
type Codes struct {
	Codes []Code
	Fault CodeFault // why none was read; 0 if one was
	JSON  string    // everything, as `faceverify code --json` has it: GS1 elements, places that look like codes...
}

// readCodes frees the handle.
func readCodes(handle *C.fv_codes) (*Codes, error) {
	defer C.fv_codes_free(handle)
	list, err := listCodes(handle)
	if err != nil {
		return nil, err
	}
	for i := range list {
		var status C.fv_status
		list[i].Bytes, status = copied[byte](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
			return C.fv_codes_bytes(handle, C.size_t(i), room, capacity, count)
		})
		if err := newError(status, "what a code holds cannot be copied"); err != nil {
			return nil, err
		}
	}
	return &Codes{list, CodeFault(C.fv_codes_fault(handle)), C.GoString(C.fv_codes_json(handle))}, nil
}

// Text says what to do, in one sentence for people.
func (f CodeFault) Text() string {
	return C.GoString(C.fv_code_fault_text(C.fv_code_fault(f)))
}

func formatBits(formats []CodeFormat) (bits C.int64_t) {
	for _, format := range formats {
		bits |= 1 << format
	}
	return bits
}

// ReadCodes looks for codes in a picture, at full size, without an engine and without models; nil formats are all, which
// takes longest. Of a frame of a stream, where the next one comes soon, only places that look like codes are tried. None at
// all is no error, and nothing that a code says is opened or obeyed.
//
// Errors: [ErrBadArgument]; [ErrDamaged] and what else pictures have; [ErrTimeout], [ErrCancelled].
func ReadCodes(ctx context.Context, image *Image, formats []CodeFormat, isFrame bool) (*Codes, error) {
	var a arguments
	options := C.fv_code_options{
		struct_size: C.sizeof_fv_code_options, formats: formatBits(formats), is_frame: number(isFrame),
	}
	var handle *C.fv_codes
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_codes_read(&handle, image.c(), &options, budget, message, messageBytes)
	}, image)
	if err != nil {
		return nil, err
	}
	return readCodes(handle)
}

// CodeScannerOptions say whose codes are scanned, by at most one of Prefix, Pattern and PublicKey, and what is asked of
// their pictures. Without any of the three, everybody's codes are scanned.
type CodeScannerOptions struct {
	Formats   []CodeFormat // nil: all; of a limited scanner, bar codes and QR
	Prefix    string       // the text begins so, letter for letter
	Pattern   string       // the text is so as a whole: `*` is any letters or none, `?` one
	PublicKey string       // Ed25519 in PEM: the text ends with a signature, in base64url, of all before the separator
	Separator string       // stands between text and signature
	// What must be in the frame beside the code, in its widths from its upper left corner: x, y, width, height.
	Zone                [4]float64
	SpecimenSide        int     // pixels of the upright square that a specimen is brought to, at most 4096; 0: 256
	LeastSide           float64 // pixels of its shortest side that the code must show, to be judged; 0: any
	MostEdge            float64 // pixels that an edge of the code may take, to be judged; 0: any
	FramesToConfirm     int     // good frames of the same code that confirm it, 1 to 1000; 0: 3
	FramesToGiveUp      int     // frames that are not sharp enough, until the best of them is given out; 0: 60
	IsLimited           bool    // codes are read by what they say alone, and at once
	HasTorch            bool    // the camera has a lamp
	IsCameraUnsupported bool    // the camera cannot give what is to be judged
}

// A CodeScanner scans the codes of one issuer in the frames of a camera. It serves one goroutine at a time.
type CodeScanner struct {
	codeScannerHandle
}

// NewCodeScanner makes a scanner that waits for Start. Close it.
//
// Errors: [ErrBadArgument]; [ErrUnknownFormat] for what is no key.
func NewCodeScanner(options CodeScannerOptions) (*CodeScanner, error) {
	var a arguments
	c := C.fv_code_scanner_options{
		struct_size:           C.sizeof_fv_code_scanner_options,
		formats:               formatBits(options.Formats),
		prefix:                a.optionalText(options.Prefix),
		pattern:               a.optionalText(options.Pattern),
		public_key:            a.optionalText(options.PublicKey),
		separator:             a.optionalText(options.Separator),
		zone_x:                C.double(options.Zone[0]),
		zone_y:                C.double(options.Zone[1]),
		zone_width:            C.double(options.Zone[2]),
		zone_height:           C.double(options.Zone[3]),
		specimen_side:         C.int64_t(options.SpecimenSide),
		least_side:            C.double(options.LeastSide),
		most_edge:             C.double(options.MostEdge),
		frames_to_confirm:     C.int64_t(options.FramesToConfirm),
		frames_to_give_up:     C.int64_t(options.FramesToGiveUp),
		is_limited:            number(options.IsLimited),
		has_torch:             number(options.HasTorch),
		is_camera_unsupported: number(options.IsCameraUnsupported),
	}
	var handle *C.fv_code_scanner
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_code_scanner_create(&handle, &c, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &CodeScanner{newCodeScannerHandle(handle)}, nil
}

const scannerCannot = "the scanner is closed, or used by another goroutine"

// Start wants frames, and looks at them, from the beginning.
func (s *CodeScanner) Start() error {
	return newError(C.fv_code_scanner_start(s.handle), scannerCannot)
}

// Pause wants no frames, and looks at none.
func (s *CodeScanner) Pause() error {
	return newError(C.fv_code_scanner_pause(s.handle), scannerCannot)
}

// Resume looks at frames again, from the beginning; whether they are wanted stays as it is.
func (s *CodeScanner) Resume() error {
	return newError(C.fv_code_scanner_resume(s.handle), scannerCannot)
}

// SetTorch asks for the camera's lamp. Errors: [ErrBadArgument] if it has none.
func (s *CodeScanner) SetTorch(isOn bool) error {
	return newError(C.fv_code_scanner_set_torch(s.handle, number(isOn)), "the camera has no lamp, or "+scannerCannot)
}

// Describe says what the scanner wants now.
func (s *CodeScanner) Describe() (CodeScannerInfo, error) {
	return describeCodeScanner(s.handle)
}

// Process looks at the next frame.
//
// Errors: [ErrAbsent] if no frame is looked at now; as [ReadCodes].
func (s *CodeScanner) Process(ctx context.Context, frame *Image) (CodeScan, error) {
	var a arguments
	c := C.fv_code_scan{struct_size: C.sizeof_fv_code_scan}
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_code_scanner_process(&c, s.handle, frame.c(), budget, message, messageBytes)
	}, s, frame)
	return readCodeScan(&c), err
}

// Codes are what the last frame showed, or once it is confirmed, the code of the best frame alone.
//
// Errors: [ErrAbsent] before the first frame.
func (s *CodeScanner) Codes() (*Codes, error) {
	var handle *C.fv_codes
	if err := newError(C.fv_code_scanner_codes(&handle, s.handle), "no frame was looked at yet"); err != nil {
		return nil, err
	}
	return readCodes(handle)
}

// Specimen returns the code of the best frame, upright and square, for the program to judge its print; nil before a report
// that is completed. Close it.
func (s *CodeScanner) Specimen() (*Image, error) {
	var handle *C.fv_image
	return optionalImage(C.fv_code_scanner_specimen(&handle, s.handle), &handle, scannerCannot)
}

// Zone returns the zone beside it, as wide as the specimen; nil without one. Close it.
func (s *CodeScanner) Zone() (*Image, error) {
	var handle *C.fv_image
	return optionalImage(C.fv_code_scanner_zone(&handle, s.handle), &handle, scannerCannot)
}
