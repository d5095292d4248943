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

// A Document is what the pages and the chip of a document say.
type Document struct {
	DocumentInfo
	// By the names that DocumentFieldNames lists: the chip's value, unless that has failed and the page's has passed.
	Fields     map[string]DocumentField
	PageFields map[string]DocumentField // as the page alone has them, or the typed zone; nil if nothing was read from it
	ChipFields map[string]DocumentField // as the chip alone has them; nil if nothing was read from it
	Mismatches []string                 // names of fields in which page and chip differ
	// What the result follows from: "validation", "expiry", "mrz-matches-chip", "chip-read", "passive-authentication",
	// "pages-match", "portrait-matches-chip".
	Checks []DocumentCheck
	Steps  []DocumentCheck // those of passive authentication, in the order in which they were done
	Pages  [][]PageCheck   // for each photo, what may be wrong with it
	// The file that the chip has, or a PNG that was cut out of the page; nil without one. It is biometric data: keep it
	// as short and as safely as the document.
	Portrait []byte
	// The portrait's quality, and its template unless the quality is refused; nil without a portrait. It is closed with
	// the document.
	Sample   *Sample
	DataJSON string // what was read, as canonical JSON (RFC 8785); empty if nothing was

	documentHandle
}

// A DocumentInput is what a document is read from.
type DocumentInput struct {
	Pages []*Image    // photos of its pages, at most 64
	Chip  *Chip       // the files of its chip; nil: none
	Code  []byte      // what the PDF417 on the back of a driving licence holds, whose front the pages show; nil: none
	Trust *TrustStore // the certificates that are trusted; nil: no one's
	Date  time.Time   // the day for which expiry, age and certificates are judged
	// The document is known to have a chip, so that its absence is a failed check.
	IsChipExpected bool
	IsSinglePage   bool // no page is read after the first with a machine readable zone
	IsStrict       bool // the chip is forgiven nothing that the standards do not allow
	// A page passes without an authenticated chip; else it is not checked.
	AcceptsPageOnly bool
	// A driving licence passes, whose code carries no signature; else it is not checked.
	AcceptsLicenceCode bool
}

// ReadDocument reads a document from photos of its pages, from the files of its chip or a licence's code, or from both. A photo without a
// document, a chip that is not genuine or cannot be read, and an expired document are no errors. Close the document.
//
// Errors: [ErrBadArgument], also for the zero Time and for a chip without files; [ErrDamaged] for a photo;
// [ErrModelMissing] if there are pages, and no models to read them; [ErrTimeout], [ErrCancelled].
func (e *Engine) ReadDocument(ctx context.Context, input DocumentInput) (*Document, error) {
	// One more, so that the first has an address.
	pages := make([]*C.fv_image, len(input.Pages)+1)
	for i, page := range input.Pages {
		pages[i] = page.c()
	}
	var a arguments
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
	}
	var handle *C.fv_document
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_document_read(&handle, e.handle, &c, budget, message, messageBytes)
	}, e, input)
	if err != nil {
		return nil, err
	}
	return newDocument(newDocumentHandle(handle))
}

// ParseMRZ reads the text of a machine readable zone, with or without line ends, as it is looked at on a day. Nothing
// but its check digits vouches for it, and nothing is ever repaired: a wrong check digit is no error. Close the
// document.
//
// Errors: [ErrUnknownFormat] if the lines are of no format, [ErrDamaged] at a character that no zone has (small letters
// and spaces too), [ErrBadArgument].
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

// date is the day in the time's own zone.
func (a *arguments) date(date time.Time) *C.char {
	if date.IsZero() {
		a.fail("the date is not set: say for which day the document is judged")
	}
	return a.text(date.Format("2006-01-02"))
}

// MRZLines returns the lines of the machine readable zone; none without one.
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
		C.FV_DOCUMENT_SOURCE_BEST: &d.Fields,
		C.FV_DOCUMENT_SOURCE_PAGE: &d.PageFields,
		C.FV_DOCUMENT_SOURCE_CHIP: &d.ChipFields,
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

// A DocumentCopy is a portrait and data that were kept, and what was reported with them: fields of a [Document]. A side
// of which anything is empty is not checked.
type DocumentCopy struct {
	PortraitSHA256 string
	DataSHA256     string
	Portrait       []byte
	DataJSON       string
}

// VerifyDocument compares a portrait and data that were kept with the SHA-256 of the report that they came with.
//
// Errors: [ErrBadArgument] for what is no SHA-256.
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

// A TrustStore holds the certificates that chips are checked by. Any goroutines may use it at the same time.
type TrustStore struct {
	trustStoreHandle
}

// NewTrustStore reads a folder, without the folders in it: certificates of issuing states (CSCA), revocation lists, and
// master lists, each trusted only for a certificate in a file of its own or one that is pinned. What is not trusted is
// named in the JSON with the reason. An empty folder name makes an empty one: then no chip is [VerdictAuthentic], and none is [VerdictInvalid]
// for that.
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

// Add adds what one file holds; the name is for the JSON. What was read with this before stays as it is.
//
// Errors: [ErrUnknownFormat] if there is nothing in it that can be trusted, also for a master list that is not pinned,
// [ErrDamaged] for one whose signature is wrong, [ErrTooLarge]; then nothing of it is trusted.
func (s *TrustStore) Add(name string, file []byte) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_trust_store_add(s.handle, text, address(file), C.size_t(len(file)), message, messageBytes)
	}, s)
}

// Pin trusts the certificate with this SHA-256 fingerprint to vouch for signers of master lists that are added from now
// on. A folder may have a file pins.txt with a fingerprint on each line.
//
// Errors: [ErrBadArgument].
func (s *TrustStore) Pin(sha256 string) error {
	var a arguments
	text := a.text(sha256)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_trust_store_pin(s.handle, text, message, messageBytes)
	}, s)
}

// AnchorCount returns the number of certificates that may sign the signers of chips, each counted once.
func (s *TrustStore) AnchorCount() int {
	defer runtime.KeepAlive(s)
	return int(C.fv_trust_store_anchor_count(s.handle))
}

// A Chip holds the files of one chip: EF.COM, EF.SOD, EF.DG1... Any goroutines may use it at the same time.
type Chip struct {
	chipHandle
}

// NewChip reads a folder, without the folders in it. Files may have any usual name (EF.DG1, dg01.bin, 0101) and be
// plain, in hexadecimal or in base64; others are left out. An empty folder name makes an empty one. Damage is found by
// [Engine.ReadDocument], and is no error there.
//
// Errors: [ErrUnreadable], [ErrTooLarge]; [ErrBadArgument] if no file is a chip's, or two are the same one and differ.
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
// Errors: [ErrUnknownFormat] if it is none of a chip's, [ErrTooLarge]; [ErrBadArgument] if it differs from the one that
// is there.
func (c *Chip) Add(name string, file []byte) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_chip_add(c.handle, text, address(file), C.size_t(len(file)), message, messageBytes)
	}, c)
}
