package faceverify

// #include <faceverify.h>
import "C"

// A DocumentStatus is what can be said of a document as a whole.
type DocumentStatus int

const (
	DocumentOK              DocumentStatus = C.FV_DOCUMENT_OK // all that was asked for was checked, and is right
	DocumentNotChecked      DocumentStatus = C.FV_DOCUMENT_NOT_CHECKED
	DocumentValidationError DocumentStatus = C.FV_DOCUMENT_VALIDATION_ERROR // a field is in error, or nothing was read
	DocumentExpired         DocumentStatus = C.FV_DOCUMENT_EXPIRED_DOCUMENT
	// The passive authentication of the chip failed.
	DocumentRFIDPassiveAuthentication DocumentStatus = C.FV_DOCUMENT_RFID_PASSIVE_AUTHENTICATION
	DocumentMRZRFIDMismatch           DocumentStatus = C.FV_DOCUMENT_MRZ_RFID_MISMATCH // page and chip differ
	DocumentRFIDTimeout               DocumentStatus = C.FV_DOCUMENT_RFID_TIMEOUT
	DocumentRFIDPermissionNotGranted  DocumentStatus = C.FV_DOCUMENT_RFID_PERMISSION_NOT_GRANTED
	DocumentRFIDTagNotFound           DocumentStatus = C.FV_DOCUMENT_RFID_TAG_NOT_FOUND // a chip was asked for
	DocumentRFIDNFCNotSupported       DocumentStatus = C.FV_DOCUMENT_RFID_NFC_NOT_SUPPORTED
	DocumentRFIDGenericError          DocumentStatus = C.FV_DOCUMENT_RFID_GENERIC_ERROR // its files cannot be read
	DocumentUserSkippedRFID           DocumentStatus = C.FV_DOCUMENT_USER_SKIPPED_RFID
)

// String returns the name that the JSON uses: "OK", "NOT_CHECKED", "EXPIRED_DOCUMENT"...; "none" for other numbers.
func (s DocumentStatus) String() string {
	return C.GoString(C.fv_document_status_name(C.int(s)))
}

// An RFIDStatus is what became of the chip.
type RFIDStatus int

const (
	RFIDUndefined RFIDStatus = C.FV_RFID_UNDEFINED // none was read, or it could not be shown to be genuine or not
	RFIDSuccess   RFIDStatus = C.FV_RFID_SUCCESS   // read, and genuine
	RFIDError     RFIDStatus = C.FV_RFID_ERROR     // not readable, or not genuine
)

// String returns the name that the JSON uses: "UNDEFINED", "SUCCESS" or "ERROR"; "none" for other numbers.
func (s RFIDStatus) String() string {
	return C.GoString(C.fv_rfid_status_name(C.int(s)))
}

// A Verdict is what passive authentication says of a chip. A copied chip passes too.
type Verdict int

const (
	Authentic          Verdict = C.FV_VERDICT_AUTHENTIC            // signed by a state whose certificate is trusted
	ValidWithoutAnchor Verdict = C.FV_VERDICT_VALID_WITHOUT_ANCHOR // right, but nobody knows who signed
	Invalid            Verdict = C.FV_VERDICT_INVALID              // a step failed
	VerdictNotChecked  Verdict = C.FV_VERDICT_NOT_CHECKED          // too little could be checked
)

// String returns the name that the JSON uses: "authentic", "valid-without-anchor", "invalid" or "not-checked"; "none"
// for other numbers.
func (v Verdict) String() string {
	return C.GoString(C.fv_verdict_name(C.int(v)))
}

// A PortraitTrust says how far a portrait itself is trusted.
type PortraitTrust int

const (
	PortraitAuthentic          PortraitTrust = C.FV_PORTRAIT_AUTHENTIC            // a trusted state signed it
	PortraitValidWithoutAnchor PortraitTrust = C.FV_PORTRAIT_VALID_WITHOUT_ANCHOR // nobody knows who signed it
	PortraitNotChecked         PortraitTrust = C.FV_PORTRAIT_NOT_CHECKED          // too little of the chip was checked
	PortraitPage               PortraitTrust = C.FV_PORTRAIT_PAGE                 // nothing tells that the page is genuine
	PortraitAltered            PortraitTrust = C.FV_PORTRAIT_ALTERED              // the chip was changed
)

// String returns the name that the JSON uses: "authentic", "valid-without-anchor", "not-checked", "page" or "altered";
// "none" for other numbers.
func (t PortraitTrust) String() string {
	return C.GoString(C.fv_portrait_trust_name(C.int(t)))
}

// A FieldStatus says how far a value can be relied on.
type FieldStatus int

const (
	FieldOK         FieldStatus = C.FV_FIELD_OK          // a check digit, a signature or a sure reading vouches for it
	FieldError      FieldStatus = C.FV_FIELD_ERROR       // not to be used: something about it is wrong
	FieldNotChecked FieldStatus = C.FV_FIELD_NOT_CHECKED // nothing vouches for it
)

// String returns the name that the JSON uses: "OK", "ERROR" or "NOT_CHECKED"; "none" for other numbers.
func (s FieldStatus) String() string {
	return C.GoString(C.fv_field_status_name(C.int(s)))
}

// A DocumentField is a value of a document.
type DocumentField struct {
	Value  string // dates as "1974-08-12", unknown parts as "XX"; empty if the document has none
	Reason string // why it is not FieldOK: "check-digit-wrong", "low-confidence", "absent"...; else empty
	Status FieldStatus
}

// DocumentFields lists the names of a document's fields: "documentNumber", "dateOfBirth", "mrzLines"...
func DocumentFields() []string {
	var names []string
	for {
		name := C.fv_document_field_name(C.size_t(len(names)))
		if name == nil {
			return names
		}
		names = append(names, C.GoString(name))
	}
}

// A DocumentCheck is what became of one check of a document, or of one step of passive authentication.
type DocumentCheck struct {
	Name   string
	Reason string // why it did not pass, from a fixed list; empty if it did
	Text   string // one line for people; may be empty
	Status CheckStatus
}

// A PageCheck is one thing that may be wrong with the photo of a page.
type PageCheck struct {
	Reason string // "black-white-copy", "blurry", "glare"...
	Unit   string
	Text   string // what to do, or why it was not checked; empty if it passed
	Number int    // by which such rejections are known: 102 to 2006
	Status CheckStatus
	Value  float64 // in Unit; NaN if nothing was measured
	Limit  float64 // the check fails beyond it; NaN if nothing was measured
}

// A DocumentBinding says whether a portrait and data are those of a report.
type DocumentBinding struct {
	Photo CheckStatus
	Data  CheckStatus
}

// VerifyDocument compares a portrait and data that were kept with the hashes of the report that they came with: the
// fields PhotoHash, DataHash, Portrait and DataJSON of a [Document]. A side of which anything is empty is not checked.
//
// Errors: [ErrBadArgument] for what is no hash.
func VerifyDocument(photoHash, dataHash string, photo []byte, data string) (DocumentBinding, error) {
	texts := [3]*C.char{}
	for i, text := range []string{photoHash, dataHash, data} {
		c, err := newOptionalText(text)
		if err != nil {
			return DocumentBinding{}, err
		}
		defer freeText(c)
		texts[i] = c
	}
	portrait := address(photo)
	if len(photo) == 0 {
		portrait = nil
	}
	c := C.fv_binding{struct_size: C.sizeof_fv_binding}
	status := C.fv_document_verify(&c, texts[0], texts[1], portrait, C.size_t(len(photo)), texts[2])
	if err := newError(status, "a hash is SHA-256 in lower-case hexadecimal"); err != nil {
		return DocumentBinding{}, err
	}
	return DocumentBinding{CheckStatus(c.photo), CheckStatus(c.data)}, nil
}
