package faceverify

// #include <faceverify.h>
import "C"

import (
	"context"
	"unsafe"
)

// A Code is a decoded code.
type Code struct {
	Format CodeFormat
	Bytes  []byte // content; FNC1 between GS1 elements is 0x1D
	// The bytes in the character sets that the code declares, or else the likeliest one; empty if they are not text.
	// Ends at the first 0 byte.
	Text       string
	Encoding   string   // character set: "ASCII", "UTF-8"...; empty for a guessed one other than these and ISO-8859-1
	Identifier string   // symbology identifier of ISO/IEC 15424, such as "]Q1"
	Purpose    string   // "link", "aamva-licence", "mobile-licence-engagement"; empty if unknown
	Corners    [4]Point // from the upper left in reading direction, clockwise
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

// Codes are the codes read in one image.
type Codes struct {
	List  []Code
	Fault CodeFault // why no code was read; 0 if one was
	JSON  string    // as `faceverify code --json` prints it: GS1 elements, regions that look like codes...
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

func formatBits(formats []CodeFormat) (bits C.int64_t) {
	for _, format := range formats {
		bits |= 1 << format
	}
	return bits
}

// ReadCodes reads the codes of an image at full resolution. It needs no engine, only the model code-locator in the
// default models folder. Nil formats are all formats, which is slowest. With isFrame, for a frame of a stream that is
// soon followed by another, only regions that look like codes are searched. Finding none is no error. The content of a
// code is never opened or executed.
//
// Errors: [ErrBadArgument]; [ErrModelMissing], [ErrModelMismatch]; [ErrDamaged] and other errors of images;
// [ErrTimeout], [ErrCancelled].
func ReadCodes(ctx context.Context, photo Input, formats []CodeFormat, isFrame bool) (*Codes, error) {
	var a arguments
	image, done := a.picture(photo)
	defer done()
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

// CodeScannerOptions identify the issuer's codes, by one of Prefix, Pattern, PublicKey and AcceptsAny, and set the
// requirements on their images.
type CodeScannerOptions struct {
	Formats   []CodeFormat // nil: all; with IsLimited, bar codes and QR
	Prefix    string       // the beginning of the issuer's texts, case-sensitive
	Pattern   string       // for whole texts: `*` is any number of characters, `?` is one
	PublicKey string       // Ed25519 in PEM; the issuer's texts end with its signature, in base64url, of the text before
	Separator string       // separates text and signature
	// Every code is the issuer's, also one without text. It must be set: forgotten options would accept any code.
	AcceptsAny bool
	// A zone next to the code that must be in the frame: x, y, width, height, from the code's upper left corner, in
	// widths of the code. A width of 0: no zone.
	Zone                [4]float64
	SpecimenSide        int     // side of the square specimen in pixels, at most 4096; 0: 256
	LeastSide           float64 // minimum length of the code's shortest side in pixels to be judged; 0: any
	MostEdge            float64 // maximum width of the code's edges in pixels to be judged; 0: any
	FramesToConfirm     int     // good frames of the same code that confirm it, 1 to 1000; 0: 3
	FramesToGiveUp      int     // blurred frames after which the best of them is reported as it is; 0: 60
	IsLimited           bool    // completes with the first code read, judging its content only
	HasTorch            bool    // the camera has a torch
	IsCameraUnsupported bool    // the camera does not meet the requirements of judging
}

// A CodeScanner scans the codes of one issuer in camera frames. It is not safe for concurrent use: a concurrent call
// returns [ErrBusy].
type CodeScanner struct {
	codeScannerHandle
}

// NewCodeScanner creates a scanner; Start starts it. Close it.
//
// Errors: [ErrBadArgument]; [ErrUnknownFormat] for a malformed key; [ErrModelMissing], [ErrModelMismatch].
func NewCodeScanner(options CodeScannerOptions) (*CodeScanner, error) {
	var a arguments
	if options.AcceptsAny != (options.Prefix == "" && options.Pattern == "" && options.PublicKey == "") {
		a.fail("set one of Prefix, Pattern, PublicKey and AcceptsAny, to identify the issuer's codes")
	}
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

// Start requests frames and restarts processing.
func (s *CodeScanner) Start() error {
	return newError(C.fv_code_scanner_start(s.handle), scannerCannot)
}

// Pause stops requesting and processing frames.
func (s *CodeScanner) Pause() error {
	return newError(C.fv_code_scanner_pause(s.handle), scannerCannot)
}

// Resume restarts processing; whether frames are requested does not change.
func (s *CodeScanner) Resume() error {
	return newError(C.fv_code_scanner_resume(s.handle), scannerCannot)
}

// SetTorch requests the camera's torch on or off. Errors: [ErrBadArgument] if it has none.
func (s *CodeScanner) SetTorch(isOn bool) error {
	return newError(C.fv_code_scanner_set_torch(s.handle, number(isOn)), "the camera has no torch, or "+scannerCannot)
}

// Describe returns the current state.
func (s *CodeScanner) Describe() (CodeScannerInfo, error) {
	return describeCodeScanner(s.handle)
}

// Process processes the next frame.
//
// Errors: [ErrAbsent] while processing is stopped; those of [ReadCodes].
func (s *CodeScanner) Process(ctx context.Context, frame Input) (CodeScan, error) {
	var a arguments
	image, done := a.picture(frame)
	defer done()
	c := C.fv_code_scan{struct_size: C.sizeof_fv_code_scan}
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_code_scanner_process(&c, s.handle, image.c(), budget, message, messageBytes)
	}, s, image)
	return readCodeScan(&c), err
}

// Codes returns the codes of the last frame, or after confirmation the code of the best frame only.
//
// Errors: [ErrAbsent] before the first frame.
func (s *CodeScanner) Codes() (*Codes, error) {
	var handle *C.fv_codes
	if err := newError(C.fv_code_scanner_codes(&handle, s.handle), "no frame was processed yet"); err != nil {
		return nil, err
	}
	return readCodes(handle)
}

// Specimen returns the code of the best frame, upright and square, for the program to judge its print; nil before a
// completed report. Close it.
func (s *CodeScanner) Specimen() (*Image, error) {
	var handle *C.fv_image
	return optionalImage(C.fv_code_scanner_specimen(&handle, s.handle), &handle, scannerCannot)
}

// Zone returns the zone next to it, as wide as the specimen; nil without one. Close it.
func (s *CodeScanner) Zone() (*Image, error) {
	var handle *C.fv_image
	return optionalImage(C.fv_code_scanner_zone(&handle, s.handle), &handle, scannerCannot)
}
