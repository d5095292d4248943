"""Codes: QR, PDF417, bar codes and others, in pictures and in the frames of a camera."""

import ctypes
from dataclasses import dataclass
from typing import Iterable, Optional, Tuple, Union

from . import _generated
from ._base import text
from ._generated import (
    Absent,
    CCodeOptions,
    CCodeScannerOptions,
    CodeFault,
    CodeFormat,
    CodeScan,
    CodeScannerProperties,
    lib,
)
from ._handle import Cancellation, Handle, Items, budget, encoded, fill, listed, look, make, not_zero, written
from ._image import Image, Photo, as_image

Formats = Optional[Iterable[Union[CodeFormat, str]]]


@dataclass(frozen=True)
class Code(_generated.Code):
    """A code that was read."""

    data: bytes = b""
    """What the code holds, byte for byte. FNC1 between GS1 elements is 0x1D."""


class Codes(Items[Code]):
    """What one picture shows of codes, or why none was read. Any threads may use it at the same time."""

    _free = lib.fv_codes_free
    _count = lib.fv_codes_count

    def _item(self, index: int) -> Code:
        struct = _generated.CCode()
        look(lib.fv_codes_at, ctypes.byref(struct), self._use(), index)
        data = bytes(written(look, lib.fv_codes_bytes, self._use(), index))
        return Code(**vars(_generated.Code._of(struct)), data=data)

    @property
    def fault(self) -> Optional[CodeFault]:
        """Why none was read; `None` if one was. `fault.text` says what to do."""
        return CodeFault._find(lib.fv_codes_fault(self._use()))

    @property
    def json(self) -> str:
        """Everything, as `faceverify code --json` has it: GS1 elements, places that look like codes..."""
        return text(lib.fv_codes_json(self._use()))

    def _key(self) -> object:
        return self.json


def read_codes(
    photo: Photo,
    formats: Formats = None,
    *,
    is_frame: bool = False,
    timeout: Optional[float] = None,
    cancellation: Optional[Cancellation] = None,
) -> Codes:
    """Looks for codes in a picture, at full size, without an engine and without models. None at all is an answer, too.

    `formats` are those that are read; `None`: all, which takes longest. `is_frame`: of a stream, where the next one comes
    soon, only places that look like codes are tried. Nothing that a code says is opened or obeyed. Raises `BadArgument`,
    what cannot be read (`Unreadable`, `UnknownFormat`, `Damaged`, `TooLarge`), `Timeout`, `Cancelled`.

    >>> codes = read_codes(selfie)
    >>> len(codes), str(codes.fault)
    (0, 'none-there')
    """
    options = CCodeOptions(formats=_bits(formats), is_frame=is_frame)
    image = as_image(photo)
    limits = budget(timeout, cancellation)
    return Codes._make(lib.fv_codes_read, image._use(), ctypes.byref(options), limits)


class CodeScanner(Handle, CodeScannerProperties):
    """Scans the codes of one issuer in the frames of a camera. One thread at a time.

    - `prefix`, `pattern` (`*`: any letters or none, `?`: one) or `public_key`, an Ed25519 one in PEM, say whose codes: the
      text begins so, is so as a whole, or ends with `separator` and a signature in base64url. Without one, everybody's.
    - `formats`: those that are read; `None`: all, or with `is_limited` bar codes and QR.
    - `zone`: x, y, width and height of what must be in the frame beside the code, in its widths from its upper left corner.
    - `specimen_side`: pixels of the upright square that `specimen` is brought to.
    - `least_side`, `most_edge`: pixels that the code's shortest side must have, and that its edges may take, so that the
      program can judge it. `None`: any.
    - `frames_to_confirm`: good frames of the same code that confirm it; `frames_to_give_up`: those that are not sharp
      enough, until the best of them is given out.
    - `is_limited`: codes are read by what they say alone, and at once.
    - `has_torch`, `is_camera_unsupported`: of the camera; the second, that it cannot give what is to be judged.

    Raises `BadArgument`, and `UnknownFormat` for what is no key.

    >>> scanner = CodeScanner(prefix="https://example.org/")
    >>> scanner.start()
    >>> scan = scanner.process(selfie)
    >>> str(scan.report), str(scan.state), scan.fault.text
    ('in-progress', 'unreadable', 'No code is seen: point the camera at one.')
    """

    _free = lib.fv_code_scanner_free

    def __init__(
        self,
        *,
        prefix: Optional[str] = None,
        pattern: Optional[str] = None,
        public_key: Optional[str] = None,
        separator: Optional[str] = None,
        formats: Formats = None,
        zone: Optional[Tuple[float, float, float, float]] = None,
        specimen_side: int = 256,
        least_side: Optional[float] = None,
        most_edge: Optional[float] = None,
        frames_to_confirm: int = 3,
        frames_to_give_up: int = 60,
        is_limited: bool = False,
        has_torch: bool = False,
        is_camera_unsupported: bool = False,
    ) -> None:
        options = CCodeScannerOptions(
            formats=_bits(formats),
            prefix=encoded(prefix),
            pattern=encoded(pattern),
            public_key=encoded(public_key),
            separator=encoded(separator),
            specimen_side=not_zero(specimen_side, "a side"),
            least_side=0 if least_side is None else not_zero(least_side, "a side"),
            most_edge=0 if most_edge is None else not_zero(most_edge, "an edge"),
            frames_to_confirm=not_zero(frames_to_confirm, "a number of frames"),
            frames_to_give_up=not_zero(frames_to_give_up, "a number of frames"),
            is_limited=is_limited,
            has_torch=has_torch,
            is_camera_unsupported=is_camera_unsupported,
        )
        if zone is not None:
            options.zone_x, options.zone_y, options.zone_width, options.zone_height = zone
            not_zero(options.zone_width, "the width of a zone")
        self._handle = make(lib.fv_code_scanner_create, ctypes.byref(options))

    def start(self) -> None:
        """Wants frames, and looks at them, from the beginning."""
        look(lib.fv_code_scanner_start, self._use())

    def pause(self) -> None:
        """Wants no frames, and looks at none."""
        look(lib.fv_code_scanner_pause, self._use())

    def resume(self) -> None:
        """Looks at frames again, from the beginning; whether they are wanted stays as it is."""
        look(lib.fv_code_scanner_resume, self._use())

    def set_torch(self, is_on: bool) -> None:
        """Asks for the camera's lamp. Raises `BadArgument` if it has none."""
        look(lib.fv_code_scanner_set_torch, self._use(), int(is_on))

    def process(
        self, frame: Photo, *, timeout: Optional[float] = None, cancellation: Optional[Cancellation] = None
    ) -> Optional[CodeScan]:
        """Looks at the next frame; `None` if none is looked at now. Raises as `read_codes`."""
        image = as_image(frame)
        limits = budget(timeout, cancellation)
        try:
            return fill(CodeScan, lib.fv_code_scanner_process, self._use(), image._use(), limits)
        except Absent:
            return None

    @property
    def codes(self) -> Optional[Codes]:
        """What the last frame showed, or once it is confirmed, the code of the best frame; `None` before the first."""
        return self._copy(Codes, lib.fv_code_scanner_codes)

    @property
    def specimen(self) -> Optional[Image]:
        """The code of the best frame, upright and square, for the program to judge its print; `None` before a completed
        report."""
        return self._copy(Image, lib.fv_code_scanner_specimen)

    @property
    def zone(self) -> Optional[Image]:
        """The zone beside it, as wide as the specimen; `None` without one."""
        return self._copy(Image, lib.fv_code_scanner_zone)

    def _summary(self) -> object:
        return "that looks at frames" if self.is_processing else "that looks at none"


def _bits(formats: Formats) -> int:
    if formats is None:
        return 0
    bits = 0
    for one in formats:
        bits |= 1 << listed(CodeFormat, one, "a code").number
    return int(not_zero(bits, "a number of formats"))
