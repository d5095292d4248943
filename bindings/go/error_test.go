package faceverify_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"faceverify"
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
		t.Error("errors.Is does not tell the status")
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

func TestNames(t *testing.T) {
	for value, name := range map[fmt.Stringer]string{
		faceverify.Match: "match", faceverify.NoMatch: "no-match", faceverify.Refused: "refused",
		faceverify.Result(0): "none", faceverify.Result(9): "none",
		faceverify.Passed: "passed", faceverify.Failed: "failed", faceverify.NotChecked: "not-checked",
		faceverify.CheckStatus(9): "unknown",
		faceverify.NoConsequence:  "none", faceverify.Refuse: "refuse", faceverify.Warn: "warn",
		faceverify.Consequence(9): "unknown",
		faceverify.ModelOK:        "ok", faceverify.ModelMissing: "missing", faceverify.ModelMismatch: "mismatch",
		faceverify.ModelState(9): "unknown",
		faceverify.DocumentOK:    "OK", faceverify.DocumentExpired: "EXPIRED_DOCUMENT",
		faceverify.DocumentUserSkippedRFID: "USER_SKIPPED_RFID", faceverify.DocumentStatus(0): "none",
		faceverify.RFIDUndefined: "UNDEFINED", faceverify.RFIDError: "ERROR", faceverify.RFIDStatus(0): "none",
		faceverify.Authentic: "authentic", faceverify.VerdictNotChecked: "not-checked", faceverify.Verdict(0): "none",
		faceverify.PortraitPage: "page", faceverify.PortraitAltered: "altered", faceverify.PortraitTrust(0): "none",
		faceverify.FieldOK: "OK", faceverify.FieldNotChecked: "NOT_CHECKED", faceverify.FieldStatus(0): "none",
	} {
		if value.String() != name {
			t.Errorf("%#v is called %q, want %q", value, value.String(), name)
		}
	}
}

func TestVersion(t *testing.T) {
	if version := faceverify.Version(); !strings.HasPrefix(version, "0.") {
		t.Errorf("version %q", version)
	}
}
