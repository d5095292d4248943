package faceverify_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

func marshalled(t *testing.T, value any) string {
	t.Helper()
	return string(try(json.Marshal(value)).must(t))
}

func TestEnumerationsAreTheirNamesInJSON(t *testing.T) {
	for text, value := range map[string]any{
		`"no-match"`:                     faceverify.ResultNoMatch,
		`"none"`:                         faceverify.Result(0),
		`{"turn-left":"not-checked"}`:    map[faceverify.Challenge]any{faceverify.ChallengeTurnLeft: faceverify.CheckStatusNotChecked},
		`"no-face"`:                      faceverify.ErrNoFace,
		`["passport","driving-licence"]`: []faceverify.DocumentType{faceverify.DocumentTypePassport, faceverify.DocumentTypeDrivingLicence},
	} {
		if got := marshalled(t, value); got != text {
			t.Errorf("%s, want %s", got, text)
		}
	}
	var read struct {
		Result faceverify.Result
		Status faceverify.Status
		Type   faceverify.DocumentType
	}
	wantNone(t, json.Unmarshal([]byte(`{"Result":"refused","Status":"no-template","Type":"none"}`), &read))
	if read.Result != faceverify.ResultRefused || read.Status != faceverify.ErrNoTemplate || read.Type != 0 {
		t.Errorf("%+v", read)
	}
	for _, wrong := range []string{`"unknown"`, `"Match"`, `""`} {
		if err := json.Unmarshal([]byte(wrong), &read.Result); err == nil {
			t.Errorf("%s was read as %v", wrong, read.Result)
		}
	}
}

func TestValuesHaveTheirFieldsInJSON(t *testing.T) {
	check := faceverify.QualityCheck{Measure: "sharpness", Status: faceverify.CheckStatusPassed, Value: 0.5, Maximum: math.NaN()}
	want := `{"Measure":"sharpness","Unit":"","Advice":"","Status":"passed","Consequence":"none",` +
		`"Value":0.5,"Score":0,"Minimum":0,"Maximum":null}`
	if got := marshalled(t, check); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	face := faceverify.DetectedFace{Face: faceverify.Face{Yaw: math.NaN()}, Mesh: []faceverify.MeshPoint{{1, 2, 3}}}
	if got := marshalled(t, face); !strings.Contains(got, `"Yaw":null`) || !strings.Contains(got, `"Mesh":[{"X":1,"Y":2,"Depth":3}]`) {
		t.Error(got)
	}
}

func TestResultsAreTheirRecordsInJSON(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	decision := try(engine.Compare(ctx, faceverify.Path("selfie.jpg"), faceverify.Path("portrait.jpg"), defaults)).must(t)
	faces := try(engine.Detect(ctx, faceverify.Path("selfie.jpg"), faceverify.DetectOptions{})).must(t)
	document := try(faceverify.ParseMRZ(specimen, chipDate)).must(t)
	for _, result := range []struct {
		value any
		json  string
	}{{decision, decision.JSON()}, {decision.Selfie, decision.Selfie.JSON()}, {faces, faces.JSON}, {document, document.JSON()}} {
		var one, other any
		wantNone(t, json.Unmarshal([]byte(marshalled(t, result.value)), &one), json.Unmarshal([]byte(result.json), &other))
		if marshalled(t, one) != marshalled(t, other) || result.json == "" {
			t.Errorf("%T: %v", result.value, one)
		}
	}
	if got := marshalled(t, map[string]any{"checks": decision.Selfie.Checks}); !strings.Contains(got, `"Status":"passed"`) {
		t.Error(got)
	}
	decision.Close()
	if _, err := json.Marshal(decision); err == nil || !strings.Contains(err.Error(), "the decision is closed") {
		t.Error(err)
	}
}
