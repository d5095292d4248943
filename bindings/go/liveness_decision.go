package faceverify

// #include <faceverify.h>
import "C"

import "encoding/hex"

// A LivenessDecision is the answer of a session, with everything it rests on.
type LivenessDecision struct {
	Result   LivenessResult
	Retry    RetryReason       // what stood in the way; 0 unless it is Undecided
	Reasons  []Reason          // the checks that failed or should have been made, as LivenessSignals names them
	Checks   []LivenessCheck   // one for each signal
	Answers  []ChallengeAnswer // of the challenges that ended, in the order of the script
	Evidence LivenessEvidence
	Quality  []Check // of the selfie, one for each measure; empty without one
	// The best frame, upright and not mirrored, without loss; nil if none was good enough. It is closed with the
	// decision.
	Selfie *Image
	// The mean of the best frames' templates; nil if no frame was good enough. It is closed with the decision; to keep
	// it, use its MarshalBinary.
	Template *Template

	handle *C.fv_liveness_decision
	owner  *owner
}

// Close wipes the template and frees the selfie and what JSON needs; the fields stay.
func (d *LivenessDecision) Close() error {
	return d.owner.close()
}

// JSON is the decision record, as `faceverify liveness --json`: the same frames, options, version and models give the
// same bytes; "" if the decision is closed.
func (d *LivenessDecision) JSON() (text string) {
	d.owner.copyTexts(func() { text = C.GoString(C.fv_liveness_decision_json(d.handle)) })
	return text
}

// A LivenessCheck is what was found for one signal.
type LivenessCheck struct {
	Signal  string // as LivenessSignals lists it
	Unit    string // "share" (0 to 1), "score", "ratio", "frames", "seconds", "degrees", "level" (of 255), "faces"...
	Text    string // what was seen, or why it was not checked; empty if it passed
	Source  string // what the range rests on
	Status  CheckStatus
	Value   float64 // in Unit; NaN if it could not be determined
	Minimum float64 // the range that passes; NaN is no limit
	Maximum float64
}

// A ChallengeAnswer is the answer to one challenge of the script. Times are seconds on the stream's clock.
type ChallengeAnswer struct {
	Challenge   Challenge
	Outcome     ChallengeOutcome
	Asked       float64   // when it was asked for; NaN if it never was
	Ended       float64   // when it was met, or given up
	FailedTries int       // movements that were begun and not finished
	Movement    Challenge // what was done instead; 0 if nothing was
}

// LivenessEvidence is what a decision was made by and of. Times are seconds on the stream's clock.
type LivenessEvidence struct {
	Policy         string  // as LivenessPolicies lists it
	Nonce          []byte  // of the request; empty without one
	Chain          string  // SHA-256 over the nonce and all frames with their times, lower-case hexadecimal
	Frames         int     // that were taken
	RefusedFrames  int     // for their time or size
	First          float64 // time of the first frame; NaN without frames
	Last           float64 // of the last one
	AveragedFrames int     // whose mean the Template is; 0 without one
	SelfieTime     float64 // of the frame that the Selfie is; NaN without one
	SelfieQuality  float64 // its unified quality, 0 to 100; NaN without one
}

func newLivenessDecision(handle *C.fv_liveness_decision) (*LivenessDecision, error) {
	decision := &LivenessDecision{
		Result:  LivenessResult(C.fv_liveness_decision_result(handle)),
		Retry:   RetryReason(C.fv_liveness_decision_retry(handle)),
		Reasons: make([]Reason, C.fv_liveness_decision_reason_count(handle)),
		Checks:  make([]LivenessCheck, C.fv_liveness_decision_check_count(handle)),
		Answers: make([]ChallengeAnswer, C.fv_liveness_decision_answer_count(handle)),
		Quality: make([]Check, C.fv_liveness_decision_quality_count(handle)),
		handle:  handle,
		owner:   own(func() { C.fv_liveness_decision_free(handle) }),
	}
	if err := decision.read(); err != nil {
		decision.Close()
		return nil, err
	}
	return decision, nil
}

func (d *LivenessDecision) read() error {
	for i := range d.Reasons {
		d.Reasons[i] = Reason{
			Code: C.GoString(C.fv_liveness_decision_reason_code(d.handle, C.size_t(i))),
			Text: C.GoString(C.fv_liveness_decision_reason_text(d.handle, C.size_t(i))),
		}
	}
	for i := range d.Checks {
		if err := d.Checks[i].read(d.handle, C.size_t(i)); err != nil {
			return err
		}
	}
	for i := range d.Answers {
		if err := d.Answers[i].read(d.handle, C.size_t(i)); err != nil {
			return err
		}
	}
	for i := range d.Quality {
		c := C.fv_check{struct_size: C.sizeof_fv_check}
		status := C.fv_liveness_decision_quality(&c, d.handle, C.size_t(i))
		if err := newError(status, "a check is not listed"); err != nil {
			return err
		}
		d.Quality[i] = readCheck(&c)
	}
	if selfie := C.fv_liveness_decision_selfie(d.handle); selfie != nil {
		d.Selfie = &Image{selfie, d.owner.lend()}
	}
	if template := C.fv_liveness_decision_template(d.handle); template != nil {
		d.Template = &Template{template, d.owner.lend()}
	}
	return d.Evidence.read(d.handle)
}

func (l *LivenessCheck) read(handle *C.fv_liveness_decision, index C.size_t) error {
	c := C.fv_liveness_check{struct_size: C.sizeof_fv_liveness_check}
	err := newError(C.fv_liveness_decision_check(&c, handle, index), "a check is not listed")
	*l = LivenessCheck{
		Signal:  C.GoString(c.signal),
		Unit:    C.GoString(c.unit),
		Text:    C.GoString(c.text),
		Source:  C.GoString(c.source),
		Status:  CheckStatus(c.status),
		Value:   float64(c.value),
		Minimum: float64(c.minimum),
		Maximum: float64(c.maximum),
	}
	return err
}

func (a *ChallengeAnswer) read(handle *C.fv_liveness_decision, index C.size_t) error {
	c := C.fv_liveness_answer{struct_size: C.sizeof_fv_liveness_answer}
	err := newError(C.fv_liveness_decision_answer(&c, handle, index), "an answer is not listed")
	*a = ChallengeAnswer{
		Challenge:   Challenge(c.challenge),
		Outcome:     ChallengeOutcome(c.outcome),
		Asked:       float64(c.asked),
		Ended:       float64(c.ended),
		FailedTries: int(c.failed_tries),
		Movement:    Challenge(c.movement),
	}
	return err
}

func (e *LivenessEvidence) read(handle *C.fv_liveness_decision) error {
	c := C.fv_liveness_evidence{struct_size: C.sizeof_fv_liveness_evidence}
	if err := newError(C.fv_liveness_decision_describe(&c, handle), "the evidence cannot be read"); err != nil {
		return err
	}
	nonce, err := hex.DecodeString(C.GoString(c.nonce))
	*e = LivenessEvidence{
		Policy:         C.GoString(c.policy),
		Nonce:          nonce,
		Chain:          C.GoString(c.chain),
		Frames:         int(c.frames),
		RefusedFrames:  int(c.refused_frames),
		First:          float64(c.first),
		Last:           float64(c.last),
		AveragedFrames: int(c.averaged_frames),
		SelfieTime:     float64(c.selfie_time),
		SelfieQuality:  float64(c.selfie_quality),
	}
	return err
}

// c returns nil for a nil decision.
func (d *LivenessDecision) c() *C.fv_liveness_decision {
	if d == nil {
		return nil
	}
	return d.handle
}
