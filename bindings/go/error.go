package faceverify

// #include <faceverify.h>
import "C"

import "context"

// Error makes a Status an error, which errors.Is and errors.As find in an [*Error].
func (s Status) Error() string {
	return "faceverify: " + s.String()
}

// Is makes [ErrTimeout] and [ErrCancelled] also match the error of the context that ended the call.
func (s Status) Is(target error) bool {
	return s == ErrTimeout && target == context.DeadlineExceeded || s == ErrCancelled && target == context.Canceled
}

// Retryable reports whether another attempt may succeed without a change to program or installation: with another image
// (no face, unreadable, unknown format, damaged, too large) or later (busy, timeout).
func (s Status) Retryable() bool {
	return C.fv_status_is_retryable(C.fv_status(s)) == 1
}

// An Error is a usage error or a runtime error: what failed, and what to do.
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

// Retryable returns that of the Status.
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
