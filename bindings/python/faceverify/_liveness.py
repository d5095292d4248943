import ctypes
import math
import time as clock
from typing import TYPE_CHECKING, Any, Iterable, Optional, Tuple, Union

from ._buffer import Bytes, contents
from ._errors import BadArgument
from ._handle import Handle, Reporting, call, check, encoded_name, make, text, values
from ._image import Image, Photo, as_image
from ._library import (
    LivenessAnswer as CAnswer,
    LivenessCheck as CCheck,
    LivenessColour,
    LivenessDraw,
    LivenessEvidence as CEvidence,
    LivenessFrame,
    LivenessOptions,
    LivenessRequestInfo,
    LivenessState as CState,
    LivenessTask,
    lib,
)
from ._liveness_values import (
    CHALLENGES,
    HINTS,
    LIVENESS_RESULTS,
    OUTCOMES,
    PHASES,
    RETRY_REASONS,
    STEPS,
    Camera,
    Challenge,
    ChallengeAnswer,
    ChallengeTask,
    LivenessCheck,
    LivenessEvidence,
    LivenessResult,
    LivenessState,
    RetryReason,
    ScreenColour,
)
from ._sample import quality_check
from ._template import Template
from ._values import CHECK_STATUSES, Check, Reason

if TYPE_CHECKING:
    from ._engine import Engine

_NUMBERS = {challenge: number for number, challenge in CHALLENGES.items()}


class LivenessRequest(Handle):
    """What a session asks for: the challenges that a server's nonce dictates. Any threads may use it at the same time.

    `nonce` has 16 to 64 bytes and is used once; `count` challenges are drawn from it, of those in `challenges` (`None`:
    from blink to open-mouth). From `expires`, seconds since 1970, on an answer comes too late. Raises `BadArgument`.

    >>> request = LivenessRequest(bytes(16), count=3)
    >>> [str(task.challenge) for task in request.script]
    ['blink', 'smile', 'look-up']
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
        cls, script: Iterable[Union[ChallengeTask, Challenge, str]], nonce: Bytes = b""
    ) -> "LivenessRequest":
        """Challenges of your own choice, in this order, which never expire; a recording can answer them.

        >>> LivenessRequest.from_script(["turn-left", "blink"]).script[0]
        ChallengeTask(challenge=<Challenge.TURN_LEFT: 'turn-left'>, hold=0.5, pause=0.3)
        """
        tasks = [task if isinstance(task, ChallengeTask) else ChallengeTask(_challenge(task)) for task in script]
        count = len(tasks)
        challenges = (ctypes.c_int64 * count)(*(_NUMBERS[_challenge(task.challenge)] for task in tasks))
        holds = (ctypes.c_double * count)(*(task.hold for task in tasks))
        pauses = (ctypes.c_double * count)(*(task.pause for task in tasks))
        with contents(nonce) as buffer:
            function = lib.fv_liveness_request_from_script
            return cls._wrap(make(function, challenges, holds, pauses, count, buffer.buf, buffer.len))

    @property
    def script(self) -> Tuple[ChallengeTask, ...]:
        """The challenges, in their order."""
        handle = self._use()
        return tuple(_task(handle, index) for index in range(lib.fv_liveness_request_task_count(handle)))

    @property
    def colours(self) -> Tuple[ScreenColour, ...]:
        """Colours that the nonce dictates for a screen that lights the face: one after the other, without flashes.

        Whether the face takes them on is checked if `LivenessSession.add` is told what was shown. Empty without a nonce
        of 16 bytes.
        """
        handle = self._use()
        return tuple(_colour(handle, index) for index in range(lib.fv_liveness_request_colour_count(handle)))

    @property
    def nonce(self) -> bytes:
        """Empty without one."""
        return bytes.fromhex(self._describe()["nonce"])

    @property
    def expires(self) -> float:
        """Seconds since 1970; `math.inf`: never."""
        return float(self._describe()["expires"])

    def _describe(self) -> Any:
        info = LivenessRequestInfo()
        check(lib.fv_liveness_request_describe(ctypes.byref(info), self._use()), "this LivenessRequest was closed")
        return values(info)


class LivenessRegister(Handle):
    """A server's open requests: each is answered once, and in time. Any threads may use it at the same time.

    `now` is in seconds since 1970; `None` is the time of this machine.
    """

    _free = lib.fv_liveness_register_free

    def __init__(self) -> None:
        out = ctypes.c_void_p()
        check(lib.fv_liveness_register_create(ctypes.byref(out)), "there is no register")
        self._handle = out.value or 0

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
        draw, lifetime = _draw(count, challenges), _positive(lifetime, "a lifetime")
        function = lib.fv_liveness_register_issue
        return LivenessRequest._wrap(make(function, self._use(), ctypes.byref(draw), lifetime, _now(now)))

    def accept(self, decision: "LivenessDecision", now: Optional[float] = None) -> None:
        """Takes the answer to a request, which is closed by it whatever the decision says: look at that yourself.

        Raises `WrongState` if no open request has its nonce, if it comes too late, or if another script was answered.
        """
        call(lib.fv_liveness_register_accept, self._use(), decision._use(), _now(now))


class LivenessSession(Reporting):
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
    ...     state = session.add(selfie, time=0)
    ...     decision = session.finish()
    >>> state.has_face, decision.selfie.width
    (True, 910)
    """

    _free = lib.fv_liveness_session_free
    _message = lib.fv_liveness_session_message
    _busy = "another thread uses this LivenessSession: make one for each person and camera"

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
        options = LivenessOptions(
            policy=encoded_name(policy),
            portrait=None if portrait is None else portrait._use(),
            camera_driver=None if camera is None else encoded_name(camera.driver),
            camera_name=None if camera is None else encoded_name(camera.name),
            challenge_timeout=_positive(challenge_timeout, "a challenge's timeout"),
            timeout=_positive(timeout, "a session's timeout"),
            rotation=rotation,
            is_mirrored=is_mirrored,
        )
        asked = None if request is None else request._use()
        self._handle = make(
            lib.fv_liveness_session_create, engine._use(), asked, _now(now), ctypes.byref(options)
        )

    def add(
        self, frame: Photo, time: float, screen_colour: Optional[Tuple[float, float, float]] = None
    ) -> LivenessState:
        """Takes the next frame, which was taken at `time`, in seconds on the stream's own clock.

        A frame is a photo as for `Credential`, with sides of 64 to 4096 pixels. `screen_colour` is what the screen
        before the person lights their face with: red, green and blue, 0 to 1. Raises `BadArgument` for a time that is
        not later than the last frame's or another size, `Damaged` and what else cannot be read: the frame is refused,
        and the session goes on. Raises `WrongState` if it is complete, `Busy`.
        """
        image = as_image(frame)
        struct, state = LivenessFrame(image=image._use(), time=time), CState()
        if screen_colour is not None:
            struct.has_screen_colour = 1
            struct.screen_red, struct.screen_green, struct.screen_blue = screen_colour
        self._check(lib.fv_liveness_session_add(ctypes.byref(state), self._use(), ctypes.byref(struct)))
        fields = values(state)
        fields["step"] = STEPS[fields["step"]]
        fields["hint"] = HINTS.get(fields["hint"])
        fields["challenge"] = CHALLENGES.get(fields["challenge"])
        fields["phase"] = PHASES.get(fields["phase"])
        fields["has_face"] = bool(fields["has_face"])
        return LivenessState(**fields)

    @property
    def is_complete(self) -> bool:
        """Whether no more frames are taken, so that `finish` is due. Any thread may ask."""
        return bool(lib.fv_liveness_session_is_complete(self._use()))

    def finish(self) -> "LivenessDecision":
        """Decides by the frames that came so far; after this no more are taken.

        Asked again, it gives the same decision. Raises `Busy`.
        """
        return LivenessDecision._wrap(self._make(lib.fv_liveness_session_finish))


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
        return LIVENESS_RESULTS[lib.fv_liveness_decision_result(self._use())]

    @property
    def retry(self) -> Optional[RetryReason]:
        """What stood in the way of a decision; `None` unless it is undecided."""
        number = lib.fv_liveness_decision_retry(self._use())
        return RETRY_REASONS.get(number, RetryReason.GENERIC) if number else None

    @property
    def reasons(self) -> Tuple[Reason, ...]:
        """The checks that failed or should have been made; their code is one of `LIVENESS_SIGNALS`."""
        handle = self._use()
        code, sentence = lib.fv_liveness_decision_reason_code, lib.fv_liveness_decision_reason_text
        return tuple(
            Reason(text(code(handle, index)), text(sentence(handle, index)))
            for index in range(lib.fv_liveness_decision_reason_count(handle))
        )

    @property
    def checks(self) -> Tuple[LivenessCheck, ...]:
        """One for each of `LIVENESS_SIGNALS`."""
        handle = self._use()
        return tuple(_check(handle, index) for index in range(lib.fv_liveness_decision_check_count(handle)))

    @property
    def answers(self) -> Tuple[ChallengeAnswer, ...]:
        """Of the challenges that ended, in the order of the script."""
        handle = self._use()
        return tuple(_answer(handle, index) for index in range(lib.fv_liveness_decision_answer_count(handle)))

    @property
    def evidence(self) -> LivenessEvidence:
        """What the decision was made by and of: policy, nonce, frames, and the chain that binds it to them."""
        struct = CEvidence()
        check(lib.fv_liveness_decision_describe(ctypes.byref(struct), self._use()), "this decision was closed")
        fields = values(struct)
        fields["nonce"] = bytes.fromhex(fields["nonce"])
        return LivenessEvidence(**fields)

    @property
    def selfie(self) -> Optional[Image]:
        """The best frame, upright and not mirrored, without loss; `None` if none was good enough."""
        handle = lib.fv_liveness_decision_selfie(self._use())
        return None if handle is None else Image._wrap(handle, owner=self)

    @property
    def quality(self) -> Tuple[Check, ...]:
        """Of the selfie, one for each of `QUALITY_MEASURES`; empty without one."""
        handle = self._use()
        return tuple(
            quality_check(lib.fv_liveness_decision_quality, handle, index)
            for index in range(lib.fv_liveness_decision_quality_count(handle))
        )

    @property
    def template(self) -> Optional[Template]:
        """The mean of the best frames' templates; `None` if no frame was good enough.

        To keep it after this decision is closed, keep `bytes(template)`.
        """
        handle = lib.fv_liveness_decision_template(self._use())
        return None if handle is None else Template._wrap(handle, owner=self)

    @property
    def json(self) -> str:
        """The decision record, as `faceverify liveness --json`: the same frames and options give the same text."""
        return text(lib.fv_liveness_decision_json(self._use()))


def _challenge(name: Union[Challenge, str]) -> Challenge:
    try:
        return Challenge(name)
    except ValueError:
        raise BadArgument(f"a challenge is one of {', '.join(Challenge)}, not {name!r}") from None


def _draw(count: int, challenges: Optional[Iterable[Union[Challenge, str]]]) -> LivenessDraw:
    draw = LivenessDraw(count=_positive(count, "a number of challenges"))
    if challenges is not None:
        for challenge in challenges:
            draw.challenges |= 1 << _NUMBERS[_challenge(challenge)]
        _positive(draw.challenges, "a number of challenges")
    return draw


def _positive(value: Any, name: str) -> Any:
    if value == 0:  # in C, this asks for the default
        raise BadArgument(f"{name} is not 0")
    return value


def _now(now: Optional[float]) -> float:
    return clock.time() if now is None else now


def _task(handle: int, index: int) -> ChallengeTask:
    struct = LivenessTask()
    check(lib.fv_liveness_request_task(ctypes.byref(struct), handle, index), f"there is no challenge {index}")
    return ChallengeTask(CHALLENGES[struct.challenge], struct.hold, struct.pause)


def _colour(handle: int, index: int) -> ScreenColour:
    struct = LivenessColour()
    check(lib.fv_liveness_request_colour(ctypes.byref(struct), handle, index), f"there is no colour {index}")
    return ScreenColour((struct.red, struct.green, struct.blue), struct.begin, struct.seconds)


def _check(handle: int, index: int) -> LivenessCheck:
    struct = CCheck()
    check(lib.fv_liveness_decision_check(ctypes.byref(struct), handle, index), f"there is no check {index}")
    fields = values(struct)
    fields["status"] = CHECK_STATUSES[fields["status"]]
    return LivenessCheck(**fields)


def _answer(handle: int, index: int) -> ChallengeAnswer:
    struct = CAnswer()
    check(lib.fv_liveness_decision_answer(ctypes.byref(struct), handle, index), f"there is no answer {index}")
    fields = values(struct)
    fields["challenge"] = CHALLENGES[fields["challenge"]]
    fields["outcome"] = OUTCOMES[fields["outcome"]]
    fields["movement"] = CHALLENGES.get(fields["movement"])
    return ChallengeAnswer(**fields)
