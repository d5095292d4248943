"""What the generated layer rests on: the library itself, and the bases of its types."""

import ctypes
import math
import os
import re
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, ClassVar, List, Mapping, Optional, Tuple, Type, TypeVar

_Listed = TypeVar("_Listed", bound="Listed")
_Value = TypeVar("_Value", bound="Value")


def find(package: Path) -> str:
    """The library's file: of the environment, of the wheel, of the prefix this was installed for, or the loader's."""
    from_environment = os.environ.get("FACEVERIFY_LIBRARY")
    if from_environment:
        return from_environment
    in_wheel = package / "_native" / "lib" / "libfaceverify.so.0"
    if in_wheel.exists():
        return str(in_wheel)
    recorded = package / "library-path.txt"
    if recorded.exists():
        return recorded.read_text(encoding="utf-8").strip()
    return "libfaceverify.so.0"


def load(working: Mapping[str, Tuple[Any, ...]], looking_up: Mapping[str, Tuple[Any, ...]]) -> SimpleNamespace:
    """Every function under its own name; those that work release the GIL."""
    path = find(Path(__file__).parent)
    try:
        library, library_with_gil = ctypes.CDLL(path), ctypes.PyDLL(path)
    except OSError as error:
        raise ImportError(
            f"faceverify: cannot load {path}: {error}. Install libfaceverify, set FACEVERIFY_LIBRARY to the file "
            "libfaceverify.so.0, or install the wheel that brings it"
        ) from None
    functions = SimpleNamespace()
    for source, signatures in ((library, working), (library_with_gil, looking_up)):
        for name, (result, *arguments) in signatures.items():
            try:
                function = getattr(source, name)
            except AttributeError:
                raise ImportError(
                    f"faceverify: {path} has no {name}: it is no libfaceverify, or older than this package"
                ) from None
            function.restype, function.argtypes = result, arguments
            setattr(functions, name, function)
    return functions


class Error(Exception):
    """Something could not be done. The text says what was wrong, and what to do.

    A negative answer (no match, poor quality) is never an error.
    """

    status: int = 0
    """The number of the status in faceverify.h."""
    name: str = "unknown"
    """Of the status, as in the JSON of the command line: "no-face"..."""

    @property
    def retryable(self) -> bool:
        """Another picture, or a moment's wait, may mend it: neither program nor installation need a change."""
        from ._generated import lib

        return bool(lib.fv_status_is_retryable(self.status))


def make_error(status: int, message: str) -> Error:
    """Of the status's own class; a status of a later release gives a plain `Error`."""
    kind = next((one for one in Error.__subclasses__() if one.status == status), Error)
    error = kind(message or str(kind.__doc__))
    error.status = status
    return error


def check(status: int, message: str = "") -> None:
    """Raises what a function reports."""
    if status:
        raise make_error(status, message)


def look_up(kind: "Type[_Value]", function: Callable[..., int], *arguments: Any) -> "_Value":
    """The value that a function without `message` fills in."""
    struct = kind._struct()
    check(function(ctypes.byref(struct), *arguments))
    return kind._of(struct)


class Described:
    """An object of which the library tells more."""

    def _use(self) -> int:
        raise NotImplementedError


class Struct(ctypes.Structure):
    """A struct of the header, with its size in place and 0 in all fields that are not named."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.struct_size = ctypes.sizeof(self)


class Value:
    """It holds no object of the library, never changes, and can be kept, copied and pickled."""

    _struct: ClassVar[Type[Struct]]

    @classmethod
    def _of(cls: Type[_Value], struct: Any) -> _Value:
        raise NotImplementedError


class Listed(str, Enum):
    """A value from a list: its name in the JSON of the command line, as which it is printed."""

    number: int
    """In faceverify.h; no release changes it."""

    def __new__(cls: Type[_Listed], name: str, number: int = 0) -> _Listed:
        self = str.__new__(cls, name)
        self._value_ = name
        self.number = number
        return self

    def __str__(self) -> str:
        return str(self.value)

    @classmethod
    def _of(cls: Type[_Listed], number: int) -> _Listed:
        """The value of a number; one of a later release has the name that the library gives it."""
        known = list(cls)
        if 1 <= number <= len(known):
            return known[number - 1]
        from ._generated import lib

        list_name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        later = str.__new__(cls, text(getattr(lib, f"fv_{list_name}_name")(number)))
        later._value_, later.number = str.__str__(later), number
        later._name_ = later._value_.upper().replace("-", "_")
        return later

    @classmethod
    def _find(cls: Type[_Listed], number: int) -> Optional[_Listed]:
        """The same, with `None` for 0."""
        return cls._of(number) if number else None


def names(name_at: Callable[[int], Optional[bytes]]) -> Tuple[str, ...]:
    """The names that a function gives for 0, 1...; the library adds some in later releases."""
    found: List[str] = []
    while (one := name_at(len(found))) is not None:
        found.append(one.decode())
    return tuple(found)


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode(errors="replace")


def optional_text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else text(value)


def number(value: float) -> Optional[float]:
    return None if math.isnan(value) else value
