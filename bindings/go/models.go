package faceverify

// #include <faceverify.h>
import "C"

// Models are the files that a manifest names, and their state.
type Models struct {
	Files []Model
	JSON  string // as `faceverify models list --json` prints it
}

// A Model is one file.
type Model struct {
	ID      string
	Role    string
	Version string
	Licence string // SPDX identifier
	Path    string
	Remedy  string // what to do; empty if the file is right
	State   ModelState
	Size    int64 // bytes, as the manifest gives them
}

// A ModelState says whether a model file is the right one.
type ModelState int

const (
	ModelOK       ModelState = C.FV_MODEL_OK       // there, with the SHA-256 that the manifest gives
	ModelMissing  ModelState = C.FV_MODEL_MISSING  // not there
	ModelMismatch ModelState = C.FV_MODEL_MISMATCH // another file
)

// String returns the name that the JSON uses: "ok", "missing" or "mismatch"; "unknown" for other numbers.
func (s ModelState) String() string {
	switch s {
	case ModelOK:
		return "ok"
	case ModelMissing:
		return "missing"
	case ModelMismatch:
		return "mismatch"
	}
	return "unknown"
}

// CheckModels reads and hashes every file that the manifest of a folder names. An empty folder is searched as for
// [Options].ModelsFolder.
//
// Errors: [ErrModelMissing] if there is no manifest.
func CheckModels(folder string) (*Models, error) {
	text, err := newOptionalText(folder)
	if err != nil {
		return nil, err
	}
	defer freeText(text)
	var handle *C.fv_models
	var message messageBuffer
	if err := message.newError(C.fv_models_check(&handle, text, &message[0], C.FV_MESSAGE_SIZE)); err != nil {
		return nil, err
	}
	defer C.fv_models_free(handle)

	models := &Models{
		Files: make([]Model, C.fv_models_count(handle)),
		JSON:  C.GoString(C.fv_models_json(handle)),
	}
	for i := range models.Files {
		m := C.fv_model{struct_size: C.sizeof_fv_model}
		if err := newError(C.fv_models_get(&m, handle, C.size_t(i)), "a model file is not listed"); err != nil {
			return nil, err
		}
		models.Files[i] = Model{
			ID:      C.GoString(m.id),
			Role:    C.GoString(m.role),
			Version: C.GoString(m.version),
			Licence: C.GoString(m.licence),
			Path:    C.GoString(m.path),
			Remedy:  C.GoString(m.remedy),
			State:   ModelState(m.state),
			Size:    int64(m.size),
		}
	}
	return models, nil
}
