package faceverify

// #include <faceverify.h>
import "C"

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// A Document is everything that was read from one document, and its checks.
type Document struct {
	DocumentInfo
	// By the names of DocumentFieldNames: the chip's value, unless that has failed and the page's has passed.
	Fields     map[string]DocumentField
	PageFields map[string]DocumentField // of the page alone, or the typed zone; nil if nothing was read from it
	ChipFields map[string]DocumentField // of the chip alone; nil if nothing was read from it
	// Printed fields, compared with the others where they have the field; nil without ReadsText.
	PrintFields map[string]DocumentField
	Mismatches  []string // names of fields in which page, chip, code or printed text differ
	// The checks that determine the result: "validation", "expiry", "mrz-matches-chip", "chip-read",
	// "passive-authentication", "pages-match", "portrait-matches-chip", "print-matches".
	Checks []DocumentCheck
	Steps  []DocumentCheck // of passive authentication, in the order of execution
	Pages  [][]PageCheck   // the checks of each photo
	// The image file on the chip, or a PNG cropped from the page; nil without one. It is biometric data: protect it
	// like the document, and keep it no longer.
	Portrait []byte
	// The sample of the portrait, without a template if its quality is refused; nil without a portrait. Closed with the
	// document.
	Sample   *Sample
	DataJSON string // the data as canonical JSON (RFC 8785); empty if nothing was read

	documentHandle
}

// A DocumentInput has the sources of a document, and the policy for judging it.
type DocumentInput struct {
	Pages []Input // photos of its pages, at most 64
	Chip  *Chip   // the files of its chip; nil: none
	// Content of the PDF417 on the back of a driving licence, whose front the pages show, or of a visible digital seal;
	// nil: none.
	Code  []byte
	Trust *TrustStore // trust anchors; nil: none
	Date  time.Time   // date for which expiry, age and certificates are checked
	// The document is known to have a chip: without one, a check fails and there is no match.
	IsChipExpected bool
	IsSinglePage   bool // stops at the first page with a machine-readable zone
	IsStrict       bool // no violation of the standards by the chip is forgiven
	// A page passes without an authenticated chip; else it is not checked.
	AcceptsPageOnly bool
	// A driving licence passes, although its code is not signed; else it is not checked.
	AcceptsLicenceCode bool
	// The printed text of the pages is read, which takes longer than the rest, and compared with the machine-readable
	// data; the JSON has its lines.
	ReadsText bool
}

// ReadDocument reads a document from photos of its pages, from the files of its chip or a licence's code, or from both.
// The visible digital seal of a visa or an emergency travel document is read from its page: the JSON has the result in
// "seal", and a seal that failed fails the document. A photo without a document, a chip that is not genuine or
// unreadable, and an expired document are results, not errors. Close the document.
//
// Errors: [ErrBadArgument], also for the zero Time and for a chip without files; [ErrDamaged] for a photo;
// [ErrModelMissing] if there are pages, but no models to read them; [ErrTimeout], [ErrCancelled].
func (e *Engine) ReadDocument(ctx context.Context, input DocumentInput) (*Document, error) {
	// One more, so that the first has an address.
	pages, images := make([]*C.fv_image, len(input.Pages)+1), make([]*Image, len(input.Pages))
	var a arguments
	for i, page := range input.Pages {
		image, done := a.picture(page)
		defer done()
		pages[i], images[i] = image.c(), image
	}
	c := C.fv_document_input{
		struct_size:          C.sizeof_fv_document_input,
		accepts_page_only:    number(input.AcceptsPageOnly),
		accepts_licence_code: number(input.AcceptsLicenceCode),
		pages:                (**C.fv_image)(a.handles(unsafe.Pointer(&pages[0]), len(pages))),
		page_count:           C.size_t(len(input.Pages)),
		chip:                 input.Chip.c(),
		code:                 a.bytes(input.Code),
		code_bytes:           C.size_t(len(input.Code)),
		trust:                input.Trust.c(),
		date:                 a.date(input.Date),
		is_chip_expected:     number(input.IsChipExpected),
		is_single_page:       number(input.IsSinglePage),
		is_strict:            number(input.IsStrict),
		reads_text:           number(input.ReadsText),
	}
	var handle *C.fv_document
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_document_read(&handle, e.handle, &c, budget, message, messageBytes)
	}, e, input, images)
	if err != nil {
		return nil, err
	}
	return newDocument(newDocumentHandle(handle))
}

// SpecificationStatuses returns the statuses in the specification's terms: "OK" or "NOT_CHECKED" alone, or one for each
// failure, such as "EXPIRED_DOCUMENT".
func (d *Document) SpecificationStatuses() (statuses []string) {
	d.owner.copyTexts(func() { statuses = listDocumentSpecificationStatuses(d.handle) })
	return statuses
}

// ParseMRZ reads a document from the text of a machine-readable zone, with or without line breaks, checked for a date.
// Only its check digits support it. Nothing is corrected: a wrong check digit is a result, not an error. Close the
// document.
//
// Errors: [ErrUnknownFormat] if the lines have no known format; [ErrDamaged] for a character that is not allowed in a
// zone, such as a lower-case letter or a space; [ErrBadArgument].
func ParseMRZ(mrz string, date time.Time) (*Document, error) {
	var a arguments
	text, day := a.text(mrz), a.date(date)
	var handle *C.fv_document
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_document_from_mrz(&handle, text, day, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return newDocument(newDocumentHandle(handle))
}

// date formats the date in the time's own zone.
func (a *arguments) date(date time.Time) *C.char {
	if date.IsZero() {
		a.fail("the date is not set: say for which day the document is judged")
	}
	return a.text(date.Format("2006-01-02"))
}

// MRZLines returns the lines of the machine-readable zone; none without one.
func (d *Document) MRZLines() []string {
	if lines := d.Fields["mrzLines"].Value; lines != "" {
		return strings.Split(lines, "\n")
	}
	return nil
}

func newDocument(handle documentHandle) (*Document, error) {
	document := &Document{
		Mismatches:     listDocumentMismatches(handle.handle),
		Pages:          make([][]PageCheck, C.fv_document_page_count(handle.handle)),
		DataJSON:       C.GoString(C.fv_document_data_json(handle.handle)),
		documentHandle: handle,
	}
	if err := document.read(); err != nil {
		document.Close()
		return nil, err
	}
	return document, nil
}

func (d *Document) read() (err error) {
	if d.DocumentInfo, err = describeDocument(d.handle); err != nil {
		return err
	}
	for source, fields := range map[C.fv_document_source]*map[string]DocumentField{
		C.FV_DOCUMENT_SOURCE_BEST:  &d.Fields,
		C.FV_DOCUMENT_SOURCE_PAGE:  &d.PageFields,
		C.FV_DOCUMENT_SOURCE_CHIP:  &d.ChipFields,
		C.FV_DOCUMENT_SOURCE_PRINT: &d.PrintFields,
	} {
		if *fields, err = readFields(d.handle, source); err != nil {
			return err
		}
	}
	if d.Checks, err = listDocumentChecks(d.handle); err != nil {
		return err
	}
	if d.Steps, err = listDocumentSteps(d.handle); err != nil {
		return err
	}
	for page := range d.Pages {
		if d.Pages[page], err = listDocumentPageChecks(d.handle, C.size_t(page)); err != nil {
			return err
		}
	}
	if d.PortraitSource == 0 {
		return nil
	}
	var status C.fv_status
	d.Portrait, status = copied[byte](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
		return C.fv_document_portrait(d.handle, room, capacity, count)
	})
	if err := newError(status, "the portrait cannot be copied"); err != nil {
		return err
	}
	if sample := C.fv_document_sample(d.handle); sample != nil {
		d.Sample, err = newSample(sampleHandle{sample, d.owner.lend()})
	}
	return err
}

// readFields returns nil if nothing was read from the source.
func readFields(handle *C.fv_document, source C.fv_document_source) (map[string]DocumentField, error) {
	fields := map[string]DocumentField{}
	for i := C.size_t(0); ; i++ {
		name := C.fv_document_field_name_at(i)
		if name == nil {
			return fields, nil
		}
		c := C.fv_document_field{struct_size: C.sizeof_fv_document_field}
		err := newError(C.fv_document_field_by_name(&c, handle, source, name), "a field cannot be read")
		if errors.Is(err, ErrAbsent) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		fields[C.GoString(name)] = readDocumentField(&c)
	}
}

// A DocumentCopy is a stored portrait and stored data, and the SHA-256 values reported with them: fields of a
// [Document]. The portrait or the data are not checked if either the value or its SHA-256 is empty.
type DocumentCopy struct {
	PortraitSHA256 string
	DataSHA256     string
	Portrait       []byte
	DataJSON       string
}

// VerifyDocument compares a stored portrait and stored data with the SHA-256 values of the report they are from.
//
// Errors: [ErrBadArgument] for a malformed SHA-256.
func VerifyDocument(kept DocumentCopy) (DocumentBinding, error) {
	var a arguments
	copy := C.fv_document_copy{
		struct_size:     C.sizeof_fv_document_copy,
		portrait_sha256: a.optionalText(kept.PortraitSHA256),
		data_sha256:     a.optionalText(kept.DataSHA256),
		portrait:        a.bytes(kept.Portrait),
		portrait_bytes:  C.size_t(len(kept.Portrait)),
		data:            a.optionalText(kept.DataJSON),
	}
	c := C.fv_document_binding{struct_size: C.sizeof_fv_document_binding}
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_document_verify(&c, &copy, message, messageBytes)
	})
	return readDocumentBinding(&c), err
}

// A TrustStore holds trust anchors, revocation lists and master lists. It is safe for concurrent use.
type TrustStore struct {
	trustStoreHandle
}

// NewTrustStore reads a folder, not its subfolders: certificates of issuing states (CSCA), revocation lists, and master
// lists, each trusted only if its signer chains to a certificate in a file of its own or to a pinned one. The JSON
// lists what is not trusted, with the reason. An empty folder name creates an empty store: then no chip is
// [VerdictAuthentic], and none is [VerdictInvalid] for that reason.
//
// Errors: [ErrUnreadable], [ErrTooLarge].
func NewTrustStore(folder string) (*TrustStore, error) {
	var a arguments
	text := a.optionalText(folder)
	var handle *C.fv_trust_store
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_trust_store_create(&handle, text, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &TrustStore{newTrustStoreHandle(handle)}, nil
}

// Add adds the content of one file; the name is for the JSON. Documents read before are not affected.
//
// Errors: [ErrUnknownFormat] if it contains nothing that can be trusted, including a master list whose signer is not
// trusted; [ErrDamaged] for one with an invalid signature; [ErrTooLarge]. After an error nothing of the file is
// trusted.
func (s *TrustStore) Add(name string, file []byte) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_trust_store_add(s.handle, text, address(file), C.size_t(len(file)), message, messageBytes)
	}, s)
}

// Pin trusts the certificate with this SHA-256 fingerprint as the anchor of master lists that are added later. A folder
// may have a file pins.txt with a fingerprint on each line.
//
// Errors: [ErrBadArgument].
func (s *TrustStore) Pin(sha256 string) error {
	var a arguments
	text := a.text(sha256)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_trust_store_pin(s.handle, text, message, messageBytes)
	}, s)
}

// AnchorCount returns the number of distinct trust anchors: certificates that may sign document signers.
func (s *TrustStore) AnchorCount() int {
	defer runtime.KeepAlive(s)
	return int(C.fv_trust_store_anchor_count(s.handle))
}

// A Chip holds the files of one chip: EF.COM, EF.SOD, EF.DG1... It is safe for concurrent use.
type Chip struct {
	chipHandle
}

// NewChip reads a folder, not its subfolders. Files may have any usual name (EF.DG1, dg01.bin, 0101), in binary,
// hexadecimal or base64; others are skipped. An empty folder name creates an empty chip. Damaged files are a finding of
// [Engine.ReadDocument], not an error here.
//
// Errors: [ErrUnreadable], [ErrTooLarge]; [ErrBadArgument] if there is no file of a chip, or if two versions of one
// differ.
func NewChip(folder string) (*Chip, error) {
	var a arguments
	text := a.optionalText(folder)
	var handle *C.fv_chip
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_chip_create(&handle, text, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &Chip{newChipHandle(handle)}, nil
}

// Add adds one file.
//
// Errors: [ErrUnknownFormat] if it is not a file of a chip; [ErrTooLarge]; [ErrBadArgument] if it differs from the same
// file added before.
func (c *Chip) Add(name string, file []byte) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_chip_add(c.handle, text, address(file), C.size_t(len(file)), message, messageBytes)
	}, c)
}
