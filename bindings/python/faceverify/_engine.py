from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Iterable, Optional, Tuple, Union, cast

from ._arguments import check_elements
from ._base import FaceVerifyError, look_up, make_error, text
from ._core import ComparisonPolicy, Decision, Faces, QualityPolicy, Sample, Template
from ._documents import Chip, Date, Document, TrustStore, encoded_date
from ._generated import (
    FV_VERSION_NUMBER,
    CComparison,
    CComparisonPolicy,
    CDetectOptions,
    CDocumentInput,
    CEngineOptions,
    CInput,
    CLogFunction,
    Comparison,
    CReferences,
    LogLevel,
    Model,
    Threshold,
    lib,
)
from ._handle import Budget, Cancellation, Handle, Items, Path, Reported, call, encoded, fill, handle_of, make, not_zero
from ._image import Image, Photo, as_image, is_photo

Source = Union[Photo, Template]
"""A photo or a template; a path may be that of either."""


class Engine(Reported):
    """The models, shared by all threads. The first call that needs a network loads them: 0.2 s, about a second the first
    time on a machine. Thread-safe.

    - `models_folder`: folder with manifest.json and the models. `None`: $FACEVERIFY_MODELS, or else
      share/faceverify/models in the prefix, or wheel, that the library is installed in.
    - `model_set`: "retail", "default", or "dlib" (slower, without OpenVINO, without a mesh). `None`: "retail" if its
      files are in the folder, else "default"; `json()` names the set. Templates of different sets are not comparable.
    - `precision`: of the networks' arithmetic. "f32": the same scores on every machine; "auto": bf16 if the processor
      supports it, which is faster. `None`: "f32".
    - `cache_folder`: for compiled models. `None`: $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify.
    - `threads`: number of calls that run concurrently at full speed, 1 to 64; further calls wait.
    - `log`: log handler; receives no personal data and no result of a comparison. Called on the thread of the logged
      call; must not call the engine.

    Raises `ModelMissingError`, `ModelMismatchError`, `DamagedError`, `BadArgumentError`, `VersionMismatchError`.

    A photo is an `Image`, a path, a file opened in binary mode, the bytes of a file, an array of pixels, or a PIL
    image. The channels of an array are red first (RGB): make an `Image` of an array of OpenCV,
    `Image.from_pixels(array, order="bgr")`, and of a photo that is used more than once. Errors of images are
    `UnreadableError`, `UnknownFormatError`, `DamagedError` and `TooLargeError`.

    Long calls take a `timeout` in seconds, after which they raise `CallTimeoutError`, and a `Cancellation`, which makes
    them raise `CallCancelledError`; both are checked between processing steps, some milliseconds apart. Ctrl-C during
    such a call in the main thread cancels it, including its `Cancellation`, and raises KeyboardInterrupt. `run_async`
    makes them awaitable. Loading the models, by this and by an engine's first call, cannot be interrupted.

    >>> with Engine() as engine:
    ...     decision = engine.compare(selfie, portrait)
    >>> print(decision.result)
    match
    """

    _instead = "create one in each process, after forking"
    _free = lib.fv_engine_free
    _json = lib.fv_engine_json

    def __init__(
        self,
        models_folder: Optional[Path] = None,
        model_set: Optional[str] = None,
        cache_folder: Optional[Path] = None,
        threads: int = 1,
        log: Optional[Callable[[LogLevel, str], object]] = None,
        precision: Optional[str] = None,
    ) -> None:
        options = CEngineOptions(
            models_folder=encoded(models_folder),
            model_set=encoded(model_set),
            cache_folder=encoded(cache_folder),
            thread_count=threads,
            log=_log_function(log),
            precision=encoded(precision),
        )
        self._handle = make(lib.fv_engine_create, FV_VERSION_NUMBER, ctypes.byref(options))
        self._log = options.log  # sessions keep it too: they may outlive the engine

    def preload(self) -> None:
        """Loads the networks, so that the first call is not slower than later ones. `await run_async(engine.preload)`
        does not block the event loop."""
        call(lib.fv_engine_preload, self._use())

    def compare(
        self,
        selfie: Source,
        portrait: Union[Source, Document],
        policy: Optional[ComparisonPolicy] = None,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Decision:
        """Decides whether the selfie shows the person in the portrait. No match and refused are results, not errors.
        Arrays of pixels are RGB, red first. The decision is true in a condition if it is a match; its `comparison` has
        no truth value: use `is_match`.

        A template's quality was judged when it was created, and is not judged again. A document is compared by its
        portrait. The result is then `Result.REFUSED`, whatever the score, if the document has a chip that is not
        `Verdict.AUTHENTIC` (`Verdict.VALID_WITHOUT_ANCHOR` is enough without a trust store) or not in date, or if its
        check "chip-read" failed. Added reasons: "document.portrait-" and the verdict unless it is authentic,
        "document.chip-out-of-date", "document." and the reason of "chip-read", and "document.portrait-page". The
        decision's `json()` includes the document.

        Raises `NoFaceError` and errors of images, with the side in
        the message, `IncompatibleTemplateError`, `UnsupportedRateError`; `BusyError` while another thread
        changes a quality policy.
        """
        # Keeps the images until the call has returned.
        first, _first_image = _input(selfie, "selfie")
        limits = (_policy(policy), Budget(timeout, cancellation))
        if isinstance(portrait, Document):
            function = lib.fv_engine_compare_document
            return Decision._make(function, self._use(), ctypes.byref(first), portrait._use(), *limits)
        second, _second_image = _input(portrait, "portrait")
        return Decision._make(lib.fv_engine_compare, self._use(), ctypes.byref(first), ctypes.byref(second), *limits)

    def compare_templates(self, a: Template, b: Template, false_match_rate: float = 1e-3) -> Comparison:
        """Compares two templates at a false-match rate. The comparison has no truth value: use `is_match`. Raises
        `IncompatibleTemplateError`, `UnsupportedRateError`."""
        function, rate = lib.fv_engine_compare_templates, _rate(false_match_rate)
        return fill(Comparison, function, self._use(), a._use(), b._use(), rate)

    def compare_many(
        self,
        probe: Template,
        templates: Iterable[Template],
        false_match_rate: float = 1e-3,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Tuple[Comparison, ...]:
        """Compares one template with several, in their order.

        The false-match rate is that of one comparison: with n non-mated references, a false match is up to n times as
        likely.
        Raises `IncompatibleTemplateError`, `UnsupportedRateError`.
        """
        kept = tuple(templates)  # until the call has returned
        check_elements(kept, Template, "templates")
        count = len(kept)
        handles = (ctypes.c_void_p * count)(*(template._use() for template in kept))
        references = CReferences(
            templates=ctypes.addressof(handles), template_count=count, false_match_rate=_rate(false_match_rate)
        )
        found = (CComparison * (count or 1))(CComparison())
        limits = (ctypes.byref(references), Budget(timeout, cancellation))
        call(lib.fv_engine_compare_many, found, self._use(), probe._use(), *limits)
        return tuple(Comparison._of(one) for one in found[:count])

    def detect(
        self,
        photo: Photo,
        small_faces: bool = False,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Faces:
        """Detects all faces of an image, the most prominent first. Arrays of pixels are RGB, red first.

        `small_faces` also searches for faces down to 40 pixels if larger ones were found, which is slower. Raises
        `DamagedError`.
        """
        image, options = as_image(photo), CDetectOptions(small_faces=small_faces)
        limits = Budget(timeout, cancellation)
        return Faces._make(lib.fv_engine_detect, self._use(), image._use(), ctypes.byref(options), limits)

    def sample(
        self,
        photo: Photo,
        policy: Optional[QualityPolicy] = None,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Sample:
        """Analyses the most prominent face of an image: its quality, and its template unless the policy refuses it.
        Arrays of pixels are RGB, red first.

        A policy of `None` is "selfie". Raises `NoFaceError`, `DamagedError`, `BusyError`.
        """
        image, limits = as_image(photo), (handle_of(policy), Budget(timeout, cancellation))
        return Sample._make(lib.fv_engine_sample, self._use(), image._use(), *limits)

    def assess(
        self,
        photo: Photo,
        policy: Optional[QualityPolicy] = None,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Sample:
        """Like `sample`, but without a template, which is faster. Arrays of pixels are RGB, red first."""
        image, limits = as_image(photo), (handle_of(policy), Budget(timeout, cancellation))
        return Sample._make(lib.fv_engine_assess, self._use(), image._use(), *limits)

    def read_document(
        self,
        pages: Union[Photo, Iterable[Photo]] = (),
        chip: Optional[Chip] = None,
        trust: Optional[TrustStore] = None,
        *,
        date: Date,
        code: Optional[bytes] = None,
        is_chip_expected: bool = False,
        is_single_page: bool = False,
        is_strict: bool = False,
        accepts_page_only: bool = False,
        accepts_licence_code: bool = False,
        reads_text: bool = False,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Document:
        """Reads a document from photos of its pages, from its chip or a licence's code, or from both.

        - `pages`: a photo, or a list of at most 64. Arrays of pixels are RGB, red first.
        - `code`: content of the PDF417 on the back of a driving licence (`Code.data`), in which case the pages show its
          front, or of a visible digital seal.
        - `trust`: trust anchors; `None`: none.
        - `date`: date for which expiry, age and certificates are checked: a `datetime.date`, or "2026-11-21".
        - `is_chip_expected`: the document is known to have a chip: without one, a check fails and there is no match.
        - `is_single_page`: stops at the first page with a machine-readable zone.
        - `is_strict`: no violation of the standards by the chip is forgiven.
        - `accepts_page_only`: a page passes without an authenticated chip; else it is not checked.
        - `accepts_licence_code`: a driving licence passes, although its code is not signed; else it is not checked.
        - `reads_text`: the printed text of the pages is read, which takes longer than the rest, and compared with the
          machine-readable data; `Document.json()` has its lines in `pages`.

        The visible digital seal of a visa or an emergency travel document is read from its page: `Document.json()` has
        the result in `seal`, and a seal that failed fails the document.

        A photo without a document, a chip that is not genuine or unreadable, and an expired document are results.
        Raises `BadArgumentError`, errors of images, and `ModelMissingError` if there are pages, but no models to read
        them.

        >>> with Engine() as engine:
        ...     document = engine.read_document([selfie], date="2026-11-21")
        >>> document, str(document.portrait_source)
        (<Document of no known type, failed>, 'page')
        """
        photos = [cast(Photo, pages)] if is_photo(pages) else cast(Iterable[Photo], pages)
        images = [as_image(page, f"pages[{index}]") for index, page in enumerate(photos)]
        handles = (ctypes.c_void_p * len(images))(*(image._use() for image in images))
        document = CDocumentInput(
            pages=ctypes.addressof(handles) if images else None,
            page_count=len(images),
            chip=handle_of(chip),
            code=None if code is None else ctypes.cast(ctypes.c_char_p(code), ctypes.c_void_p),
            code_bytes=0 if code is None else len(code),
            trust=handle_of(trust),
            date=encoded_date(date),
            is_chip_expected=is_chip_expected,
            is_single_page=is_single_page,
            is_strict=is_strict,
            accepts_page_only=accepts_page_only,
            accepts_licence_code=accepts_licence_code,
            reads_text=reads_text,
        )
        limits = Budget(timeout, cancellation)
        return Document._make(lib.fv_document_read, self._use(), ctypes.byref(document), limits)

    def threshold(self, false_match_rate: float, among: str = "worst-group") -> Threshold:
        """Returns the operating point at a false-match rate from 1e-5 to 1e-2, interpolated on the calibration.

        The rate holds among the people of `among`, as in `ComparisonPolicy`. Raises `UnsupportedRateError` for a rate
        that the data do not support.
        """
        return fill(Threshold, lib.fv_engine_threshold_among, self._use(), false_match_rate, encoded(among))

    _key = Handle._key

    def _summary(self) -> object:
        return self.json()["models"]["set"]


class Models(Items[Model]):
    """The files in the manifest of a folder, each read and hashed.

    A `folder` of `None` is searched for as in `Engine`. `json()` is what `faceverify models list --json` prints. Raises
    `ModelMissingError` if there is no manifest.

    >>> from faceverify import ModelState
    >>> [model.path for model in Models() if model.state is not ModelState.OK and not model.is_optional]
    []
    """

    _free = lib.fv_models_free
    _json = lib.fv_models_json
    _count = lib.fv_models_count

    def __init__(self, folder: Optional[Path] = None) -> None:
        self._handle = make(lib.fv_models_check, encoded(folder))

    def _item(self, index: int) -> Model:
        return look_up(Model, lib.fv_models_at, self._use(), index)


def _input(source: Source, side: str) -> Tuple[CInput, Optional[Image]]:
    if isinstance(source, (str, os.PathLike)):
        return CInput(path=encoded(source)), None
    if isinstance(source, Template):
        return CInput(face_template=source._use()), None
    try:
        image = as_image(source)
    except FaceVerifyError as error:
        raise make_error(error.status, f"{side}: {error}") from None
    return CInput(image=image._use()), image


def _policy(policy: Optional[ComparisonPolicy]) -> Any:
    if policy is None:
        return None
    return ctypes.byref(
        CComparisonPolicy(
            selfie=handle_of(policy.selfie),
            portrait=handle_of(policy.portrait),
            false_match_rate=_rate(policy.false_match_rate),
            among=encoded(policy.among),
        )
    )


def _rate(false_match_rate: float) -> Any:
    return not_zero(false_match_rate, "a false-match rate, which is between 0 and 1,")


def _log_function(log: Optional[Callable[[LogLevel, str], object]]) -> Any:
    if log is None:
        return CLogFunction()

    def handle(level: int, line: Optional[bytes], _: Optional[int]) -> None:
        log(LogLevel._of(level), text(line))

    return CLogFunction(handle)
