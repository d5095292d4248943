// Package faceverify compares a selfie with the portrait of a document, offline, and says why.
//
//	engine, err := faceverify.NewEngine(faceverify.Options{})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	decision, err := engine.Compare(faceverify.Path("selfie.jpg"), faceverify.Path("portrait.jpg"))
//	if err != nil {
//		return err
//	}
//	defer decision.Close()
//	fmt.Println(decision.Result)
//
// # Results and errors
//
// A negative answer (no match, poor quality, an attack) is a result, not an error: see [Result], [Check] and
// [LivenessResult]. An error says that something could not be done; it is an [*Error], and errors.Is tells which:
// [ErrNoFace], [ErrModelMissing]...
//
// # Closing
//
// [Engine], [Credential], [QualityPolicy], [Image], [Template], [Sample], [Decision], [LivenessRequest],
// [LivenessRegister], [LivenessSession], [LivenessDecision], [Trust], [Chip] and [Document] own memory outside of Go:
// close them. Close always returns nil, may be called again, and by any goroutine at any time. Things may be closed in
// any order. What was closed answers [ErrBadArgument]; the fields of a sample, a decision and a document are plain
// values, which stay. What was forgotten is freed by a finalizer, at some later time or never.
//
// # Goroutines
//
// Any goroutines may use an [Engine], an [Image], a [Template], a [LivenessRequest], a [LivenessRegister], a [Trust] or
// a [Chip] at the same time. A [Credential], a [LivenessSession] and a [QualityPolicy] serve one at a time and answer
// [ErrBusy] meanwhile. Everything else is plain values.
//
// # Values
//
// Positions are pixels of the upright picture: x to the right, y down, (0, 0) is the outer corner of the first pixel;
// left and right are the subject's. A number that was not measured is NaN. The zero value of an options struct and of
// each of its fields stands for the default.
package faceverify

// #cgo pkg-config: faceverify
// #include <stdlib.h>
// #include <faceverify.h>
import "C"

import (
	"strings"
	"unsafe"
)

// Version returns the version of the library in use, such as "0.2.0".
func Version() string {
	return C.GoString(C.fv_version_string())
}

// LiveObjects returns the number of things in this process that are not closed yet, for tests: a program that closes
// all it was given ends with 0.
func LiveObjects() int {
	return int(C.fv_live_objects())
}

// newText copies a text for C, which would take a 0 byte for its end. Free it with freeText.
func newText(text string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, &Error{ErrBadArgument, "a text has a 0 byte in it"}
	}
	return C.CString(text), nil
}

// newOptionalText is newText, but nil, the default, for an empty text.
func newOptionalText(text string) (*C.char, error) {
	if text == "" {
		return nil, nil
	}
	return newText(text)
}

func freeText(text *C.char) {
	C.free(unsafe.Pointer(text))
}
