"""Go: a type for each list, and for each struct that is filled a type and a function that reads it."""

import re
from typing import Any, List, Tuple

from .schema import NOTICE, Field, List_, Schema, Struct
from .words import camel, first_paragraph, sentence, translate, wrapped


def package(schema: Schema, _: Any) -> str:
    parts = [f"// Code g{NOTICE[1:]}", 'package faceverify\n\n// #include <faceverify.h>\nimport "C"']
    parts += [_list(schema, one) for one in schema.lists.values()]
    for one in schema.structs.values():
        if not one.is_sized or one in schema.outputs():
            parts.append(_struct(schema, one))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _said(schema: Schema, text: str) -> str:
    return translate(text, schema, _constant, "NaN", '""')


def _constant(list_: str, case: str) -> str:
    if list_ == "fv_status":
        return "Err" + camel(case, True)
    return camel(list_, True) + camel(case, True)


def _article(name: str) -> str:
    return "An" if name[0] in "AEIO" else "A"


def _commented(text: str, indent: str = "") -> List[str]:
    return wrapped(text, 120 - 3 * len(indent), f"{indent}// ", f"{indent}// ") if text else []


def _about(name: str, doc: str) -> List[str]:
    return _commented(f"{name}: {doc[:1].lower() + doc[1:]}" if not doc.startswith("FV_") else f"{name}: {doc}")


def _list(schema: Schema, one: List_) -> str:
    name = "Status" if one.name == "fv_status" else camel(one.name, True)
    doc = sentence(_said(schema, first_paragraph(one.doc)))
    lines = [*_about(name, doc), f"type {name} {'int32' if one.name == 'fv_status' else 'int64'}", "", "const ("]
    rows: List[Tuple[List[str], str, str]] = []
    for case in one.cases:
        if case.name != "FV_OK":
            rows.append((_commented(sentence(_said(schema, case.doc)), "\t"), _constant(one.name, one.case_name(case)), case.name))
    # Lines without a comment between them are aligned, as gofmt does.
    for group in _groups(rows):
        width = max(len(row[1]) for row in group)
        for said, constant, case_name in group:
            lines += [*said, f"\t{constant:{width}} {name} = C.{case_name}"]
        lines.append("")
    lines[-1:] = [")", ""]
    receiver = name[0].lower()
    lines += _commented('String returns the name that the JSON uses; "none" for 0, "unknown" for a number that is not known.')
    lines += [f"func ({receiver} {name}) String() string {{", f"\treturn C.GoString(C.{one.name}_name(C.{one.name}({receiver})))", "}"]
    return "\n".join(lines)


def _groups(rows: List[Any]) -> List[List[Any]]:
    """Rows with a comment stand alone."""
    groups: List[List[Any]] = []
    for row in rows:
        if groups and not row[0] and not groups[-1][-1][0]:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _struct(schema: Schema, one: Struct) -> str:
    name = camel(one.name, True)
    doc = re.sub(r" The texts? lives? as long as [^.]*\.", "", sentence(_said(schema, first_paragraph(one.doc))))
    lines = [*_about(name, doc), f"type {name} struct {{"]
    fields = one.fields[1 if one.is_sized else 0 :]
    rows = []
    for field in fields:
        type_, _ = _conversion(schema, field)
        said = re.sub(r"^1(?: or 0$|: )|;? ?else 0$", "", field.doc) if type_ == "bool" else field.doc
        rows.append((_commented(sentence(_said(schema, said)), "\t"), camel(field.name, True), type_))
    for group in _groups(rows):
        width = max(len(row[1]) for row in group)
        for said_lines, field_name, type_ in group:
            lines += [*said_lines, f"\t{field_name:{width}} {type_}"]
        lines.append("")
    lines[-1:] = ["}", ""]
    lines += [f"func read{name}(c *C.{one.name}) {name} {{", f"\treturn {name}{{"]
    width = max(len(camel(field.name, True)) for field in fields) + 1
    lines += [f"\t\t{camel(field.name, True) + ':':{width}} {_conversion(schema, field)[1]}," for field in fields]
    return "\n".join([*lines, "\t}", "}"])


def _conversion(schema: Schema, field: Field) -> Tuple[str, str]:
    value = f"c.{'_type' if field.name == 'type' else field.name}"  # as cgo renames what is a keyword of Go
    if field.type in schema.structs:
        return camel(field.type, True), f"read{camel(field.type, True)}(&{value})"
    if field.type in schema.lists:
        return camel(field.type, True), f"{camel(field.type, True)}({value})"
    if field.type == "const char *":
        return "string", f"C.GoString({value})"
    if field.type == "double":
        return "float64", f"float64({value})"
    if field.name.startswith(("is_", "has_")):
        return "bool", f"{value} == 1"
    return "int", f"int({value})"
