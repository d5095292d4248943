package faceverify_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

func TestEveryCallTakesAPhoto(t *testing.T) {
	needPhotos(t)
	engine, image := testEngine(t), testImage(t, "selfie.jpg")
	template := try(engine.Sample(ctx, image, nil)).must(t).Template
	calls := map[string]func(photo faceverify.Input) error{
		"Detect": func(photo faceverify.Input) error {
			return try(engine.Detect(ctx, photo, faceverify.DetectOptions{})).err
		},
		"Sample":    func(photo faceverify.Input) error { return closed(engine.Sample(ctx, photo, nil)) },
		"Assess":    func(photo faceverify.Input) error { return closed(engine.Assess(ctx, photo, nil)) },
		"ReadCodes": func(photo faceverify.Input) error { return try(faceverify.ReadCodes(ctx, photo, nil, true)).err },
		"ReadDocument": func(photo faceverify.Input) error {
			return closed(engine.ReadDocument(ctx, faceverify.DocumentInput{Pages: []faceverify.Input{photo}, Date: chipDate}))
		},
		"Add": func(photo faceverify.Input) error {
			session := try(engine.NewLivenessSession(nil, chipDate, faceverify.LivenessOptions{Policy: "photo"})).must(t)
			return try(session.Add(ctx, faceverify.LivenessFrame{Image: photo})).err
		},
	}
	objects := faceverify.LiveObjects()
	for name, call := range calls {
		wantNone(t, call(image), call(faceverify.Path("selfie.jpg")))
		wantError(t, call(faceverify.Path("nowhere.jpg")), faceverify.ErrUnreadable)
		for _, wrong := range []faceverify.Input{nil, template, (*faceverify.Image)(nil), (*faceverify.Template)(nil)} {
			if err := call(wrong); err == nil || !strings.Contains(fmt.Sprintf("%#v", err), "Status:-1") {
				t.Errorf("%s of a %T: %#v", name, wrong, err)
			}
		}
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	try(engine.Detect(over, faceverify.Path("selfie.jpg"), faceverify.DetectOptions{})).wants(t, faceverify.ErrCancelled)
	if live := faceverify.LiveObjects() - objects; live > 7 { // the sessions, which the end of the test closes
		t.Errorf("%d objects were not closed", live)
	}
}

func closed[T interface{ Close() error }](made T, err error) error {
	if err == nil {
		made.Close()
	}
	return err
}

func TestTemplatesAreNamedWithoutTheFace(t *testing.T) {
	needPhotos(t)
	sample := try(testEngine(t).Sample(ctx, testImage(t, "selfie.jpg"), nil)).must(t)
	info := try(sample.Template.Info()).must(t)
	if got := fmt.Sprint(sample.Template); got != "template "+info.ModelIdentifier+" "+info.SHA256[:8] {
		t.Error(got)
	}
	sample.Close()
	var none *faceverify.Template
	if got := sample.Template.String() + ", " + none.String(); got != "closed template, no template" {
		t.Error(got)
	}
}
