package faceverify_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// analyses has each call that takes a context. They take some time: the image is large.
func analyses(t *testing.T) map[string]func(context.Context) error {
	t.Helper()
	needPhotos(t)
	engine, drawn, file := testEngine(t), noise(2000, 2000), filepath.Join(t.TempDir(), "noise.png")
	picture := try(faceverify.ImageFromImage(drawn, noLimits)).must(t)
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression}
	wantNone(t, encoder.Encode(&encoded, drawn), os.WriteFile(file, encoded.Bytes(), 0o600))
	document := try(faceverify.ParseMRZ(specimen, zoneDate)).must(t)
	template := try(faceverify.TemplateFromBytes(templateBytes(t, engine, "selfie.jpg"))).must(t)
	templates := make([]*faceverify.Template, 100_000)
	for i := range templates {
		templates[i] = template
	}
	gallery := try(engine.OpenGallery(filepath.Join(t.TempDir(), "people.fvg"), nil)).must(t)
	session := testSession(t, nil, faceverify.LivenessOptions{})
	input := faceverify.DocumentInput{Pages: []faceverify.Input{picture}, Date: chipDate}
	return map[string]func(context.Context) error{
		"Compare": func(ctx context.Context) error { return try(engine.Compare(ctx, picture, picture, defaults)).err },
		"CompareDocument": func(ctx context.Context) error {
			return try(engine.CompareDocument(ctx, picture, document, defaults)).err
		},
		"CompareMany": func(ctx context.Context) error { return try(engine.CompareMany(ctx, template, templates, 0)).err },
		"Detect": func(ctx context.Context) error {
			return try(engine.Detect(ctx, picture, faceverify.DetectOptions{})).err
		},
		"Enrol":        func(ctx context.Context) error { return try(gallery.Enrol(ctx, file, nil)).err },
		"Sample":       func(ctx context.Context) error { return try(engine.Sample(ctx, picture, nil)).err },
		"Assess":       func(ctx context.Context) error { return try(engine.Assess(ctx, picture, nil)).err },
		"ReadDocument": func(ctx context.Context) error { return try(engine.ReadDocument(ctx, input)).err },
		"Add": func(ctx context.Context) error {
			return try(session.Add(ctx, faceverify.LivenessFrame{Image: picture})).err
		},
	}
}

func wantEnded(t *testing.T, err error, status faceverify.Status, of error) {
	t.Helper()
	wantError(t, err, status)
	if !errors.Is(err, of) {
		t.Errorf("%v is not %v", err, of)
	}
}

func TestEndedContextsEndCalls(t *testing.T) {
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Hour))
	defer cancel()
	for name, call := range analyses(t) {
		t.Run(name, func(t *testing.T) {
			wantEnded(t, call(cancelled), faceverify.ErrCancelled, context.Canceled)
			wantEnded(t, call(late), faceverify.ErrTimeout, context.DeadlineExceeded)
		})
	}
}

// A context that ends during the call ends the call; any other does not affect it.
func TestEndingContextsEndCalls(t *testing.T) {
	for name, call := range analyses(t) {
		if name == "CompareDocument" || name == "Add" {
			continue // complete before the context ends
		}
		t.Run(name, func(t *testing.T) {
			cancelled, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Millisecond, cancel)
			wantEnded(t, call(cancelled), faceverify.ErrCancelled, context.Canceled)
			late, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			wantEnded(t, call(late), faceverify.ErrTimeout, context.DeadlineExceeded)
			late, cancel = context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			wantEnded(t, call(withoutDeadline{late}), faceverify.ErrTimeout, context.DeadlineExceeded)
			patient, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			if err := call(patient); errors.Is(err, faceverify.ErrTimeout) || errors.Is(err, faceverify.ErrCancelled) {
				t.Error(err)
			}
		})
	}
}

// withoutDeadline is a context that does not report its deadline.
type withoutDeadline struct{ context.Context }

func (withoutDeadline) Deadline() (time.Time, bool) { return time.Time{}, false }

// Many searches of a large image stop soon after they are cancelled, and leak nothing.
func TestCancellationLeavesNoObject(t *testing.T) {
	engine := testEngine(t)
	picture := try(faceverify.ImageFromImage(image.NewGray(image.Rect(0, 0, 3000, 3000)), noLimits)).must(t)
	routines, objects := runtime.NumGoroutine(), faceverify.LiveObjects()
	cancelled, cancel := context.WithCancel(ctx)
	const calls = 8
	ended := make(chan error, calls)
	for i := 0; i < calls; i++ {
		go func() { ended <- try(engine.Sample(cancelled, picture, nil)).err }()
	}
	cancel()
	for i := 0; i < calls; i++ {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > routines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if left := runtime.NumGoroutine() - routines; left > 0 {
		t.Errorf("%d goroutines are left", left)
	}
	if left := faceverify.LiveObjects() - objects; left != 0 {
		t.Errorf("%d objects are left", left)
	}
}
