import ctypes
import os
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from ._decision import Decision, make_comparison
from ._document import Document
from ._errors import BadArgument, Error, make_error
from ._faces import Faces
from ._handle import Reporting, encoded_path, make
from ._image import Image, Photo, as_image
from ._library import FV_DETECT_SMALL_FACES, Comparison as CComparison, Input, Policy as CPolicy, lib
from ._policy import Policy, QualityPolicy
from ._sample import Sample
from ._template import Template
from ._values import Comparison

if TYPE_CHECKING:
    from ._engine import Engine

Source = Union[Photo, Template]
"""A photo, or a template; a path may be of either."""


class Credential(Reporting):
    """One person's journey, on one thread at a time: a call while another thread makes one raises `Busy`.

    Photos are an `Image`, a path, the bytes of a file, an array of RGB pixels, or a PIL image. An `Image` is worth
    making for a photo that is used more than once.
    """

    _free = lib.fv_credential_free
    _message = lib.fv_credential_message
    _busy = "another thread uses this Credential, or its policy: give each thread its own"

    def __init__(self, engine: "Engine", policy: Optional[Policy] = None) -> None:
        """Raises `UnsupportedRate`, `BadArgument`. Later changes to the quality policies have no effect on it."""
        self._handle = make(lib.fv_credential_create, engine._use(), _struct(policy))

    def compare(self, selfie: Source, portrait: Source) -> Decision:
        """Decides whether the selfie shows the person of the portrait. No match, and refused, are answers as well.

        A template's quality was judged when it was made, and is not judged again. Raises `NoFace` and what cannot be
        read (`Unreadable`, `UnknownFormat`, `Damaged`, `TooLarge`), with the side in the message, `IncompatibleTemplate`,
        `Busy`.
        """
        # The images live until the call has ended.
        first, _first_image = _input(selfie, "selfie")
        second, _second_image = _input(portrait, "portrait")
        return Decision._wrap(self._make(lib.fv_credential_compare, ctypes.byref(first), ctypes.byref(second)))

    def compare_document(self, selfie: Source, document: Document) -> Decision:
        """Decides whether the selfie shows the holder of the document: `compare` with its portrait.

        With a portrait that is `PortraitTrust.ALTERED` the result is `Result.REFUSED`; any but `AUTHENTIC` adds a
        reason "document." and what there is to know. The decision's `json` has the document too. Raises what `compare`
        raises, and `NoFace` if the document has no portrait.
        """
        first, _first_image = _input(selfie, "selfie")
        function = lib.fv_credential_compare_document
        return Decision._wrap(self._make(function, ctypes.byref(first), document._use()))

    def compare_templates(self, a: Template, b: Template) -> Comparison:
        """Compares two templates at the policy's false-match rate. Raises `IncompatibleTemplate`, `Busy`."""
        comparison = CComparison()
        handle = self._use()
        self._check(lib.fv_credential_compare_templates(ctypes.byref(comparison), handle, a._use(), b._use()))
        return make_comparison(comparison)

    def detect(self, photo: Photo, small_faces: bool = False) -> Faces:
        """All faces of a picture, the most prominent first.

        With `small_faces` it also looks for faces down to 40 pixels where larger ones have been found, which takes
        longer. Raises `Damaged`, `Busy`.
        """
        image = as_image(photo)
        flags = FV_DETECT_SMALL_FACES if small_faces else 0
        return Faces._wrap(self._make(lib.fv_credential_detect, image._use(), flags))

    def sample(self, photo: Photo, policy: Optional[QualityPolicy] = None) -> Sample:
        """The most prominent face, its quality, and its template unless the policy refuses the picture.

        A policy of `None` is the credential's for selfies. Raises `NoFace`, `Damaged`, `Busy`.
        """
        image = as_image(photo)
        return Sample._wrap(self._make(lib.fv_credential_sample, image._use(), _optional(policy)))

    def assess(self, photo: Photo, policy: Optional[QualityPolicy] = None) -> Sample:
        """The same without a template, which takes less time."""
        image = as_image(photo)
        return Sample._wrap(self._make(lib.fv_credential_assess, image._use(), _optional(policy)))


def _input(source: Source, side: str) -> Tuple[Input, Optional[Image]]:
    if isinstance(source, (str, os.PathLike)):
        return Input(path=encoded_path(source)), None
    if isinstance(source, Template):
        return Input(face_template=source._use()), None
    try:
        image = as_image(source)
    except Error as error:
        raise make_error(error.status, f"{side}: {error}") from None
    return Input(image=image._use()), image


def _struct(policy: Optional[Policy]) -> Any:
    if policy is None:
        return None
    if policy.false_match_rate == 0:  # in C, this asks for the default
        raise BadArgument("a false-match rate is between 0 and 1, not 0")
    return ctypes.byref(
        CPolicy(
            selfie=_optional(policy.selfie),
            portrait=_optional(policy.portrait),
            false_match_rate=policy.false_match_rate,
        )
    )


def _optional(policy: Optional[QualityPolicy]) -> Optional[int]:
    return None if policy is None else policy._use()
