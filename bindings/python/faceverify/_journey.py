from __future__ import annotations

import asyncio
import ctypes
import json
import time as clock
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Iterator, Mapping, Optional, Set, Tuple, Union

from . import _generated
from ._base import FaceVerifyError, look_up, text
from ._buffer import Bytes, contents
from ._core import Decision, Template
from ._documents import Chip, Document, TrustStore
from ._generated import (
    AbsentError,
    CCredential,
    CDocumentChoice,
    CJourneyOptions,
    CLivenessFeedback,
    CSigner,
    CSignFunction,
    DocumentChoice,
    InternalError,
    JourneyCall,
    JourneyEvent,
    JourneyOutcome,
    JourneyPart,
    JourneyProperties,
    LivenessFeedback,
    Reason,
    RecordVerification,
    ScanMode,
    WrongStateError,
    lib,
)
from ._handle import Handle, Reported, call, encoded, fill, handle_of, listed, look, make
from ._image import Image, Photo, as_image
from ._liveness import Colour, LivenessDecision, frame_struct

if TYPE_CHECKING:
    from ._engine import Engine


class LogicalError(WrongStateError):
    """A journey refused a call: a bug in the program, independent of the person. `name` is the logical error."""


@dataclass(frozen=True)
class Credential(_generated.Credential):
    """The result of one credential of a journey.

    Its document and decisions are owned by the journey: they are usable until it is cleared or closed.
    """

    reasons: Tuple[Reason, ...] = ()
    """ "liveness.", "comparison." or "document." and the reason, and where the evidence falls short of the policy. A
    passed credential may have reasons, too."""
    document: Optional[Document] = None
    """The identity document; `None` without one."""
    liveness: Optional[LivenessDecision] = None
    """The liveness decision on the face, with the selfie; `None` without one."""
    decision: Optional[Decision] = None
    """The comparison of the face with the portrait; `None` if there was none."""


class Journey(Handle, JourneyProperties):
    """One identity check, from consent to a result, with documents, their chips and the face.

    - `configuration`: what the journey requests, and its rules; docs/journeys.md lists the members, all optional.
      `None`: a document and the face.
    - `portrait`: the expected person. `None`: the holder of the document.
    - `trust`: trust anchors for chips.
    - `now`: here and in every call, seconds since 1970, not earlier than the previous call's. `None`: the system clock.

    Not thread-safe: a concurrent call raises `BusyError`. But any thread may `perform("cancel")` at any time, and
    closing the journey cancels it, too. A call that is not due raises `LogicalError`, one that cannot be executed
    `BadArgumentError`; the journey is then unchanged. Whatever concerns the person is an event.

    >>> with Engine() as engine, Journey(engine, {"requests": [{"category": "face"}]}) as journey:
    ...     journey.perform("start")
    ...     names = [event.name for event in journey.events()]
    >>> names
    ['initialized']
    """

    _instead = "finish it where it began, and keep json_text of its record"
    _free = lib.fv_journey_free

    def __init__(
        self,
        engine: Engine,
        configuration: Optional[Mapping[str, Any]] = None,
        portrait: Optional[Template] = None,
        trust: Optional[TrustStore] = None,
        now: Optional[float] = None,
    ) -> None:
        self._waiting: Set[Tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        options = CJourneyOptions(portrait=handle_of(portrait), trust=handle_of(trust))
        options.json = None if configuration is None else encoded(json.dumps(configuration))
        self._handle = _logical(make, lib.fv_journey_create, engine._use(), ctypes.byref(options), _at(now))
        self._log = engine._log

    def perform(self, call: Union[JourneyCall, str], now: Optional[float] = None) -> None:
        """Makes a call without arguments: "start", "take-picture", "finish-part", "cancel"..."""
        self._call(lib.fv_journey_perform, listed(JourneyCall, call, "a call").number, now=now)

    def consent(self, item: int, is_given: bool, now: Optional[float] = None) -> None:
        """Sets the person's decision about one item of the event "initialized", counted from 0."""
        self._call(lib.fv_journey_consent, item, is_given, now=now)

    def start_credential(self, credential: int, now: Optional[float] = None) -> None:
        """Starts one of the credentials that the configuration requests, counted from 0, in any order."""
        self._call(lib.fv_journey_start_credential, credential, now=now)

    def choices(self, credential: int) -> Tuple[DocumentChoice, ...]:
        """Returns the documents that a credential may be configured with."""
        return self._all(DocumentChoice, lib.fv_journey_choice_count, lib.fv_journey_choice_at, credential)

    def configure(self, choice: DocumentChoice, now: Optional[float] = None) -> None:
        """Chooses the document of the active credential, one of its `choices`."""
        struct = CDocumentChoice(country=encoded(choice.country))
        struct.type, struct.variant = choice.type.number, choice.variant.number
        self._call(lib.fv_journey_configure, ctypes.byref(struct), now=now)

    def start_part(
        self, part: Union[JourneyPart, str], mode: Union[ScanMode, str, None] = None, now: Optional[float] = None
    ) -> None:
        """Starts a part of the active credential. Without a mode, in the first allowed one."""
        chosen = 0 if mode is None else listed(ScanMode, mode, "a mode").number
        self._call(lib.fv_journey_start_part, listed(JourneyPart, part, "a part").number, chosen, now=now)

    def add_frame(
        self,
        frame: Photo,
        time: float,
        screen_colour: Optional[Colour] = None,
        *,
        received: Optional[float] = None,
        now: Optional[float] = None,
    ) -> Optional[LivenessFeedback]:
        """Adds the next frame of a camera, with the arguments and errors of `LivenessSession.add`. Arrays of pixels are
        RGB, red first.

        Returns `None` unless the active part is a face.
        """
        image = as_image(frame)
        struct, feedback = frame_struct(image, time, screen_colour, received), CLivenessFeedback()
        self._call(lib.fv_journey_add_frame, ctypes.byref(struct), now=now, out=ctypes.byref(feedback))
        return LivenessFeedback._of(feedback) if feedback.state else None

    def attach(self, photo_or_chip: Union[Photo, Chip], now: Optional[float] = None) -> None:
        """Adds a photo instead of frames, or the files read from the chip. Arrays of pixels are RGB, red first."""
        if isinstance(photo_or_chip, Chip):
            return self._call(lib.fv_journey_attach_chip, photo_or_chip._use(), now=now)
        image = as_image(photo_or_chip)
        return self._call(lib.fv_journey_attach_image, image._use(), now=now)

    def attach_code(self, data: Bytes, now: Optional[float] = None) -> None:
        """Adds the content of the code on the back of a driving licence, read by a scanner: `Code.data`."""
        with contents(data) as buffer:
            self._call(lib.fv_journey_attach_code, buffer.buf, buffer.len, now=now)

    def report(self, code: str, now: Optional[float] = None) -> None:
        """Reports a failure outside the library: "H000000" is the camera, "E000000" no connection."""
        self._call(lib.fv_journey_report, encoded(code), now=now)

    def events(self) -> Iterator[JourneyEvent]:
        """Yields the unread events; ends when there is none."""
        while (event := self._next()) is not None:
            yield event

    async def events_async(self) -> AsyncIterator[JourneyEvent]:
        """Yields all events as they occur, up to "finished", or until the journey is closed; for one reader.

        Make long calls in a thread: `await asyncio.to_thread(journey.add_frame, frame, time)`.
        """
        waiting = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.add(waiting)
        try:
            while self._handle:
                waiting[1].clear()
                for event in self.events():
                    yield event
                    if event.name == "finished":
                        return
                await waiting[1].wait()
        finally:
            self._waiting.discard(waiting)

    @property
    def warnings(self) -> Tuple[str, ...]:
        """Warnings: suspected personal data in the configuration's identifiers, settings that no result can pass."""
        handle = self._use()
        return tuple(
            text(lib.fv_journey_warning_at(handle, index)) for index in range(lib.fv_journey_warning_count(handle))
        )

    @property
    def picture(self) -> Optional[Image]:
        """The picture to be confirmed; `None` without one."""
        return self._copy(Image, lib.fv_journey_picture)

    @property
    def result(self) -> Optional[JourneyOutcome]:
        """The result; `None` before the end."""
        try:
            return look_up(JourneyOutcome, lib.fv_journey_result, self._use())
        except WrongStateError:
            return None

    @property
    def credentials(self) -> Tuple[Credential, ...]:
        """The results of the credentials, in the order in which they were requested; empty before the end."""
        return tuple(self._credential(index) for index in range(lib.fv_journey_credential_count(self._use())))

    def clear(self) -> None:
        """Removes all personal data, and overwrites pictures and templates in memory; identifiers and error remain.

        Raises `LogicalError` before the end.
        """
        _logical(call, lib.fv_journey_clear, self._use())

    def record(
        self,
        private_key: Optional[str] = None,
        public_key: Optional[str] = None,
        sign: Optional[Callable[[bytes], bytes]] = None,
    ) -> Record:
        """Returns the signed record of the journey (docs/records.md).

        Signed with an Ed25519 key in PEM without a passphrase, or by a callback, such as that of an HSM, which returns
        the 64 bytes of a signature for `public_key`; its exceptions are propagated. Raises `LogicalError` before the
        end and once the journey is cleared, `UnknownFormatError` for a malformed key, `InternalError` for an invalid
        signature.
        """
        raised: Optional[BaseException] = None

        def signed(start: int, count: int, signature: int, _: Any) -> int:
            nonlocal raised
            try:
                made = sign(ctypes.string_at(start, count)) if sign else b""
                if len(made) != 64:
                    raise ValueError(f"an Ed25519 signature has 64 bytes, not {len(made)}")
                ctypes.memmove(signature, made, len(made))
            except BaseException as error:  # an exception cannot cross C
                raised = error
                return InternalError.status
            return 0

        signer = CSigner(private_key=encoded(private_key), public_key=encoded(public_key))
        if sign is not None:
            signer.sign = CSignFunction(signed)
        try:
            made = _logical(make, lib.fv_journey_record, self._use(), ctypes.byref(signer))
        except FaceVerifyError:
            if raised is not None:
                raise raised from None
            raise
        return Record._wrap(made)

    def close(self) -> None:
        """Frees the journey, and cancels it if it is not finished, including a call of another thread."""
        super().close()
        self._notify()

    def _credential(self, index: int) -> Credential:
        struct = CCredential()
        look(lib.fv_journey_credential_at, ctypes.byref(struct), self._use(), index)
        return Credential(
            **vars(_generated.Credential._of(struct)),
            reasons=self._all(Reason, lib.fv_journey_reason_count, lib.fv_journey_reason_at, index),
            document=self._part(Document, lambda _: struct.document),
            liveness=self._part(LivenessDecision, lambda _: struct.liveness),
            decision=self._part(Decision, lambda _: struct.decision),
        )

    def _next(self) -> Optional[JourneyEvent]:
        try:
            return look_up(JourneyEvent, lib.fv_journey_next_event, self._use())
        except AbsentError:
            return None

    def _call(self, function: Callable[..., int], *arguments: Any, now: Optional[float], out: Any = None) -> None:
        leading = () if out is None else (out,)
        try:
            _logical(call, function, *leading, self._use(), *arguments, _at(now), cancel=self._cancel)
        finally:
            self._notify()

    def _cancel(self) -> None:
        """Cancels at the time of the last call, since the caller's clock is not known here. Never fails."""
        lib.fv_journey_perform(self._handle, JourneyCall.CANCEL.number, 0, None, 0)

    def _notify(self) -> None:
        for loop, event in tuple(getattr(self, "_waiting", ())):
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def _summary(self) -> object:
        return self.state


class Record(Reported):
    """A signed record of a journey, not verified until `verify` is called. Thread-safe.

    Store `json_text`, byte for byte. Raises `DamagedError`, `TooLargeError` or `UnknownFormatError` for data that are
    not a record.
    """

    _free = lib.fv_record_free
    _json = lib.fv_record_json

    def __init__(self, data: Bytes) -> None:
        with contents(data) as buffer:
            self._handle = make(lib.fv_record_from_bytes, buffer.buf, buffer.len)

    def verify(self, trusted_key: Optional[str] = None) -> RecordVerification:
        """Verifies the record alone, without its evidence.

        `trusted_key` is a public key in PEM; without one the signer is unknown, and the result at best
        `CheckStatus.NOT_CHECKED`. Raises `UnknownFormatError` for a malformed key.
        """
        return fill(RecordVerification, lib.fv_record_verify, self._use(), encoded(trusted_key))


def _logical(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Calls a function; raises `LogicalError` if the message of its error begins with the name of one."""
    try:
        return function(*arguments, **keywords)
    except WrongStateError as error:
        name = str(error).split(":")[0]
        if name not in tuple(_generated.LogicalError):
            raise
        raised = LogicalError(str(error))
        raised.name = name
        raise raised from None


def _at(now: Optional[float]) -> float:
    return clock.time() if now is None else now
