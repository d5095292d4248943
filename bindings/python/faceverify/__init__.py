"""Is this the person on the document? Compares a selfie with a portrait, offline, and says why.

>>> import faceverify
>>> with faceverify.Engine() as engine:
...     decision = engine.compare(selfie, portrait)
>>> print(decision.result)
match

A `LivenessSession` tells whether a living person is before a camera, and `Engine.read_document` what a document says
and whether its chip is genuine.

A negative answer (no match, poor quality, an attack) is a result; an `Error` says that something could not be done. Any
threads may use an object at the same time, but `Credential`, `LivenessSession` and `QualityPolicy` serve one at a time.
The calls that work release the GIL.

Positions are pixels of the upright picture: x to the right, y down, (0, 0) is the outer corner of the first pixel; left
and right are the subject's. What was not measured is `None`.
"""

from ._credential import Credential
from ._decision import Decision
from ._document import Chip, Document, Trust, parse_mrz, verify_document
from ._document_values import (
    DOCUMENT_FIELDS,
    DocumentBinding,
    DocumentCheck,
    DocumentField,
    DocumentStatus,
    FieldMismatch,
    FieldStatus,
    PageCheck,
    PortraitTrust,
    RFIDStatus,
    Verdict,
)
from ._engine import Engine, Models
from ._errors import (
    Absent,
    BadArgument,
    Busy,
    Damaged,
    Error,
    IncompatibleTemplate,
    InternalError,
    ModelMismatch,
    ModelMissing,
    NoFace,
    TooLarge,
    UnknownFormat,
    Unreadable,
    UnsupportedRate,
    Unwritable,
    VersionMismatch,
    WrongState,
)
from ._faces import Faces
from ._image import Image
from ._library import lib as _lib
from ._liveness import LivenessDecision, LivenessRegister, LivenessRequest, LivenessSession
from ._liveness_values import (
    LIVENESS_POLICIES,
    LIVENESS_SIGNALS,
    Camera,
    Challenge,
    ChallengeAnswer,
    ChallengeOutcome,
    ChallengePhase,
    ChallengeTask,
    LivenessCheck,
    LivenessEvidence,
    LivenessHint,
    LivenessResult,
    LivenessState,
    LivenessSessionState,
    RetryReason,
    ScreenColour,
)
from ._policy import QUALITY_MEASURES, Policy, QualityPolicy
from ._sample import Sample
from ._template import Template
from ._values import (
    Check,
    CheckStatus,
    Comparison,
    Consequence,
    Face,
    Model,
    ModelState,
    Point,
    Points,
    Reason,
    Result,
    Threshold,
)

__all__ = [
    "DOCUMENT_FIELDS",
    "LIVENESS_POLICIES",
    "LIVENESS_SIGNALS",
    "QUALITY_MEASURES",
    "Absent",
    "BadArgument",
    "Busy",
    "Camera",
    "Challenge",
    "ChallengeAnswer",
    "ChallengeOutcome",
    "ChallengePhase",
    "ChallengeTask",
    "Check",
    "CheckStatus",
    "Chip",
    "Comparison",
    "Consequence",
    "Credential",
    "Damaged",
    "Decision",
    "Document",
    "DocumentBinding",
    "DocumentCheck",
    "DocumentField",
    "DocumentStatus",
    "Engine",
    "Error",
    "Face",
    "Faces",
    "FieldMismatch",
    "FieldStatus",
    "IncompatibleTemplate",
    "Image",
    "InternalError",
    "LivenessCheck",
    "LivenessDecision",
    "LivenessEvidence",
    "LivenessHint",
    "LivenessRegister",
    "LivenessRequest",
    "LivenessResult",
    "LivenessSession",
    "LivenessState",
    "LivenessSessionState",
    "Model",
    "ModelMismatch",
    "ModelMissing",
    "ModelState",
    "Models",
    "NoFace",
    "PageCheck",
    "Point",
    "Points",
    "Policy",
    "PortraitTrust",
    "QualityPolicy",
    "RFIDStatus",
    "Reason",
    "Result",
    "RetryReason",
    "Sample",
    "ScreenColour",
    "Template",
    "Threshold",
    "TooLarge",
    "Trust",
    "UnknownFormat",
    "Unreadable",
    "UnsupportedRate",
    "Unwritable",
    "Verdict",
    "VersionMismatch",
    "WrongState",
    "library_version",
    "parse_mrz",
    "verify_document",
]

__version__ = "0.1.0"

library_version = str(_lib.fv_version_string().decode())
"""Of the library in use, such as "0.1.0"."""
