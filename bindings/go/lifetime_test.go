package faceverify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// everything has one object of each type that must be closed.
type everything struct {
	engine   *faceverify.Engine
	policy   *faceverify.QualityPolicy
	image    *faceverify.Image
	template *faceverify.Template
	sample   *faceverify.Sample
	decision *faceverify.Decision
	request  *faceverify.LivenessRequest
	store    *faceverify.LivenessRequestStore
	session  *faceverify.LivenessSession
	live     *faceverify.LivenessDecision
	trust    *faceverify.TrustStore
	chip     *faceverify.Chip
	document *faceverify.Document
}

func makeEverything(t *testing.T) everything {
	t.Helper()
	engine := try(faceverify.NewEngine(faceverify.EngineOptions{})).must(t)
	image := testImage(t, "selfie.jpg")
	sample := try(engine.Sample(ctx, image, nil)).must(t)
	form := try(sample.Template.MarshalBinary()).must(t)
	store := try(faceverify.NewLivenessRequestStore()).must(t)
	request := try(store.Issue(faceverify.ChallengeDraw{}, 0, time.Now())).must(t)
	session := try(engine.NewLivenessSession(request, time.Now(), faceverify.LivenessOptions{})).must(t)
	if err := addImage(session, image, 0); err != nil {
		t.Fatal(err)
	}
	input := faceverify.DocumentInput{Pages: []faceverify.Input{image}, Date: chipDate}
	return everything{
		trust:    try(faceverify.NewTrustStore("")).must(t),
		chip:     testChip(t),
		document: try(engine.ReadDocument(ctx, input)).must(t),
		request:  request,
		store:    store,
		session:  session,
		live:     try(session.Finish()).must(t),
		engine:   engine,
		policy:   try(faceverify.NewQualityPolicy(faceverify.SelfiePolicy)).must(t),
		image:    image,
		template: try(faceverify.TemplateFromBytes(form)).must(t),
		sample:   sample,
		decision: try(engine.Compare(ctx, image, portrait, defaults)).must(t),
	}
}

// testChip has one file without content.
func testChip(t *testing.T) *faceverify.Chip {
	t.Helper()
	chip := try(faceverify.NewChip("")).must(t)
	if err := chip.Add("EF.DG1", []byte{0x61, 0}); err != nil {
		t.Fatal(err)
	}
	return chip
}

func (e everything) closers() []io.Closer {
	return []io.Closer{
		e.engine, e.policy, e.image, e.template, e.sample, e.decision, e.request, e.store, e.session,
		e.live, e.trust, e.chip, e.document,
	}
}

func TestCloseInAnyOrderByAnyGoroutine(t *testing.T) {
	needPhotos(t)
	before := faceverify.LiveObjects()
	closers := makeEverything(t).closers()
	if live := faceverify.LiveObjects() - before; live != len(closers) {
		t.Errorf("%d objects live, want %d", live, len(closers))
	}
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			for j := range closers {
				if err := closers[(i+j)%len(closers)].Close(); err != nil {
					t.Error(err)
				}
			}
		}(i)
	}
	all.Wait()
	if live := faceverify.LiveObjects() - before; live != 0 {
		t.Errorf("%d objects live", live)
	}
}

// The C tests show that every function refuses closed objects; here, one call of each kind.
func TestClosedObjects(t *testing.T) {
	needPhotos(t)
	open, closed := makeEverything(t), makeEverything(t)
	lent := []*faceverify.Template{
		closed.template, closed.sample.Template, closed.decision.Selfie.Template, closed.live.Template,
		closed.document.Sample.Template,
	}
	for _, closer := range closed.closers() {
		closer.Close()
	}
	const bad = faceverify.ErrBadArgument
	wantError(t, closed.engine.Preload(), bad)
	try(closed.engine.Compare(ctx, selfie, portrait, defaults)).wants(t, bad)
	try(open.engine.Compare(ctx, closed.image, portrait, defaults)).wants(t, bad)
	try(open.engine.Compare(ctx, selfie, portrait, faceverify.ComparisonPolicy{Selfie: closed.policy})).wants(t, bad)
	try(open.engine.Sample(ctx, open.image, closed.policy)).wants(t, bad)
	try(open.engine.CompareDocument(ctx, selfie, closed.document, defaults)).wants(t, bad)
	for _, template := range lent {
		try(template.Info()).wants(t, bad)
		try(template.MarshalBinary()).wants(t, bad)
		try(open.engine.CompareMany(ctx, open.template, []*faceverify.Template{open.template, template}, 0)).wants(t, bad)
	}
	try(closed.image.Info()).wants(t, bad)
	try(closed.live.Selfie.Pixels()).wants(t, bad)
	try(closed.image.Encode(faceverify.ImageEncodingPNG)).wants(t, bad)
	options := faceverify.LivenessOptions{Portrait: closed.template}
	try(open.engine.NewLivenessSession(nil, time.Now(), options)).wants(t, bad)
	try(open.engine.NewLivenessSession(closed.request, time.Now(), faceverify.LivenessOptions{})).wants(t, bad)
	try(closed.store.Issue(faceverify.ChallengeDraw{}, 0, time.Now())).wants(t, bad)
	wantError(t, open.store.Accept(closed.live, time.Now()), bad)
	wantError(t, addImage(closed.session, open.image, 1), bad)
	for _, input := range []faceverify.DocumentInput{
		{Pages: []faceverify.Input{closed.image}}, {Chip: closed.chip}, {Chip: open.chip, Trust: closed.trust},
	} {
		input.Date = chipDate
		try(open.engine.ReadDocument(ctx, input)).wants(t, bad)
	}
	for _, text := range []string{
		closed.engine.JSON(), closed.sample.JSON(), closed.decision.JSON(), closed.decision.Selfie.JSON(),
		closed.live.JSON(), closed.trust.JSON(), closed.document.JSON(), closed.document.Sample.JSON(),
	} {
		if text != "" {
			t.Errorf("a closed thing says %q", text)
		}
	}
	if closed.decision.Result != faceverify.ResultMatch || len(closed.decision.Portrait.Checks) == 0 ||
		closed.sample.Quality != open.sample.Quality || len(closed.live.Checks) == 0 || len(closed.request.Script) != 3 ||
		len(closed.document.Fields) == 0 || len(closed.document.Portrait) == 0 {
		t.Error("the fields of a closed thing have changed")
	}
	if closed.session.IsComplete() || closed.trust.AnchorCount() != 0 {
		t.Error("a closed object returns data")
	}
	// Objects made from closed ones continue to work.
	open.image.Close()
	open.engine.Close()
	if _, err := open.session.Finish(); err != nil {
		t.Error(err)
	}
}

// Objects owned by a sample or a decision are closed with it, not before.
func TestLentObjects(t *testing.T) {
	needPhotos(t)
	all := makeEverything(t)
	all.decision.Selfie.Close()
	all.decision.Selfie.Template.Close()
	all.sample.Template.Close()
	all.live.Selfie.Close()
	all.live.Template.Close()
	all.document.Sample.Close()
	for _, template := range []*faceverify.Template{
		all.decision.Selfie.Template, all.sample.Template, all.live.Template, all.document.Sample.Template,
	} {
		try(template.MarshalBinary()).must(t)
	}
	try(all.live.Selfie.Info()).must(t)
	if all.decision.Selfie.JSON() != all.sample.JSON() || all.decision.JSON() == "" {
		t.Error("what was lent was closed")
	}
}

func TestZeroValuesAreRejected(t *testing.T) {
	all := everything{
		&faceverify.Engine{}, &faceverify.QualityPolicy{}, &faceverify.Image{}, &faceverify.Template{}, &faceverify.Sample{},
		&faceverify.Decision{}, &faceverify.LivenessRequest{}, &faceverify.LivenessRequestStore{},
		&faceverify.LivenessSession{}, &faceverify.LivenessDecision{}, &faceverify.TrustStore{}, &faceverify.Chip{},
		&faceverify.Document{},
	}
	const bad = faceverify.ErrBadArgument
	wantError(t, all.engine.Preload(), bad)
	try(all.engine.Compare(ctx, all.image, all.template, defaults)).wants(t, bad)
	wantError(t, all.policy.Require("sharpness", 0, 1, 0, 1), bad)
	try(all.image.Info()).wants(t, bad)
	try(all.template.MarshalBinary()).wants(t, bad)
	wantError(t, all.store.Accept(all.live, time.Now()), bad)
	try(all.session.Finish()).wants(t, bad)
	if all.engine.JSON()+all.sample.JSON()+all.decision.JSON()+all.live.JSON()+all.trust.JSON()+all.document.JSON() != "" {
		t.Error("a zero value says something")
	}
	for _, closer := range all.closers() {
		if err := closer.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Signal handlers run on a stack that each thread sets up: it must outlive the libraries that an engine loads. Which
// thread loads them is random, hence several engines.
func TestSignalsReachTheThreadThatMadeClosedEngines(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	served := make(chan os.Signal, 1)
	signal.Notify(served, syscall.SIGUSR1)
	defer signal.Stop(served)
	for i := 0; i < 8; i++ {
		engine := try(faceverify.NewEngine(faceverify.EngineOptions{})).must(t)
		closed := make(chan error)
		go func() {
			runtime.LockOSThread() // not the test's thread
			defer runtime.UnlockOSThread()
			closed <- engine.Close()
		}()
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if err := syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		select {
		case <-served:
		case <-time.After(10 * time.Second):
			t.Error("a signal was lost")
		}
	}
}

// Texts are memory of the library, and must not be freed while they are copied.
func TestCloseWhileTextsAreCopied(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	picture := try(os.ReadFile("selfie.jpg")).must(t)
	for i := 0; i < 20; i++ {
		image := try(faceverify.ImageFromBytes(picture, noLimits)).must(t)
		sample := try(engine.Assess(ctx, image, nil)).must(t)
		text, info := sample.JSON(), try(image.Info()).must(t)
		var all sync.WaitGroup
		for i := 0; i < 4; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					if again := sample.JSON(); again == "" {
						break
					} else if again != text {
						t.Errorf("the sample says %q", again)
						return
					}
				}
				for {
					if again, err := image.Info(); errors.Is(err, faceverify.ErrBadArgument) {
						break
					} else if again != info {
						t.Errorf("the image says %+v, %v", again, err)
						return
					}
				}
			}()
		}
		time.Sleep(time.Millisecond)
		sample.Close()
		image.Close()
		all.Wait()
	}
}

// Closing an object during another goroutine's call does not affect the call.
func TestCloseWhileUsed(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	want := try(engine.Compare(ctx, selfie, portrait, defaults)).must(t).Comparison.Score
	for i := 0; i < 10; i++ {
		first := testImage(t, "selfie.jpg")
		started, ended := make(chan struct{}), make(chan error)
		go func() {
			close(started)
			decision, err := engine.Compare(ctx, first, portrait, defaults)
			if err == nil && decision.Comparison.Score != want {
				err = fmt.Errorf("score %v, want %v", decision.Comparison.Score, want)
			}
			if err == nil {
				decision.Close()
			}
			ended <- err
		}()
		<-started
		time.Sleep(time.Duration(i) * time.Millisecond)
		first.Close()
		if err := <-ended; err != nil && !errors.Is(err, faceverify.ErrBadArgument) {
			t.Error(err)
		}
	}
}

// churn creates, uses and closes cheap objects.
func churn(t *testing.T, form []byte, picture *image.Gray) {
	image, err := faceverify.ImageFromImage(picture, noLimits)
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	if info, err := image.Info(); err != nil || info.Width != 64 {
		t.Fatal(info, err)
	}
	template, err := faceverify.TemplateFromBytes(form)
	if err != nil {
		t.Fatal(err)
	}
	defer template.Close()
	if again, err := template.MarshalBinary(); err != nil || !bytes.Equal(form, again) {
		t.Fatal(again, err)
	}
	policy, err := faceverify.NewQualityPolicy(faceverify.SelfiePolicy)
	if err != nil {
		t.Fatal(err)
	}
	defer policy.Close()
	if err := policy.Require("sharpness", 0, 1, 0, 1); err != nil {
		t.Fatal(err)
	}
	within, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	templates := []*faceverify.Template{template, template}
	if _, err := sharedEngine.CompareMany(within, template, templates, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := sharedEngine.CompareTemplates(template, nil, 0); !errors.Is(err, faceverify.ErrBadArgument) {
		t.Fatal(err)
	}
	if _, err := faceverify.ImageFromBytes(form, noLimits); !errors.Is(err, faceverify.ErrUnknownFormat) {
		t.Fatal(err)
	}
	request, err := faceverify.NewLivenessRequest(nonce, faceverify.ChallengeDraw{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer request.Close()
	session, err := sharedEngine.NewLivenessSession(request, time.Now(), faceverify.LivenessOptions{Portrait: template})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if err := addImage(session, nil, 0); !errors.Is(err, faceverify.ErrBadArgument) {
		t.Fatal(err)
	}
	live, err := session.Finish()
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	document, err := faceverify.ParseMRZ(specimen, zoneDate)
	if err != nil {
		t.Fatal(err)
	}
	defer document.Close()
	if _, err := faceverify.ParseMRZ("P<", zoneDate); !errors.Is(err, faceverify.ErrUnknownFormat) {
		t.Fatal(err)
	}
	trust, err := faceverify.NewTrustStore("")
	if err != nil {
		t.Fatal(err)
	}
	defer trust.Close()
	if err := trust.Add("name", form); !errors.Is(err, faceverify.ErrUnknownFormat) {
		t.Fatal(err)
	}
	chip, err := faceverify.NewChip("")
	if err != nil {
		t.Fatal(err)
	}
	defer chip.Close()
	if err := chip.Add("EF.DG1", []byte{0x61, 0}); err != nil {
		t.Fatal(err)
	}
}

func TestMemoryStaysOver10000Cycles(t *testing.T) {
	needPhotos(t)
	form := templateBytes(t, testEngine(t), "selfie.jpg")
	picture := noise(64, 64)
	cycles := func(count int) (live int, resident int64) {
		for i := 0; i < count; i++ {
			churn(t, form, picture)
		}
		runtime.GC()
		return faceverify.LiveObjects(), residentBytes(t)
	}
	live, before := cycles(1000)
	// A leak of even a template, 580 bytes, per cycle shows in every round; memory retained by allocators does not.
	least := int64(math.MaxInt64)
	for round := 0; round < 3 && least > 4<<20; round++ {
		liveAfter, after := cycles(10_000)
		if liveAfter != live {
			t.Fatalf("%d objects live, before there were %d", liveAfter, live)
		}
		if after-before < least {
			least = after - before
		}
		before = after
	}
	if least > 4<<20 {
		t.Errorf("at least %d KiB more after each 10,000 cycles", least>>10)
	}
}

// residentBytes returns the resident memory of this process.
func residentBytes(t *testing.T) int64 {
	t.Helper()
	var size, resident int64
	text := string(try(os.ReadFile("/proc/self/statm")).must(t))
	if _, err := fmt.Sscan(text, &size, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * int64(os.Getpagesize())
}

func TestFinalizersFreeForgottenObjects(t *testing.T) {
	needPhotos(t)
	engine := testEngine(t)
	before := faceverify.LiveObjects()
	template := forget(t, engine)
	if live := faceverify.LiveObjects() - before; live != 5 {
		t.Errorf("%d objects live, want 5", live)
	}
	// The template keeps the sample that owns it alive.
	collect(func() bool { return faceverify.LiveObjects()-before == 1 })
	if _, err := template.MarshalBinary(); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(template)
	collect(func() bool { return faceverify.LiveObjects() == before })
	if live := faceverify.LiveObjects() - before; live != 0 {
		t.Errorf("%d objects live", live)
	}
}

// forget creates one object of each type except an engine, closes none, and returns the template of the sample.
func forget(t *testing.T, engine *faceverify.Engine) *faceverify.Template {
	image, err := faceverify.ImageFromFile("selfie.jpg", noLimits)
	if err != nil {
		t.Fatal(err)
	}
	sample, err := engine.Sample(ctx, image, nil)
	if err != nil {
		t.Fatal(err)
	}
	form, err := sample.Template.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = faceverify.TemplateFromBytes(form); err != nil {
		t.Fatal(err)
	}
	if _, err = engine.Compare(ctx, sample.Template, portrait, defaults); err != nil {
		t.Fatal(err)
	}
	if _, err = faceverify.NewQualityPolicy(faceverify.SelfiePolicy); err != nil {
		t.Fatal(err)
	}
	return sample.Template
}

// collect runs the garbage collector until a condition holds, or for ten seconds.
func collect(until func() bool) {
	for end := time.Now().Add(10 * time.Second); !until() && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
}
