"""Many photos, and galleries larger than one machine, on the processes of a Ray cluster: pip install faceverify[ray].

    dataset = faceverify.ray.embed(ray.data.from_items([{"path": "a.jpg"}, {"path": "b.jpg"}]), workers=4)
    faceverify.ray.build_gallery(paths, "people.fvg", workers=4)
    with faceverify.ray.ShardedGallery("people.fvg", shards=4) as gallery:
        found = gallery.search(template)

A worker has one engine, computes with one thread, and takes one CPU of the cluster. Paths mean the same file on each of
its machines. Further keywords (`models_folder`, `model_set`, `precision`...) are those of `Engine`. See docs/scaling.md.
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

from ._base import Error
from ._core import QualityPolicy, Sample, Template
from ._engine import Engine
from ._gallery import Gallery
from ._generated import BadArgument, Candidate, CheckStatus, Consequence, Unreadable, UnsupportedRate, WrongState
from ._handle import Path
from ._image import Image

if TYPE_CHECKING:
    import pyarrow
    import ray.data

__all__ = ["Embedder", "ShardedGallery", "ShardedSearch", "build_gallery", "embed"]

_CHUNK = 48
"""Photos in one task: seconds of work, so that little is done again when a worker is lost, and the end is even."""

_RETRIES = 3
"""Of one task whose worker was lost. A photo that ends every worker must not go round for ever."""

_FAULT_TOLERANT = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": _RETRIES}


class Embedder:
    """For `ray.data.Dataset.map_batches` with `batch_format="pyarrow"`; `embed` calls that.

    A row has the `path` of a photo, or the bytes of its file in `column`, or both. It keeps its columns but `column`,
    and gets, or has replaced, those of the record of a photo: `sha256` of the file; `quality`, 0 to 100; `template`,
    its binary form; and if there is none, `code` ("no-face", "unreadable", "refused"...) and `message`, which say why.
    What is not known is null. A file that cannot be read is a record and no exception.
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
                raise Unreadable("the row has no path")
            if self._column is not None and data is None:
                raise Unreadable("the row has no bytes of a file")
            with Image.from_file(path or "") if data is None else Image.from_bytes(data) as image:
                content = FilePath(path or "").read_bytes() if data is None else data
                record["sha256"] = hashlib.sha256(content).hexdigest()
                with self._engine.sample(image, self._policy) as sample:
                    record["quality"] = None if sample.quality is None else int(sample.quality)
                    if sample.template is None:
                        record.update(code="refused", message=_advice(sample))
                    else:
                        record["template"] = bytes(sample.template)
        except Error as error:
            record.update(code=error.name, message=str(error))
        except OSError as error:  # it was there a moment ago
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
    """A dataset of photos with their templates, as `Embedder` says. Ray Data does again what a lost worker had begun.

    Templates are biometric data, and lie in Ray's object store as they are, which it may write to its disks.
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
    """Enrols photos in a gallery, as `faceverify gallery build` does: each under its path, with its template or why it
    has none.

    Each worker enrols in a gallery of its own, in the folder `output`.shards, and these are merged into `output` at the
    end. Called again after an interruption, it first merges what is there; what is in `output` already, the same file
    and policy, is left as it is. A worker that is lost is replaced, and what it had begun is done again; the fourth
    time that its task is lost, `ray.exceptions.RayActorError` is raised, and what was done is kept.

    - `output`: in a folder that the workers can write in, on all their machines.
    - `policy`: "any" for what `faceverify eval match` takes by default: `--work output` then embeds nothing.
    - `key`: 32 bytes, which encrypt the templates, of `output` as well as of the workers'.
    - `progress`: is told how many photos are done, and of how many.

    Raises what `Gallery` does, and `WrongState` while another call builds the same gallery.
    """
    names = list(dict.fromkeys(os.fspath(path) for path in paths))
    target = os.path.abspath(output)
    folder = FilePath(f"{target}.shards")
    folder.mkdir(mode=0o700, exist_ok=True)
    with open(folder / "lock", "w") as lock, Engine(**engine) as own, Gallery(target, own, key) as gallery:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongState(f"{target}: another process is building this gallery; try again when it is done") from None
        _merge_shards(gallery, folder, key)
        actors = [
            _Enroller.options(**_FAULT_TOLERANT).remote(str(folder / f"{i}.fvg"), target, policy, key, os.getcwd(), engine)
            for i in range(workers)
        ]
        try:
            # Of few photos, small chunks, so that each worker has several.
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


def _merge_shards(gallery: Gallery, folder: FilePath, key: Optional[bytes]) -> None:
    for shard in sorted(folder.glob("*.fvg")):
        if shard.stat().st_size:  # else its worker was lost when it had just made the file
            gallery.merge(shard, key)
        shard.unlink()
        FilePath(f"{shard}-journal").unlink(missing_ok=True)


@ray.remote
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
    """What a search found, as `Candidates` of one gallery."""

    candidates: Tuple[Candidate, ...]
    """Closest first."""
    template_count: int
    """How many templates all shards have."""
    rate: float
    """That was asked for."""
    comparison_rate: float
    """What each comparison is decided at: the rate over the number of templates, 1e-2 at most."""
    threshold: Optional[float]
    """A score up to this is a match; `None` if the calibration does not support the rate."""
    note: str
    """Why nothing is called a match; empty if there is a threshold."""


class ShardedGallery:
    """A gallery in equal parts, each in the memory of an actor of its own; a search asks all of them at the same time.

    `source` is the path of a gallery, several paths of galleries without a name in common, or templates by name, of
    which each takes an actor some milliseconds. It is what they hold now: what is changed in a gallery later is not
    seen. Each actor has a copy of its part, encrypted with a key that nobody else knows, among its machine's temporary
    files; one that is lost is made again. `key` is that of the galleries.

    Each actor takes one CPU of the cluster: with fewer than `shards` of them free, this waits until there are enough.
    """

    def __init__(
        self,
        source: Union[Path, Sequence[Path], Mapping[str, Union[Template, bytes]]],
        shards: int = 1,
        key: Optional[bytes] = None,
        **engine: Any,
    ) -> None:
        if shards < 1:
            raise BadArgument(f"shards are 1 or more, not {shards}")
        parts: List[Any]
        if isinstance(source, Mapping):
            entries = [(name, bytes(template)) for name, template in source.items()]
            parts = [entries[len(entries) * i // shards : len(entries) * (i + 1) // shards] for i in range(shards)]
        else:
            paths = [source] if isinstance(source, (str, os.PathLike)) else source
            names = [os.path.abspath(path) for path in paths]
            parts = [_Part(names, i, shards, key) for i in range(shards)]
        self._actors = [_Shard.options(**_FAULT_TOLERANT).remote(part, engine) for part in parts]
        try:
            self._count = sum(_answers([actor.count.remote() for actor in self._actors]))
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self._count

    def __bool__(self) -> bool:
        return True

    def search(self, probe: Union[Template, bytes], count: int = 10, rate: float = 1e-2) -> ShardedSearch:
        """What `Gallery.search` finds in one gallery of all templates, in which they are in the same order.

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
        """Ends the actors, and removes their files."""
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
    """One of equal parts of the entries of galleries, one gallery after the other."""

    paths: Sequence[str]
    index: int
    parts: int
    key: Optional[bytes]

    def copy(self, gallery: Gallery, engine: Engine) -> None:
        sizes = []
        for path in self.paths:
            if not os.path.exists(path):  # it would be made
                raise Unreadable(f"{path}: there is no such file")
            with Gallery(path, engine, self.key) as other:
                sizes.append(len(other) + other.failure_count)
        first, end = (sum(sizes) * i // self.parts for i in (self.index, self.index + 1))
        for path, size in zip(self.paths, sizes):
            begin, stop = max(first, 0), min(end, size)
            if begin < stop:
                gallery.merge(path, self.key, begin, stop - begin)
            first, end = first - size, end - size


@ray.remote
class _Shard:
    def __init__(self, part: Any, engine: Mapping[str, Any]) -> None:
        self._part, self._options = part, engine
        self._loaded: Optional[Tuple[Gallery, Engine]] = None

    def _load(self) -> Tuple[Gallery, Engine]:
        """Not done when the actor is made: what fails then gives no error of its own."""
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
        except UnsupportedRate as error:
            return found, None, f"nothing is called a match: {error}"

    def close(self) -> None:
        if self._loaded is not None:
            self._loaded[0].close()
            self._folder.cleanup()


def _answers(references: Sequence[Any]) -> List[Any]:
    answers: List[Any] = []
    failures: List[BaseException] = []
    for reference in references:  # all of them: Ray prints errors that nobody has asked for
        try:
            answers.append(ray.get(reference))
        except ray.exceptions.RayTaskError as error:  # which would say it with the traceback of another process
            failures.append(error.cause if isinstance(error.cause, Error) else error)
    if failures:
        raise failures[0]
    return answers
