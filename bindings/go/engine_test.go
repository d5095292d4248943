package faceverify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// modelsFolder has links to all files of the models folder except those in `without`.
func modelsFolder(t *testing.T, without ...string) string {
	t.Helper()
	models := os.Getenv("FACEVERIFY_MODELS")
	if models == "" {
		t.Fatal("FACEVERIFY_MODELS must name the folder with the models")
	}
	folder := t.TempDir()
	for _, file := range try(os.ReadDir(models)).must(t) {
		if err := os.Symlink(filepath.Join(models, file.Name()), filepath.Join(folder, file.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range without {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestEngineOptions(t *testing.T) {
	engine := try(faceverify.NewEngine(faceverify.EngineOptions{
		ModelsFolder: modelsFolder(t), ModelSet: "default", CacheFolder: t.TempDir(), ThreadCount: 3, Precision: "f32",
	})).must(t)
	if err := engine.Preload(); err != nil {
		t.Error(err)
	}
	var description struct {
		Version string
		Models  struct{ Set, Precision string }
	}
	if err := json.Unmarshal([]byte(engine.JSON()), &description); err != nil {
		t.Fatal(err)
	}
	if description.Version != faceverify.Version() || description.Models.Set != "default" ||
		description.Models.Precision != "f32" {
		t.Errorf("the engine says %+v", description)
	}
}

// Without a name, an engine uses the best installed set.
func TestBestSet(t *testing.T) {
	var files struct {
		Sets []struct {
			Set  string
			Used bool
		}
	}
	if err := json.Unmarshal([]byte(try(faceverify.CheckModels("")).must(t).JSON), &files); err != nil {
		t.Fatal(err)
	}
	var description struct{ Models struct{ Set string } }
	if err := json.Unmarshal([]byte(testEngine(t).JSON()), &description); err != nil {
		t.Fatal(err)
	}
	for _, set := range files.Sets {
		if set.Used != (set.Set == description.Models.Set) {
			t.Errorf("the engine has %q, and the folder says %+v", description.Models.Set, set)
		}
	}
}

func TestEngineErrors(t *testing.T) {
	const detector = "face_detection_full_range_sparse.tflite"
	mismatch := modelsFolder(t, detector)
	if err := os.WriteFile(filepath.Join(mismatch, detector), []byte("another file"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := modelsFolder(t, "manifest.json")
	if err := os.WriteFile(filepath.Join(damaged, "manifest.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		options faceverify.EngineOptions
		status  faceverify.Status
	}{
		"no folder":         {faceverify.EngineOptions{ModelsFolder: "no/such/folder"}, faceverify.ErrModelMissing},
		"no models":         {faceverify.EngineOptions{ModelsFolder: t.TempDir()}, faceverify.ErrModelMissing},
		"one is missing":    {faceverify.EngineOptions{ModelsFolder: modelsFolder(t, detector)}, faceverify.ErrModelMissing},
		"one is another":    {faceverify.EngineOptions{ModelsFolder: mismatch}, faceverify.ErrModelMismatch},
		"broken manifest":   {faceverify.EngineOptions{ModelsFolder: damaged}, faceverify.ErrDamaged},
		"unknown model set": {faceverify.EngineOptions{ModelSet: "no-such-set"}, faceverify.ErrBadArgument},
		"unknown precision": {faceverify.EngineOptions{Precision: "bf16"}, faceverify.ErrBadArgument},
		"too many threads":  {faceverify.EngineOptions{ThreadCount: 65}, faceverify.ErrBadArgument},
		"negative threads":  {faceverify.EngineOptions{ThreadCount: -1}, faceverify.ErrBadArgument},
		"0 byte in folder":  {faceverify.EngineOptions{ModelsFolder: "a\x00b"}, faceverify.ErrBadArgument},
		"0 byte in set":     {faceverify.EngineOptions{ModelSet: "default\x00"}, faceverify.ErrBadArgument},
		"0 byte in cache":   {faceverify.EngineOptions{CacheFolder: "a\x00b"}, faceverify.ErrBadArgument},
	} {
		t.Run(name, func(t *testing.T) {
			engine, err := faceverify.NewEngine(test.options)
			if err == nil { // a network is read when it is loaded
				err = engine.Preload()
				engine.Close()
			}
			wantError(t, err, test.status)
		})
	}
}

// The engine's calls are logged until it is closed.
func TestLog(t *testing.T) {
	var lines []string
	var lock sync.Mutex
	log := func(level faceverify.LogLevel, text string) {
		lock.Lock()
		defer lock.Unlock()
		lines = append(lines, fmt.Sprintf("%v: %s", level, text))
	}
	engine := try(faceverify.NewEngine(faceverify.EngineOptions{Log: log})).must(t)
	loaded := len(lines)
	faceless := try(faceverify.ImageFromImage(noise(320, 240), noLimits)).must(t)
	try(engine.Sample(ctx, faceless, nil)).wants(t, faceverify.ErrNoFace)
	if loaded == 0 || !strings.HasPrefix(lines[0], "info: ") {
		t.Errorf("no line reports what was loaded: %q", lines)
	}
	if len(lines) == loaded || !strings.HasPrefix(lines[len(lines)-1], "debug: ") ||
		!strings.Contains(lines[len(lines)-1], "no-face") {
		t.Errorf("no line reports the call: %q", lines)
	}
	session := try(engine.NewLivenessSession(nil, time.Now(), faceverify.LivenessOptions{})).must(t)
	engine.Close()
	told := len(lines)
	try(session.Finish()).must(t)
	if len(lines) != told {
		t.Errorf("a closed engine logs %q", lines[told:])
	}
}

func TestThresholds(t *testing.T) {
	engine := testEngine(t)
	strictest := math.Inf(1)
	for _, rate := range []float64{1e-2, 3e-3, 1e-3, 2e-4, 1e-4} {
		threshold := try(engine.Threshold(rate)).must(t)
		if threshold.FalseMatchRate != rate {
			t.Errorf("rate %v, want %v", threshold.FalseMatchRate, rate)
		}
		if threshold.Score >= strictest {
			t.Errorf("the score %v of rate %v is not below %v", threshold.Score, rate, strictest)
		}
		strictest = threshold.Score
		if !(threshold.FalseMatchRateLower <= rate && rate <= threshold.FalseMatchRateUpper) {
			t.Errorf("%v is not within %+v", rate, threshold)
		}
		if !(threshold.FalseNonMatchRateLower <= threshold.FalseNonMatchRate &&
			threshold.FalseNonMatchRate <= threshold.FalseNonMatchRateUpper) {
			t.Errorf("false non-match rate out of its bounds: %+v", threshold)
		}
		if (threshold.FalseMatches >= 1) != (rate > 1.5e-4) { // no false match was observed below
			t.Errorf("%v false matches at %v", threshold.FalseMatches, rate)
		}
	}
	for _, rate := range []float64{0.5, 1e-9} {
		try(engine.Threshold(rate)).wants(t, faceverify.ErrUnsupportedRate)
	}
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		try(engine.Threshold(rate)).wants(t, faceverify.ErrBadArgument)
	}
}

func TestThresholdAmongAll(t *testing.T) {
	engine := testEngine(t)
	worst, all := try(engine.Threshold(1e-3)).must(t), try(engine.ThresholdAmong(1e-3, "all")).must(t)
	if all.Score <= worst.Score || all.OverallFalseMatchRateUpper != 1e-3 {
		t.Errorf("among all %+v, in the worst group %+v", all, worst)
	}
	if group := try(engine.ThresholdAmong(1e-3, "worst-group")).must(t); group != worst {
		t.Errorf("%+v, want %+v", group, worst)
	}
	try(engine.ThresholdAmong(1e-3, "some")).wants(t, faceverify.ErrBadArgument)
}

func TestCheckModels(t *testing.T) {
	const missing, mismatch = "iris_landmark.tflite", "face_landmark.tflite"
	folder := modelsFolder(t, missing, mismatch)
	if err := os.WriteFile(filepath.Join(folder, mismatch), []byte("another file"), 0o600); err != nil {
		t.Fatal(err)
	}
	models := try(faceverify.CheckModels(folder)).must(t)
	if !json.Valid([]byte(models.JSON)) {
		t.Errorf("no JSON: %s", models.JSON)
	}
	optional := 0
	for _, model := range models.List {
		if model.IsOptional {
			optional++
			if model.State == faceverify.ModelStateMissing {
				continue
			}
		}
		state := faceverify.ModelStateOK
		switch filepath.Base(model.Path) {
		case missing:
			state = faceverify.ModelStateMissing
		case mismatch:
			state = faceverify.ModelStateMismatch
		}
		if model.State != state || (model.Remedy == "") != (state == faceverify.ModelStateOK) {
			t.Errorf("%s is %v with remedy %q, want %v", model.Path, model.State, model.Remedy, state)
		}
		if model.ID == "" || model.Role == "" || model.Version == "" || model.Licence == "" || model.ByteCount <= 0 {
			t.Errorf("%+v lacks something", model)
		}
	}
	if len(models.List) < 5 || optional == 0 || optional == len(models.List) {
		t.Errorf("%d files, %d of them optional", len(models.List), optional)
	}
	inEnvironment := try(faceverify.CheckModels("")).must(t)
	for _, model := range inEnvironment.List {
		if model.State != faceverify.ModelStateOK && !(model.IsOptional && model.State == faceverify.ModelStateMissing) {
			t.Errorf("%s is %v", model.Path, model.State)
		}
	}
	try(faceverify.CheckModels(t.TempDir())).wants(t, faceverify.ErrModelMissing)
	try(faceverify.CheckModels("a\x00b")).wants(t, faceverify.ErrBadArgument)
}
