// Package faceverify compares a selfie with the portrait of a document, offline, and says why.
//
//	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	selfie, portrait := faceverify.Path("selfie.jpg"), faceverify.Path("portrait.jpg")
//	decision, err := engine.Compare(ctx, selfie, portrait, faceverify.ComparisonPolicy{})
//	if err != nil {
//		return err
//	}
//	defer decision.Close()
//	fmt.Println(decision.Result)
//
// # Results and errors
//
// A negative answer (no match, poor quality, an attack) is a result, not an error: see [Result], [QualityCheck] and
// [LivenessResult]. An error says that something could not be done; it is an [*Error], and errors.Is tells which:
// [ErrNoFace], [ErrModelMissing]...
//
// # Deadlines and cancellation
//
// What analyses takes a context. When that ends, the call ends some milliseconds later, with an error that is
// [ErrTimeout] and context.DeadlineExceeded, or [ErrCancelled] and context.Canceled.
//
// # Closing
//
// What has a Close owns memory outside of Go: close it. Close always returns nil, may be called again, and by any
// goroutine at any time. Things may be closed in any order. What was closed answers [ErrBadArgument]; the fields of a
// sample, a decision, a request and a document are plain values, which stay. What a result lends (its samples,
// templates and images) is closed with it, and wiped if it is biometric. What was forgotten is freed by a finalizer, at
// some later time or never.
//
// # Goroutines
//
// Any goroutines may use a thing at the same time. But a [LivenessSession], a [Journey] and a [QualityPolicy] serve one at a time,
// and answer [ErrBusy] meanwhile.
//
// # Values
//
// Positions are pixels of the upright picture: x to the right, y down, (0, 0) is the outer corner of the first pixel;
// left and right are the subject's. A number that was not measured is NaN. The zero value of an options struct and of
// each of its fields stands for the default; of a value from a list, 0 is none.
package faceverify

// #cgo pkg-config: faceverify
// #include <stdlib.h>
// #include <faceverify.h>
import "C"

// Version returns the version of the library in use, such as "0.2.0".
func Version() string {
	return C.GoString(C.fv_version_string())
}

// LiveObjects returns the number of things in this process that are not closed yet, for tests: a program that closes
// all it was given ends with 0.
func LiveObjects() int {
	return int(C.fv_live_objects())
}
