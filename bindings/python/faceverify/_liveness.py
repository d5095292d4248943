from __future__ import annotations

import ctypes
import math
import time as clock
from typing import TYPE_CHECKING, Iterable, NamedTuple, Optional, Tuple, Union

from ._base import look_up
from ._buffer import Bytes, contents
from ._core import Template
from ._generated import (
    CChallengeDraw,
    CChallengePrompt,
    Challenge,
    ChallengeAnswer,
    ChallengePrompt,
    CLivenessFrame,
    CLivenessOptions,
    LivenessCheck,
    LivenessEvidence,
    LivenessFeedback,
    LivenessRequestProperties,
    LivenessResult,
    QualityCheck,
    Reason,
    RetryReason,
    ScreenColour,
    lib,
)
from ._handle import Budget, Cancellation, Handle, Reported, call, encoded, fill, handle_of, listed, make, not_zero
from ._image import Image, Photo, as_image

if TYPE_CHECKING:
    from ._engine import Engine


Colour = Union[ScreenColour, Tuple[float, float, float]]


class Camera(NamedTuple):
    """The camera of the frames."""

    driver: str
    """Such as "uvcvideo"."""
    name: str
    """Such as "Integrated Camera"."""


class LivenessRequest(Handle, LivenessRequestProperties):
    """A nonce and the challenges of one session, which a server's nonce determines. Thread-safe.

    `nonce` has 16 to 64 bytes and is used once; it determines `count` of the allowed `challenges` (`None`: blink to
    open-mouth). Answers at or after `expires`, in seconds since 1970, are rejected. Raises `BadArgumentError`.

    >>> LivenessRequest(bytes(16), count=3)
    <LivenessRequest turn-left, smile, look-up>
    """

    _instead = "keep its nonce, and create it again"
    _free = lib.fv_liveness_request_free

    def __init__(
        self,
        nonce: Bytes,
        count: int = 3,
        challenges: Optional[Iterable[Union[Challenge, str]]] = None,
        expires: float = math.inf,
    ) -> None:
        draw = _draw(count, challenges)
        with contents(nonce) as buffer:
            self._handle = make(lib.fv_liveness_request_create, buffer.buf, buffer.len, ctypes.byref(draw), expires)

    @classmethod
    def from_script(
        cls, script: Iterable[Union[ChallengePrompt, Challenge, str]], nonce: Bytes = b""
    ) -> LivenessRequest:
        """Creates a request with the caller's own script, which never expires; a recording can answer it.

        >>> LivenessRequest.from_script(["turn-left", "blink"]).script[0]
        ChallengePrompt(challenge=<Challenge.TURN_LEFT: 'turn-left'>, hold=0.5, pause=0.3)
        """
        prompts = [one if isinstance(one, ChallengePrompt) else ChallengePrompt(_challenge(one)) for one in script]
        structs = (CChallengePrompt * (len(prompts) or 1))(
            *(
                CChallengePrompt(challenge=_challenge(one.challenge).number, hold=one.hold, pause=one.pause)
                for one in prompts
            )
        )
        with contents(nonce) as buffer:
            function = lib.fv_liveness_request_from_script
            return cls._make(function, structs, len(prompts), buffer.buf, buffer.len)

    @property
    def script(self) -> Tuple[ChallengePrompt, ...]:
        """The prompts, in order."""
        return self._all(ChallengePrompt, lib.fv_liveness_request_prompt_count, lib.fv_liveness_request_prompt_at)

    @property
    def colours(self) -> Tuple[ScreenColour, ...]:
        """The screen colours that the nonce determines, shown successively and without flashes to light the face.

        Their reflection on the face is checked if every call of `LivenessSession.add` passes the colour that was shown.
        Empty for a nonce of less than 16 bytes.
        """
        return self._all(ScreenColour, lib.fv_liveness_request_colour_count, lib.fv_liveness_request_colour_at)

    def _summary(self) -> object:
        return ", ".join(str(prompt.challenge) for prompt in self.script)

    def _key(self) -> object:
        return self.nonce, self.script, self.expires


class LivenessRequestStore(Handle):
    """A server's open requests; each is answered once, before it expires. Thread-safe.

    `now` is in seconds since 1970; `None` is the system clock.
    """

    _instead = "keep it in one process"
    _free = lib.fv_liveness_request_store_free

    def __init__(self) -> None:
        self._handle = make(lib.fv_liveness_request_store_create)

    def issue(
        self,
        count: int = 3,
        challenges: Optional[Iterable[Union[Challenge, str]]] = None,
        lifetime: float = 300,
        now: Optional[float] = None,
    ) -> LivenessRequest:
        """Creates a request with a random nonce, and stores it until it is answered or expires.

        `count` and `challenges` are as in `LivenessRequest`; `lifetime` is 10 to 900 seconds. Raises
        `BadArgumentError`.
        """
        draw, lifetime = _draw(count, challenges), not_zero(lifetime, "a lifetime")
        function = lib.fv_liveness_request_store_issue
        return LivenessRequest._make(function, self._use(), ctypes.byref(draw), lifetime, _now(now))

    def accept(self, decision: LivenessDecision, now: Optional[float] = None) -> None:
        """Accepts the answer to a request, and closes the request whatever the decision, which the caller must check.

        Raises `WrongStateError` if no open request has its nonce, if the request has expired, or if another script was
        answered.
        """
        call(lib.fv_liveness_request_store_accept, self._use(), decision._use(), _now(now))


class LivenessSession(Handle):
    """A session of one person in front of one camera. Not thread-safe: a concurrent call raises `BusyError`.

    - `request`: the challenges. `None`: none, for recordings and the policies "passive-only" and "photo".
    - `policy`: one of `LIVENESS_POLICIES`.
    - `portrait`: the template of the expected person. `None`: anyone.
    - `camera`: the camera, if known.
    - `challenge_timeout`: seconds for each challenge, 2 to 30.
    - `timeout`: seconds from the first frame to the last, 5 to 900.
    - `rotation`: clockwise rotation in degrees that makes frames upright: 0, 90, 180 or 270.
    - `is_mirrored`: frames are mirrored.
    - `now`: seconds since 1970, for a request that expires. `None`: the system clock.

    Raises `BadArgumentError`, `WrongStateError` if the request has expired, `IncompatibleTemplateError`.

    >>> with Engine() as engine, LivenessSession(engine, policy="photo") as session:
    ...     feedback = session.add(selfie, time=0)
    ...     decision = session.finish()
    >>> feedback.has_face, decision.selfie
    (True, <Image 910x1137 pixels>)
    """

    _instead = "finish it where it began, and keep json_text of its decision"
    _free = lib.fv_liveness_session_free

    def __init__(
        self,
        engine: Engine,
        request: Optional[LivenessRequest] = None,
        policy: str = "standard",
        portrait: Optional[Template] = None,
        camera: Optional[Camera] = None,
        challenge_timeout: float = 8,
        timeout: float = 60,
        rotation: int = 0,
        is_mirrored: bool = False,
        now: Optional[float] = None,
    ) -> None:
        options = CLivenessOptions(
            policy=encoded(policy),
            portrait=handle_of(portrait),
            camera_driver=None if camera is None else encoded(camera.driver),
            camera_name=None if camera is None else encoded(camera.name),
            challenge_timeout=not_zero(challenge_timeout, "a challenge's timeout"),
            timeout=not_zero(timeout, "a session's timeout"),
            rotation=rotation,
            is_mirrored=is_mirrored,
        )
        created = (engine._use(), handle_of(request), _now(now), ctypes.byref(options))
        self._handle = make(lib.fv_liveness_session_create, *created)
        self._log = engine._log

    def add(
        self,
        frame: Photo,
        time: float,
        screen_colour: Optional[Colour] = None,
        *,
        received: Optional[float] = None,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> LivenessFeedback:
        """Adds the next frame, captured at `time`, in seconds on the stream's own clock.

        A frame is a photo as in `Engine`, with sides of 64 to 4096 pixels. Arrays of pixels are RGB, red first: pass
        frames of OpenCV as `Image.from_pixels(frame, order="bgr")`, or a living person looks like an attack.
        `screen_colour` is the colour with which the screen lights the person's face: one of `LivenessRequest.colours`,
        or red, green and blue, 0 to 1. `received` is the arrival time in seconds on the caller's own clock
        (`time.monotonic`), for all frames or none. Raises `BadArgumentError` for a time that is not later than the
        previous frame's, an arrival time before the previous one's, or another size, `DamagedError` and other errors of
        images: the frame is refused, and the session continues. Raises `WrongStateError` if it is complete,
        `BusyError`.
        """
        image = as_image(frame)
        struct = frame_struct(image, time, screen_colour, received)
        arguments = (self._use(), ctypes.byref(struct), Budget(timeout, cancellation))
        return fill(LivenessFeedback, lib.fv_liveness_session_add, *arguments)

    @property
    def is_complete(self) -> bool:
        """Whether the session accepts no more frames, so that `finish` is due. Thread-safe."""
        return bool(lib.fv_liveness_session_is_complete(self._use()))

    def finish(self) -> LivenessDecision:
        """Decides on the frames received so far; no more are accepted.

        Later calls return the same decision. Raises `BusyError`.
        """
        return LivenessDecision._make(lib.fv_liveness_session_finish, self._use())

    def _summary(self) -> object:
        return "complete" if self.is_complete else "open"


class LivenessDecision(Reported):
    """The result of a session, its checks and its evidence. It is true in a condition if it is live. Thread-safe.

    Selfie and template are owned by the decision: they are usable until it is closed. `json()` is the decision record,
    as `faceverify liveness --json`: the same frames and options give the same text.
    """

    _free = lib.fv_liveness_decision_free
    _json = lib.fv_liveness_decision_json

    def __bool__(self) -> bool:
        return self.result is LivenessResult.LIVE

    @property
    def result(self) -> LivenessResult:
        """Live, a presentation attack, or undecided."""
        return LivenessResult._of(lib.fv_liveness_decision_result(self._use()))

    @property
    def retry_reason(self) -> Optional[RetryReason]:
        """Why the session should be retried; `None` unless it is undecided."""
        return RetryReason._find(lib.fv_liveness_decision_retry_reason(self._use()))

    @property
    def reasons(self) -> Tuple[Reason, ...]:
        """Failed checks, and required ones that were not made, by code of `LIVENESS_SIGNALS`; empty only if live."""
        return self._all(Reason, lib.fv_liveness_decision_reason_count, lib.fv_liveness_decision_reason_at)

    @property
    def checks(self) -> Tuple[LivenessCheck, ...]:
        """One check for each of `LIVENESS_SIGNALS`."""
        return self._all(LivenessCheck, lib.fv_liveness_decision_check_count, lib.fv_liveness_decision_check_at)

    @property
    def answers(self) -> Tuple[ChallengeAnswer, ...]:
        """The answers to the challenges that ended, in the order of the script."""
        return self._all(ChallengeAnswer, lib.fv_liveness_decision_answer_count, lib.fv_liveness_decision_answer_at)

    @property
    def evidence(self) -> LivenessEvidence:
        """The basis of the decision: policy, nonce, frames, and the hash chain that binds it to them."""
        return look_up(LivenessEvidence, lib.fv_liveness_decision_describe, self._use())

    @property
    def selfie(self) -> Optional[Image]:
        """The best frame, upright, not mirrored and lossless; `None` if none was good enough."""
        return self._part(Image, lib.fv_liveness_decision_selfie)

    @property
    def quality(self) -> Tuple[QualityCheck, ...]:
        """The quality checks of the selfie, one for each of `QUALITY_MEASURES`; empty without a selfie."""
        return self._all(QualityCheck, lib.fv_liveness_decision_quality_count, lib.fv_liveness_decision_quality_at)

    @property
    def template(self) -> Optional[Template]:
        """The mean of the best frames' templates; `None` if no frame was good enough.

        To keep it after this decision is closed, keep `bytes(template)`.
        """
        return self._part(Template, lib.fv_liveness_decision_template)

    def _summary(self) -> object:
        return self.result


def frame_struct(
    image: Image, time: float, screen_colour: Optional[Colour], received: Optional[float]
) -> CLivenessFrame:
    struct = CLivenessFrame(image=image._use(), time=time)
    if isinstance(screen_colour, ScreenColour):
        screen_colour = screen_colour.red, screen_colour.green, screen_colour.blue
    if screen_colour is not None:
        struct.has_screen_colour = 1
        struct.screen_red, struct.screen_green, struct.screen_blue = screen_colour
    if received is not None:
        struct.has_received, struct.received = 1, received
    return struct


def _challenge(name: Union[Challenge, str]) -> Challenge:
    return listed(Challenge, name, "a challenge")


def _draw(count: int, challenges: Optional[Iterable[Union[Challenge, str]]]) -> CChallengeDraw:
    draw = CChallengeDraw(challenge_count=not_zero(count, "a number of challenges"))
    if challenges is not None:
        for challenge in challenges:
            draw.challenges |= 1 << _challenge(challenge).number
        not_zero(draw.challenges, "a number of challenges")
    return draw


def _now(now: Optional[float]) -> float:
    return clock.time() if now is None else now
