package faceverify_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

func TestStatusNamesAndRetries(t *testing.T) {
	for _, test := range []struct {
		status    faceverify.Status
		name      string
		retryable bool
	}{
		{faceverify.ErrBadArgument, "bad-argument", false},
		{faceverify.ErrUnreadable, "unreadable", true},
		{faceverify.ErrUnknownFormat, "unknown-format", true},
		{faceverify.ErrDamaged, "damaged", true},
		{faceverify.ErrTooLarge, "too-large", true},
		{faceverify.ErrNoFace, "no-face", true},
		{faceverify.ErrIncompatibleTemplate, "incompatible-template", false},
		{faceverify.ErrModelMissing, "model-missing", false},
		{faceverify.ErrModelMismatch, "model-mismatch", false},
		{faceverify.ErrUnsupportedRate, "unsupported-rate", false},
		{faceverify.ErrUnwritable, "unwritable", false},
		{faceverify.ErrWrongState, "wrong-state", false},
		{faceverify.ErrInternal, "internal", false},
		{faceverify.ErrBusy, "busy", true},
		{faceverify.ErrAbsent, "absent", false},
		{faceverify.ErrVersion, "version", false},
		{faceverify.ErrTimeout, "timeout", true},
		{faceverify.ErrCancelled, "cancelled", false},
		{faceverify.Status(-1000), "unknown", false},
	} {
		if name := test.status.String(); name != test.name {
			t.Errorf("%d is called %q, want %q", test.status, name, test.name)
		}
		err := &faceverify.Error{Status: test.status}
		if test.status.Retryable() != test.retryable || err.Retryable() != test.retryable {
			t.Errorf("%v: retryable is not %v", test.status, test.retryable)
		}
		if want := "faceverify: " + test.name; test.status.Error() != want || err.Error() != want {
			t.Errorf("%q and %q, want %q", test.status.Error(), err.Error(), want)
		}
	}
}

func TestErrorIsItsStatusAlsoWhenWrapped(t *testing.T) {
	err := fmt.Errorf("reading the selfie: %w", &faceverify.Error{Status: faceverify.ErrNoFace, Message: "no face"})
	if !errors.Is(err, faceverify.ErrNoFace) || errors.Is(err, faceverify.ErrDamaged) {
		t.Error("errors.Is does not match the status")
	}
	var detail *faceverify.Error
	if !errors.As(err, &detail) || detail.Message != "no face" || detail.Error() != "faceverify: no face" {
		t.Errorf("errors.As gives %v", detail)
	}
	var status faceverify.Status
	if !errors.As(err, &status) || status != faceverify.ErrNoFace {
		t.Errorf("errors.As gives status %v", status)
	}
}

// The names of all values are tested in C; here, that each type returns its own.
func TestNames(t *testing.T) {
	for value, name := range map[fmt.Stringer]string{
		faceverify.ResultNoMatch: "no-match", faceverify.Result(0): "none", faceverify.Result(9): "unknown",
		faceverify.CheckStatusNotChecked: "not-checked", faceverify.ConsequenceWarn: "warn",
		faceverify.ModelStateMismatch: "mismatch", faceverify.PixelFormatBGRA8: "bgra8", faceverify.EyeRight: "right",
		faceverify.ImageEncodingJPEG: "jpeg", faceverify.LogLevelWarning: "warning",
		faceverify.ChallengeHoldStill: "hold-still", faceverify.ChallengePhaseHolding: "holding",
		faceverify.ChallengeOutcomeWrongMovement:          "wrong-movement",
		faceverify.LivenessSessionStatePresentationAttack: "presentation-attack",
		faceverify.LivenessHintMoveFaceIntoFrame:          "move-face-into-frame",
		faceverify.LivenessResultUndecided:                "undecided",
		faceverify.RetryReasonUserTimeout:                 "user-timeout",
		faceverify.DocumentTypeIDCard:                     "id-card",
		faceverify.VerdictValidWithoutAnchor:              "valid-without-anchor",
		faceverify.DocumentSourceBest:                     "best",
	} {
		if value.String() != name {
			t.Errorf("%T(%d) is called %q, want %q", value, value, value.String(), name)
		}
	}
}

func TestVersion(t *testing.T) {
	if version := faceverify.Version(); !strings.HasPrefix(version, "0.") {
		t.Errorf("version %q", version)
	}
}
