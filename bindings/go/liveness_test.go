package faceverify_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

var nonce = []byte("a nonce of 32 bytes, for tests..")

func testSession(
	t *testing.T, request *faceverify.LivenessRequest, options faceverify.LivenessOptions,
) *faceverify.LivenessSession {
	t.Helper()
	return try(testEngine(t).NewLivenessSession(request, time.Now(), options)).must(t)
}

func addImage(session *faceverify.LivenessSession, image *faceverify.Image, at float64) error {
	_, err := session.Add(ctx, faceverify.LivenessFrame{Image: image, Time: at})
	return err
}

func TestNonceDeterminesTheScript(t *testing.T) {
	expires := time.Unix(1000, 500_000_000)
	request := try(faceverify.NewLivenessRequest(make([]byte, 16), faceverify.ChallengeDraw{}, &expires)).must(t)
	want := []faceverify.ChallengePrompt{
		{Challenge: faceverify.ChallengeTurnLeft, Hold: 0.5, Pause: 0.8},
		{Challenge: faceverify.ChallengeSmile, Hold: 0.8, Pause: 1.1},
		{Challenge: faceverify.ChallengeLookUp, Hold: 1, Pause: 0.5},
	}
	if !reflect.DeepEqual(request.Script, want) || !request.Expires.Equal(expires) || len(request.Nonce) != 16 {
		t.Errorf("%+v", request)
	}
	draw := faceverify.ChallengeDraw{
		Count: 2, Challenges: []faceverify.Challenge{faceverify.ChallengeMoveBack, faceverify.ChallengeHoldStill},
	}
	request = try(faceverify.NewLivenessRequest(nonce, draw, nil)).must(t)
	if len(request.Script) != 2 || request.Expires != nil ||
		request.Script[0].Challenge+request.Script[1].Challenge != draw.Challenges[0]+draw.Challenges[1] {
		t.Errorf("%+v", request)
	}
	own := try(faceverify.LivenessRequestFromScript(want, nonce)).must(t)
	if !reflect.DeepEqual(own.Script, want) || !bytes.Equal(own.Nonce, nonce) || own.Expires != nil {
		t.Errorf("%+v", own)
	}
}

func TestNonceDeterminesTheColours(t *testing.T) {
	request := try(faceverify.NewLivenessRequest(nonce, faceverify.ChallengeDraw{}, nil)).must(t)
	end := 0.0
	for _, c := range request.Colours {
		if math.Abs(c.Begin-end) > 1e-9 || c.Red <= 0 || c.Blue > 1 {
			t.Errorf("%+v", c)
		}
		end = c.Begin + c.Seconds
	}
	script := []faceverify.ChallengePrompt{{Challenge: faceverify.ChallengeSmile}}
	without := try(faceverify.LivenessRequestFromScript(script, nil)).must(t)
	if len(request.Colours) < 5 || len(without.Colours) != 0 {
		t.Errorf("%d and %d colours", len(request.Colours), len(without.Colours))
	}
}

func TestLivenessRequestErrors(t *testing.T) {
	const bad = faceverify.ErrBadArgument
	never, forgotten := (*time.Time)(nil), time.Time{}
	for _, draw := range []faceverify.ChallengeDraw{
		{Count: -1}, {Count: 10}, {Challenges: []faceverify.Challenge{0}}, {Challenges: []faceverify.Challenge{14}},
		{Challenges: []faceverify.Challenge{-1}}, {Challenges: []faceverify.Challenge{64}},
		{Challenges: []faceverify.Challenge{faceverify.ChallengeBlink}},
	} {
		try(faceverify.NewLivenessRequest(nonce, draw, never)).wants(t, bad)
	}
	try(faceverify.NewLivenessRequest(nonce, faceverify.ChallengeDraw{}, &forgotten)).wants(t, bad)
	for _, length := range []int{0, 15, 65} {
		try(faceverify.NewLivenessRequest(make([]byte, length), faceverify.ChallengeDraw{}, never)).wants(t, bad)
	}
	for _, script := range [][]faceverify.ChallengePrompt{
		nil, {{}}, {{Challenge: 14}}, {{Challenge: faceverify.ChallengeFollow}}, {{Challenge: 2, Hold: 5.1}}, {{Challenge: 2, Pause: math.NaN()}},
		make([]faceverify.ChallengePrompt, 14),
	} {
		try(faceverify.LivenessRequestFromScript(script, nil)).wants(t, bad)
	}
	for _, options := range []faceverify.LivenessOptions{
		{Policy: "lenient"}, {Policy: "a\x00b"}, {Timeout: time.Second}, {Rotation: 45},
		{CameraDriver: "a\x00b"}, {CameraName: "a\x00b"},
	} {
		try(testEngine(t).NewLivenessSession(nil, time.Now(), options)).wants(t, bad)
	}
}

func TestLivenessNamesMatchTheLibrary(t *testing.T) {
	if faceverify.LivenessHintHoldStill.Text() != "Hold still." || faceverify.LivenessHint(99).Text() != "" {
		t.Error(faceverify.LivenessHintHoldStill.Text())
	}
	policies := []string{
		faceverify.StandardPolicy, faceverify.StrictPolicy, faceverify.PassiveOnlyPolicy, faceverify.PhotoPolicy,
	}
	if got := faceverify.LivenessPolicies(); !reflect.DeepEqual(got, policies) {
		t.Error(got)
	}
	if signals := faceverify.LivenessSignals(); len(signals) < 4 || signals[0] != "challenge-compliance" {
		t.Error(signals)
	}
}

func TestPhotoIsNotLive(t *testing.T) {
	needPhotos(t)
	photo := testImage(t, "selfie.jpg")
	script := []faceverify.ChallengePrompt{
		{Challenge: faceverify.ChallengeTurnLeft, Hold: 0.5, Pause: 0.3}, {Challenge: faceverify.ChallengeBlink},
	}
	request := try(faceverify.LivenessRequestFromScript(script, nonce)).must(t)
	session := testSession(t, request, faceverify.LivenessOptions{ChallengeTimeout: 2 * time.Second})
	request.Close()
	frames, last := 0, faceverify.LivenessFeedback{}
	for ; !session.IsComplete() && frames < 80; frames++ {
		last = try(session.Add(ctx, faceverify.LivenessFrame{Image: photo, Time: float64(frames) / 10})).must(t)
	}
	if last.State != faceverify.LivenessSessionStateCaptured || !last.HasFace || last.AnswerCount != 1 ||
		math.Abs(last.Yaw) > 30 {
		t.Errorf("%+v", last)
	}
	wantError(t, addImage(session, photo, 100), faceverify.ErrWrongState)
	decision := try(session.Finish()).must(t)
	if again := try(session.Finish()).must(t); again.JSON() != decision.JSON() {
		t.Error("another decision when asked again")
	}
	wantError(t, addImage(session, photo, 100), faceverify.ErrWrongState)

	if decision.Result == faceverify.LivenessResultLive || len(decision.Reasons) == 0 ||
		!json.Valid([]byte(decision.JSON())) || (decision.RetryReason != 0) != (decision.Result == faceverify.LivenessResultUndecided) {
		t.Errorf("%+v", decision)
	}
	signals := faceverify.LivenessSignals()
	for i, check := range decision.Checks {
		if check.Signal != signals[i] || check.Unit == "" || check.Source == "" ||
			(check.Status == faceverify.CheckStatusPassed) != (check.Text == "") {
			t.Errorf("%+v", check)
		}
	}
	if len(decision.Checks) != len(signals) || decision.Checks[0].Status != faceverify.CheckStatusFailed {
		t.Errorf("%+v", decision.Checks)
	}
	if len(decision.Answers) != 1 || decision.Answers[0].Challenge != faceverify.ChallengeTurnLeft ||
		decision.Answers[0].Outcome != faceverify.ChallengeOutcomeTimeout || decision.Answers[0].Movement != 0 {
		t.Errorf("%+v", decision.Answers)
	}
	e := decision.Evidence
	if e.Policy != faceverify.StandardPolicy || e.Nonce != hex.EncodeToString(nonce) || len(e.ChainSHA256) != 64 ||
		e.FrameCount != frames || e.FirstTime != 0 || e.LastTime != last.Time || e.AveragedFrameCount < 1 ||
		!(e.SelfieQuality > 0) || !(e.SelfieTime >= 0) {
		t.Errorf("%+v", e)
	}
	if got, want := try(decision.Selfie.Pixels()).must(t), try(photo.Pixels()).must(t); !reflect.DeepEqual(got, want) {
		t.Error("the selfie is not the photo")
	}
	measures := faceverify.QualityMeasures()
	if len(decision.Quality) != len(measures) || decision.Quality[0].Measure != measures[0] {
		t.Errorf("%+v", decision.Quality)
	}
	again := try(testEngine(t).Compare(ctx, decision.Selfie, portrait, defaults)).must(t)
	of := try(testEngine(t).Compare(ctx, decision.Template, portrait, defaults)).must(t)
	if again.Result != faceverify.ResultMatch || of.Result != faceverify.ResultMatch {
		t.Error(again.Result, of.Result)
	}
}

func TestSessionWithoutFramesIsUndecided(t *testing.T) {
	decision := try(testSession(t, nil, faceverify.LivenessOptions{}).Finish()).must(t)
	e := decision.Evidence
	if decision.Result != faceverify.LivenessResultUndecided || decision.RetryReason != faceverify.RetryReasonInterrupted ||
		decision.Selfie != nil || decision.Template != nil || len(decision.Quality) != 0 || len(e.Nonce) != 0 ||
		!math.IsNaN(e.FirstTime) || !math.IsNaN(e.SelfieQuality) {
		t.Errorf("%+v", decision)
	}
}

func TestRefusedFramesDoNotEndTheSession(t *testing.T) {
	needPhotos(t)
	const bad = faceverify.ErrBadArgument
	photo := testImage(t, "selfie.jpg")
	session := testSession(t, nil, faceverify.LivenessOptions{
		Policy: faceverify.PassiveOnlyPolicy, CameraDriver: "uvcvideo", CameraName: "Camera",
	})
	if err := addImage(session, photo, 1); err != nil {
		t.Fatal(err)
	}
	small := try(faceverify.ImageFromImage(image.NewGray(image.Rect(0, 0, 63, 100)), noLimits)).must(t)
	closed := testImage(t, "selfie.jpg")
	closed.Close()
	wantError(t, addImage(session, photo, 1), bad)
	wantError(t, addImage(session, photo, math.NaN()), bad)
	wantError(t, addImage(session, small, 2), bad)
	wantError(t, addImage(session, closed, 2), bad)
	wantError(t, addImage(session, nil, 2), bad)
	for _, frame := range []faceverify.LivenessFrame{
		{Image: photo, Time: 2, ScreenColour: &[3]float64{0, 0, 2}},
		{Image: photo, Time: 2, Pixels: try(photo.Pixels()).must(t)},
		{Time: 2, Pixels: faceverify.Pixels{make([]byte, 100), 640, 480, 0, faceverify.PixelFormatRGB8}},
	} {
		try(session.Add(ctx, frame)).wants(t, bad)
	}
	pixels := faceverify.LivenessFrame{Time: 2, Pixels: try(photo.Pixels()).must(t), ScreenColour: &[3]float64{0, 0.5, 1}}
	feedback := try(session.Add(ctx, pixels)).must(t)
	if !feedback.HasFace || feedback.Time != 2 || feedback.State != faceverify.LivenessSessionStateCapturing {
		t.Errorf("%+v", feedback)
	}
	decision := try(session.Finish()).must(t)
	if e := decision.Evidence; e.FrameCount != 2 || e.RefusedFrameCount != 3 || e.Policy != faceverify.PassiveOnlyPolicy {
		t.Errorf("%+v", e)
	}
}

func TestLateFramesFailOnTheCallersClock(t *testing.T) {
	needPhotos(t)
	photo := testImage(t, "selfie.jpg")
	session := testSession(t, nil, faceverify.LivenessOptions{Policy: faceverify.PassiveOnlyPolicy})
	add := func(time float64, received *float64) error {
		_, err := session.Add(ctx, faceverify.LivenessFrame{Image: photo, Time: time, Received: received})
		return err
	}
	early, first, nothing, late := 999.0, 1000.0, math.NaN(), 1004.0
	if err := add(0, &first); err != nil {
		t.Fatal(err)
	}
	for _, received := range []*float64{&early, &nothing, nil} {
		wantError(t, add(1, received), faceverify.ErrBadArgument)
	}
	if err := add(1, &late); err != nil {
		t.Fatal(err)
	}
	decision := try(session.Finish()).must(t)
	for _, check := range decision.Checks {
		if check.Signal == "arrival-delay" && (check.Status != faceverify.CheckStatusFailed || check.Value != 3) {
			t.Errorf("%+v", check)
		}
	}
	if decision.Result != faceverify.LivenessResultUndecided {
		t.Errorf("%+v", decision.Reasons)
	}
}

func TestMirroredAndRotatedFramesAreAccepted(t *testing.T) {
	needPhotos(t)
	upright := try(testImage(t, "portrait.jpg").Pixels()).must(t)
	turned := upright
	turned.Data, turned.Width, turned.Height = make([]byte, len(upright.Data)), upright.Height, upright.Width
	for y := 0; y < upright.Height; y++ {
		for x := 0; x < upright.Width; x++ {
			copy(turned.Data[3*(x*upright.Height+y):][:3], upright.Data[3*(y*upright.Width+x):])
		}
	}
	session := testSession(t, nil, faceverify.LivenessOptions{Rotation: 90, IsMirrored: true})
	try(session.Add(ctx, faceverify.LivenessFrame{Pixels: turned})).must(t)
	decision := try(session.Finish()).must(t)
	if got := try(decision.Selfie.Pixels()).must(t); !reflect.DeepEqual(got, upright) {
		t.Error("the selfie is not upright")
	}
}

func TestExpectedPersonPasses(t *testing.T) {
	needPhotos(t)
	photo := testImage(t, "selfie.jpg")
	for path, want := range map[string]faceverify.CheckStatus{
		"portrait.jpg": faceverify.CheckStatusPassed, "stranger.jpg": faceverify.CheckStatusFailed,
	} {
		sample := try(testEngine(t).Sample(ctx, testImage(t, path), nil)).must(t)
		session := testSession(t, nil, faceverify.LivenessOptions{Portrait: sample.Template})
		sample.Close()
		for i := 0; i < 20; i++ {
			if err := addImage(session, photo, float64(i)/10); err != nil {
				t.Fatal(err)
			}
		}
		decision := try(session.Finish()).must(t)
		for _, check := range decision.Checks {
			if check.Signal == "portrait-identity" && check.Status != want {
				t.Errorf("%s: %+v", path, check)
			}
		}
	}
}

func TestRequestStore(t *testing.T) {
	const wrong = faceverify.ErrWrongState
	store := try(faceverify.NewLivenessRequestStore()).must(t)
	now := time.Unix(1_700_000_000, 0)
	answer := func(request *faceverify.LivenessRequest, at time.Time) *faceverify.LivenessDecision {
		session := try(testEngine(t).NewLivenessSession(request, at, faceverify.LivenessOptions{})).must(t)
		return try(session.Finish()).must(t)
	}
	request := try(store.Issue(faceverify.ChallengeDraw{Count: 5}, 0, now)).must(t)
	if len(request.Script) != 5 || !request.Expires.Equal(now.Add(5*time.Minute)) || len(request.Nonce) != sha256.Size {
		t.Errorf("%+v", request)
	}
	wantError(t, store.Accept(nil, now), faceverify.ErrBadArgument)
	decision := answer(request, now)
	if err := store.Accept(decision, now); err != nil {
		t.Error(err)
	}
	wantError(t, store.Accept(decision, now), wrong)

	late := try(store.Issue(faceverify.ChallengeDraw{}, 10*time.Second, now)).must(t)
	try(testEngine(t).NewLivenessSession(late, now.Add(10*time.Second), faceverify.LivenessOptions{})).wants(t, wrong)
	wantError(t, store.Accept(answer(late, now), now.Add(10*time.Second)), wrong)
	try(store.Issue(faceverify.ChallengeDraw{}, time.Second, now)).wants(t, faceverify.ErrBadArgument)

	// The zero Time is a forgotten one.
	try(store.Issue(faceverify.ChallengeDraw{}, 0, time.Time{})).wants(t, faceverify.ErrBadArgument)
	wantError(t, store.Accept(answer(late, now), time.Time{}), faceverify.ErrBadArgument)
	try(testEngine(t).NewLivenessSession(nil, time.Time{}, faceverify.LivenessOptions{})).wants(t, faceverify.ErrBadArgument)
	request = try(store.Issue(faceverify.ChallengeDraw{}, 0, time.Now())).must(t)
	if until := time.Until(*request.Expires); until < 4*time.Minute || until > 5*time.Minute {
		t.Error(until)
	}
	forged := try(faceverify.LivenessRequestFromScript([]faceverify.ChallengePrompt{{Challenge: 8}}, request.Nonce)).must(t)
	wantError(t, store.Accept(answer(forged, now), time.Now()), wrong)
}

func TestGoroutinesShareARequestStore(t *testing.T) {
	store, engine := try(faceverify.NewLivenessRequestStore()).must(t), testEngine(t)
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			request, err := store.Issue(faceverify.ChallengeDraw{}, 0, time.Now())
			if err != nil {
				t.Error(err)
				return
			}
			defer request.Close()
			session, err := engine.NewLivenessSession(request, time.Now(), faceverify.LivenessOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			defer session.Close()
			decision, err := session.Finish()
			if err != nil {
				t.Error(err)
				return
			}
			defer decision.Close()
			if err := store.Accept(decision, time.Now()); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
}

// Frames from several goroutines are refused or accepted, without a data race.
func TestGoroutinesShareASession(t *testing.T) {
	needPhotos(t)
	photo := testImage(t, "selfie.jpg")
	session := testSession(t, nil, faceverify.LivenessOptions{Timeout: 15 * time.Minute})
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			for k := 0; k < 10; k++ {
				err := addImage(session, photo, float64(4*k+i))
				if err != nil && !errors.Is(err, faceverify.ErrBusy) && !errors.Is(err, faceverify.ErrBadArgument) {
					t.Error(err)
				}
				session.IsComplete()
			}
		}(i)
	}
	all.Wait()
	if decision := try(session.Finish()).must(t); decision.Evidence.FrameCount < 1 {
		t.Errorf("%+v", decision.Evidence)
	}
}

// Presents one photo to a session, and prints the decision's reason.
func ExampleEngine_NewLivenessSession() {
	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	request, err := faceverify.LivenessRequestFromScript(
		[]faceverify.ChallengePrompt{{Challenge: faceverify.ChallengeTurnLeft, Hold: 0.5, Pause: 0.3}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer request.Close()
	session, err := engine.NewLivenessSession(request, time.Now(), faceverify.LivenessOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	frame, err := faceverify.ImageFromFile("selfie.jpg", faceverify.ImageLimits{})
	if err != nil {
		log.Fatal(err)
	}
	defer frame.Close()
	for i := 0; i < 30 && !session.IsComplete(); i++ {
		feedback, err := session.Add(context.Background(), faceverify.LivenessFrame{Image: frame, Time: float64(i) / 10})
		if err != nil {
			log.Fatal(err)
		}
		if feedback.Phase == faceverify.ChallengePhaseMoving && i == 29 {
			fmt.Println("requested:", feedback.Challenge)
		}
	}
	decision, err := session.Finish()
	if err != nil {
		log.Fatal(err)
	}
	defer decision.Close()
	fmt.Println(decision.Result == faceverify.LivenessResultLive, decision.Reasons[len(decision.Reasons)-1].Code != "")
	// Output:
	// requested: turn-left
	// false true
}
