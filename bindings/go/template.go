package faceverify

// #include <faceverify.h>
import "C"

import (
	"runtime"
	"sync"
)

// A Template is what is kept of a face to match it. It is biometric data: keep it as short and as safely as the photo.
// Close wipes it. Templates of different models are not comparable.
type Template struct {
	handle *C.fv_template
	// Held for writing by Close, and for reading while text of the library is copied.
	text sync.RWMutex
}

// TemplateFromBytes reads the binary form. Whether it fits the models is decided when it is compared.
//
// Errors: [ErrUnknownFormat], [ErrDamaged].
func TemplateFromBytes(bytes []byte) (*Template, error) {
	template := &Template{}
	var message messageBuffer
	status := C.fv_template_from_bytes(&template.handle, address(bytes), C.size_t(len(bytes)), &message[0],
		C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(template, (*Template).Close)
	return template, nil
}

// Close wipes and frees the template.
func (t *Template) Close() error {
	t.text.Lock()
	defer t.text.Unlock()
	C.fv_template_free(t.handle)
	runtime.SetFinalizer(t, nil)
	return nil
}

// MarshalBinary returns the binary form, 580 bytes in this release, for [TemplateFromBytes]. It is an
// [encoding.BinaryMarshaler].
func (t *Template) MarshalBinary() ([]byte, error) {
	defer runtime.KeepAlive(t)
	return serialise(t.handle)
}

func serialise(handle *C.fv_template) ([]byte, error) {
	var count C.size_t
	if err := newError(C.fv_template_serialise(handle, nil, 0, &count), "the template is closed"); err != nil {
		return nil, err
	}
	bytes := make([]byte, count)
	status := C.fv_template_serialise(handle, address(bytes), count, &count)
	if err := newError(status, "the template is closed"); err != nil {
		return nil, err
	}
	return bytes, nil
}

// copyTemplate makes a template of one that is borrowed, and wipes what lies between.
func copyTemplate(borrowed *C.fv_template) (*Template, error) {
	bytes, err := serialise(borrowed)
	if err != nil {
		return nil, err
	}
	defer func() {
		for i := range bytes {
			bytes[i] = 0
		}
	}()
	return TemplateFromBytes(bytes)
}

// TemplateInfo describes a template.
type TemplateInfo struct {
	ModelIdentifier string  // which models made it
	SHA256          string  // of the binary form: names a template without telling anything of the face
	Quality         float64 // of the photo it was made from, 0 to 100; NaN if not measured
}

// Info describes the template.
func (t *Template) Info() (TemplateInfo, error) {
	t.text.RLock()
	defer t.text.RUnlock()
	info := C.fv_template_info{struct_size: C.sizeof_fv_template_info}
	if err := newError(C.fv_template_describe(&info, t.handle), "the template is closed"); err != nil {
		return TemplateInfo{}, err
	}
	return TemplateInfo{
		ModelIdentifier: C.GoString(info.model_identifier),
		SHA256:          C.GoString(info.sha256),
		Quality:         float64(info.quality),
	}, nil
}

// c returns nil for a nil template.
func (t *Template) c() *C.fv_template {
	if t == nil {
		return nil
	}
	return t.handle
}
