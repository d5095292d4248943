"""Codes: QR, PDF417, bar codes and others, in images and camera frames."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Iterable, Optional, Tuple, Union

from . import _generated
from ._arguments import checked
from ._generated import (
    AbsentError,
    CCodeOptions,
    CCodeScannerOptions,
    CodeFault,
    CodeFormat,
    CodeScan,
    CodeScannerProperties,
    lib,
)
from ._handle import Budget, Cancellation, Handle, Items, encoded, fill, filled, listed, look, make, not_zero
from ._image import Image, Photo, as_image

Formats = Optional[Iterable[Union[CodeFormat, str]]]


@dataclass(frozen=True)
class Code(_generated.Code):
    """A decoded code."""

    data: bytes = b""
    """The content as bytes. FNC1 between GS1 elements is 0x1D."""


class Codes(Items[Code]):
    """The codes read in one image, or why none was read. Thread-safe.

    `json()` is what `faceverify code --json` prints: also GS1 elements, and regions that look like codes.
    """

    _free = lib.fv_codes_free
    _json = lib.fv_codes_json
    _count = lib.fv_codes_count

    def _item(self, index: int) -> Code:
        struct = _generated.CCode()
        look(lib.fv_codes_at, ctypes.byref(struct), self._use(), index)
        data = bytes(filled(look, lib.fv_codes_bytes, self._use(), index))
        return Code(**vars(_generated.Code._of(struct)), data=data)

    @property
    def fault(self) -> Optional[CodeFault]:
        """Why no code was read; `None` if one was. `fault.text` states what to do."""
        return CodeFault._find(lib.fv_codes_fault(self._use()))


@checked
def read_codes(
    photo: Photo,
    formats: Formats = None,
    *,
    is_frame: bool = False,
    timeout: Optional[float] = None,
    cancellation: Optional[Cancellation] = None,
) -> Codes:
    """Reads the codes of an image at full resolution. Finding none is no error. Arrays of pixels are RGB, red first.

    Needs no engine, only the model `code-locator` in the default models folder.

    `formats` are the formats to read; `None`: all, which is slowest. `is_frame`: a frame of a stream, soon followed by
    another: searches only regions that look like codes. The content of a code is never opened or executed. Raises
    `BadArgumentError`, `ModelMissingError`, `ModelMismatchError`, errors of images.

    >>> codes = read_codes(selfie)
    >>> len(codes), str(codes.fault)
    (0, 'none-there')
    """
    options = CCodeOptions(formats=_bits(formats), is_frame=is_frame)
    image = as_image(photo)
    limits = Budget(timeout, cancellation)
    return Codes._make(lib.fv_codes_read, image._use(), ctypes.byref(options), limits)


class CodeScanner(Handle, CodeScannerProperties):
    """Scans the codes of one issuer in camera frames. Not thread-safe: a concurrent call raises `BusyError`.

    - `prefix`, `pattern` (`*`: any number of characters, `?`: one) or `public_key` (Ed25519 in PEM) identifies the
      issuer's codes: the text begins with it, matches it as a whole, or ends with `separator` and a signature in
      base64url. With none of them, every code is the issuer's.
    - `formats`: the formats to read; `None`: all, or with `is_limited` bar codes and QR.
    - `zone`: x, y, width and height of a zone next to the code that must be in the frame, from the code's upper left
      corner, in widths of the code.
    - `specimen_side`: side of the square `specimen` in pixels.
    - `least_side`, `most_edge`: minimum length of the code's shortest side, and maximum width of its edges, in pixels,
      to be judged. `None`: any.
    - `frames_to_confirm`: good frames of the same code that confirm it; `frames_to_give_up`: blurred frames after which
      the best of them is reported as it is.
    - `is_limited`: completes with the first code read, judging its content only.
    - `has_torch`: the camera has a torch; `is_camera_unsupported`: it does not meet the requirements of judging.

    Raises `BadArgumentError`, `ModelMissingError`, `ModelMismatchError`, and `UnknownFormatError` for a malformed key.

    >>> scanner = CodeScanner(prefix="https://example.org/")
    >>> scanner.start()
    >>> scan = scanner.process(selfie)
    >>> str(scan.report), str(scan.state), scan.fault.text
    ('in-progress', 'unreadable', 'No code is visible: point the camera at one.')
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
        """Requests frames and restarts processing."""
        look(lib.fv_code_scanner_start, self._use())

    def pause(self) -> None:
        """Stops requesting and processing frames."""
        look(lib.fv_code_scanner_pause, self._use())

    def resume(self) -> None:
        """Restarts processing; whether frames are requested does not change."""
        look(lib.fv_code_scanner_resume, self._use())

    def set_torch(self, is_on: bool) -> None:
        """Requests the camera's torch on or off. Raises `BadArgumentError` if it has none."""
        look(lib.fv_code_scanner_set_torch, self._use(), int(is_on))

    def process(
        self, frame: Photo, *, timeout: Optional[float] = None, cancellation: Optional[Cancellation] = None
    ) -> Optional[CodeScan]:
        """Processes the next frame; returns `None` while processing is stopped. Arrays of pixels are RGB, red first.
        Raises as `read_codes`."""
        image = as_image(frame)
        limits = Budget(timeout, cancellation)
        try:
            return fill(CodeScan, lib.fv_code_scanner_process, self._use(), image._use(), limits)
        except AbsentError:
            return None

    @property
    def codes(self) -> Optional[Codes]:
        """The codes of the last frame, or after confirmation the code of the best frame; `None` before the first."""
        return self._copy(Codes, lib.fv_code_scanner_codes)

    @property
    def specimen(self) -> Optional[Image]:
        """The code of the best frame, upright and square, for the program to judge its print; `None` before a completed
        report."""
        return self._copy(Image, lib.fv_code_scanner_specimen)

    @property
    def zone(self) -> Optional[Image]:
        """The zone next to it, as wide as the specimen; `None` without one."""
        return self._copy(Image, lib.fv_code_scanner_zone)

    def _summary(self) -> object:
        return "processing" if self.is_processing else "stopped"


def _bits(formats: Formats) -> int:
    if formats is None:
        return 0
    bits = 0
    for one in formats:
        bits |= 1 << listed(CodeFormat, one, "a code").number
    return int(not_zero(bits, "a number of formats"))
