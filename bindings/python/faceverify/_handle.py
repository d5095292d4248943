"""The base class of the library's objects, and helpers to call its functions."""

from __future__ import annotations

import _thread
import asyncio
import ctypes
import inspect
import os
import threading
from types import TracebackType
from typing import Any, Callable, ClassVar, List, Optional, Sequence, Tuple, Type, TypeVar, Union, overload

from ._arguments import check_methods
from ._base import Listed, Value, check, look_up, parsed, text
from ._generated import FV_MESSAGE_BYTES, AbsentError, BadArgumentError, CBudget, lib

Path = Union[str, os.PathLike[str]]
_Item = TypeVar("_Item", bound=Value)
_Listed = TypeVar("_Listed", bound=Listed)
_Part = TypeVar("_Part", bound="Handle")
_Result = TypeVar("_Result")
_Self = TypeVar("_Self", bound="Handle")
_Value = TypeVar("_Value", bound=Value)


def call(function: Callable[..., int], *arguments: Any, cancel: Optional[Callable[[], object]] = None) -> str:
    """Calls a function with a message buffer; raises its error, or returns the message, empty for most functions.

    Signals are handled during the call if there is a way to cancel it: `cancel`, or a `Budget` among the arguments.
    """
    message = ctypes.create_string_buffer(FV_MESSAGE_BYTES)
    for budget in (one for one in arguments if isinstance(one, Budget)):
        cancel = budget.cancel
    arguments = (*arguments, message, FV_MESSAGE_BYTES)
    if cancel is not None and threading.current_thread() is threading.main_thread():
        status = _interruptible(function, arguments, cancel)
    else:
        status = function(*arguments)
    written = text(message.value)
    check(status, written)
    return written


def _interruptible(function: Callable[..., int], arguments: Tuple[Any, ...], cancel: Callable[[], object]) -> int:
    """Makes a call on another thread, so that the main thread handles signals.

    An exception of a signal handler, such as KeyboardInterrupt, cancels the call, and is raised when it has ended.
    """
    outcome: List[Any] = []
    ended = _thread.allocate_lock()
    ended.acquire()

    def work() -> None:  # keeps the arguments, should a second exception end the waiting
        try:
            outcome.append(function(*arguments))
        except BaseException as error:
            outcome.append(error)
        ended.release()

    _thread.start_new_thread(work, ())
    try:
        ended.acquire()
    except BaseException:
        cancel()
        ended.acquire()
        raise
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return int(outcome[0])


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
    """An object of the library, freed by `close()`, at the end of a `with` block, or when nothing refers to it.

    Its public methods raise TypeError for arguments of other types than annotated.
    """

    _instead: ClassVar[str] = "create one in each process"
    """What a program does instead of pickling the object."""
    _free: ClassVar[Callable[[int], None]]
    _handle: int = 0
    _owner: Optional[Handle] = None
    _hash: Optional[int] = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        check_methods(cls)

    def __init__(self, *_: object) -> None:
        raise TypeError(f"{type(self).__name__} is made by the functions that return one")

    @classmethod
    def _wrap(cls: Type[_Self], handle: int, owner: Optional[Handle] = None) -> _Self:
        """Returns the object of a handle; if `owner` is given, the handle is borrowed from it."""
        self = cls.__new__(cls)
        self._handle = handle
        self._owner = owner
        return self

    @classmethod
    def _make(cls: Type[_Self], function: Callable[..., int], *arguments: Any) -> _Self:
        out = ctypes.c_void_p()
        try:
            call(function, ctypes.byref(out), *arguments)
        except BaseException:
            if out.value:  # made, but a signal handler has raised an exception
                cls._free(out.value)
            raise
        return cls._wrap(out.value or 0)

    def _use(self) -> int:
        if self._owner is not None:
            self._owner._use()
        if not self._handle:
            raise BadArgumentError(f"this {type(self).__name__} is closed")
        return self._handle

    def _part(self, kind: Type[_Part], function: Callable[[int], Optional[int]]) -> Optional[_Part]:
        """Returns an object borrowed from this one; `None` if there is none."""
        handle = function(self._use())
        return None if handle is None else kind._wrap(handle, self)

    def _copy(self, kind: Type[_Part], function: Callable[..., int]) -> Optional[_Part]:
        """Returns a new object made from this one; `None` if there is none now."""
        out = ctypes.c_void_p()
        try:
            look(function, ctypes.byref(out), self._use())
        except AbsentError:
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
        name = f"{type(self).__module__}.{type(self).__qualname__}"
        raise TypeError(f"{name} cannot be copied or pickled: {self._instead}")

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
        except BadArgumentError:
            return f"<{type(self).__name__}, closed>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        try:
            return self._key() == other._key()
        except BadArgumentError:
            return False

    def __hash__(self) -> int:
        if self._hash is None:  # does not change when the object is closed
            try:
                self._hash = hash(self._key())
            except BadArgumentError:
                self._hash = id(self)
        return self._hash


class Reported(Handle):
    """An object with a JSON form, in which all its contents are."""

    _instead = "keep its json_text"
    _json: ClassVar[Callable[[int], Optional[bytes]]]

    def json(self) -> Any:
        """Returns the JSON, parsed."""
        return parsed(self.json_text)

    @property
    def json_text(self) -> str:
        """The JSON as text, for storage: byte for byte the same for the same contents."""
        return text(type(self)._json(self._use()))

    def _key(self) -> object:
        return self.json_text


class Items(Reported, Sequence[_Item]):
    """An object that is a sequence of values."""

    _instead = "keep a list of its values, or its json_text"
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
    ...     except CallCancelledError as error:
    ...         print(error.name)
    cancelled
    """

    _free = lib.fv_cancellation_free

    def __init__(self) -> None:
        self._handle = make(lib.fv_cancellation_create)

    def cancel(self) -> None:
        """Ends running calls soon, and later ones immediately, with `CallCancelledError`. Irrevocable."""
        lib.fv_cancellation_cancel(self._use())


class Budget(CBudget):
    """The limits of a call, as its argument."""

    def __init__(self, timeout: Optional[float], cancellation: Optional[Cancellation]) -> None:
        self._kept = cancellation or Cancellation()
        seconds = 0 if timeout is None else not_zero(timeout, "a timeout")
        super().__init__(seconds=seconds, cancellation=self._kept._use())

    def cancel(self) -> None:
        """Never fails: another thread may have closed the cancellation."""
        lib.fv_cancellation_cancel(self.cancellation)


async def run_async(function: Callable[..., _Result], *arguments: Any, **keywords: Any) -> _Result:
    """Makes a call on another thread, and waits for it without blocking the event loop.

    Cancelling the task, such as by `asyncio.wait_for`, cancels a call that takes a `cancellation`, and waits until the
    call has ended. Other calls cannot be interrupted, such as `Engine` and `Engine.preload`, which load the models.

    >>> import asyncio
    >>> with Engine() as engine:
    ...     faces = asyncio.run(run_async(engine.detect, selfie, timeout=10))
    >>> len(faces)
    1
    """
    cancellation: Optional[Cancellation] = keywords.get("cancellation")
    if cancellation is None and _takes_cancellation(function):
        cancellation = keywords["cancellation"] = Cancellation()
    running = asyncio.ensure_future(asyncio.to_thread(function, *arguments, **keywords))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        if cancellation is not None:
            cancellation.cancel()
        await asyncio.gather(running, return_exceptions=True)
        raise


def _takes_cancellation(function: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions in C
        return False
    return any(one.name == "cancellation" or one.kind is one.VAR_KEYWORD for one in parameters)


def not_zero(value: Any, name: str) -> Any:
    if value == 0:  # in C, 0 selects the default
        raise BadArgumentError(f"{name} is not 0")
    return value


def filled(invoke: Callable[..., object], function: Callable[..., int], *arguments: Any) -> bytearray:
    """Returns what a function writes to a buffer, after querying the size; `invoke` is `call` or `look`."""
    count = ctypes.c_size_t()
    invoke(function, *arguments, None, 0, ctypes.byref(count))
    data = bytearray(count.value)
    buffer = (ctypes.c_char * len(data)).from_buffer(data)
    invoke(function, *arguments, buffer, len(data), ctypes.byref(count))
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
        raise BadArgumentError(f"a path or name has no 0 byte: {value!r}")
    return data


def listed(kind: Type[_Listed], value: Union[_Listed, str], name: str) -> _Listed:
    """Returns the enumeration value for a value or its name."""
    try:
        return kind(value)
    except ValueError:
        raise BadArgumentError(f"{name} is one of {', '.join(kind)}, not {value!r}") from None
