"""Offline face verification and liveness for identity documents.

>>> import faceverify
>>> with faceverify.Engine() as engine:
...     decision = engine.compare(selfie, portrait)
>>> print(decision.result)
match

`Engine.compare` compares a selfie with a portrait. A `LivenessSession` detects whether a living person is in front of a
camera, `Engine.read_document` reads a document and authenticates its chip, `read_chip` reads the chip of a document in
the hand, and a `Journey` guides a person through a complete identity check. A `Gallery` identifies one of many people
(1:N), and `read_codes` reads QR and bar codes.

A negative answer (no match, poor quality, an attack) is a result; a `FaceVerifyError` is a usage error or a runtime
error. Objects are thread-safe, except for `LivenessSession`, `Journey`, `CodeScanner` and `QualityPolicy`. Long calls
release the GIL.

Positions are pixels of the upright image: x to the right, y down, (0, 0) is the outer corner of the first pixel; left
and right are the subject's own. A value that was not measured is `None`.
"""

from . import _generated
from ._base import FaceVerifyError, publish
from ._codes import Code, Codes, CodeScanner, read_codes
from ._core import ComparisonPolicy, Decision, Face, Faces, Points, QualityPolicy, Sample, Template
from ._documents import Chip, Document, FieldMismatch, TrustStore, parse_mrz, verify_document
from ._engine import Engine, Models
from ._gallery import Candidates, Gallery
from ._generated import *
from ._handle import Cancellation, run_async
from ._image import Image, Photo
from ._journey import Credential, Journey, LogicalError, Record
from ._live_chip import ChipReport, LiveChip, card_readers, read_chip
from ._liveness import Camera, LivenessDecision, LivenessRequest, LivenessRequestStore, LivenessSession

__all__ = [
    "Camera",
    "Cancellation",
    "Candidates",
    "Chip",
    "ChipReport",
    "Code",
    "CodeScanner",
    "Codes",
    "ComparisonPolicy",
    "Credential",
    "Decision",
    "Document",
    "Engine",
    "FaceVerifyError",
    "Face",
    "Faces",
    "FieldMismatch",
    "Gallery",
    "Image",
    "Journey",
    "LiveChip",
    "LivenessDecision",
    "LivenessRequest",
    "LivenessRequestStore",
    "LivenessSession",
    "LogicalError",
    "Models",
    "Photo",
    "Points",
    "QualityPolicy",
    "Record",
    "Sample",
    "Template",
    "TrustStore",
    "card_readers",
    "library_version",
    "parse_mrz",
    "read_chip",
    "read_codes",
    "run_async",
    "verify_document",
]
__all__ += _generated.__all__

__version__ = _generated.VERSION

library_version = str(_generated.lib.fv_version_string().decode())
"""The version of the loaded library, such as "0.2.0"."""

publish(globals(), __all__)
