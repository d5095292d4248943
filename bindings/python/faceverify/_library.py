"""Finds libfaceverify and declares its functions and structs: faceverify.h in ctypes.

`lib` has every function of the header under its own name. Those that work release the GIL. Those that only look
something up keep it: to let it go and wait for it again costs more than they do.
"""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Tuple

FV_VERSION_NUMBER = 100
FV_MESSAGE_SIZE = 1024
FV_DETECT_SMALL_FACES = 1
FV_EYE_LEFT = 1
FV_EYE_RIGHT = 2
FV_YES = 1
FV_NO = 2
FV_SOURCE_DOCUMENT = 0
FV_SOURCE_PAGE = 1
FV_SOURCE_CHIP = 2


class Struct(ctypes.Structure):
    """A struct of the header, with its size in place and 0 in all fields that are not named."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.struct_size = ctypes.sizeof(self)


class EngineOptions(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("models_folder", c_char_p),
        ("model_set", c_char_p),
        ("cache_folder", c_char_p),
        ("threads", c_int64),
    ]


class Threshold(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("rate", c_double),
        ("score", c_double),
        ("false_matches", c_double),
        ("false_match_rate_lower", c_double),
        ("false_match_rate_upper", c_double),
        ("false_non_match_rate", c_double),
        ("false_non_match_rate_lower", c_double),
        ("false_non_match_rate_upper", c_double),
    ]


class Model(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("id", c_char_p),
        ("role", c_char_p),
        ("version", c_char_p),
        ("licence", c_char_p),
        ("path", c_char_p),
        ("remedy", c_char_p),
        ("state", c_int64),
        ("size", c_int64),
    ]


class ImageLimits(Struct):
    _fields_ = [("struct_size", c_size_t), ("maximum_pixels", c_int64), ("maximum_bytes", c_int64)]


class ImageView(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("data", c_void_p),
        ("byte_count", c_size_t),
        ("width", c_int64),
        ("height", c_int64),
        ("row_stride", c_int64),
        ("pixel_format", c_int64),
    ]


class ImageInfo(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("width", c_int64),
        ("height", c_int64),
        ("format", c_char_p),
        ("sha256", c_char_p),
    ]


class Policy(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("selfie", c_void_p),
        ("portrait", c_void_p),
        ("false_match_rate", c_double),
    ]


class Input(Struct):
    _fields_ = [("struct_size", c_size_t), ("path", c_char_p), ("image", c_void_p), ("face_template", c_void_p)]


class Comparison(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("score", c_double),
        ("threshold", c_double),
        ("decided_at", c_double),
        ("similarity", c_double),
        ("false_match_rate", c_double),
        ("false_match_rate_upper_bound", c_double),
        ("is_match", c_int64),
        ("is_beyond_calibration", c_int64),
    ]


class Point(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double)]


class Face(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("x", c_double),
        ("y", c_double),
        ("width", c_double),
        ("height", c_double),
        ("score", c_double),
        ("turn", c_int64),
        ("left_eye_outer", Point),
        ("left_eye_inner", Point),
        ("right_eye_outer", Point),
        ("right_eye_inner", Point),
        ("nose_base", Point),
        ("inter_eye_distance", c_double),
        ("yaw", c_double),
        ("pitch", c_double),
        ("roll", c_double),
        ("left_eye_openness", c_double),
        ("right_eye_openness", c_double),
    ]


class Check(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("measure", c_char_p),
        ("unit", c_char_p),
        ("advice", c_char_p),
        ("status", c_int64),
        ("consequence", c_int64),
        ("value", c_double),
        ("score", c_double),
        ("minimum", c_double),
        ("maximum", c_double),
    ]


class TemplateInfo(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("model_identifier", c_char_p),
        ("sha256", c_char_p),
        ("quality", c_double),
    ]


class LivenessDraw(Struct):
    _fields_ = [("struct_size", c_size_t), ("count", c_int64), ("challenges", c_int64)]


class LivenessRequestInfo(Struct):
    _fields_ = [("struct_size", c_size_t), ("nonce", c_char_p), ("expires", c_double)]


class LivenessColour(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("red", c_double),
        ("green", c_double),
        ("blue", c_double),
        ("begin", c_double),
        ("seconds", c_double),
    ]


class LivenessTask(Struct):
    _fields_ = [("struct_size", c_size_t), ("challenge", c_int64), ("hold", c_double), ("pause", c_double)]


class LivenessOptions(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("policy", c_char_p),
        ("portrait", c_void_p),
        ("camera_driver", c_char_p),
        ("camera_name", c_char_p),
        ("challenge_timeout", c_double),
        ("timeout", c_double),
        ("rotation", c_int64),
        ("is_mirrored", c_int64),
    ]


class LivenessFrame(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("image", c_void_p),
        ("pixels", c_void_p),
        ("time", c_double),
        ("has_screen_colour", c_int64),
        ("screen_red", c_double),
        ("screen_green", c_double),
        ("screen_blue", c_double),
    ]


class LivenessState(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("time", c_double),
        ("step", c_int64),
        ("hint", c_int64),
        ("seconds_left", c_double),
        ("challenge", c_int64),
        ("phase", c_int64),
        ("progress", c_double),
        ("answer_count", c_int64),
        ("has_face", c_int64),
        ("yaw", c_double),
        ("pitch", c_double),
        ("roll", c_double),
        ("left_eye_openness", c_double),
        ("right_eye_openness", c_double),
        ("mouth_opening", c_double),
        ("mouth_width", c_double),
        ("mouth_lift", c_double),
        ("face_size", c_double),
        ("face_x", c_double),
        ("face_y", c_double),
    ]


class LivenessCheck(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("signal", c_char_p),
        ("unit", c_char_p),
        ("text", c_char_p),
        ("source", c_char_p),
        ("status", c_int64),
        ("value", c_double),
        ("minimum", c_double),
        ("maximum", c_double),
    ]


class LivenessAnswer(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("challenge", c_int64),
        ("outcome", c_int64),
        ("asked", c_double),
        ("ended", c_double),
        ("failed_tries", c_int64),
        ("movement", c_int64),
    ]


class LivenessEvidence(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("policy", c_char_p),
        ("nonce", c_char_p),
        ("chain", c_char_p),
        ("frames", c_int64),
        ("refused_frames", c_int64),
        ("first", c_double),
        ("last", c_double),
        ("averaged_frames", c_int64),
        ("selfie_time", c_double),
        ("selfie_quality", c_double),
    ]


class DocumentOptions(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("read_rfid", c_int64),
        ("multipage", c_int64),
        ("mrz_read_timeout", c_double),
        ("rfid_read_timeout", c_double),
    ]


class DocumentInfo(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("type", c_char_p),
        ("type_name", c_char_p),
        ("date", c_char_p),
        ("photo_hash", c_char_p),
        ("data_hash", c_char_p),
        ("portrait_problem", c_char_p),
        ("portrait_trust", c_int64),
        ("has_chip", c_int64),
        ("chip_page", c_int64),
        ("rfid_status", c_int64),
        ("verdict", c_int64),
    ]


class Field(Struct):
    _fields_ = [("struct_size", c_size_t), ("value", c_char_p), ("reason", c_char_p), ("status", c_int64)]


class Finding(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("name", c_char_p),
        ("reason", c_char_p),
        ("text", c_char_p),
        ("status", c_int64),
    ]


class PageCheck(Struct):
    _fields_ = [
        ("struct_size", c_size_t),
        ("reason", c_char_p),
        ("unit", c_char_p),
        ("text", c_char_p),
        ("number", c_int64),
        ("status", c_int64),
        ("value", c_double),
        ("limit", c_double),
    ]


class Binding(Struct):
    _fields_ = [("struct_size", c_size_t), ("photo", c_int64), ("data", c_int64)]


Signature = Tuple[Any, ...]  # of the result, then of each argument

_STATUS = c_int32
_HANDLE = c_void_p
_OUT = POINTER(_HANDLE)
_MESSAGE = (c_char_p, c_size_t)

WORKING: Dict[str, Signature] = {
    "fv_engine_create": (_STATUS, _OUT, c_uint32, POINTER(EngineOptions), *_MESSAGE),
    "fv_engine_free": (None, _HANDLE),
    "fv_engine_preload": (_STATUS, _HANDLE, *_MESSAGE),
    "fv_models_check": (_STATUS, _OUT, c_char_p, *_MESSAGE),
    "fv_image_from_file": (_STATUS, _OUT, c_char_p, POINTER(ImageLimits), *_MESSAGE),
    "fv_image_from_bytes": (_STATUS, _OUT, c_void_p, c_size_t, POINTER(ImageLimits), *_MESSAGE),
    "fv_image_from_pixels": (_STATUS, _OUT, POINTER(ImageView), POINTER(ImageLimits), *_MESSAGE),
    "fv_image_describe": (_STATUS, POINTER(ImageInfo), _HANDLE),
    "fv_credential_compare": (_STATUS, _OUT, _HANDLE, POINTER(Input), POINTER(Input)),
    "fv_credential_compare_templates": (_STATUS, POINTER(Comparison), _HANDLE, _HANDLE, _HANDLE),
    "fv_credential_detect": (_STATUS, _OUT, _HANDLE, _HANDLE, c_uint32),
    "fv_credential_sample": (_STATUS, _OUT, _HANDLE, _HANDLE, _HANDLE),
    "fv_credential_assess": (_STATUS, _OUT, _HANDLE, _HANDLE, _HANDLE),
    "fv_image_pixels": (_STATUS, _HANDLE, c_void_p, c_size_t, POINTER(c_size_t)),
    "fv_liveness_session_add": (_STATUS, POINTER(LivenessState), _HANDLE, POINTER(LivenessFrame)),
    "fv_liveness_session_finish": (_STATUS, _OUT, _HANDLE),
    "fv_trust_create": (_STATUS, _OUT, c_char_p, *_MESSAGE),
    "fv_trust_add": (_STATUS, _HANDLE, c_char_p, c_void_p, c_size_t, *_MESSAGE),
    "fv_trust_json": (c_char_p, _HANDLE),
    "fv_chip_create": (_STATUS, _OUT, c_char_p, *_MESSAGE),
    "fv_chip_add": (_STATUS, _HANDLE, c_char_p, c_void_p, c_size_t, *_MESSAGE),
    "fv_document_read": (
        _STATUS,
        _OUT,
        _HANDLE,
        POINTER(_HANDLE),
        c_size_t,
        _HANDLE,
        _HANDLE,
        c_char_p,
        POINTER(DocumentOptions),
        *_MESSAGE,
    ),
    "fv_document_verify": (_STATUS, POINTER(Binding), c_char_p, c_char_p, c_void_p, c_size_t, c_char_p),
    "fv_credential_compare_document": (_STATUS, _OUT, _HANDLE, POINTER(Input), _HANDLE),
}

LOOKING_UP: Dict[str, Signature] = {
    "fv_version_number": (c_uint32,),
    "fv_version_string": (c_char_p,),
    "fv_status_name": (c_char_p, _STATUS),
    "fv_status_is_retryable": (c_int, _STATUS),
    "fv_struct_init": (None, c_void_p, c_size_t),
    "fv_engine_threshold": (_STATUS, POINTER(Threshold), _HANDLE, c_double, *_MESSAGE),
    "fv_engine_json": (c_char_p, _HANDLE),
    "fv_models_free": (None, _HANDLE),
    "fv_models_count": (c_size_t, _HANDLE),
    "fv_models_get": (_STATUS, POINTER(Model), _HANDLE, c_size_t),
    "fv_models_json": (c_char_p, _HANDLE),
    "fv_image_free": (None, _HANDLE),
    "fv_quality_policy_create": (_STATUS, _OUT, c_char_p),
    "fv_quality_policy_free": (None, _HANDLE),
    "fv_quality_policy_require": (_STATUS, _HANDLE, c_char_p, c_double, c_double, c_double, c_double),
    "fv_quality_measure_name": (c_char_p, c_size_t),
    "fv_credential_create": (_STATUS, _OUT, _HANDLE, POINTER(Policy), *_MESSAGE),
    "fv_credential_free": (None, _HANDLE),
    "fv_credential_message": (c_char_p, _HANDLE),
    "fv_faces_count": (c_size_t, _HANDLE),
    "fv_faces_get": (_STATUS, POINTER(Face), _HANDLE, c_size_t),
    "fv_faces_mesh": (_STATUS, _HANDLE, c_size_t, c_void_p, c_size_t, POINTER(c_size_t)),
    "fv_faces_eye": (_STATUS, _HANDLE, c_size_t, c_int, c_void_p, c_size_t, POINTER(c_size_t)),
    "fv_faces_json": (c_char_p, _HANDLE),
    "fv_faces_free": (None, _HANDLE),
    "fv_sample_faces": (_HANDLE, _HANDLE),
    "fv_sample_is_accepted": (c_int, _HANDLE),
    "fv_sample_quality": (c_double, _HANDLE),
    "fv_sample_check_count": (c_size_t, _HANDLE),
    "fv_sample_check": (_STATUS, POINTER(Check), _HANDLE, c_size_t),
    "fv_sample_template": (_HANDLE, _HANDLE),
    "fv_sample_json": (c_char_p, _HANDLE),
    "fv_sample_free": (None, _HANDLE),
    "fv_template_from_bytes": (_STATUS, _OUT, c_void_p, c_size_t, *_MESSAGE),
    "fv_template_serialise": (_STATUS, _HANDLE, c_void_p, c_size_t, POINTER(c_size_t)),
    "fv_template_describe": (_STATUS, POINTER(TemplateInfo), _HANDLE),
    "fv_template_free": (None, _HANDLE),
    "fv_result_name": (c_char_p, c_int),
    "fv_decision_result": (c_int, _HANDLE),
    "fv_decision_reason_count": (c_size_t, _HANDLE),
    "fv_decision_reason_code": (c_char_p, _HANDLE, c_size_t),
    "fv_decision_reason_text": (c_char_p, _HANDLE, c_size_t),
    "fv_decision_comparison": (_STATUS, POINTER(Comparison), _HANDLE),
    "fv_decision_selfie": (_HANDLE, _HANDLE),
    "fv_decision_portrait": (_HANDLE, _HANDLE),
    "fv_decision_json": (c_char_p, _HANDLE),
    "fv_decision_free": (None, _HANDLE),
    "fv_challenge_name": (c_char_p, c_int),
    "fv_liveness_request_create": (_STATUS, _OUT, c_void_p, c_size_t, POINTER(LivenessDraw), c_double, *_MESSAGE),
    "fv_liveness_request_from_script": (
        _STATUS,
        _OUT,
        c_void_p,
        c_void_p,
        c_void_p,
        c_size_t,
        c_void_p,
        c_size_t,
        *_MESSAGE,
    ),
    "fv_liveness_request_free": (None, _HANDLE),
    "fv_liveness_request_describe": (_STATUS, POINTER(LivenessRequestInfo), _HANDLE),
    "fv_liveness_request_task_count": (c_size_t, _HANDLE),
    "fv_liveness_request_task": (_STATUS, POINTER(LivenessTask), _HANDLE, c_size_t),
    "fv_liveness_request_colour_count": (c_size_t, _HANDLE),
    "fv_liveness_request_colour": (_STATUS, POINTER(LivenessColour), _HANDLE, c_size_t),
    "fv_liveness_register_create": (_STATUS, _OUT),
    "fv_liveness_register_free": (None, _HANDLE),
    "fv_liveness_register_issue": (_STATUS, _OUT, _HANDLE, POINTER(LivenessDraw), c_double, c_double, *_MESSAGE),
    "fv_liveness_register_accept": (_STATUS, _HANDLE, _HANDLE, c_double, *_MESSAGE),
    "fv_liveness_policy_name": (c_char_p, c_size_t),
    "fv_liveness_session_create": (_STATUS, _OUT, _HANDLE, _HANDLE, c_double, POINTER(LivenessOptions), *_MESSAGE),
    "fv_liveness_session_free": (None, _HANDLE),
    "fv_liveness_session_message": (c_char_p, _HANDLE),
    "fv_step_name": (c_char_p, c_int),
    "fv_hint_name": (c_char_p, c_int),
    "fv_hint_text": (c_char_p, c_int),
    "fv_phase_name": (c_char_p, c_int),
    "fv_liveness_session_is_complete": (c_int, _HANDLE),
    "fv_liveness_result_name": (c_char_p, c_int),
    "fv_retry_name": (c_char_p, c_int),
    "fv_liveness_decision_result": (c_int, _HANDLE),
    "fv_liveness_decision_retry": (c_int, _HANDLE),
    "fv_liveness_decision_reason_count": (c_size_t, _HANDLE),
    "fv_liveness_decision_reason_code": (c_char_p, _HANDLE, c_size_t),
    "fv_liveness_decision_reason_text": (c_char_p, _HANDLE, c_size_t),
    "fv_liveness_signal_name": (c_char_p, c_size_t),
    "fv_liveness_decision_check_count": (c_size_t, _HANDLE),
    "fv_liveness_decision_check": (_STATUS, POINTER(LivenessCheck), _HANDLE, c_size_t),
    "fv_outcome_name": (c_char_p, c_int),
    "fv_liveness_decision_answer_count": (c_size_t, _HANDLE),
    "fv_liveness_decision_answer": (_STATUS, POINTER(LivenessAnswer), _HANDLE, c_size_t),
    "fv_liveness_decision_describe": (_STATUS, POINTER(LivenessEvidence), _HANDLE),
    "fv_liveness_decision_selfie": (_HANDLE, _HANDLE),
    "fv_liveness_decision_quality_count": (c_size_t, _HANDLE),
    "fv_liveness_decision_quality": (_STATUS, POINTER(Check), _HANDLE, c_size_t),
    "fv_liveness_decision_template": (_HANDLE, _HANDLE),
    "fv_liveness_decision_json": (c_char_p, _HANDLE),
    "fv_liveness_decision_free": (None, _HANDLE),
    "fv_trust_free": (None, _HANDLE),
    "fv_trust_anchor_count": (c_size_t, _HANDLE),
    "fv_chip_free": (None, _HANDLE),
    "fv_document_from_mrz": (_STATUS, _OUT, c_char_p, c_char_p, *_MESSAGE),
    "fv_document_free": (None, _HANDLE),
    "fv_rfid_status_name": (c_char_p, c_int),
    "fv_verdict_name": (c_char_p, c_int),
    "fv_portrait_trust_name": (c_char_p, c_int),
    "fv_document_describe": (_STATUS, POINTER(DocumentInfo), _HANDLE),
    "fv_document_status_name": (c_char_p, c_int),
    "fv_document_status_count": (c_size_t, _HANDLE),
    "fv_document_status": (c_int, _HANDLE, c_size_t),
    "fv_field_status_name": (c_char_p, c_int),
    "fv_document_field_name": (c_char_p, c_size_t),
    "fv_document_field": (_STATUS, POINTER(Field), _HANDLE, c_char_p, c_int),
    "fv_document_mismatch_count": (c_size_t, _HANDLE),
    "fv_document_mismatch": (c_char_p, _HANDLE, c_size_t),
    "fv_document_check_count": (c_size_t, _HANDLE),
    "fv_document_check": (_STATUS, POINTER(Finding), _HANDLE, c_size_t),
    "fv_document_step_count": (c_size_t, _HANDLE),
    "fv_document_step": (_STATUS, POINTER(Finding), _HANDLE, c_size_t),
    "fv_document_page_count": (c_size_t, _HANDLE),
    "fv_document_page_check_count": (c_size_t, _HANDLE, c_size_t),
    "fv_document_page_check": (_STATUS, POINTER(PageCheck), _HANDLE, c_size_t, c_size_t),
    "fv_document_portrait": (_STATUS, _HANDLE, c_void_p, c_size_t, POINTER(c_size_t)),
    "fv_document_sample": (_HANDLE, _HANDLE),
    "fv_document_data_json": (c_char_p, _HANDLE),
    "fv_document_json": (c_char_p, _HANDLE),
    "fv_live_objects": (c_size_t,),
}


def find(package: Path) -> str:
    """The library's file: of the environment, of the wheel, of the prefix this was installed for, or the loader's."""
    from_environment = os.environ.get("FACEVERIFY_LIBRARY")
    if from_environment:
        return from_environment
    in_wheel = package / "_native" / "lib" / "libfaceverify.so.0"
    if in_wheel.exists():
        return str(in_wheel)
    recorded = package / "library-path.txt"
    if recorded.exists():
        return recorded.read_text(encoding="utf-8").strip()
    return "libfaceverify.so.0"


def load(path: str) -> SimpleNamespace:
    try:
        library, library_with_gil = ctypes.CDLL(path), ctypes.PyDLL(path)
    except OSError as error:
        raise ImportError(
            f"faceverify: cannot load {path}: {error}. Install libfaceverify, set FACEVERIFY_LIBRARY to the file "
            "libfaceverify.so.0, or install the wheel that brings it"
        ) from None
    functions = SimpleNamespace()
    for source, signatures in ((library, WORKING), (library_with_gil, LOOKING_UP)):
        for name, (result, *arguments) in signatures.items():
            try:
                function = getattr(source, name)
            except AttributeError:
                raise ImportError(
                    f"faceverify: {path} has no {name}: it is no libfaceverify, or older than this package"
                ) from None
            function.restype, function.argtypes = result, arguments
            setattr(functions, name, function)
    return functions


lib = load(find(Path(__file__).parent))
