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

// The arguments of one call that lie in C's memory: a struct that C reads must not point to Go's.
type arguments struct {
	blocks []unsafe.Pointer
	err    error // of the first argument that cannot be passed
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

// optionalText is nil, the default, for an empty text.
func (a *arguments) optionalText(text string) *C.char {
	if text == "" {
		return nil
	}
	return a.text(text)
}

// bytes is nil if there are none.
func (a *arguments) bytes(bytes []byte) unsafe.Pointer {
	if len(bytes) == 0 {
		return nil
	}
	return a.keep(C.CBytes(bytes))
}

// handles copies an array of them.
func (a *arguments) handles(first unsafe.Pointer, count int) unsafe.Pointer {
	return a.bytes(unsafe.Slice((*byte)(first), uintptr(count)*unsafe.Sizeof(first)))
}

// call makes a call, which ends with its message, and gives up the arguments. What it uses is not collected meanwhile.
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
	if err := ctx.Err(); err != nil && a.err == nil {
		a.err = &Error{ErrCancelled, "the context was cancelled before the call"}
		if errors.Is(err, context.DeadlineExceeded) {
			a.err = &Error{ErrTimeout, "the context's deadline was over before the call"}
		}
	}
	budget := C.fv_budget{struct_size: C.sizeof_fv_budget}
	if deadline, ok := ctx.Deadline(); ok {
		budget.seconds = C.double(math.Max(time.Until(deadline).Seconds(), 1e-9)) // 0 is no limit
	}
	if ctx.Done() != nil && a.err == nil {
		err := new(arguments).call(func(message *C.char, messageBytes C.size_t) C.fv_status {
			return C.fv_cancellation_create(&budget.cancellation, message, messageBytes)
		})
		if err != nil {
			a.err = err
		} else {
			defer C.fv_cancellation_free(budget.cancellation)
			defer cancelWith(ctx, budget.cancellation)()
		}
	}
	return a.call(func(message *C.char, messageBytes C.size_t) C.fv_status {
		return body(&budget, message, messageBytes)
	}, used...)
}

// cancelWith cancels when the context is cancelled, until the function that it returns is called. A deadline is left to
// the budget, which says that it was one.
func cancelWith(ctx context.Context, cancellation *C.fv_cancellation) (stop func()) {
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			if _, hasDeadline := ctx.Deadline(); !hasDeadline || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				C.fv_cancellation_cancel(cancellation)
			}
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-stopped
	}
}

// copied asks how much there is, makes room for it, and has it copied.
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

// address is never nil, which to C is a missing argument and not an empty one.
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
