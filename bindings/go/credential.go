package faceverify

// #include <faceverify.h>
import "C"

import (
	"runtime"
	"sync"
)

// A Credential is one person's journey. It serves one goroutine at a time: a call meanwhile is answered with [ErrBusy].
type Credential struct {
	handle *C.fv_credential
	owner  *owner
	// Held for a call and the reading of its message, which the next call overwrites.
	call sync.Mutex
}

// NewCredential begins a journey under a policy; Policy{} is the default.
//
// Errors: [ErrBadArgument]; [ErrUnsupportedRate]; [ErrBusy] while another goroutine changes one of the policies.
func (e *Engine) NewCredential(policy Policy) (*Credential, error) {
	defer runtime.KeepAlive(e)
	defer runtime.KeepAlive(policy)
	var handle *C.fv_credential
	var message messageBuffer
	status := C.fv_credential_create(&handle, e.handle, &C.fv_policy{
		struct_size:      C.sizeof_fv_policy,
		selfie:           policy.Selfie.c(),
		portrait:         policy.Portrait.c(),
		false_match_rate: C.double(policy.FalseMatchRate),
	}, &message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return &Credential{handle: handle, owner: own(func() { C.fv_credential_free(handle) })}, nil
}

// Close frees the credential; it waits for a call that another goroutine makes.
func (c *Credential) Close() error {
	c.call.Lock()
	defer c.call.Unlock()
	return c.owner.close()
}

// do makes one call, unless another goroutine is in one.
func (c *Credential) do(call func() C.fv_status) error {
	if !c.call.TryLock() {
		return &Error{ErrBusy, "another goroutine uses this credential: make one for each"}
	}
	defer c.call.Unlock()
	status := call()
	message := C.fv_credential_message(c.handle)
	if message == nil {
		return newError(status, "the credential is closed")
	}
	return newError(status, C.GoString(message))
}

// An Input is one side of a comparison: a [Path], an [*Image] or a [*Template].
type Input interface {
	isInput()
}

// A Path names a picture or template file, known by its content; it is read with the default [ImageLimits].
type Path string

func (Path) isInput()      {}
func (*Image) isInput()    {}
func (*Template) isInput() {}

// newInput leaves out what is nil. Its path must be freed.
func newInput(input Input) (C.fv_input, error) {
	var err error
	c := C.fv_input{struct_size: C.sizeof_fv_input}
	switch input := input.(type) {
	case Path:
		c.path, err = newText(string(input))
	case *Image:
		c.image = input.c()
	case *Template:
		c.face_template = input.c()
	}
	return c, err
}

// Compare decides whether the selfie shows the person of the portrait. Close the decision.
//
// Errors: [ErrNoFace] and what cannot be read, with the side in the message; [ErrIncompatibleTemplate]; [ErrBadArgument] for
// a nil input; [ErrBusy].
func (c *Credential) Compare(selfie, portrait Input) (*Decision, error) {
	defer runtime.KeepAlive(selfie)
	defer runtime.KeepAlive(portrait)
	one, err := newInput(selfie)
	if err != nil {
		return nil, err
	}
	defer freeText(one.path)
	other, err := newInput(portrait)
	if err != nil {
		return nil, err
	}
	defer freeText(other.path)
	var handle *C.fv_decision
	err = c.do(func() C.fv_status { return C.fv_credential_compare(&handle, c.handle, &one, &other) })
	if err != nil {
		return nil, err
	}
	return newDecision(handle)
}

// CompareTemplates compares two templates at the credential's false-match rate.
//
// Errors: [ErrIncompatibleTemplate], [ErrBusy], [ErrBadArgument] for a nil template.
func (c *Credential) CompareTemplates(a, b *Template) (Comparison, error) {
	defer runtime.KeepAlive(a)
	defer runtime.KeepAlive(b)
	comparison := C.fv_comparison{struct_size: C.sizeof_fv_comparison}
	err := c.do(func() C.fv_status {
		return C.fv_credential_compare_templates(&comparison, c.handle, a.c(), b.c())
	})
	if err != nil {
		return Comparison{}, err
	}
	return readComparison(&comparison), nil
}

// DetectFlags change what Detect looks for.
type DetectFlags uint32

// SmallFaces also looks for faces down to 40 pixels where larger ones have been found, which takes longer.
const SmallFaces DetectFlags = C.FV_DETECT_SMALL_FACES

// Detect finds all faces of a picture, the most prominent first; none is no error.
//
// Errors: [ErrDamaged], [ErrBusy], [ErrBadArgument] for a nil image.
func (c *Credential) Detect(image *Image, flags DetectFlags) (*Faces, error) {
	defer runtime.KeepAlive(image)
	var handle *C.fv_faces
	err := c.do(func() C.fv_status {
		return C.fv_credential_detect(&handle, c.handle, image.c(), C.uint32_t(flags))
	})
	if err != nil {
		return nil, err
	}
	defer C.fv_faces_free(handle)
	faces, err := readFaces(handle)
	if err != nil {
		return nil, err
	}
	return &Faces{faces, C.GoString(C.fv_faces_json(handle))}, nil
}

// Sample takes the most prominent face, its quality, and its template unless the policy refuses the picture. A nil
// policy is the credential's for selfies. Close the sample.
//
// Errors: [ErrNoFace], [ErrDamaged], [ErrBusy], [ErrBadArgument] for a nil image.
func (c *Credential) Sample(image *Image, policy *QualityPolicy) (*Sample, error) {
	defer runtime.KeepAlive(image)
	defer runtime.KeepAlive(policy)
	var handle *C.fv_sample
	err := c.do(func() C.fv_status { return C.fv_credential_sample(&handle, c.handle, image.c(), policy.c()) })
	if err != nil {
		return nil, err
	}
	return newSample(handle, own(func() { C.fv_sample_free(handle) }))
}

// Assess is Sample without a template, which takes less time.
func (c *Credential) Assess(image *Image, policy *QualityPolicy) (*Sample, error) {
	defer runtime.KeepAlive(image)
	defer runtime.KeepAlive(policy)
	var handle *C.fv_sample
	err := c.do(func() C.fv_status { return C.fv_credential_assess(&handle, c.handle, image.c(), policy.c()) })
	if err != nil {
		return nil, err
	}
	return newSample(handle, own(func() { C.fv_sample_free(handle) }))
}
