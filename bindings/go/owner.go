package faceverify

import (
	"runtime"
	"sync"
)

// An owner frees one object of the library, or represents one borrowed from another owner.
//
// Handles are numbers in the form of pointers to incomplete C structs, which the garbage collector does not follow. The
// library looks them up, so that a freed one gives an error, also while another goroutine uses it. Only texts are
// memory that is freed with their object.
type owner struct {
	free   func()
	lender *owner
	// Locked for writing while the object is freed, and for reading while its texts are copied.
	texts sync.RWMutex
}

// own creates an owner. It frees at the latest when it is garbage-collected; freeing again does nothing.
func own(free func()) *owner {
	o := &owner{free: free}
	runtime.SetFinalizer(o, (*owner).close)
	return o
}

func (o *owner) lend() *owner {
	return &owner{lender: o}
}

// close frees an object that is not borrowed.
func (o *owner) close() error {
	if o == nil || o.lender != nil {
		return nil
	}
	o.texts.Lock()
	defer o.texts.Unlock()
	o.free()
	runtime.SetFinalizer(o, nil)
	return nil
}

// copyTexts runs body while the texts of the object are kept.
func (o *owner) copyTexts(body func()) {
	for o != nil && o.lender != nil {
		o = o.lender
	}
	if o != nil {
		o.texts.RLock()
		defer o.texts.RUnlock()
	}
	body()
}
