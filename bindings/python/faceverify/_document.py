import ctypes
import datetime
from typing import Any, Callable, Dict, Optional, Tuple, Union

from ._buffer import Bytes, contents
from ._errors import Absent, BadArgument
from ._handle import Handle, Path, call, check, encoded_name, encoded_path, make, text, values
from ._library import (
    FV_SOURCE_CHIP,
    FV_SOURCE_DOCUMENT,
    FV_SOURCE_PAGE,
    Binding,
    DocumentInfo,
    Field,
    Finding,
    PageCheck as CPageCheck,
    lib,
)
from ._document_values import (
    DOCUMENT_FIELDS,
    DOCUMENT_STATUSES,
    FIELD_STATUSES,
    PORTRAIT_TRUSTS,
    RFID_STATUSES,
    VERDICTS,
    DocumentBinding,
    DocumentCheck,
    DocumentField,
    DocumentStatus,
    FieldMismatch,
    PageCheck,
    PortraitTrust,
    RFIDStatus,
    Verdict,
)
from ._sample import Sample
from ._values import CHECK_STATUSES

Date = Union[str, datetime.date]
"""A day, or its text, "2026-11-21"."""


class Trust(Handle):
    """The certificates that chips are checked by. Any threads may use it at the same time.

    A folder has certificates of issuing states (CSCA), revocation lists, and master lists, whose signature is checked
    first; files that are none of these are left out, and named in `json` with the reason. `None` makes an empty one:
    then no chip is `Verdict.AUTHENTIC`, and none is `Verdict.INVALID` for that. Raises `Unreadable`, `TooLarge`.

    >>> Trust().anchor_count
    0
    """

    _free = lib.fv_trust_free

    def __init__(self, folder: Optional[Path] = None) -> None:
        self._handle = make(lib.fv_trust_create, encoded_path(folder))

    def add(self, data: Bytes, name: str) -> None:
        """Adds what one file holds; `name` is for `json`. What was read with this before stays as it is.

        Raises `UnknownFormat` if there is nothing in it that can be trusted, `Damaged` for a master list whose
        signature is wrong, `TooLarge`; then nothing of it is trusted.
        """
        with contents(data) as buffer:
            call(lib.fv_trust_add, self._use(), encoded_name(name), buffer.buf, buffer.len)

    @property
    def anchor_count(self) -> int:
        """Certificates that may sign the signers of chips, each counted once."""
        return int(lib.fv_trust_anchor_count(self._use()))

    @property
    def json(self) -> str:
        """What each file brought, the certificates and the revocation lists."""
        return text(lib.fv_trust_json(self._use()))


class Chip(Handle):
    """The files of one chip: EF.COM, EF.SOD, EF.DG1... Any threads may use it at the same time.

    A folder has them under any usual name (`EF.DG1`, `dg01.bin`, `0101`), plain, in hexadecimal or in base64; other
    files are left out. `None` makes an empty one. Raises `Unreadable`, `TooLarge`, and `BadArgument` if no file is a
    chip's, or two are the same one and differ. Damage is found by `Engine.read_document`, and is no error there.

    >>> with Chip() as chip:
    ...     chip.add(bytes.fromhex("6100"), "EF.DG1")
    """

    _free = lib.fv_chip_free

    def __init__(self, folder: Optional[Path] = None) -> None:
        self._handle = make(lib.fv_chip_create, encoded_path(folder))

    def add(self, data: Bytes, name: str) -> None:
        """Adds one file. Raises `UnknownFormat` if it is none of a chip's, `TooLarge`.

        Raises `BadArgument` if it differs from the one that is there.
        """
        with contents(data) as buffer:
            call(lib.fv_chip_add, self._use(), encoded_name(name), buffer.buf, buffer.len)


class Document(Handle):
    """What pages and chip of a document say. Any threads may use it at the same time.

    `Engine.read_document` and `parse_mrz` make it. Its sample belongs to it: it can be used until it is closed.
    """

    _free = lib.fv_document_free

    def _describe(self) -> Dict[str, Any]:
        info = DocumentInfo()
        check(lib.fv_document_describe(ctypes.byref(info), self._use()), "this Document was closed meanwhile")
        return values(info)

    @property
    def type(self) -> str:
        """ "passport", "visa", "id-card", "driving-licence" or "unknown"."""
        return str(self._describe()["type"])

    @property
    def type_name(self) -> Optional[str]:
        """In finer detail, such as "Diplomatic passport"; `None` if that is not known."""
        name: Optional[str] = self._describe()["type_name"]
        return name

    @property
    def date(self) -> str:
        """For which all was judged."""
        return str(self._describe()["date"])

    @property
    def statuses(self) -> Tuple[DocumentStatus, ...]:
        """`OK` or `NOT_CHECKED` alone, or all that is wrong."""
        handle = self._use()
        return tuple(
            DOCUMENT_STATUSES[lib.fv_document_status(handle, index)]
            for index in range(lib.fv_document_status_count(handle))
        )

    @property
    def fields(self) -> Dict[str, DocumentField]:
        """Each of `DOCUMENT_FIELDS`: the chip's value, unless that is in error and the page's is not."""
        return self._fields(FV_SOURCE_DOCUMENT) or {}

    @property
    def page_fields(self) -> Optional[Dict[str, DocumentField]]:
        """As the page alone has them, or the typed zone; `None` if nothing was read from it."""
        return self._fields(FV_SOURCE_PAGE)

    @property
    def chip_fields(self) -> Optional[Dict[str, DocumentField]]:
        """As the chip alone has them; `None` if nothing was read from it."""
        return self._fields(FV_SOURCE_CHIP)

    def _fields(self, source: int) -> Optional[Dict[str, DocumentField]]:
        try:
            return {name: self._field(name, source) for name in DOCUMENT_FIELDS}
        except Absent:
            return None

    def _field(self, name: str, source: int) -> DocumentField:
        field = Field()
        status = lib.fv_document_field(ctypes.byref(field), self._use(), name.encode(), source)
        check(status, "nothing was read from this source")
        fields = values(field)
        fields["status"] = FIELD_STATUSES[fields["status"]]
        return DocumentField(**fields)

    @property
    def mrz_lines(self) -> Tuple[str, ...]:
        """The lines of the machine readable zone; empty without one."""
        lines = self._field("mrzLines", FV_SOURCE_DOCUMENT).value
        return tuple(lines.split("\n")) if lines else ()

    @property
    def mismatches(self) -> Tuple[FieldMismatch, ...]:
        """Fields in which page and chip differ."""
        handle = self._use()
        names = [
            text(lib.fv_document_mismatch(handle, index)) for index in range(lib.fv_document_mismatch_count(handle))
        ]
        return tuple(
            FieldMismatch(name, self._field(name, FV_SOURCE_PAGE), self._field(name, FV_SOURCE_CHIP)) for name in names
        )

    @property
    def checks(self) -> Tuple[DocumentCheck, ...]:
        """What the statuses follow from: "validation", "expiry", "mrz-matches-chip", "passive-authentication"."""
        handle = self._use()
        return tuple(
            _finding(lib.fv_document_check, handle, index) for index in range(lib.fv_document_check_count(handle))
        )

    @property
    def has_chip(self) -> bool:
        """Whether a chip was read."""
        return bool(self._describe()["has_chip"])

    @property
    def chip_page(self) -> Optional[int]:
        """Where the chip is: 1 in the data page, 2 in the back page or inlay; `None` if not known."""
        return self._describe()["chip_page"] or None

    @property
    def rfid_status(self) -> RFIDStatus:
        """What became of the chip."""
        return RFID_STATUSES[self._describe()["rfid_status"]]

    @property
    def verdict(self) -> Optional[Verdict]:
        """What passive authentication says; `None` without a chip."""
        return VERDICTS.get(self._describe()["verdict"])

    @property
    def steps(self) -> Tuple[DocumentCheck, ...]:
        """Those of passive authentication, in the order in which they were done; empty without a chip."""
        handle = self._use()
        return tuple(
            _finding(lib.fv_document_step, handle, index) for index in range(lib.fv_document_step_count(handle))
        )

    @property
    def pages(self) -> Tuple[Tuple[PageCheck, ...], ...]:
        """For each photo, what may be wrong with it."""
        handle = self._use()
        return tuple(
            tuple(_page_check(handle, page, index) for index in range(lib.fv_document_page_check_count(handle, page)))
            for page in range(lib.fv_document_page_count(handle))
        )

    @property
    def portrait(self) -> Optional[bytes]:
        """The file that the chip has, or a PNG that was cut out of the page; `None` if there is none.

        It is biometric data: keep it as short and as safely as the document.
        """
        count = ctypes.c_size_t()
        status = lib.fv_document_portrait(self._use(), None, 0, ctypes.byref(count))
        if status == Absent.status:
            return None
        check(status, "the portrait has no size")
        data = ctypes.create_string_buffer(count.value)
        status = lib.fv_document_portrait(self._use(), data, count, ctypes.byref(count))
        check(status, "this Document was closed meanwhile")
        return data.raw

    @property
    def portrait_trust(self) -> Optional[PortraitTrust]:
        """How far the portrait itself is trusted; `None` if there is none."""
        return PORTRAIT_TRUSTS.get(self._describe()["portrait_trust"])

    @property
    def portrait_problem(self) -> Optional[str]:
        """Why there is no portrait, or why it is not the chip's; `None` if all is well."""
        problem: Optional[str] = self._describe()["portrait_problem"]
        return problem

    @property
    def sample(self) -> Optional[Sample]:
        """The portrait's quality, and its template unless the quality is refused; `None` without a portrait."""
        handle = lib.fv_document_sample(self._use())
        return None if handle is None else Sample._wrap(handle, owner=self)

    @property
    def photo_hash(self) -> Optional[str]:
        """SHA-256 of `portrait`, lower-case hexadecimal; `None` without one."""
        found: Optional[str] = self._describe()["photo_hash"]
        return found

    @property
    def data_hash(self) -> Optional[str]:
        """SHA-256 of `data_json` in UTF-8; `None` if nothing was read."""
        found: Optional[str] = self._describe()["data_hash"]
        return found

    @property
    def data_json(self) -> Optional[str]:
        """What was read, as canonical JSON (RFC 8785); `None` if nothing was."""
        data = lib.fv_document_data_json(self._use())
        return None if data is None else text(data)

    @property
    def json(self) -> str:
        """Everything, as `faceverify document --json` prints it."""
        return text(lib.fv_document_json(self._use()))


def parse_mrz(mrz: str, date: Date) -> Document:
    """Reads the text of a machine readable zone, with or without line ends, as it is looked at on a day.

    Nothing but its check digits vouches for it, and nothing is ever repaired: a wrong check digit is a result. Raises
    `UnknownFormat` if the lines are of no format, `Damaged` at a character that no zone has, `BadArgument`.

    >>> document = parse_mrz(
    ...     "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10", "2010-01-01"
    ... )
    >>> document.fields["dateOfBirth"]
    DocumentField(value='1974-08-12', reason=None, status=<FieldStatus.OK: 'OK'>)
    """
    return Document._wrap(make(lib.fv_document_from_mrz, encoded_name(mrz), encoded_date(date)))


def verify_document(
    photo_hash: Optional[str], data_hash: Optional[str], photo: Optional[Bytes] = None, data: Optional[str] = None
) -> DocumentBinding:
    """Compares a portrait and data that were kept with the hashes of the report that they came with.

    They are `Document.photo_hash`, `data_hash`, `portrait` and `data_json`; a side of which anything is `None` is not
    checked. Raises `BadArgument` for what is no hash.

    >>> str(verify_document(None, None).photo)
    'not-checked'
    """
    binding = Binding()
    arguments = (ctypes.byref(binding), encoded_name(photo_hash), encoded_name(data_hash))
    if photo is None:
        status = lib.fv_document_verify(*arguments, None, 0, encoded_name(data))
    else:
        with contents(photo) as buffer:
            # An empty photo has no address.
            address = buffer.buf or ctypes.addressof(binding)
            status = lib.fv_document_verify(*arguments, address, buffer.len, encoded_name(data))
    check(status, "a hash is SHA-256 in lower-case hexadecimal")
    return DocumentBinding(CHECK_STATUSES[binding.photo], CHECK_STATUSES[binding.data])


def encoded_date(date: Date) -> Optional[bytes]:
    if isinstance(date, datetime.date):
        return datetime.date.isoformat(date).encode()
    if not isinstance(date, str):
        raise BadArgument(f"a date is a datetime.date, or text such as 2026-11-21, not {date!r}")
    return encoded_name(date)


def _finding(function: Callable[..., int], handle: int, index: int) -> DocumentCheck:
    struct = Finding()
    check(function(ctypes.byref(struct), handle, index), f"there is no check {index}")
    fields = values(struct)
    fields["status"] = CHECK_STATUSES[fields["status"]]
    return DocumentCheck(**fields)


def _page_check(handle: int, page: int, index: int) -> PageCheck:
    struct = CPageCheck()
    check(lib.fv_document_page_check(ctypes.byref(struct), handle, page, index), f"there is no check {index}")
    fields = values(struct)
    fields["status"] = CHECK_STATUSES[fields["status"]]
    return PageCheck(**fields)
