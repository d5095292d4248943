"""Python: the ctypes layer, and a class for each list, each struct that is filled, and each status."""

import re
from typing import Any, List

from .schema import NOTICE, Field, Function, List_, Schema, Struct
from .words import camel, first_paragraph, sentence, translate, wrapped

# Without a message, and still long enough to let other threads of Python work: memory of models, hashes, texts of lists.
WORKING = {"fv_engine_free", "fv_image_describe", "fv_trust_store_json"}
# Names and bases of the exceptions that are not called as their status.
EXCEPTIONS = {
    "bad-argument": ("BadArgument", "ValueError"),
    "unreadable": ("Unreadable", "OSError"),
    "unsupported-rate": ("UnsupportedRate", "ValueError"),
    "unwritable": ("Unwritable", "OSError"),
    "internal": ("InternalError", ""),
    "absent": ("Absent", "LookupError"),
    "version": ("VersionMismatch", ""),
    "timeout": ("Timeout", "TimeoutError"),
}
SCALARS = {
    "int": "c_int", "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "size_t": "c_size_t",
    "double": "c_double", "void": "None", "const char *": "c_char_p", "char *": "c_char_p",
    "size_t *": "POINTER(c_size_t)",
}  # fmt: skip
IMPORTS = """\
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int32
from ctypes import c_int64, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass
from typing import Any, Dict, NamedTuple, Optional, Tuple

from ._base import Error, Listed, Struct, number, optional_text, text
"""


def module(schema: Schema, _: Any) -> str:
    parts = [f"# {NOTICE}\n# fmt: off", '"""The C interface in Python: what faceverify.h and its headers declare."""', IMPORTS]
    parts.append("\n".join(f"{one.name} = {one.value}" for one in schema.constants))
    parts += [_list(schema, one) for one in schema.lists.values() if one.name != "fv_status"]
    parts += [_exceptions(schema)]
    parts += [_callback(schema, one) for one in schema.callbacks.values()]
    parts += [_struct(schema, one) for one in schema.structs.values()]
    parts += [_value(schema, one) for one in schema.structs.values() if not one.is_sized or one in schema.outputs()]
    parts.append(_functions(schema))
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def _doc(text: str, indent: str) -> List[str]:
    quotes = '"""'
    if text.startswith('"'):
        text = " " + text
    lines = wrapped(text.replace("\\", "\\\\"), 117, f"{indent}{quotes}{' ' if text.startswith(' ') else ''}", indent)
    if len(lines) == 1 and len(lines[0]) <= 117 and not lines[0].endswith('"'):
        return [lines[0] + quotes]
    if lines[-1].endswith('"'):
        return [*lines, f"{indent}{quotes}"]
    return [*lines[:-1], lines[-1] + quotes] if len(lines[-1]) <= 117 else [*lines, f"{indent}{quotes}"]


def _said(schema: Schema, text: str) -> str:
    def constant(list_: str, case: str) -> str:
        return f"`{camel(list_)}.{_upper(case)}`"

    text = translate(text, schema, constant, "`None`", "`None`")
    return re.sub(r"\b0(?=: | without| if )", "`None`", text) if "`None`" not in text else text


def _upper(case: str) -> str:
    return case.upper().replace("-", "_")


def _list(schema: Schema, one: List_) -> str:
    lines = [f"class {camel(one.name)}(Listed):", *_doc(sentence(first_paragraph(one.doc)), "    "), ""]
    for case in one.cases:
        name = one.case_name(case)
        lines.append(f'    {_upper(name)} = "{name}", {case.value}')
        if case.doc:
            lines += _doc(sentence(_said(schema, case.doc)), "    ")
    return "\n".join(lines)


def _exceptions(schema: Schema) -> str:
    status = schema.lists["fv_status"]
    parts: List[str] = []
    for case in status.cases:
        if case.value == 0:
            continue
        name = status.case_name(case)
        class_, base = EXCEPTIONS.get(name, (camel(name), ""))
        lines = [f"class {class_}(Error{', ' + base if base else ''}):", *_doc(sentence(_said(schema, case.doc)), "    ")]
        parts.append("\n".join([*lines, "", f"    status = {case.value}", f'    name = "{name}"']))
    return "\n\n\n".join(parts)


def _ctype(schema: Schema, type_: str) -> str:
    type_ = schema.canonical(type_)
    if type_ in SCALARS:
        return SCALARS[type_]
    if type_ in schema.callbacks:
        return f"C{camel(type_)}"
    target = schema.target(type_)
    if target in schema.handles:
        return "c_void_p" if type_.count("*") == 1 else "POINTER(c_void_p)"
    if type_ in schema.structs:
        return f"C{camel(type_)}"
    if target and schema.structs[target].is_sized:
        return f"POINTER(C{camel(target)})"
    return "c_void_p"  # bytes, and arrays of numbers


def _callback(schema: Schema, one: Function) -> str:
    types = ", ".join(_ctype(schema, type_) for type_ in (one.result, *(p.type for p in one.parameters)))
    return f"C{camel(one.name)} = CFUNCTYPE({types})"


def _struct(schema: Schema, one: Struct) -> str:
    base = "Struct" if one.is_sized else "Structure"
    fields = [f'        ("{field.name}", {_ctype(schema, field.type) if "*" not in field.type or schema.canonical(field.type) in SCALARS else "c_void_p"}),' for field in one.fields]
    return "\n".join([f"class C{camel(one.name)}({base}):", "    _fields_ = [", *fields, "    ]"])


def _value(schema: Schema, one: Struct) -> str:
    """A class of plain values; `_of` makes one of the struct."""
    name = camel(one.name)
    doc = re.sub(r" The texts? lives? as long as [^.]*\.", "", sentence(_said(schema, first_paragraph(one.doc))))
    if not one.is_sized:
        head = [f"class {name}(NamedTuple):"]
    else:
        head = ["@dataclass(frozen=True)", f"class {name}:"]
    lines = [*head, *_doc(doc, "    "), ""]
    made: List[str] = []
    for field in one.fields[1 if one.is_sized else 0 :]:
        type_, value = _conversion(schema, field)
        lines.append(f"    {field.name}: {type_}")
        if field.doc:
            said = re.sub(r"^1(?: or 0$|: )|;? ?else 0$", "", field.doc) if type_ == "bool" else field.doc
            if said:
                lines += _doc(sentence(_said(schema, said)), "    ")
        made.append(f"            {value},")
    lines += ["", "    @classmethod", f'    def _of(cls, struct: "C{name}") -> "{name}":']
    return "\n".join([*lines, "        return cls(", *made, "        )"])


def _conversion(schema: Schema, field: Field) -> "tuple[str, str]":
    value = f"struct.{field.name}"
    if field.type in schema.structs:
        return camel(field.type), f"{camel(field.type)}._of({value})"
    if field.type in schema.lists:
        class_ = camel(field.type)
        return (f"Optional[{class_}]", f"{class_}.find({value})") if field.says("0") else (class_, f"{class_}.of({value})")
    if field.type == "const char *":
        return ("Optional[str]", f"optional_text({value})") if field.says("NULL") or field.says("else NULL") else ("str", f"text({value})")
    if field.type == "double":
        return ("Optional[float]", f"number({value})") if field.says("NaN") else ("float", value)
    if field.name.startswith(("is_", "has_")):
        return "bool", f"bool({value})"
    return "int", value


def _functions(schema: Schema) -> str:
    def lines(functions: List[Function]) -> List[str]:
        return [
            f'    "{one.name}": ({", ".join(_ctype(schema, type_) for type_ in (one.result, *(p.type for p in one.parameters)))},),'
            for one in functions
        ]

    working = [one for one in schema.functions.values() if one.has_message or one.name in WORKING]
    looking = [one for one in schema.functions.values() if one not in working]
    return "\n".join([
        "Signature = Tuple[Any, ...]  # of the result, then of each argument",
        "",
        "# These release the GIL.",
        "WORKING: Dict[str, Signature] = {", *lines(working), "}",
        "# These keep it: to let it go and wait for it again costs more than they do.",
        "LOOKING_UP: Dict[str, Signature] = {", *lines(looking), "}",
    ])  # fmt: skip
