package faceverify_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// The machine-readable zone of ICAO 9303-4, appendix B.
const specimen = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10"

var (
	// The reference date of the test chips.
	chipDate = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	zoneDate = time.Date(2010, 1, 1, 23, 59, 0, 0, time.FixedZone("", 14*3600))
)

// documents returns the folder of the test chips; that of the pages is next to it.
func documents(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(os.Getenv("FACEVERIFY_DOCUMENTS"), "chips")
	if _, err := os.Stat(filepath.Join(folder, "chips.json")); err != nil {
		t.Skip("FACEVERIFY_DOCUMENTS names no folder with the documents that scripts/test makes")
	}
	return folder
}

func testTrust(t *testing.T) *faceverify.TrustStore {
	t.Helper()
	return try(faceverify.NewTrustStore(filepath.Join(documents(t), "trust"))).must(t)
}

func readChip(t *testing.T, name string, trust *faceverify.TrustStore) *faceverify.Document {
	t.Helper()
	chip := try(faceverify.NewChip(filepath.Join(documents(t), name))).must(t)
	input := faceverify.DocumentInput{Chip: chip, Trust: trust, Date: chipDate}
	return try(testEngine(t).ReadDocument(ctx, input)).must(t)
}

func readPhoto(t *testing.T, path string) *faceverify.Document {
	t.Helper()
	input := faceverify.DocumentInput{Pages: []faceverify.Input{testImage(t, path)}, Date: chipDate}
	return try(testEngine(t).ReadDocument(ctx, input)).must(t)
}

// status returns the status of the check with this name.
func status(document *faceverify.Document, name string) faceverify.CheckStatus {
	for _, check := range document.Checks {
		if check.Name == name {
			return check.Status
		}
	}
	return 0
}

func hasFailed(document *faceverify.Document, name string) bool {
	return status(document, name) == faceverify.CheckStatusFailed
}

func hasCode(decision *faceverify.Decision, code string) bool {
	for _, reason := range decision.Reasons {
		if reason.Code == code {
			return reason.Text != ""
		}
	}
	return false
}

func TestParseMRZ(t *testing.T) {
	document := try(faceverify.ParseMRZ(specimen, zoneDate)).must(t)
	if document.Type != faceverify.DocumentTypePassport || document.TypeName != "Passport" ||
		document.Date != "2010-01-01" {
		t.Errorf("%v, %s, %s", document.Type, document.TypeName, document.Date)
	}
	for name, want := range map[string]faceverify.DocumentField{
		"documentNumber": {Value: "L898902C3", Status: faceverify.CheckStatusPassed},
		"dateOfBirth":    {Value: "1974-08-12", Status: faceverify.CheckStatusPassed},
		"address":        {Reason: "absent", Status: faceverify.CheckStatusNotChecked},
	} {
		if document.Fields[name] != want || document.PageFields[name] != want {
			t.Errorf("%s is %+v", name, document.Fields[name])
		}
	}
	names := faceverify.DocumentFieldNames()
	if len(names) < 31 || len(document.Fields) != len(names) || document.ChipFields != nil {
		t.Errorf("%d fields of %d", len(document.Fields), len(names))
	}
	if lines := strings.Join(document.MRZLines(), "\n"); lines != specimen {
		t.Errorf("lines %q", lines)
	}
	if len(document.Pages)+len(document.Steps)+len(document.Mismatches)+len(document.Portrait) != 0 ||
		document.Sample != nil || document.Verdict != 0 || document.PortraitSource != 0 || document.HasChip {
		t.Errorf("%+v", document)
	}
	if len(document.Checks) != 8 || document.Result != faceverify.CheckStatusNotChecked {
		t.Errorf("%+v", document.Checks)
	}
	var record struct{ MRZ struct{ Lines []string } }
	if err := json.Unmarshal([]byte(document.JSON()), &record); err != nil || len(record.MRZ.Lines) != 2 {
		t.Error(record, err)
	}
	later := try(faceverify.ParseMRZ(specimen, chipDate)).must(t)
	if !hasFailed(later, "expiry") || hasFailed(document, "expiry") {
		t.Errorf("%+v, %+v", document.Checks, later.Checks)
	}
}

func TestWrongCheckDigitFails(t *testing.T) {
	document := try(faceverify.ParseMRZ(strings.Replace(specimen, "C36UTO", "C37UTO", 1), zoneDate)).must(t)
	want := faceverify.DocumentField{
		Value: "L898902C3", Reason: "check-digit-wrong", Status: faceverify.CheckStatusFailed,
	}
	if document.Fields["documentNumber"] != want || !hasFailed(document, "validation") {
		t.Errorf("%+v, %+v", document.Fields["documentNumber"], document.Checks)
	}
}

func TestInvalidZones(t *testing.T) {
	try(faceverify.ParseMRZ("P<UTO", zoneDate)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ParseMRZ("", zoneDate)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ParseMRZ(strings.ToLower(specimen), zoneDate)).wants(t, faceverify.ErrDamaged)
	try(faceverify.ParseMRZ(specimen+"\x00", zoneDate)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ParseMRZ(specimen, time.Time{})).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ParseMRZ(specimen, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))).wants(t, faceverify.ErrBadArgument)
}

// Rows: DR12
func TestHashesBindPortraitAndData(t *testing.T) {
	const notChecked = faceverify.CheckStatusNotChecked
	const passed, failed = faceverify.CheckStatusPassed, faceverify.CheckStatusFailed
	document := try(faceverify.ParseMRZ(specimen, zoneDate)).must(t)
	// SHA-256 of "abc" (FIPS 180-2, B.1).
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for _, c := range []struct {
		kept           faceverify.DocumentCopy
		portrait, data faceverify.CheckStatus
	}{
		{faceverify.DocumentCopy{DataSHA256: document.DataSHA256, DataJSON: document.DataJSON}, notChecked, passed},
		{faceverify.DocumentCopy{DataSHA256: document.DataSHA256, DataJSON: document.DataJSON + " "}, notChecked, failed},
		{faceverify.DocumentCopy{PortraitSHA256: abc, Portrait: []byte("abc"), DataJSON: "abc"}, passed, notChecked},
		{faceverify.DocumentCopy{abc, abc, []byte("abd"), "abc"}, failed, passed},
		{faceverify.DocumentCopy{}, notChecked, notChecked},
	} {
		found := try(faceverify.VerifyDocument(c.kept)).must(t)
		if found.Portrait != c.portrait || found.Data != c.data {
			t.Errorf("%+v of %+v", found, c)
		}
	}
	try(faceverify.VerifyDocument(faceverify.DocumentCopy{DataSHA256: "no hash"})).wants(t, faceverify.ErrBadArgument)
}

func TestPhotoOfAPersonIsNotADocument(t *testing.T) {
	needPhotos(t)
	document := readPhoto(t, "selfie.jpg")
	if document.Type != 0 || document.PageFields != nil || document.DataSHA256+document.DataJSON != "" {
		t.Errorf("%+v", document)
	}
	if document.PortraitSource != faceverify.DocumentSourcePage ||
		!bytes.HasPrefix(document.Portrait, []byte("\x89PNG")) || !document.Sample.IsAccepted {
		t.Errorf("%v, %v", document.PortraitSource, document.PortraitProblem)
	}
	kept := faceverify.DocumentCopy{PortraitSHA256: document.PortraitSHA256, Portrait: document.Portrait}
	bound := try(faceverify.VerifyDocument(kept)).must(t)
	if bound.Portrait != faceverify.CheckStatusPassed {
		t.Errorf("%+v", bound)
	}
	if len(document.Pages) != 1 || len(document.Pages[0]) < 11 || document.Pages[0][0].Reason != "black-white-copy" {
		t.Errorf("%+v", document.Pages)
	}
	engine := testEngine(t)
	decision := try(engine.CompareDocument(ctx, portrait, document, defaults)).must(t)
	// A photo without a zone is not a document, and never a match.
	if decision.Result != faceverify.ResultRefused || !hasCode(decision, "document.portrait-page") ||
		!hasCode(decision, "document.validation") || !strings.Contains(decision.JSON(), `"match" : true`) {
		t.Errorf("%v: %v", decision.Result, decision.Reasons)
	}
	stranger := try(engine.CompareDocument(ctx, faceverify.Path("stranger.jpg"), document, defaults)).must(t)
	if stranger.Result != faceverify.ResultRefused || !hasCode(stranger, "score-beyond-threshold") {
		t.Errorf("%v: %v", stranger.Result, stranger.Reasons)
	}
	try(engine.CompareDocument(ctx, faceverify.Path("missing.jpg"), document, defaults)).wants(t, faceverify.ErrUnreadable)
	try(engine.CompareDocument(ctx, nil, document, defaults)).wants(t, faceverify.ErrBadArgument)
	try(engine.CompareDocument(ctx, portrait, nil, defaults)).wants(t, faceverify.ErrBadArgument)
	zone := try(faceverify.ParseMRZ(specimen, zoneDate)).must(t)
	try(engine.CompareDocument(ctx, portrait, zone, defaults)).wants(t, faceverify.ErrNoFace)
}

func TestDocumentInput(t *testing.T) {
	needPhotos(t)
	engine, pages := testEngine(t), []faceverify.Input{testImage(t, "stranger.jpg")}
	for _, input := range []faceverify.DocumentInput{
		{Pages: pages}, {Date: chipDate}, {Pages: []faceverify.Input{nil}, Date: chipDate},
		{Pages: make([]faceverify.Input, 65), Date: chipDate},
	} {
		try(engine.ReadDocument(ctx, input)).wants(t, faceverify.ErrBadArgument)
	}
	for _, is := range []bool{false, true} {
		input := faceverify.DocumentInput{Pages: pages, Date: chipDate, IsChipExpected: is, IsSinglePage: is}
		document := try(engine.ReadDocument(ctx, input)).must(t)
		if hasFailed(document, "chip-read") != is {
			t.Errorf("%+v", document.Checks)
		}
		decision := try(engine.CompareDocument(ctx, portrait, document, defaults)).must(t)
		if decision.Result != faceverify.ResultRefused || hasCode(decision, "document.no-chip") != is {
			t.Errorf("%v: %v", decision.Result, decision.Reasons)
		}
	}
}

func TestGenuineChipIsAuthentic(t *testing.T) {
	document := readChip(t, "td3-jpeg", testTrust(t))
	if document.Verdict != faceverify.VerdictAuthentic || !document.HasChip ||
		status(document, "passive-authentication") != faceverify.CheckStatusPassed ||
		status(document, "chip-read") != faceverify.CheckStatusPassed ||
		document.PortraitSource != faceverify.DocumentSourceChip {
		t.Errorf("%v, %+v, %v", document.Verdict, document.Checks, document.PortraitSource)
	}
	want := faceverify.DocumentField{Value: "ERIKSSON", Status: faceverify.CheckStatusPassed}
	if document.Fields["surname"] != want || document.ChipFields["surname"] != want || document.PageFields != nil {
		t.Errorf("%+v", document.Fields["surname"])
	}
	if !bytes.HasPrefix(document.Portrait, []byte("\xff\xd8\xff")) || !document.Sample.IsAccepted {
		t.Error("the portrait is not the chip's")
	}
	kept := faceverify.DocumentCopy{
		document.PortraitSHA256, document.DataSHA256, document.Portrait, document.DataJSON,
	}
	bound := try(faceverify.VerifyDocument(kept)).must(t)
	if bound.Portrait != faceverify.CheckStatusPassed || bound.Data != faceverify.CheckStatusPassed {
		t.Errorf("%+v", bound)
	}
	for _, step := range document.Steps {
		if (step.Status == faceverify.CheckStatusPassed) != (step.Reason == "") || step.Name == "" || step.Text == "" {
			t.Errorf("%+v", step)
		}
	}
	needPhotos(t)
	for name, result := range map[string]faceverify.Result{"td3-jpeg": faceverify.ResultRefused, "td3-j2k": faceverify.ResultMatch} {
		document := readChip(t, name, testTrust(t))
		decision := try(testEngine(t).CompareDocument(ctx, portrait, document, defaults)).must(t)
		// The first has expired.
		if decision.Result != result || hasCode(decision, "document.expiry") != (result == faceverify.ResultRefused) ||
			strings.Contains(decision.JSON(), "document.portrait-") {
			t.Errorf("%s: %v: %v", name, decision.Result, decision.Reasons)
		}
	}
	unknown := readChip(t, "td3-jpeg", nil)
	if unknown.Verdict != faceverify.VerdictValidWithoutAnchor ||
		status(unknown, "passive-authentication") != faceverify.CheckStatusNotChecked {
		t.Errorf("%v, %+v", unknown.Verdict, unknown.Checks)
	}
}

func TestAlteredChipsAreInvalid(t *testing.T) {
	needPhotos(t)
	trust, engine := testTrust(t), testEngine(t)
	for _, name := range []string{"wrong-hash", "wrong-signature", "revoked-signer"} {
		document := readChip(t, name, trust)
		if document.Verdict != faceverify.VerdictInvalid || document.Result != faceverify.CheckStatusFailed ||
			!hasFailed(document, "passive-authentication") {
			t.Errorf("%s: %v, %v, %+v", name, document.Verdict, document.Result, document.Checks)
		}
		decision := try(engine.CompareDocument(ctx, portrait, document, defaults)).must(t)
		if decision.Result != faceverify.ResultRefused || !hasCode(decision, "document.portrait-invalid") ||
			decision.Comparison != nil {
			t.Errorf("%s: %v: %v", name, decision.Result, decision.Reasons)
		}
	}
	damaged := readChip(t, "truncated-dg2", trust)
	if damaged.Portrait != nil || damaged.PortraitProblem == "" || damaged.Fields["documentNumber"].Value != "L898902C3" {
		t.Errorf("%+v", damaged)
	}
}

func TestFilesAreAddedOneByOne(t *testing.T) {
	folder := documents(t)
	chip, trust := try(faceverify.NewChip("")).must(t), try(faceverify.NewTrustStore("")).must(t)
	for name, add := range map[string]func(string, []byte) error{"td3-jpeg": chip.Add, "trust": trust.Add} {
		for _, entry := range try(os.ReadDir(filepath.Join(folder, name))).must(t) {
			file := try(os.ReadFile(filepath.Join(folder, name, entry.Name()))).must(t)
			if err := add(entry.Name(), file); err != nil {
				t.Error(err)
			}
		}
	}
	input := faceverify.DocumentInput{Chip: chip, Trust: trust, Date: chipDate}
	document := try(testEngine(t).ReadDocument(ctx, input)).must(t)
	if document.JSON() != readChip(t, "td3-jpeg", testTrust(t)).JSON() || trust.AnchorCount() != 4 {
		t.Error("files one by one say another thing than their folder")
	}
	broken := try(os.ReadFile(filepath.Join(folder, "masterlist", "broken.ml"))).must(t)
	wantError(t, trust.Add("broken.ml", broken), faceverify.ErrDamaged)
	if !strings.Contains(trust.JSON(), "broken.ml") || trust.AnchorCount() != 4 {
		t.Error("a refused list is not named, or was trusted")
	}
	// A valid list, but anyone can make one.
	alone, list := try(faceverify.NewTrustStore("")).must(t), filepath.Join(folder, "masterlist", "test.ml")
	right := try(os.ReadFile(list)).must(t)
	wantError(t, alone.Add("test.ml", right), faceverify.ErrUnknownFormat)
	wantError(t, alone.Pin("12"), faceverify.ErrBadArgument)
	_, pin, _ := strings.Cut(alone.JSON(), "fingerprint ")
	if err := alone.Pin(pin[:64]); err != nil {
		t.Error(err)
	}
	if err := alone.Add("test.ml", right); err != nil || alone.AnchorCount() != 4 {
		t.Error("a pinned list is not trusted", err)
	}
}

func TestInvalidChipsAndTrustStores(t *testing.T) {
	chip, trust := try(faceverify.NewChip("")).must(t), try(faceverify.NewTrustStore("")).must(t)
	try(faceverify.NewChip("/nowhere")).wants(t, faceverify.ErrUnreadable)
	try(faceverify.NewTrustStore("/nowhere")).wants(t, faceverify.ErrUnreadable)
	input := faceverify.DocumentInput{Chip: chip, Date: chipDate}
	try(testEngine(t).ReadDocument(ctx, input)).wants(t, faceverify.ErrBadArgument)
	for name, file := range map[string]string{"notes": "\x01\x02", "nothing": ""} {
		wantError(t, chip.Add(name, []byte(file)), faceverify.ErrUnknownFormat)
		wantError(t, trust.Add(name, []byte(file)), faceverify.ErrUnknownFormat)
		wantError(t, chip.Add(name+"\x00", nil), faceverify.ErrBadArgument)
		wantError(t, trust.Add(name+"\x00", nil), faceverify.ErrBadArgument)
	}
	wantError(t, trust.Add("large", make([]byte, 32<<20+1)), faceverify.ErrTooLarge)
	wantError(t, chip.Add("EF.DG2", make([]byte, 31<<20)), faceverify.ErrTooLarge)
	if err := chip.Add("EF.DG1", []byte{0x61, 0}); err != nil {
		t.Error(err)
	}
	wantError(t, chip.Add("dg01.bin", []byte{0x61, 1, 0}), faceverify.ErrBadArgument)
	document := try(testEngine(t).ReadDocument(ctx, input)).must(t)
	if !hasFailed(document, "chip-read") || document.Verdict != faceverify.VerdictNotChecked {
		t.Errorf("%+v, %v", document.Checks, document.Verdict)
	}
}

// Rows: DR26
func TestPageAndChipOfTwoDocumentsDiffer(t *testing.T) {
	page := filepath.Join(documents(t), "..", "pages", "clean-0.png")
	chip := try(faceverify.NewChip(filepath.Join(documents(t), "td1-39794-jp2"))).must(t)
	input := faceverify.DocumentInput{Pages: []faceverify.Input{testImage(t, page)}, Chip: chip, Date: chipDate}
	document := try(testEngine(t).ReadDocument(ctx, input)).must(t)
	if !hasFailed(document, "mrz-matches-chip") || len(document.Mismatches) == 0 {
		t.Errorf("%+v", document.Checks)
	}
	for _, name := range document.Mismatches {
		if document.PageFields[name].Value == document.ChipFields[name].Value {
			t.Errorf("%s is %+v twice", name, document.PageFields[name])
		}
	}
}

func TestDocumentsServeGoroutines(t *testing.T) {
	engine, trust := testEngine(t), testTrust(t)
	chip := try(faceverify.NewChip(filepath.Join(documents(t), "td3-jpeg"))).must(t)
	want := readChip(t, "td3-jpeg", trust).JSON()
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			document, err := engine.ReadDocument(ctx, faceverify.DocumentInput{Chip: chip, Trust: trust, Date: chipDate})
			if err != nil {
				t.Error(err)
				return
			}
			defer document.Close()
			if document.JSON() != want {
				t.Error("another document")
			}
		}()
	}
	all.Wait()
}
