"""Generates Swift: the lists' names, and their numbers for the types of the FaceVerify module."""

from typing import Any

from .schema import NOTICE, List_, Schema
from .words import camel, wrapped

# Enumerations: the compiler reports a case that only the header or only Swift has.
CLOSED = {
    "fv_challenge_outcome": "ScriptProgress.Answer.Outcome",
    "fv_challenge_phase": "ChallengeProgress.Phase",
    "fv_binding": "Assurance.Binding",
    "fv_check_status": "CheckStatus",
    "fv_code_report": "CodeReport.Kind",
    "fv_code_state": "CodeFrameState",
    "fv_consequence": "QualityCheck.Consequence",
    "fv_document_assurance": "DocumentAssurance",
    "fv_liveness_result": "LivenessDecision.Result",
    "fv_liveness_session_state": "LivenessSessionState",
    "fv_journey_state": "JourneyState",
    "fv_log_level": "LogEntry.Level",
    "fv_logical_error": "LogicalError",
    "fv_model_state": "ModelStore.State",
    "fv_presence": "Assurance.Presence",
    "fv_result": "FaceDecision.Result",
}
# Structs with static members, matched by name; a test compares all of them.
OPEN = {
    "fv_challenge": "Challenge",
    "fv_code_fault": "CodeFault",
    "fv_code_format": "CodeFormat",
    "fv_document_type": "DocumentType",
    "fv_document_variant": "DocumentVariant",
    "fv_journey_part": "JourneyPart",
    "fv_liveness_hint": "LivenessHint",
    "fv_retry_reason": "RetryReason",
    "fv_scan_mode": "ScanMode",
    "fv_status": "VerifyError.Code",
    "fv_verdict": "PassiveAuthentication.Verdict",
}
# Types that are only passed in: the compiler reports a member that Swift lacks.
MEMBERS = {"fv_image_encoding": "ImageEncoding", "fv_journey_call": "JourneyCall", "fv_pixel_format": "PixelFormat"}


def lists(schema: Schema, _: Any) -> str:
    text = f"// {NOTICE}\n\npublic import CFaceVerify\ninternal import FaceVerify\n"
    for one in schema.lists.values():
        name = f"{_lower(camel(one.name))}Names"
        text += "\n" + _names(one, name)
        parameter = schema.functions[f"{one.name}_name"].parameters[0].name
        text += f"\n@c @implementation\npublic func {one.name}_name(_ {_lower(camel(parameter))}: {one.name}) "
        text += f"-> UnsafePointer<CChar>? {{\n  {name}.text({_lower(camel(parameter))})\n}}\n"
        if one.name in CLOSED:
            text += _switch(one)
        elif one.name in MEMBERS:
            text += _member(one)
        elif one.name in OPEN:
            text += f"\nextension {OPEN[one.name]} {{\n  var number: {one.name} {{ {name}.number(rawValue) }}\n"
            if schema.is_input(one.name):
                text += f"\n  init?(number: {one.name}) {{\n"
                text += f"    guard let name = {name}.name(number) else {{ return nil }}\n"
                text += "    self.init(rawValue: name)\n  }\n"
            text += "}\n"
    return text


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _names(one: List_, name: str) -> str:
    counted = "first: 0, step: -1, " if one.name == "fv_status" else ""
    items = [f'"{one.case_name(case)}"' for case in one.cases]
    short = f"let {name} = ListedNames<{one.name}>({counted}[{', '.join(items)}])\n"
    if len(short) <= 121:
        return short
    inside = "\n".join(wrapped(", ".join(items) + ",", 118, "    ", "    "))
    counted = counted.rstrip() + "\n  " if counted else ""
    return f"let {name} = ListedNames<{one.name}>(\n  {counted}[\n{inside}\n  ])\n"


def _switch(one: List_) -> str:
    text = f"\nextension {CLOSED[one.name]} {{\n  var number: {one.name} {{\n    switch self {{\n"
    for case in one.cases:
        text += f"    case .{_lower(camel(one.case_name(case)))}: {one.name}({case.name})\n"
    return text + "    }\n  }\n}\n"


def _member(one: List_) -> str:
    text = f"\nextension {MEMBERS[one.name]} {{\n  init?(number: {one.name}) {{\n    switch Int(number) {{\n"
    for case in one.cases:
        text += f"    case {case.name}: self = .{_lower(camel(one.case_name(case)))}\n"
    return text + "    default: return nil\n    }\n  }\n}\n"
