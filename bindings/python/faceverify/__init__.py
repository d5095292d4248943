"""Is this the person on the document? Compares a selfie with a portrait, offline, and says why.

>>> import faceverify
>>> with faceverify.Engine() as engine:
...     decision = engine.compare(selfie, portrait)
>>> print(decision.result)
match

A `LivenessSession` tells whether a living person is before a camera.

A negative answer (no match, poor quality, an attack) is a result; an `Error` says that something could not be done. Any
threads may use an object at the same time, but `Credential`, `LivenessSession` and `QualityPolicy` serve one at a time.
The calls that work release the GIL.

Positions are pixels of the upright picture: x to the right, y down, (0, 0) is the outer corner of the first pixel; left
and right are the subject's. What was not measured is `None`.
"""

from ._credential import Credential
from ._decision import Decision
from ._engine import Engine, Models
from ._errors import (
    Absent,
    BadArgument,
    Busy,
    Damaged,
    Error,
    ForeignTemplate,
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
    LivenessStep,
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
    "Comparison",
    "Consequence",
    "Credential",
    "Damaged",
    "Decision",
    "Engine",
    "Error",
    "Face",
    "Faces",
    "ForeignTemplate",
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
    "LivenessStep",
    "Model",
    "ModelMismatch",
    "ModelMissing",
    "ModelState",
    "Models",
    "NoFace",
    "Point",
    "Points",
    "Policy",
    "QualityPolicy",
    "Reason",
    "Result",
    "RetryReason",
    "Sample",
    "ScreenColour",
    "Template",
    "Threshold",
    "TooLarge",
    "UnknownFormat",
    "Unreadable",
    "UnsupportedRate",
    "Unwritable",
    "VersionMismatch",
    "WrongState",
    "library_version",
]

__version__ = "0.1.0"

library_version = str(_lib.fv_version_string().decode())
"""Of the library in use, such as "0.1.0"."""
