// journey PORTRAIT FRAME...: whether a recording at ten pictures per second shows the living person of the portrait.
//
// Exit codes: 0 passed, 1 failed, 2 usage error, 3 runtime error, 4 not checked.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// A recording without challenges.
var configuration = map[string]any{
	"requests":  []any{map[string]any{"category": "face"}},
	"faceModes": []string{"passive"},
	"consents":  []any{map[string]any{"text": "May your face be analysed?", "isActive": true}},
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: journey PORTRAIT FRAME...")
		os.Exit(2)
	}
	result, err := verify(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch result {
	case faceverify.CheckStatusPassed:
		os.Exit(0)
	case faceverify.CheckStatusFailed:
		os.Exit(1)
	default:
		os.Exit(4)
	}
}

// at is the recording's time; a program with a camera uses time.Now().
func at(seconds float64) time.Time {
	return time.Unix(0, int64(seconds*1e9))
}

func verify(portrait string, frames []string) (faceverify.CheckStatus, error) {
	ctx := context.Background()
	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
	if err != nil {
		return 0, err
	}
	defer engine.Close()
	image, err := faceverify.ImageFromFile(portrait, faceverify.ImageLimits{})
	if err != nil {
		return 0, err
	}
	defer image.Close()
	sample, err := engine.Sample(ctx, image, nil)
	if err != nil {
		return 0, err
	}
	defer sample.Close()
	options := faceverify.JourneyOptions{Configuration: configuration, Portrait: sample.Template}
	journey, err := engine.NewJourney(ctx, at(0), options)
	if err != nil {
		return 0, err
	}
	defer journey.Close()

	printed := make(chan struct{})
	go func() {
		defer close(printed)
		for event := range journey.Events() {
			fmt.Printf("%.1f s: %s\n", event.At, event.Name)
		}
	}()
	if err := lead(journey, frames); err != nil {
		return 0, err
	}
	<-printed
	return print(journey)
}

func lead(journey *faceverify.Journey, frames []string) error {
	if err := journey.Perform(faceverify.JourneyCallStart, at(0)); err != nil {
		return err
	}
	if err := journey.Consent(0, true, at(0)); err != nil {
		return err
	}
	if err := journey.StartCredential(0, at(0)); err != nil {
		return err
	}
	if err := journey.StartPart(faceverify.JourneyPartFace, 0, at(0)); err != nil {
		return err
	}
	for i, path := range frames {
		if err := add(journey, path, float64(i)/10); err != nil {
			return err
		}
	}
	for _, call := range []faceverify.JourneyCall{
		faceverify.JourneyCallFinishPart, faceverify.JourneyCallFinishCredential, faceverify.JourneyCallFinish,
	} {
		if err := journey.Perform(call, at(float64(len(frames))/10)); err != nil {
			return err
		}
	}
	return nil
}

func add(journey *faceverify.Journey, path string, seconds float64) error {
	image, err := faceverify.ImageFromFile(path, faceverify.ImageLimits{})
	if err != nil {
		return err
	}
	defer image.Close()
	_, err = journey.AddFrame(faceverify.LivenessFrame{Image: image, Time: seconds}, at(seconds))
	return err
}

func print(journey *faceverify.Journey) (faceverify.CheckStatus, error) {
	credentials, err := journey.Credentials()
	if err != nil {
		return 0, err
	}
	outcome, err := journey.Result()
	if err != nil {
		return 0, err
	}
	face, compared := credentials[0], faceverify.Result(0)
	if face.Decision != nil {
		compared = face.Decision.Result
	}
	fmt.Printf("liveness: %v\ncomparison: %v\n%v\n", face.Liveness.Result, compared, outcome.Result)
	return outcome.Result, nil
}
