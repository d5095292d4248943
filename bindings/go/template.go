package faceverify

// #include <faceverify.h>
import "C"

import "runtime"

// A Template is what is kept of a face to match it. It is biometric data: keep it as short and as safely as the photo.
// Close wipes it. Templates of different models are not comparable.
type Template struct {
	handle *C.fv_template
	owner  *owner
}

// TemplateFromBytes reads the binary form. Whether it fits the models is decided when it is compared.
//
// Errors: [ErrUnknownFormat], [ErrDamaged].
func TemplateFromBytes(bytes []byte) (*Template, error) {
	var handle *C.fv_template
	var message messageBuffer
	status := C.fv_template_from_bytes(&handle, address(bytes), C.size_t(len(bytes)), &message[0],
		C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return &Template{handle, own(func() { C.fv_template_free(handle) })}, nil
}

// Close wipes and frees the template. That of a sample is closed with the sample.
func (t *Template) Close() error {
	return t.owner.close()
}

// MarshalBinary returns the binary form, 580 bytes in this release, for [TemplateFromBytes]. It is an
// [encoding.BinaryMarshaler].
func (t *Template) MarshalBinary() ([]byte, error) {
	defer runtime.KeepAlive(t)
	var count C.size_t
	if err := newError(C.fv_template_serialise(t.handle, nil, 0, &count), "the template is closed"); err != nil {
		return nil, err
	}
	bytes := make([]byte, count)
	status := C.fv_template_serialise(t.handle, address(bytes), count, &count)
	if err := newError(status, "the template is closed"); err != nil {
		return nil, err
	}
	return bytes, nil
}

// TemplateInfo describes a template.
type TemplateInfo struct {
	ModelIdentifier string  // which models made it
	SHA256          string  // of the binary form: names a template without telling anything of the face
	Quality         float64 // of the photo it was made from, 0 to 100; NaN if not measured
}

// Info describes the template.
func (t *Template) Info() (info TemplateInfo, err error) {
	t.owner.copyTexts(func() {
		c := C.fv_template_info{struct_size: C.sizeof_fv_template_info}
		err = newError(C.fv_template_describe(&c, t.handle), "the template is closed")
		info = TemplateInfo{
			ModelIdentifier: C.GoString(c.model_identifier),
			SHA256:          C.GoString(c.sha256),
			Quality:         float64(c.quality),
		}
	})
	return info, err
}

// c returns nil for a nil template.
func (t *Template) c() *C.fv_template {
	if t == nil {
		return nil
	}
	return t.handle
}
