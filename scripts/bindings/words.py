"""Translates names and comments to the conventions of another language."""

import re
import textwrap
from functools import lru_cache
from string import Template
from typing import Callable, List

from .schema import Schema

_INITIALISMS = {
    "id": "ID", "json": "JSON", "mrz": "MRZ", "sha256": "SHA256", "ok": "OK", "rgb8": "RGB8", "bgr8": "BGR8",
    "rgba8": "RGBA8", "bgra8": "BGRA8", "png": "PNG", "jpeg": "JPEG", "nv12": "NV12", "i420": "I420", "yuyv": "YUYV",
}  # fmt: skip


@lru_cache(maxsize=None)
def camel(name: str, initialisms: bool = False) -> str:
    """Converts fv_portrait_trust or portrait-trust to PortraitTrust."""
    words = re.split(r"[_-]", re.sub(r"^fv_", "", name.lower()))
    known = _INITIALISMS if initialisms else {}
    return "".join(known.get(one) or one[:1].upper() + one[1:] for one in words)


def plural(name: str) -> str:
    """Of the last word: `code`, `PageCheck`, `reply`."""
    if name.lower().endswith(("candidates", "codes", "faces", "models", "readers")):
        return name
    if name.endswith("y"):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "ch")) else "s")


def sentence(text: str) -> str:
    """Capitalises the text and ends it with a full stop."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def first_paragraph(doc: str) -> str:
    return doc.split("\n\n")[0]


def translate(doc: str, schema: Schema, constant: Callable[[str, str], str], nan: str, null: str) -> str:
    """Removes C terms from the comment of a field or value.

    `constant` returns the name of FV_X_CASE from those of the list and the case."""

    def named(found: "re.Match[str]") -> str:
        case = schema.cases.get(found[0])
        return constant(*case) if case else found[0]

    doc = re.sub(r"\bFV_\w+", named, doc)
    doc = re.sub(r"\bNaN\b", nan, doc)
    return re.sub(r"\bNULL\b", null, doc)


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> List[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def fill(template: str, **values: object) -> str:
    """Substitutes `$name` in a template that begins and ends with a line break."""
    return Template(template.strip("\n")).substitute(values)
