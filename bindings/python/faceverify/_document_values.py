"""Plain values of documents: they hold no object of the library, never change, and can be kept, copied and pickled."""

from dataclasses import dataclass
from typing import Dict, Optional

from ._handle import listed
from ._library import lib
from ._values import CheckStatus, _Name

DOCUMENT_FIELDS = listed(lib.fv_document_field_name)
"""The names of a document's fields: "documentNumber", "dateOfBirth", "mrzLines"..."""


class DocumentStatus(_Name):
    """What can be said of a document as a whole."""

    OK = "OK"
    """All that was asked for was checked, and is right."""
    NOT_CHECKED = "NOT_CHECKED"
    """Nothing is wrong, but not all could be checked."""
    VALIDATION_ERROR = "VALIDATION_ERROR"
    """A field is in error, or nothing was read."""
    EXPIRED_DOCUMENT = "EXPIRED_DOCUMENT"
    RFID_PASSIVE_AUTHENTICATION = "RFID_PASSIVE_AUTHENTICATION"
    """It failed."""
    MRZ_RFID_MISMATCH = "MRZ_RFID_MISMATCH"
    """Page and chip differ."""
    RFID_TIMEOUT = "RFID_TIMEOUT"
    RFID_PERMISSION_NOT_GRANTED = "RFID_PERMISSION_NOT_GRANTED"
    RFID_TAG_NOT_FOUND = "RFID_TAG_NOT_FOUND"
    """A chip was asked for, and none given."""
    RFID_NFC_NOT_SUPPORTED = "RFID_NFC_NOT_SUPPORTED"
    RFID_GENERIC_ERROR = "RFID_GENERIC_ERROR"
    """The chip's files could not be read."""
    USER_SKIPPED_RFID = "USER_SKIPPED_RFID"


class RFIDStatus(_Name):
    """What became of the chip."""

    UNDEFINED = "UNDEFINED"
    """None was read, or it could not be shown to be genuine or not."""
    SUCCESS = "SUCCESS"
    """Read, and genuine."""
    ERROR = "ERROR"
    """Not readable, or not genuine."""


class Verdict(_Name):
    """What passive authentication says of a chip. A copied chip passes too."""

    AUTHENTIC = "authentic"
    """Signed by a state whose certificate is trusted."""
    VALID_WITHOUT_ANCHOR = "valid-without-anchor"
    """Signature and hashes are right, but nobody knows who signed."""
    INVALID = "invalid"
    """A step failed."""
    NOT_CHECKED = "not-checked"
    """Too little could be checked."""


class PortraitTrust(_Name):
    """How far a portrait itself is trusted."""

    AUTHENTIC = "authentic"
    """From a chip that a trusted state signed."""
    VALID_WITHOUT_ANCHOR = "valid-without-anchor"
    """From a chip that is right, but nobody knows who signed it."""
    NOT_CHECKED = "not-checked"
    """From a chip of which too little could be checked."""
    PAGE = "page"
    """From a photo of the page: nothing tells that the page is genuine."""
    ALTERED = "altered"
    """From a chip that was changed, or whose signer is not to be trusted."""


class FieldStatus(_Name):
    """How far a value can be relied on."""

    OK = "OK"
    """A check digit, the chip's signature or a sure reading vouches for it."""
    ERROR = "ERROR"
    """Not to be used: a check digit is wrong, a code unknown, the chip's data changed."""
    NOT_CHECKED = "NOT_CHECKED"
    """Nothing vouches for it."""


DOCUMENT_STATUSES = dict(enumerate(DocumentStatus, 1))
RFID_STATUSES = dict(enumerate(RFIDStatus, 1))
VERDICTS: Dict[int, Verdict] = dict(enumerate(Verdict, 1))
PORTRAIT_TRUSTS: Dict[int, PortraitTrust] = dict(enumerate(PortraitTrust, 1))
FIELD_STATUSES = dict(enumerate(FieldStatus, 1))


@dataclass(frozen=True)
class DocumentField:
    """A value of a document, and how far it can be relied on."""

    value: Optional[str]
    """Dates as "1974-08-12", unknown parts as "XX"; `None` if the document has none."""
    reason: Optional[str]
    """Why it is not `FieldStatus.OK`: "check-digit-wrong", "low-confidence", "absent"..."""
    status: FieldStatus


@dataclass(frozen=True)
class FieldMismatch:
    """A field in which page and chip differ."""

    name: str
    """One of `DOCUMENT_FIELDS`."""
    page: DocumentField
    chip: DocumentField


@dataclass(frozen=True)
class DocumentCheck:
    """What became of one check of a document, or of one step of passive authentication."""

    name: str
    reason: Optional[str]
    """Why it did not pass; `None` if it did."""
    text: str
    """One line for people; may be empty."""
    status: CheckStatus


@dataclass(frozen=True)
class PageCheck:
    """One thing that may be wrong with the photo of a page."""

    reason: str
    """"black-white-copy", "blurry", "glare"..."""
    unit: str
    text: str
    """What to do, or why it was not checked; empty if it passed."""
    number: int
    """By which such rejections are known: 102 to 2006."""
    status: CheckStatus
    """Failed: the photo is to be rejected for it."""
    value: Optional[float]
    """In `unit`; `None` if nothing was measured."""
    limit: Optional[float]
    """The check fails beyond it; `None` if nothing was measured."""


@dataclass(frozen=True)
class DocumentBinding:
    """Whether a portrait and data are those of a report. It is true in a condition if both are."""

    photo: CheckStatus
    data: CheckStatus

    def __bool__(self) -> bool:
        return self.photo is CheckStatus.PASSED and self.data is CheckStatus.PASSED
