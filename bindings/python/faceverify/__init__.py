"""Is this the person on the document? Compares a selfie with a portrait, offline, and says why.

>>> import faceverify
>>> with faceverify.Engine() as engine:
...     decision = engine.compare(selfie, portrait)
>>> print(decision.result)
match

A `LivenessSession` tells whether a living person is before a camera, and `Engine.read_document` what a document says
and whether its chip is genuine. A `Journey` leads a person through both. A `Gallery` tells which of many people it is,
and `read_codes` what QR and bar codes hold.

A negative answer (no match, poor quality, an attack) is a result; an `Error` says that something could not be done. Any
threads may use an object at the same time, but `LivenessSession`, `Journey`, `CodeScanner` and `QualityPolicy` serve
one at a time. The calls that work release the GIL.

Positions are pixels of the upright picture: x to the right, y down, (0, 0) is the outer corner of the first pixel; left
and right are the subject's. What was not measured is `None`.
"""

from . import _generated
from ._base import Error
from ._codes import Code, Codes, CodeScanner, read_codes
from ._core import ComparisonPolicy, Decision, Face, Faces, Points, QualityPolicy, Sample, Template
from ._documents import Chip, Document, FieldMismatch, TrustStore, parse_mrz, verify_document
from ._engine import Engine, Models
from ._gallery import Candidates, Gallery
from ._generated import *
from ._handle import Cancellation
from ._image import Image
from ._journey import Journey, JourneyEvent, LogicalError, Record
from ._liveness import Camera, LivenessDecision, LivenessRequest, LivenessRequestStore, LivenessSession

__all__ = [
    "Camera",
    "Cancellation",
    "Candidates",
    "Chip",
    "Code",
    "CodeScanner",
    "Codes",
    "ComparisonPolicy",
    "Decision",
    "Document",
    "Engine",
    "Error",
    "Face",
    "Faces",
    "FieldMismatch",
    "Gallery",
    "Image",
    "Journey",
    "JourneyEvent",
    "LivenessDecision",
    "LivenessRequest",
    "LivenessRequestStore",
    "LivenessSession",
    "LogicalError",
    "Models",
    "Points",
    "QualityPolicy",
    "Record",
    "Sample",
    "Template",
    "TrustStore",
    "library_version",
    "parse_mrz",
    "read_codes",
    "verify_document",
]
__all__ += _generated.__all__

__version__ = "0.2.0"

library_version = str(_generated.lib.fv_version_string().decode())
"""Of the library in use, such as "0.2.0"."""
