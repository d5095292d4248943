package faceverify

import (
	"runtime"
	"sync"
)

// An owner frees one object of the library, or is lent one by the owner of the object that it belongs to.
//
// Handles are numbers in the form of pointers to incomplete C structs, which the garbage collector does not follow. The
// library looks them up, so one that was freed gives an error, also while another goroutine uses it. Only texts are
// memory that goes away with their object.
type owner struct {
	free   func()
	lender *owner
	// Held for writing while the object is freed, and for reading while its texts are copied.
	texts sync.RWMutex
}

// own makes the owner that frees at last when nothing refers to it any more.
func own(free func()) *owner {
	o := &owner{free: free}
	runtime.SetFinalizer(o, (*owner).close)
	return o
}

func (o *owner) lend() *owner {
	return &owner{lender: o}
}

// close frees what is not lent.
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

// copyTexts runs body while the texts of the object stay.
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
