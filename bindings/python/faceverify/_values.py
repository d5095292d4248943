"""Plain values: they hold no object of the library, never change, and can be kept, copied and pickled."""

import ctypes
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union, overload


class _Name(str, Enum):
    """A name as in the JSON of the command line; it is printed as that name."""

    def __str__(self) -> str:
        return str(self.value)


class Result(_Name):
    """The answer of a decision."""

    MATCH = "match"
    NO_MATCH = "no-match"
    REFUSED = "refused"
    """A photo is not good enough to decide; the reasons say which and why."""


class CheckStatus(_Name):
    """What became of one quality check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_CHECKED = "not-checked"
    """Could not be determined, or nothing was asked: never taken for passed."""


class Consequence(_Name):
    """What a failed check means for the picture."""

    REFUSE = "refuse"
    """It must not be used."""
    WARN = "warn"
    """It may be used; results are less certain."""


class ModelState(_Name):
    """Whether a model file is the right one."""

    OK = "ok"
    MISSING = "missing"
    MISMATCH = "mismatch"


RESULTS = dict(enumerate(Result, 1))
CHECK_STATUSES = dict(enumerate(CheckStatus, 1))
CONSEQUENCES: Dict[int, Optional[Consequence]] = {0: None, **dict(enumerate(Consequence, 1))}
MODEL_STATES = dict(enumerate(ModelState, 1))


class Point(NamedTuple):
    """Pixels of the upright picture: x to the right, y down, (0, 0) is the outer corner of the first pixel."""

    x: float
    y: float


class Points(Sequence[Tuple[float, ...]]):
    """Points of a face: each a tuple of 2 (x, y) or 3 (x, y, depth) numbers in pixels.

    They lie in memory as float64 of shape (points, coordinates); `numpy.asarray(points)` does not copy them.
    """

    def __init__(self, count: int, coordinates: int) -> None:
        self._array = (ctypes.c_double * coordinates * count)()
        self._shape = (count, coordinates)

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
        return _points, (self._shape, bytes(self._array))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Points) and self._shape == other._shape and bytes(self._array) == bytes(other._array)

    def __hash__(self) -> int:
        return hash((self._shape, bytes(self._array)))

    def __repr__(self) -> str:
        return f"<{self._shape[0]} points of {self._shape[1]} coordinates>"


def _points(shape: Tuple[int, int], data: bytes) -> Points:
    points = Points(*shape)
    ctypes.memmove(points._array, data, len(data))
    return points


@dataclass(frozen=True)
class Face:
    """A face in a picture. Positions in pixels; left and right are the subject's; what was not measured is `None`."""

    x: float
    """Of the box around the face from the brows to the chin; it may reach beyond the picture."""
    y: float
    width: float
    height: float
    score: float
    """How sure the detector is: 0 to 1; in the "dlib" set dlib's own scale, 0 = its threshold."""
    turn: int
    """0, 90, 180 or 270 degrees clockwise, after which the face was found."""
    left_eye_outer: Point
    left_eye_inner: Point
    right_eye_outer: Point
    right_eye_inner: Point
    nose_base: Point
    inter_eye_distance: float
    """Pixels between the eyes' centres."""
    yaw: Optional[float]
    """Degrees, positive to the subject's left."""
    pitch: Optional[float]
    """Degrees, positive downwards."""
    roll: Optional[float]
    """Degrees, positive towards the subject's right shoulder."""
    left_eye_openness: Optional[float]
    """Gap between the lids over the distance between the corners: 0.02-0.05 in a blink, 0.18-0.29 open."""
    right_eye_openness: Optional[float]
    mesh: Optional[Points] = field(repr=False)
    """468 points (x, y, depth) in the numbering of MediaPipe's face mesh; depth grows away from the camera, from the
    head's centre. `None` in the "dlib" set, like the eyes."""
    left_eye: Optional[Points] = field(repr=False)
    """21 points (x, y): lower lid from corner to corner (9), upper lid between them (7), the iris's centre, its rim
    (4)."""
    right_eye: Optional[Points] = field(repr=False)


@dataclass(frozen=True)
class Check:
    """One quality check of a picture (docs/quality.md)."""

    measure: str
    """One of `QUALITY_MEASURES`."""
    unit: str
    advice: str
    """What the person can do, or why it was not checked; empty if it passed."""
    status: CheckStatus
    consequence: Optional[Consequence]
    """`None` unless it failed."""
    value: Optional[float]
    """In `unit`; `None` if it could not be determined."""
    score: Optional[float]
    """0 to 100, higher is better; `None` without a value."""
    minimum: Optional[float]
    """The range that passes; `None` is no limit."""
    maximum: Optional[float]


@dataclass(frozen=True)
class Comparison:
    """How two templates compare. It is true in a condition if it is a match."""

    score: float
    """Distance in units of each side's nearest strangers: smaller is closer; around 0 lie strangers that look alike."""
    threshold: float
    """A score up to this is a match."""
    decided_at: float
    """The false-match rate that the threshold stands for."""
    similarity: float
    """0 to 100: 25 for each factor of ten in `false_match_rate`; 75 is one in a thousand."""
    false_match_rate: float
    """Share of strangers who come at least as close as this score."""
    false_match_rate_upper_bound: float
    """Of its 95 % confidence interval."""
    is_match: bool
    is_beyond_calibration: bool
    """`false_match_rate` is the least that the data can tell."""

    def __bool__(self) -> bool:
        return self.is_match


@dataclass(frozen=True)
class Threshold:
    """An operating point: what was measured at one false-match rate (ISO/IEC 19795-1)."""

    rate: float
    """The false-match rate that was asked for."""
    score: float
    """A score up to this is a match."""
    false_matches: float
    """How many were seen."""
    false_match_rate_lower: float
    """95 % confidence bounds, from resampling subjects."""
    false_match_rate_upper: float
    false_non_match_rate: float
    """Share of genuine comparisons that are no match."""
    false_non_match_rate_lower: float
    """95 % confidence bounds."""
    false_non_match_rate_upper: float


@dataclass(frozen=True)
class Reason:
    """Why a decision is no match, or a warning about one that is. It is printed as its text."""

    code: str
    """"score-beyond-threshold", "selfie." or "portrait." and a measure, or "document." and what there is to know."""
    text: str
    """One sentence for people."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Model:
    """One file of a models folder."""

    id: str
    role: str
    version: str
    licence: str
    """SPDX identifier."""
    path: str
    remedy: str
    """What to do; empty if it is right."""
    state: ModelState
    size: int
    """Bytes, as the manifest gives them."""
