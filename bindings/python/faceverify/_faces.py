import ctypes
from typing import Any, Optional, Sequence, Union, overload

from ._errors import Absent
from ._handle import Handle, check, pick, text, values
from ._library import FV_EYE_LEFT, FV_EYE_RIGHT, Face as CFace, lib
from ._values import Face, Points


class Faces(Handle, Sequence[Face]):
    """All faces of a picture, the most prominent first. Any threads may use it at the same time."""

    _free = lib.fv_faces_free

    def __len__(self) -> int:
        return int(lib.fv_faces_count(self._use()))

    @overload
    def __getitem__(self, index: int) -> Face: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Face]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Face, Sequence[Face]]:
        return pick(len(self), index, self._face)

    def _face(self, index: int) -> Face:
        face = CFace()
        check(lib.fv_faces_get(ctypes.byref(face), self._use(), index), f"there is no face {index}")
        return Face(
            **values(face),
            mesh=self._points(3, lib.fv_faces_mesh, index),
            left_eye=self._points(2, lib.fv_faces_eye, index, FV_EYE_LEFT),
            right_eye=self._points(2, lib.fv_faces_eye, index, FV_EYE_RIGHT),
        )

    def _points(self, coordinates: int, function: Any, *which: int) -> Optional[Points]:
        count = ctypes.c_size_t()
        status = function(self._use(), *which, None, 0, ctypes.byref(count))
        if status == Absent.status:
            return None
        check(status, "the points of a face cannot be counted")
        points = Points(count.value, coordinates)
        check(
            function(self._use(), *which, points._array, count, ctypes.byref(count)),
            "the points of a face cannot be copied",
        )
        return points

    @property
    def json(self) -> str:
        """As `faceverify detect --json` prints each photo's faces."""
        return text(lib.fv_faces_json(self._use()))
