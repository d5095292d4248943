"""One exception for each status of the library."""

from typing import Dict, Type

from ._library import lib


class Error(Exception):
    """Something could not be done. The text says what was wrong, and what to do.

    A negative answer (no match, poor quality) is never an error.
    """

    status: int = 0
    """The number of the status in faceverify.h."""

    @property
    def name(self) -> str:
        """Of the status, as in the JSON of the command line: "no-face"..."""
        return str(lib.fv_status_name(self.status).decode())

    @property
    def retryable(self) -> bool:
        """Another picture, or a moment's wait, may mend it: neither program nor installation need a change."""
        return bool(lib.fv_status_is_retryable(self.status))


class BadArgument(Error, ValueError):
    """Out of range, of the wrong kind, or closed: a mistake in the program."""

    status = -1


class Unreadable(Error, OSError):
    """A file cannot be opened or read."""

    status = -2


class UnknownFormat(Error):
    """No picture, template, certificate... of a kind that is read."""

    status = -3


class Damaged(Error):
    """The right kind, but cut off or broken."""

    status = -4


class TooLarge(Error):
    """Beyond the limits on pixels or bytes."""

    status = -5


class NoFace(Error):
    """No face was found in the picture."""

    status = -6


class IncompatibleTemplate(Error):
    """A template of other models: make it anew from its photo."""

    status = -7


class ModelMissing(Error):
    """A model file is not installed."""

    status = -8


class ModelMismatch(Error):
    """A model file is not the one that the manifest names."""

    status = -9


class UnsupportedRate(Error, ValueError):
    """The calibration data do not support this false-match rate."""

    status = -10


class Unwritable(Error, OSError):
    """A file cannot be written."""

    status = -11


class WrongState(Error):
    """Not in this state of the object."""

    status = -12


class InternalError(Error):
    """A library failed in a way that no input should cause."""

    status = -13


class Busy(Error):
    """Another thread uses this object at this moment."""

    status = -14


class Absent(Error, LookupError):
    """There is no such thing."""

    status = -15


class VersionMismatch(Error):
    """The library is of another major version than this package, or of an earlier minor one."""

    status = -16


_CLASSES: Dict[int, Type[Error]] = {kind.status: kind for kind in Error.__subclasses__()}


def make_error(status: int, message: str) -> Error:
    """Of the status's own class; a status of a later release gives a plain `Error`."""
    error = _CLASSES.get(status, Error)(message)
    error.status = status
    return error
