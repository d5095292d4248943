import ctypes
import math
from dataclasses import dataclass
from typing import Optional

from ._errors import Busy
from ._handle import Handle, check, encoded_name, listed
from ._library import lib

QUALITY_MEASURES = listed(lib.fv_quality_measure_name)
"""The names of the quality measures after ISO/IEC 29794-5, in the order of reports."""


class QualityPolicy(Handle):
    """What is asked of a picture: a copy of "selfie", "document-portrait" or "chip-portrait" (docs/quality.md).

    One thread at a time may change it.

    >>> policy = QualityPolicy("selfie")
    >>> policy.require("inter-eye-distance", minimum=60, refused_below=40)
    """

    _free = lib.fv_quality_policy_free

    def __init__(self, name: str) -> None:
        out = ctypes.c_void_p()
        check(
            lib.fv_quality_policy_create(ctypes.byref(out), encoded_name(name)),
            f'a quality policy is "selfie", "document-portrait" or "chip-portrait", not {name!r}',
        )
        self._handle = out.value or 0

    def require(
        self,
        measure: str,
        minimum: Optional[float] = None,
        maximum: Optional[float] = None,
        refused_below: Optional[float] = None,
        refused_above: Optional[float] = None,
    ) -> None:
        """Changes what is asked of one of `QUALITY_MEASURES`; units and ranges are in docs/quality.md.

        A value from `minimum` to `maximum` passes; one below `refused_below` or above `refused_above` refuses the
        picture; between them lies a warning. `None` is no limit; without any the measure is measured, but not asked.
        Raises `BadArgument` for another measure, `Busy`.
        """
        limits = (math.nan if limit is None else limit for limit in (minimum, maximum, refused_below, refused_above))
        status = lib.fv_quality_policy_require(self._use(), encoded_name(measure), *limits)
        if status == Busy.status:
            raise Busy("another thread uses this QualityPolicy")
        check(status, f"no quality measure is called {measure!r}: QUALITY_MEASURES names them")


@dataclass(frozen=True)
class Policy:
    """What a decision is made by.

    >>> Policy(false_match_rate=1e-4)
    Policy(selfie=None, portrait=None, false_match_rate=0.0001)
    """

    selfie: Optional[QualityPolicy] = None
    """`None`: "selfie"."""
    portrait: Optional[QualityPolicy] = None
    """`None`: "document-portrait"."""
    false_match_rate: float = 1e-3
    """Share of strangers that may be called a match: 1e-2, 1e-3 or 1e-4."""
