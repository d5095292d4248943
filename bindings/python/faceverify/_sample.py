import ctypes
from typing import Callable, Optional, Tuple

from ._faces import Faces
from ._handle import Handle, check, number, text, values
from ._library import Check as CCheck, lib
from ._template import Template
from ._values import CHECK_STATUSES, CONSEQUENCES, Check


class Sample(Handle):
    """What one picture gave: faces, quality, and the template. Any threads may use it at the same time.

    Its faces and its template belong to it: they can be used until it is closed.
    """

    _free = lib.fv_sample_free

    @property
    def faces(self) -> Faces:
        """The faces of the picture, the one that was taken first."""
        return Faces._wrap(lib.fv_sample_faces(self._use()), owner=self)

    @property
    def is_accepted(self) -> bool:
        """Whether the policy does not refuse the picture."""
        return bool(lib.fv_sample_is_accepted(self._use()))

    @property
    def quality(self) -> Optional[float]:
        """Unified quality, 0 to 100: the geometric mean over the checks that were made; `None` if none was."""
        return number(lib.fv_sample_quality(self._use()))

    @property
    def checks(self) -> Tuple[Check, ...]:
        """One for each of `QUALITY_MEASURES`."""
        handle = self._use()
        return tuple(
            quality_check(lib.fv_sample_check, handle, index) for index in range(lib.fv_sample_check_count(handle))
        )

    @property
    def template(self) -> Optional[Template]:
        """`None` if the policy refused the picture, or if no template was asked for.

        To keep it after this sample is closed, keep `bytes(template)`.
        """
        handle = lib.fv_sample_template(self._use())
        return None if handle is None else Template._wrap(handle, owner=self)

    @property
    def json(self) -> str:
        """As `faceverify quality --json` prints each photo."""
        return text(lib.fv_sample_json(self._use()))


def quality_check(function: Callable[..., int], handle: int, index: int) -> Check:
    struct = CCheck()
    check(function(ctypes.byref(struct), handle, index), f"there is no check {index}")
    fields = values(struct)
    fields["status"] = CHECK_STATUSES[fields["status"]]
    fields["consequence"] = CONSEQUENCES[fields["consequence"]]
    return Check(**fields)
