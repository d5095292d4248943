"""The base class of the library's objects, and helpers to call its functions."""

import ctypes
import os
from types import TracebackType
from typing import Any, Callable, ClassVar, Optional, Sequence, Tuple, Type, TypeVar, Union, overload

from ._base import Listed, Value, check, look_up, text
from ._generated import FV_MESSAGE_BYTES, Absent, BadArgument, CBudget, lib

Path = Union[str, "os.PathLike[str]"]
_Item = TypeVar("_Item", bound=Value)
_Listed = TypeVar("_Listed", bound=Listed)
_Part = TypeVar("_Part", bound="Handle")
_Self = TypeVar("_Self", bound="Handle")
_Value = TypeVar("_Value", bound=Value)


def call(function: Callable[..., int], *arguments: Any) -> str:
    """Calls a function with a message buffer; raises its error, or returns the message, empty for most functions."""
    message = ctypes.create_string_buffer(FV_MESSAGE_BYTES)
    status = function(*arguments, message, FV_MESSAGE_BYTES)
    said = text(message.value)
    check(status, said)
    return said


def look(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function without a message buffer, and raises its error."""
    check(function(*arguments))


def make(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function that creates an object, and returns the handle."""
    out = ctypes.c_void_p()
    call(function, ctypes.byref(out), *arguments)
    assert out.value is not None
    return out.value


def fill(kind: Type[_Value], function: Callable[..., int], *arguments: Any) -> _Value:
    """Calls a function that fills a struct, and returns the value."""
    struct = kind._struct()
    call(function, ctypes.byref(struct), *arguments)
    return kind._of(struct)


class Handle:
    """An object of the library, freed by `close()`, at the end of a `with` block, or when nothing refers to it."""

    _free: ClassVar[Callable[[int], None]]
    _handle: int = 0
    _owner: "Optional[Handle]" = None
    _hash: Optional[int] = None

    def __init__(self, *_: object) -> None:
        raise TypeError(f"{type(self).__name__} is made by the functions that return one")

    @classmethod
    def _wrap(cls: Type[_Self], handle: int, owner: "Optional[Handle]" = None) -> _Self:
        """Returns the object of a handle; if `owner` is given, the handle is borrowed from it."""
        self = cls.__new__(cls)
        self._handle = handle
        self._owner = owner
        return self

    @classmethod
    def _make(cls: Type[_Self], function: Callable[..., int], *arguments: Any) -> _Self:
        return cls._wrap(make(function, *arguments))

    def _use(self) -> int:
        if self._owner is not None:
            self._owner._use()
        if not self._handle:
            raise BadArgument(f"this {type(self).__name__} is closed")
        return self._handle

    def _part(self, kind: "Type[_Part]", function: Callable[[int], Optional[int]]) -> "Optional[_Part]":
        """Returns an object borrowed from this one; `None` if there is none."""
        handle = function(self._use())
        return None if handle is None else kind._wrap(handle, self)

    def _copy(self, kind: "Type[_Part]", function: Callable[..., int]) -> "Optional[_Part]":
        """Returns a new object made from this one; `None` if there is none now."""
        out = ctypes.c_void_p()
        try:
            look(function, ctypes.byref(out), self._use())
        except Absent:
            return None
        return kind._wrap(out.value or 0)

    def _all(
        self, kind: Type[_Item], count: Callable[..., int], at: Callable[..., int], *which: int
    ) -> Tuple[_Item, ...]:
        """Returns the values of a `_count` and an `_at` function."""
        handle = self._use()
        return tuple(look_up(kind, at, handle, *which, index) for index in range(count(handle, *which)))

    def close(self) -> None:
        """Frees the object; idempotent. Values obtained from it (`Face`, `QualityCheck`...) remain valid.

        An object that is owned by another one is freed with that one.
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

    def _summary(self) -> object:
        """The text of `repr`: short, and without facial data."""
        return ""

    def _key(self) -> object:
        """The key for equality: the content of an immutable object, or else the object's identity."""
        return self._use()

    def __repr__(self) -> str:
        try:
            self._use()
            return f"<{f'{type(self).__name__} {self._summary()}'.strip()}>"
        except BadArgument:
            return f"<{type(self).__name__}, closed>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        try:
            return self._key() == other._key()
        except BadArgument:
            return False

    def __hash__(self) -> int:
        if self._hash is None:  # does not change when the object is closed
            try:
                self._hash = hash(self._key())
            except BadArgument:
                self._hash = id(self)
        return self._hash


class Items(Handle, Sequence[_Item]):
    """An object that is a sequence of values."""

    _count: ClassVar[Callable[[int], int]]

    def _item(self, index: int) -> _Item:
        raise NotImplementedError

    def __len__(self) -> int:
        return int(type(self)._count(self._use()))

    @overload
    def __getitem__(self, index: int) -> _Item: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[_Item]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[_Item, Sequence[_Item]]:
        if isinstance(index, slice):
            return [self._item(one) for one in range(len(self))[index]]
        return self._item(range(len(self))[index])

    def _summary(self) -> object:
        return f"of {len(self)}"


class Cancellation(Handle):
    """Ends calls from another thread; any number of calls may use it, successively or concurrently. Thread-safe.

    >>> cancellation = Cancellation()
    >>> cancellation.cancel()
    >>> with Engine() as engine:
    ...     try:
    ...         engine.compare(selfie, portrait, cancellation=cancellation)
    ...     except Cancelled as error:
    ...         print(error.name)
    cancelled
    """

    _free = lib.fv_cancellation_free

    def __init__(self) -> None:
        self._handle = make(lib.fv_cancellation_create)

    def cancel(self) -> None:
        """Ends running calls soon, and later ones immediately, with `Cancelled`. Irrevocable."""
        lib.fv_cancellation_cancel(self._use())


def budget(timeout: Optional[float], cancellation: Optional[Cancellation]) -> Any:
    """Returns the limits of a call as its argument."""
    if timeout is None and cancellation is None:
        return None
    return ctypes.byref(
        CBudget(
            seconds=0 if timeout is None else not_zero(timeout, "a timeout"),
            cancellation=None if cancellation is None else cancellation._use(),
        )
    )


def not_zero(value: Any, name: str) -> Any:
    if value == 0:  # in C, 0 selects the default
        raise BadArgument(f"{name} is not 0")
    return value


def written(ask: Callable[..., object], function: Callable[..., int], *arguments: Any) -> bytearray:
    """Returns what a function writes to a buffer, after querying the size; `ask` is `call` or `look`."""
    count = ctypes.c_size_t()
    ask(function, *arguments, None, 0, ctypes.byref(count))
    data = bytearray(count.value)
    buffer = (ctypes.c_char * len(data)).from_buffer(data)
    ask(function, *arguments, buffer, len(data), ctypes.byref(count))
    return data


def handle_of(thing: Optional[Handle]) -> Optional[int]:
    return None if thing is None else thing._use()


def encoded(value: Optional[Path]) -> Optional[bytes]:
    """Returns a path or another text as a C string."""
    if value is None:
        return None
    plain = os.fspath(value)
    data = plain if isinstance(plain, bytes) else plain.encode(errors="surrogateescape")
    if b"\0" in data:
        raise BadArgument(f"a path or name has no 0 byte: {value!r}")
    return data


def listed(kind: Type[_Listed], value: Union[_Listed, str], name: str) -> _Listed:
    """Returns the enumeration value for a value or its name."""
    try:
        return kind(value)
    except ValueError:
        raise BadArgument(f"{name} is one of {', '.join(kind)}, not {value!r}") from None
