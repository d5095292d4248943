package faceverify

// #include <faceverify.h>
import "C"

import (
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"
)

// The running calls of ReadChip, by numbers that C can hold.
var (
	chipCalls    sync.Map
	lastChipCall atomic.Uintptr
)

type chipCall struct {
	options LiveChipOptions
	err     error // of the transport
}

//export faceverifyTransmit
func faceverifyTransmit(
	command unsafe.Pointer, commandBytes C.size_t, response unsafe.Pointer, capacityBytes C.size_t,
	responseBytes *C.size_t, number C.uintptr_t,
) C.fv_status {
	found, ok := chipCalls.Load(uintptr(number))
	if !ok {
		return C.FV_E_INTERNAL
	}
	call := found.(*chipCall)
	answer, err := call.options.Transport(C.GoBytes(command, C.int(commandBytes)))
	if err == nil && len(answer) > int(capacityBytes) {
		err = errors.New("the transport returned more bytes than a response has")
	}
	if err != nil {
		call.err = err
		var status Status
		if errors.As(err, &status) {
			return C.fv_status(status)
		}
		return C.FV_E_UNREADABLE
	}
	copy(unsafe.Slice((*byte)(response), int(capacityBytes)), answer)
	*responseBytes = C.size_t(len(answer))
	return C.FV_OK
}

//export faceverifyProgress
func faceverifyProgress(file *C.char, part C.double, number C.uintptr_t) {
	if found, ok := chipCalls.Load(uintptr(number)); ok {
		if progress := found.(*chipCall).options.Progress; progress != nil {
			progress(C.GoString(file), float64(part))
		}
	}
}
