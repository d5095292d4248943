"""What every object of the library has in common, and how its functions are called."""

import ctypes
import math
import os
from types import TracebackType
from typing import Any, Callable, ClassVar, Dict, List, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._errors import BadArgument, Busy, make_error
from ._library import FV_MESSAGE_SIZE, Point as CPoint, Struct
from ._values import Point

Path = Union[str, "os.PathLike[str]"]
_Item = TypeVar("_Item")
_Self = TypeVar("_Self", bound="Handle")


class Handle:
    """An object of the library, freed by `close()`, at the end of a `with` block, or when nothing refers to it."""

    _free: ClassVar[Callable[[int], None]]
    _handle: int = 0
    _owner: "Optional[Handle]" = None

    def __init__(self, *_: object) -> None:
        raise TypeError(f"{type(self).__name__} is made by the functions that return one")

    @classmethod
    def _wrap(cls: Type[_Self], handle: int, owner: "Optional[Handle]" = None) -> _Self:
        """The object of a handle, which another object owns if `owner` is given."""
        self = cls.__new__(cls)
        self._handle = handle
        self._owner = owner
        return self

    def _use(self) -> int:
        if self._owner is not None:
            self._owner._use()
        if not self._handle:
            raise BadArgument(f"this {type(self).__name__} is closed")
        return self._handle

    def close(self) -> None:
        """Frees the object. What was taken from it (`Face`, `Check`...) stays; it can be closed more than once.

        What belongs to another object is freed with that one.
        """
        handle, self._handle = self._handle, 0
        if handle and self._owner is None:
            type(self)._free(handle)

    def __enter__(self: _Self) -> _Self:
        self._use()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(f"{type(self).__name__} cannot be copied or pickled")


class Reporting(Handle):
    """An object that one thread uses at a time, and that keeps the message of its last call."""

    _message: ClassVar[Callable[[int], Optional[bytes]]]
    _busy: ClassVar[str]

    def _make(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls a function whose first parameters are `out` and this object, and returns the handle."""
        out = ctypes.c_void_p()
        self._check(function(ctypes.byref(out), self._use(), *arguments))
        return out.value or 0

    def _check(self, status: int) -> None:
        if status == Busy.status:
            raise Busy(self._busy)
        if status:
            raise make_error(status, text(type(self)._message(self._handle)))


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that ends with `message` and `capacity`, and raises what it reports."""
    message = ctypes.create_string_buffer(FV_MESSAGE_SIZE)
    status = function(*arguments, message, FV_MESSAGE_SIZE)
    if status:
        raise make_error(status, text(message.value))


def check(status: int, message: str) -> None:
    """Raises what a function without `message` reports."""
    if status:
        raise make_error(status, message)


def make(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function whose first parameter is `out`, as `call` does, and returns the handle."""
    out = ctypes.c_void_p()
    call(function, ctypes.byref(out), *arguments)
    assert out.value is not None
    return out.value


def listed(name: Callable[[int], Optional[bytes]]) -> Tuple[str, ...]:
    """The names that a function gives for 0, 1...; the library adds some in later releases."""
    names: List[str] = []
    while (one := name(len(names))) is not None:
        names.append(one.decode())
    return tuple(names)


def pick(count: int, index: Union[int, slice], item: Callable[[int], _Item]) -> Union[_Item, Sequence[_Item]]:
    """What `[index]` of a sequence gives, if `item` gives one item of it."""
    if isinstance(index, slice):
        return [item(one) for one in range(count)[index]]
    return item(range(count)[index])


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode(errors="replace")


def encoded_path(path: Optional[Path]) -> Optional[bytes]:
    if path is None:
        return None
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise BadArgument(f"a path has no 0 byte: {path!r}")
    return encoded


def encoded_name(name: Optional[str]) -> Optional[bytes]:
    if name is None:
        return None
    if "\0" in name:
        raise BadArgument(f"a name has no 0 byte: {name!r}")
    return name.encode()


def values(struct: Struct) -> Dict[str, Any]:
    """The fields of a struct after its size: text as `str`, NaN as `None`."""
    return {name: _plain(getattr(struct, name)) for name, *_ in struct._fields_[1:]}


def number(value: float) -> Optional[float]:
    return None if math.isnan(value) else value


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return number(value)
    if isinstance(value, bytes):
        return text(value)
    if isinstance(value, CPoint):
        return Point(value.x, value.y)
    return value
