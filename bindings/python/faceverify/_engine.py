import ctypes
from typing import Iterable, Optional, Sequence, Union, overload

from ._credential import Credential, Source
from ._decision import Decision
from ._document import Chip, Date, Document, Trust, encoded_date
from ._errors import BadArgument
from ._handle import Handle, Path, call, check, encoded_name, encoded_path, make, pick, text, values
from ._image import Photo, as_image
from ._library import (
    FV_NO,
    FV_VERSION_NUMBER,
    FV_YES,
    DocumentOptions,
    EngineOptions,
    Model as CModel,
    Threshold as CThreshold,
    lib,
)
from ._policy import Policy
from ._values import MODEL_STATES, Model, Threshold


class Engine(Handle):
    """The models, loaded once and shared by all threads: 0.2 s, the first time on a machine about a second.

    - `models_folder`: with manifest.json and the models. `None`: $FACEVERIFY_MODELS, else share/faceverify/models in
      the prefix, or wheel, that the library is installed in.
    - `model_set`: "default", or "dlib": slower, needs no OpenVINO, no mesh.
    - `cache_folder`: for compiled models. `None`: $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify.
    - `threads`: calls that run at full speed at the same time, 1 to 64; more wait.

    Raises `ModelMissing`, `ModelMismatch`, `Damaged`, `BadArgument`, `VersionMismatch`.

    >>> with Engine() as engine:
    ...     decision = engine.compare(selfie, portrait)
    >>> print(decision.result)
    match
    """

    _free = lib.fv_engine_free

    def __init__(
        self,
        models_folder: Optional[Path] = None,
        model_set: Optional[str] = None,
        cache_folder: Optional[Path] = None,
        threads: int = 1,
    ) -> None:
        options = EngineOptions(
            models_folder=encoded_path(models_folder),
            model_set=encoded_name(model_set),
            cache_folder=encoded_path(cache_folder),
            threads=threads,
        )
        self._handle = make(lib.fv_engine_create, FV_VERSION_NUMBER, ctypes.byref(options))

    def preload(self) -> None:
        """Makes ready for the first call: after this, no call pays for anything but its own work."""
        call(lib.fv_engine_preload, self._use())

    def compare(self, selfie: Source, portrait: Source, policy: Optional[Policy] = None) -> Decision:
        """Decides whether the selfie shows the person of the portrait: `Credential.compare` for one call.

        Any threads may call it at the same time.
        """
        with Credential(self, policy) as credential:
            return credential.compare(selfie, portrait)

    def read_document(
        self,
        pages: Iterable[Photo] = (),
        chip: Optional[Chip] = None,
        trust: Optional[Trust] = None,
        *,
        date: Date,
        read_rfid: Optional[bool] = None,
        multipage: bool = True,
        mrz_read_timeout: float = 30,
        rfid_read_timeout: float = 30,
    ) -> Document:
        """Reads a document from photos of its pages, from the files of its chip, or from both. Any threads may call it.

        - `pages`: at most 64 photos.
        - `trust`: the certificates that are trusted; `None`: no one's.
        - `date`: the day for which expiry, age and certificates are judged: a `datetime.date`, or "2026-11-21".
        - `read_rfid`: whether a chip is asked for, and its absence reported. `None`: if one is given.
        - `multipage`: whether more pages are read after one with a machine readable zone.
        - `mrz_read_timeout`, `rfid_read_timeout`: seconds, 10 to 60, for which a zone is looked for and a chip is read.

        A photo without a document, a chip that is not genuine or cannot be read, and an expired document are answers.
        Raises `BadArgument`, what cannot be read (`Unreadable`, `UnknownFormat`, `Damaged`, `TooLarge`), and
        `ModelMissing` if there are pages, and no models to read them.

        >>> with Engine() as engine:
        ...     document = engine.read_document([selfie], date="2026-11-21")
        >>> document.type, str(document.portrait_trust)
        ('UNKNOWN', 'page')
        """
        images = [as_image(page) for page in pages]
        handles = (ctypes.c_void_p * len(images))(*(image._use() for image in images))
        options = DocumentOptions(
            read_rfid=0 if read_rfid is None else FV_YES if read_rfid else FV_NO,
            multipage=FV_YES if multipage else FV_NO,
            mrz_read_timeout=_seconds(mrz_read_timeout),
            rfid_read_timeout=_seconds(rfid_read_timeout),
        )
        return Document._wrap(
            make(
                lib.fv_document_read,
                self._use(),
                handles,
                len(images),
                None if chip is None else chip._use(),
                None if trust is None else trust._use(),
                encoded_date(date),
                ctypes.byref(options),
            )
        )

    def threshold(self, false_match_rate: float) -> Threshold:
        """The operating point of a false-match rate: 1e-2, 1e-3 or 1e-4. Raises `UnsupportedRate` for another one."""
        threshold = CThreshold()
        call(lib.fv_engine_threshold, ctypes.byref(threshold), self._use(), false_match_rate)
        return Threshold(**values(threshold))

    @property
    def json(self) -> str:
        """Version, models, thresholds, and the data that these rest on."""
        return text(lib.fv_engine_json(self._use()))


def _seconds(value: float) -> float:
    if value == 0:  # in C, this asks for the default
        raise BadArgument("a timeout is 10 to 60 s, not 0")
    return value


class Models(Handle, Sequence[Model]):
    """The files that the manifest of a folder names, each read and hashed.

    A `folder` of `None` is searched as for `Engine`. Raises `ModelMissing` if there is no manifest.

    >>> from faceverify import ModelState
    >>> [model.path for model in Models() if model.state is not ModelState.OK]
    []
    """

    _free = lib.fv_models_free

    def __init__(self, folder: Optional[Path] = None) -> None:
        self._handle = make(lib.fv_models_check, encoded_path(folder))

    def __len__(self) -> int:
        return int(lib.fv_models_count(self._use()))

    @overload
    def __getitem__(self, index: int) -> Model: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Model]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Model, Sequence[Model]]:
        return pick(len(self), index, self._model)

    def _model(self, index: int) -> Model:
        model = CModel()
        check(lib.fv_models_get(ctypes.byref(model), self._use(), index), f"there is no model {index}")
        fields = values(model)
        fields["state"] = MODEL_STATES[fields["state"]]
        return Model(**fields)

    @property
    def json(self) -> str:
        """As `faceverify models list --json` prints it."""
        return text(lib.fv_models_json(self._use()))
