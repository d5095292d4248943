package faceverify

// #include <faceverify.h>
import "C"

import "runtime"

// An Engine holds the models: load it once and share it between goroutines.
type Engine struct {
	handle *C.fv_engine
	owner  *owner
}

// Options of an engine.
type Options struct {
	// The folder with manifest.json and the models. Default: $FACEVERIFY_MODELS, else share/faceverify/models in the
	// prefix that the library is installed in.
	ModelsFolder string
	// "default", or "dlib": slower, needs no OpenVINO, no mesh.
	ModelSet string
	// For compiled models. Default: $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify.
	CacheFolder string
	// Calls that run at full speed at the same time, 1 to 64; more wait. Default: 1.
	Threads int
}

// NewEngine reads, checks and compiles the models: 0.2 s, the first time on a machine about a second.
//
// Errors: [ErrBadArgument], [ErrModelMissing], [ErrModelMismatch], [ErrDamaged], [ErrVersion], [ErrInternal].
func NewEngine(options Options) (*Engine, error) {
	folder, err := newOptionalText(options.ModelsFolder)
	if err != nil {
		return nil, err
	}
	defer freeText(folder)
	set, err := newOptionalText(options.ModelSet)
	if err != nil {
		return nil, err
	}
	defer freeText(set)
	cache, err := newOptionalText(options.CacheFolder)
	if err != nil {
		return nil, err
	}
	defer freeText(cache)

	var handle *C.fv_engine
	var message messageBuffer
	status := C.fv_engine_create(&handle, C.FV_VERSION_NUMBER, &C.fv_engine_options{
		struct_size:   C.sizeof_fv_engine_options,
		models_folder: folder,
		model_set:     set,
		cache_folder:  cache,
		threads:       C.int64_t(options.Threads),
	}, &message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return &Engine{handle, own(func() { C.fv_engine_free(handle) })}, nil
}

// Close frees the engine. What was made from it stays usable, and keeps the models in memory until it is closed too.
func (e *Engine) Close() error {
	return e.owner.close()
}

// Preload makes ready for the first call: after this, no call pays for anything but its own work.
//
// Errors: [ErrInternal].
func (e *Engine) Preload() error {
	defer runtime.KeepAlive(e)
	var message messageBuffer
	return message.newError(C.fv_engine_preload(e.handle, &message[0], C.FV_MESSAGE_SIZE))
}

// JSON returns version, models, thresholds, and the data that these rest on; "" if the engine is closed.
func (e *Engine) JSON() (text string) {
	e.owner.copyTexts(func() { text = C.GoString(C.fv_engine_json(e.handle)) })
	return text
}

// A Threshold is an operating point: what was measured at one false-match rate (ISO/IEC 19795-1), on the data that
// [Engine.JSON] names. Bounds are those of the 95 % confidence interval, from resampling subjects.
type Threshold struct {
	Rate                   float64 // the false-match rate that was asked for
	Score                  float64 // a score up to this is a match
	FalseMatches           float64 // how many were seen
	FalseMatchRateLower    float64
	FalseMatchRateUpper    float64
	FalseNonMatchRate      float64 // share of genuine comparisons that are no match
	FalseNonMatchRateLower float64
	FalseNonMatchRateUpper float64
}

// Threshold returns the operating point of a false-match rate: 1e-2, 1e-3 or 1e-4.
//
// Errors: [ErrUnsupportedRate] for another one; [ErrBadArgument] for what is no rate.
func (e *Engine) Threshold(rate float64) (Threshold, error) {
	defer runtime.KeepAlive(e)
	var message messageBuffer
	t := C.fv_threshold{struct_size: C.sizeof_fv_threshold}
	status := C.fv_engine_threshold(&t, e.handle, C.double(rate), &message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return Threshold{}, err
	}
	return Threshold{
		Rate:                   float64(t.rate),
		Score:                  float64(t.score),
		FalseMatches:           float64(t.false_matches),
		FalseMatchRateLower:    float64(t.false_match_rate_lower),
		FalseMatchRateUpper:    float64(t.false_match_rate_upper),
		FalseNonMatchRate:      float64(t.false_non_match_rate),
		FalseNonMatchRateLower: float64(t.false_non_match_rate_lower),
		FalseNonMatchRateUpper: float64(t.false_non_match_rate_upper),
	}, nil
}

// Compare decides whether the selfie shows the person of the portrait, under the default [Policy]. Any goroutines may
// call it at the same time: each call uses a [Credential] of its own. Errors: as [Credential.Compare].
func (e *Engine) Compare(selfie, portrait Input) (*Decision, error) {
	credential, err := e.NewCredential(Policy{})
	if err != nil {
		return nil, err
	}
	defer credential.Close()
	return credential.Compare(selfie, portrait)
}
