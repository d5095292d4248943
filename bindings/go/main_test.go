package faceverify_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	faceverify "faceverify.invalid/bindings/go"
)

// The photos by the names that tests and examples use: two of one person, one of another.
var photos = map[string]string{"selfie.jpg": "obama.jpg", "portrait.jpg": "obama2.jpg", "stranger.jpg": "biden.jpg"}

var photosAreMissing error

var (
	ctx      = context.Background()
	defaults faceverify.ComparisonPolicy
)

// TestMain runs the tests in a folder with the photos of $FACEVERIFY_SAMPLES.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "faceverify-go-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	for name, sample := range photos {
		sample := filepath.Join(os.Getenv("FACEVERIFY_SAMPLES"), sample)
		if err := copyFile(sample, filepath.Join(folder, name)); err != nil {
			photosAreMissing = fmt.Errorf("FACEVERIFY_SAMPLES has no photos: %w", err)
		}
	}
	if photosAreMissing != nil && flag.Lookup("test.run").Value.String() == "" {
		fmt.Println("examples are skipped:", photosAreMissing)
		flag.Set("test.run", "^Test")
	}
	if err := os.Chdir(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func copyFile(from, to string) error {
	bytes, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, bytes, 0o600)
}

func needPhotos(t *testing.T) {
	t.Helper()
	if photosAreMissing != nil {
		t.Skip(photosAreMissing)
	}
}

var (
	sharedEngine     *faceverify.Engine
	sharedEngineErr  error
	sharedEngineOnce sync.Once
)

// testEngine is shared by all tests, and never closed.
func testEngine(t *testing.T) *faceverify.Engine {
	t.Helper()
	sharedEngineOnce.Do(func() {
		sharedEngine, sharedEngineErr = faceverify.NewEngine(faceverify.EngineOptions{ThreadCount: 2})
	})
	if sharedEngineErr != nil {
		t.Fatal(sharedEngineErr)
	}
	return sharedEngine
}

func testImage(t *testing.T, path string) *faceverify.Image {
	t.Helper()
	return try(faceverify.ImageFromFile(path, faceverify.ImageLimits{})).must(t)
}

type result[T any] struct {
	value T
	err   error
}

func try[T any](value T, err error) result[T] {
	return result[T]{value, err}
}

// must ends the test if there is an error, and closes the value when the test ends.
func (r result[T]) must(t *testing.T) T {
	t.Helper()
	if r.err != nil {
		t.Fatal(r.err)
	}
	if closer, ok := any(r.value).(io.Closer); ok {
		t.Cleanup(func() { closer.Close() })
	}
	return r.value
}

// wants checks for an error of this status with a message.
func (r result[T]) wants(t *testing.T, status faceverify.Status) {
	t.Helper()
	wantError(t, r.err, status)
}

// wantError checks an error's status, and that it has a message.
func wantError(t *testing.T, err error, status faceverify.Status) {
	t.Helper()
	var detail *faceverify.Error
	if !errors.Is(err, status) {
		t.Errorf("error %v, want %v", err, status)
	} else if !errors.As(err, &detail) || detail.Message == "" {
		t.Errorf("error %#v has no message", err)
	}
}
