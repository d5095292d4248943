from __future__ import annotations

import ctypes
import datetime
from dataclasses import dataclass
from typing import Dict, Optional, Tuple, Union

from ._arguments import checked
from ._base import look_up, optional_text, text
from ._buffer import Bytes, contents
from ._core import Sample
from ._generated import (
    DOCUMENT_FIELDS,
    AbsentError,
    CDocumentCopy,
    CheckStatus,
    DocumentBinding,
    DocumentCheck,
    DocumentField,
    DocumentProperties,
    DocumentSource,
    PageCheck,
    lib,
)
from ._handle import Handle, Path, Reported, call, encoded, fill, filled, look, make

Date = Union[str, datetime.date]
"""A date, or its text, "2026-11-21"."""


class TrustStore(Reported):
    """Trust anchors, revocation lists and master lists for passive authentication. Thread-safe.

    A folder has certificates of issuing states (CSCA), revocation lists, and master lists, each trusted only if its
    signer chains to a certificate in a file of its own or to a pinned one; `json()` lists each file, and what is not
    trusted, with the reason. `None` creates an empty store: then no chip is `Verdict.AUTHENTIC`, and none is
    `Verdict.INVALID` for that reason. Raises `UnreadableError`, `TooLargeError`.

    >>> TrustStore()
    <TrustStore of 0 anchors>
    """

    _instead = "create one in each process"
    _free = lib.fv_trust_store_free
    _json = lib.fv_trust_store_json

    def __init__(self, folder: Optional[Path] = None) -> None:
        self._handle = make(lib.fv_trust_store_create, encoded(folder))

    def add(self, data: Bytes, name: str) -> None:
        """Adds the content of one file; `name` is for `json()`. Documents read before are not affected.

        Raises `UnknownFormatError` if it contains nothing that can be trusted, including a master list whose signer is
        not trusted, `DamagedError` for one with an invalid signature, `TooLargeError`; then nothing of the file is
        trusted.
        """
        with contents(data) as buffer:
            call(lib.fv_trust_store_add, self._use(), encoded(name), buffer.buf, buffer.len)

    def pin(self, sha256: str) -> None:
        """Trusts the certificate with this SHA-256 fingerprint as the anchor of master lists that are added later.

        A folder may have a file `pins.txt` with a fingerprint on each line. Raises `BadArgumentError`.
        """
        call(lib.fv_trust_store_pin, self._use(), encoded(sha256))

    @property
    def anchor_count(self) -> int:
        """The number of distinct trust anchors: certificates that may sign document signers."""
        return int(lib.fv_trust_store_anchor_count(self._use()))

    _key = Handle._key

    def _summary(self) -> object:
        return f"of {self.anchor_count} anchors"


class Chip(Handle):
    """The files of one chip: EF.COM, EF.SOD, EF.DG1... Thread-safe.

    A folder has them under any usual name (`EF.DG1`, `dg01.bin`, `0101`), in binary, hexadecimal or base64; other files
    are skipped. `None` creates an empty chip. Raises `UnreadableError`, `TooLargeError`, and `BadArgumentError` if
    there is no file of a chip, or if two versions of one differ. Damaged files are a finding of `Engine.read_document`,
    not an error here.

    >>> with Chip() as chip:
    ...     chip.add(bytes.fromhex("6100"), "EF.DG1")
    """

    _free = lib.fv_chip_free

    def __init__(self, folder: Optional[Path] = None) -> None:
        self._handle = make(lib.fv_chip_create, encoded(folder))

    def add(self, data: Bytes, name: str) -> None:
        """Adds one file. Raises `UnknownFormatError` if it is not a file of a chip, `TooLargeError`.

        Raises `BadArgumentError` if it differs from the same file added before.
        """
        with contents(data) as buffer:
            call(lib.fv_chip_add, self._use(), encoded(name), buffer.buf, buffer.len)


@dataclass(frozen=True)
class FieldMismatch:
    """A field in which page and chip differ, a licence's front and its code, or one of these and the printed text.

    A source that was not read, or does not have the field, is `None`.
    """

    name: str
    """One of `DOCUMENT_FIELDS`."""
    page: Optional[DocumentField]
    chip: Optional[DocumentField]
    print: Optional[DocumentField]


class Document(Reported, DocumentProperties):
    """Everything that was read from one document, and its checks. Thread-safe.

    `Engine.read_document` and `parse_mrz` return it. Its sample is owned by it: usable until the document is closed.
    `json()` is the report, as `faceverify document --json` prints it.
    """

    _free = lib.fv_document_free
    _json = lib.fv_document_json

    def __bool__(self) -> bool:
        return self.result is CheckStatus.PASSED

    @property
    def fields(self) -> Dict[str, DocumentField]:
        """Each of `DOCUMENT_FIELDS`: the chip's value, unless that has failed and the page's has passed."""
        return self._fields_of(DocumentSource.BEST) or {}

    @property
    def page_fields(self) -> Optional[Dict[str, DocumentField]]:
        """The fields of the page alone, or of the typed zone; `None` if nothing was read from it."""
        return self._fields_of(DocumentSource.PAGE)

    @property
    def chip_fields(self) -> Optional[Dict[str, DocumentField]]:
        """The fields of the chip alone; `None` if nothing was read from it."""
        return self._fields_of(DocumentSource.CHIP)

    @property
    def print_fields(self) -> Optional[Dict[str, DocumentField]]:
        """The printed fields, compared with the others where they have the field; `None` unless the text was read
        (`reads_text`)."""
        return self._fields_of(DocumentSource.PRINT)

    def _fields_of(self, source: DocumentSource) -> Optional[Dict[str, DocumentField]]:
        try:
            return {name: self._field(name, source) for name in DOCUMENT_FIELDS}
        except AbsentError:
            return None

    def _field(self, name: str, source: DocumentSource) -> DocumentField:
        return look_up(DocumentField, lib.fv_document_field_by_name, self._use(), source.number, name.encode())

    @property
    def mrz_lines(self) -> Tuple[str, ...]:
        """The lines of the machine-readable zone; empty without one."""
        lines = self._field("mrzLines", DocumentSource.BEST).value
        return tuple(lines.split("\n")) if lines else ()

    @property
    def mismatches(self) -> Tuple[FieldMismatch, ...]:
        """Fields in which page, chip, code or printed text differ."""
        handle = self._use()
        count = range(lib.fv_document_mismatch_count(handle))
        names = [text(lib.fv_document_mismatch_at(handle, index)) for index in count]
        sources = [fields or {} for fields in (self.page_fields, self.chip_fields, self.print_fields)]
        return tuple(FieldMismatch(name, *(fields.get(name) for fields in sources)) for name in names)

    @property
    def checks(self) -> Tuple[DocumentCheck, ...]:
        """The checks that determine the result: "validation", "expiry", "mrz-matches-chip", "chip-read",
        "passive-authentication", "pages-match", "portrait-matches-chip", "print-matches"."""
        return self._all(DocumentCheck, lib.fv_document_check_count, lib.fv_document_check_at)

    @property
    def steps(self) -> Tuple[DocumentCheck, ...]:
        """The steps of passive authentication, in the order of execution: "signature", "hash-dg1"..., "chain",
        "signer-validity", "country", "revocation"...; empty without a chip."""
        return self._all(DocumentCheck, lib.fv_document_step_count, lib.fv_document_step_at)

    @property
    def pages(self) -> Tuple[Tuple[PageCheck, ...], ...]:
        """The checks of each photo."""
        return tuple(
            self._all(PageCheck, lib.fv_document_page_check_count, lib.fv_document_page_check_at, page)
            for page in range(lib.fv_document_page_count(self._use()))
        )

    @property
    def portrait(self) -> Optional[bytes]:
        """The portrait: the image file on the chip, or a PNG cropped from the page; `None` if there is none.

        It is biometric data: protect it like the document, and keep it no longer.
        """
        try:
            return bytes(filled(look, lib.fv_document_portrait, self._use()))
        except AbsentError:
            return None

    @property
    def sample(self) -> Optional[Sample]:
        """The sample of the portrait, without a template if its quality is refused; `None` without a portrait."""
        return self._part(Sample, lib.fv_document_sample)

    @property
    def data_json_text(self) -> Optional[str]:
        """The data that were read, as canonical JSON (RFC 8785); `None` if nothing was read."""
        return optional_text(lib.fv_document_data_json(self._use()))

    def _summary(self) -> object:
        return f"{self.type or 'of no known type'}, {self.result}"


@checked
def parse_mrz(mrz: str, date: Date) -> Document:
    """Reads a document from the text of a machine-readable zone, with or without line breaks.

    `date` is the date for which expiry and age are checked. Only check digits support the data. Nothing is corrected: a
    wrong check digit is a result. Raises `UnknownFormatError` if the lines have no known format, `DamagedError` for a
    character that is not allowed in a zone, `BadArgumentError`.

    >>> document = parse_mrz(
    ...     "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10", "2010-01-01"
    ... )
    >>> document.fields["dateOfBirth"]
    DocumentField(value='1974-08-12', reason=None, status=<CheckStatus.PASSED: 'passed'>)
    """
    return Document._make(lib.fv_document_from_mrz, encoded(mrz), encoded_date(date))


@checked
def verify_document(
    portrait_sha256: Optional[str] = None,
    data_sha256: Optional[str] = None,
    portrait: Optional[Bytes] = None,
    data: Optional[str] = None,
) -> DocumentBinding:
    """Compares a stored portrait and stored data with the SHA-256 values of the report they are from.

    They are `Document.portrait_sha256`, `data_sha256`, `portrait` and `data_json_text`. The portrait or the data are
    not checked if either the value or its SHA-256 is `None`. Raises `BadArgumentError` for a malformed SHA-256.

    >>> str(verify_document().portrait)
    'not-checked'
    """
    copy = CDocumentCopy(portrait_sha256=encoded(portrait_sha256), data_sha256=encoded(data_sha256), data=encoded(data))
    with contents(b"" if portrait is None else portrait) as buffer:
        if portrait is not None:
            copy.portrait, copy.portrait_bytes = buffer.buf or ctypes.addressof(copy), buffer.len  # never NULL
        return fill(DocumentBinding, lib.fv_document_verify, ctypes.byref(copy))


def encoded_date(date: Date) -> Optional[bytes]:
    if isinstance(date, datetime.date):
        return datetime.date.isoformat(date).encode()
    return encoded(date)
