package faceverify

// #include <faceverify.h>
import "C"

import (
	"context"
	"encoding/hex"
	"math"
	"runtime"
	"time"
)

// Names of the built-in liveness policies (docs/liveness.md).
const (
	StandardPolicy    = "standard"     // the script was answered by one person, with no evidence of an attack
	StrictPolicy      = "strict"       // also requires more checks, and tolerates less suspicion
	PassiveOnlyPolicy = "passive-only" // no challenges, for recordings: a good replayed video passes
	PhotoPolicy       = "photo"        // one picture, checked by its texture only: a good print or screen passes
)

// A LivenessRequest is a nonce and the challenges of one session.
type LivenessRequest struct {
	Nonce   []byte            // empty without one
	Expires *time.Time        // answers from this time on are rejected; nil: never
	Script  []ChallengePrompt // in order
	// The screen colours that the nonce determines, shown successively and without flashes to light the face. Their
	// reflection on the face is checked if every frame states the colour that was shown. Empty for a nonce of less than
	// 16 bytes.
	Colours []ScreenColour

	livenessRequestHandle
}

// A ChallengeDraw is the rules for drawing the challenges of a request.
type ChallengeDraw struct {
	Count      int         // number of distinct challenges, 1 to 13. Default: 3
	Challenges []Challenge // allowed challenges. Default: all from ChallengeBlink to ChallengeOpenMouth
}

func (d ChallengeDraw) c(a *arguments) C.fv_challenge_draw {
	draw := C.fv_challenge_draw{struct_size: C.sizeof_fv_challenge_draw, challenge_count: C.int64_t(d.Count)}
	for _, challenge := range d.Challenges {
		if challenge < 1 || challenge > 62 {
			a.fail("there is no such challenge")
			break
		}
		draw.challenges |= 1 << challenge
	}
	return draw
}

// NewLivenessRequest creates a request from a server's nonce: the same nonce and draw give the same script on every
// machine. The nonce has 16 to 64 bytes and is used once. Answers are rejected from the time of expiry on; nil never
// expires.
//
// Errors: [ErrBadArgument].
func NewLivenessRequest(nonce []byte, draw ChallengeDraw, expires *time.Time) (*LivenessRequest, error) {
	var a arguments
	c, end := draw.c(&a), C.double(math.Inf(1))
	if expires != nil {
		end = a.time(*expires)
	}
	return newLivenessRequest(&a, func(out **C.fv_liveness_request, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_create(out, address(nonce), C.size_t(len(nonce)), &c, end, message, messageBytes)
	})
}

// LivenessRequestFromScript creates a request with the caller's own script, 1 to 13 challenges in this order, which a
// recording can answer; a path is drawn from the nonce. It never expires. The nonce has at most 64 bytes, and may be nil. A hold of 0.5 s and a pause
// of 0.3 s suit most people.
//
// Errors: [ErrBadArgument].
func LivenessRequestFromScript(script []ChallengePrompt, nonce []byte) (*LivenessRequest, error) {
	var a arguments
	// One extra element, so that the first has an address.
	prompts := make([]C.fv_challenge_prompt, len(script)+1)
	for i, prompt := range script {
		prompts[i] = prompt.c(&a)
	}
	return newLivenessRequest(&a, func(out **C.fv_liveness_request, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_from_script(out, &prompts[0], C.size_t(len(script)), address(nonce),
			C.size_t(len(nonce)), message, messageBytes)
	})
}

func newLivenessRequest(
	a *arguments, body func(out **C.fv_liveness_request, message *C.char, messageBytes C.size_t) C.fv_status, used ...any,
) (*LivenessRequest, error) {
	var handle *C.fv_liveness_request
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return body(&handle, message, messageBytes)
	}, used...)
	if err != nil {
		return nil, err
	}
	request := &LivenessRequest{livenessRequestHandle: newLivenessRequestHandle(handle)}
	if err := request.read(); err != nil {
		request.Close()
		return nil, err
	}
	return request, nil
}

func (r *LivenessRequest) read() error {
	info, err := describeLivenessRequest(r.handle)
	if err != nil {
		return err
	}
	if r.Nonce, err = hex.DecodeString(info.Nonce); err != nil {
		return err
	}
	if !math.IsInf(info.Expires, 1) {
		whole, rest := math.Modf(info.Expires)
		expires := time.Unix(int64(whole), int64(rest*1e9))
		r.Expires = &expires
	}
	if r.Script, err = listLivenessRequestPrompts(r.handle); err != nil {
		return err
	}
	r.Colours, err = listLivenessRequestColours(r.handle)
	return err
}

// A LivenessRequestStore holds a server's open requests; each is answered once, before it expires. It is safe for
// concurrent use.
type LivenessRequestStore struct {
	livenessRequestStoreHandle
}

// NewLivenessRequestStore creates an empty store.
func NewLivenessRequestStore() (*LivenessRequestStore, error) {
	var handle *C.fv_liveness_request_store
	err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_store_create(&handle, message, messageBytes)
	})
	if err != nil {
		return nil, err
	}
	return &LivenessRequestStore{newLivenessRequestStoreHandle(handle)}, nil
}

// Issue creates a request with a random nonce of 32 bytes, and stores it until it is answered or expires. The lifetime
// is 10 s to 15 minutes; 0 is 5 minutes. Now is usually time.Now().
//
// Errors: [ErrBadArgument].
func (s *LivenessRequestStore) Issue(
	draw ChallengeDraw, lifetime time.Duration, now time.Time,
) (*LivenessRequest, error) {
	var a arguments
	c, at := draw.c(&a), a.time(now)
	return newLivenessRequest(&a, func(out **C.fv_liveness_request, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_store_issue(out, s.handle, &c, C.double(lifetime.Seconds()), at, message,
			messageBytes)
	}, s)
}

// Accept accepts the answer to a request, and closes the request whatever the decision's result, which the caller must
// check. Now is usually time.Now().
//
// Errors: [ErrWrongState] if no open request has its nonce, if the request has expired, or if another script was
// answered.
func (s *LivenessRequestStore) Accept(decision *LivenessDecision, now time.Time) error {
	var a arguments
	at := a.time(now)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_store_accept(s.handle, decision.c(), at, message, messageBytes)
	}, s, decision)
}

// time returns seconds since 1970. The zero Time is a forgotten one.
func (a *arguments) time(t time.Time) C.double {
	if t.IsZero() {
		a.fail("the time is the zero Time: pass time.Now(), or the time of the recording")
	}
	return C.double(float64(t.Unix()) + float64(t.Nanosecond())/1e9)
}

// A LivenessSession is a session of one person in front of one camera. It is not safe for concurrent use: a concurrent
// call returns [ErrBusy]. It has no clock: its time is that of the frames.
type LivenessSession struct {
	livenessSessionHandle
}

// NewLivenessSession creates a session. A nil request has no challenges, for recordings, [PassiveOnlyPolicy] and
// [PhotoPolicy]. Now is usually time.Now().
//
// Errors: [ErrBadArgument]; [ErrWrongState] if the request has expired; [ErrIncompatibleTemplate].
func (e *Engine) NewLivenessSession(
	request *LivenessRequest, now time.Time, options LivenessOptions,
) (*LivenessSession, error) {
	var a arguments
	c, at := options.c(&a), a.time(now)
	var handle *C.fv_liveness_session
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_session_create(&handle, e.handle, request.c(), at, &c, message, messageBytes)
	}, e, request, options)
	if err != nil {
		return nil, err
	}
	return &LivenessSession{newLivenessSessionHandle(handle)}, nil
}

// A LivenessFrame is one frame of a stream: a photo, or Pixels if Image is nil.
type LivenessFrame struct {
	Image        Input
	Pixels       Pixels      // copied
	Time         float64     // capture time in seconds on the stream's own clock
	ScreenColour *[3]float64 // colour with which the screen lights the person's face: red, green and blue, 0 to 1
	Received     *float64    // arrival time in seconds on the caller's own clock, for all frames of a session or none
}

// c also returns the image of the C frame; done closes one that was made for it.
func (f LivenessFrame) c() (frame C.fv_liveness_frame, image *Image, done func(), err error) {
	c := C.fv_liveness_frame{struct_size: C.sizeof_fv_liveness_frame, time: C.double(f.Time)}
	var a arguments
	image, done = a.picture(f.Image)
	if image == nil && a.err == nil {
		image, a.err = ImageFromPixels(f.Pixels, ImageLimits{})
		done = func() { image.Close() }
	} else if f.Pixels.Data != nil {
		done()
		a.fail("a frame has an image or pixels, not both")
	}
	if a.err != nil {
		return c, nil, nil, a.err
	}
	c.image = image.c()
	if f.ScreenColour != nil {
		c.has_screen_colour = 1
		c.screen_red = C.double(f.ScreenColour[0])
		c.screen_green = C.double(f.ScreenColour[1])
		c.screen_blue = C.double(f.ScreenColour[2])
	}
	if f.Received != nil {
		c.has_received = 1
		c.received = C.double(*f.Received)
	}
	return c, image, done, nil
}

// Add adds the next frame: upright and not mirrored unless the options state otherwise, with sides of 64 to 4096
// pixels.
//
// Errors: [ErrBadArgument] for a time that is not later than the previous frame's, an arrival time before the previous
// one's, or another size; [ErrDamaged]; [ErrTimeout], [ErrCancelled]: the frame is refused, and the session continues.
// [ErrWrongState] if it is complete. [ErrBusy].
func (s *LivenessSession) Add(ctx context.Context, frame LivenessFrame) (LivenessFeedback, error) {
	c, image, done, err := frame.c()
	if err != nil {
		return LivenessFeedback{}, err
	}
	defer done()
	feedback := C.fv_liveness_feedback{struct_size: C.sizeof_fv_liveness_feedback}
	var a arguments
	err = a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_session_add(&feedback, s.handle, &c, budget, message, messageBytes)
	}, s, image)
	if err != nil {
		return LivenessFeedback{}, err
	}
	return readLivenessFeedback(&feedback), nil
}

// IsComplete reports whether the session accepts no more frames, so that Finish is due. It is safe for concurrent use.
func (s *LivenessSession) IsComplete() bool {
	defer runtime.KeepAlive(s)
	return C.fv_liveness_session_is_complete(s.handle) == 1
}

// Finish decides on the frames received so far; no more are accepted. Later calls return the same decision. Close each.
//
// Errors: [ErrBusy].
func (s *LivenessSession) Finish() (*LivenessDecision, error) {
	var handle *C.fv_liveness_decision
	err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_session_finish(&handle, s.handle, message, messageBytes)
	}, s)
	if err != nil {
		return nil, err
	}
	return newLivenessDecision(newLivenessDecisionHandle(handle))
}

// A LivenessDecision is the result of a session, its checks and its evidence.
type LivenessDecision struct {
	Result      LivenessResult
	RetryReason RetryReason       // why the session should be retried; 0 unless LivenessResultUndecided
	Reasons     []Reason          // failed checks, and required ones that were not made; codes of LivenessSignals
	Checks      []LivenessCheck   // one per signal
	Answers     []ChallengeAnswer // to the challenges that ended, in the order of the script
	Evidence    LivenessEvidence
	Quality     []QualityCheck // of the selfie, one check per measure; empty without one
	// The best frame, upright, not mirrored and lossless; nil if none was good enough. Closed with the decision.
	Selfie *Image
	// The mean of the best frames' templates; nil if no frame was good enough. Closed with the decision; to keep it,
	// use its MarshalBinary.
	Template *Template

	livenessDecisionHandle
}

func newLivenessDecision(handle livenessDecisionHandle) (*LivenessDecision, error) {
	decision := &LivenessDecision{
		Result:                 LivenessResult(C.fv_liveness_decision_result(handle.handle)),
		RetryReason:            RetryReason(C.fv_liveness_decision_retry_reason(handle.handle)),
		livenessDecisionHandle: handle,
	}
	if err := decision.read(); err != nil {
		decision.Close()
		return nil, err
	}
	return decision, nil
}

func (d *LivenessDecision) read() (err error) {
	if d.Reasons, err = listLivenessDecisionReasons(d.handle); err != nil {
		return err
	}
	if d.Checks, err = listLivenessDecisionChecks(d.handle); err != nil {
		return err
	}
	if d.Answers, err = listLivenessDecisionAnswers(d.handle); err != nil {
		return err
	}
	if d.Quality, err = listLivenessDecisionQualities(d.handle); err != nil {
		return err
	}
	if selfie := C.fv_liveness_decision_selfie(d.handle); selfie != nil {
		d.Selfie = &Image{imageHandle{selfie, d.owner.lend()}}
	}
	if template := C.fv_liveness_decision_template(d.handle); template != nil {
		d.Template = &Template{templateHandle{template, d.owner.lend()}}
	}
	d.Evidence, err = describeLivenessDecision(d.handle)
	return err
}
