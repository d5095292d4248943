package faceverify_test

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The go command fetches the module by its path from a module proxy, as it would from a host of that name.
func TestModuleCanBeFetched(t *testing.T) {
	const version = "v0.0.1"
	_, file, _, _ := runtime.Caller(0)
	source := filepath.Dir(file)
	declaration := try(os.ReadFile(filepath.Join(source, "go.mod"))).must(t)
	module := strings.TrimPrefix(strings.SplitN(string(declaration), "\n", 2)[0], "module ")
	folder := t.TempDir()
	versions := filepath.Join(folder, "proxy", filepath.FromSlash(module), "@v")
	wantNone(t, os.MkdirAll(versions, 0o700), os.Mkdir(filepath.Join(folder, "program"), 0o700))
	archive := try(os.Create(filepath.Join(versions, version+".zip"))).must(t)
	files := zip.NewWriter(archive)
	for _, path := range try(filepath.Glob(filepath.Join(source, "*"))).must(t) {
		entry := try(files.Create(fmt.Sprintf("%s@%s/%s", module, version, filepath.Base(path)))).must(t)
		try(entry.Write(try(os.ReadFile(path)).must(t))).must(t)
	}
	wantNone(t, files.Close(),
		os.WriteFile(filepath.Join(versions, version+".mod"), declaration, 0o600),
		os.WriteFile(filepath.Join(versions, version+".info"), []byte(`{"Version": "`+version+`"}`), 0o600),
		os.WriteFile(filepath.Join(folder, "program", "go.mod"), []byte("module example.org/program\n"), 0o600))
	command := exec.Command("go", "get", module+"@"+version)
	command.Dir = filepath.Join(folder, "program")
	command.Env = append(os.Environ(), "GOPROXY=file://"+filepath.Join(folder, "proxy"), "GONOSUMDB="+module,
		"GOFLAGS=-modcacherw", "GOMODCACHE="+filepath.Join(folder, "cache"))
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if required := string(try(os.ReadFile(filepath.Join(command.Dir, "go.mod"))).must(t)); !strings.Contains(required, module) {
		t.Errorf("go.mod does not require the module: %s", required)
	}
}
