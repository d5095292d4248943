package faceverify

// #include <faceverify.h>
import "C"

import (
	"sync"
	"sync/atomic"
)

// The log handlers of the engines, by numbers that C can hold: it must not keep a pointer to Go memory.
var (
	logs    sync.Map
	lastLog atomic.Uintptr
)

// newLog returns 0 for nil. Lines that arrive after the handler was deleted from the logs are dropped.
func newLog(log func(LogLevel, string)) uintptr {
	if log == nil {
		return 0
	}
	number := lastLog.Add(1)
	logs.Store(number, log)
	return number
}

//export faceverifyLog
func faceverifyLog(level C.fv_log_level, text *C.char, number C.uintptr_t) {
	if log, ok := logs.Load(uintptr(number)); ok {
		log.(func(LogLevel, string))(LogLevel(level), C.GoString(text))
	}
}
