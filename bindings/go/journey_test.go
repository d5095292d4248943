package faceverify_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// Generated with `openssl genpkey -algorithm ed25519` for these tests.
const (
	privateKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIIKd1Te9S3DlPi/uV3L2NfKPBvK3rzA4H/rTDtaXKBxE\n-----END PRIVATE KEY-----\n"
	publicKey  = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAg2SethwxXEIINqeyA4sEX2G2TFccRaKR/3Yv7KNJXr0=\n-----END PUBLIC KEY-----\n"
)

var (
	journeyTime = time.Unix(1_700_000_000, 0)
	faceOnly    = map[string]any{
		"requests": []any{map[string]any{"category": "face"}}, "faceModes": []string{"passive", "face-manual"},
	}
)

func startedJourney(t *testing.T, ctx context.Context, options faceverify.JourneyOptions) *faceverify.Journey {
	t.Helper()
	if options.Configuration == nil {
		options.Configuration = faceOnly
	}
	journey := try(testEngine(t).NewJourney(ctx, journeyTime, options)).must(t)
	perform(t, journey, faceverify.JourneyCallStart)
	return journey
}

func perform(t *testing.T, journey *faceverify.Journey, calls ...faceverify.JourneyCall) {
	t.Helper()
	for _, call := range calls {
		if err := journey.Perform(call, journeyTime.Add(2*time.Second)); err != nil {
			t.Fatalf("%v: %v", call, err)
		}
	}
}

func all(events <-chan faceverify.JourneyEvent) (names []string) {
	for event := range events {
		names = append(names, event.Name)
	}
	return names
}

// Rows: J31 J34 J41 J53
func TestJourneyReachesItsResult(t *testing.T) {
	needPhotos(t)
	selfie := try(testEngine(t).Sample(ctx, testImage(t, "selfie.jpg"), nil)).must(t)
	options := faceverify.JourneyOptions{Configuration: faceOnly, Portrait: selfie.Template}
	journey := try(testEngine(t).NewJourney(ctx, journeyTime, options)).must(t)
	if err := journey.Perform(faceverify.JourneyCallStart, journeyTime); err != nil {
		t.Fatal(err)
	}
	if err := journey.StartCredential(0, journeyTime); err != nil {
		t.Fatal(err)
	}
	if err := journey.StartPart(faceverify.JourneyPartFace, 0, journeyTime); err != nil {
		t.Fatal(err)
	}
	image := testImage(t, "portrait.jpg")
	for i := 0; i < 10; i++ {
		frame := faceverify.LivenessFrame{Image: image, Time: float64(i) / 10}
		feedback, err := journey.AddFrame(frame, journeyTime.Add(time.Duration(i)*100*time.Millisecond))
		if err != nil || !feedback.HasFace || feedback.Time != frame.Time {
			t.Fatalf("%+v, %v", feedback, err)
		}
	}
	info := try(journey.Describe()).must(t)
	if info.State != faceverify.JourneyStateScanning || info.Fallback != faceverify.ScanModeFaceManual || len(info.ID) != 36 {
		t.Errorf("%+v", info)
	}
	try(journey.Result()).wants(t, faceverify.ErrWrongState)
	perform(t, journey, faceverify.JourneyCallFinishPart, faceverify.JourneyCallFinishCredential, faceverify.JourneyCallFinish)
	want := strings.Fields("initialized prepare started scan-view processing image-taken can-finish credential-finished " +
		"all-captured finished")
	if names := all(journey.Events()); !reflect.DeepEqual(names, want) {
		t.Errorf("%v", names)
	}
	outcome := try(journey.Result()).must(t)
	if !outcome.IsComplete || outcome.Result == faceverify.CheckStatusPassed || !strings.Contains(outcome.JSON, info.ID) {
		t.Errorf("%+v", outcome)
	}
	credentials := try(journey.Credentials()).must(t)
	if len(credentials) != 1 || credentials[0].Category != faceverify.CredentialCategoryFace ||
		credentials[0].Mode != faceverify.ScanModePassive || len(credentials[0].Reasons) == 0 {
		t.Fatalf("%+v", credentials)
	}
	liveness, decision := credentials[0].Liveness, credentials[0].Decision
	if liveness.Selfie == nil || decision.Result != faceverify.ResultMatch || credentials[0].Document != nil {
		t.Errorf("%+v, %+v", liveness, decision)
	}
	if err := journey.Clear(); err != nil {
		t.Fatal(err)
	}
	if cleared := try(journey.Result()).must(t); cleared.JSON != "" || liveness.JSON() != "" {
		t.Errorf("%+v", cleared)
	}
	if none := try(journey.Credentials()).must(t); len(none) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestSpecificationTerms(t *testing.T) {
	for got, want := range map[string]string{
		faceverify.CheckStatusNotChecked.SpecificationName():           "NOT_CHECKED",
		faceverify.ScanModeStrict.SpecificationName():                  "livenessPremium",
		faceverify.DocumentTypeDrivingLicence.SpecificationName():      "DRIVING_LICENSE",
		faceverify.SpecificationFieldName("mrzLines"):                  "mrzStrings",
		faceverify.SpecificationEventName("initialized"):               "didInitialize",
		faceverify.SpecificationDocumentHint("centre-document"):        "centerId",
		faceverify.SpecificationOlderErrorCode("A000000"):              "A10000",
		faceverify.DocumentTypeOfSpecificationName("ID_CARD").String(): "id-card",
		faceverify.JourneyPartOfSpecificationName("nfc").String():      "chip",
		faceverify.SpecificationFieldName("no such"):                   "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if number := faceverify.SpecificationRejectionNumber("black-white-copy"); number != 102 {
		t.Error(number)
	}
	document := try(faceverify.ParseMRZ(specimen, chipDate)).must(t)
	if document.SpecificationChipStatus() != "UNDEFINED" || len(document.SpecificationStatuses()) == 0 {
		t.Errorf("%q, %q", document.SpecificationChipStatus(), document.SpecificationStatuses())
	}
}

// Rows: J31
func TestWrongCallsHaveLogicalErrors(t *testing.T) {
	journey := startedJourney(t, ctx, faceverify.JourneyOptions{})
	calls := map[faceverify.LogicalError]error{
		faceverify.LogicalErrorWrongOrder:             journey.Perform(faceverify.JourneyCallStart, journeyTime.Add(time.Hour/60)),
		faceverify.LogicalErrorUnknownCredential:      journey.StartCredential(1, journeyTime.Add(time.Hour/60)),
		faceverify.LogicalErrorControllerNotCompleted: journey.Clear(),
	}
	for want, err := range calls {
		if !errors.Is(err, want) || !errors.Is(err, faceverify.ErrWrongState) || errors.Is(err, faceverify.LogicalErrorDeadScanPart) {
			t.Errorf("%v: %v", want, err)
		}
	}
	if info := try(journey.Describe()).must(t); info.Refusal != faceverify.LogicalErrorUnknownCredential {
		t.Errorf("%+v", info)
	}
	engine := testEngine(t)
	later := faceverify.JourneyOptions{Configuration: map[string]any{"requiredVersion": "9.9"}}
	_, err := engine.NewJourney(ctx, journeyTime, later)
	if !errors.Is(err, faceverify.LogicalErrorDependencyWrongVersion) {
		t.Errorf("%v", err)
	}
	for _, configuration := range []map[string]any{{"requests": 1}, {"noSuchMember": 1}, {"requests": make(chan int)}} {
		try(engine.NewJourney(ctx, journeyTime, faceverify.JourneyOptions{Configuration: configuration})).
			wants(t, faceverify.ErrBadArgument)
	}
	try(engine.NewJourney(ctx, time.Time{}, faceverify.JourneyOptions{})).wants(t, faceverify.ErrBadArgument)
	wantError(t, journey.Perform(faceverify.JourneyCallTick, time.Time{}), faceverify.ErrBadArgument)
	wantError(t, journey.Report("D000000", journeyTime.Add(time.Hour/60)), faceverify.ErrBadArgument)
	wantError(t, journey.Consent(0, true, journeyTime.Add(time.Hour/60)), faceverify.ErrBadArgument)
}

func TestDocumentIsChosen(t *testing.T) {
	journey := startedJourney(t, ctx, faceverify.JourneyOptions{Configuration: map[string]any{
		"requests":      []any{map[string]any{"category": "id", "countries": []string{"FRA"}}},
		"documentModes": []string{"file"}, "userReference": "anna@example.org",
	}})
	now := journeyTime.Add(2 * time.Second)
	if err := journey.StartCredential(0, now); err != nil {
		t.Fatal(err)
	}
	choices := try(journey.Choices(0)).must(t)
	if len(choices) < 3 || choices[0].Country != "FRA" || choices[0].Type != faceverify.DocumentTypePassport {
		t.Fatalf("%+v", choices)
	}
	if warnings := journey.Warnings(); len(warnings) != 1 {
		t.Errorf("%v", warnings)
	}
	if err := journey.Configure(choices[0], now); err != nil {
		t.Fatal(err)
	}
	wantError(t, journey.AttachImage(nil, now), faceverify.ErrBadArgument)
	wantError(t, journey.AttachChip(nil, now), faceverify.ErrBadArgument)
	if picture, err := journey.Picture(); picture != nil || err != nil {
		t.Errorf("%v, %v", picture, err)
	}
}

func TestContextCancelsAJourney(t *testing.T) {
	ended, cancel := context.WithCancel(ctx)
	journey := startedJourney(t, ended, faceverify.JourneyOptions{})
	events := journey.Events()
	if first := <-events; first.Name != "initialized" {
		t.Errorf("%+v", first)
	}
	cancel()
	if names := all(events); !reflect.DeepEqual(names, []string{"finished"}) {
		t.Errorf("%v", names)
	}
	if outcome := try(journey.Result()).must(t); outcome.IsComplete || outcome.ErrorCode != "G000000" {
		t.Errorf("%+v", outcome)
	}
	_, err := testEngine(t).NewJourney(ended, journeyTime, faceverify.JourneyOptions{})
	wantError(t, err, faceverify.ErrCancelled)
}

func TestClosingAJourneyEndsItsEvents(t *testing.T) {
	journey := startedJourney(t, ctx, faceverify.JourneyOptions{})
	events := journey.Events()
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		all(events)
	}()
	journey.Close()
	journey.Close()
	group.Wait()
	wantError(t, journey.Perform(faceverify.JourneyCallTick, journeyTime), faceverify.ErrBadArgument)
}

func TestRecordsAreSigned(t *testing.T) {
	journey := startedJourney(t, ctx, faceverify.JourneyOptions{})
	try(journey.Record(faceverify.Signer{PrivateKey: privateKey})).wants(t, faceverify.ErrWrongState)
	perform(t, journey, faceverify.JourneyCallCancel)
	record := try(journey.Record(faceverify.Signer{PrivateKey: privateKey})).must(t)
	broken := errors.New("no device")
	var signed string
	signers := map[error]faceverify.Signer{
		faceverify.ErrUnknownFormat: {PrivateKey: "no key"},
		faceverify.ErrBadArgument:   {},
		broken:                      {PublicKey: publicKey, Sign: func([]byte) ([]byte, error) { return nil, broken }},
		faceverify.ErrInternal: {PublicKey: publicKey, Sign: func(bytes []byte) ([]byte, error) {
			signed = string(bytes)
			return make([]byte, 64), nil
		}},
	}
	for want, signer := range signers {
		if _, err := journey.Record(signer); !errors.Is(err, want) {
			t.Errorf("%v: %v", want, err)
		}
	}
	if !strings.HasPrefix(signed, `{"body":`) {
		t.Errorf("%.100s", signed)
	}
	text := record.JSON()
	for _, one := range []struct {
		text, key string
		want      faceverify.CheckStatus
	}{
		{text, publicKey, faceverify.CheckStatusPassed},
		{text, "", faceverify.CheckStatusNotChecked},
		{strings.Replace(text, "G000000", "H000000", 1), publicKey, faceverify.CheckStatusFailed},
	} {
		read := try(faceverify.ReadRecord([]byte(one.text))).must(t)
		verification, err := read.Verify(one.key)
		if err != nil || verification.Result != one.want || len(verification.Signer) != 64 || read.JSON() != one.text {
			t.Errorf("%+v, %v", verification, err)
		}
	}
	try(record.Verify("no key")).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ReadRecord(nil)).wants(t, faceverify.ErrDamaged)
	try(faceverify.ReadRecord([]byte("{}"))).wants(t, faceverify.ErrUnknownFormat)
}
