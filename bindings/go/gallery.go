package faceverify

// #include <stdlib.h>
// #include <faceverify.h>
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// A Gallery holds the templates of many people in one file, to find which of them it is. Any goroutines may use it at
// the same time, and any processes the file. Templates only go in.
type Gallery struct {
	galleryHandle
}

// Candidates is what a search in a gallery found, closest first.
type Candidates struct {
	CandidatesInfo
	List []Candidate
	json string
}

// JSON returns what `faceverify gallery search --json` and `dedupe --json` print, without the probe.
func (c *Candidates) JSON() string { return c.json }

// OpenGallery opens a gallery of the engine's models, or makes one, which only its owner may read. A key of 32 bytes
// encrypts the templates, and must be the same whenever the gallery is opened; nil: they are not encrypted.
//
// Errors: [ErrIncompatibleTemplate] for a gallery of other models; [ErrBadArgument] for a wrong key; [ErrUnknownFormat],
// [ErrDamaged], [ErrUnreadable], [ErrUnwritable]; [ErrWrongState] while another process holds it.
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

// Info counts what is in the gallery.
//
// Errors: [ErrDamaged], [ErrUnreadable], [ErrWrongState].
func (g *Gallery) Info() (GalleryInfo, error) {
	return describeGallery(g.c())
}

// Add adds a template under a name of 1 to 4096 bytes, in the place of what has that name. Once this returns, it is on
// the disk.
//
// Errors: [ErrBadArgument], [ErrIncompatibleTemplate], [ErrUnwritable], [ErrWrongState].
func (g *Gallery) Add(name string, template *Template) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_add(g.c(), text, template.c(), message, messageBytes)
	}, g, template)
}

// Enrol adds the photo of a file under its path, and says why it has no template: nothing if it has one. A photo without
// a template is kept as well, with the reason. What is there already is left as it is, as long as the file and the name
// of the policy are the same. A nil policy is [SelfiePolicy].
//
// Errors: [ErrBadArgument], [ErrUnwritable], [ErrWrongState], [ErrBusy].
func (g *Gallery) Enrol(path string, policy *QualityPolicy) (problem string, err error) {
	var a arguments
	text := a.text(path)
	err = a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		status := C.fv_gallery_enrol(g.c(), text, policy.c(), message, messageBytes)
		if status == C.FV_OK {
			problem = C.GoString(message)
		}
		return status
	}, g, policy)
	return problem, err
}

// IsEnrolled tells whether Enrol would leave a photo as it is.
func (g *Gallery) IsEnrolled(path string, policy *QualityPolicy) bool {
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	defer runtime.KeepAlive(policy)
	defer runtime.KeepAlive(g)
	return C.fv_gallery_is_enrolled(g.c(), text, policy.c()) == 1
}

// Merge copies the entries of another gallery of the same models, each in the place of what has its name; the key is that
// of the other gallery. Of its entries in the order in which they were added, count from first on are taken, which is
// counted from 0; a count of 0: all that follow. To do it again is no harm.
//
// Errors: for the other gallery, those of [Engine.OpenGallery]; [ErrUnwritable], [ErrWrongState].
func (g *Gallery) Merge(path string, key []byte, first, count int) error {
	var a arguments
	text, secret := a.text(path), keyAddress(key)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_merge(g.c(), text, secret, C.size_t(len(key)), C.size_t(first), C.size_t(count), message,
			messageBytes)
	}, g, key)
}

// keyAddress is where a key lies, which is not copied: a copy would have to be wiped. Nil: there is none.
func keyAddress(key []byte) unsafe.Pointer {
	if key == nil {
		return nil
	}
	return address(key)
}

// Remove removes what has a name, and overwrites its template.
//
// Errors: [ErrAbsent] if there is none, [ErrUnwritable], [ErrWrongState].
func (g *Gallery) Remove(name string) error {
	var a arguments
	text := a.text(name)
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_remove(g.c(), text, message, messageBytes)
	}, g)
}

// Search finds the entries that are closest to a template, at most count of up to 1000; 0 is 10. The rate is the share
// of searches for people who are not in the gallery that may have a match (FPIR); 0 is 1e-2. Each comparison is decided at
// the rate over the number of templates; if the calibration does not support so small a rate, nothing is called a match.
//
// Errors: [ErrBadArgument], [ErrIncompatibleTemplate], [ErrDamaged], [ErrWrongState].
func (g *Gallery) Search(probe *Template, count int, rate float64) (*Candidates, error) {
	var a arguments
	var handle *C.fv_candidates
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_gallery_search(
			&handle, g.c(), probe.c(), C.size_t(count), C.double(rate), message, messageBytes)
	}, g, probe)
	if err != nil {
		return nil, err
	}
	return readCandidates(handle)
}

// Duplicates finds the pairs of entries that are closest to each other, at most count of up to 1000; 0 is 100. All pairs
// are compared, by as many threads as the engine has: 100,000 templates take minutes. The rate is the probability that
// any pair of different people is called a match; 0 is 1e-2.
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
