import contextlib
import ctypes
from typing import Iterator, Optional, Tuple

from ._base import text
from ._buffer import Bytes, contents
from ._core import QualityPolicy, Template
from ._engine import Engine
from ._generated import Candidate, CandidatesProperties, CCandidate, GalleryProperties, lib
from ._handle import Cancellation, Handle, Items, Path, budget, call, encoded, handle_of, look, make, not_zero


class Candidates(Items[Candidate], CandidatesProperties):
    """What a search found, closest first. Any threads may use it at the same time.

    `note` says why nothing is called a match, if the calibration does not support so small a rate: then `threshold` is
    `None`.
    """

    _free = lib.fv_candidates_free
    _count = lib.fv_candidates_count

    def _item(self, index: int) -> Candidate:
        struct = CCandidate()
        look(lib.fv_candidates_at, ctypes.byref(struct), self._use(), index)
        return Candidate._of(struct)

    @property
    def json(self) -> str:
        """As `faceverify gallery search --json` and `dedupe --json` print it, without the probe."""
        return text(lib.fv_candidates_json(self._use()))

    def __bool__(self) -> bool:
        raise TypeError("candidates are neither true nor false: ask whether one is_match, or for len()")

    def _key(self) -> object:
        return self.json


class Gallery(Handle, GalleryProperties):
    """The templates of many people in one file, to find which of them it is. Any threads may use it at the same time,
    and any processes the file.

    It is made if there is none, and then only its owner may read it. A `key` of 32 bytes encrypts the templates, and
    must be the same whenever the gallery is opened. Templates only go in. Raises `IncompatibleTemplate` for a gallery
    of other models, `BadArgument` for a wrong key, `UnknownFormat`, `Damaged`, `Unreadable`, `Unwritable`, and
    `WrongState` while another process holds it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Engine() as engine:
    ...     gallery = Gallery(folder + "/people.fvg", engine)
    ...     gallery.add("customer 17", engine.sample(portrait).template)
    ...     print([one.name for one in gallery.search(engine.sample(selfie).template) if one.is_match])
    ['customer 17']
    """

    _free = lib.fv_gallery_free

    def __init__(self, path: Path, engine: Engine, key: Optional[Bytes] = None) -> None:
        with _key(key) as own_key:
            self._handle = make(lib.fv_gallery_open, engine._use(), encoded(path), *own_key)

    def __len__(self) -> int:
        return self.template_count

    def __bool__(self) -> bool:
        return True

    def add(self, name: str, template: Template) -> None:
        """Adds a template, in the place of what has that name. Once this returns, it is on the disk.

        Raises `BadArgument` for a name that is empty or longer than 4,096 bytes, `IncompatibleTemplate`, `Unwritable`,
        `WrongState`.
        """
        call(lib.fv_gallery_add, self._use(), encoded(name), template._use())

    def enrol(self, path: Path, policy: Optional[QualityPolicy] = None) -> Optional[str]:
        """Adds the photo of a file under its path; returns why it has no template, `None` if it has one.

        A photo without a template is kept as well, with the reason. What is there already is left as it is, as long as
        the file and the name of the policy are the same. A policy of `None` is "selfie". Raises `BadArgument`,
        `Unwritable`, `WrongState`, `Busy`.
        """
        return call(lib.fv_gallery_enrol, self._use(), encoded(path), handle_of(policy)) or None

    def is_enrolled(self, path: Path, policy: Optional[QualityPolicy] = None) -> bool:
        """Whether `enrol` would leave a photo as it is: the same file, judged by a policy of the same name."""
        return bool(lib.fv_gallery_is_enrolled(self._use(), encoded(path), handle_of(policy)))

    def merge(self, path: Path, key: Optional[Bytes] = None, first: int = 0, count: Optional[int] = None) -> None:
        """Copies the entries of another gallery of the same models, each in the place of what has its name.

        With `first` and `count`, only so many of them from that one on, counted from 0 in the order in which they were
        added. `key` is the other gallery's. To do it again is no harm. Raises what `Gallery` does for the other one, and
        `Unwritable`, `WrongState`.
        """
        part = (first, 0 if count is None else _count(count))
        with _key(key) as other_key:
            call(lib.fv_gallery_merge, self._use(), encoded(path), *other_key, *part)

    def remove(self, name: str) -> None:
        """Removes what has a name, and overwrites its template. Raises `Absent`, `Unwritable`, `WrongState`."""
        call(lib.fv_gallery_remove, self._use(), encoded(name))

    def search(self, probe: Template, count: int = 10, rate: float = 1e-2) -> Candidates:
        """The entries that are closest to a template, closest first, at most `count`.

        `rate` is the share of searches for people who are not in the gallery that may have a match (FPIR); each
        comparison is decided at `rate` over the number of templates. If the calibration does not support so small a
        rate, nothing is called a match. Raises `BadArgument`, `IncompatibleTemplate`, `Damaged`, `WrongState`.
        """
        function, number = lib.fv_gallery_search, _count(count)
        return Candidates._make(function, self._use(), probe._use(), number, not_zero(rate, "rate"))

    def duplicates(
        self,
        count: int = 100,
        rate: float = 1e-2,
        *,
        timeout: Optional[float] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Candidates:
        """The pairs of entries that are closest to each other, closest first, at most `count`.

        `rate` is the probability that any pair of different people is called a match. All pairs are compared, by as
        many threads as the engine has: 100,000 templates take minutes. Raises `BadArgument`, `Damaged`, `WrongState`,
        `Timeout`, `Cancelled`.
        """
        function, limits = lib.fv_gallery_duplicates, budget(timeout, cancellation)
        return Candidates._make(function, self._use(), _count(count), not_zero(rate, "rate"), limits)

    def _summary(self) -> object:
        return f"of {self.template_count} templates"


@contextlib.contextmanager
def _key(key: Optional[Bytes]) -> Iterator[Tuple[Optional[int], int]]:
    """A key, as the two arguments that C takes."""
    if key is None:
        yield None, 0
    else:
        with contents(key) as buffer:
            yield buffer.buf, buffer.len


def _count(count: int) -> int:
    return int(not_zero(count, "count"))
