"""Generates C tests: layout of structs, values of constants, and results of functions for NULL and freed handles."""

from typing import Any, Dict, List, Optional, Tuple

from .schema import NOTICE, Function, Parameter, Schema

# Struct members that make a call with the struct succeed.
VALID = {
    "fv_input": {"image": "(const fv_image *)good[KIND_image]"},
    "fv_liveness_frame": {"image": "(const fv_image *)good[KIND_image]", "time": "1e9"},
    "fv_image_view": {
        "data": '"abc"', "byte_count": "3", "width": "1", "height": "1", "pixel_format": "FV_PIXEL_FORMAT_RGB8",
    },
    "fv_references": {"templates": "(const fv_template *const *)&good[KIND_template]", "template_count": "1"},
    "fv_document_input": {"chip": "(const fv_chip *)good[KIND_chip]", "date": '"2026-06-01"'},
    "fv_signer": {"private_key": '"text"'},
    "fv_challenge_prompt": {"challenge": "FV_CHALLENGE_BLINK"},
}  # fmt: skip
# The same for parameters, by name and type.
VALUES = {
    "header_version": "FV_VERSION_NUMBER", "index": "0", "page": "0", "eye": "FV_EYE_LEFT", "prompt_count": "1",
    "source": "FV_DOCUMENT_SOURCE_BEST", "nonce": "bytes", "nonce_bytes": "16", "date": '"2026-06-01"',
    "message_bytes": "sizeof message", "byte_count": "4", "measure": '"sharpness"', "encoding": "FV_IMAGE_ENCODING_PNG",
    "false_match_rate": "1e-3", "count": "1", "rate": "1e-3",
}  # fmt: skip


def layout(schema: Schema, _: Any) -> str:
    text = f"/* {NOTICE} */\n\n"
    sized = [one for one in schema.structs.values() if one.is_sized]
    text += _macro("EACH_STRUCT(ONE)", [f"ONE({one.name}, {one.name.upper()}_INIT)" for one in sized])
    fields: List[str] = []
    for struct in schema.structs.values():
        fields += [f"FIELD({struct.name}, {one.name}, {one.offset}, {one.size})" for one in struct.fields]
        fields.append(f"END({struct.name}, {struct.size})")
    text += _macro("EACH_FIELD(FIELD, END)", fields)
    numbers = [f"ONE({one.name}, {one.value})" for one in schema.constants]
    text += _macro("EACH_NUMBER(ONE)", numbers)
    cases = [
        f'ONE({one.name}, {case.name}, {case.value}, "{one.case_name(case)}")'
        for one in schema.lists.values()
        for case in one.cases
    ]
    text += _macro("EACH_CASE(ONE)", cases)
    ends = [(one.name, one.cases[-1].value) for one in schema.lists.values()]
    ends = [(name, last - 1 if last < 0 else last + 1) for name, last in ends]
    return text + _macro("EACH_LIST(ONE)", [f"ONE({name}, {last})" for name, last in ends])


def _macro(name: str, lines: List[str]) -> str:
    return f"#define {name} \\\n" + " \\\n".join(f"  {line}" for line in lines) + "\n\n"


def calls(schema: Schema, _: Any) -> str:
    kinds = [one[3:] for one in schema.handles]
    text = f"/* {NOTICE} */\n\nenum {{ " + ", ".join(f"KIND_{one}" for one in kinds) + ", KINDS };\n\n"
    text += "static void release(int kind, void *handle) {\n  switch (kind) {\n"
    for one in kinds:
        text += f"    case KIND_{one}:\n      fv_{one}_free((fv_{one} *)handle);\n      break;\n"
    text += "  }\n}\n\n"
    bad: Dict[str, List[str]] = {one: [] for one in schema.handles}
    null: List[str] = []
    for function in schema.functions.values():
        for place, parameter in enumerate(function.parameters):
            if schema.is_handle(parameter.type):
                kind = str(schema.target(parameter.type))
                name = f"bad_{function.name[3:]}_{parameter.name}"
                text += _call(schema, function, place, f"({parameter.type})bad", name, parameter.is_optional)
                bad[kind].append(name)
            elif schema.is_struct(parameter.type) and parameter.type.startswith("const"):
                struct = schema.structs[str(schema.target(parameter.type))]
                for field in struct.fields:
                    if schema.is_handle(field.type):
                        name = f"bad_{function.name[3:]}_{parameter.name}_{field.name}"
                        change = (field.name, f"({field.type})bad")
                        text += _call(schema, function, place, f"&{parameter.name}", name, True, change)
                        bad[str(schema.target(field.type))].append(name)
            if _must_not_be_null(schema, function, parameter):
                name = f"null_{function.name[3:]}_{parameter.name}"
                text += _call(schema, function, place, "NULL", name, False)
                null.append(name)
    for kind, names in bad.items():
        text += _table(f"with_bad_{kind[3:]}", names)
    text += "static void (*const *const with_bad[KINDS])(void *, void *const *) = {\n"
    text += "".join(f"  with_bad_{one},\n" for one in kinds) + "};\n"
    return text + _table("with_null", null)


def _table(name: str, functions: List[str]) -> str:
    lines = "".join(f"  {one},\n" for one in functions)
    return f"static void (*const {name}[])(void *, void *const *) = {{\n{lines}  NULL\n}};\n"


def _must_not_be_null(schema: Schema, function: Function, parameter: Parameter) -> bool:
    return (
        function.result == "fv_status"
        and "*" in parameter.type
        and not parameter.is_optional
        and not schema.is_handle(parameter.type)
        # A buffer is NULL in a call that only queries the count.
        and parameter.name not in ("message", "rgb", "xyz", "points")
        and not (parameter.type == "void *")
    )


def _call(
    schema: Schema, function: Function, place: int, changed: str, name: str, may_be_null: bool,
    field: Tuple[str, str] = ("", ""),
) -> str:  # fmt: skip
    """A function that calls `function` with one wrong argument, and checks the result."""
    lines: List[str] = []
    arguments: List[str] = []
    checks: List[str] = []
    for index, one in enumerate(function.parameters):
        if index == place and not field[0]:
            arguments.append(changed)
            continue
        value, declared, checked = _argument(schema, one, field if index == place else None)
        arguments.append(value)
        lines += declared
        checks += checked
    if "bytes" in arguments:
        lines.insert(0, "static const unsigned char bytes[16] = {0};")
    call = f"{function.name}({', '.join(arguments)})"
    if function.result == "fv_status" and function.name.endswith("_at") and changed == "NULL":
        # Existence is checked first.
        call = f"CHECK(is_refused({call}));"
    elif function.result == "fv_status":
        call = f"CHECK_STATUS(FV_E_BAD_ARGUMENT, {call});"
        if function.has_message:
            word = "\"NULL\"" if changed == "NULL" else "wrong(bad)"
            checks.append(f"CHECK(strstr(message, {word}) != NULL);")
    elif function.result == "void":
        call += ";"
    elif function.result == "double":
        call = f"CHECK(isnan({call}));"
    else:
        call = f"CHECK({call} == {'NULL' if '*' in function.result else 0});"
    declared = [line for line in lines if not _is_assignment(line)]
    assigned = [line for line in lines if _is_assignment(line)]
    unused = []
    if "bad" not in f"{changed}{field[1]}":
        unused.append("(void)bad;")
    if not any("good[" in line for line in (*lines, *arguments)):
        unused.append("(void)good;")
    skipped = ["if (bad == NULL) return;"] if may_be_null else []
    inside = "\n".join(f"  {line}" for line in (*declared, *unused, *skipped, *assigned, call, *checks))
    return f"static void {name}(void *bad, void *const *good) {{\n{inside}\n}}\n\n"


def _argument(schema: Schema, one: Parameter, field: Optional[Tuple[str, str]]) -> Tuple[str, List[str], List[str]]:
    """A valid argument, its declaration, and the check after the call; `field` of its struct has the given value."""
    target = schema.target(one.type)
    if one.name == "message":
        return "message", ['char message[FV_MESSAGE_BYTES] = "";'], []
    if target and one.type.count("*") == 2 and not one.type.startswith("const"):
        return "&out", [f"{target} *out = ({target} *)NOT_OURS;"], ["CHECK(out == NULL);"]
    if target and schema.is_struct(one.type) and (field or not one.is_optional):
        values = dict(VALID.get(target, {}))
        if field:
            # Exactly one of an input's pointers may be set.
            values = {key: text for key, text in values.items() if key == "date"}
            values[field[0]] = field[1]
        initialiser = f" = {target.upper()}_INIT" if schema.structs[target].is_sized else ""
        assigned = [f"{one.name}.{key} = {text};" for key, text in values.items()]
        return f"&{one.name}", [f"{target} {one.name}{initialiser};", *assigned], []
    if one.type == "size_t *":
        return "&count", ["size_t count = 0;"], []
    if one.name in VALUES:
        return VALUES[one.name], [], []
    if one.is_optional:
        return "NULL", [], []
    if target and schema.is_handle(one.type):
        return f"({one.type})good[KIND_{target[3:]}]", [], []
    if one.type in ("const void *", "const char *"):
        return '"text"', [], []
    return "NULL" if "*" in one.type else "0", [], []


def _is_assignment(line: str) -> bool:
    return "." in line.split(" = ")[0] and " = " in line
