package faceverify_test

import (
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"log"
	"math"
	"os"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

// Compares two photos.
func Example() {
	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	selfie, portrait := faceverify.Path("selfie.jpg"), faceverify.Path("portrait.jpg")
	decision, err := engine.Compare(ctx, selfie, portrait, faceverify.ComparisonPolicy{})
	if err != nil {
		log.Fatal(err)
	}
	defer decision.Close()
	fmt.Println(decision.Result)
	for _, reason := range decision.Reasons {
		fmt.Println(reason.Code)
	}
	// Output:
	// match
	// portrait.head-pose-yaw
}

// A runtime error states whether another photo may help.
func ExampleError() {
	_, err := faceverify.ImageFromFile("no-such-file.jpg", faceverify.ImageLimits{})
	var detail *faceverify.Error
	if errors.Is(err, faceverify.ErrUnreadable) && errors.As(err, &detail) {
		fmt.Println(detail.Status.String(), detail.Retryable())
	}
	// Output: unreadable true
}

// Reports the quality of a photo, and keeps the template for later comparisons.
func ExampleEngine_Sample() {
	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	image, err := faceverify.ImageFromFile("portrait.jpg", faceverify.ImageLimits{})
	if err != nil {
		log.Fatal(err)
	}
	defer image.Close()
	policy, err := faceverify.NewQualityPolicy(faceverify.DocumentPortraitPolicy)
	if err != nil {
		log.Fatal(err)
	}
	defer policy.Close()
	sample, err := engine.Sample(context.Background(), image, policy)
	if err != nil {
		log.Fatal(err)
	}
	defer sample.Close()
	form, err := sample.Template.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("accepted:", sample.IsAccepted, "template:", len(form), "bytes")
	for _, check := range sample.Checks {
		if check.Status == faceverify.CheckStatusFailed {
			fmt.Println(check.Measure, check.Consequence)
		}
	}
	// Output:
	// accepted: true template: 580 bytes
	// head-pose-yaw warn
}

// Compares images decoded by Go, without files.
func ExampleImageFromImage() {
	file, err := os.Open("portrait.jpg")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	decoded, err := jpeg.Decode(file)
	if err != nil {
		log.Fatal(err)
	}
	image, err := faceverify.ImageFromImage(decoded, faceverify.ImageLimits{})
	if err != nil {
		log.Fatal(err)
	}
	defer image.Close()
	info, err := image.Info()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Format, info.Width == decoded.Bounds().Dx())
	// Output: pixels true
}

// A custom policy: blurred photos are refused earlier, and there is no requirement on the mouth.
func ExampleQualityPolicy_Require() {
	policy, err := faceverify.NewQualityPolicy(faceverify.SelfiePolicy)
	if err != nil {
		log.Fatal(err)
	}
	defer policy.Close()
	none := math.NaN()
	fmt.Println(policy.Require("sharpness", 0.5, none, 0.4, none))
	fmt.Println(policy.Require("mouth-closed", none, none, none, none))
	// Output:
	// <nil>
	// <nil>
}
