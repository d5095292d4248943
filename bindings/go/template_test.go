package faceverify_test

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"os"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

var _ encoding.BinaryMarshaler = (*faceverify.Template)(nil)

// templateBytes returns the binary form of a photo's template.
func templateBytes(t *testing.T, engine *faceverify.Engine, path string) []byte {
	t.Helper()
	sample := try(engine.Sample(ctx, testImage(t, path), nil)).must(t)
	if sample.Template == nil {
		t.Fatalf("%s gives no template: %s", path, sample.JSON())
	}
	return try(sample.Template.MarshalBinary()).must(t)
}

func TestTemplateRoundTrip(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	sample := try(engine.Sample(ctx, testImage(t, "selfie.jpg"), nil)).must(t)
	form := try(sample.Template.MarshalBinary()).must(t)
	template := try(faceverify.TemplateFromBytes(form)).must(t)
	if again := try(template.MarshalBinary()).must(t); !bytes.Equal(form, again) {
		t.Error("the binary form changes")
	}
	info := try(template.Info()).must(t)
	hash := sha256.Sum256(form)
	if info.SHA256 != hex.EncodeToString(hash[:]) || info.ModelIdentifier == "" {
		t.Errorf("%+v", info)
	}
	if info.Quality < sample.Quality-1 || info.Quality > sample.Quality+1 {
		t.Errorf("quality %v, want that of the photo, %v", info.Quality, sample.Quality)
	}
	if borrowed := try(sample.Template.Info()).must(t); borrowed != info {
		t.Errorf("%+v, want %+v", borrowed, info)
	}
}

func TestTemplateErrors(t *testing.T) {
	needPhotos(t)
	form := templateBytes(t, testEngine(t), "selfie.jpg")
	try(faceverify.TemplateFromBytes(nil)).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.TemplateFromBytes([]byte("no template"))).wants(t, faceverify.ErrUnknownFormat)
	try(faceverify.TemplateFromBytes(form[:len(form)-1])).wants(t, faceverify.ErrDamaged)
	form[len(form)/2] ^= 1
	try(faceverify.TemplateFromBytes(form)).wants(t, faceverify.ErrDamaged)
}

func TestTemplateAsInput(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	form := templateBytes(t, engine, "portrait.jpg")
	if err := os.WriteFile("portrait.template", form, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove("portrait.template")
	selfie := testImage(t, "selfie.jpg")
	template := try(faceverify.TemplateFromBytes(form)).must(t)
	want := try(engine.Compare(ctx, selfie, testImage(t, "portrait.jpg"), defaults)).must(t).Comparison
	for _, portrait := range []faceverify.Input{template, faceverify.Path("portrait.template")} {
		decision := try(engine.Compare(ctx, selfie, portrait, defaults)).must(t)
		if decision.Result != faceverify.ResultMatch || *decision.Comparison != *want {
			t.Errorf("%T: %v, %+v, want a match, %+v", portrait, decision.Result, decision.Comparison, want)
		}
		if decision.Portrait != nil || decision.Selfie == nil {
			t.Errorf("%T: samples %v and %v", portrait, decision.Selfie, decision.Portrait)
		}
	}
}

func TestCompareTemplates(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	decision := try(engine.Compare(ctx, faceverify.Path("selfie.jpg"), faceverify.Path("portrait.jpg"), defaults)).must(t)
	comparison := try(engine.CompareTemplates(decision.Selfie.Template, decision.Portrait.Template, 0)).must(t)
	if comparison != *decision.Comparison {
		t.Errorf("%+v, want %+v", comparison, *decision.Comparison)
	}
	stranger := try(faceverify.TemplateFromBytes(templateBytes(t, engine, "stranger.jpg"))).must(t)
	if comparison := try(engine.CompareTemplates(decision.Selfie.Template, stranger, 0)).must(t); comparison.IsMatch {
		t.Errorf("%+v", comparison)
	}
	try(engine.CompareTemplates(nil, stranger, 0)).wants(t, faceverify.ErrBadArgument)
	try(engine.CompareTemplates(stranger, nil, 0)).wants(t, faceverify.ErrBadArgument)
}

func TestCompareMany(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	template := func(path string) *faceverify.Template {
		return try(faceverify.TemplateFromBytes(templateBytes(t, engine, path))).must(t)
	}
	probe, templates := template("selfie.jpg"), []*faceverify.Template{template("portrait.jpg"), template("stranger.jpg")}
	for _, rate := range []float64{0, 1e-4} {
		comparisons := try(engine.CompareMany(ctx, probe, templates, rate)).must(t)
		for i, comparison := range comparisons {
			if want := try(engine.CompareTemplates(probe, templates[i], rate)).must(t); comparison != want {
				t.Errorf("%+v, want %+v", comparison, want)
			}
		}
		if len(comparisons) != 2 || !comparisons[0].IsMatch || comparisons[1].IsMatch {
			t.Errorf("%+v", comparisons)
		}
	}
	if none := try(engine.CompareMany(ctx, probe, nil, 0)).must(t); len(none) != 0 {
		t.Errorf("%+v", none)
	}
	try(engine.CompareMany(ctx, nil, templates, 0)).wants(t, faceverify.ErrBadArgument)
	try(engine.CompareMany(ctx, probe, []*faceverify.Template{nil}, 0)).wants(t, faceverify.ErrBadArgument)
	try(engine.CompareMany(ctx, probe, templates, 0.5)).wants(t, faceverify.ErrUnsupportedRate)
}
