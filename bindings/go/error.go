package faceverify

// #include <faceverify.h>
import "C"

// A Status says what could not be done. It is the error that errors.Is and errors.As find in an [*Error]; its numbers
// are those of the C API and never change their meaning.
type Status int32

const (
	ErrBadArgument     Status = C.FV_E_BAD_ARGUMENT     // nil, closed, or out of range: a mistake in the program
	ErrUnreadable      Status = C.FV_E_UNREADABLE       // a file cannot be opened or read
	ErrUnknownFormat   Status = C.FV_E_UNKNOWN_FORMAT   // no picture, or no template, of a kind that is read
	ErrDamaged         Status = C.FV_E_DAMAGED          // the right kind, but cut off or broken
	ErrTooLarge        Status = C.FV_E_TOO_LARGE        // beyond the limits of ImageLimits
	ErrNoFace          Status = C.FV_E_NO_FACE          // no face was found in the picture
	ErrIncompatibleTemplate Status = C.FV_E_INCOMPATIBLE_TEMPLATE // a template of other models: make it anew from its photo
	ErrModelMissing    Status = C.FV_E_MODEL_MISSING    // a model file is not installed
	ErrModelMismatch   Status = C.FV_E_MODEL_MISMATCH   // a model file is not the one that the manifest names
	ErrUnsupportedRate Status = C.FV_E_UNSUPPORTED_RATE // the calibration data do not support this false-match rate
	ErrUnwritable      Status = C.FV_E_UNWRITABLE       // a file cannot be written
	ErrWrongState      Status = C.FV_E_WRONG_STATE      // not in this state of the object
	ErrInternal        Status = C.FV_E_INTERNAL         // a library failed in a way that no input should cause
	ErrBusy            Status = C.FV_E_BUSY             // another goroutine uses this object
	ErrAbsent          Status = C.FV_E_ABSENT           // there is no such thing
	ErrVersion         Status = C.FV_E_VERSION          // the program was compiled for another version of the library
)

// String returns the name that the JSON of the command line uses, such as "no-face"; "unknown" for other numbers.
func (s Status) String() string {
	return C.GoString(C.fv_status_name(C.fv_status(s)))
}

func (s Status) Error() string {
	return "faceverify: " + s.String()
}

// Retryable reports whether another attempt may succeed without a change to program or installation: with another
// picture (no face, unreadable, unknown format, damaged, too large) or a moment later (busy).
func (s Status) Retryable() bool {
	return C.fv_status_is_retryable(C.fv_status(s)) == 1
}

// An Error says what could not be done and what to do about it.
type Error struct {
	Status  Status
	Message string // one line for people; may be empty
}

func (e *Error) Error() string {
	if e.Message == "" {
		return e.Status.Error()
	}
	return "faceverify: " + e.Message
}

// Unwrap returns the Status, so that errors.Is(err, ErrNoFace) holds for an Error with that status.
func (e *Error) Unwrap() error {
	return e.Status
}

// Retryable is that of the Status.
func (e *Error) Retryable() bool {
	return e.Status.Retryable()
}

// newError returns nil for FV_OK.
func newError(status C.fv_status, message string) error {
	if status == C.FV_OK {
		return nil
	}
	return &Error{Status(status), message}
}

// A messageBuffer takes the message of a function that has no credential.
type messageBuffer [C.FV_MESSAGE_SIZE]C.char

func (b *messageBuffer) newError(status C.fv_status) error {
	return newError(status, C.GoString(&b[0]))
}
