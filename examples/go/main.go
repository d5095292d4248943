// compare SELFIE PORTRAIT: compares a selfie with a portrait.
//
// Either file is an image or a template. Exit codes: 0 match, 1 no match, 2 usage error, 3 runtime error, 4 refused: a
// photo is not good enough.
package main

import (
	"context"
	"fmt"
	"os"

	faceverify "faceverify.invalid/bindings/go"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: compare SELFIE PORTRAIT")
		os.Exit(2)
	}
	result, err := compare(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	switch result {
	case faceverify.ResultMatch:
		os.Exit(0)
	case faceverify.ResultNoMatch:
		os.Exit(1)
	default:
		os.Exit(4)
	}
}

func compare(selfie, portrait string) (faceverify.Result, error) {
	engine, err := faceverify.NewEngine(faceverify.EngineOptions{})
	if err != nil {
		return 0, err
	}
	defer engine.Close()
	decision, err := engine.Compare(context.Background(), faceverify.Path(selfie), faceverify.Path(portrait),
		faceverify.ComparisonPolicy{})
	if err != nil {
		return 0, err
	}
	defer decision.Close()

	fmt.Println(decision.Result)
	if c := decision.Comparison; c != nil {
		fmt.Printf("score %.2f, threshold %.2f (lower is closer)\n", c.Score, c.Threshold)
		fmt.Printf("similarity %.0f of 100\n", c.Similarity)
	}
	for _, reason := range decision.Reasons {
		fmt.Println(reason.Text)
	}
	return decision.Result, nil
}
