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

	"faceverify"
)

// A zone of ICAO 9303-4, appendix B.
const specimen = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10"

var (
	// For which the made chips are made.
	chipDate = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	zoneDate = time.Date(2010, 1, 1, 23, 59, 0, 0, time.FixedZone("", 14*3600))
)

// documents is the folder of the made chips; that of the pages is beside it.
func documents(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(os.Getenv("FACEVERIFY_DOCUMENTS"), "chips")
	if _, err := os.Stat(filepath.Join(folder, "chips.json")); err != nil {
		t.Skip("FACEVERIFY_DOCUMENTS names no folder with the documents that scripts/test makes")
	}
	return folder
}

func testTrust(t *testing.T) *faceverify.Trust {
	t.Helper()
	return try(faceverify.NewTrust(filepath.Join(documents(t), "trust"))).must(t)
}

func readChip(t *testing.T, name string, trust *faceverify.Trust) *faceverify.Document {
	t.Helper()
	chip := try(faceverify.NewChip(filepath.Join(documents(t), name))).must(t)
	options := faceverify.DocumentOptions{Chip: chip, Trust: trust}
	return try(testEngine(t).ReadDocument(nil, chipDate, options)).must(t)
}

func readPhoto(t *testing.T, path string) *faceverify.Document {
	t.Helper()
	pages := []*faceverify.Image{testImage(t, path)}
	return try(testEngine(t).ReadDocument(pages, chipDate, faceverify.DocumentOptions{})).must(t)
}

func hasStatus(document *faceverify.Document, status faceverify.DocumentStatus) bool {
	for _, one := range document.Statuses {
		if one == status {
			return true
		}
	}
	return false
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
	if document.Type != "passport" || document.TypeName != "Passport" || document.Date != "2010-01-01" {
		t.Errorf("%s, %s, %s", document.Type, document.TypeName, document.Date)
	}
	for name, want := range map[string]faceverify.DocumentField{
		"documentNumber": {Value: "L898902C3", Status: faceverify.FieldOK},
		"dateOfBirth":    {Value: "1974-08-12", Status: faceverify.FieldOK},
		"address":        {Reason: "absent", Status: faceverify.FieldNotChecked},
	} {
		if document.Fields[name] != want || document.PageFields[name] != want {
			t.Errorf("%s is %+v", name, document.Fields[name])
		}
	}
	names := faceverify.DocumentFields()
	if len(names) < 32 || len(document.Fields) != len(names) || document.ChipFields != nil {
		t.Errorf("%d fields of %d", len(document.Fields), len(names))
	}
	if lines := strings.Join(document.MRZLines(), "\n"); lines != specimen {
		t.Errorf("lines %q", lines)
	}
	if len(document.Pages)+len(document.Steps)+len(document.Mismatches)+len(document.Portrait) != 0 ||
		document.Sample != nil || document.Verdict != 0 || document.PortraitTrust != 0 || document.HasChip {
		t.Errorf("%+v", document)
	}
	if len(document.Checks) != 5 || document.RFIDStatus != faceverify.RFIDUndefined {
		t.Errorf("%+v", document.Checks)
	}
	var record struct{ MRZ struct{ Lines []string } }
	if err := json.Unmarshal([]byte(document.JSON()), &record); err != nil || len(record.MRZ.Lines) != 2 {
		t.Error(record, err)
	}
	later := try(faceverify.ParseMRZ(specimen, chipDate)).must(t)
	if !hasStatus(later, faceverify.DocumentExpired) || hasStatus(document, faceverify.DocumentExpired) {
		t.Errorf("%v, %v", document.Statuses, later.Statuses)
	}
}

func TestWrongCheckDigit(t *testing.T) {
	document := try(faceverify.ParseMRZ(strings.Replace(specimen, "C36UTO", "C37UTO", 1), zoneDate)).must(t)
	want := faceverify.DocumentField{Value: "L898902C3", Reason: "check-digit-wrong", Status: faceverify.FieldError}
	if document.Fields["documentNumber"] != want || !hasStatus(document, faceverify.DocumentValidationError) {
		t.Errorf("%+v, %v", document.Fields["documentNumber"], document.Statuses)
	}
}

func TestWhatIsNoZone(t *testing.T) {
	try(faceverify.ParseMRZ("P<UTO", zoneDate)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ParseMRZ("", zoneDate)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.ParseMRZ(strings.ToLower(specimen), zoneDate)).wants(t, faceverify.ErrDamaged)
	try(faceverify.ParseMRZ(specimen+"\x00", zoneDate)).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ParseMRZ(specimen, time.Time{})).wants(t, faceverify.ErrBadArgument)
	try(faceverify.ParseMRZ(specimen, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))).wants(t, faceverify.ErrBadArgument)
}

func TestVerifyDocument(t *testing.T) {
	const notChecked, passed, failed = faceverify.NotChecked, faceverify.Passed, faceverify.Failed
	document := try(faceverify.ParseMRZ(specimen, zoneDate)).must(t)
	// SHA-256 of "abc" (FIPS 180-2, B.1).
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for _, c := range []struct {
		photoHash, dataHash, photo, data string
		want                             faceverify.DocumentBinding
	}{
		{"", document.DataHash, "", document.DataJSON, faceverify.DocumentBinding{Photo: notChecked, Data: passed}},
		{"", document.DataHash, "", document.DataJSON + " ", faceverify.DocumentBinding{Photo: notChecked, Data: failed}},
		{abc, "", "abc", "abc", faceverify.DocumentBinding{Photo: passed, Data: notChecked}},
		{abc, abc, "abd", "abc", faceverify.DocumentBinding{Photo: failed, Data: passed}},
		{"", "", "", "", faceverify.DocumentBinding{Photo: notChecked, Data: notChecked}},
	} {
		found := try(faceverify.VerifyDocument(c.photoHash, c.dataHash, []byte(c.photo), c.data)).must(t)
		if found != c.want {
			t.Errorf("%+v, want %+v", found, c.want)
		}
	}
	try(faceverify.VerifyDocument("no hash", "", nil, "")).wants(t, faceverify.ErrBadArgument)
}

func TestPageOfNoDocument(t *testing.T) {
	needPhotos(t)
	document := readPhoto(t, "selfie.jpg")
	if document.Type != "UNKNOWN" || document.PageFields != nil || document.DataHash+document.DataJSON != "" {
		t.Errorf("%+v", document)
	}
	if document.PortraitTrust != faceverify.PortraitPage || !bytes.HasPrefix(document.Portrait, []byte("\x89PNG")) ||
		!document.Sample.Accepted {
		t.Errorf("%v, %v", document.PortraitTrust, document.PortraitProblem)
	}
	bound := try(faceverify.VerifyDocument(document.PhotoHash, "", document.Portrait, "")).must(t)
	if bound.Photo != faceverify.Passed {
		t.Errorf("%+v", bound)
	}
	if len(document.Pages) != 1 || len(document.Pages[0]) < 11 || document.Pages[0][0].Number != 102 {
		t.Errorf("%+v", document.Pages)
	}
	credential := testCredential(t)
	decision := try(credential.CompareDocument(portrait, document)).must(t)
	if decision.Result != faceverify.Match || !hasCode(decision, "document.portrait-page") {
		t.Errorf("%v: %v", decision.Result, decision.Reasons)
	}
	stranger := try(credential.CompareDocument(faceverify.Path("stranger.jpg"), document)).must(t)
	if stranger.Result != faceverify.NoMatch {
		t.Errorf("%v: %v", stranger.Result, stranger.Reasons)
	}
	try(credential.CompareDocument(faceverify.Path("missing.jpg"), document)).wants(t, faceverify.ErrUnreadable)
	try(credential.CompareDocument(nil, document)).wants(t, faceverify.ErrBadArgument)
	try(credential.CompareDocument(portrait, nil)).wants(t, faceverify.ErrBadArgument)
	zone := try(faceverify.ParseMRZ(specimen, zoneDate)).must(t)
	try(credential.CompareDocument(portrait, zone)).wants(t, faceverify.ErrNoFace)
}

func TestDocumentOptions(t *testing.T) {
	needPhotos(t)
	const bad = faceverify.ErrBadArgument
	engine, pages := testEngine(t), []*faceverify.Image{testImage(t, "stranger.jpg")}
	for _, options := range []faceverify.DocumentOptions{
		{ReadRFID: 3}, {Multipage: -1},
	} {
		try(engine.ReadDocument(pages, chipDate, options)).wants(t, bad)
	}
	try(engine.ReadDocument(pages, time.Time{}, faceverify.DocumentOptions{})).wants(t, bad)
	try(engine.ReadDocument(nil, chipDate, faceverify.DocumentOptions{})).wants(t, bad)
	try(engine.ReadDocument([]*faceverify.Image{nil}, chipDate, faceverify.DocumentOptions{})).wants(t, bad)
	try(engine.ReadDocument(make([]*faceverify.Image, 65), chipDate, faceverify.DocumentOptions{})).wants(t, bad)
	for _, options := range []faceverify.DocumentOptions{
		{ReadRFID: faceverify.Yes},
		{Multipage: faceverify.No},
	} {
		document := try(engine.ReadDocument(pages, chipDate, options)).must(t)
		if hasStatus(document, faceverify.DocumentRFIDTagNotFound) != (options.ReadRFID == faceverify.Yes) {
			t.Errorf("%v", document.Statuses)
		}
	}
}

func TestGenuineChip(t *testing.T) {
	document := readChip(t, "td3-jpeg", testTrust(t))
	if document.Verdict != faceverify.Authentic || document.RFIDStatus != faceverify.RFIDSuccess || !document.HasChip ||
		document.PortraitTrust != faceverify.PortraitAuthentic {
		t.Errorf("%v, %v, %v", document.Verdict, document.RFIDStatus, document.PortraitTrust)
	}
	want := faceverify.DocumentField{Value: "ERIKSSON", Status: faceverify.FieldOK}
	if document.Fields["surname"] != want || document.ChipFields["surname"] != want || document.PageFields != nil {
		t.Errorf("%+v", document.Fields["surname"])
	}
	if !bytes.HasPrefix(document.Portrait, []byte("\xff\xd8\xff")) || !document.Sample.Accepted {
		t.Error("the portrait is not the chip's")
	}
	bound := try(faceverify.VerifyDocument(document.PhotoHash, document.DataHash, document.Portrait, document.DataJSON))
	if want := (faceverify.DocumentBinding{Photo: faceverify.Passed, Data: faceverify.Passed}); bound.must(t) != want {
		t.Errorf("%+v", bound.value)
	}
	for _, step := range document.Steps {
		if (step.Status == faceverify.Passed) != (step.Reason == "") || step.Name == "" || step.Text == "" {
			t.Errorf("%+v", step)
		}
	}
	needPhotos(t)
	decision := try(testCredential(t).CompareDocument(portrait, document)).must(t)
	if decision.Result != faceverify.Match || strings.Contains(decision.JSON(), "document.portrait-") {
		t.Errorf("%v: %v", decision.Result, decision.Reasons)
	}
	unknown := readChip(t, "td3-jpeg", nil)
	if unknown.Verdict != faceverify.ValidWithoutAnchor || unknown.RFIDStatus != faceverify.RFIDUndefined {
		t.Errorf("%v, %v", unknown.Verdict, unknown.RFIDStatus)
	}
}

func TestChangedChips(t *testing.T) {
	needPhotos(t)
	trust, credential := testTrust(t), testCredential(t)
	for _, name := range []string{"wrong-hash", "wrong-signature", "revoked-signer"} {
		document := readChip(t, name, trust)
		if document.Verdict != faceverify.Invalid || document.PortraitTrust != faceverify.PortraitAltered ||
			!hasStatus(document, faceverify.DocumentRFIDPassiveAuthentication) {
			t.Errorf("%s: %v, %v, %v", name, document.Verdict, document.PortraitTrust, document.Statuses)
		}
		decision := try(credential.CompareDocument(portrait, document)).must(t)
		if decision.Result != faceverify.Refused || !hasCode(decision, "document.portrait-invalid") ||
			decision.Comparison != nil {
			t.Errorf("%s: %v: %v", name, decision.Result, decision.Reasons)
		}
	}
	damaged := readChip(t, "truncated-dg2", trust)
	if damaged.Portrait != nil || damaged.PortraitProblem == "" || damaged.Fields["documentNumber"].Value != "L898902C3" {
		t.Errorf("%+v", damaged)
	}
}

func TestFilesOneByOne(t *testing.T) {
	folder := documents(t)
	chip, trust := try(faceverify.NewChip("")).must(t), try(faceverify.NewTrust("")).must(t)
	for name, add := range map[string]func(string, []byte) error{"td3-jpeg": chip.Add, "trust": trust.Add} {
		for _, entry := range try(os.ReadDir(filepath.Join(folder, name))).must(t) {
			file := try(os.ReadFile(filepath.Join(folder, name, entry.Name()))).must(t)
			if err := add(entry.Name(), file); err != nil {
				t.Error(err)
			}
		}
	}
	options := faceverify.DocumentOptions{Chip: chip, Trust: trust}
	document := try(testEngine(t).ReadDocument(nil, chipDate, options)).must(t)
	if document.JSON() != readChip(t, "td3-jpeg", testTrust(t)).JSON() || trust.AnchorCount() != 4 {
		t.Error("files one by one say another thing than their folder")
	}
	broken := try(os.ReadFile(filepath.Join(folder, "masterlist", "broken.ml"))).must(t)
	wantError(t, trust.Add("broken.ml", broken), faceverify.ErrDamaged)
	if !strings.Contains(trust.JSON(), "broken.ml") || trust.AnchorCount() != 4 {
		t.Error("a refused list is not named, or was trusted")
	}
}

func TestWhatIsNoChipAndNoTrust(t *testing.T) {
	chip, trust := try(faceverify.NewChip("")).must(t), try(faceverify.NewTrust("")).must(t)
	try(faceverify.NewChip("/nowhere")).wants(t, faceverify.ErrUnreadable)
	try(faceverify.NewTrust("/nowhere")).wants(t, faceverify.ErrUnreadable)
	options := faceverify.DocumentOptions{Chip: chip}
	try(testEngine(t).ReadDocument(nil, chipDate, options)).wants(t, faceverify.ErrBadArgument)
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
	document := try(testEngine(t).ReadDocument(nil, chipDate, options)).must(t)
	if !hasStatus(document, faceverify.DocumentRFIDGenericError) || document.Verdict != faceverify.VerdictNotChecked {
		t.Errorf("%v, %v", document.Statuses, document.Verdict)
	}
}

func TestPageAndChipOfAnotherDocument(t *testing.T) {
	page := filepath.Join(documents(t), "..", "pages", "clean-0.png")
	chip := try(faceverify.NewChip(filepath.Join(documents(t), "td1-39794-jp2"))).must(t)
	pages, options := []*faceverify.Image{testImage(t, page)}, faceverify.DocumentOptions{Chip: chip}
	document := try(testEngine(t).ReadDocument(pages, chipDate, options)).must(t)
	if !hasStatus(document, faceverify.DocumentMRZRFIDMismatch) || len(document.Mismatches) == 0 {
		t.Errorf("%v", document.Statuses)
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
			options := faceverify.DocumentOptions{Chip: chip, Trust: trust}
			document, err := engine.ReadDocument(nil, chipDate, options)
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
