import ctypes
from typing import Optional, Sequence, Union, overload

from ._credential import Credential, Source
from ._decision import Decision
from ._handle import Handle, Path, call, check, encoded_name, encoded_path, make, pick, text, values
from ._library import FV_VERSION_NUMBER, EngineOptions, Model as CModel, Threshold as CThreshold, lib
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

    def threshold(self, false_match_rate: float) -> Threshold:
        """The operating point of a false-match rate: 1e-2, 1e-3 or 1e-4. Raises `UnsupportedRate` for another one."""
        threshold = CThreshold()
        call(lib.fv_engine_threshold, ctypes.byref(threshold), self._use(), false_match_rate)
        return Threshold(**values(threshold))

    @property
    def json(self) -> str:
        """Version, models, thresholds, and the data that these rest on."""
        return text(lib.fv_engine_json(self._use()))


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
