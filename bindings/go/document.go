package faceverify

// #include <faceverify.h>
import "C"

import (
	"runtime"
	"strings"
	"time"
)

// A Document is what the pages and the chip of a document say.
type Document struct {
	Type     string           // "passport", "visa", "id-card", "driving-licence" or "unknown"
	TypeName string           // in finer detail, such as "Diplomatic passport"; empty if that is not known
	Date     string           // for which all was judged
	Statuses []DocumentStatus // DocumentOK or DocumentNotChecked alone, or all that is wrong
	// By the names that DocumentFields lists: the chip's value, unless that is in error and the page's is not.
	Fields     map[string]DocumentField
	PageFields map[string]DocumentField // as the page alone has them, or the typed zone; nil if nothing was read from it
	ChipFields map[string]DocumentField // as the chip alone has them; nil if nothing was read from it
	Mismatches []string                 // names of fields in which page and chip differ
	// What the statuses follow from: "validation", "expiry", "mrz-matches-chip", "passive-authentication".
	Checks []DocumentCheck
	Pages  [][]PageCheck // for each photo, what may be wrong with it

	HasChip    bool // a chip was read
	ChipPage   int  // where it is: 1 in the data page, 2 in the back page or inlay; 0 if not known
	RFIDStatus RFIDStatus
	Verdict    Verdict         // of passive authentication; 0 without a chip
	Steps      []DocumentCheck // those of passive authentication, in the order in which they were done

	// The file that the chip has, or a PNG that was cut out of the page; nil without one. It is biometric data: keep it
	// as short and as safely as the document.
	Portrait        []byte
	PortraitTrust   PortraitTrust // 0 without a portrait
	PortraitProblem string        // why there is no portrait, or why it is not the chip's; empty if all is well
	// The portrait's quality, and its template unless the quality is refused; nil without a portrait. It is closed with
	// the document.
	Sample    *Sample
	PhotoHash string // SHA-256 of Portrait, lower-case hexadecimal; empty without one
	DataHash  string // SHA-256 of DataJSON; empty if nothing was read
	DataJSON  string // what was read, as canonical JSON (RFC 8785); empty if nothing was

	handle *C.fv_document
	owner  *owner
}

// A Choice of an option that is a default, yes or no.
type Choice int

const (
	Default Choice = 0
	Yes     Choice = C.FV_YES
	No      Choice = C.FV_NO
)

// DocumentOptions say how a document is read.
type DocumentOptions struct {
	Chip     *Chip  // nil: none
	Trust    *Trust // the certificates that are trusted; nil: no one's
	ReadRFID Choice // a chip is asked for, and its absence reported. Default: if one is given
	// No: no more pages are read after one with a machine readable zone. Default: Yes.
	Multipage       Choice
	MRZReadTimeout  time.Duration // for which a zone is looked for, 10 to 60 s. Default: 30 s
	RFIDReadTimeout time.Duration // for which a chip is read, 10 to 60 s. Default: 30 s
}

// ReadDocument reads a document from photos of its pages, at most 64, from the files of its chip, or from both. The
// date is the day for which expiry, age and certificates are judged. A photo without a document, a chip that is not
// genuine or cannot be read, and an expired document are no errors. Any goroutines may call it at the same time. Close
// the document.
//
// Errors: [ErrBadArgument], also for the zero Time; [ErrDamaged] for a photo; [ErrModelMissing] if there are pages, and
// no models to read them.
func (e *Engine) ReadDocument(pages []*Image, date time.Time, options DocumentOptions) (*Document, error) {
	defer runtime.KeepAlive(e)
	defer runtime.KeepAlive(pages)
	defer runtime.KeepAlive(options)
	day, err := newDate(date)
	if err != nil {
		return nil, err
	}
	defer freeText(day)
	// One more, so that the first has an address.
	images := make([]*C.fv_image, len(pages)+1)
	for i, page := range pages {
		images[i] = page.c()
	}
	var handle *C.fv_document
	var message messageBuffer
	status := C.fv_document_read(&handle, e.handle, &images[0], C.size_t(len(pages)), options.Chip.c(),
		options.Trust.c(), day, &C.fv_document_options{
			struct_size:       C.sizeof_fv_document_options,
			read_rfid:         C.int64_t(options.ReadRFID),
			multipage:         C.int64_t(options.Multipage),
			mrz_read_timeout:  C.double(options.MRZReadTimeout.Seconds()),
			rfid_read_timeout: C.double(options.RFIDReadTimeout.Seconds()),
		}, &message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return newDocument(handle)
}

// ParseMRZ reads the text of a machine readable zone, with or without line ends, as it is looked at on a day. Nothing
// but its check digits vouches for it, and nothing is ever repaired: a wrong check digit is no error. Close the
// document.
//
// Errors: [ErrUnknownFormat] if the lines are of no format, [ErrDamaged] at a character that no zone has (small letters
// and spaces too), [ErrBadArgument].
func ParseMRZ(mrz string, date time.Time) (*Document, error) {
	text, err := newText(mrz)
	if err != nil {
		return nil, err
	}
	defer freeText(text)
	day, err := newDate(date)
	if err != nil {
		return nil, err
	}
	defer freeText(day)
	var handle *C.fv_document
	var message messageBuffer
	status := C.fv_document_from_mrz(&handle, text, day, &message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return newDocument(handle)
}

// newDate is the day in the time's own zone. Free it with freeText.
func newDate(date time.Time) (*C.char, error) {
	if date.IsZero() {
		return nil, &Error{ErrBadArgument, "the date is not set: say for which day the document is judged"}
	}
	return newText(date.Format("2006-01-02"))
}

// Close wipes the template of the sample and frees what JSON needs; the fields stay.
func (d *Document) Close() error {
	return d.owner.close()
}

// JSON is everything, as `faceverify document --json` prints it; "" if the document is closed.
func (d *Document) JSON() (text string) {
	d.owner.copyTexts(func() { text = C.GoString(C.fv_document_json(d.handle)) })
	return text
}

// MRZLines returns the lines of the machine readable zone; none without one.
func (d *Document) MRZLines() []string {
	if lines := d.Fields["mrzLines"].Value; lines != "" {
		return strings.Split(lines, "\n")
	}
	return nil
}

// CompareDocument decides whether the selfie shows the holder of the document: Compare with its portrait. With a
// portrait that is [PortraitAltered] the result is [Refused]; any but [PortraitAuthentic] adds a reason "document." and
// what there is to know. Close the decision.
//
// Errors: as [Credential.Compare]; [ErrNoFace] if the document has no portrait.
func (c *Credential) CompareDocument(selfie Input, document *Document) (*Decision, error) {
	defer runtime.KeepAlive(selfie)
	defer runtime.KeepAlive(document)
	one, err := newInput(selfie)
	if err != nil {
		return nil, err
	}
	defer freeText(one.path)
	var of *C.fv_document
	if document != nil {
		of = document.handle
	}
	var handle *C.fv_decision
	err = c.do(func() C.fv_status { return C.fv_credential_compare_document(&handle, c.handle, &one, of) })
	if err != nil {
		return nil, err
	}
	return newDecision(handle)
}

func newDocument(handle *C.fv_document) (*Document, error) {
	document := &Document{
		Statuses:   make([]DocumentStatus, C.fv_document_status_count(handle)),
		Mismatches: make([]string, C.fv_document_mismatch_count(handle)),
		Checks:     make([]DocumentCheck, C.fv_document_check_count(handle)),
		Steps:      make([]DocumentCheck, C.fv_document_step_count(handle)),
		Pages:      make([][]PageCheck, C.fv_document_page_count(handle)),
		DataJSON:   C.GoString(C.fv_document_data_json(handle)),
		handle:     handle,
		owner:      own(func() { C.fv_document_free(handle) }),
	}
	if err := document.read(); err != nil {
		document.Close()
		return nil, err
	}
	return document, nil
}

func (d *Document) read() error {
	info := C.fv_document_info{struct_size: C.sizeof_fv_document_info}
	if err := newError(C.fv_document_describe(&info, d.handle), "the document cannot be read"); err != nil {
		return err
	}
	d.Type, d.TypeName, d.Date = C.GoString(info._type), C.GoString(info.type_name), C.GoString(info.date)
	d.PhotoHash, d.DataHash = C.GoString(info.photo_hash), C.GoString(info.data_hash)
	d.PortraitTrust, d.PortraitProblem = PortraitTrust(info.portrait_trust), C.GoString(info.portrait_problem)
	d.HasChip, d.ChipPage = info.has_chip == 1, int(info.chip_page)
	d.RFIDStatus, d.Verdict = RFIDStatus(info.rfid_status), Verdict(info.verdict)
	for i := range d.Statuses {
		d.Statuses[i] = DocumentStatus(C.fv_document_status(d.handle, C.size_t(i)))
	}
	for i := range d.Mismatches {
		d.Mismatches[i] = C.GoString(C.fv_document_mismatch(d.handle, C.size_t(i)))
	}
	var err error
	for source, fields := range map[C.int]*map[string]DocumentField{
		C.FV_SOURCE_DOCUMENT: &d.Fields, C.FV_SOURCE_PAGE: &d.PageFields, C.FV_SOURCE_CHIP: &d.ChipFields,
	} {
		if *fields, err = readFields(d.handle, source); err != nil {
			return err
		}
	}
	for i := range d.Checks {
		c := C.fv_finding{struct_size: C.sizeof_fv_finding}
		if err := d.Checks[i].read(&c, C.fv_document_check(&c, d.handle, C.size_t(i))); err != nil {
			return err
		}
	}
	for i := range d.Steps {
		c := C.fv_finding{struct_size: C.sizeof_fv_finding}
		if err := d.Steps[i].read(&c, C.fv_document_step(&c, d.handle, C.size_t(i))); err != nil {
			return err
		}
	}
	for page := range d.Pages {
		if d.Pages[page], err = readPage(d.handle, C.size_t(page)); err != nil {
			return err
		}
	}
	return d.readPortrait()
}

func (d *Document) readPortrait() error {
	var count C.size_t
	status := C.fv_document_portrait(d.handle, nil, 0, &count)
	if Status(status) == ErrAbsent {
		return nil
	}
	if err := newError(status, "the portrait has no size"); err != nil {
		return err
	}
	d.Portrait = make([]byte, count)
	status = C.fv_document_portrait(d.handle, address(d.Portrait), count, &count)
	if err := newError(status, "the portrait cannot be copied"); err != nil {
		return err
	}
	var err error
	if sample := C.fv_document_sample(d.handle); sample != nil {
		d.Sample, err = newSample(sample, d.owner.lend())
	}
	return err
}

// readFields returns nil if nothing was read from the source.
func readFields(handle *C.fv_document, source C.int) (map[string]DocumentField, error) {
	fields := map[string]DocumentField{}
	for i := C.size_t(0); ; i++ {
		name := C.fv_document_field_name(i)
		if name == nil {
			return fields, nil
		}
		c := C.fv_field{struct_size: C.sizeof_fv_field}
		status := C.fv_document_field(&c, handle, name, source)
		if Status(status) == ErrAbsent {
			return nil, nil
		}
		if err := newError(status, "a field cannot be read"); err != nil {
			return nil, err
		}
		fields[C.GoString(name)] = DocumentField{C.GoString(c.value), C.GoString(c.reason), FieldStatus(c.status)}
	}
}

// read takes what a function with this status has filled.
func (f *DocumentCheck) read(c *C.fv_finding, status C.fv_status) error {
	if err := newError(status, "a check is not listed"); err != nil {
		return err
	}
	*f = DocumentCheck{C.GoString(c.name), C.GoString(c.reason), C.GoString(c.text), CheckStatus(c.status)}
	return nil
}

func readPage(handle *C.fv_document, page C.size_t) ([]PageCheck, error) {
	checks := make([]PageCheck, C.fv_document_page_check_count(handle, page))
	for i := range checks {
		c := C.fv_page_check{struct_size: C.sizeof_fv_page_check}
		status := C.fv_document_page_check(&c, handle, page, C.size_t(i))
		if err := newError(status, "a check is not listed"); err != nil {
			return nil, err
		}
		checks[i] = PageCheck{
			Reason: C.GoString(c.reason),
			Unit:   C.GoString(c.unit),
			Text:   C.GoString(c.text),
			Number: int(c.number),
			Status: CheckStatus(c.status),
			Value:  float64(c.value),
			Limit:  float64(c.limit),
		}
	}
	return checks, nil
}
