import ctypes
from typing import Any, Dict, Optional

from ._buffer import Bytes, contents
from ._handle import Handle, check, make, values
from ._library import TemplateInfo, lib


class Template(Handle):
    """What is kept of a face to match it. Any threads may use it at the same time.

    It is biometric data: keep it as short and as safely as the photo. It is wiped when it is closed. Templates of
    different models are not comparable.
    """

    _free = lib.fv_template_free

    @classmethod
    def from_bytes(cls, data: Bytes) -> "Template":
        """From the binary form that `bytes(template)` gives. Raises `UnknownFormat`, `Damaged`.

        Whether it fits the models is decided when it is compared.
        """
        with contents(data) as buffer:
            return cls._wrap(make(lib.fv_template_from_bytes, buffer.buf, buffer.len))

    def __bytes__(self) -> bytes:
        """The binary form, 580 bytes in this release."""
        count = ctypes.c_size_t()
        check(lib.fv_template_serialise(self._use(), None, 0, ctypes.byref(count)), "the template has no size")
        data = ctypes.create_string_buffer(count.value)
        try:
            check(
                lib.fv_template_serialise(self._use(), data, count, ctypes.byref(count)),
                "the template cannot be written",
            )
            return data.raw
        finally:
            ctypes.memset(data, 0, len(data))

    def _describe(self) -> Dict[str, Any]:
        info = TemplateInfo()
        check(lib.fv_template_describe(ctypes.byref(info), self._use()), "the template cannot be described")
        return values(info)

    @property
    def model_identifier(self) -> str:
        """Which models made it."""
        return str(self._describe()["model_identifier"])

    @property
    def sha256(self) -> str:
        """Of the binary form: names a template without telling anything of the face."""
        return str(self._describe()["sha256"])

    @property
    def quality(self) -> Optional[float]:
        """Of the photo it was made from, 0 to 100; `None` if not measured."""
        quality: Optional[float] = self._describe()["quality"]
        return quality
