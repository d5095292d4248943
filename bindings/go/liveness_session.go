package faceverify

// #include <faceverify.h>
//
// // Makes the view here: a struct in C's memory must not hold a pointer to Go's.
// static fv_status session_add(fv_liveness_state *out, fv_liveness_session *session, const fv_liveness_frame *frame,
//                              const void *data, size_t byte_count, int64_t width, int64_t height, int64_t row_stride,
//                              int64_t pixel_format) {
//   fv_liveness_frame copy = *frame;
//   fv_image_view view = FV_IMAGE_VIEW_INIT;
//   view.data = data;
//   view.byte_count = byte_count;
//   view.width = width;
//   view.height = height;
//   view.row_stride = row_stride;
//   view.pixel_format = pixel_format;
//   if (data != NULL) copy.pixels = &view;
//   return fv_liveness_session_add(out, session, &copy);
// }
import "C"

import (
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// A LivenessSession is one person before one camera. It serves one goroutine at a time: a call meanwhile is answered
// with [ErrBusy]. It has no clock: time is that of the frames.
type LivenessSession struct {
	handle *C.fv_liveness_session
	owner  *owner
	// Held for a call and the reading of its message, which the next call overwrites.
	call sync.Mutex
}

// LivenessOptions say how frames come, and by what they are judged.
type LivenessOptions struct {
	Policy           string        // as LivenessPolicies lists it. Default: StandardPolicy
	Portrait         *Template     // who is expected; copied. Default: anybody
	Camera           *Camera       // that frames come from. Default: not known
	ChallengeTimeout time.Duration // for each challenge, 2 to 30 s. Default: 8 s
	Timeout          time.Duration // from the first frame to the last, 5 s to 15 minutes. Default: 1 minute
	Rotation         int           // degrees clockwise that turn frames upright: 0, 90, 180 or 270
	Mirrored         bool          // frames show the person as a mirror does
}

// A Camera is what is known of one.
type Camera struct {
	Driver string // such as "uvcvideo"
	Name   string // such as "Integrated Camera"
}

// NewLivenessSession begins a session. A nil request asks for nothing, which is for recordings and for
// [PassiveOnlyPolicy] and [PhotoPolicy]. The zero Time is now.
//
// Errors: [ErrBadArgument]; [ErrWrongState] if the request has expired; [ErrIncompatibleTemplate].
func (e *Engine) NewLivenessSession(
	request *LivenessRequest, now time.Time, options LivenessOptions,
) (*LivenessSession, error) {
	defer runtime.KeepAlive(e)
	defer runtime.KeepAlive(request)
	defer runtime.KeepAlive(options.Portrait)
	policy, err := newOptionalText(options.Policy)
	if err != nil {
		return nil, err
	}
	defer freeText(policy)
	c := C.fv_liveness_options{
		struct_size:       C.sizeof_fv_liveness_options,
		policy:            policy,
		portrait:          options.Portrait.c(),
		challenge_timeout: C.double(options.ChallengeTimeout.Seconds()),
		timeout:           C.double(options.Timeout.Seconds()),
		rotation:          C.int64_t(options.Rotation),
	}
	if options.Mirrored {
		c.is_mirrored = 1
	}
	if options.Camera != nil {
		if c.camera_driver, err = newText(options.Camera.Driver); err != nil {
			return nil, err
		}
		defer freeText(c.camera_driver)
		if c.camera_name, err = newText(options.Camera.Name); err != nil {
			return nil, err
		}
		defer freeText(c.camera_name)
	}
	var handle *C.fv_liveness_session
	var message messageBuffer
	status := C.fv_liveness_session_create(&handle, e.handle, request.c(), secondsOrNow(now), &c, &message[0],
		C.FV_MESSAGE_SIZE)
	if err := message.newError(status); err != nil {
		return nil, err
	}
	return &LivenessSession{handle: handle, owner: own(func() { C.fv_liveness_session_free(handle) })}, nil
}

// Close frees the session, also before its time; it waits for a call that another goroutine makes.
func (s *LivenessSession) Close() error {
	s.call.Lock()
	defer s.call.Unlock()
	return s.owner.close()
}

// do makes one call, unless another goroutine is in one.
func (s *LivenessSession) do(call func() C.fv_status) error {
	if !s.call.TryLock() {
		return &Error{ErrBusy, "another goroutine uses this session: make one for each person and camera"}
	}
	defer s.call.Unlock()
	status := call()
	message := C.fv_liveness_session_message(s.handle)
	if message == nil {
		return newError(status, "the session is closed")
	}
	return newError(status, C.GoString(message))
}

// A LivenessFrame is one picture of a stream: an Image, or Pixels where Image is nil.
type LivenessFrame struct {
	Image  *Image
	Pixels Pixels      // which are copied
	Time   float64     // when it was taken, in seconds on the stream's own clock
	Screen *[3]float64 // what the screen before the person lights their face with: red, green and blue, 0 to 1
}

// A LivenessState is what a session says after a frame. What follows HasFace is smoothed and of the frame before: NaN
// where there is no face, where it was only just found, and where there is no mesh (the "dlib" set).
type LivenessState struct {
	Time        float64 // of the frame
	Step        LivenessSessionState
	Hint        LivenessHint   // 0: the person is doing well
	SecondsLeft float64        // for which a position must still be held; NaN unless one is
	Challenge   Challenge      // what is asked for now; 0: to look ahead
	Phase       ChallengePhase // of the challenge; 0 without one
	Progress    float64        // 0 to 1 over the whole script; 0 without one
	Answers     int            // challenges that have ended
	HasFace     bool

	Yaw              float64 // degrees, as those of Face
	Pitch            float64
	Roll             float64
	LeftEyeOpenness  float64 // as those of Face
	RightEyeOpenness float64
	MouthOpening     float64 // the gap between the inner lips, over the face's height from forehead to chin
	MouthWidth       float64 // over the distance of the eyes' outer corners
	MouthLift        float64 // how far its corners are above the middle of the lips, over the face's height
	FaceSize         float64 // the face's height, over the frame's
	FaceX            float64 // the face's middle, over the frame's width
	FaceY            float64 // over the frame's height
}

// Add takes the next frame: upright and not mirrored, unless the options say otherwise, with sides of 64 to 4096 pixels.
//
// Errors: [ErrBadArgument] for a time that is not later than the last frame's, or for another size; [ErrDamaged]: the
// frame is refused, and the session goes on. [ErrWrongState] if it is complete. [ErrBusy].
func (s *LivenessSession) Add(frame LivenessFrame) (LivenessState, error) {
	defer runtime.KeepAlive(frame.Image)
	c := C.fv_liveness_frame{
		struct_size: C.sizeof_fv_liveness_frame,
		image:       frame.Image.c(),
		time:        C.double(frame.Time),
	}
	if frame.Screen != nil {
		c.has_screen_colour = 1
		c.screen_red = C.double(frame.Screen[0])
		c.screen_green = C.double(frame.Screen[1])
		c.screen_blue = C.double(frame.Screen[2])
	}
	p := frame.Pixels
	var data unsafe.Pointer
	if frame.Image == nil || p.Data != nil {
		data = address(p.Data)
	}
	state := C.fv_liveness_state{struct_size: C.sizeof_fv_liveness_state}
	err := s.do(func() C.fv_status {
		return C.session_add(&state, s.handle, &c, data, C.size_t(len(p.Data)), C.int64_t(p.Width),
			C.int64_t(p.Height), C.int64_t(p.Stride), C.int64_t(p.Format))
	})
	if err != nil {
		return LivenessState{}, err
	}
	return LivenessState{
		Time:             float64(state.time),
		Step:             LivenessSessionState(state.step),
		Hint:             LivenessHint(state.hint),
		SecondsLeft:      float64(state.seconds_left),
		Challenge:        Challenge(state.challenge),
		Phase:            ChallengePhase(state.phase),
		Progress:         float64(state.progress),
		Answers:          int(state.answer_count),
		HasFace:          state.has_face == 1,
		Yaw:              float64(state.yaw),
		Pitch:            float64(state.pitch),
		Roll:             float64(state.roll),
		LeftEyeOpenness:  float64(state.left_eye_openness),
		RightEyeOpenness: float64(state.right_eye_openness),
		MouthOpening:     float64(state.mouth_opening),
		MouthWidth:       float64(state.mouth_width),
		MouthLift:        float64(state.mouth_lift),
		FaceSize:         float64(state.face_size),
		FaceX:            float64(state.face_x),
		FaceY:            float64(state.face_y),
	}, nil
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
	err := s.do(func() C.fv_status { return C.fv_liveness_session_finish(&handle, s.handle) })
	if err != nil {
		return nil, err
	}
	return newLivenessDecision(handle)
}
