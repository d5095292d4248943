package faceverify_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	faceverify "faceverify.invalid/bindings/go"
)

const chipPassword = "L898902C3,740812,120415"

// needChip returns the program that emulates a chip.
func needChip(t *testing.T) string {
	t.Helper()
	program := os.Getenv("FACEVERIFY_EMULATED_CHIP")
	if program == "" {
		t.Skip("FACEVERIFY_EMULATED_CHIP names no program; scripts/test builds it")
	}
	return program
}

// emulatedChip starts a chip in another process; each message is preceded by its size in two bytes.
func emulatedChip(t *testing.T, arguments ...string) faceverify.ChipTransport {
	t.Helper()
	command := exec.Command(needChip(t), arguments...)
	input, output := try(command.StdinPipe()).must(t), try(command.StdoutPipe()).must(t)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		command.Wait()
	})
	return func(command []byte) ([]byte, error) {
		size := make([]byte, 2)
		binary.BigEndian.PutUint16(size, uint16(len(command)))
		if _, err := input.Write(append(size, command...)); err != nil {
			return nil, err
		}
		if _, err := io.ReadFull(output, size); err != nil {
			return nil, err
		}
		response := make([]byte, binary.BigEndian.Uint16(size))
		_, err := io.ReadFull(output, response)
		return response, err
	}
}

func chipTrust(t *testing.T) *faceverify.TrustStore {
	t.Helper()
	path := filepath.Join(t.TempDir(), "csca.cer")
	if err := exec.Command(needChip(t), "--authority", path).Run(); err != nil {
		t.Fatal(err)
	}
	return try(faceverify.NewTrustStore(filepath.Dir(path))).must(t)
}

func TestLiveChip(t *testing.T) {
	seen := map[string]float64{}
	chip := try(faceverify.ReadChip(ctx, faceverify.LiveChipOptions{
		MRZ: chipPassword, Transport: emulatedChip(t, "cam"),
		Progress: func(file string, part float64) { seen[file] = part },
	})).must(t)
	if chip.Access != faceverify.ChipAccessOpened || chip.Protocol != "id-PACE-ECDH-CAM-AES-CBC-CMAC-128" {
		t.Errorf("opened %v by %q", chip.Access, chip.Protocol)
	}
	if chip.Interruption != "" || len(chip.TranscriptSHA256) != 64 || seen["EF.DG2"] != 1 {
		t.Errorf("interruption %q, transcript %q, progress %v", chip.Interruption, chip.TranscriptSHA256, seen)
	}
	report := try(chip.Report(chipTrust(t), chipDate, false)).must(t)
	if report.Verdict != faceverify.VerdictAuthentic || report.Proof != faceverify.ChipProofNotCloned {
		t.Errorf("verdict %v, proof %v", report.Verdict, report.Proof)
	}
	if report.Result != faceverify.CheckStatusNotChecked { // EF.DG2 has no portrait
		t.Errorf("result %v", report.Result)
	}
	if len(report.ProofSteps) != 4 || report.ProofSteps[0].Name != "active-authentication" ||
		report.ProofSteps[0].Status != faceverify.CheckStatusPassed || report.Steps[0].Name != "signature" {
		t.Errorf("steps %+v, %+v", report.ProofSteps, report.Steps)
	}
	if !strings.Contains(report.JSON(), `"not-cloned"`) {
		t.Error(report.JSON())
	}
	document := try(testEngine(t).ReadDocument(ctx, faceverify.DocumentInput{Chip: chip.Files, Date: chipDate})).must(t)
	if document.Fields["surname"].Value != "ERIKSSON" {
		t.Errorf("surname %+v", document.Fields["surname"])
	}
	chip.Close()
	try(chip.Report(nil, chipDate, false)).wants(t, faceverify.ErrBadArgument)
}

func TestLiveChipClone(t *testing.T) {
	chip := try(faceverify.ReadChip(ctx, faceverify.LiveChipOptions{
		MRZ: chipPassword, Transport: emulatedChip(t, "pace", "--fault", "wrongSignature"),
	})).must(t)
	report := try(chip.Report(chipTrust(t), chipDate, false)).must(t)
	if report.Proof != faceverify.ChipProofCloneSuspected || report.Result != faceverify.CheckStatusFailed {
		t.Errorf("proof %v, result %v", report.Proof, report.Result)
	}
}

func TestLiveChipPasswordRefused(t *testing.T) {
	transport := emulatedChip(t, "pace")
	for _, want := range []struct {
		access faceverify.ChipAccess
		left   float64
	}{
		{faceverify.ChipAccessPasswordRefused, 2}, {faceverify.ChipAccessPasswordRefused, 1},
		{faceverify.ChipAccessConfirmationNeeded, 1},
	} {
		options := faceverify.LiveChipOptions{CardAccessNumber: "654321", Transport: transport}
		chip := try(faceverify.ReadChip(ctx, options)).must(t)
		if chip.Access != want.access || chip.AttemptsLeft != want.left || chip.Files != nil {
			t.Errorf("access %v, %v attempts left, want %v", chip.Access, chip.AttemptsLeft, want)
		}
		try(chip.Report(nil, chipDate, false)).wants(t, faceverify.ErrWrongState)
	}
	options := faceverify.LiveChipOptions{CardAccessNumber: "123456", Transport: transport, IsConfirmed: true}
	if chip := try(faceverify.ReadChip(ctx, options)).must(t); chip.Access != faceverify.ChipAccessOpened {
		t.Errorf("access %v", chip.Access)
	}
}

func TestLiveChipTransportFails(t *testing.T) {
	failure := errors.New("out of range")
	options := faceverify.LiveChipOptions{
		MRZ: chipPassword, Transport: func([]byte) ([]byte, error) { return nil, failure },
	}
	if _, err := faceverify.ReadChip(ctx, options); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	options.Transport = func([]byte) ([]byte, error) { return make([]byte, 70_000), nil }
	if _, err := faceverify.ReadChip(ctx, options); err == nil {
		t.Error("70,000 bytes are no response")
	}
	options.Transport = func([]byte) ([]byte, error) { return nil, nil }
	try(faceverify.ReadChip(ctx, options)).wants(t, faceverify.ErrDamaged)
	// Later, what was read before is kept.
	options.Transport = emulatedChip(t, "bac", "--remove-after", "14")
	chip := try(faceverify.ReadChip(ctx, options)).must(t)
	if !strings.Contains(chip.Interruption, "transport") || chip.Files == nil {
		t.Errorf("interruption %q, files %v", chip.Interruption, chip.Files)
	}
}

func TestLiveChipContext(t *testing.T) {
	cancelled, cancel := context.WithCancel(ctx)
	options := faceverify.LiveChipOptions{
		MRZ: chipPassword, Transport: emulatedChip(t, "bac"),
		Progress: func(string, float64) {
			cancel()
			time.Sleep(100 * time.Millisecond)
		},
	}
	_, err := faceverify.ReadChip(cancelled, options)
	if !errors.Is(err, faceverify.ErrCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestLiveChipArguments(t *testing.T) {
	none := func([]byte) ([]byte, error) { return nil, nil }
	for _, options := range []faceverify.LiveChipOptions{
		{MRZ: "L898902C3,740812"}, {CardAccessNumber: "12"}, {MRZ: chipPassword, CardAccessNumber: "123456"},
		{MRZ: chipPassword, CardTimeout: time.Second}, {MRZ: chipPassword, Reader: "x", Transport: none},
		{MRZ: chipPassword, MaximumDataBytes: 70_000, Transport: none},
	} {
		try(faceverify.ReadChip(ctx, options)).wants(t, faceverify.ErrBadArgument)
	}
}
