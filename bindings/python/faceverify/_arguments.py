"""Checks of the arguments of public functions, by their annotations."""

import functools
import inspect
import os
import sys
from collections import abc
from typing import Any, Callable, Dict, List, Literal, NamedTuple, Optional, TypeVar, Union, cast
from typing import get_args, get_origin, get_type_hints

from ._buffer import ArrayLike, ReadableFile

_Function = TypeVar("_Function", bound=Callable[..., Any])
PHOTO = "a photo (an Image, a path, a binary file, bytes, an array of pixels or a PIL image)"


class _Check(NamedTuple):
    accepts: Callable[[Any], bool]
    description: str


def checked(function: _Function) -> _Function:
    """Makes a function raise TypeError for an argument of another type than annotated, with the name of its parameter.

    The elements of lists are not checked here.
    """
    names = list(inspect.signature(function).parameters)
    checks: Optional[Dict[str, _Check]] = None

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        nonlocal checks
        if checks is None:  # when all modules have been loaded
            checks = _checks(function)
        for name, value in (*zip(names, arguments), *keywords.items()):
            if name in checks and not checks[name].accepts(value):
                raise TypeError(f"{name} must be {checks[name].description}, not {kind_of(value)}")
        return function(*arguments, **keywords)

    return cast(_Function, call)


def check_methods(kind: type) -> None:
    """Makes the public methods of a class, and the one that creates objects, check their arguments."""
    for name, method in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        function = method.__func__ if isinstance(method, classmethod) else method
        if not inspect.isfunction(function) or len(inspect.signature(function).parameters) < 2:
            continue
        if isinstance(method, classmethod):
            setattr(kind, name, classmethod(checked(function)))
        else:
            setattr(kind, name, checked(method))


def check_elements(values: Any, kind: type, name: str) -> None:
    """Raises TypeError unless all values are of a class."""
    for index, value in enumerate(values):
        if not isinstance(value, kind):
            raise TypeError(f"{name}[{index}] must be {_article(kind.__name__)}, not {kind_of(value)}")


def has_memory(value: object) -> bool:
    """Returns whether an object has the buffer protocol."""
    try:
        memoryview(value).release()  # type: ignore[arg-type]
    except TypeError:
        return False
    except (BufferError, ValueError):  # it has, but not with this layout or type
        return True
    return True


def _checks(function: Callable[..., Any]) -> Dict[str, _Check]:
    hints = get_type_hints(function, localns=vars(sys.modules[__package__]))
    hints.pop("return", None)
    found = {name: _check(hint) for name, hint in hints.items()}
    return {name: check for name, check in found.items() if check is not None}


def _check(hint: Any) -> Optional[_Check]:
    """Returns the check of a type; `None` for one that is not checked."""
    options = get_args(hint) if get_origin(hint) is Union else (hint,)
    checks = [_check_one(get_origin(one) or one) for one in options]
    if None in checks:
        return None
    tests, words = zip(*cast(List[_Check], checks))
    said = list(dict.fromkeys(words))
    if "a path" in said:  # which may be str
        said = [one for one in said if one != "str"]
    if ReadableFile in options:
        is_picture: Callable[[Any], bool] = lambda value: hasattr(value, "getbands")
        tests = (*tests, is_picture)
        said = [PHOTO, *(one for one in said if one not in ("an Image", "a path", "a bytes-like object", "a binary file"))]
    description = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"
    return _Check(lambda value: any(test(value) for test in tests), description)


def _check_one(kind: Any) -> Optional[_Check]:
    if kind is float:
        return _Check(lambda value: hasattr(value, "__float__") or hasattr(value, "__index__"), "a number")
    if kind is int or kind is bool:
        return _Check(lambda value: hasattr(value, "__index__"), _article(kind.__name__))
    if kind in (bytes, bytearray, memoryview, ArrayLike):
        return _Check(has_memory, "a bytes-like object")
    if kind is os.PathLike:
        return _Check(lambda value: isinstance(value, (bytes, os.PathLike)), "a path")
    if kind is ReadableFile:
        return _Check(lambda value: hasattr(value, "read"), "a binary file")
    if kind is Literal:
        return _Check(lambda value: isinstance(value, str), "str")
    if kind is tuple or kind is abc.Iterable:
        return _Check(lambda value: hasattr(value, "__iter__") and not isinstance(value, (str, bytes)), "a list")
    if kind is abc.Callable:
        return _Check(callable, "a function")
    if isinstance(kind, type) and kind is not object and kind is not Any:
        return _Check(lambda value: isinstance(value, kind), _article(kind.__name__))
    return None


def _article(name: str) -> str:
    if name == "NoneType":
        return "None"
    if name in ("str", "bool"):
        return name
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def kind_of(value: object) -> str:
    """Returns the name of a value's type."""
    return "None" if value is None else type(value).__name__
