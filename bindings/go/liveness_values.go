package faceverify

// #include <faceverify.h>
import "C"

// Names of the liveness policies of the library (docs/liveness.md).
const (
	StandardPolicy    = "standard"     // answered the script, is one person and alone, with nothing against them
	StrictPolicy      = "strict"       // also: everything that can be checked was, and no doubt is left
	PassiveOnlyPolicy = "passive-only" // is one person and alone, with nothing against them; for recordings
	PhotoPolicy       = "photo"        // has the texture of a face in one picture, which tells least of all
)

// LivenessPolicies lists the names of the liveness policies.
func LivenessPolicies() []string {
	return listNames(func(index C.size_t) *C.char { return C.fv_liveness_policy_name(index) })
}

// LivenessSignals lists the names of what a session is judged by, in the order of a decision's checks. Later releases
// add some.
func LivenessSignals() []string {
	return listNames(func(index C.size_t) *C.char { return C.fv_liveness_signal_name(index) })
}

// A Challenge is what a person is asked to do, in their own directions; 0 is none.
type Challenge int

const (
	ChallengeBlink      Challenge = C.FV_CHALLENGE_BLINK
	ChallengeTurnLeft   Challenge = C.FV_CHALLENGE_TURN_LEFT
	ChallengeTurnRight  Challenge = C.FV_CHALLENGE_TURN_RIGHT
	ChallengeLookUp     Challenge = C.FV_CHALLENGE_LOOK_UP
	ChallengeLookDown   Challenge = C.FV_CHALLENGE_LOOK_DOWN
	ChallengeTiltLeft   Challenge = C.FV_CHALLENGE_TILT_LEFT  // the head towards the left shoulder
	ChallengeTiltRight  Challenge = C.FV_CHALLENGE_TILT_RIGHT // the head towards the right shoulder
	ChallengeSmile      Challenge = C.FV_CHALLENGE_SMILE
	ChallengeOpenMouth  Challenge = C.FV_CHALLENGE_OPEN_MOUTH
	ChallengeMoveCloser Challenge = C.FV_CHALLENGE_MOVE_CLOSER
	ChallengeMoveBack   Challenge = C.FV_CHALLENGE_MOVE_BACK
	ChallengeHoldStill  Challenge = C.FV_CHALLENGE_HOLD_STILL
)

// String returns the name that the JSON uses: "blink", "turn-left"...; "none" for other numbers.
func (c Challenge) String() string {
	return C.GoString(C.fv_challenge_name(C.int(c)))
}

// A LivenessSessionState says where a session is in its life.
type LivenessSessionState int

const (
	StepStarted    LivenessSessionState = C.FV_STEP_STARTED     // no frame came yet
	StepScanView   LivenessSessionState = C.FV_STEP_SCAN_VIEW   // frames are taken
	StepImageTaken LivenessSessionState = C.FV_STEP_IMAGE_TAKEN // complete: all was seen, or can no longer be
	StepCanFinish  LivenessSessionState = C.FV_STEP_CAN_FINISH  // decided: live
	StepRetry      LivenessSessionState = C.FV_STEP_RETRY       // decided: it could not be told
	StepRejectView LivenessSessionState = C.FV_STEP_REJECT_VIEW // decided: a presentation attack
)

// String returns "started", "capturing"...; "none" for other numbers.
func (s LivenessSessionState) String() string {
	return C.GoString(C.fv_step_name(C.int(s)))
}

// A LivenessHint is what the person should do for the session to go on; 0 is none.
type LivenessHint int

const (
	HintMoveFaceIntoFrame  LivenessHint = C.FV_HINT_MOVE_FACE_INTO_FRAME
	HintMultipleFaces      LivenessHint = C.FV_HINT_MULTIPLE_FACES
	HintLightingTooDark    LivenessHint = C.FV_HINT_LIGHTING_TOO_DARK
	HintLightingTooBright  LivenessHint = C.FV_HINT_LIGHTING_TOO_BRIGHT
	HintSunglasses         LivenessHint = C.FV_HINT_SUNGLASSES
	HintObscuredFace       LivenessHint = C.FV_HINT_OBSCURED_FACE
	HintFaceTooClose       LivenessHint = C.FV_HINT_FACE_TOO_CLOSE
	HintMoveFaceCloser     LivenessHint = C.FV_HINT_MOVE_FACE_CLOSER
	HintCenterFace         LivenessHint = C.FV_HINT_CENTER_FACE
	HintLevelEyesAndDevice LivenessHint = C.FV_HINT_LEVEL_EYES_AND_DEVICE
	HintTiltFaceUp         LivenessHint = C.FV_HINT_TILT_FACE_UP
	HintTiltFaceDown       LivenessHint = C.FV_HINT_TILT_FACE_DOWN
	HintTiltFaceLeft       LivenessHint = C.FV_HINT_TILT_FACE_LEFT // to the person's own left
	HintTiltFaceRight      LivenessHint = C.FV_HINT_TILT_FACE_RIGHT
	HintEyesClosed         LivenessHint = C.FV_HINT_EYES_CLOSED
	HintTooMuchMovement    LivenessHint = C.FV_HINT_TOO_MUCH_MOVEMENT
	HintHoldStill          LivenessHint = C.FV_HINT_HOLD_STILL // for LivenessState.SecondsLeft
)

// String returns "move-face-into-frame"...; "none" for other numbers.
func (h LivenessHint) String() string {
	return C.GoString(C.fv_hint_name(C.int(h)))
}

// Text returns one sentence for the person; "" for other numbers.
func (h LivenessHint) Text() string {
	return C.GoString(C.fv_hint_text(C.int(h)))
}

// A ChallengePhase says how far a challenge has been answered; 0 is none.
type ChallengePhase int

const (
	PhaseStarting  ChallengePhase = C.FV_PHASE_STARTING  // the person must first come into the start pose
	PhaseMoving    ChallengePhase = C.FV_PHASE_MOVING    // the movement is awaited
	PhaseHolding   ChallengePhase = C.FV_PHASE_HOLDING   // the position is held
	PhaseReturning ChallengePhase = C.FV_PHASE_RETURNING // the way back is awaited
	PhasePassed    ChallengePhase = C.FV_PHASE_PASSED
	PhaseFailed    ChallengePhase = C.FV_PHASE_FAILED // the time was over
)

// String returns "starting", "moving"...; "none" for other numbers.
func (p ChallengePhase) String() string {
	return C.GoString(C.fv_phase_name(C.int(p)))
}

// A ChallengeOutcome says how a challenge ended.
type ChallengeOutcome int

const (
	OutcomePassed        ChallengeOutcome = C.FV_OUTCOME_PASSED
	OutcomeTimeout       ChallengeOutcome = C.FV_OUTCOME_TIMEOUT        // it was not met in time
	OutcomeWrongMovement ChallengeOutcome = C.FV_OUTCOME_WRONG_MOVEMENT // another movement, or the right one too early
	OutcomeInterrupted   ChallengeOutcome = C.FV_OUTCOME_INTERRUPTED    // the stream or the face was gone for too long
)

// String returns the name that the JSON uses: "passed", "timeout"...; "none" for other numbers.
func (o ChallengeOutcome) String() string {
	return C.GoString(C.fv_outcome_name(C.int(o)))
}

// A LivenessResult is the answer of a session.
type LivenessResult int

const (
	Live               LivenessResult = C.FV_LIVENESS_LIVE
	PresentationAttack LivenessResult = C.FV_LIVENESS_PRESENTATION_ATTACK
	Undecided          LivenessResult = C.FV_LIVENESS_UNDECIDED // it could not be told: see LivenessDecision.Retry
)

// String returns the name that the JSON uses: "live", "presentation-attack" or "undecided"; "none" for other numbers.
func (r LivenessResult) String() string {
	return C.GoString(C.fv_liveness_result_name(C.int(r)))
}

// A RetryReason says why a session should be tried again; 0 is none.
type RetryReason int

const (
	RetryGeneric           RetryReason = C.FV_RETRY_GENERIC
	RetryTooMuchMovement   RetryReason = C.FV_RETRY_TOO_MUCH_MOVEMENT
	RetryLightingTooBright RetryReason = C.FV_RETRY_LIGHTING_TOO_BRIGHT
	RetryLightingTooDark   RetryReason = C.FV_RETRY_LIGHTING_TOO_DARK
	RetryEyesClosed        RetryReason = C.FV_RETRY_EYES_CLOSED
	RetryObscuredFace      RetryReason = C.FV_RETRY_OBSCURED_FACE
	RetryMultipleFaces     RetryReason = C.FV_RETRY_MULTIPLE_FACES
	RetrySunglasses        RetryReason = C.FV_RETRY_SUNGLASSES
	RetryFaceTooClose      RetryReason = C.FV_RETRY_FACE_TOO_CLOSE
	RetryFaceTooFar        RetryReason = C.FV_RETRY_FACE_TOO_FAR
	RetryFaceMisaligned    RetryReason = C.FV_RETRY_FACE_MISALIGNED
	RetryUserTimeout       RetryReason = C.FV_RETRY_USER_TIMEOUT
	RetryWrongMovement     RetryReason = C.FV_RETRY_WRONG_MOVEMENT // another movement than the one asked for
	RetryInterrupted       RetryReason = C.FV_RETRY_INTERRUPTED    // no frames came, or not for a while
)

// String returns the name that the JSON uses: "generic", "too-much-movement"...; "none" for other numbers.
func (r RetryReason) String() string {
	return C.GoString(C.fv_retry_name(C.int(r)))
}
