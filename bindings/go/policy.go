package faceverify

// #include <faceverify.h>
import "C"

import (
	"fmt"
	"runtime"
)

// Names of the policies of the library (docs/quality.md).
const (
	SelfiePolicy           = "selfie"
	DocumentPortraitPolicy = "document-portrait"
	ChipPortraitPolicy     = "chip-portrait"
)

// A QualityPolicy says what is asked of a picture. It serves one goroutine at a time.
type QualityPolicy struct {
	handle *C.fv_quality_policy
	owner  *owner
}

// NewQualityPolicy copies a policy of the library: [SelfiePolicy], [DocumentPortraitPolicy] or [ChipPortraitPolicy].
//
// Errors: [ErrBadArgument] for another name.
func NewQualityPolicy(name string) (*QualityPolicy, error) {
	text, err := newText(name)
	if err != nil {
		return nil, err
	}
	defer freeText(text)
	var handle *C.fv_quality_policy
	status := C.fv_quality_policy_create(&handle, text)
	if err := newError(status, fmt.Sprintf("there is no quality policy %q", name)); err != nil {
		return nil, err
	}
	return &QualityPolicy{handle, own(func() { C.fv_quality_policy_free(handle) })}, nil
}

// Close frees the policy. Credentials keep their copy.
func (p *QualityPolicy) Close() error {
	return p.owner.close()
}

// Require changes what is asked of one measure: a value from minimum to maximum passes; one below refusedBelow or above
// refusedAbove refuses the picture; between them lies a warning. NaN is no limit; four NaNs measure without asking.
// Units and ranges: docs/quality.md.
//
// Errors: [ErrBadArgument] for a measure that [Measures] does not list; [ErrBusy].
func (p *QualityPolicy) Require(measure string, minimum, maximum, refusedBelow, refusedAbove float64) error {
	defer runtime.KeepAlive(p)
	text, err := newText(measure)
	if err != nil {
		return err
	}
	defer freeText(text)
	status := C.fv_quality_policy_require(p.handle, text, C.double(minimum), C.double(maximum), C.double(refusedBelow),
		C.double(refusedAbove))
	switch Status(status) {
	case ErrBadArgument:
		return newError(status, fmt.Sprintf("there is no measure %q, or the policy is closed", measure))
	case ErrBusy:
		return newError(status, "another goroutine uses this policy")
	}
	return newError(status, "")
}

// c returns nil, the default, for a nil policy.
func (p *QualityPolicy) c() *C.fv_quality_policy {
	if p == nil {
		return nil
	}
	return p.handle
}

// Measures lists the names of the quality measures after ISO/IEC 29794-5, in the order of reports.
func Measures() []string {
	return listNames(func(index C.size_t) *C.char { return C.fv_quality_measure_name(index) })
}

// listNames lists what name returns for 0, 1...
func listNames(name func(C.size_t) *C.char) []string {
	var names []string
	for one := name(0); one != nil; one = name(C.size_t(len(names))) {
		names = append(names, C.GoString(one))
	}
	return names
}

// A Policy is what a decision is made by.
type Policy struct {
	Selfie   *QualityPolicy // copied. Default: SelfiePolicy
	Portrait *QualityPolicy // copied. Default: DocumentPortraitPolicy
	// Share of strangers that may be called a match: 1e-2, 1e-3 or 1e-4. Default: 1e-3.
	FalseMatchRate float64
}
