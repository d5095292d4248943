from __future__ import annotations

import contextlib
import ctypes
from typing import Iterator, Optional, Tuple

from ._buffer import Bytes, contents
from ._core import QualityPolicy, Template
from ._engine import Engine
from ._generated import (
    Candidate,
    CandidatesProperties,
    CCandidate,
    CMergeOptions,
    GalleryProperties,
    NoTemplateError,
    lib,
)
from ._handle import Budget, Cancellation, Handle, Items, Path, call, encoded, handle_of, look, make, not_zero


class Candidates(Items[Candidate], CandidatesProperties):
    """The result of a search, closest candidates first. Thread-safe.

    If the calibration does not support so small a rate, `threshold` is `None`, no candidate is a match, and `note`
    states why. `json()` is what `faceverify gallery search --json` and `dedupe --json` print, without the probe.
    """

    _free = lib.fv_candidates_free
    _json = lib.fv_candidates_json
    _count = lib.fv_candidates_count

    def _item(self, index: int) -> Candidate:
        struct = CCandidate()
        look(lib.fv_candidates_at, ctypes.byref(struct), self._use(), index)
        return Candidate._of(struct)

    def __bool__(self) -> bool:
        raise TypeError("candidates have no truth value: use is_match of one, or len()")


class Gallery(Handle, GalleryProperties):
    """The templates of many people in one file, for identification (1:N). Thread-safe; several processes may use the
    file concurrently.

    If there is no file, one is created that only its owner may read. A `key` of 32 bytes encrypts the templates, and
    must be the same each time the gallery is opened. Templates cannot be read back. Raises `IncompatibleTemplateError`
    for a gallery of other models, `BadArgumentError` for a wrong, missing or superfluous key, `UnknownFormatError`,
    `DamagedError`, `UnreadableError`, `UnwritableError`, and `WrongStateError` while another process has locked it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     gallery = Gallery(folder + "/people.fvg", engine)
    ...     gallery.add("customer 17", engine.sample(portrait).template)
    ...     print([one.name for one in gallery.search(engine.sample(selfie).template) if one.is_match])
    ['customer 17']
    """

    _instead = "open its file in each process"
    _free = lib.fv_gallery_free

    def __init__(self, path: Path, engine: Engine, key: Optional[Bytes] = None) -> None:
        with _key(key) as own_key:
            self._handle = make(lib.fv_gallery_open, engine._use(), encoded(path), *own_key)

    def __len__(self) -> int:
        return self.template_count

    def __bool__(self) -> bool:
        return True

    def add(self, name: str, template: Template) -> None:
        """Adds a template, replacing a same-named entry. It is on disk when this returns.

        Raises `BadArgumentError` for a name that is empty or longer than 4,096 bytes, `IncompatibleTemplateError`,
        `UnwritableError`, `WrongStateError`.
        """
        call(lib.fv_gallery_add, self._use(), encoded(name), template._use())

    def enrol(
        self,
        path: Path,
        policy: Optional[QualityPolicy] = None,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Optional[str]:
        """Adds a photo under its path; returns why it has no template, or `None` if it has one.

        A photo without a template gets an entry with the reason. An existing entry is left unchanged if the file and
        the name of the policy are the same. A policy of `None` is "selfie". Raises `BadArgumentError`,
        `UnwritableError`, `WrongStateError`, `BusyError`.
        """
        limits = Budget(timeout, cancellation)
        try:
            call(lib.fv_gallery_enrol, self._use(), encoded(path), handle_of(policy), limits)
        except NoTemplateError as error:
            return str(error)
        return None

    def is_enrolled(self, path: Path, policy: Optional[QualityPolicy] = None) -> bool:
        """Whether `enrol` would leave the entry unchanged: the same file, judged by a policy of the same name."""
        return bool(lib.fv_gallery_is_enrolled(self._use(), encoded(path), handle_of(policy)))

    def merge(
        self,
        path: Path,
        key: Optional[Bytes] = None,
        first: int = 0,
        count: Optional[int] = None,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> None:
        """Copies entries of another gallery of the same models, replacing same-named entries.

        `first` is the zero-based index of the first entry to copy, in order of insertion, and `count` their number;
        `None`: all that follow. `key` is the other gallery's. After a failure, merging again is safe. Raises as
        `Gallery` for the other one, and `UnwritableError`, `WrongStateError`.
        """
        options = CMergeOptions(first=first, count=0 if count is None else _count(count))
        with _key(key) as (options.key, options.key_byte_count):
            call(
                lib.fv_gallery_merge,
                self._use(),
                encoded(path),
                ctypes.byref(options),
                Budget(timeout, cancellation),
            )

    def remove(self, name: str) -> None:
        """Removes the entry with a name, and overwrites its template. Raises `AbsentError`, `UnwritableError`,
        `WrongStateError`.
        """
        call(lib.fv_gallery_remove, self._use(), encoded(name))

    def search(
        self,
        probe: Template,
        count: int = 10,
        rate: float = 1e-2,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Candidates:
        """Returns the entries closest to a template, closest first, at most `count`.

        `rate` is the false-positive identification rate (FPIR), the share of searches for people who are not in the
        gallery that have a match; each comparison is decided at `rate` over the number of templates. If the calibration
        does not support so small a rate, no candidate is a match. Raises `BadArgumentError`,
        `IncompatibleTemplateError`, `DamagedError`, `WrongStateError`.
        """
        limits = (_count(count), not_zero(rate, "rate"), Budget(timeout, cancellation))
        return Candidates._make(lib.fv_gallery_search, self._use(), probe._use(), *limits)

    def duplicates(
        self,
        count: int = 100,
        rate: float = 1e-2,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Candidates:
        """Returns the pairs of entries closest to each other, closest first, at most `count`.

        `rate` is the probability that any non-mated pair is a match. All pairs are compared, with as many threads as
        the engine has: 100,000 templates take minutes. Raises `BadArgumentError`, `DamagedError`, `WrongStateError`.
        """
        function, limits = lib.fv_gallery_duplicates, Budget(timeout, cancellation)
        return Candidates._make(function, self._use(), _count(count), not_zero(rate, "rate"), limits)

    def _summary(self) -> object:
        return f"of {self.template_count} templates"


@contextlib.contextmanager
def _key(key: Optional[Bytes]) -> Iterator[Tuple[Optional[int], int]]:
    """Yields a key as the two arguments of the C interface."""
    if key is None:
        yield None, 0
    else:
        with contents(key) as buffer:
            yield buffer.buf, buffer.len


def _count(count: int) -> int:
    return int(not_zero(count, "count"))
