package faceverify_test

import (
	"context"
	"path/filepath"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

func testTemplate(t *testing.T, engine *faceverify.Engine, path string) *faceverify.Template {
	t.Helper()
	return try(faceverify.TemplateFromBytes(templateBytes(t, engine, path))).must(t)
}

func TestGallery(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	path := filepath.Join(t.TempDir(), "people.fvg")
	key := make([]byte, 32)
	gallery := try(engine.OpenGallery(path, key)).must(t)
	for name, photo := range map[string]string{"portrait": "portrait.jpg", "stranger": "stranger.jpg"} {
		if err := gallery.Add(name, testTemplate(t, engine, photo)); err != nil {
			t.Fatal(err)
		}
	}
	probe := testTemplate(t, engine, "selfie.jpg")
	found := try(gallery.Search(ctx, probe, 0, 1e-3)).must(t)
	if len(found.List) != 2 || found.List[0].Name != "portrait" || !found.List[0].IsMatch || found.List[1].IsMatch {
		t.Errorf("%+v", found)
	}
	if found.ComparisonCount != 2 || found.ComparisonRate != 5e-4 || found.Note != "" || found.JSON == "" {
		t.Errorf("%+v", found.CandidatesInfo)
	}
	if few := try(gallery.Search(ctx, probe, 1, 1e-12)).must(t); len(few.List) != 1 || few.Note == "" || few.List[0].IsMatch {
		t.Errorf("%+v", few)
	}
	if err := gallery.Add("again", probe); err != nil {
		t.Fatal(err)
	}
	twice := try(gallery.Duplicates(ctx, 1, 0)).must(t)
	if len(twice.List) != 1 || !twice.List[0].IsMatch || twice.List[0].Other != "again" {
		t.Errorf("%+v", twice)
	}
	if err := gallery.Remove("again"); err != nil {
		t.Error(err)
	}
	info := try(gallery.Info()).must(t)
	if want := (faceverify.GalleryInfo{TemplateCount: 2, IsEncrypted: true}); info != want {
		t.Errorf("%+v, want %+v", info, want)
	}
	if err := gallery.Close(); err != nil {
		t.Error(err)
	}
	try(gallery.Info()).wants(t, faceverify.ErrBadArgument)
}

func TestGalleryEnrolAndMerge(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	folder, key := t.TempDir(), make([]byte, 32)
	other := try(engine.OpenGallery(filepath.Join(folder, "other.fvg"), key)).must(t)
	policy := try(faceverify.NewQualityPolicy(faceverify.AnyPolicy)).must(t)
	for _, photo := range []string{"portrait.jpg", "stranger.jpg"} {
		if problem := try(other.Enrol(ctx, photo, policy)).must(t); problem != "" {
			t.Error(problem)
		}
	}
	if !other.IsEnrolled("portrait.jpg", policy) || other.IsEnrolled("portrait.jpg", nil) {
		t.Error("a photo is enrolled by the policy that it was judged by")
	}
	if problem := try(other.Enrol(ctx, "no such file", nil)).must(t); problem == "" {
		t.Error("a missing file is not reported")
	}
	gallery := try(engine.OpenGallery(filepath.Join(folder, "people.fvg"), nil)).must(t)
	path := filepath.Join(folder, "other.fvg")
	try(0, gallery.Merge(ctx, path, faceverify.MergeOptions{})).wants(t, faceverify.ErrBadArgument)
	try(0, gallery.Merge(ctx, path, faceverify.MergeOptions{Key: key, First: 1, Count: 1})).must(t)
	if info := try(gallery.Info()).must(t); info.TemplateCount != 1 || info.FailureCount != 0 {
		t.Errorf("%+v", info)
	}
	try(0, gallery.Merge(ctx, path, faceverify.MergeOptions{Key: key})).must(t)
	if info := try(gallery.Info()).must(t); info.TemplateCount != 2 || info.FailureCount != 1 {
		t.Errorf("%+v", info)
	}
	try(0, gallery.Merge(ctx, path, faceverify.MergeOptions{Key: key, First: -1})).wants(t, faceverify.ErrBadArgument)
	try(gallery.Enrol(ctx, "a\x00b", nil)).wants(t, faceverify.ErrBadArgument)
}

func TestGalleryErrors(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	path := filepath.Join(t.TempDir(), "people.fvg")
	gallery := try(engine.OpenGallery(path, nil)).must(t)
	template := testTemplate(t, engine, "selfie.jpg")
	try(0, gallery.Remove("nobody")).wants(t, faceverify.ErrAbsent)
	try(0, gallery.Add("", template)).wants(t, faceverify.ErrBadArgument)
	try(0, gallery.Add("a\x00b", template)).wants(t, faceverify.ErrBadArgument)
	try(0, gallery.Add("nothing", nil)).wants(t, faceverify.ErrBadArgument)
	try(gallery.Search(ctx, template, -1, 0)).wants(t, faceverify.ErrBadArgument)
	try(gallery.Search(ctx, template, 0, 2)).wants(t, faceverify.ErrBadArgument)
	over, cancel := context.WithCancel(ctx)
	cancel()
	try(gallery.Duplicates(over, 0, 0)).wants(t, faceverify.ErrCancelled)
	try(gallery.Search(over, template, 0, 0)).wants(t, faceverify.ErrCancelled)
	try(gallery.Enrol(over, "selfie.jpg", nil)).wants(t, faceverify.ErrCancelled)
	try(0, gallery.Merge(over, path, faceverify.MergeOptions{})).wants(t, faceverify.ErrCancelled)
	if info := try(gallery.Info()).must(t); info.TemplateCount != 0 {
		t.Errorf("a cancelled call has added %+v", info)
	}
	try(engine.OpenGallery(path, make([]byte, 32))).wants(t, faceverify.ErrBadArgument)
	try(engine.OpenGallery(path, []byte{})).wants(t, faceverify.ErrBadArgument)
	try(engine.OpenGallery("selfie.jpg", nil)).wants(t, faceverify.ErrUnknownFormat)
}
