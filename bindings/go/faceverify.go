// Package faceverify provides offline face verification and liveness for identity documents.
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
// [LivenessResult]. An error is a usage error or a runtime error; it is an [*Error], and errors.Is matches its
// [Status]: [ErrNoFace], [ErrModelMissing]...
//
// # Deadlines and cancellation
//
// Calls that analyse photos or search a gallery take a context. When it ends, the call ends some milliseconds later,
// with an error that is [ErrTimeout] and context.DeadlineExceeded, or [ErrCancelled] and context.Canceled. A [Journey]
// has one context for all its calls. Loading the models, by [NewEngine] and an engine's first call, cannot be ended.
//
// # Closing
//
// An object with a Close method owns memory outside of Go: close it. Close always returns nil, is idempotent, and safe
// for concurrent use. Objects may be closed in any order. A closed object returns [ErrBadArgument]; the fields of a
// sample, a decision, a request and a document are plain values, which remain valid. Samples, templates and images
// owned by a result are closed with it, and wiped if they are biometric. An object that was not closed is freed by a
// finalizer, at some later time or never.
//
// # Goroutines
//
// Objects are safe for concurrent use, except for [LivenessSession], [Journey], [CodeScanner] and [QualityPolicy],
// where a concurrent call returns [ErrBusy].
//
// # Values
//
// Positions are pixels of the upright image: x to the right, y down, (0, 0) is the outer corner of the first pixel;
// left and right are the subject's own. A number that was not measured is NaN. The zero value of an options struct and
// of each of its fields selects the default; 0 of an enumeration is no value. The zero Time is an error wherever a time
// is an argument.
package faceverify

// #cgo pkg-config: faceverify
// #include <stdlib.h>
// #include <faceverify.h>
import "C"

// Version returns the version of the loaded library, such as "0.2.0".
func Version() string {
	return C.GoString(C.fv_version_string())
}

// LiveObjects returns the number of objects in this process that are not closed yet, for tests: 0 at the end of a
// program that closes all of them.
func LiveObjects() int {
	return int(C.fv_live_objects())
}
