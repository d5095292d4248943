package faceverify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

const (
	selfie   = faceverify.Path("selfie.jpg")
	portrait = faceverify.Path("portrait.jpg")
	stranger = faceverify.Path("stranger.jpg")
)

func TestCompare(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	match := try(engine.Compare(ctx, selfie, portrait, defaults)).must(t)
	other := try(engine.Compare(ctx, selfie, stranger, defaults)).must(t)

	if match.Result != faceverify.ResultMatch || other.Result != faceverify.ResultNoMatch {
		t.Fatalf("%v and %v, want match and no-match", match.Result, other.Result)
	}
	threshold := try(engine.Threshold(1e-3)).must(t)
	for _, decision := range []*faceverify.Decision{match, other} {
		c := decision.Comparison
		if c.IsMatch != (c.Score <= c.Threshold) || c.IsMatch != (decision.Result == faceverify.ResultMatch) {
			t.Errorf("%v with %+v", decision.Result, c)
		}
		if c.Threshold != threshold.Score || c.DecidedAt != 1e-3 {
			t.Errorf("%+v, want the threshold %+v", c, threshold)
		}
		if c.Similarity < 0 || c.Similarity > 100 || c.FalseMatchRate > c.FalseMatchRateUpperBound {
			t.Errorf("%+v", c)
		}
	}
	if !(match.Comparison.Similarity > other.Comparison.Similarity) || !match.Comparison.IsBeyondCalibration ||
		other.Comparison.IsBeyondCalibration {
		t.Errorf("%+v and %+v", match.Comparison, other.Comparison)
	}
	if len(other.Reasons) == 0 || other.Reasons[0].Code != "score-beyond-threshold" || other.Reasons[0].Text == "" {
		t.Errorf("reasons %+v", other.Reasons)
	}
	for _, reason := range match.Reasons {
		if !strings.HasPrefix(reason.Code, "selfie.") && !strings.HasPrefix(reason.Code, "portrait.") {
			t.Errorf("a match for the reason %+v", reason)
		}
	}
}

func TestCopiesOfOnePicture(t *testing.T) {
	needPhotos(t)
	decision := try(testEngine(t).Compare(ctx, selfie, selfie, defaults)).must(t)
	if decision.Result != faceverify.ResultRefused || decision.Reasons[0].Code != "same-picture" {
		t.Errorf("%v: %+v", decision.Result, decision.Reasons)
	}
}

func TestDecisionRecord(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	decision := try(engine.Compare(ctx, selfie, portrait, defaults)).must(t)
	var record struct {
		Result, Version  string
		Reasons          []struct{ Code, Text, Status string }
		Comparison       struct{ Score float64 }
		Selfie, Portrait struct{ Input struct{ SHA256 string } }
	}
	if err := json.Unmarshal([]byte(decision.JSON()), &record); err != nil {
		t.Fatal(err)
	}
	info := try(testImage(t, "selfie.jpg").Info()).must(t)
	if record.Result != "match" || record.Version != faceverify.Version() ||
		record.Selfie.Input.SHA256 != info.SHA256 || len(record.Reasons) != len(decision.Reasons) ||
		math.Abs(record.Comparison.Score-decision.Comparison.Score) > 1e-4 {
		t.Errorf("the record says %+v", record)
	}
	if again := try(engine.Compare(ctx, selfie, portrait, defaults)).must(t); again.JSON() != decision.JSON() {
		t.Error("the same photos give two records")
	}
}

// An image gives the same result from a file, from memory, and decoded by Go.
func TestCompareInputs(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	file := try(os.ReadFile("selfie.jpg")).must(t)
	fromBytes := try(faceverify.ImageFromBytes(file, noLimits)).must(t)
	decoded := try(jpeg.Decode(bytes.NewReader(file))).must(t)
	fromGo := try(faceverify.ImageFromImage(decoded, noLimits)).must(t)

	want := try(engine.Compare(ctx, selfie, portrait, defaults)).must(t).Comparison.Score
	for _, input := range []faceverify.Input{testImage(t, "selfie.jpg"), fromBytes} {
		if score := try(engine.Compare(ctx, input, portrait, defaults)).must(t).Comparison.Score; score != want {
			t.Errorf("score %v, want %v", score, want)
		}
	}
	if score := try(engine.Compare(ctx, fromGo, portrait, defaults)).must(t).Comparison.Score; math.Abs(score-want) > 1 {
		t.Errorf("decoded by Go: score %v, want about %v", score, want)
	}
}

func TestCompareErrors(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	file := try(os.ReadFile("selfie.jpg")).must(t)
	faceless := try(faceverify.ImageFromImage(noise(640, 480), noLimits)).must(t)
	damaged := try(faceverify.ImageFromBytes(file[:len(file)/2], noLimits)).must(t)
	if err := os.WriteFile("text.txt", []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove("text.txt")
	var noImage *faceverify.Image
	var noTemplate *faceverify.Template
	for name, test := range map[string]struct {
		input  faceverify.Input
		status faceverify.Status
	}{
		"no face":      {faceless, faceverify.ErrNoFace},
		"damaged":      {damaged, faceverify.ErrDamaged},
		"no file":      {faceverify.Path("no such file"), faceverify.ErrUnreadable},
		"no picture":   {faceverify.Path("text.txt"), faceverify.ErrUnknownFormat},
		"empty path":   {faceverify.Path(""), faceverify.ErrBadArgument},
		"0 byte":       {faceverify.Path("selfie.jpg\x00"), faceverify.ErrBadArgument},
		"nil":          {nil, faceverify.ErrBadArgument},
		"nil image":    {noImage, faceverify.ErrBadArgument},
		"nil template": {noTemplate, faceverify.ErrBadArgument},
	} {
		t.Run(name, func(t *testing.T) {
			try(engine.Compare(ctx, test.input, portrait, defaults)).wants(t, test.status)
			try(engine.Compare(ctx, selfie, test.input, defaults)).wants(t, test.status)
		})
	}
	_, err := engine.Compare(ctx, selfie, faceless, defaults)
	if err == nil || !strings.HasPrefix(err.Error(), "faceverify: portrait: ") {
		t.Errorf("%v does not name the side", err)
	}
}

func TestRefused(t *testing.T) {
	needPhotos(t)
	strict := try(faceverify.NewQualityPolicy(faceverify.SelfiePolicy)).must(t)
	if err := strict.Require("inter-eye-distance", 10_000, math.NaN(), 5_000, math.NaN()); err != nil {
		t.Fatal(err)
	}
	policy := faceverify.ComparisonPolicy{Selfie: strict}
	decision := try(testEngine(t).Compare(ctx, selfie, portrait, policy)).must(t)
	if decision.Result != faceverify.ResultRefused || decision.Comparison != nil {
		t.Fatalf("%v with %+v", decision.Result, decision.Comparison)
	}
	if len(decision.Reasons) == 0 || decision.Reasons[0].Code != "selfie.inter-eye-distance" {
		t.Errorf("reasons %+v", decision.Reasons)
	}
	if decision.Selfie.IsAccepted || decision.Selfie.Template != nil || !decision.Portrait.IsAccepted {
		t.Error("not the selfie was refused")
	}
}

func TestComparisonPolicy(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	for _, rate := range []float64{1e-2, 2e-3, 1e-3, 1e-4} {
		policy := faceverify.ComparisonPolicy{FalseMatchRate: rate}
		if c := try(engine.Compare(ctx, selfie, portrait, policy)).must(t).Comparison; c.DecidedAt != rate {
			t.Errorf("decided at %v, want %v", c.DecidedAt, rate)
		}
	}
	all := faceverify.ComparisonPolicy{FalseMatchRate: 1e-4, Among: "all"}
	if record := try(engine.Compare(ctx, selfie, portrait, all)).must(t).JSON(); !strings.Contains(record, `"1e-4 among all"`) {
		t.Errorf("not decided among all: %s", record)
	}
	chip := try(faceverify.NewQualityPolicy(faceverify.ChipPortraitPolicy)).must(t)
	policy := faceverify.ComparisonPolicy{Portrait: chip}
	decision := try(engine.Compare(ctx, selfie, portrait, policy)).must(t)
	if record := decision.Portrait.JSON(); !strings.Contains(record, `"chip-portrait"`) {
		t.Errorf("not under the policy: %s", record)
	}
	chip.Close()
	try(engine.Compare(ctx, selfie, portrait, policy)).wants(t, faceverify.ErrBadArgument)
	for rate, status := range map[float64]faceverify.Status{
		0.5: faceverify.ErrUnsupportedRate, -1: faceverify.ErrBadArgument,
	} {
		policy := faceverify.ComparisonPolicy{FalseMatchRate: rate}
		try(engine.Compare(ctx, selfie, portrait, policy)).wants(t, status)
	}
}

func TestDetect(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	picture := testImage(t, "selfie.jpg")
	info := try(picture.Info()).must(t)
	faces := try(engine.Detect(ctx, picture, faceverify.DetectOptions{})).must(t)
	if len(faces.List) != 1 || !json.Valid([]byte(faces.JSON)) {
		t.Fatalf("%d faces: %s", len(faces.List), faces.JSON)
	}
	face := faces.List[0]
	inside := func(x, y float64) bool {
		return x > face.X-face.Width && x < face.X+2*face.Width &&
			y > face.Y-face.Height && y < face.Y+2*face.Height
	}
	if face.Width <= 0 || face.X+face.Width > float64(info.Width) || face.Turn != 0 ||
		!(face.Score > 0 && face.Score <= 1) {
		t.Errorf("%+v", face)
	}
	// The subject's left eye is to the right of the other one.
	if !(face.RightEyeOuter.X < face.RightEyeInner.X && face.RightEyeInner.X < face.NoseBase.X &&
		face.NoseBase.X < face.LeftEyeInner.X && face.LeftEyeInner.X < face.LeftEyeOuter.X &&
		face.NoseBase.Y > face.LeftEyeOuter.Y) {
		t.Errorf("the points are out of order: %+v", face)
	}
	if math.Abs(face.Yaw) > 30 || math.Abs(face.Pitch) > 30 || math.Abs(face.Roll) > 30 {
		t.Errorf("yaw %v, pitch %v, roll %v", face.Yaw, face.Pitch, face.Roll)
	}
	if !(face.LeftEyeOpenness > 0.05 && face.RightEyeOpenness > 0.05) {
		t.Errorf("the eyes are open by %v and %v", face.LeftEyeOpenness, face.RightEyeOpenness)
	}
	if len(face.Mesh) != 468 || len(face.LeftEye) != 21 || len(face.RightEye) != 21 {
		t.Fatalf("%d points of the mesh, %d and %d of the eyes", len(face.Mesh), len(face.LeftEye), len(face.RightEye))
	}
	for _, point := range face.Mesh {
		if !inside(point.X, point.Y) || math.Abs(point.Depth) > face.Width {
			t.Fatalf("%+v is far from %+v", point, face.Face)
		}
	}
	iris := func(eye []faceverify.Point) faceverify.Point { return eye[16] }
	distance := math.Hypot(iris(face.LeftEye).X-iris(face.RightEye).X, iris(face.LeftEye).Y-iris(face.RightEye).Y)
	if math.Abs(distance-face.InterEyeDistance) > 0.2*face.InterEyeDistance {
		t.Errorf("the irises are %v apart, the eyes %v", distance, face.InterEyeDistance)
	}

	faceless := try(faceverify.ImageFromImage(noise(320, 240), noLimits)).must(t)
	if none := try(engine.Detect(ctx, faceless, faceverify.DetectOptions{})).must(t); len(none.List) != 0 {
		t.Errorf("%d faces in noise", len(none.List))
	}
	try(engine.Detect(ctx, nil, faceverify.DetectOptions{})).wants(t, faceverify.ErrBadArgument)
}

// A large face and a small one: with the option both are found.
func TestDetectSmallFaces(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	large := decode(t, "selfie.jpg")
	canvas := image.NewRGBA(image.Rect(0, 0, large.Bounds().Dx()+200, large.Bounds().Dy()))
	for y := 0; y < large.Bounds().Dy(); y++ {
		for x := 0; x < large.Bounds().Dx(); x++ {
			canvas.Set(x, y, large.At(x, y))
		}
	}
	const scale = 5
	for y := 0; y < large.Bounds().Dy()/scale; y++ {
		for x := 0; x < 200; x++ {
			canvas.Set(large.Bounds().Dx()+x, y, large.At(x*scale, y*scale))
		}
	}
	picture := try(faceverify.ImageFromImage(canvas, noLimits)).must(t)
	usual := try(engine.Detect(ctx, picture, faceverify.DetectOptions{})).must(t)
	all := try(engine.Detect(ctx, picture, faceverify.DetectOptions{SmallFaces: true})).must(t)
	if len(usual.List) != 1 || len(all.List) != 2 {
		t.Fatalf("%d and %d faces, want 1 and 2", len(usual.List), len(all.List))
	}
	if all.List[0].Width < all.List[1].Width {
		t.Error("the most prominent face is not the first")
	}
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	file := try(os.ReadFile(path)).must(t)
	return try(jpeg.Decode(bytes.NewReader(file))).must(t)
}

func TestSampleAndAssess(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	picture := testImage(t, "selfie.jpg")
	sample := try(engine.Sample(ctx, picture, nil)).must(t)
	assessment := try(engine.Assess(ctx, picture, nil)).must(t)
	if sample.Template == nil || assessment.Template != nil {
		t.Fatalf("templates %v and %v", sample.Template, assessment.Template)
	}
	if sample.JSON() != assessment.JSON() || !json.Valid([]byte(sample.JSON())) {
		t.Errorf("%s\nand %s", sample.JSON(), assessment.JSON())
	}
	if !sample.IsAccepted || !(sample.Quality > 0 && sample.Quality <= 100) || len(sample.Faces) != 1 {
		t.Errorf("accepted %v, quality %v, %d faces", sample.IsAccepted, sample.Quality, len(sample.Faces))
	}
	measures := faceverify.QualityMeasures()
	if len(sample.Checks) != len(measures) {
		t.Fatalf("%d checks, want %d", len(sample.Checks), len(measures))
	}
	for i, check := range sample.Checks {
		if check.Measure != measures[i] || check.Unit == "" ||
			(check.Advice == "") != (check.Status == faceverify.CheckStatusPassed) {
			t.Errorf("%+v", check)
		}
		if (check.Consequence == 0) != (check.Status != faceverify.CheckStatusFailed) {
			t.Errorf("%+v", check)
		}
		within := !(check.Value < check.Minimum) && !(check.Value > check.Maximum)
		if check.Status == faceverify.CheckStatusPassed && !within ||
			check.Status == faceverify.CheckStatusFailed && within {
			t.Errorf("%+v", check)
		}
		if !(check.Score >= 0 && check.Score <= 100) {
			t.Errorf("%+v", check)
		}
	}
	faceless := try(faceverify.ImageFromImage(noise(320, 240), noLimits)).must(t)
	try(engine.Sample(ctx, faceless, nil)).wants(t, faceverify.ErrNoFace)
	try(engine.Assess(ctx, faceless, nil)).wants(t, faceverify.ErrNoFace)
	try(engine.Sample(ctx, nil, nil)).wants(t, faceverify.ErrBadArgument)
	try(engine.Assess(ctx, nil, nil)).wants(t, faceverify.ErrBadArgument)
}

func TestRequire(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	picture := testImage(t, "selfie.jpg")
	none := math.NaN()
	for name, test := range map[string]struct {
		limits      [4]float64
		status      faceverify.CheckStatus
		consequence faceverify.Consequence
	}{
		"nothing":       {[4]float64{none, none, none, none}, faceverify.CheckStatusNotChecked, 0},
		"reached":       {[4]float64{10, none, none, none}, faceverify.CheckStatusPassed, 0},
		"warned below":  {[4]float64{9000, none, 10, none}, faceverify.CheckStatusFailed, faceverify.ConsequenceWarn},
		"refused below": {[4]float64{9000, none, 8000, none}, faceverify.CheckStatusFailed, faceverify.ConsequenceRefuse},
		"warned above":  {[4]float64{none, 10, none, 9000}, faceverify.CheckStatusFailed, faceverify.ConsequenceWarn},
		"refused above": {[4]float64{none, 10, none, 20}, faceverify.CheckStatusFailed, faceverify.ConsequenceRefuse},
	} {
		t.Run(name, func(t *testing.T) {
			policy := try(faceverify.NewQualityPolicy(faceverify.DocumentPortraitPolicy)).must(t)
			l := test.limits
			if err := policy.Require("inter-eye-distance", l[0], l[1], l[2], l[3]); err != nil {
				t.Fatal(err)
			}
			sample := try(engine.Sample(ctx, picture, policy)).must(t)
			for _, check := range sample.Checks {
				if check.Measure != "inter-eye-distance" {
					continue
				}
				if check.Status != test.status || check.Consequence != test.consequence {
					t.Errorf("%v, %v, want %v, %v", check.Status, check.Consequence, test.status, test.consequence)
				}
				same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
				if !same(check.Minimum, l[0]) || !same(check.Maximum, l[1]) {
					t.Errorf("from %v to %v, want %v", check.Minimum, check.Maximum, l)
				}
			}
			refused := test.consequence == faceverify.ConsequenceRefuse
			if sample.IsAccepted == refused || (sample.Template == nil) != refused {
				t.Errorf("accepted %v, template %v", sample.IsAccepted, sample.Template)
			}
		})
	}
}

func TestQualityPolicyErrors(t *testing.T) {
	for _, name := range []string{
		faceverify.SelfiePolicy, faceverify.DocumentPortraitPolicy, faceverify.ChipPortraitPolicy,
	} {
		policy := try(faceverify.NewQualityPolicy(name)).must(t)
		for _, measure := range faceverify.QualityMeasures() {
			if err := policy.Require(measure, 0, 1, 0, 1); err != nil {
				t.Errorf("%s: %v", measure, err)
			}
		}
		wantError(t, policy.Require("beauty", 0, 1, 0, 1), faceverify.ErrBadArgument)
		wantError(t, policy.Require("sharpness\x00", 0, 1, 0, 1), faceverify.ErrBadArgument)
	}
	try(faceverify.NewQualityPolicy("passport")).wants(t, faceverify.ErrBadArgument)
	try(faceverify.NewQualityPolicy("selfie\x00")).wants(t, faceverify.ErrBadArgument)
}

func TestMeasures(t *testing.T) {
	measures := faceverify.QualityMeasures()
	if len(measures) != 20 || measures[0] != "single-face-present" {
		t.Errorf("%q", measures)
	}
}

// The dlib set has no mesh, and its templates are incompatible with those of the other set.
func TestDlibSet(t *testing.T) {
	needPhotos(t)
	engine := try(faceverify.NewEngine(faceverify.EngineOptions{ModelSet: "dlib"})).must(t)
	sample := try(engine.Sample(ctx, testImage(t, "selfie.jpg"), nil)).must(t)
	face := sample.Faces[0]
	if face.Mesh != nil || face.LeftEye != nil || face.RightEye != nil {
		t.Error("there is a mesh")
	}
	for _, value := range []float64{face.Yaw, face.Pitch, face.Roll, face.LeftEyeOpenness, face.RightEyeOpenness} {
		if !math.IsNaN(value) {
			t.Errorf("%v was not measured", value)
		}
	}
	for _, check := range sample.Checks {
		if check.Measure == "eyes-open" &&
			(check.Status != faceverify.CheckStatusNotChecked || !math.IsNaN(check.Value) || !math.IsNaN(check.Score)) {
			t.Errorf("%+v", check)
		}
	}
	foreign := try(testEngine(t).Compare(ctx, sample.Template, portrait, defaults))
	foreign.wants(t, faceverify.ErrIncompatibleTemplate)
	if foreign.err != nil && !strings.Contains(foreign.err.Error(), "made with the model set dlib, ") {
		t.Errorf("the message does not name the set: %v", foreign.err)
	}
	own := try(faceverify.TemplateFromBytes(templateBytes(t, testEngine(t), "selfie.jpg"))).must(t)
	try(engine.CompareTemplates(own, own, 0)).wants(t, faceverify.ErrIncompatibleTemplate)
}

func TestEngineServesGoroutines(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	picture := testImage(t, "selfie.jpg")
	match := try(engine.Compare(ctx, picture, portrait, defaults)).must(t).JSON()
	other := try(engine.Compare(ctx, picture, stranger, defaults)).must(t).JSON()
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		second, want := portrait, match
		if i%2 == 1 {
			second, want = stranger, other
		}
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < 3; i++ {
				decision, err := engine.Compare(ctx, picture, second, defaults)
				if err != nil {
					t.Error(err)
					return
				}
				if decision.JSON() != want {
					t.Errorf("%s gives another answer: %v", second, decision.Result)
				}
				decision.Close()
			}
		}()
	}
	all.Wait()
}

func TestQualityPolicyServesOneGoroutine(t *testing.T) {
	policy := try(faceverify.NewQualityPolicy(faceverify.SelfiePolicy)).must(t)
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < 5000; i++ {
				if err := policy.Require("sharpness", 0, 1, 0, 1); err != nil && !errors.Is(err, faceverify.ErrBusy) {
					t.Error(err)
					return
				}
			}
		}()
	}
	all.Wait()
	if err := policy.Require("sharpness", 0, 1, 0, 1); err != nil {
		t.Error(err)
	}
}
