package faceverify_test

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// codeFile returns the path of a drawn code.
func codeFile(name string) string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "../../Tests/DocumentImagingTests/Fixtures/codes", name)
}

func readCodes(t *testing.T, name string, formats ...faceverify.CodeFormat) *faceverify.Codes {
	t.Helper()
	return try(faceverify.ReadCodes(ctx, testImage(t, codeFile(name)), formats, false)).must(t)
}

// wantNone ends the test at the first error, after all calls.
func wantNone(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestCodesAreRead(t *testing.T) {
	codes := readCodes(t, "qr.png")
	if len(codes.List) != 1 || codes.Fault != 0 || codes.JSON == "" {
		t.Fatalf("%+v", codes)
	}
	code := codes.List[0]
	if code.Format != faceverify.CodeFormatQr || code.Text != "https://example.org/a?b=1" ||
		string(code.Bytes) != code.Text || code.Purpose != "link" || code.Corners[0].X >= code.Corners[1].X {
		t.Errorf("%+v", code)
	}
	if code := readCodes(t, "qr-bytes.png").List[0]; len(code.Bytes) != 256 || code.Text != "" {
		t.Errorf("%+v", code)
	}
	codes = readCodes(t, "qr.png", faceverify.CodeFormatPdf417, faceverify.CodeFormatAztec)
	if len(codes.List) != 0 || codes.Fault == 0 || codes.Fault.Text() == "" {
		t.Errorf("%+v", codes)
	}
	image := testImage(t, codeFile("qr.png"))
	try(faceverify.ReadCodes(ctx, image, []faceverify.CodeFormat{62}, false)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ReadCodes(ctx, nil, nil, false)).wants(t, faceverify.ErrBadArgument)
	over, cancel := context.WithCancel(ctx)
	cancel()
	try(faceverify.ReadCodes(over, image, nil, false)).wants(t, faceverify.ErrCancelled)
}

func TestCodeScannerConfirms(t *testing.T) {
	options := faceverify.CodeScannerOptions{
		Prefix: "https://", FramesToConfirm: 2, Zone: [4]float64{-0.1, -0.1, 1.2, 0.6}, HasTorch: true,
	}
	scanner := try(faceverify.NewCodeScanner(options)).must(t)
	frame := testImage(t, codeFile("qr.png"))
	try(scanner.Process(ctx, frame)).wants(t, faceverify.ErrAbsent)
	try(scanner.Codes()).wants(t, faceverify.ErrAbsent)
	wantNone(t, scanner.Start(), scanner.SetTorch(true))
	if info := try(scanner.Describe()).must(t); !info.IsSourceWanted || !info.IsProcessing || !info.IsTorchWanted {
		t.Errorf("%+v", info)
	}
	scan := try(scanner.Process(ctx, frame)).must(t)
	if scan.Report != faceverify.CodeReportInProgress || scan.State != faceverify.CodeStateOK || !math.IsNaN(scan.Edge) {
		t.Errorf("%+v", scan)
	}
	if specimen, err := scanner.Specimen(); specimen != nil || err != nil {
		t.Errorf("%v %v", specimen, err)
	}
	scan = try(scanner.Process(ctx, frame)).must(t)
	if scan.Report != faceverify.CodeReportCompleted || !scan.IsFinal || scan.Contrast < 200 {
		t.Errorf("%+v", scan)
	}
	if codes := try(scanner.Codes()).must(t); len(codes.List) != 1 {
		t.Errorf("%+v", codes)
	}
	specimen, zone := try(scanner.Specimen()).must(t), try(scanner.Zone()).must(t)
	if one, other := try(specimen.Info()).must(t), try(zone.Info()).must(t); one.Width != 256 || other.Height != 128 {
		t.Errorf("%+v %+v", one, other)
	}
	wantNone(t, scanner.Resume(), scanner.Pause())
	try(faceverify.NewCodeScanner(faceverify.CodeScannerOptions{Prefix: "a", Pattern: "b"})).
		wants(t, faceverify.ErrBadArgument)
	try(faceverify.NewCodeScanner(faceverify.CodeScannerOptions{PublicKey: "no key", Separator: "&"})).
		wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.NewCodeScanner(faceverify.CodeScannerOptions{})).wants(t, faceverify.ErrBadArgument)
	try(faceverify.NewCodeScanner(faceverify.CodeScannerOptions{Prefix: "a", AcceptsAny: true})).
		wants(t, faceverify.ErrBadArgument)
	dark := try(faceverify.NewCodeScanner(faceverify.CodeScannerOptions{AcceptsAny: true})).must(t)
	wantError(t, dark.SetTorch(true), faceverify.ErrBadArgument)
	dark.Close()
	wantError(t, dark.Start(), faceverify.ErrBadArgument)
}

func TestSealIsVerified(t *testing.T) {
	seal := readCodes(t, "../seals/visa-data-matrix.png", faceverify.CodeFormatDataMatrix).List[0].Bytes
	trust := try(faceverify.NewTrustStore(codeFile("../seals/trust"))).must(t)
	defer trust.Close()
	read := func(code []byte) (*faceverify.Document, string) {
		document := try(testEngine(t).ReadDocument(ctx, faceverify.DocumentInput{
			Code: code, Trust: trust, Date: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)})).must(t)
		var report struct{ Seal struct{ Verdict string } }
		wantNone(t, json.Unmarshal([]byte(document.JSON()), &report))
		return document, report.Seal.Verdict
	}
	if document, verdict := read(seal); verdict != "authentic" || document.Type != faceverify.DocumentTypeVisa {
		t.Errorf("%v %+v", verdict, document.DocumentInfo)
	}
	seal[len(seal)-1] ^= 1
	if document, verdict := read(seal); verdict != "invalid" || document.Result != faceverify.CheckStatusFailed {
		t.Errorf("%v %+v", verdict, document.DocumentInfo)
	}
}

func TestLicenceCodeIsAttached(t *testing.T) {
	payload := readCodes(t, "pdf417.png", faceverify.CodeFormatPdf417).List[0].Bytes
	engine := testEngine(t)
	input := faceverify.DocumentInput{Code: payload, Date: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}
	document := try(engine.ReadDocument(ctx, input)).must(t)
	if document.Type != faceverify.DocumentTypeDrivingLicence || document.Fields["surname"].Value != "SAMPLE" {
		t.Errorf("%+v", document.DocumentInfo)
	}
	if document.Result != faceverify.CheckStatusNotChecked || document.Assurance != faceverify.DocumentAssuranceDataOnly {
		t.Errorf("nothing signs the code: %+v", document.DocumentInfo)
	}
	input.AcceptsLicenceCode = true
	if accepted := try(engine.ReadDocument(ctx, input)).must(t); accepted.Result != faceverify.CheckStatusPassed {
		t.Errorf("%+v", accepted.DocumentInfo)
	}
	input.Code = []byte("P<UTO")
	try(engine.ReadDocument(ctx, input)).wants(t, faceverify.ErrUnknownFormat)
	needPhotos(t)
	journey := startedJourney(t, ctx, faceverify.JourneyOptions{Configuration: map[string]any{
		"requests": []any{map[string]any{
			"category": "id", "types": []string{"driving-licence"}, "countries": []string{"USA"},
		}},
		"givesInstantFeedback": false, "date": "2024-06-01",
	}})
	now := journeyTime.Add(2 * time.Second)
	wantNone(t,
		journey.StartCredential(0, now), journey.StartPart(faceverify.JourneyPartFront, faceverify.ScanModeFile, now),
		journey.AttachImage(testImage(t, "selfie.jpg"), now), journey.Perform(faceverify.JourneyCallFinishPart, now),
		journey.StartPart(faceverify.JourneyPartBack, faceverify.ScanModeBarcode, now))
	wantError(t, journey.AttachCode([]byte("P<UTO"), now), faceverify.ErrUnknownFormat)
	wantNone(t, journey.AttachCode(payload, now))
}
