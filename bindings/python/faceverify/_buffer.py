"""The memory behind bytes, arrays and other objects with Python's buffer protocol, without a copy of it."""

import ctypes
from contextlib import contextmanager
from ctypes import POINTER, c_char_p, c_int, c_ssize_t, c_void_p, py_object
from typing import Any, Dict, Iterator, Protocol, Union, cast


class ArrayLike(Protocol):
    """A NumPy array, or something like one."""

    @property
    def __array_interface__(self) -> Dict[str, Any]: ...


Bytes = Union[bytes, bytearray, memoryview, ArrayLike]

_FULL_READ_ONLY = 0x011C  # PyBUF_FULL_RO: with format, shape and strides, whatever they are
_SIMPLE = 0  # PyBUF_SIMPLE: bytes without a gap

_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes = [py_object, c_void_p, c_int]
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes, _release.restype = [c_void_p], None


class Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [
        ("buf", c_void_p),
        ("obj", c_void_p),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int),
        ("ndim", c_int),
        ("format", c_char_p),
        ("shape", POINTER(c_ssize_t)),
        ("strides", POINTER(c_ssize_t)),
        ("suboffsets", POINTER(c_ssize_t)),
        ("internal", c_void_p),
    ]


@contextmanager
def contents(source: object) -> Iterator[Buffer]:
    """The bytes of an object, which stays as it is meanwhile. Raises TypeError or BufferError if it has none."""
    yield from _view(source, _SIMPLE)


@contextmanager
def layout(source: object) -> Iterator[Buffer]:
    """The same with its shape and strides, which need not be tight."""
    yield from _view(source, _FULL_READ_ONLY)


def memory(source: Bytes) -> "memoryview":
    return memoryview(cast(Any, source))


def _view(source: object, flags: int) -> Iterator[Buffer]:
    buffer = Buffer()
    _get(source, ctypes.byref(buffer), flags)
    try:
        yield buffer
    finally:
        _release(ctypes.byref(buffer))
