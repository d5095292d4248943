// liveness FRAME...: liveness of a person who turns left and blinks, from pictures taken at ten per second.
//
// Exit codes: 0 live, 1 presentation attack, 2 usage error, 3 runtime error, 4 undecided.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: liveness FRAME...")
		os.Exit(2)
	}
	result, err := watch(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch result {
	case faceverify.LivenessResultLive:
		os.Exit(0)
	case faceverify.LivenessResultPresentationAttack:
		os.Exit(1)
	default:
		os.Exit(4)
	}
}

func watch(frames []string) (faceverify.LivenessResult, error) {
	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
	if err != nil {
		return 0, err
	}
	defer engine.Close()
	request, err := faceverify.LivenessRequestFromScript([]faceverify.ChallengePrompt{
		{Challenge: faceverify.ChallengeTurnLeft, Hold: 0.5, Pause: 0.3},
		{Challenge: faceverify.ChallengeBlink, Pause: 0.3},
	}, nil)
	if err != nil {
		return 0, err
	}
	defer request.Close()
	session, err := engine.NewLivenessSession(request, time.Now(), faceverify.LivenessOptions{})
	if err != nil {
		return 0, err
	}
	defer session.Close()
	for i := 0; i < len(frames) && !session.IsComplete(); i++ {
		if err := add(session, frames[i], float64(i)/10); err != nil {
			return 0, err
		}
	}
	decision, err := session.Finish()
	if err != nil {
		return 0, err
	}
	defer decision.Close()

	fmt.Println(decision.Result)
	for _, reason := range decision.Reasons {
		fmt.Println(reason.Text)
	}
	return decision.Result, nil
}

// add prints after each frame what the person should do next.
func add(session *faceverify.LivenessSession, path string, seconds float64) error {
	image, err := faceverify.ImageFromFile(path, faceverify.ImageLimits{})
	if err != nil {
		return err
	}
	defer image.Close()
	feedback, err := session.Add(context.Background(), faceverify.LivenessFrame{Image: image, Time: seconds})
	if err != nil {
		return err
	}
	next := "look ahead"
	if feedback.Challenge != 0 {
		next = feedback.Challenge.String()
	}
	fmt.Printf("%.1f s: %s\n", feedback.Time, next)
	return nil
}
