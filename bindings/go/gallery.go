package faceverify

// #include <stdlib.h>
// #include <faceverify.h>
//
// // Points the options to Go's memory here: a struct that Go passes must not.
// static fv_status gallery_merge(fv_gallery *gallery, const char *path, const void *key, fv_merge_options options,
//                                const fv_budget *budget, char *message, size_t message_bytes) {
//   options.key = key;
//   return fv_gallery_merge(gallery, path, &options, budget, message, message_bytes);
// }
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// A Gallery holds the templates of many people in one file, for identification (1:N). It is safe for concurrent use;
// several processes may use the file concurrently. Templates cannot be read back.
type Gallery struct {
	galleryHandle
}

// Candidates is the result of a search in a gallery, closest first.
type Candidates struct {
	CandidatesInfo
	List []Candidate
	JSON string // as `faceverify gallery search --json` and `dedupe --json` print them, without the probe
}

// OpenGallery opens a gallery of the engine's models, or creates one that only its owner may read. A key of 32 bytes
// encrypts the templates, and must be the same each time the gallery is opened; nil: no encryption.
//
// Errors: [ErrIncompatibleTemplate] for a gallery of other models; [ErrBadArgument] for a wrong, missing or superfluous
// key; [ErrUnknownFormat], [ErrDamaged], [ErrUnreadable], [ErrUnwritable]; [ErrWrongState] while another process has
// locked it.
func (e *Engine) OpenGallery(path string, key []byte) (*Gallery, error) {
	var a arguments
	text := a.text(path)
	secret := keyAddress(key)
	var handle *C.fv_gallery
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_open(&handle, e.handle, text, secret, C.size_t(len(key)), message, messageBytes)
	}, e, key)
	if err != nil {
		return nil, err
	}
	return &Gallery{newGalleryHandle(handle)}, nil
}

// Info counts the entries.
//
// Errors: [ErrDamaged], [ErrUnreadable], [ErrWrongState].
func (g *Gallery) Info() (GalleryInfo, error) {
	return describeGallery(g.c())
}

// Add adds a template under a name of 1 to 4096 bytes, replacing a same-named entry. It is on disk when Add returns.
//
// Errors: [ErrBadArgument], [ErrIncompatibleTemplate], [ErrUnwritable], [ErrWrongState].
func (g *Gallery) Add(name string, template *Template) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_add(g.c(), text, template.c(), message, messageBytes)
	}, g, template)
}

// Enrol adds a photo under its path, and returns why it has no template; empty if it has one. A photo without a
// template gets an entry with the reason. An existing entry is left unchanged if the file and the name of the policy
// are the same. A nil policy is [SelfiePolicy].
//
// Errors: [ErrBadArgument], [ErrUnwritable], [ErrWrongState], [ErrBusy]; [ErrTimeout], [ErrCancelled]: then nothing was
// added.
func (g *Gallery) Enrol(ctx context.Context, path string, policy *QualityPolicy) (problem string, err error) {
	var a arguments
	text := a.text(path)
	err = a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		status := C.fv_gallery_enrol(g.c(), text, policy.c(), budget, message, messageBytes)
		if status == C.FV_E_NO_TEMPLATE {
			problem = C.GoString(message)
			return C.FV_OK
		}
		return status
	}, g, policy)
	return problem, err
}

// IsEnrolled reports whether Enrol would leave the entry of a photo unchanged.
func (g *Gallery) IsEnrolled(path string, policy *QualityPolicy) bool {
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	defer runtime.KeepAlive(policy)
	defer runtime.KeepAlive(g)
	return C.fv_gallery_is_enrolled(g.c(), text, policy.c()) == 1
}

// MergeOptions are the entries of another gallery that Merge copies. The zero value is all of an unencrypted one.
type MergeOptions struct {
	Key   []byte // of the other gallery; nil: it is not encrypted
	First int    // zero-based index of the first entry to copy, in order of insertion
	Count int    // number of entries to copy; 0: all that follow
}

// Merge copies entries of another gallery of the same models, replacing same-named entries. After a failure, merging
// again is safe.
//
// Errors: for the other gallery, those of [Engine.OpenGallery]; [ErrUnwritable], [ErrWrongState]; [ErrTimeout],
// [ErrCancelled].
func (g *Gallery) Merge(ctx context.Context, path string, options MergeOptions) error {
	var a arguments
	text, secret := a.text(path), keyAddress(options.Key)
	c := C.fv_merge_options{
		struct_size:    C.sizeof_fv_merge_options,
		key_byte_count: C.size_t(len(options.Key)),
		first:          C.size_t(options.First),
		count:          C.size_t(options.Count),
	}
	return a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.gallery_merge(g.c(), text, secret, c, budget, message, messageBytes)
	}, g, options)
}

// keyAddress returns the address of a key, which is not copied: a copy would have to be wiped. Nil without a key.
func keyAddress(key []byte) unsafe.Pointer {
	if key == nil {
		return nil
	}
	return address(key)
}

// Remove removes the entry with a name, and overwrites its template.
//
// Errors: [ErrAbsent] if there is none, [ErrUnwritable], [ErrWrongState].
func (g *Gallery) Remove(name string) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_remove(g.c(), text, message, messageBytes)
	}, g)
}

// Search returns the entries closest to a template, closest first, at most count of up to 1000; 0 is 10. The rate is
// the false-positive identification rate (FPIR), the share of searches for people who are not in the gallery that have
// a match; 0 is 1e-2. Each comparison is decided at the rate over the number of templates; if the calibration does not
// support so small a rate, no candidate is a match.
//
// Errors: [ErrBadArgument], [ErrIncompatibleTemplate], [ErrDamaged], [ErrWrongState]; [ErrTimeout], [ErrCancelled].
func (g *Gallery) Search(ctx context.Context, probe *Template, count int, rate float64) (*Candidates, error) {
	var a arguments
	var handle *C.fv_candidates
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_search(
			&handle, g.c(), probe.c(), C.size_t(count), C.double(rate), budget, message, messageBytes)
	}, g, probe)
	if err != nil {
		return nil, err
	}
	return readCandidates(handle)
}

// Duplicates returns the pairs of entries closest to each other, closest first, at most count of up to 1000; 0 is 100.
// It compares all pairs with as many threads as the engine has: 100,000 templates take minutes. The rate is the
// probability that any non-mated pair is a match; 0 is 1e-2.
//
// Errors: [ErrBadArgument], [ErrDamaged], [ErrWrongState]; [ErrTimeout], [ErrCancelled].
func (g *Gallery) Duplicates(ctx context.Context, count int, rate float64) (*Candidates, error) {
	var a arguments
	var handle *C.fv_candidates
	err := a.analyse(ctx, func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_duplicates(
			&handle, g.c(), C.size_t(count), C.double(rate), budget, message, messageBytes)
	}, g)
	if err != nil {
		return nil, err
	}
	return readCandidates(handle)
}

func readCandidates(handle *C.fv_candidates) (*Candidates, error) {
	defer C.fv_candidates_free(handle)
	info, err := describeCandidates(handle)
	if err != nil {
		return nil, err
	}
	list, err := listCandidates(handle)
	return &Candidates{info, list, C.GoString(C.fv_candidates_json(handle))}, err
}
