"""Access without copying to the memory of bytes, arrays and other objects with the buffer protocol."""

import ctypes
from contextlib import contextmanager
from ctypes import POINTER, c_char_p, c_int, c_ssize_t, c_void_p, py_object
from typing import Any, Dict, Iterator, Protocol, Union, cast


class ArrayLike(Protocol):
    """A NumPy array, or an object with its array interface."""

    @property
    def __array_interface__(self) -> Dict[str, Any]: ...


class ReadableFile(Protocol):
    """A file opened in binary mode, or an object like it: an upload, a response, io.BytesIO. It is read to its end."""

    def read(self, size: int, /) -> bytes: ...


Bytes = Union[bytes, bytearray, memoryview, ArrayLike]

_FULL_READ_ONLY = 0x011C  # PyBUF_FULL_RO: with format, shape and any strides
_SIMPLE = 0  # PyBUF_SIMPLE: contiguous bytes

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
    """Yields the contiguous bytes of an object, locked meanwhile. Raises TypeError or BufferError if it has none."""
    yield from _view(source, _SIMPLE)


@contextmanager
def layout(source: object) -> Iterator[Buffer]:
    """Like `contents`, with shape and strides; need not be contiguous."""
    yield from _view(source, _FULL_READ_ONLY)


def memory(source: Bytes) -> memoryview:
    return memoryview(cast(Any, source))


def _view(source: object, flags: int) -> Iterator[Buffer]:
    buffer = Buffer()
    _get(source, ctypes.byref(buffer), flags)
    try:
        yield buffer
    finally:
        _release(ctypes.byref(buffer))
