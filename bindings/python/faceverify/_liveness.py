import ctypes
import math
import time as clock
from typing import TYPE_CHECKING, Iterable, NamedTuple, Optional, Tuple, Union

from ._base import look_up, text
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
from ._handle import Cancellation, Handle, budget, call, encoded, fill, handle_of, listed, make, not_zero
from ._image import Image, Photo, as_image

if TYPE_CHECKING:
    from ._engine import Engine


Colour = Union[ScreenColour, Tuple[float, float, float]]


class Camera(NamedTuple):
    """What is known of the camera that frames come from."""

    driver: str
    """Such as "uvcvideo"."""
    name: str
    """Such as "Integrated Camera"."""


class LivenessRequest(Handle, LivenessRequestProperties):
    """What a session asks for: the challenges that a server's nonce dictates. Any threads may use it at the same time.

    `nonce` has 16 to 64 bytes and is used once; `count` challenges are drawn from it, of those in `challenges` (`None`:
    from blink to open-mouth). From `expires`, seconds since 1970, on an answer comes too late. Raises `BadArgument`.

    >>> LivenessRequest(bytes(16), count=3)
    <LivenessRequest blink, smile, look-up>
    """

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
    ) -> "LivenessRequest":
        """Challenges of your own choice, in this order, which never expire; a recording can answer them.

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
        """The challenges, in their order."""
        return self._all(ChallengePrompt, lib.fv_liveness_request_prompt_count, lib.fv_liveness_request_prompt_at)

    @property
    def colours(self) -> Tuple[ScreenColour, ...]:
        """Colours that the nonce dictates for a screen that lights the face: one after the other, without flashes.

        Whether the face takes them on is checked if `LivenessSession.add` is told what was shown. Empty without a nonce
        of 16 bytes.
        """
        return self._all(ScreenColour, lib.fv_liveness_request_colour_count, lib.fv_liveness_request_colour_at)

    def _summary(self) -> object:
        return ", ".join(str(prompt.challenge) for prompt in self.script)

    def _key(self) -> object:
        return self.nonce, self.script, self.expires


class LivenessRequestStore(Handle):
    """A server's open requests: each is answered once, and in time. Any threads may use it at the same time.

    `now` is in seconds since 1970; `None` is the time of this machine.
    """

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
        """Makes a request with a new random nonce, and keeps it until it is answered or has expired.

        `count` and `challenges` are those of `LivenessRequest`; `lifetime` is 10 to 900 seconds. Raises `BadArgument`.
        """
        draw, lifetime = _draw(count, challenges), not_zero(lifetime, "a lifetime")
        function = lib.fv_liveness_request_store_issue
        return LivenessRequest._make(function, self._use(), ctypes.byref(draw), lifetime, _now(now))

    def accept(self, decision: "LivenessDecision", now: Optional[float] = None) -> None:
        """Takes the answer to a request, which is closed by it whatever the decision says: look at that yourself.

        Raises `WrongState` if no open request has its nonce, if it comes too late, or if another script was answered.
        """
        call(lib.fv_liveness_request_store_accept, self._use(), decision._use(), _now(now))


class LivenessSession(Handle):
    """One person before one camera, on one thread at a time: a call while another thread makes one raises `Busy`.

    - `request`: what is asked for. `None`: nothing, which is for recordings and the policies "passive-only" and "photo".
    - `policy`: one of `LIVENESS_POLICIES`.
    - `portrait`: the template of who is expected. `None`: anybody.
    - `camera`: where it is known.
    - `challenge_timeout`: seconds for each challenge, 2 to 30.
    - `timeout`: seconds from the first frame to the last, 5 to 900.
    - `rotation`: degrees clockwise that turn frames upright: 0, 90, 180 or 270.
    - `is_mirrored`: frames show the person as a mirror does.
    - `now`: seconds since 1970, for a request that expires. `None`: the time of this machine.

    Raises `BadArgument`, `WrongState` if the request has expired, `IncompatibleTemplate`.

    >>> with Engine() as engine, LivenessSession(engine, policy="photo") as session:
    ...     feedback = session.add(selfie, time=0)
    ...     decision = session.finish()
    >>> feedback.has_face, decision.selfie
    (True, <Image 910x1137 pixels>)
    """

    _free = lib.fv_liveness_session_free

    def __init__(
        self,
        engine: "Engine",
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
        """Takes the next frame, which was taken at `time`, in seconds on the stream's own clock.

        A frame is a photo as for `Engine`, with sides of 64 to 4096 pixels. `screen_colour` is what the screen before
        the person lights their face with: one of `LivenessRequest.colours`, or red, green and blue, 0 to 1. `received`
        is when the frame came, in seconds on your own clock (`time.monotonic`), of all frames or none. Raises
        `BadArgument` for a time that is not later than the last frame's, one of arrival before it, or another size, `Damaged` and what else cannot
        be read, `Timeout`, `Cancelled`: the frame is refused, and the session goes on. Raises `WrongState` if it is
        complete, `Busy`.
        """
        image = as_image(frame)
        struct = frame_struct(image, time, screen_colour, received)
        arguments = (self._use(), ctypes.byref(struct), budget(timeout, cancellation))
        return fill(LivenessFeedback, lib.fv_liveness_session_add, *arguments)

    @property
    def is_complete(self) -> bool:
        """Whether no more frames are taken, so that `finish` is due. Any thread may ask."""
        return bool(lib.fv_liveness_session_is_complete(self._use()))

    def finish(self) -> "LivenessDecision":
        """Decides by the frames that came so far; after this no more are taken.

        Asked again, it gives the same decision. Raises `Busy`.
        """
        return LivenessDecision._make(lib.fv_liveness_session_finish, self._use())

    def _summary(self) -> object:
        return "complete" if self.is_complete else "open"


class LivenessDecision(Handle):
    """The answer of a session, with everything it rests on. It is true in a condition if the person is live.

    Any threads may use it at the same time. Its selfie and its template belong to it: they can be used until it is
    closed.
    """

    _free = lib.fv_liveness_decision_free

    def __bool__(self) -> bool:
        return self.result is LivenessResult.LIVE

    @property
    def result(self) -> LivenessResult:
        """Live, a presentation attack, or undecided: it could not be told."""
        return LivenessResult._of(lib.fv_liveness_decision_result(self._use()))

    @property
    def retry_reason(self) -> Optional[RetryReason]:
        """What stood in the way of a decision; `None` unless it is undecided."""
        return RetryReason._find(lib.fv_liveness_decision_retry_reason(self._use()))

    @property
    def reasons(self) -> Tuple[Reason, ...]:
        """The checks that failed or should have been made; their code is one of `LIVENESS_SIGNALS`."""
        return self._all(Reason, lib.fv_liveness_decision_reason_count, lib.fv_liveness_decision_reason_at)

    @property
    def checks(self) -> Tuple[LivenessCheck, ...]:
        """One for each of `LIVENESS_SIGNALS`."""
        return self._all(LivenessCheck, lib.fv_liveness_decision_check_count, lib.fv_liveness_decision_check_at)

    @property
    def answers(self) -> Tuple[ChallengeAnswer, ...]:
        """Of the challenges that ended, in the order of the script."""
        return self._all(ChallengeAnswer, lib.fv_liveness_decision_answer_count, lib.fv_liveness_decision_answer_at)

    @property
    def evidence(self) -> LivenessEvidence:
        """What the decision was made by and of: policy, nonce, frames, and the chain that binds it to them."""
        return look_up(LivenessEvidence, lib.fv_liveness_decision_describe, self._use())

    @property
    def selfie(self) -> Optional[Image]:
        """The best frame, upright and not mirrored, without loss; `None` if none was good enough."""
        return self._part(Image, lib.fv_liveness_decision_selfie)

    @property
    def quality(self) -> Tuple[QualityCheck, ...]:
        """Of the selfie, one for each of `QUALITY_MEASURES`; empty without one."""
        return self._all(QualityCheck, lib.fv_liveness_decision_quality_count, lib.fv_liveness_decision_quality_at)

    @property
    def template(self) -> Optional[Template]:
        """The mean of the best frames' templates; `None` if no frame was good enough.

        To keep it after this decision is closed, keep `bytes(template)`.
        """
        return self._part(Template, lib.fv_liveness_decision_template)

    @property
    def json(self) -> str:
        """The decision record, as `faceverify liveness --json`: the same frames and options give the same text."""
        return text(lib.fv_liveness_decision_json(self._use()))

    def _summary(self) -> object:
        return self.result

    def _key(self) -> object:
        return self.json


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
