import ctypes
from typing import Optional, Tuple

from ._errors import Absent
from ._handle import Handle, check, text, values
from ._library import Comparison as CComparison, lib
from ._sample import Sample
from ._values import RESULTS, Comparison, Reason, Result


class Decision(Handle):
    """The answer, with everything it rests on. It is true in a condition if it is a match.

    Any threads may use it at the same time. Its samples belong to it: they can be used until it is closed.
    """

    _free = lib.fv_decision_free

    def __bool__(self) -> bool:
        return self.result is Result.MATCH

    @property
    def result(self) -> Result:
        """Match, no match, or refused: a photo is not good enough to decide."""
        return RESULTS[lib.fv_decision_result(self._use())]

    @property
    def reasons(self) -> Tuple[Reason, ...]:
        """Why it is no match, or warnings about one that is; without any only for a match."""
        handle = self._use()
        return tuple(
            Reason(text(lib.fv_decision_reason_code(handle, index)), text(lib.fv_decision_reason_text(handle, index)))
            for index in range(lib.fv_decision_reason_count(handle))
        )

    @property
    def comparison(self) -> Optional[Comparison]:
        """`None` if the decision was refused: nothing was compared."""
        comparison = CComparison()
        status = lib.fv_decision_comparison(ctypes.byref(comparison), self._use())
        if status == Absent.status:
            return None
        check(status, "the comparison cannot be read")
        return make_comparison(comparison)

    @property
    def selfie(self) -> Optional[Sample]:
        """What the selfie gave; `None` if it was a template."""
        return self._sample(lib.fv_decision_selfie(self._use()))

    @property
    def portrait(self) -> Optional[Sample]:
        """What the portrait gave; `None` if it was a template."""
        return self._sample(lib.fv_decision_portrait(self._use()))

    def _sample(self, handle: Optional[int]) -> Optional[Sample]:
        return None if handle is None else Sample._wrap(handle, owner=self)

    @property
    def json(self) -> str:
        """The decision record, as `faceverify compare --json`: same input, version and models give the same text."""
        return text(lib.fv_decision_json(self._use()))


def make_comparison(comparison: CComparison) -> Comparison:
    fields = values(comparison)
    fields["is_match"] = bool(fields["is_match"])
    fields["is_beyond_calibration"] = bool(fields["is_beyond_calibration"])
    return Comparison(**fields)
