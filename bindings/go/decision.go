package faceverify

// #include <faceverify.h>
import "C"

// A Decision is the answer, with everything it rests on.
type Decision struct {
	Result     Result
	Reasons    []Reason    // why it is no match, or warnings about one that is; empty only for a match
	Comparison *Comparison // nil if the decision was refused: nothing was compared
	Selfie     *Sample     // what the selfie gave; nil if it was a template
	Portrait   *Sample     // what the portrait gave; nil if it was a template

	handle *C.fv_decision
	owner  *owner
}

// Close wipes the templates of both samples and frees what JSON needs; the fields stay.
func (d *Decision) Close() error {
	return d.owner.close()
}

// JSON is the decision record: the same input, version and models give the same bytes, as `faceverify compare --json`;
// "" if the decision is closed.
func (d *Decision) JSON() (text string) {
	d.owner.copyTexts(func() { text = C.GoString(C.fv_decision_json(d.handle)) })
	return text
}

// A Result is the answer of a decision.
type Result int

const (
	Match   Result = C.FV_RESULT_MATCH
	NoMatch Result = C.FV_RESULT_NO_MATCH
	Refused Result = C.FV_RESULT_REFUSED // a photo is not good enough to decide; the reasons say which and why
)

// String returns the name that the JSON uses: "match", "no-match" or "refused"; "none" for other numbers.
func (r Result) String() string {
	return C.GoString(C.fv_result_name(C.int(r)))
}

// A Reason says why a decision is no match, or warns of something.
type Reason struct {
	// "score-beyond-threshold", "selfie." or "portrait." and a measure, or "document." and what there is to know of it.
	Code string
	Text string // one sentence for people
}

// A Comparison says how two templates compare.
type Comparison struct {
	// Distance in units of each side's nearest strangers: smaller is closer; around 0 lie strangers that look alike.
	Score     float64
	Threshold float64 // a score up to this is a match
	DecidedAt float64 // the false-match rate that the threshold stands for
	// 0 to 100: 25 for each factor of ten in FalseMatchRate; 75 is one in a thousand.
	Similarity               float64
	FalseMatchRate           float64 // share of strangers who come at least as close as this score
	FalseMatchRateUpperBound float64 // of its 95 % confidence interval
	IsMatch                  bool
	IsBeyondCalibration      bool // FalseMatchRate is the least that the data can tell
}

func readComparison(c *C.fv_comparison) Comparison {
	return Comparison{
		Score:                    float64(c.score),
		Threshold:                float64(c.threshold),
		DecidedAt:                float64(c.decided_at),
		Similarity:               float64(c.similarity),
		FalseMatchRate:           float64(c.false_match_rate),
		FalseMatchRateUpperBound: float64(c.false_match_rate_upper_bound),
		IsMatch:                  c.is_match == 1,
		IsBeyondCalibration:      c.is_beyond_calibration == 1,
	}
}

func newDecision(handle *C.fv_decision) (*Decision, error) {
	decision := &Decision{
		Result:  Result(C.fv_decision_result(handle)),
		Reasons: make([]Reason, C.fv_decision_reason_count(handle)),
		handle:  handle,
		owner:   own(func() { C.fv_decision_free(handle) }),
	}
	if err := decision.read(); err != nil {
		decision.Close()
		return nil, err
	}
	return decision, nil
}

func (d *Decision) read() error {
	for i := range d.Reasons {
		d.Reasons[i] = Reason{
			Code: C.GoString(C.fv_decision_reason_code(d.handle, C.size_t(i))),
			Text: C.GoString(C.fv_decision_reason_text(d.handle, C.size_t(i))),
		}
	}
	comparison := C.fv_comparison{struct_size: C.sizeof_fv_comparison}
	status := C.fv_decision_comparison(&comparison, d.handle)
	if Status(status) != ErrAbsent {
		if err := newError(status, "the comparison cannot be read"); err != nil {
			return err
		}
		read := readComparison(&comparison)
		d.Comparison = &read
	}
	var err error
	if selfie := C.fv_decision_selfie(d.handle); selfie != nil {
		if d.Selfie, err = newSample(selfie, d.owner.lend()); err != nil {
			return err
		}
	}
	if portrait := C.fv_decision_portrait(d.handle); portrait != nil {
		d.Portrait, err = newSample(portrait, d.owner.lend())
	}
	return err
}
