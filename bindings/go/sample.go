package faceverify

// #include <faceverify.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// A Decision is the result of a comparison and its basis.
type Decision struct {
	Result     Result
	Reasons    []Reason    // why it is not a match, or warnings about one that is; empty only for a match
	Comparison *Comparison // nil if the decision was refused
	Selfie     *Sample     // sample of the selfie; nil if it was a template
	Portrait   *Sample     // sample of the portrait; nil if it was a template

	decisionHandle
}

func newDecision(handle decisionHandle) (*Decision, error) {
	decision := &Decision{Result: Result(C.fv_decision_result(handle.handle)), decisionHandle: handle}
	if err := decision.read(); err != nil {
		decision.Close()
		return nil, err
	}
	return decision, nil
}

func (d *Decision) read() (err error) {
	if d.Reasons, err = listDecisionReasons(d.handle); err != nil {
		return err
	}
	if d.Result != ResultRefused {
		comparison, err := describeDecisionComparison(d.handle)
		if err != nil {
			return err
		}
		d.Comparison = &comparison
	}
	if selfie := C.fv_decision_selfie(d.handle); selfie != nil {
		if d.Selfie, err = newSample(sampleHandle{selfie, d.owner.lend()}); err != nil {
			return err
		}
	}
	if portrait := C.fv_decision_portrait(d.handle); portrait != nil {
		d.Portrait, err = newSample(sampleHandle{portrait, d.owner.lend()})
	}
	return err
}

// A Sample is the faces of one image, the quality of the most prominent one, and its template.
type Sample struct {
	Faces      []DetectedFace // of the image, the analysed one first
	IsAccepted bool           // the policy does not refuse the image
	// Unified quality, 0 to 100: 100 over the factor by which the photo's defects multiply the odds of a false
	// non-match; NaN if too little of the face is inside the image.
	Quality float64
	Checks  []QualityCheck // one per measure
	// Nil if the policy refused the image, or if no template was requested. Closed with the sample; to keep it, use its
	// MarshalBinary.
	Template *Template

	sampleHandle
}

// newSample frees the handle if it fails.
func newSample(handle sampleHandle) (*Sample, error) {
	sample := &Sample{
		IsAccepted:   C.fv_sample_is_accepted(handle.handle) == 1,
		Quality:      float64(C.fv_sample_quality(handle.handle)),
		sampleHandle: handle,
	}
	if template := C.fv_sample_template(handle.handle); template != nil {
		sample.Template = &Template{templateHandle{template, handle.owner.lend()}}
	}
	var err error
	if sample.Checks, err = listSampleChecks(handle.handle); err == nil {
		sample.Faces, err = readFaces(C.fv_sample_faces(handle.handle))
	}
	if err != nil {
		sample.Close()
		return nil, err
	}
	return sample, nil
}

// Faces are the faces of an image.
type Faces struct {
	List []DetectedFace
	JSON string // as `faceverify detect --json` prints each photo's
}

// A DetectedFace is a face with its mesh and its eyes.
type DetectedFace struct {
	Face
	// In the numbering of MediaPipe's face mesh (arXiv 1907.06724); nil in the "dlib" set.
	Mesh []MeshPoint
	// The lower lid from corner to corner (9 points), the upper lid between them (7), the centre of the iris, its rim
	// (4); nil in the "dlib" set.
	LeftEye  []Point
	RightEye []Point
}

// A MeshPoint is in pixels; depth is 0 at the centre of the head and increases away from the camera.
type MeshPoint struct {
	X, Y, Depth float64
}

func readFaces(handle *C.fv_faces) ([]DetectedFace, error) {
	list, err := listFaces(handle)
	faces := make([]DetectedFace, len(list))
	for i, face := range list {
		// In C a MeshPoint is three doubles, and a Point two. Without a mesh there are none.
		mesh, _ := copied[MeshPoint](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
			return C.fv_faces_mesh(handle, C.size_t(i), (*C.double)(room), capacity, count)
		})
		eye := func(eye C.fv_eye) []Point {
			points, _ := copied[Point](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
				return C.fv_faces_eye(handle, C.size_t(i), eye, (*C.fv_point)(room), capacity, count)
			})
			return points
		}
		faces[i] = DetectedFace{face, mesh, eye(C.FV_EYE_LEFT), eye(C.FV_EYE_RIGHT)}
	}
	return faces, err
}

// Names of the built-in quality policies (docs/quality.md).
const (
	SelfiePolicy           = "selfie"
	DocumentPortraitPolicy = "document-portrait"
	ChipPortraitPolicy     = "chip-portrait"
	AnyPolicy              = "any" // refuses nothing
)

// A QualityPolicy is the requirements on an image. It is not safe for concurrent use: a concurrent call returns
// [ErrBusy].
type QualityPolicy struct {
	qualityPolicyHandle
}

// NewQualityPolicy copies a built-in policy: [SelfiePolicy], [DocumentPortraitPolicy], [ChipPortraitPolicy] or
// [AnyPolicy].
//
// Errors: [ErrBadArgument] for another name.
func NewQualityPolicy(name string) (*QualityPolicy, error) {
	var a arguments
	text := a.text(name)
	var handle *C.fv_quality_policy
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_quality_policy_create(&handle, text, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &QualityPolicy{newQualityPolicyHandle(handle)}, nil
}

// Require sets the requirement on one measure: a value from minimum to maximum passes; one below refusedBelow or above
// refusedAbove refuses the image; any other is a warning. NaN: no limit; with four NaNs the measure is reported without
// a requirement. Units and ranges: docs/quality.md.
//
// Errors: [ErrBadArgument] for a measure that [QualityMeasures] does not list; [ErrBusy].
func (p *QualityPolicy) Require(measure string, minimum, maximum, refusedBelow, refusedAbove float64) error {
	var a arguments
	text := a.text(measure)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_quality_policy_require(p.handle, text, C.double(minimum), C.double(maximum), C.double(refusedBelow),
			C.double(refusedAbove), message, messageBytes)
	}, p)
}

// A Template is a face template, 128 numbers to match a face by. It is biometric data: protect it like the photo, and
// keep it no longer. Close wipes it. Templates of different models are not comparable.
type Template struct {
	templateHandle
}

// TemplateFromBytes reads the binary form. Compatibility with the models is checked when the template is compared.
//
// Errors: [ErrUnknownFormat], [ErrDamaged].
func TemplateFromBytes(bytes []byte) (*Template, error) {
	var handle *C.fv_template
	err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_template_from_bytes(&handle, address(bytes), C.size_t(len(bytes)), message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &Template{newTemplateHandle(handle)}, nil
}

// MarshalBinary returns the binary form, 580 bytes in this release, for [TemplateFromBytes]. It is an
// [encoding.BinaryMarshaler].
func (t *Template) MarshalBinary() ([]byte, error) {
	defer runtime.KeepAlive(t)
	bytes, status := copied[byte](func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status {
		return C.fv_template_serialise(t.handle, room, capacity, count)
	})
	return bytes, newError(status, "the template is closed")
}

// String names the models that made the template, and the first digits of its SHA-256: nothing of the face.
func (t *Template) String() string {
	if t == nil {
		return "no template"
	}
	info, err := t.Info()
	if err != nil {
		return "closed template"
	}
	return "template " + info.ModelIdentifier + " " + info.SHA256[:8]
}

// Info describes the template.
func (t *Template) Info() (info TemplateInfo, err error) {
	t.owner.copyTexts(func() { info, err = describeTemplate(t.handle) })
	return info, err
}
