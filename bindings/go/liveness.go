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

// Names of the liveness policies of the library (docs/liveness.md).
const (
	StandardPolicy    = "standard"     // answered the script, is one person and alone, with nothing against them
	StrictPolicy      = "strict"       // also: everything that can be checked was, and no doubt is left
	PassiveOnlyPolicy = "passive-only" // is one person and alone, with nothing against them; for recordings
	PhotoPolicy       = "photo"        // has the texture of a face in one picture, which tells least of all
)

// Text returns one sentence for the person; "" for other numbers.
func (h LivenessHint) Text() string {
	return C.GoString(C.fv_liveness_hint_text(C.fv_liveness_hint(h)))
}

// A LivenessRequest says what a session asks for.
type LivenessRequest struct {
	Nonce   []byte            // empty without one
	Expires time.Time         // from which on an answer comes too late; the zero Time: never
	Script  []ChallengePrompt // in this order
	// Colours that the nonce dictates for a screen that lights the face: one after the other, without flashes. Whether
	// the face takes them on is checked if frames say what was shown. Empty without a nonce of 16 bytes.
	Colours []ScreenColour

	livenessRequestHandle
}

// A ChallengeDraw is what the challenges of a request are drawn from.
type ChallengeDraw struct {
	Count      int         // how many are asked for, each a different one: 1 to 12. Default: 3
	Challenges []Challenge // that may be drawn. Default: all from ChallengeBlink to ChallengeOpenMouth
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

// NewLivenessRequest makes a request as a server made it: the same nonce and draw give the same script on every
// machine. The nonce has 16 to 64 bytes and is used once; the zero Time never expires.
//
// Errors: [ErrBadArgument].
func NewLivenessRequest(nonce []byte, draw ChallengeDraw, expires time.Time) (*LivenessRequest, error) {
	end := C.double(math.Inf(1))
	if !expires.IsZero() {
		end = seconds(expires)
	}
	var a arguments
	c := draw.c(&a)
	return newLivenessRequest(&a, func(out **C.fv_liveness_request, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_create(out, address(nonce), C.size_t(len(nonce)), &c, end, message, messageBytes)
	})
}

// LivenessRequestFromScript asks for challenges of your own choice, 1 to 12 in this order, which a recording can answer.
// It never expires. The nonce has at most 64 bytes, and may be nil. A hold of 0.5 s and a pause of 0.3 s suit most people.
//
// Errors: [ErrBadArgument].
func LivenessRequestFromScript(script []ChallengePrompt, nonce []byte) (*LivenessRequest, error) {
	var a arguments
	// One more, so that the first has an address.
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
		r.Expires = time.Unix(int64(whole), int64(rest*1e9))
	}
	if r.Script, err = listLivenessRequestPrompts(r.handle); err != nil {
		return err
	}
	r.Colours, err = listLivenessRequestColours(r.handle)
	return err
}

// A LivenessRequestStore holds a server's open requests: each is answered once, and in time.
type LivenessRequestStore struct {
	livenessRequestStoreHandle
}

// NewLivenessRequestStore makes an empty store.
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

// Issue makes a request with a new random nonce of 32 bytes, and keeps it until it is answered or has expired. The
// lifetime is 10 s to 15 minutes; 0 is 5 minutes. The zero Time is now.
//
// Errors: [ErrBadArgument].
func (s *LivenessRequestStore) Issue(
	draw ChallengeDraw, lifetime time.Duration, now time.Time,
) (*LivenessRequest, error) {
	var a arguments
	c := draw.c(&a)
	return newLivenessRequest(&a, func(out **C.fv_liveness_request, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_store_issue(out, s.handle, &c, C.double(lifetime.Seconds()), secondsOrNow(now),
			message, messageBytes)
	}, s)
}

// Accept takes the answer to a request, which is closed by it whatever the decision says: look at that yourself. The
// zero Time is now.
//
// Errors: [ErrWrongState] if no open request has its nonce, if it comes too late, or if another script was answered.
func (s *LivenessRequestStore) Accept(decision *LivenessDecision, now time.Time) error {
	return new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_request_store_accept(s.handle, decision.c(), secondsOrNow(now), message, messageBytes)
	}, s, decision)
}

// seconds since 1970.
func seconds(t time.Time) C.double {
	return C.double(float64(t.Unix()) + float64(t.Nanosecond())/1e9)
}

func secondsOrNow(t time.Time) C.double {
	if t.IsZero() {
		t = time.Now()
	}
	return seconds(t)
}

// A LivenessSession is one person before one camera. It serves one goroutine at a time: a call meanwhile is answered
// with [ErrBusy]. It has no clock: time is that of the frames.
type LivenessSession struct {
	livenessSessionHandle
}

// NewLivenessSession begins a session. A nil request asks for nothing, which is for recordings and for
// [PassiveOnlyPolicy] and [PhotoPolicy]. The zero Time is now.
//
// Errors: [ErrBadArgument]; [ErrWrongState] if the request has expired; [ErrIncompatibleTemplate].
func (e *Engine) NewLivenessSession(
	request *LivenessRequest, now time.Time, options LivenessOptions,
) (*LivenessSession, error) {
	var a arguments
	c := options.c(&a)
	var handle *C.fv_liveness_session
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_liveness_session_create(&handle, e.handle, request.c(), secondsOrNow(now), &c, message, messageBytes)
	}, e, request, options)
	if err != nil {
		return nil, err
	}
	return &LivenessSession{newLivenessSessionHandle(handle)}, nil
}

// A LivenessFrame is one picture of a stream: an Image, or Pixels where Image is nil.
type LivenessFrame struct {
	Image    *Image
	Pixels   Pixels      // which are copied
	Time     float64     // when it was taken, in seconds on the stream's own clock
	Screen   *[3]float64 // what the screen before the person lights their face with: red, green and blue, 0 to 1
	Received *float64    // when it came, in seconds on the caller's own clock, of all frames of a session or none
}

// c returns the image that the C frame has, too: the frame's own, or one to be closed.
func (f LivenessFrame) c() (C.fv_liveness_frame, *Image, error) {
	c := C.fv_liveness_frame{struct_size: C.sizeof_fv_liveness_frame, time: C.double(f.Time)}
	image := f.Image
	if image == nil {
		var err error
		if image, err = ImageFromPixels(f.Pixels, ImageLimits{}); err != nil {
			return c, nil, err
		}
	} else if f.Pixels.Data != nil {
		return c, nil, &Error{ErrBadArgument, "a frame has an image or pixels, not both"}
	}
	c.image = image.c()
	if f.Screen != nil {
		c.has_screen_colour = 1
		c.screen_red = C.double(f.Screen[0])
		c.screen_green = C.double(f.Screen[1])
		c.screen_blue = C.double(f.Screen[2])
	}
	if f.Received != nil {
		c.has_received = 1
		c.received = C.double(*f.Received)
	}
	return c, image, nil
}

// Add takes the next frame: upright and not mirrored, unless the options say otherwise, with sides of 64 to 4096 pixels.
//
// Errors: [ErrBadArgument] for a time that is not later than the last frame's, one of arrival before it, or another size;
// [ErrDamaged];
// [ErrTimeout], [ErrCancelled]: the frame is refused, and the session goes on. [ErrWrongState] if it is complete.
// [ErrBusy].
func (s *LivenessSession) Add(ctx context.Context, frame LivenessFrame) (LivenessFeedback, error) {
	c, image, err := frame.c()
	if err != nil {
		return LivenessFeedback{}, err
	}
	if image != frame.Image {
		defer image.Close()
	}
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

// IsComplete reports whether no more frames are taken, so that Finish is due. Any goroutine may ask.
func (s *LivenessSession) IsComplete() bool {
	defer runtime.KeepAlive(s)
	return C.fv_liveness_session_is_complete(s.handle) == 1
}

// Finish decides by the frames that came so far; after this no more are taken. Asked again, it gives the same decision.
// Close each.
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

// A LivenessDecision is the answer of a session, with everything it rests on.
type LivenessDecision struct {
	Result      LivenessResult
	RetryReason RetryReason       // what stood in the way; 0 unless it is LivenessResultUndecided
	Reasons     []Reason          // the checks that failed or should have been made, as LivenessSignals names them
	Checks      []LivenessCheck   // one for each signal
	Answers     []ChallengeAnswer // of the challenges that ended, in the order of the script
	Evidence    LivenessEvidence
	Quality     []QualityCheck // of the selfie, one for each measure; empty without one
	// The best frame, upright and not mirrored, without loss; nil if none was good enough. It is closed with the
	// decision.
	Selfie *Image
	// The mean of the best frames' templates; nil if no frame was good enough. It is closed with the decision; to keep
	// it, use its MarshalBinary.
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
