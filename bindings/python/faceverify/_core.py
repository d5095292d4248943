"""Faces, samples, templates, quality policies and decisions."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union, overload

from . import _generated
from ._arguments import checked
from ._base import check, look_up, number
from ._buffer import Bytes, contents
from ._generated import (
    FV_EYE_POINTS,
    FV_MESH_POINTS,
    AbsentError,
    Comparison,
    Eye,
    QualityCheck,
    Reason,
    Result,
    TemplateProperties,
    lib,
)
from ._handle import Handle, Items, Reported, call, encoded, filled, look, make


class Points(Sequence[Tuple[float, ...]]):
    """Points of a face: each a tuple of 2 (x, y) or 3 (x, y, depth) numbers in pixels.

    In memory they are float64 of shape (points, coordinates); `numpy.asarray(points)` does not copy them.
    """

    def __init__(self, count: int, coordinates: int, data: bytes = b"") -> None:
        self._array = (ctypes.c_double * coordinates * count)()
        self._shape = (count, coordinates)
        ctypes.memmove(self._array, data, len(data))

    def __len__(self) -> int:
        return self._shape[0]

    @overload
    def __getitem__(self, index: int) -> Tuple[float, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Tuple[float, ...]]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Tuple[float, ...], Sequence[Tuple[float, ...]]]:
        if isinstance(index, slice):
            return [tuple(point) for point in self._array[index]]
        return tuple(self._array[index])

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        address, is_read_only = ctypes.addressof(self._array), True
        return {"version": 3, "shape": self._shape, "typestr": "<f8", "data": (address, is_read_only)}

    def __reduce__(self) -> Any:
        return Points, (*self._shape, bytes(self._array))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Points) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    def __repr__(self) -> str:
        return f"<{self._shape[0]} points of {self._shape[1]} coordinates>"


@dataclass(frozen=True, repr=False)
class Face(_generated.Face):
    """A face in an image. Positions are in pixels of the upright image; left and right are the subject's own."""

    mesh: Optional[Points] = None
    """468 points (x, y, depth) in the numbering of MediaPipe's face mesh; depth is 0 at the centre of the head and
    increases away from the camera. `None` in the "dlib" set, like the eyes."""
    left_eye: Optional[Points] = None
    """21 points (x, y): the lower lid from corner to corner (9), the upper lid between them (7), the centre of the
    iris, its rim (4)."""
    right_eye: Optional[Points] = None
    """Like the left eye."""

    def __repr__(self) -> str:
        return f"<Face {self.width:.0f}x{self.height:.0f} at ({self.x:.0f}, {self.y:.0f}), score {self.score:.2f}>"


class Faces(Items[Face]):
    """All faces of an image, the most prominent first. Thread-safe.

    `json()` is what `faceverify detect --json` prints of each photo.
    """

    _free = lib.fv_faces_free
    _json = lib.fv_faces_json
    _count = lib.fv_faces_count

    def _item(self, index: int) -> Face:
        struct = _generated.CFace()
        look(lib.fv_faces_at, ctypes.byref(struct), self._use(), index)
        return Face(
            **vars(_generated.Face._of(struct)),
            mesh=self._points(FV_MESH_POINTS, 3, lib.fv_faces_mesh, index),
            left_eye=self._points(FV_EYE_POINTS, 2, lib.fv_faces_eye, index, Eye.LEFT.number),
            right_eye=self._points(FV_EYE_POINTS, 2, lib.fv_faces_eye, index, Eye.RIGHT.number),
        )

    def _points(self, count: int, coordinates: int, function: Any, *which: int) -> Optional[Points]:
        points, written_count = Points(count, coordinates), ctypes.c_size_t()
        status = function(self._use(), *which, points._array, count, ctypes.byref(written_count))
        if status == AbsentError.status:
            return None
        check(status)
        return points


class Template(Handle, TemplateProperties):
    """A face template, 128 numbers to match a face by. Thread-safe.

    It is biometric data: protect it like the photo, and keep it no longer. It is wiped when it is closed. Templates of
    different models are not comparable.
    """

    _instead = "keep bytes(template)"
    _free = lib.fv_template_free

    @classmethod
    def from_bytes(cls, data: Bytes) -> Template:
        """Creates a template from the binary form that `bytes(template)` returns. Raises `UnknownFormatError`,
        `DamagedError`.

        Compatibility with the models is checked when it is compared.
        """
        with contents(data) as buffer:
            return cls._make(lib.fv_template_from_bytes, buffer.buf, buffer.len)

    def __bytes__(self) -> bytes:
        """The binary form, 580 bytes in this release."""
        data = filled(look, lib.fv_template_serialise, self._use())
        try:
            return bytes(data)
        finally:
            data[:] = bytes(len(data))

    def _summary(self) -> object:
        return f"{self.model_identifier} {self.sha256[:8]}"

    def _key(self) -> object:
        return self.sha256


class Sample(Reported):
    """The faces of one image, the quality of the most prominent one, and its template. Thread-safe.

    Faces and template are owned by the sample: they are usable until it is closed. `json()` is what
    `faceverify quality --json` prints of each photo.
    """

    _instead = "keep bytes(sample.template), or its json_text"
    _free = lib.fv_sample_free
    _json = lib.fv_sample_json

    @property
    def faces(self) -> Faces:
        """The faces of the image, the analysed one first."""
        return Faces._wrap(lib.fv_sample_faces(self._use()), owner=self)

    @property
    def is_accepted(self) -> bool:
        """Whether the policy does not refuse the image."""
        return bool(lib.fv_sample_is_accepted(self._use()))

    @property
    def quality(self) -> Optional[float]:
        """Unified quality, 0 to 100: 100 over the factor by which the photo's defects multiply the odds of a false
        non-match; `None` if too little of the face is inside the image."""
        return number(lib.fv_sample_quality(self._use()))

    @property
    def checks(self) -> Tuple[QualityCheck, ...]:
        """One check for each of `QUALITY_MEASURES`."""
        return self._all(QualityCheck, lib.fv_sample_check_count, lib.fv_sample_check_at)

    @property
    def template(self) -> Optional[Template]:
        """The template; `None` if the policy refused the image, or if no template was requested.

        To keep it after this sample is closed, keep `bytes(template)`.
        """
        return self._part(Template, lib.fv_sample_template)

    def _summary(self) -> object:
        quality = "" if self.quality is None else f", quality {self.quality:.0f}"
        return f"{'accepted' if self.is_accepted else 'refused'}{quality}"

    def _key(self) -> object:
        return self.json_text, self.template


class QualityPolicy(Handle):
    """The requirements on an image: a copy of "selfie", "document-portrait", "chip-portrait", or "any", which refuses
    nothing (docs/quality.md).

    Not thread-safe: a concurrent call raises `BusyError`.

    >>> policy = QualityPolicy("selfie")
    >>> policy.require("inter-eye-distance", minimum=60, refused_below=40)
    """

    _free = lib.fv_quality_policy_free

    def __init__(self, name: str) -> None:
        self._handle = make(lib.fv_quality_policy_create, encoded(name))
        self._name = name

    def require(
        self,
        measure: str,
        minimum: Optional[float] = None,
        maximum: Optional[float] = None,
        refused_below: Optional[float] = None,
        refused_above: Optional[float] = None,
    ) -> None:
        """Sets the requirement on one of `QUALITY_MEASURES`; units and ranges are in docs/quality.md.

        A value from `minimum` to `maximum` passes; one below `refused_below` or above `refused_above` refuses the
        image; any other is a warning. `None` is no limit; without any, the measure is reported without a requirement.
        Raises `BadArgumentError` for another measure, `BusyError`.
        """
        limits = (math.nan if limit is None else limit for limit in (minimum, maximum, refused_below, refused_above))
        call(lib.fv_quality_policy_require, self._use(), encoded(measure), *limits)

    def _summary(self) -> object:
        return self._name


@dataclass(frozen=True)
class ComparisonPolicy:
    """The quality requirements and the operating point of a decision.

    >>> ComparisonPolicy(QualityPolicy("selfie"), false_match_rate=1e-4)
    ComparisonPolicy(selfie=<QualityPolicy selfie>, portrait=None, false_match_rate=0.0001, among='worst-group')
    """

    selfie: Optional[QualityPolicy] = None
    """Requirements on the selfie; `None`: "selfie"."""
    portrait: Optional[QualityPolicy] = None
    """Requirements on the portrait; `None`: "document-portrait"."""
    false_match_rate: float = 1e-3
    """The false-match rate at the threshold, 1e-5 to 1e-2 as far as the calibration supports it."""
    among: str = "worst-group"
    """The people among whom that rate holds: "worst-group", those of the group with the highest rate, or "all"."""


ComparisonPolicy.__init__ = checked(ComparisonPolicy.__init__)  # type: ignore[method-assign]


class Decision(Reported):
    """The result of a comparison and its basis. It is true in a condition if it is a match. Thread-safe.

    Its samples are owned by the decision: they are usable until it is closed. `json()` is the decision record, as
    `faceverify compare --json`: the same input, version and models give the same text.
    """

    _free = lib.fv_decision_free
    _json = lib.fv_decision_json

    def __bool__(self) -> bool:
        return self.result is Result.MATCH

    @property
    def result(self) -> Result:
        """Match, no match, or refused: a photo is not good enough to decide, or both are copies of one."""
        return Result._of(lib.fv_decision_result(self._use()))

    @property
    def reasons(self) -> Tuple[Reason, ...]:
        """Why it is not a match, or warnings about one that is; empty only for a match.

        The code is "score-beyond-threshold", "same-picture", "selfie." or "portrait." and a quality measure, or
        "document." and a fact about the document's portrait: see `Engine.compare`.
        """
        return self._all(Reason, lib.fv_decision_reason_count, lib.fv_decision_reason_at)

    @property
    def comparison(self) -> Optional[Comparison]:
        """The comparison of the templates; `None` if the decision was refused."""
        try:
            return look_up(Comparison, lib.fv_decision_comparison, self._use())
        except AbsentError:
            return None

    @property
    def selfie(self) -> Optional[Sample]:
        """The sample of the selfie; `None` if it was a template."""
        return self._part(Sample, lib.fv_decision_selfie)

    @property
    def portrait(self) -> Optional[Sample]:
        """The sample of the portrait; `None` if it was a template."""
        return self._part(Sample, lib.fv_decision_portrait)

    def _summary(self) -> object:
        return self.result
