package faceverify

// #include <faceverify.h>
import "C"

import (
	"encoding/hex"
	"math"
	"runtime"
	"time"
)

// A LivenessRequest says what a session asks for.
type LivenessRequest struct {
	Nonce   []byte          // empty without one
	Expires time.Time       // from which on an answer comes too late; the zero Time: never
	Script  []ChallengeTask // in this order
	// Colours that the nonce dictates for a screen that lights the face: one after the other, without flashes. Whether
	// the face takes them on is checked if frames say what was shown. Empty without a nonce of 16 bytes.
	Colours []ScreenColour

	handle *C.fv_liveness_request
	owner  *owner
}

// A ChallengeTask is one challenge of a script.
type ChallengeTask struct {
	Challenge Challenge
	Hold      float64 // seconds for which the position is held, 0 to 5; a blink has none
	Pause     float64 // seconds for which the person looks ahead before it is asked for, 0 to 5
}

// A ScreenColour is what the screen before the person shows.
type ScreenColour struct {
	Colour  [3]float64 // red, green and blue of sRGB, 0 to 1
	Begin   float64    // seconds after the first colour
	Seconds float64    // for which it stays
}

// A LivenessDraw is what a script is drawn from.
type LivenessDraw struct {
	Count      int         // challenges that are asked for, each a different one: 1 to 12. Default: 3
	Challenges []Challenge // that may be drawn. Default: all from ChallengeBlink to ChallengeOpenMouth
}

func (d LivenessDraw) c() (*C.fv_liveness_draw, error) {
	draw := &C.fv_liveness_draw{struct_size: C.sizeof_fv_liveness_draw, count: C.int64_t(d.Count)}
	for _, challenge := range d.Challenges {
		if challenge < 1 || challenge > 62 {
			return nil, &Error{ErrBadArgument, "there is no such challenge"}
		}
		draw.challenges |= 1 << challenge
	}
	return draw, nil
}

// NewLivenessRequest makes a request as a server made it: the same nonce and draw give the same script on every
// machine. The nonce has 16 to 64 bytes and is used once; the zero Time never expires.
//
// Errors: [ErrBadArgument].
func NewLivenessRequest(nonce []byte, draw LivenessDraw, expires time.Time) (*LivenessRequest, error) {
	d, err := draw.c()
	if err != nil {
		return nil, err
	}
	end := C.double(math.Inf(1))
	if !expires.IsZero() {
		end = seconds(expires)
	}
	var handle *C.fv_liveness_request
	var message messageBuffer
	status := C.fv_liveness_request_create(&handle, address(nonce), C.size_t(len(nonce)), d, end, &message[0],
		C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return newLivenessRequest(handle)
}

// LivenessRequestFromScript asks for challenges of your own choice, 1 to 12 in this order, which a recording can answer.
// It never expires. The nonce has at most 64 bytes, and may be nil.
//
// Errors: [ErrBadArgument].
func LivenessRequestFromScript(script []ChallengeTask, nonce []byte) (*LivenessRequest, error) {
	// One more each, so that the first has an address.
	challenges := make([]C.int64_t, len(script)+1)
	holds, pauses := make([]C.double, len(script)+1), make([]C.double, len(script)+1)
	for i, task := range script {
		challenges[i] = C.int64_t(task.Challenge)
		holds[i], pauses[i] = C.double(task.Hold), C.double(task.Pause)
	}
	var handle *C.fv_liveness_request
	var message messageBuffer
	status := C.fv_liveness_request_from_script(&handle, &challenges[0], &holds[0], &pauses[0], C.size_t(len(script)),
		address(nonce), C.size_t(len(nonce)), &message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return newLivenessRequest(handle)
}

func newLivenessRequest(handle *C.fv_liveness_request) (*LivenessRequest, error) {
	request := &LivenessRequest{
		Script:  make([]ChallengeTask, C.fv_liveness_request_task_count(handle)),
		Colours: make([]ScreenColour, C.fv_liveness_request_colour_count(handle)),
		handle:  handle,
		owner:   own(func() { C.fv_liveness_request_free(handle) }),
	}
	if err := request.read(); err != nil {
		request.Close()
		return nil, err
	}
	return request, nil
}

func (r *LivenessRequest) read() error {
	info := C.fv_liveness_request_info{struct_size: C.sizeof_fv_liveness_request_info}
	if err := newError(C.fv_liveness_request_describe(&info, r.handle), "the request cannot be read"); err != nil {
		return err
	}
	var err error
	if r.Nonce, err = hex.DecodeString(C.GoString(info.nonce)); err != nil {
		return err
	}
	if expires := float64(info.expires); !math.IsInf(expires, 1) {
		whole, rest := math.Modf(expires)
		r.Expires = time.Unix(int64(whole), int64(rest*1e9))
	}
	for i := range r.Script {
		task := C.fv_liveness_task{struct_size: C.sizeof_fv_liveness_task}
		status := C.fv_liveness_request_task(&task, r.handle, C.size_t(i))
		if err := newError(status, "a challenge is not listed"); err != nil {
			return err
		}
		r.Script[i] = ChallengeTask{Challenge(task.challenge), float64(task.hold), float64(task.pause)}
	}
	for i := range r.Colours {
		c := C.fv_liveness_colour{struct_size: C.sizeof_fv_liveness_colour}
		status := C.fv_liveness_request_colour(&c, r.handle, C.size_t(i))
		if err := newError(status, "a colour is not listed"); err != nil {
			return err
		}
		colour := [3]float64{float64(c.red), float64(c.green), float64(c.blue)}
		r.Colours[i] = ScreenColour{colour, float64(c.begin), float64(c.seconds)}
	}
	return nil
}

// Close frees the request; the fields stay. Sessions keep what they need of it.
func (r *LivenessRequest) Close() error {
	return r.owner.close()
}

// c returns nil, which asks for nothing, for a nil request.
func (r *LivenessRequest) c() *C.fv_liveness_request {
	if r == nil {
		return nil
	}
	return r.handle
}

// A LivenessRegister holds a server's open requests: each is answered once, and in time.
type LivenessRegister struct {
	handle *C.fv_liveness_register
	owner  *owner
}

// NewLivenessRegister makes an empty register.
func NewLivenessRegister() (*LivenessRegister, error) {
	var handle *C.fv_liveness_register
	if err := newError(C.fv_liveness_register_create(&handle), "there is no register"); err != nil {
		return nil, err
	}
	return &LivenessRegister{handle, own(func() { C.fv_liveness_register_free(handle) })}, nil
}

// Close frees the register, and with it every open request.
func (r *LivenessRegister) Close() error {
	return r.owner.close()
}

// Issue makes a request with a new random nonce of 32 bytes, and keeps it until it is answered or has expired. The
// lifetime is 10 s to 15 minutes; 0 is 5 minutes. The zero Time is now.
//
// Errors: [ErrBadArgument].
func (r *LivenessRegister) Issue(draw LivenessDraw, lifetime time.Duration, now time.Time) (*LivenessRequest, error) {
	defer runtime.KeepAlive(r)
	d, err := draw.c()
	if err != nil {
		return nil, err
	}
	var handle *C.fv_liveness_request
	var message messageBuffer
	status := C.fv_liveness_register_issue(&handle, r.handle, d, C.double(lifetime.Seconds()), secondsOrNow(now),
		&message[0], C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return newLivenessRequest(handle)
}

// Accept takes the answer to a request, which is closed by it whatever the decision says: look at that yourself. The
// zero Time is now.
//
// Errors: [ErrWrongState] if no open request has its nonce, if it comes too late, or if another script was answered.
func (r *LivenessRegister) Accept(decision *LivenessDecision, now time.Time) error {
	defer runtime.KeepAlive(r)
	defer runtime.KeepAlive(decision)
	var message messageBuffer
	status := C.fv_liveness_register_accept(r.handle, decision.c(), secondsOrNow(now), &message[0], C.FV_MESSAGE_SIZE)
	return message.newError(status)
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
