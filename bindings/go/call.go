package faceverify

// #include <stdlib.h>
// #include <faceverify.h>
import "C"

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// The arguments of one call, allocated in C's memory: a struct that C reads must not point to Go memory.
type arguments struct {
	blocks []unsafe.Pointer
	err    error // the error of the first argument that cannot be passed
}

func (a *arguments) fail(message string) {
	if a.err == nil {
		a.err = &Error{ErrBadArgument, message}
	}
}

func (a *arguments) keep(block unsafe.Pointer) unsafe.Pointer {
	a.blocks = append(a.blocks, block)
	return block
}

func (a *arguments) text(text string) *C.char {
	if strings.IndexByte(text, 0) >= 0 {
		a.fail("a text has a 0 byte in it, which C takes for its end")
	}
	return (*C.char)(a.keep(unsafe.Pointer(C.CString(text))))
}

// optionalText returns nil, the default, for an empty text.
func (a *arguments) optionalText(text string) *C.char {
	if text == "" {
		return nil
	}
	return a.text(text)
}

// bytes returns nil if there are none.
func (a *arguments) bytes(bytes []byte) unsafe.Pointer {
	if len(bytes) == 0 {
		return nil
	}
	return a.keep(C.CBytes(bytes))
}

// handles copies an array of handles.
func (a *arguments) handles(first unsafe.Pointer, count int) unsafe.Pointer {
	return a.bytes(unsafe.Slice((*byte)(first), uintptr(count)*unsafe.Sizeof(first)))
}

// call makes a call with a message buffer, then frees the arguments. The used objects are kept alive.
func (a *arguments) call(body func(message *C.char, messageBytes C.size_t) C.fv_status, used ...any) error {
	defer func() {
		for _, block := range a.blocks {
			C.free(block)
		}
	}()
	if a.err != nil {
		return a.err
	}
	var message [C.FV_MESSAGE_BYTES]C.char
	status := body(&message[0], C.FV_MESSAGE_BYTES)
	runtime.KeepAlive(used)
	return newError(status, C.GoString(&message[0]))
}

// analyse makes a call that ends when the context does.
func (a *arguments) analyse(
	ctx context.Context, body func(budget *C.fv_budget, message *C.char, messageBytes C.size_t) C.fv_status, used ...any,
) error {
	budget := C.fv_budget{struct_size: C.sizeof_fv_budget}
	if deadline, ok := ctx.Deadline(); ok {
		budget.seconds = C.double(math.Max(time.Until(deadline).Seconds(), 1e-9)) // 0: no limit
	}
	if a.err == nil && ctx.Err() != nil {
		a.err = ended(ctx)
	}
	if a.err == nil && ctx.Done() != nil {
		var stop func()
		if budget.cancellation, stop, a.err = cancellation(ctx); a.err == nil {
			defer stop()
		}
	}
	err := a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return body(&budget, message, messageBytes)
	}, used...)
	if errors.Is(err, ErrCancelled) {
		return ended(ctx)
	}
	return err
}

// ended returns the error of a call that was ended by the context.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{ErrTimeout, "the context's deadline was over before the call had ended"}
	}
	return &Error{ErrCancelled, "the context was cancelled before the call had ended"}
}

// cancellation creates a cancellation that the end of the context triggers; stop frees it.
func cancellation(ctx context.Context) (handle *C.fv_cancellation, stop func(), err error) {
	err = new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return C.fv_cancellation_create(&handle, message, messageBytes)
	})
	if err != nil {
		return nil, nil, err
	}
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			C.fv_cancellation_cancel(handle)
		case <-over:
		}
	}()
	return handle, func() {
		close(over)
		<-stopped
		C.fv_cancellation_free(handle)
	}, nil
}

// copied queries a count, allocates a slice, and has it filled.
func copied[T any](
	body func(room unsafe.Pointer, capacity C.size_t, count *C.size_t) C.fv_status,
) (list []T, status C.fv_status) {
	var count C.size_t
	if status = body(nil, 0, &count); status != C.FV_OK || count == 0 {
		return nil, status
	}
	list = make([]T, count)
	return list, body(unsafe.Pointer(&list[0]), count, &count)
}

// address is never nil, which C would take for a missing argument instead of an empty one.
func address(bytes []byte) unsafe.Pointer {
	if len(bytes) == 0 {
		return unsafe.Pointer(&empty)
	}
	return unsafe.Pointer(&bytes[0])
}

var empty byte

func number(is bool) C.int64_t {
	if is {
		return 1
	}
	return 0
}
