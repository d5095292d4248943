"""Generates Swift: the lists' names, their numbers for the types of the FaceVerify module, and the specification's terms."""

from typing import Any

from .schema import NOTICE, List_, Schema
from .words import camel, wrapped

# Types whose raw values are the names in JSON; a test compares both.
TYPES = {
    "fv_binding": "Assurance.Binding",
    "fv_challenge": "Challenge",
    "fv_challenge_outcome": "ScriptProgress.Answer.Outcome",
    "fv_challenge_phase": "ChallengeProgress.Phase",
    "fv_check_status": "CheckStatus",
    "fv_code_fault": "CodeFault",
    "fv_code_format": "CodeFormat",
    "fv_code_report": "CodeReport.Kind",
    "fv_code_state": "CodeFrameState",
    "fv_consequence": "QualityCheck.Consequence",
    "fv_credential_category": "JourneyCategory",
    "fv_document_assurance": "DocumentAssurance",
    "fv_document_type": "DocumentType",
    "fv_document_variant": "DocumentVariant",
    "fv_image_encoding": "ImageEncoding",
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
MEMBERS = {"fv_journey_call": "JourneyCall", "fv_pixel_format": "PixelFormat"}
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
TEXT = "UnsafePointer<CChar>?"


def lists(schema: Schema, _: Any) -> str:
    text = f"// {NOTICE}\n// swift-format-ignore-file\n\npublic import CFaceVerify\ninternal import FaceVerify\n"
    for one in schema.lists.values():
        name = f"{_lower(camel(one.name))}Names"
        text += "\n" + _names(one, name)
        if one.name in TYPES:
            text += f"extension {TYPES[one.name]}: Numbered {{ static var names: ListedNames<{one.name}> {{ {name} }} }}\n"
        if one.name in MEMBERS:
            text += _member(one)
        text += _function(f"{one.name}_name", f"_ number: {one.name}", TEXT, f"{name}.text(number)")
        if one.name in TERMS:
            term = f"{{ (value: {TYPES[one.name]}) in SpecificationNames.{TERMS[one.name]}(value) }}"
            name = f"{one.name}_specification_name"
            text += _function(name, f"_ number: {one.name}", TEXT, f"term(number, {term})")
            if (name := f"{one.name}_of_specification_name") in schema.functions:
                text += _function(name, f"_ name: {TEXT}", one.name, f"number(ofTerm: name, {term})")
    return text


def _function(name: str, parameters: str, result: str, body: str) -> str:
    return f"@c @implementation public func {name}({parameters}) -> {result} {{\n  {body}\n}}\n"


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _names(one: List_, name: str) -> str:
    counted = "first: 0, step: -1, " if one.name == "fv_status" else ""
    items = ", ".join(f'"{one.case_name(case)}"' for case in one.cases)
    return "\n".join(wrapped(f"let {name} = ListedNames<{one.name}>({counted}[{items}])", 120, "", "  ")) + "\n"


def _member(one: List_) -> str:
    text = f"extension {MEMBERS[one.name]} {{\n  init?(number: {one.name}) {{\n    switch Int(number) {{\n"
    for case in one.cases:
        text += f"    case {case.name}: self = .{_lower(camel(one.case_name(case)))}\n"
    return text + "    default: return nil\n    }\n  }\n}\n"
