"""Generates the Go code that follows from the headers alone. The rest is in the other files of bindings/go.

- A type for each list, and the names of each list of texts.
- A type for each struct except those of _OWN, and functions that read it and pass it in.
- Functions that create, close and lend a handle, and return its JSON; its type is in the other files.
- A function for each sequence of a handle, and for each description.
"""

import re
from typing import Any, List, Optional, Tuple

from .schema import NOTICE, Field, Function, List_, Schema, Struct
from .words import camel, fill, first_paragraph, plural, sentence, translate, wrapped

# Handles without a type: they are read immediately, or serve one call.
_UNTYPED = ("fv_cancellation", "fv_candidates", "fv_card_readers", "fv_codes", "fv_faces", "fv_models")

# Structs with another form in Go: an interface, a context, a slice, a separate type.
_OWN = ("fv_input", "fv_budget", "fv_references", "fv_challenge_draw", "fv_image_view", "fv_liveness_frame",
        "fv_code", "fv_code_options", "fv_code_scanner_options", "fv_document_input", "fv_document_copy",
        "fv_chip_transport", "fv_live_chip_options",
        "fv_merge_options", "fv_signer", "fv_journey_options", "fv_credential", "fv_credential_request")  # fmt: skip

Row = Tuple[str, List[str]]  # the comment of a line, and its columns

_HEAD = """
// Code g$notice

package faceverify

// #include <stdlib.h>
// #include <faceverify.h>
import "C"

import (
	"time"
	"unsafe"
)
"""

_STRING = """
// String returns the name that the JSON uses; "none" for 0, "unknown" for a number without a constant.
func ($receiver $name) String() string {
	return C.GoString(C.${c}_name(C.$c($receiver)))
}

// MarshalText returns the name, in JSON too.
func ($receiver $name) MarshalText() ([]byte, error) { return []byte($receiver.String()), nil }

// UnmarshalText sets the value with a name.
func ($receiver *$name) UnmarshalText(text []byte) (err error) {
	*$receiver, err = named[$name](text, $step)
	return err
}
"""

_FIELDS_JSON = """
// MarshalJSON returns the fields by their names. A number that was not measured, or is not limited, is null.
func ($receiver $name) MarshalJSON() ([]byte, error) { return marshalFields($receiver) }
"""

_HANDLE = """
type ${lower}Handle struct {
	handle *C.$c
	owner  *owner
}

func new${name}Handle(handle *C.$c) ${lower}Handle {
	return ${lower}Handle{handle, own(func() { C.${c}_free(handle) })}
}

$doc
func ($receiver *$name) Close() error {
	return $receiver.owner.close()
}

func ($receiver *$name) c() *C.$c {
	if $receiver == nil {
		return nil
	}
	return $receiver.handle
}
"""

# A text of a handle.
_HANDLE_TEXT = """
$doc
func ($receiver *$own) $name() (text string) {
	$receiver.owner.copyTexts(func() { text = C.GoString(C.$function($receiver.handle)) })
	return text
}
"""

_HANDLE_JSON = """
// MarshalJSON returns [$own.JSON]; it fails if it is closed.
func ($receiver *$own) MarshalJSON() ([]byte, error) {
	return record($receiver.JSON(), "$kind")
}
"""

# A text of a value of a list.
_VALUE_TEXT = """
$doc
func ($receiver $own) $name() string {
	return C.GoString(C.$function(C.$c($receiver)))
}
"""

# A function that returns the value of a text.
_OF_TEXT = """
$doc
func $name(name string) $made {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return $convert(C.$function(text))
}
"""

_NAMES = """
$doc
func $name() []string {
	var names []string
	for one := C.$function(0); one != nil; one = C.$function(C.size_t(len(names))) {
		names = append(names, C.GoString(one))
	}
	return names
}
"""

_DESCRIBE = """
func $name(handle $c) ($made, error) {
	c := C.$struct{struct_size: C.sizeof_$struct}
	if err := newError(C.$function(&c, handle), $closed); err != nil {
		return $made{}, err
	}
	return read$made(&c), nil
}
"""

_TEXTS = """
func $name($given) []$made {
	list := make([]$made, $count)
	for i := range list {
		list[i] = C.GoString(C.$function(handle$arguments, C.size_t(i)))
	}
	return list
}
"""

_STRUCTS = """
func $name($given) ([]$made, error) {
	list := make([]$made, $count)
	for i := range list {
		c := C.$struct{struct_size: C.sizeof_$struct}
		if err := newError(C.$function(&c, handle$arguments, C.size_t(i)), $closed); err != nil {
			return nil, err
		}
		list[i] = read$made(&c)
	}
	return list, nil
}
"""


def package(schema: Schema, _: Any) -> str:
    parts = [fill(_HEAD, notice=NOTICE[1:])]
    parts += [_list(schema, one) for one in schema.lists.values()]
    parts += [_struct(schema, one) for one in schema.structs.values() if one.name not in _OWN]
    parts += [_handle(schema, one) for one in schema.handles if one not in _UNTYPED]
    texts = [_names(schema, one) or _text(schema, one) or _reader(schema, one) for one in schema.functions.values()]
    parts += [text for text in texts if text]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _said(schema: Schema, text: str, null: str = "nil") -> str:
    def named(found: "re.Match[str]") -> str:
        name, function = found[1], schema.functions.get(found[1])
        if not found[2]:
            return f"[{camel(name, True)}]" if name in schema.structs or name in schema.handles else name
        if function and _is_names(function):
            return f"[{plural(camel(name[:-3], True))}]"
        handle = _of(schema, function) if function else None
        return f"[{camel(handle, True)}.{camel(name[len(handle) :], True)}]" if handle else found[0]

    def field(found: "re.Match[str]") -> str:
        return camel(found[1], True) if found[1] in schema.compound_fields else found[0]

    text = re.sub(r"\b(fv_\w+)(\(\))?", named, text)
    text = re.sub(r"`?\b([a-z]+(?:_[a-z0-9]+)+)\b`?", field, text)
    return translate(text, schema, _constant, "NaN", null).replace("INFINITY", "+Inf")


def _of(schema: Schema, function: Function) -> Optional[str]:
    """The handle that has a function as its method."""
    handles = (schema.target(one.type) for one in function.parameters if schema.is_handle(one.type))
    return next((one for one in handles if one and function.name.startswith(f"{one}_")), None)


def _constant(list_: str, case: str) -> str:
    if list_ == "fv_status":
        return "Err" + camel(case, True)
    return camel(list_, True) + camel(case, True)


def _receiver(name: str) -> str:
    """The initial of the last word."""
    return re.findall("[A-Z]", name)[-1].lower()


def _commented(text: str, indent: str = "") -> List[str]:
    return wrapped(text, 120 - 3 * len(indent), f"{indent}// ", f"{indent}// ") if text else []


def _about(schema: Schema, name: str, doc: str) -> List[str]:
    doc = sentence(_said(schema, first_paragraph(doc)))
    doc = re.sub(r" The (?:objects and )?texts? lives? (?:as long as|until) [^.]*\.", "", doc)
    begin = f"{'An' if name[0] in 'AEIO' else 'A'} {name} is"
    if name.endswith(("Options", "Limits")):
        begin = f"{name} are"
    elif name.endswith(("Evidence", "Feedback")):
        begin = f"{name} is"
    return _commented(f"{begin} {doc[:1].lower()}{doc[1:]}")


def _aligned(rows: List[Row]) -> List[str]:
    """Lines in columns as formatted by gofmt: a line's comment follows it, or precedes it and begins new columns."""
    lines: List[str] = []
    room = 116 - sum(max(len(row[1][i]) for row in rows) + 1 for i in range(len(rows[0][1])))
    for section in _split(rows, lambda row, _: len(row[0]) + 3 > room):
        if len(section[0][0]) + 3 > room:
            lines += _commented(sentence(section[0][0]), "\t")
            section[0] = ("", section[0][1])
        widths = [max(len(row[1][i]) for row in section) for i in range(len(section[0][1]) - 1)]
        for run in _split(section, lambda row, before: bool(row[0]) != bool(before[0])):
            last = max(len(row[1][-1]) for row in run)
            for said, columns in run:
                line = "".join(f"{column:{width}} " for column, width in zip(columns, widths))
                lines.append("\t" + (f"{line}{columns[-1]:{last}} // {said}" if said else line + columns[-1]))
    return lines


def _split(rows: List[Row], begins: Any) -> List[List[Row]]:
    parts: List[List[Row]] = []
    for row in rows:
        if not parts or begins(row, parts[-1][-1]):
            parts.append([])
        parts[-1].append(row)
    return parts


def _list(schema: Schema, one: List_) -> str:
    name = "Status" if one.name == "fv_status" else camel(one.name, True)
    base = "int32" if one.name == "fv_status" else "int64"
    lines = [*_about(schema, name, one.doc), f"type {name} {base}", "", "const ("]
    cases = [case for case in one.cases if case.name != "FV_OK"]
    constants = [[_constant(one.name, one.case_name(case)), name, f"= C.{case.name}"] for case in cases]
    lines += _aligned([(_said(schema, case.doc), constant) for case, constant in zip(cases, constants)])
    step = "-1" if one.name == "fv_status" else "1"
    string = fill(_STRING, receiver=_receiver(name), name=name, c=one.name, step=step)
    return "\n".join([*lines, ")", "", string])


def _struct(schema: Schema, one: Struct) -> str:
    name = camel(one.name, True)
    lines = [*_about(schema, name, one.doc), f"type {name} struct {{"]
    is_read, is_passed = not one.is_sized or one in schema.outputs(), one in schema.inputs()
    # A handle in a result is another object, which the other files make.
    fields = [field for field in one.fields if field.name != "struct_size" and field.type != "void *"]
    fields = [field for field in fields if is_passed or not schema.is_handle(field.type)]
    rows: List[Row] = []
    for field in fields:
        type_ = _type(schema, field, is_read)
        said = _said(schema, field.doc, '""' if type_ == "string" else "nil")
        rows.append((said, [camel(field.name, True), type_]))
    lines += [*_aligned(rows), "}"]
    if is_read:
        lines += ["", f"func read{name}(c *C.{one.name}) {name} {{", f"\treturn {name}{{"]
        lines += [*_pairs([(camel(field.name, True), _read(schema, field)) for field in fields]), "\t}", "}"]
        if any(re.search("NaN|INFINITY", field.doc) for field in fields if field.type == "double"):
            lines += ["", fill(_FIELDS_JSON, receiver=_receiver(name), name=name)]
    if is_passed:
        receiver = _receiver(name)
        pairs = [("struct_size", f"C.sizeof_{one.name}")]
        passed = [field for field in fields if field.type not in schema.callbacks]
        pairs += [(_c_name(field), _pass(schema, field, receiver)) for field in passed]
        lines += ["", f"func ({receiver} {name}) c(a *arguments) C.{one.name} {{", f"\treturn C.{one.name}{{"]
        lines += [*_pairs(pairs), "\t}", "}"]
    return "\n".join(lines)


def _pairs(pairs: List[Tuple[str, str]]) -> List[str]:
    width = max(len(name) for name, _ in pairs) + 1
    return [f"\t\t{name + ':':{width}} {value}," for name, value in pairs]


def _type(schema: Schema, field: Field, is_read: bool) -> str:
    if field.type in schema.callbacks:
        parameters = [one for one in schema.callbacks[field.type].parameters if one.type != "void *"]
        named = (f"{one.name} {_type(schema, Field(one.name, one.type, ''), True)}" for one in parameters)
        return f"func({', '.join(named)})"
    if field.type in schema.structs or field.type in schema.lists:
        return camel(field.type, True)
    if schema.is_handle(field.type):
        return "*" + camel(str(schema.target(field.type)), True)
    if field.type == "double":
        return "time.Duration" if field.name.endswith("timeout") and not is_read else "float64"
    if field.type == "const char *":
        return "string"
    return "bool" if field.type == "fv_bool" else "int"


def _c_name(field: Field) -> str:
    """The field's name in cgo, which escapes Go's keywords."""
    return "_type" if field.name == "type" else field.name


def _read(schema: Schema, field: Field) -> str:
    type_, value = _type(schema, field, True), f"c.{_c_name(field)}"
    if field.type in schema.structs:
        return f"read{type_}(&{value})"
    return {"string": f"C.GoString({value})", "bool": f"{value} == 1"}.get(type_, f"{type_}({value})")


def _pass(schema: Schema, field: Field, receiver: str) -> str:
    type_, value = _type(schema, field, False), f"{receiver}.{camel(field.name, True)}"
    if type_.startswith("*"):
        return f"{value}.c()"
    passed = {"string": f"a.optionalText({value})", "bool": f"number({value})"}
    return passed.get(type_, f"C.{field.type}({value}{'.Seconds()' if type_ == 'time.Duration' else ''})")


def _handle(schema: Schema, handle: str) -> str:
    name = camel(handle, True)
    doc = f"Close frees it. {sentence(_said(schema, schema.functions[f'{handle}_free'].doc))}".strip()
    values = {"name": name, "lower": name[0].lower() + name[1:], "receiver": _receiver(name), "c": handle}
    text = fill(_HANDLE, doc=_comment(doc), **values)
    if json := schema.functions.get(f"{handle}_json"):
        doc = re.sub(r"; NULL if there is no such .*", "", re.sub(r"\.$", "", _said(schema, json.doc, "NULL")))
        doc = _comment(f'JSON is {_lower(doc)}; "" if it is closed.')
        text += "\n\n" + fill(
            _HANDLE_TEXT, doc=doc, receiver=values["receiver"], own=name, name="JSON", function=json.name
        )
        kind = re.sub("(?<=[a-z])(?=[A-Z])", " ", name).lower()
        text += "\n\n" + fill(_HANDLE_JSON, receiver=values["receiver"], own=name, kind=kind)
    return text


def _comment(text: str) -> str:
    return "\n".join(_commented(text))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _is_names(function: Function) -> bool:
    return function.signature == "const char *(size_t)" and function.name.endswith("_at")


def _names(schema: Schema, function: Function) -> str:
    """The texts of `const char *fv_x_at(size_t index)`, up to NULL."""
    if not _is_names(function):
        return ""
    name = plural(camel(function.name[:-3], True))
    doc = re.sub(r"; NULL from the last one on", "", _said(schema, function.doc, "NULL")).replace("....", "...")
    return fill(_NAMES, doc=_comment(f"{name} returns {_lower(doc)}"), name=name, function=function.name)


def _text(schema: Schema, function: Function) -> str:
    """A text of a value of a list or a handle, as its method; a term of the specification, and the value of one."""
    types = [one.type for one in function.parameters]
    if len(types) != 1 or function.name == f"{types[0]}_name":
        return ""
    doc = _lower(_said(schema, first_paragraph(function.doc), "NULL"))
    doc = re.sub(r"; (?:NULL|0|empty) (?:for|without|if) [^;.]*", "", doc)
    is_text, is_term = function.result == "const char *", "specification" in function.name
    if types[0] in schema.lists and is_text:
        own, name = camel(types[0], True), camel(function.name[len(types[0]) :], True)
        doc = _comment(f'{name} {doc} It is "" without one.')
        return fill(
            _VALUE_TEXT, doc=doc, receiver=_receiver(own), own=own, name=name, function=function.name, c=types[0]
        )
    name = camel(function.name, True)
    if schema.is_handle(types[0]) and is_text and is_term:
        own = camel(str(schema.target(types[0])), True)
        name = name[len(own) :]
        doc = _comment(f"{name} {doc}")
        return fill(_HANDLE_TEXT, doc=doc, receiver=_receiver(own), own=own, name=name, function=function.name)
    if types[0] == "const char *" and is_term:
        made = "string" if is_text else "int" if function.result == "int64_t" else camel(function.result, True)
        doc = _comment(f"{name} {doc} It is {chr(34) * 2 if is_text else 0} without one.")
        convert = "C.GoString" if is_text else made
        return fill(_OF_TEXT, doc=doc, name=name, made=made, convert=convert, function=function.name)
    return ""


def _reader(schema: Schema, function: Function) -> str:
    """The elements of a handle, `fv_x_at` with an `fv_x_count`, and its single values."""
    parameters = function.parameters
    struct = schema.target(parameters[0].type) if parameters and parameters[0].type.endswith("*") else None
    fills = function.result == "fv_status" and struct in schema.structs and not parameters[0].type.startswith("const")
    rest = parameters[1:] if fills else parameters
    handle = schema.target(rest[0].type) if rest and schema.is_handle(rest[0].type) else None
    if not handle or not function.name.startswith(handle):
        return ""
    values = {
        "function": function.name, "struct": struct, "made": camel(str(struct), True) if fills else "string",
        "closed": f'"the {handle[3:].replace("_", " ")} is closed"',
    }  # fmt: skip
    count = schema.functions.get(f"{function.name[:-3]}_count")
    if fills and len(rest) == 1:
        name = "describe" + camel(re.sub("_describe$", "", function.name), True)
        return fill(_DESCRIBE, name=name, c=_c(rest[0].type), **values)
    if not count or rest[-1].name != "index" or not function.name.endswith("_at"):
        return ""
    arguments = "".join(f", {one.name}" for one in rest[1:-1])
    return fill(
        _STRUCTS if fills else _TEXTS, name="list" + plural(camel(function.name[:-3], True)), arguments=arguments,
        given=f"handle {_c(rest[0].type)}" + "".join(f", {one.name} C.{one.type}" for one in rest[1:-1]),
        count=f"C.{count.name}(handle{arguments})", **values,
    )  # fmt: skip


def _c(type_: str) -> str:
    """`const fv_x *`: *C.fv_x."""
    return "*C." + re.sub(r"\bconst\b|\*", "", type_).strip()
