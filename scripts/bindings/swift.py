"""Generates Swift: names and numbers of the lists, the specification's terms, and functions that only pass on a value."""

import re
from typing import Any, List

from .schema import NOTICE, Function, List_, Schema
from .words import camel, plural, wrapped

# Types whose raw values are the names in JSON; a test compares both.
TYPES = {
    "fv_binding": "Assurance.Binding",
    "fv_challenge": "Challenge",
    "fv_challenge_outcome": "ScriptProgress.Answer.Outcome",
    "fv_challenge_phase": "ChallengeProgress.Phase",
    "fv_check_status": "CheckStatus",
    "fv_chip_proof": "ChipProof.Verdict",
    "fv_code_fault": "CodeFault",
    "fv_code_format": "CodeFormat",
    "fv_code_report": "CodeReport.Kind",
    "fv_code_state": "CodeFrameState",
    "fv_consequence": "CheckConsequence",
    "fv_credential_category": "JourneyCategory",
    "fv_document_assurance": "DocumentAssurance",
    "fv_document_type": "DocumentType",
    "fv_document_variant": "DocumentVariant",
    "fv_image_encoding": "ImageEncoding",
    "fv_journey_call": "JourneyCall.Kind",
    "fv_journey_part": "JourneyPart",
    "fv_journey_state": "JourneyState",
    "fv_liveness_hint": "LivenessHint",
    "fv_liveness_result": "LivenessDecision.Result",
    "fv_liveness_session_state": "LivenessSessionState",
    "fv_log_level": "LogEntry.Level",
    "fv_logical_error": "LogicalError",
    "fv_presence": "Assurance.Presence",
    "fv_result": "FaceDecision.Result",
    "fv_retry_reason": "RetryReason",
    "fv_scan_mode": "ScanMode",
    "fv_status": "VerifyError.Code",
    "fv_verdict": "PassiveAuthentication.Verdict",
}
# Types of another form that are passed in: the compiler reports a member that Swift lacks.
MEMBERS = {"fv_pixel_format": "PixelFormat"}
# The functions of SpecificationNames that give the term of a value.
TERMS = {
    "fv_check_status": "fieldStatus",
    "fv_document_type": "documentType",
    "fv_journey_part": "part",
    "fv_liveness_hint": "hint",
    "fv_liveness_session_state": "step",
    "fv_logical_error": "logicalError",
    "fv_retry_reason": "retry",
    "fv_scan_mode": "scanMode",
}
# Functions that have a form of those below, but another body.
OWN = {
    "fv_code_scanner_describe", "fv_gallery_describe", "fv_journey_credential_at", "fv_journey_free",
    "fv_journey_reason_at", "fv_trust_store_anchor_count", "fv_trust_store_json",
}  # fmt: skip


def version(schema: Schema, _: Any) -> str:
    return (
        f"// {NOTICE}\n\n/// The version of this library (semantic versioning).\n"
        f'public enum FaceVerifyVersion {{\n  public static let string = "{schema.version_string}"\n}}\n'
    )


def generated(schema: Schema, _: Any) -> str:
    text = f"// {NOTICE}\n// swift-format-ignore-file\n\npublic import CFaceVerify\ninternal import FaceVerifyJourney\n\n"
    text += "".join(_list(schema, one) for one in schema.lists.values())
    for handle in schema.handles:
        found = [_function(schema, handle, one) for one in schema.functions.values() if one.name not in OWN]
        text += "\n" + "".join(found)
    return text


def _list(schema: Schema, one: List_) -> str:
    """The names of a list, and the numbers and terms of its Swift type."""
    counted = "first: 0, step: -1, " if one.name == "fv_status" else ""
    items = ", ".join(f'"{one.case_name(case)}"' for case in one.cases)
    made = f"ListedNames<{one.name}>({counted}all: [{items}])"
    if type_ := TYPES.get(one.name):
        names, text = f"{type_}.names", f"extension {type_}: Numbered {{ static let names = {made} }}"
    else:
        names = f"{_lower(camel(one.name))}Names"
        text = f"let {names} = {made}"
    text = "\n".join(wrapped(text, 120, "", "  ")) + "\n"
    if one.name in MEMBERS:
        text += _member(one)
    text += _c(f"{one.name}_name", f"_ x: {one.name}", "Text", f"{names}.text(x)")
    if one.name in TERMS:
        term = f"{{ (value: {TYPES[one.name]}) in SpecificationNames.{TERMS[one.name]}(value) }}"
        text += _c(f"{one.name}_specification_name", f"_ x: {one.name}", "Text", f"term(x, {term})")
        if (name := f"{one.name}_of_specification_name") in schema.functions:
            text += _c(name, "_ x: Text", one.name, f"number(ofTerm: x, {term})")
    return text


def _function(schema: Schema, handle: str, function: Function) -> str:
    """A function that passes on a member of the handle's Swift class, named like the function; "" if it does more."""
    verb, types = function.name[len(handle) + 1 :], [one.type for one in function.parameters]
    const, class_ = f"const {handle} *", f"{camel(handle)}Object"
    if not function.name.startswith(f"{handle}_"):
        return ""
    if types == [f"{handle} *"] and verb == "free":
        return _c(function.name, "_ x: Handle", "", f"{class_}.free(x)")
    if types == [const] and verb == "json":
        return _c(function.name, "_ x: Handle", "Text", f"{class_}.json(x)")
    if types == [const] and schema.is_handle(function.result):
        return _c(function.name, "_ x: Handle", "Handle", f"lend(x, \\{class_}.{verb})")
    struct = schema.target(types[0])
    if types[1:] == [const] and verb == "describe":
        body = f"{class_}.describe(out, x) {{ {struct}($0) }}"
        return _c(function.name, f"_ out: Out<{struct}>, _ x: Handle", "fv_status", body)
    return _sequence(function, verb, types, const, class_)


def _sequence(function: Function, verb: str, types: List[str], const: str, class_: str) -> str:
    """The count and the elements of a list, which may be one of several, as `fv_document_page_check_at`."""
    item = re.fullmatch(r"(?:(\w+)_)?(count|at)", verb)
    if not item or const not in types:
        return ""
    name = _lower(camel(plural(item[1]))) if item[1] else "elements"
    rest = types[types.index(const) + 1 :]
    which = "" if rest == ["size_t"] * (item[2] == "at") else "(which)"
    parameters = "_ x: Handle" + (", _ which: Int" if which else "")
    if item[2] == "count":
        value = f"(try? {class_}.find(x)?.{name}{which})?.count ?? 0" if which else f"count(x, \\{class_}.{name})"
        return _c(function.name, parameters, "Int", value)
    parameters, element = f"{parameters}, _ index: Int", f"try $0.{name}{which}.element(index)"
    if function.result != "fv_status":
        return _c(function.name, parameters, "Text", f"{class_}.text(x) {{ {element} }}")
    struct = types[0].rstrip(" *")
    body = f"{class_}.describe(out, x) {{ {struct}({element}, of: $0) }}"
    return _c(function.name, f"_ out: Out<{struct}>, {parameters}", "fv_status", body)


def _c(name: str, parameters: str, result: str, body: str) -> str:
    head = f"@c @implementation public func {name}({parameters}){f' -> {result}' if result else ''} {{"
    one = f"{head} {body} }}\n"
    return one if len(one) <= 121 else f"{head}\n  {body}\n}}\n"


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _member(one: List_) -> str:
    members = ", ".join(f"{case.value}: .{_lower(camel(one.case_name(case)))}" for case in one.cases)
    text = f"let {_lower(camel(plural(one.name)))} = [{members}]".replace(": .", f": {MEMBERS[one.name]}.", 1)
    return "\n".join(wrapped(text, 120, "", "  ")) + "\n"
