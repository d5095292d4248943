"""Generates Python: the ctypes layer, and a class for each list, each filled struct, each status, and each `_info`."""

import re
from typing import Any, List, Tuple

from .schema import NOTICE, Constant, Field, Function, List_, Schema, Struct
from .words import camel, first_paragraph, sentence, translate, wrapped

# Without a message, but long enough to release the GIL: memory of models, hashes, long texts.
WORKING = {
    "fv_engine_free", "fv_gallery_is_enrolled", "fv_image_describe", "fv_journey_result", "fv_trust_store_json",
}  # fmt: skip
# Names of the exceptions that are not named like their status, and built-in bases.
EXCEPTION_NAMES = {
    "cancelled": "CallCancelledError", "timeout": "CallTimeoutError", "version": "VersionMismatchError",
}  # fmt: skip
EXCEPTION_BASES = {
    "absent": "LookupError", "bad-argument": "ValueError", "timeout": "TimeoutError", "unreadable": "OSError",
    "unsupported-rate": "ValueError", "unwritable": "OSError",
}  # fmt: skip
# The truth value of a type, and its documentation.
TRUE_IF = {
    "fv_check_status": ("self is CheckStatus.PASSED", "if it is passed"),
    "fv_journey_outcome": ("self.result is CheckStatus.PASSED", "if the result is passed"),
    "fv_chip_proof": ("self is ChipProof.NOT_CLONED", "if the chip is no copy"),
    "fv_challenge_outcome": ("self is ChallengeOutcome.PASSED", "if it is passed"),
    "fv_document_check": ("self.status is CheckStatus.PASSED", "if it is passed"),
    "fv_liveness_check": ("self.status is CheckStatus.PASSED", "if it is passed"),
    "fv_liveness_result": ("self is LivenessResult.LIVE", "if it is live"),
    "fv_page_check": ("self.status is CheckStatus.PASSED", "if it is passed"),
    "fv_quality_check": ("self.status is CheckStatus.PASSED", "if it is passed"),
    "fv_record_verification": ("self.result is CheckStatus.PASSED", "if the record is right and trusted"),
    "fv_verdict": ("self is Verdict.AUTHENTIC", "if it is authentic"),
    "fv_result": ("self is Result.MATCH", "if it is a match"),
    "fv_document_binding": ("self.portrait is CheckStatus.PASSED and self.data is CheckStatus.PASSED", "if both are"),
}
# Readers would not agree whether truth means "present" or "a match".
NO_TRUTH = {"fv_comparison": "use is_match, or compare it with None"}
PRINTED_AS = {"fv_reason": "self.text"}
# Defaults of fv_liveness_request_from_script().
DEFAULTS = {("fv_challenge_prompt", "hold"): "0.5", ("fv_challenge_prompt", "pause"): "0.3"}
# Not public: an eye is a property, a code has its bytes, a credential its document and a face its mesh, and a logical
# error is an exception.
HIDDEN = {"fv_code", "fv_credential", "fv_eye", "fv_face", "fv_logical_error"}
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

from ._base import Described, FaceVerifyError, Listed, Struct, Value, load, look_up, names, number, optional_text
from ._base import parsed, text
"""


def module(schema: Schema, _: Any) -> str:
    about = '"""The C interface in Python: what faceverify.h and its headers declare."""'
    parts = [f"# {NOTICE}\n# fmt: off", about, IMPORTS, _all(schema)]
    parts.append(f'VERSION = "{schema.version_string}"')
    parts.append("\n".join(f"{one.name} = {one.value}" for one in schema.constants))
    parts += [_list(schema, one) for one in schema.lists.values() if one.name != "fv_status"]
    parts += [_exceptions(schema)]
    parts += [_callback(schema, one) for one in schema.callbacks.values()]
    parts += [_struct(schema, one) for one in schema.structs.values()]
    parts += [_value(schema, one) for one in _filled(schema)]
    parts += [_described(schema, function, one) for function, one in _infos(schema)]
    parts.append(_functions(schema))
    parts.append("lib = load(WORKING, LOOKING_UP)\n\n" + "\n".join(_names(schema)))
    parts += [_term(schema, one) for one in _terms(schema)]
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def _all(schema: Schema) -> str:
    hidden = {*HIDDEN, "fv_status", *(one.name for _, one in _infos(schema))}
    public = [camel(one) for one in (*schema.lists, *(one.name for one in _filled(schema))) if one not in hidden]
    public += [_exception(schema, case)[0] for case in schema.lists["fv_status"].cases if case.value]
    public += [_constant(one) for one in _at(schema)]
    public += [one.name[3:] for one in _terms(schema)]
    return "\n".join(["__all__ = [", *(f'    "{one}",' for one in sorted(public)), "]"])


def _filled(schema: Schema) -> List[Struct]:
    return [one for one in schema.structs.values() if not one.is_sized or one in schema.outputs()]


def _infos(schema: Schema) -> List[Tuple[Function, Struct]]:
    """The properties of an object: fv_image_describe() and fv_image_info."""
    found = [(schema.functions.get(re.sub("_info$", "_describe", one)), schema.structs[one]) for one in schema.structs]
    return [(function, one) for function, one in found if function and one.name.endswith("_info")]


def _at(schema: Schema) -> List[Function]:
    """The functions that list names: fv_quality_measure_at()."""
    found = [one for one in schema.functions.values() if one.name.endswith("_at")]
    return [one for one in found if [parameter.type for parameter in one.parameters] == ["size_t"]]


def _constant(one: Function) -> str:
    name = re.sub("(_name)?_at$", "", one.name[3:]).upper()
    return re.sub("Y$", "IE", name) + "S"


def _terms(schema: Schema) -> List[Function]:
    return [one for one in schema.functions.values() if one.name.startswith("fv_specification_")]


def _term(schema: Schema, one: Function) -> str:
    """A function that returns the specification's term for a text."""
    type_, read = ("int", "int") if one.result == "int64_t" else ("str", "optional_text")
    doc = re.sub(r"\b0 without", "`None` without", _said(schema, one.doc))
    lines = [f"def {one.name[3:]}({one.parameters[0].name}: str) -> Optional[{type_}]:", *_doc(doc, "    ")]
    value = f"{read}(lib.{one.name}({one.parameters[0].name}.encode()))"
    return "\n".join([*lines, f"    return {value}{' or None' if type_ == 'int' else ''}"])


def _names(schema: Schema) -> List[str]:
    lines: List[str] = []
    for one in _at(schema):
        doc = re.sub(r"; NULL from the last one on\.( Later releases add some\.)?", "", one.doc)
        lines += [f"{_constant(one)} = names(lib.{one.name})", *_doc(sentence(_said(schema, doc)), "")]
    return lines


def _described(schema: Schema, function: Function, one: Struct) -> str:
    """A class with the properties of an object."""
    name = camel(one.name)
    lines = [f"class {name[:-4]}Properties(Described):", *_doc(_about(schema, one), "    "), ""]
    lines += [f"    def _describe(self) -> {name}:"]
    lines += [f"        return look_up({name}, lib.{function.name}, self._use())"]
    for field in one.fields[1:]:
        type_ = _conversion(schema, field)[0]
        lines += ["", "    @property", f"    def {field.name}(self) -> {type_}:"]
        lines += [*_field_doc(schema, field, type_, "        "), f"        return self._describe().{field.name}"]
    for term in schema.functions.values():
        if not term.name.startswith(f"{one.name[:-5]}_specification_") or term.result != "const char *":
            continue
        doc = sentence(_said(schema, re.sub("^Returns |; NULL if .*", "", term.doc)))
        lines += ["", "    @property"]
        if term.name.endswith("_at"):
            count = f"lib.{term.name[:-3]}_count"
            doc = sentence(_said(schema, re.sub("^Returns the number of ", "", schema.functions[count[4:]].doc)))
            lines += [f"    def {term.name[len(one.name) - 4:-3]}es(self) -> Tuple[str, ...]:", *_doc(doc, "        ")]
            lines += ["        handle = self._use()"]
            lines += [f"        return tuple(text(lib.{term.name}(handle, index)) for index in range({count}(handle)))"]
        else:
            lines += [f"    def {term.name[len(one.name) - 4:]}(self) -> str:", *_doc(doc, "        ")]
            lines += [f"        return text(lib.{term.name}(self._use()))"]
    return "\n".join(lines)


def _about(schema: Schema, one: Struct) -> str:
    doc = sentence(_said(schema, first_paragraph(one.doc)))
    return re.sub(r" The (?:objects and )?texts? lives? (?:as long as|until) [^.]*\.", "", doc)


def _field_doc(schema: Schema, field: Field, type_: str, indent: str) -> List[str]:
    said = field.doc
    if type_ == "bytes":
        said = re.sub(r",? ?lower-case hexadecimal", "", said).lstrip("; ")
    if type_.startswith("Optional"):
        said = re.sub(r"\b0(?=: | without| if )", "`None`", said)
    return _doc(sentence(_said(schema, said)), indent) if said else []


def _doc(text: str, indent: str) -> List[str]:
    quotes = '"""'
    text = text.replace("\\", "\\\\")
    # Avoids a fourth quotation mark next to the three.
    lines = wrapped(text, 117, f"{indent}{quotes}{' ' if text.startswith(chr(34)) else ''}", indent)
    if not lines[-1].endswith('"') and len(lines[-1]) <= 117:
        return [*lines[:-1], lines[-1] + quotes]
    return [*lines, f"{indent}{quotes}"]


def _said(schema: Schema, text: str) -> str:
    def constant(list_: str, case: str) -> str:
        return f"`{camel(list_)}.{_upper(case)}`"

    for one in _at(schema):
        text = re.sub(rf"those that {one.name}\(\) lists|{one.name}\(\)", f"`{_constant(one)}`", text)
    for handle in sorted(schema.handles, key=len, reverse=True):
        text = re.sub(rf"\b{handle}_(\w+)\(\)", rf"`{camel(handle)}.\1`", text)
    text = re.sub(r"\b(\w+) as fv_\w+ has it", r"\1 of a report", text)
    text = re.sub(rf"\b({'|'.join(schema.structs)})\b(?!\()", lambda found: f"`{camel(found[1])}`", text)
    return translate(text, schema, constant, "`None`", "`None`").replace("INFINITY", "`math.inf`")


def _upper(case: str) -> str:
    return case.upper().replace("-", "_")


def _list(schema: Schema, one: List_) -> str:
    doc = sentence(first_paragraph(one.doc)) + _truth_doc(one.name)
    lines = [f"class {camel(one.name)}(Listed):", *_doc(doc, "    "), ""]
    for case in one.cases:
        name = one.case_name(case)
        lines.append(f'    {_upper(name)} = "{name}", {case.value}')
        if case.doc:
            lines += _doc(sentence(_said(schema, case.doc)), "    ")
    for function in schema.functions.values():
        if [one.type for one in function.parameters] == [one.name] and function.name != f"{one.name}_name":
            doc = re.sub(r"; (?:empty|NULL) for [^;.]*", "", function.doc)
            type_, read = ("Optional[str]", "optional_text") if "NULL" in function.doc else ("str", "text")
            lines += ["", "    @property", f"    def {function.name[len(one.name) + 1 :]}(self) -> {type_}:"]
            doc = sentence(_said(schema, re.sub("^Returns ", "", doc)))
            lines += [*_doc(doc, "        "), f"        return {read}(lib.{function.name}(self.number))"]
        if function.name == f"{one.name}_of_specification_name":
            result = f'"Optional[{camel(one.name)}]"'
            lines += ["", "    @classmethod", f"    def of_specification_name(cls, name: str) -> {result}:"]
            lines += [*_doc(re.sub(r"\b0 for", "`None` for", function.doc), "        ")]
            lines += [f"        return cls._find(lib.{function.name}(name.encode()))"]
    return "\n".join(lines + _truth(one.name))


def _truth_doc(name: str) -> str:
    if name in NO_TRUTH:
        return f" It has no truth value, and raises TypeError in a condition: {NO_TRUTH[name]}."
    return f" It is true in a condition {TRUE_IF[name][1]}." if name in TRUE_IF else ""


def _truth(name: str) -> List[str]:
    if name in NO_TRUTH:
        raised = f'TypeError("a comparison is neither true nor false: {NO_TRUTH[name]}")'
        return ["", "    def __bool__(self) -> bool:", f"        raise {raised}"]
    return ["", "    def __bool__(self) -> bool:", f"        return {TRUE_IF[name][0]}"] if name in TRUE_IF else []


def _exception(schema: Schema, case: Constant) -> Tuple[str, str]:
    name = schema.lists["fv_status"].case_name(case)
    return EXCEPTION_NAMES.get(name, f"{camel(name)}Error"), EXCEPTION_BASES.get(name, "")


def _exceptions(schema: Schema) -> str:
    status = schema.lists["fv_status"]
    parts: List[str] = []
    for case in status.cases:
        if case.value == 0:
            continue
        name = status.case_name(case)
        class_, base = _exception(schema, case)
        lines = [f"class {class_}(FaceVerifyError{', ' + base if base else ''}):"]
        lines += _doc(sentence(_said(schema, case.doc)), "    ")
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
    types = [(one.name, "void *" if "*" in one.type and one.type not in SCALARS else one.type) for one in one.fields]
    fields = [f'        ("{name}", {_ctype(schema, type_)}),' for name, type_ in types]
    return "\n".join([f"class C{camel(one.name)}({base}):", "    _fields_ = [", *fields, "    ]"])


def _value(schema: Schema, one: Struct) -> str:
    """A class of plain values; `_of` creates one from the struct."""
    name = camel(one.name)
    head = ["@dataclass(frozen=True)", f"class {name}(Value):"] if one.is_sized else [f"class {name}(NamedTuple):"]
    doc = _about(schema, one) + _truth_doc(one.name)
    lines = [*head, *_doc(doc, "    "), ""]
    if one.is_sized:
        lines += [f"    _struct = C{name}", ""]
    made: List[str] = []
    for field in one.fields[1 if one.is_sized else 0 :]:
        if schema.is_handle(field.type):  # another object, which the other files make
            continue
        type_, value = _conversion(schema, field)
        default = DEFAULTS.get((one.name, field.name))
        lines.append(f"    {_attribute(field)}: {type_}" + (f" = {default}" if default else ""))
        lines += _field_doc(schema, field, type_, "    ")
        made.append(f"            {value},")
    lines += ["", "    @classmethod", f'    def _of(cls, struct: "C{name}") -> "{name}":']
    lines += ["        return cls(", *made, "        )"]
    if any(field.name == "json" for field in one.fields):
        lines += ["", "    def json(self) -> Any:", '        """Returns the JSON, parsed."""']
        lines += ["        return parsed(self.json_text)"]
    lines += _truth(one.name)
    if one.name in PRINTED_AS:
        lines += ["", "    def __str__(self) -> str:", f"        return {PRINTED_AS[one.name]}"]
    return "\n".join(lines)


def _attribute(field: Field) -> str:
    return "json_text" if field.name == "json" else field.name


def _conversion(schema: Schema, field: Field) -> Tuple[str, str]:
    value = f"struct.{field.name}"
    if field.type in schema.structs:
        return camel(field.type), f"{camel(field.type)}._of({value})"
    if field.type in schema.lists:
        class_ = camel(field.type)
        if field.says("0"):
            return f"Optional[{class_}]", f"{class_}._find({value})"
        return class_, f"{class_}._of({value})"
    if field.name == "nonce":
        return "bytes", f"bytes.fromhex(text({value}))"
    if field.type == "const char *":
        return ("Optional[str]", f"optional_text({value})") if field.says("NULL") else ("str", f"text({value})")
    if field.type == "double":
        return ("Optional[float]", f"number({value})") if field.says("NaN") else ("float", value)
    if field.type == "fv_bool":
        return "bool", f"bool({value})"
    return ("Optional[int]", f"{value} or None") if "0 if not known" in field.doc else ("int", value)


def _functions(schema: Schema) -> str:
    def lines(functions: List[Function]) -> List[str]:
        types = ((one.name, (one.result, *(each.type for each in one.parameters))) for one in functions)
        return [f'    "{name}": ({", ".join(_ctype(schema, type_) for type_ in each)},),' for name, each in types]

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
