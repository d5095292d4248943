"""The basis of the generated layer: the loaded library, and the base classes of its types."""

import ctypes
import json
import math
import os
import re
from enum import Enum
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, Callable, ClassVar, Dict, List, Mapping, Optional, Tuple, Type, TypeVar, get_type_hints

_Listed = TypeVar("_Listed", bound="Listed")
_Value = TypeVar("_Value", bound="Value")


def find(package: Path) -> str:
    """Returns the library's path: FACEVERIFY_LIBRARY, the wheel's, the recorded one of the prefix, or a bare name."""
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
    """Loads the library and returns its functions by name; those in `working` release the GIL."""
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


class FaceVerifyError(Exception):
    """A usage error or a runtime error. The text states what was wrong, and what to do.

    A negative answer (no match, poor quality) is never an error.
    """

    status: int = 0
    """The number of the status in faceverify.h."""
    name: str = "unknown"
    """The name of the status, as in the JSON of the command line: "no-face"..."""

    @property
    def retryable(self) -> bool:
        """Whether another image or a later attempt may succeed without a change to program or installation."""
        from ._generated import lib

        return bool(lib.fv_status_is_retryable(self.status))


def make_error(status: int, message: str) -> FaceVerifyError:
    """Returns an error of the status's class; a plain `FaceVerifyError` for a status of a later release."""
    kind = next((one for one in FaceVerifyError.__subclasses__() if one.status == status), FaceVerifyError)
    error = kind(message or str(kind.__doc__))
    error.status = status
    return error


def check(status: int, message: str = "") -> None:
    """Raises the error of a status other than 0."""
    if status:
        raise make_error(status, message)


def look_up(kind: "Type[_Value]", function: Callable[..., int], *arguments: Any) -> "_Value":
    """Returns the value that a function without `message` fills."""
    struct = kind._struct()
    check(function(ctypes.byref(struct), *arguments))
    return kind._of(struct)


class Described:
    """An object with properties that the library describes."""

    def _use(self) -> int:
        raise NotImplementedError


class Struct(ctypes.Structure):
    """A struct of the header, with `struct_size` set and 0 in all fields not given."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.struct_size = ctypes.sizeof(self)


class Value:
    """A plain immutable value, independent of the library's objects; can be stored, copied and pickled."""

    _struct: ClassVar[Type[Struct]]

    @classmethod
    def _of(cls: Type[_Value], struct: Any) -> _Value:
        raise NotImplementedError


class Listed(str, Enum):
    """A value of an enumeration, which prints as its name in the JSON of the command line."""

    number: int
    """The number in faceverify.h; the same in all releases."""

    def __new__(cls: Type[_Listed], name: str, number: int = 0) -> _Listed:
        self = str.__new__(cls, name)
        self._value_ = name
        self.number = number
        return self

    def __str__(self) -> str:
        return str(self.value)

    @classmethod
    def _of(cls: Type[_Listed], number: int) -> _Listed:
        """Returns the value of a number; one of a later release gets the library's name for it."""
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
        """Like `_of`, with `None` for 0."""
        return cls._of(number) if number else None


def publish(package: Dict[str, Any], public: List[str]) -> None:
    """Makes the package the module of its public classes and functions, in their `repr`, in pickles and in errors."""
    for one in map(package.__getitem__, public):
        if isinstance(one, type) and "__annotations__" in vars(one):  # resolved while their own module is known
            hints = get_type_hints(one)
            one.__annotations__ = {name: hints[name] for name in one.__annotations__}
            if issubclass(one, tuple):
                one.__new__.__annotations__.update(one.__annotations__)
        if isinstance(one, (type, FunctionType)):
            one.__module__ = package["__name__"]


def names(name_at: Callable[[int], Optional[bytes]]) -> Tuple[str, ...]:
    """Returns the names that a function returns for 0, 1...; later releases append some."""
    found: List[str] = []
    while (one := name_at(len(found))) is not None:
        found.append(one.decode())
    return tuple(found)


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode(errors="replace")


def optional_text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else text(value)


def parsed(text: str) -> Any:
    """Returns the value of JSON; `None` for an empty text, that of a result whose personal data were removed."""
    return json.loads(text) if text else None


def number(value: float) -> Optional[float]:
    return None if math.isnan(value) else value
