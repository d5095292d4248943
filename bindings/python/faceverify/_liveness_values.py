"""Plain values of liveness sessions: they hold no object of the library, never change, and can be kept and pickled."""

from dataclasses import dataclass
from typing import NamedTuple, Optional, Tuple

from ._handle import listed, text
from ._library import lib
from ._values import CheckStatus, _Name

LIVENESS_POLICIES = listed(lib.fv_liveness_policy_name)
"""The names of the policies: "standard", "strict", "passive-only" and "photo" (docs/liveness.md)."""

LIVENESS_SIGNALS = listed(lib.fv_liveness_signal_name)
"""The names of what a session is judged by, in the order of a decision's checks."""


class Challenge(_Name):
    """What a person is asked to do, in their own directions."""

    BLINK = "blink"
    TURN_LEFT = "turn-left"
    TURN_RIGHT = "turn-right"
    LOOK_UP = "look-up"
    LOOK_DOWN = "look-down"
    TILT_LEFT = "tilt-left"
    """The head towards the left shoulder."""
    TILT_RIGHT = "tilt-right"
    SMILE = "smile"
    OPEN_MOUTH = "open-mouth"
    MOVE_CLOSER = "move-closer"
    MOVE_BACK = "move-back"
    HOLD_STILL = "hold-still"


class LivenessSessionState(_Name):
    """Where a session is in its life."""

    STARTED = "started"
    """No frame came yet."""
    SCAN_VIEW = "capturing"
    """Frames are taken."""
    IMAGE_TAKEN = "captured"
    """Complete: all that was asked for has been seen, or can no longer be."""
    CAN_FINISH = "live"
    """Decided: live."""
    RETRY = "undecided"
    """Decided: it could not be told."""
    REJECT_VIEW = "presentation-attack"
    """Decided: a presentation attack."""


class LivenessHint(_Name):
    """What the person should do for the session to go on."""

    MOVE_FACE_INTO_FRAME = "move-face-into-frame"
    MULTIPLE_FACES = "multiple-faces"
    LIGHTING_TOO_DARK = "lighting-too-dark"
    LIGHTING_TOO_BRIGHT = "lighting-too-bright"
    SUNGLASSES = "sunglasses"
    OBSCURED_FACE = "obscured-face"
    FACE_TOO_CLOSE = "face-too-close"
    MOVE_FACE_CLOSER = "move-face-closer"
    CENTER_FACE = "centre-face"
    LEVEL_EYES_AND_DEVICE = "level-eyes-and-device"
    TILT_FACE_UP = "raise-chin"
    TILT_FACE_DOWN = "lower-chin"
    TILT_FACE_LEFT = "turn-face-left"
    """To the person's own left."""
    TILT_FACE_RIGHT = "turn-face-right"
    EYES_CLOSED = "eyes-closed"
    TOO_MUCH_MOVEMENT = "too-much-movement"
    HOLD_STILL = "hold-still"
    """For as long as `LivenessState.seconds_left` says."""

    @property
    def text(self) -> str:
        """One sentence for the person."""
        return text(lib.fv_hint_text(list(LivenessHint).index(self) + 1))


class ChallengePhase(_Name):
    """How far a challenge has been answered."""

    STARTING = "starting"
    """The person must first come into the start pose."""
    MOVING = "moving"
    """The movement is awaited."""
    HOLDING = "holding"
    """The position is held."""
    RETURNING = "returning"
    """The way back is awaited."""
    PASSED = "passed"
    FAILED = "failed"
    """The time was over."""


class ChallengeOutcome(_Name):
    """How a challenge ended."""

    PASSED = "passed"
    TIMEOUT = "timeout"
    """It was not met in time."""
    WRONG_MOVEMENT = "wrong-movement"
    """Another movement was made, or the right one too early."""
    INTERRUPTED = "interrupted"
    """The stream or the face was gone for too long."""


class LivenessResult(_Name):
    """The answer of a session."""

    LIVE = "live"
    PRESENTATION_ATTACK = "presentation-attack"
    UNDECIDED = "undecided"
    """It could not be told; `LivenessDecision.retry` says what stood in the way."""


class RetryReason(_Name):
    """Why a session should be tried again."""

    GENERIC = "generic"
    TOO_MUCH_MOVEMENT = "too-much-movement"
    LIGHTING_TOO_BRIGHT = "lighting-too-bright"
    LIGHTING_TOO_DARK = "lighting-too-dark"
    EYES_CLOSED = "eyes-closed"
    OBSCURED_FACE = "obscured-face"
    MULTIPLE_FACES = "multiple-faces"
    SUNGLASSES = "sunglasses"
    FACE_TOO_CLOSE = "face-too-close"
    FACE_TOO_FAR = "face-too-far"
    FACE_MISALIGNED = "face-misaligned"
    USER_TIMEOUT = "user-timeout"
    WRONG_MOVEMENT = "wrong-movement"
    """Another movement than the one asked for."""
    INTERRUPTED = "interrupted"
    """No frames came, or not for a while."""

    @property
    def code(self) -> int:
        """From 1 on; no release changes it."""
        return list(RetryReason).index(self) + 1


CHALLENGES = dict(enumerate(Challenge, 1))
STEPS = dict(enumerate(LivenessSessionState, 1))
HINTS = dict(enumerate(LivenessHint, 1))
PHASES = dict(enumerate(ChallengePhase, 1))
OUTCOMES = dict(enumerate(ChallengeOutcome, 1))
LIVENESS_RESULTS = dict(enumerate(LivenessResult, 1))
RETRY_REASONS = dict(enumerate(RetryReason, 1))


class Camera(NamedTuple):
    """What is known of the camera that frames come from."""

    driver: str
    """Such as "uvcvideo"."""
    name: str
    """Such as "Integrated Camera"."""


@dataclass(frozen=True)
class ChallengeTask:
    """One challenge of a script."""

    challenge: Challenge
    hold: float = 0.5
    """Seconds for which the position is held, 0 to 5; a blink has none."""
    pause: float = 0.3
    """Seconds for which the person looks ahead before it is asked for, 0 to 5."""


@dataclass(frozen=True)
class ScreenColour:
    """A colour that the screen before the person shows."""

    colour: Tuple[float, float, float]
    """Red, green and blue of sRGB, 0 to 1."""
    begin: float
    """Seconds after the first colour."""
    seconds: float
    """For which it stays."""


@dataclass(frozen=True)
class LivenessState:
    """What a session says after a frame.

    What follows `has_face` is smoothed and of the frame before: `None` where there is no face, where it was only just
    found, and where there is no mesh (the "dlib" set).
    """

    time: float
    """Of the frame."""
    step: LivenessSessionState
    hint: Optional[LivenessHint]
    """`None` if the person is doing well."""
    seconds_left: Optional[float]
    """For which a position must still be held; `None` unless one is."""
    challenge: Optional[Challenge]
    """What is asked for now; `None`: to look ahead."""
    phase: Optional[ChallengePhase]
    """Of the challenge."""
    progress: float
    """0 to 1 over the whole script; 0 without one."""
    answer_count: int
    """Challenges that have ended."""
    has_face: bool
    yaw: Optional[float]
    """Degrees, as those of `Face`."""
    pitch: Optional[float]
    roll: Optional[float]
    left_eye_openness: Optional[float]
    """As those of `Face`."""
    right_eye_openness: Optional[float]
    mouth_opening: Optional[float]
    """The gap between the inner lips, over the face's height from forehead to chin."""
    mouth_width: Optional[float]
    """Over the distance of the eyes' outer corners."""
    mouth_lift: Optional[float]
    """How far its corners are above the middle of the lips, over the face's height."""
    face_size: Optional[float]
    """The face's height, over the frame's."""
    face_x: Optional[float]
    """The face's middle, over the frame's width."""
    face_y: Optional[float]
    """Over the frame's height."""


@dataclass(frozen=True)
class LivenessCheck:
    """What was found for one signal."""

    signal: str
    """One of `LIVENESS_SIGNALS`."""
    unit: str
    """"share" (0 to 1), "score", "ratio", "frames", "seconds", "degrees", "level" (of 255), "faces"..."""
    text: str
    """What was seen, or why it was not checked; empty if it passed."""
    source: str
    """What the range rests on."""
    status: CheckStatus
    value: Optional[float]
    """In `unit`; `None` if it could not be determined."""
    minimum: Optional[float]
    """The range that passes; `None` is no limit."""
    maximum: Optional[float]


@dataclass(frozen=True)
class ChallengeAnswer:
    """The answer to one challenge of the script. Times are seconds on the stream's clock."""

    challenge: Challenge
    outcome: ChallengeOutcome
    asked: Optional[float]
    """When it was asked for; `None` if it never was."""
    ended: float
    """When it was met, or given up."""
    failed_tries: int
    """Movements that were begun and not finished."""
    movement: Optional[Challenge]
    """What was done instead."""


@dataclass(frozen=True)
class LivenessEvidence:
    """What a decision was made by and of. Times are seconds on the stream's clock."""

    policy: str
    """One of `LIVENESS_POLICIES`."""
    nonce: bytes
    """Of the request; empty without one."""
    chain: str
    """SHA-256 over the nonce and all frames with their times, lower-case hexadecimal."""
    frames: int
    """How many were taken."""
    refused_frames: int
    """For their time or size."""
    first: Optional[float]
    """Time of the first frame; `None` without frames."""
    last: Optional[float]
    averaged_frames: int
    """Whose mean `LivenessDecision.template` is; 0 without one."""
    selfie_time: Optional[float]
    """Of the frame that `LivenessDecision.selfie` is; `None` without one."""
    selfie_quality: Optional[float]
    """Its unified quality, 0 to 100; `None` without one."""
