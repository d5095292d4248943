import ctypes
from typing import Optional

from ._base import text
from ._buffer import Bytes, contents
from ._core import Template
from ._engine import Engine
from ._generated import Candidate, CandidatesProperties, CCandidate, GalleryProperties, lib
from ._handle import Cancellation, Handle, Items, Path, budget, call, encoded, look, make, not_zero


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
        if key is None:
            self._handle = make(lib.fv_gallery_open, engine._use(), encoded(path), None, 0)
        else:
            with contents(key) as buffer:
                self._handle = make(lib.fv_gallery_open, engine._use(), encoded(path), buffer.buf, buffer.len)

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


def _count(count: int) -> int:
    return int(not_zero(count, "count"))
