"""Live chips: a document's chip, read through a transport, and smart card readers."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Optional, Tuple

from ._arguments import checked
from ._base import FaceVerifyError, look_up, text
from ._documents import Chip, Date, TrustStore, encoded_date
from ._generated import (
    CallCancelledError,
    CardReader,
    CChipProgressFunction,
    CChipTransmitFunction,
    CChipTransport,
    CheckStatus,
    ChipReportProperties,
    CLiveChipOptions,
    DocumentCheck,
    LiveChipProperties,
    UnreadableError,
    lib,
)
from ._handle import Budget, Cancellation, Handle, Reported, encoded, handle_of, make, not_zero


class LiveChip(Handle, LiveChipProperties):
    """A document's chip that `read_chip` has read through a transport. Thread-safe."""

    _instead = "keep json_text of its report"
    _free = lib.fv_live_chip_free

    @property
    def files(self) -> Optional[Chip]:
        """The files that were read, for `Engine.read_document`; usable until this object is closed. `None` if the chip
        was not opened."""
        return self._part(Chip, lib.fv_live_chip_files)

    def report(self, trust: Optional[TrustStore] = None, *, date: Date, is_strict: bool = False) -> ChipReport:
        """Judges the chip: passive authentication of its files, and whether it is a copy.

        `date` is the date for which certificates are checked; `is_strict` forgives no violation of the standards.
        Raises `WrongStateError` if the chip was not opened, `BadArgumentError`.
        """
        handles = (self._use(), handle_of(trust))
        return ChipReport._make(lib.fv_live_chip_report, *handles, encoded_date(date), is_strict)

    def _summary(self) -> object:
        return self.protocol or self.access


class ChipReport(Reported, ChipReportProperties):
    """The authentication of a chip that was read live, and whether it is a copy. Thread-safe.

    `json()` is what `faceverify chip --reader --json` prints. It is true in a condition if its result is passed.
    """

    _free = lib.fv_chip_report_free
    _json = lib.fv_chip_report_json

    def __bool__(self) -> bool:
        return self.result is CheckStatus.PASSED

    @property
    def steps(self) -> Tuple[DocumentCheck, ...]:
        """The steps of passive authentication, in the order of execution."""
        return self._all(DocumentCheck, lib.fv_chip_report_step_count, lib.fv_chip_report_step_at)

    @property
    def proof_steps(self) -> Tuple[DocumentCheck, ...]:
        """The steps behind the proof: "active-authentication", "chip-authentication", "chip-authentication-mapping",
        "announcement"."""
        return self._all(DocumentCheck, lib.fv_chip_report_proof_step_count, lib.fv_chip_report_proof_step_at)

    def _summary(self) -> object:
        return f"{self.verdict}, {self.proof}"


@checked
def read_chip(
    mrz: Optional[str] = None,
    *,
    card_access_number: Optional[str] = None,
    reader: Optional[str] = None,
    card_timeout: Optional[float] = None,
    transport: Optional[Callable[[bytes], bytes]] = None,
    maximum_data_bytes: Optional[int] = None,
    is_confirmed: bool = False,
    progress: Optional[Callable[[str, float], object]] = None,
    timeout: Optional[float] = None,
    cancellation: Optional[Cancellation] = None,
) -> LiveChip:
    """Reads the chip of a document: opens it, reads its files, and lets it prove that it is no copy.

    - `mrz` or `card_access_number` is the password: the text of the machine-readable zone, or its document number, date
      of birth and date of expiry, as in "L898902C3,740812,120415"; or the digits printed on the document. With neither,
      a chip without access control is read.
    - `reader`: a part of the name of a smart card reader; `None`: the only one with a card. `card_timeout`: seconds to
      wait for a card, 10 to 60; `None`: 30.
    - `transport`: sends a command APDU to the chip and returns the response APDU, instead of a reader: a phone that
      relays. `maximum_data_bytes` is the largest number of data bytes that it carries, below 256 without extended
      length; `None`: unknown. Its exceptions end the reading: they are raised if the chip was not opened yet, and else
      end in `LiveChip.interruption`.
    - `is_confirmed`: tries the password although one more wrong one blocks it.
    - `progress` receives the name of each file and the fraction of it that was read, 0 to 1. Its exceptions end the call.

    `transport` and `progress` are called by the thread that reads. A refused password is a result: see
    `LiveChip.access`. Takes 5 to 30 seconds; `run_async` waits without blocking the event loop. Raises `AbsentError` if
    libpcsclite is not installed, its service pcscd does not run, or there is no such reader; `CallTimeoutError` without
    a card; `BusyError` if another program uses it; `UnreadableError`, `DamagedError`; `BadArgumentError`, also for a
    zone with a wrong check digit.
    """
    failures: List[BaseException] = []
    limits = Budget(timeout, cancellation)

    def end(error: BaseException) -> None:
        """Ends the call with an exception of a callback, which C cannot pass on."""
        failures.append(error)
        limits.cancel()

    options = CLiveChipOptions(
        reader=encoded(reader),
        card_timeout=0 if card_timeout is None else not_zero(card_timeout, "a timeout"),
        mrz=encoded(mrz),
        card_access_number=encoded(card_access_number),
        is_confirmed=is_confirmed,
        progress=_progress_function(progress, end),
    )
    if transport is not None:
        bytes_ = 0 if maximum_data_bytes is None else not_zero(maximum_data_bytes, "maximum_data_bytes")
        connection = CChipTransport(transmit=_transmit_function(transport, failures, end), maximum_data_bytes=bytes_)
        options.transport = ctypes.addressof(connection)
    try:
        return LiveChip._make(lib.fv_live_chip_read, ctypes.byref(options), limits)
    except FaceVerifyError:
        if failures:
            raise failures[0] from None
        raise


def _transmit_function(
    transport: Callable[[bytes], bytes], failures: List[BaseException], end: Callable[[BaseException], None]
) -> Any:
    def transmit(command: int, count: int, response: int, capacity: int, response_count: Any, _: object) -> int:
        try:
            answer = bytes(transport(ctypes.string_at(command, count)))
            if len(answer) > capacity:
                raise UnreadableError(f"the transport returned {len(answer)} bytes; a response has up to {capacity}")
            ctypes.memmove(response, answer, len(answer))
            response_count[0] = len(answer)
            return 0
        except Exception as error:
            failures.append(error)
            return error.status if isinstance(error, FaceVerifyError) and error.status else UnreadableError.status
        except BaseException as error:  # such as KeyboardInterrupt
            end(error)
            return CallCancelledError.status

    return CChipTransmitFunction(transmit)


def _progress_function(
    progress: Optional[Callable[[str, float], object]], end: Callable[[BaseException], None]
) -> Any:
    if progress is None:
        return CChipProgressFunction()

    def handle(file: bytes, part: float, _: object) -> None:
        try:
            progress(text(file), part)
        except BaseException as error:
            end(error)

    return CChipProgressFunction(handle)


def card_readers() -> Tuple[CardReader, ...]:
    """Lists the smart card readers of this machine, and whether they have a card.

    Raises `AbsentError` if libpcsclite is not installed or its service pcscd does not run, `UnreadableError` if it
    denies access.
    """
    handle = make(lib.fv_card_readers_list)
    try:
        count = range(lib.fv_card_readers_count(handle))
        return tuple(look_up(CardReader, lib.fv_card_readers_at, handle, index) for index in count)
    finally:
        lib.fv_card_readers_free(handle)
