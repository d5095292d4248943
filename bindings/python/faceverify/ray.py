"""Embedding and galleries on a Ray cluster: pip install faceverify[ray].

    dataset = faceverify.ray.embed(ray.data.from_items([{"path": "a.jpg"}, {"path": "b.jpg"}]), workers=4)
    faceverify.ray.build_gallery(paths, "people.fvg", workers=4)
    with faceverify.ray.ShardedGallery("people.fvg", shards=4) as gallery:
        found = gallery.search(template)

A worker has one engine with one thread, and takes one CPU of the cluster. A path must be the same file on all machines.
Further keywords (`models_folder`, `model_set`, `precision`...) are those of `Engine`. See docs/scaling.md.
"""

import dataclasses
import fcntl
import hashlib
import os
import tempfile
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

try:
    import ray
except ImportError as _error:
    raise ImportError(f"faceverify.ray needs Ray ({_error}): pip install faceverify[ray]") from _error

from ._base import FaceVerifyError
from ._core import QualityPolicy, Sample, Template
from ._engine import Engine
from ._gallery import Gallery
from ._generated import (
    BadArgumentError,
    Candidate,
    CheckStatus,
    Consequence,
    UnreadableError,
    UnsupportedRateError,
    WrongStateError,
)
from ._handle import Path
from ._image import Image

if TYPE_CHECKING:
    import pyarrow
    import ray.data

__all__ = ["Embedder", "ShardedGallery", "ShardedSearch", "build_gallery", "embed"]

_CHUNK = 48
"""Photos per task: seconds of work, so that a lost worker costs little, and workers finish at about the same time."""

_RETRIES = 3
"""Retries of a task whose worker was lost: a photo that crashes every worker must not be retried forever."""

_FAULT_TOLERANT = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": _RETRIES}


class Embedder:
    """A batch function for `ray.data.Dataset.map_batches` with `batch_format="pyarrow"`, as `embed` uses it.

    A row has the `path` of a photo, or the bytes of its file in `column`, or both. It keeps its columns except
    `column`; added or replaced are those of the record of a photo: `sha256` of the file; `quality`, 0 to 100;
    `template`, its binary form; and if there is none, `code` ("no-face", "unreadable", "refused"...) and `message` with
    the reason. Unknown values are null. An unreadable file is a record, not an exception.
    """

    def __init__(self, policy: str = "selfie", column: Optional[str] = None, **engine: Any) -> None:
        self._column = column
        self._engine = Engine(**engine)
        self._policy = QualityPolicy(policy)

    def __call__(self, batch: "pyarrow.Table") -> "pyarrow.Table":
        import pyarrow

        paths = batch.column("path").to_pylist() if "path" in batch.column_names else [None] * len(batch)
        if self._column is None:
            records = [self._record(path, None) for path in paths]
        else:
            records = [self._record(*both) for both in zip(paths, batch.column(self._column).to_pylist())]
        table = batch.drop_columns([name for name in batch.column_names if name in (self._column, *_COLUMNS)])
        for name, type_ in _COLUMNS.items():
            table = table.append_column(name, pyarrow.array([one[name] for one in records], type_))
        return table

    def _record(self, path: Optional[str], data: Optional[bytes]) -> Mapping[str, Any]:
        record: Dict[str, Any] = dict.fromkeys(_COLUMNS)
        try:
            if self._column is None and path is None:
                raise UnreadableError("the row has no path")
            if self._column is not None and data is None:
                raise UnreadableError("the row has no bytes of a file")
            with Image.from_file(path or "") if data is None else Image.from_bytes(data) as image:
                content = FilePath(path or "").read_bytes() if data is None else data
                record["sha256"] = hashlib.sha256(content).hexdigest()
                with self._engine.sample(image, self._policy) as sample:
                    record["quality"] = None if sample.quality is None else int(sample.quality)
                    if sample.template is None:
                        record.update(code="refused", message=_advice(sample))
                    else:
                        record["template"] = bytes(sample.template)
        except FaceVerifyError as error:
            record.update(code=error.name, message=str(error))
        except OSError as error:  # removed since it was opened
            record.update(code="unreadable", message=str(error))
        return record


_COLUMNS = {"sha256": "string", "quality": "int64", "template": "binary", "code": "string", "message": "string"}


def _advice(sample: Sample) -> str:
    return "; ".join(
        check.advice
        for check in sample.checks
        if check.status is CheckStatus.FAILED and check.consequence is Consequence.REFUSE
    )


def embed(
    dataset: "ray.data.Dataset", workers: int = 1, policy: str = "selfie", column: Optional[str] = None, **engine: Any
) -> "ray.data.Dataset":
    """Returns the dataset with the columns of `Embedder`. Ray Data repeats the unfinished work of a lost worker.

    Templates are biometric data; Ray's object store holds them unencrypted, and may spill them to disk.
    """
    import ray.data

    return dataset.map_batches(
        Embedder,
        fn_constructor_kwargs={"policy": policy, "column": column, **engine},
        batch_format="pyarrow",
        batch_size=_CHUNK,
        compute=ray.data.ActorPoolStrategy(size=workers),
        num_cpus=1,
    )


def build_gallery(
    paths: Iterable[Path],
    output: Path,
    workers: int = 1,
    policy: str = "selfie",
    key: Optional[bytes] = None,
    progress: Optional[Callable[[int, int], object]] = None,
    **engine: Any,
) -> None:
    """Enrols photos in a gallery, as `faceverify gallery build` does: each under its path, with its template or the
    reason why it has none.

    Resumable: each worker enrols in a gallery of its own, in the folder `output`.shards, and these are merged into
    `output` at the end. After an interruption, the next call first merges them; entries of `output` with the same file
    and policy are left unchanged. A lost worker is replaced, and its unfinished task repeated; when a task is lost for
    the fourth time, `ray.exceptions.RayActorError` is raised, and finished work is kept.

    - `output`: in a folder that the workers can write to, on all their machines.
    - `policy`: "any" is the default of `faceverify eval match`, whose `--work output` then embeds nothing.
    - `key`: 32 bytes, which encrypt the templates of `output` and of the workers' galleries.
    - `progress`: called with the number of finished photos and their total.

    Raises as `Gallery`, and `WrongStateError` while another call builds the same gallery.
    """
    names = list(dict.fromkeys(os.fspath(path) for path in paths))
    target = os.path.abspath(output)
    folder = FilePath(f"{target}.shards")
    folder.mkdir(mode=0o700, exist_ok=True)
    with open(folder / "lock", "w") as lock, Engine(**engine) as own, Gallery(target, own, key) as gallery:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongStateError(
                f"{target}: another process is building this gallery; try again when it is done"
            ) from None
        _merge_shards(gallery, folder, key)
        actors = [
            _remote(_Enroller)
            .options(**_FAULT_TOLERANT)
            .remote(str(folder / f"{i}.fvg"), target, policy, key, os.getcwd(), engine)
            for i in range(workers)
        ]
        try:
            # Small chunks for few photos, so that each worker has several.
            size = max(1, min(_CHUNK, len(names) // (4 * workers)))
            chunks = [names[i : i + size] for i in range(0, len(names), size)]
            done = 0
            for count in ray.util.ActorPool(actors).map_unordered(lambda actor, one: actor.enrol.remote(one), chunks):
                done += count
                if progress is not None:
                    progress(done, len(names))
        finally:
            for actor in actors:
                ray.kill(actor)
        _merge_shards(gallery, folder, key)
        (folder / "lock").unlink()
    folder.rmdir()


def _remote(kind: type) -> Any:
    """Returns the class of actors, which a decorator would hide from type checkers."""
    return ray.remote(kind)


def _merge_shards(gallery: Gallery, folder: FilePath, key: Optional[bytes]) -> None:
    for shard in sorted(folder.glob("*.fvg")):
        if shard.stat().st_size:  # otherwise its worker was lost just after creating the file
            gallery.merge(shard, key)
        shard.unlink()
        FilePath(f"{shard}-journal").unlink(missing_ok=True)


class _Enroller:
    def __init__(
        self, shard: str, output: str, policy: str, key: Optional[bytes], folder: str, engine: Mapping[str, Any]
    ) -> None:
        if os.path.isdir(folder):
            os.chdir(folder)  # paths may be relative
        own = Engine(**engine)
        self._shard, self._output = Gallery(shard, own, key), Gallery(output, own, key)
        self._policy = QualityPolicy(policy)

    def enrol(self, paths: Sequence[str]) -> int:
        for path in paths:
            if not self._output.is_enrolled(path, self._policy):
                self._shard.enrol(path, self._policy)
        return len(paths)


@dataclasses.dataclass(frozen=True)
class ShardedSearch:
    """The result of a search, as `Candidates` of one gallery."""

    candidates: Tuple[Candidate, ...]
    """Closest first."""
    template_count: int
    """Number of templates in all shards."""
    rate: float
    """The requested rate."""
    comparison_rate: float
    """The rate over the number of templates, at most 1e-2: decides each comparison."""
    threshold: Optional[float]
    """A score up to this is a match; `None` if the calibration does not support the rate."""
    note: str
    """Why there is no threshold; empty if there is one."""


class ShardedGallery:
    """A gallery divided into equal shards, each in the memory of an actor; a search queries all of them concurrently.

    `source` is the path of a gallery, several paths of galleries without a name in common, or templates by name, which
    take an actor some milliseconds each. It is copied: later changes of a gallery are not visible. Each actor keeps a
    copy of its shard in a temporary file on its machine, encrypted with a random key of its own; a lost actor is
    recreated. `key` is that of the galleries.

    Each actor takes one CPU of the cluster: with fewer than `shards` CPUs free, this waits until there are enough.
    """

    def __init__(
        self,
        source: Union[Path, Sequence[Path], Mapping[str, Union[Template, bytes]]],
        shards: int = 1,
        key: Optional[bytes] = None,
        **engine: Any,
    ) -> None:
        if shards < 1:
            raise BadArgumentError(f"shards are 1 or more, not {shards}")
        parts: List[Any]
        if isinstance(source, Mapping):
            entries = [(name, bytes(template)) for name, template in source.items()]
            parts = [entries[len(entries) * i // shards : len(entries) * (i + 1) // shards] for i in range(shards)]
        else:
            paths = [source] if isinstance(source, (str, os.PathLike)) else source
            names = [os.path.abspath(path) for path in paths]
            parts = [_Part(names, i, shards, key) for i in range(shards)]
        self._actors = [_remote(_Shard).options(**_FAULT_TOLERANT).remote(part, engine) for part in parts]
        try:
            self._count: int = sum(_answers([actor.count.remote() for actor in self._actors]))
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self._count

    def __bool__(self) -> bool:
        return True

    def search(self, probe: Union[Template, bytes], count: int = 10, rate: float = 1e-2) -> ShardedSearch:
        """Returns what `Gallery.search` returns for one gallery of all templates, in the same order.

        Each comparison is decided at `rate` over the number of all templates. Raises as `Gallery.search`.
        """
        each = min(rate / max(1, self._count), 1e-2)
        form = bytes(probe)
        answers = _answers([actor.search.remote(form, count, rate, each) for actor in self._actors])
        threshold, note = answers[0][1:]
        found = sorted((one for answer in answers for one in answer[0]), key=lambda one: one.score)
        decided = (
            dataclasses.replace(one, is_match=threshold is not None and one.score <= threshold) for one in found[:count]
        )
        return ShardedSearch(tuple(decided), self._count, rate, each, threshold, note)

    def close(self) -> None:
        """Ends the actors and removes their files."""
        actors, self._actors = self._actors, []
        ray.wait([actor.close.remote() for actor in actors], num_returns=len(actors), timeout=10)
        for actor in actors:
            ray.kill(actor)

    def __enter__(self) -> "ShardedGallery":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclasses.dataclass(frozen=True)
class _Part:
    """One of several equal parts of the concatenated entries of galleries."""

    paths: Sequence[str]
    index: int
    parts: int
    key: Optional[bytes]

    def copy(self, gallery: Gallery, engine: Engine) -> None:
        sizes = []
        for path in self.paths:
            if not os.path.exists(path):  # opening would create it
                raise UnreadableError(f"{path}: there is no such file")
            with Gallery(path, engine, self.key) as other:
                sizes.append(len(other) + other.failure_count)
        first, end = (sum(sizes) * i // self.parts for i in (self.index, self.index + 1))
        for path, size in zip(self.paths, sizes):
            begin, stop = max(first, 0), min(end, size)
            if begin < stop:
                gallery.merge(path, self.key, begin, stop - begin)
            first, end = first - size, end - size


class _Shard:
    def __init__(self, part: Any, engine: Mapping[str, Any]) -> None:
        self._part, self._options = part, engine
        self._loaded: Optional[Tuple[Gallery, Engine]] = None

    def _load(self) -> Tuple[Gallery, Engine]:
        """Loads the shard on first use: errors of an actor's constructor are not reported as such."""
        if self._loaded is None:
            engine = Engine(**self._options)
            self._folder = tempfile.TemporaryDirectory(prefix="faceverify-")
            gallery = Gallery(FilePath(self._folder.name, "shard.fvg"), engine, os.urandom(32))
            if isinstance(self._part, _Part):
                self._part.copy(gallery, engine)
            else:
                for name, form in self._part:
                    gallery.add(name, Template.from_bytes(form))
            self._loaded = gallery, engine
        return self._loaded

    def count(self) -> int:
        return len(self._load()[0])

    def search(
        self, probe: bytes, count: int, rate: float, each: float
    ) -> Tuple[List[Candidate], Optional[float], str]:
        gallery, engine = self._load()
        found = list(gallery.search(Template.from_bytes(probe), count, rate))
        try:
            return found, engine.threshold(each).score, ""
        except UnsupportedRateError as error:
            return found, None, f"no candidate can be a match: {error}"

    def close(self) -> None:
        if self._loaded is not None:
            self._loaded[0].close()
            self._folder.cleanup()


def _answers(references: Sequence[Any]) -> List[Any]:
    answers: List[Any] = []
    failures: List[BaseException] = []
    for reference in references:  # all of them: Ray prints errors that are not retrieved
        try:
            answers.append(ray.get(reference))
        except ray.exceptions.RayTaskError as error:  # its text has the traceback of another process
            failures.append(error.cause if isinstance(error.cause, FaceVerifyError) else error)
    if failures:
        raise failures[0]
    return answers
