package faceverify

// #include <faceverify.h>
import "C"

// A Sample is what one picture gave.
type Sample struct {
	Faces    []Face  // those of the picture, the one that was taken first
	Accepted bool    // whether the policy lets the picture be used
	Quality  float64 // unified, 0 to 100: the geometric mean over the checks that were made; NaN if none was
	Checks   []Check // one for each measure
	// Nil if the policy refused the picture, or if no template was asked for. It is closed with the sample; to keep it,
	// use its MarshalBinary.
	Template *Template

	handle *C.fv_sample
	owner  *owner
}

// Close wipes the template and frees what JSON needs; the fields stay. A sample of a decision is closed with that.
func (s *Sample) Close() error {
	return s.owner.close()
}

// JSON is as `faceverify quality --json` prints each photo; "" if the sample is closed.
func (s *Sample) JSON() (text string) {
	s.owner.copyTexts(func() { text = C.GoString(C.fv_sample_json(s.handle)) })
	return text
}

// A Check is one quality check.
type Check struct {
	Measure     string // as Measures lists it
	Unit        string
	Advice      string // what the person can do, or why it was not checked; empty if it passed
	Status      CheckStatus
	Consequence Consequence
	Value       float64 // in Unit; NaN if it could not be determined
	Score       float64 // 0 to 100, higher is better; NaN without a value
	Minimum     float64 // the range that passes; NaN is no limit
	Maximum     float64
}

func readCheck(c *C.fv_check) Check {
	return Check{
		Measure:     C.GoString(c.measure),
		Unit:        C.GoString(c.unit),
		Advice:      C.GoString(c.advice),
		Status:      CheckStatus(c.status),
		Consequence: Consequence(c.consequence),
		Value:       float64(c.value),
		Score:       float64(c.score),
		Minimum:     float64(c.minimum),
		Maximum:     float64(c.maximum),
	}
}

// A CheckStatus is the answer of a check.
type CheckStatus int

const (
	Passed CheckStatus = C.FV_CHECK_PASSED
	Failed CheckStatus = C.FV_CHECK_FAILED
	// It could not be determined, or nothing was asked: never taken for Passed.
	NotChecked CheckStatus = C.FV_CHECK_NOT_CHECKED
)

// String returns the name that the JSON uses: "passed", "failed" or "not-checked"; "unknown" for other numbers.
func (s CheckStatus) String() string {
	switch s {
	case Passed:
		return "passed"
	case Failed:
		return "failed"
	case NotChecked:
		return "not-checked"
	}
	return "unknown"
}

// A Consequence is what a failed check means for its picture.
type Consequence int

const (
	NoConsequence Consequence = C.FV_CONSEQUENCE_NONE
	Refuse        Consequence = C.FV_CONSEQUENCE_REFUSE // the picture must not be used
	Warn          Consequence = C.FV_CONSEQUENCE_WARN   // it may be used; results are less certain
)

// String returns the name that the JSON uses: "refuse" or "warn"; "none", where the JSON has null; "unknown" for other
// numbers.
func (c Consequence) String() string {
	switch c {
	case NoConsequence:
		return "none"
	case Refuse:
		return "refuse"
	case Warn:
		return "warn"
	}
	return "unknown"
}

// newSample closes the owner if it fails.
func newSample(handle *C.fv_sample, owner *owner) (*Sample, error) {
	sample := &Sample{
		Accepted: C.fv_sample_is_accepted(handle) == 1,
		Quality:  float64(C.fv_sample_quality(handle)),
		Checks:   make([]Check, C.fv_sample_check_count(handle)),
		handle:   handle,
		owner:    owner,
	}
	if err := sample.read(); err != nil {
		sample.Close()
		return nil, err
	}
	return sample, nil
}

func (s *Sample) read() error {
	for i := range s.Checks {
		c := C.fv_check{struct_size: C.sizeof_fv_check}
		if err := newError(C.fv_sample_check(&c, s.handle, C.size_t(i)), "a check is not listed"); err != nil {
			return err
		}
		s.Checks[i] = readCheck(&c)
	}
	if template := C.fv_sample_template(s.handle); template != nil {
		s.Template = &Template{template, s.owner.lend()}
	}
	var err error
	s.Faces, err = readFaces(C.fv_sample_faces(s.handle))
	return err
}
