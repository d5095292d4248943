package faceverify

// #include <faceverify.h>
//
// extern void faceverifyLog(fv_log_level level, char *text, uintptr_t number);
//
// static void log_to_go(fv_log_level level, const char *text, void *number) {
//   faceverifyLog(level, (char *)text, (uintptr_t)number);
// }
//
// // Goes without a log if its number is 0.
// static fv_status engine_create(fv_engine **out, fv_engine_options options, uintptr_t log, char *message,
//                                size_t message_bytes) {
//   if (log) options.log = log_to_go;
//   options.log_user = (void *)log;
//   return fv_engine_create(out, FV_VERSION_NUMBER, &options, message, message_bytes);
// }
import "C"

import (
	"context"
	"unsafe"
)

// An Engine holds the models: load it once and share it between goroutines.
type Engine struct {
	engineHandle
}

// NewEngine checks that all model files exist. [Engine.Preload] or the first call that needs a network loads them: 0.2 s,
// about a second the first time on a machine. The options' log handler is called during the logged call, concurrently if
// several threads make calls, and must not call the engine. After Close nothing is logged.
//
// Errors: [ErrBadArgument], [ErrModelMissing], [ErrModelMismatch], [ErrDamaged], [ErrVersion], [ErrInternal].
func NewEngine(options EngineOptions) (*Engine, error) {
	var a arguments
	c, log := options.c(&a), newLog(options.Log)
	var handle *C.fv_engine
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.engine_create(&handle, c, C.uintptr_t(log), message, messageBytes)
	})
	if err != nil {
		logs.Delete(log)
		return nil, err
	}
	return &Engine{engineHandle{handle, own(func() {
		C.fv_engine_free(handle)
		logs.Delete(log)
	})}}, nil
}

// Preload loads the networks, so that the first call is not slower than later ones.
//
// Errors: [ErrModelMissing], [ErrModelMismatch], [ErrInternal].
func (e *Engine) Preload() error {
	return new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_preload(e.handle, message, messageBytes)
	}, e)
}

// Threshold returns the operating point at a false-match rate from 1e-5 to 1e-2, interpolated on the calibration.
//
// Errors: [ErrUnsupportedRate] for a rate that the data do not support; [ErrBadArgument] for one that is not between 0
// and 1.
func (e *Engine) Threshold(rate float64) (Threshold, error) { return e.ThresholdAmong(rate, "") }

// ThresholdAmong returns the operating point at which a rate holds among the people of among, as in [ComparisonPolicy].
//
// Errors: as [Engine.Threshold].
func (e *Engine) ThresholdAmong(rate float64, among string) (Threshold, error) {
	c := C.fv_threshold{struct_size: C.sizeof_fv_threshold}
	var a arguments
	people := a.optionalText(among)
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_threshold_among(&c, e.handle, C.double(rate), people, message, messageBytes)
	}, e)
	return readThreshold(&c), err
}

// An Input is a photo, a [Path] or an [*Image]; as one side of a comparison it may also be a [*Template].
type Input interface {
	pass(c *C.fv_input, a *arguments)
}

// A Path names an image or template file, recognised by its content; it is read with the default [ImageLimits].
type Path string

func (p Path) pass(c *C.fv_input, a *arguments)      { c.path = a.text(string(p)) }
func (i *Image) pass(c *C.fv_input, _ *arguments)    { c.image = i.c() }
func (t *Template) pass(c *C.fv_input, _ *arguments) { c.face_template = t.c() }

// input skips nil.
func (a *arguments) input(input Input) *C.fv_input {
	c := &C.fv_input{struct_size: C.sizeof_fv_input}
	if input != nil {
		input.pass(c, a)
	}
	return c
}

// picture returns the image of a photo, nil for nil; done closes one that was read for the call.
func (a *arguments) picture(input Input) (image *Image, done func()) {
	done = func() {}
	switch input := input.(type) {
	case nil:
	case *Image:
		image = input
	case Path:
		read, err := ImageFromFile(string(input), ImageLimits{})
		if err != nil {
			if a.err == nil {
				a.err = err
			}
			break
		}
		image, done = read, func() { read.Close() }
	default:
		a.fail("a template has no pixels: pass an Image, or the Path of a photo")
	}
	return image, done
}

// Compare decides whether the selfie shows the person in the portrait. Close the decision.
//
// Errors: [ErrNoFace] and errors of reading an image, with the side in the message; [ErrIncompatibleTemplate];
// [ErrUnsupportedRate]; [ErrBadArgument] for a nil input; [ErrTimeout], [ErrCancelled]; [ErrBusy] while another
// goroutine changes one of the quality policies.
func (e *Engine) Compare(ctx context.Context, selfie, portrait Input, policy ComparisonPolicy) (*Decision, error) {
	var a arguments
	one, other, c := a.input(selfie), a.input(portrait), policy.c(&a)
	var handle *C.fv_decision
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_compare(&handle, e.handle, one, other, &c, budget, message, messageBytes)
	}, e, selfie, portrait, policy)
	if err != nil {
		return nil, err
	}
	return newDecision(newDecisionHandle(handle))
}

// CompareDocument decides whether the selfie shows the holder of the document: Compare with its portrait. The result is
// [ResultRefused], whatever the score, if the document has a chip that is not [VerdictAuthentic]
// ([VerdictValidWithoutAnchor] is enough without a trust store) or not in date, or if its check "chip-read" failed.
// Added reasons: "document.portrait-" and the verdict unless it is authentic, "document.chip-out-of-date", "document."
// and the reason of "chip-read", and "document.portrait-page". The decision's JSON includes the document. Close the
// decision.
//
// Errors: as [Engine.Compare]; [ErrNoFace] if the document has no portrait.
func (e *Engine) CompareDocument(
	ctx context.Context, selfie Input, document *Document, policy ComparisonPolicy,
) (*Decision, error) {
	var a arguments
	one, c := a.input(selfie), policy.c(&a)
	var handle *C.fv_decision
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_compare_document(&handle, e.handle, one, document.c(), &c, budget, message, messageBytes)
	}, e, selfie, document, policy)
	if err != nil {
		return nil, err
	}
	return newDecision(newDecisionHandle(handle))
}

// CompareTemplates compares two templates at a false-match rate, as for [Engine.Threshold]; 0 is 1e-3.
//
// Errors: [ErrIncompatibleTemplate], [ErrUnsupportedRate], [ErrBadArgument] for a nil template.
func (e *Engine) CompareTemplates(a, b *Template, rate float64) (Comparison, error) {
	c := C.fv_comparison{struct_size: C.sizeof_fv_comparison}
	err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_compare_templates(&c, e.handle, a.c(), b.c(), C.double(rate), message, messageBytes)
	}, e, a, b)
	if err != nil {
		return Comparison{}, err
	}
	return readComparison(&c), nil
}

// CompareMany compares one template with several, in their order. The false-match rate, as for [Engine.Threshold] or 0
// for 1e-3, is that of one comparison: with n non-mated references, a false match is up to n times as likely.
//
// Errors: [ErrIncompatibleTemplate], [ErrUnsupportedRate], [ErrBadArgument] for a nil template; [ErrTimeout],
// [ErrCancelled].
func (e *Engine) CompareMany(
	ctx context.Context, probe *Template, templates []*Template, rate float64,
) ([]Comparison, error) {
	// One extra element each, so that the first has an address.
	handles, out := make([]*C.fv_template, len(templates)+1), make([]C.fv_comparison, len(templates)+1)
	for i, template := range templates {
		handles[i] = template.c()
	}
	out[0].struct_size = C.sizeof_fv_comparison
	var a arguments
	references := C.fv_references{
		struct_size:      C.sizeof_fv_references,
		templates:        (**C.fv_template)(a.handles(unsafe.Pointer(&handles[0]), len(handles))),
		template_count:   C.size_t(len(templates)),
		false_match_rate: C.double(rate),
	}
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_compare_many(&out[0], e.handle, probe.c(), &references, budget, message, messageBytes)
	}, e, probe, templates)
	if err != nil {
		return nil, err
	}
	comparisons := make([]Comparison, len(templates))
	for i := range comparisons {
		comparisons[i] = readComparison(&out[i])
	}
	return comparisons, nil
}

// Detect detects all faces of a photo, the most prominent first; finding none is no error.
//
// Errors: errors of images, [ErrBadArgument] for a nil photo and a template; [ErrTimeout], [ErrCancelled].
func (e *Engine) Detect(ctx context.Context, photo Input, options DetectOptions) (*Faces, error) {
	var a arguments
	image, done := a.picture(photo)
	defer done()
	c := options.c(&a)
	var handle *C.fv_faces
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_detect(&handle, e.handle, image.c(), &c, budget, message, messageBytes)
	}, e, image)
	if err != nil {
		return nil, err
	}
	defer C.fv_faces_free(handle)
	faces, err := readFaces(handle)
	return &Faces{faces, C.GoString(C.fv_faces_json(handle))}, err
}

// Sample analyses the most prominent face of a photo: its quality, and its template unless the policy refuses the
// image. A nil policy is [SelfiePolicy]. Close the sample.
//
// Errors: [ErrNoFace], errors of images, [ErrBadArgument] for a nil photo and a template; [ErrTimeout], [ErrCancelled];
// [ErrBusy] while another goroutine changes the policy.
func (e *Engine) Sample(ctx context.Context, photo Input, policy *QualityPolicy) (*Sample, error) {
	var a arguments
	image, done := a.picture(photo)
	defer done()
	var handle *C.fv_sample
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_sample(&handle, e.handle, image.c(), policy.c(), budget, message, messageBytes)
	}, e, image, policy)
	if err != nil {
		return nil, err
	}
	return newSample(newSampleHandle(handle))
}

// Assess is Sample without a template, which is faster.
func (e *Engine) Assess(ctx context.Context, photo Input, policy *QualityPolicy) (*Sample, error) {
	var a arguments
	image, done := a.picture(photo)
	defer done()
	var handle *C.fv_sample
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_engine_assess(&handle, e.handle, image.c(), policy.c(), budget, message, messageBytes)
	}, e, image, policy)
	if err != nil {
		return nil, err
	}
	return newSample(newSampleHandle(handle))
}

// Models are the files in a manifest, and their state.
type Models struct {
	List []Model
	JSON string // as `faceverify models list --json` prints them
}

// CheckModels reads and hashes every file in the manifest of a folder. An empty folder name is searched for as in
// [EngineOptions].ModelsFolder.
//
// Errors: [ErrModelMissing] if there is no manifest.
func CheckModels(folder string) (*Models, error) {
	var a arguments
	path := a.optionalText(folder)
	var handle *C.fv_models
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_models_check(&handle, path, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	defer C.fv_models_free(handle)
	files, err := listModels(handle)
	return &Models{files, C.GoString(C.fv_models_json(handle))}, err
}
