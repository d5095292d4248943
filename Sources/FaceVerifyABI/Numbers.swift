internal import CFaceVerify
internal import FaceVerify

/// What the numbers of one of the header's enumerations stand for.
struct Numbers<Value: RawRepresentable & Equatable & Sendable>: Sendable where Value.RawValue == String {
  let all: [(number: Int, value: Value)]

  init(_ all: [(number: Int, value: Value)]) { self.all = all }

  /// 0 for nothing.
  func number(of value: Value?) -> Int64 { Int64(all.first { $0.value == value }?.number ?? 0) }

  func value(of number: some BinaryInteger) -> Value? { all.first { $0.number == number }?.value }

  func name(of number: CInt) -> UnsafePointer<CChar>? {
    HandleObject.constants.text(value(of: number)?.rawValue ?? "none")
  }
}

// The header numbers these as Swift does, from 1 on.
let challengeNumbers = Numbers(Challenge.allCases.enumerated().map { ($0 + 1, $1) })
let retryNumbers = Numbers(RetryReason.allCases.enumerated().map { ($0 + 1, $1) })

let stepNumbers = Numbers<LivenessSessionState>([
  (FV_STEP_STARTED, .started), (FV_STEP_SCAN_VIEW, .capturing), (FV_STEP_IMAGE_TAKEN, .captured),
  (FV_STEP_CAN_FINISH, .live), (FV_STEP_RETRY, .undecided), (FV_STEP_REJECT_VIEW, .presentationAttack),
])

let hintNumbers = Numbers<LivenessHint>([
  (FV_HINT_MOVE_FACE_INTO_FRAME, .moveFaceIntoFrame), (FV_HINT_MULTIPLE_FACES, .multipleFaces),
  (FV_HINT_LIGHTING_TOO_DARK, .lightingTooDark), (FV_HINT_LIGHTING_TOO_BRIGHT, .lightingTooBright),
  (FV_HINT_SUNGLASSES, .sunglasses), (FV_HINT_OBSCURED_FACE, .obscuredFace), (FV_HINT_FACE_TOO_CLOSE, .faceTooClose),
  (FV_HINT_MOVE_FACE_CLOSER, .moveFaceCloser), (FV_HINT_CENTER_FACE, .centreFace),
  (FV_HINT_LEVEL_EYES_AND_DEVICE, .levelEyesAndDevice), (FV_HINT_TILT_FACE_UP, .raiseChin),
  (FV_HINT_TILT_FACE_DOWN, .lowerChin), (FV_HINT_TILT_FACE_LEFT, .turnFaceLeft),
  (FV_HINT_TILT_FACE_RIGHT, .turnFaceRight), (FV_HINT_EYES_CLOSED, .eyesClosed),
  (FV_HINT_TOO_MUCH_MOVEMENT, .tooMuchMovement), (FV_HINT_HOLD_STILL, .holdStill),
])

let phaseNumbers = Numbers<ChallengeProgress.Phase>([
  (FV_PHASE_STARTING, .starting), (FV_PHASE_MOVING, .moving), (FV_PHASE_HOLDING, .holding),
  (FV_PHASE_RETURNING, .returning), (FV_PHASE_PASSED, .passed), (FV_PHASE_FAILED, .failed),
])

let livenessResultNumbers = Numbers<LivenessDecision.Result>([
  (FV_LIVENESS_LIVE, .live), (FV_LIVENESS_PRESENTATION_ATTACK, .presentationAttack),
  (FV_LIVENESS_UNDECIDED, .undecided),
])

let outcomeNumbers = Numbers<ScriptProgress.Answer.Outcome>([
  (FV_OUTCOME_PASSED, .passed), (FV_OUTCOME_TIMEOUT, .timeout), (FV_OUTCOME_WRONG_MOVEMENT, .wrongMovement),
  (FV_OUTCOME_INTERRUPTED, .interrupted),
])

/// A name of the specification documents (``SpecificationNames``).
struct OldName: RawRepresentable, Equatable, Sendable {
  let rawValue: String
  init(rawValue: String) { self.rawValue = rawValue }
  init(_ name: String) { rawValue = name }
}

let rfidStatusNumbers = Numbers<OldName>([
  (FV_RFID_UNDEFINED, OldName("UNDEFINED")), (FV_RFID_SUCCESS, OldName("SUCCESS")), (FV_RFID_ERROR, OldName("ERROR")),
])

let verdictNumbers = Numbers<PassiveAuthentication.Verdict>([
  (FV_VERDICT_AUTHENTIC, .authentic), (FV_VERDICT_VALID_WITHOUT_ANCHOR, .validWithoutAnchor),
  (FV_VERDICT_INVALID, .invalid), (FV_VERDICT_NOT_CHECKED, .notChecked),
])

let portraitTrustNumbers = Numbers<OldName>([
  (FV_PORTRAIT_AUTHENTIC, OldName("authentic")), (FV_PORTRAIT_VALID_WITHOUT_ANCHOR, OldName("valid-without-anchor")),
  (FV_PORTRAIT_NOT_CHECKED, OldName("not-checked")), (FV_PORTRAIT_PAGE, OldName("page")),
  (FV_PORTRAIT_ALTERED, OldName("altered")),
])

let documentStatusNumbers = Numbers<OldName>([
  (FV_DOCUMENT_OK, OldName("OK")), (FV_DOCUMENT_NOT_CHECKED, OldName("NOT_CHECKED")),
  (FV_DOCUMENT_VALIDATION_ERROR, OldName("VALIDATION_ERROR")),
  (FV_DOCUMENT_EXPIRED_DOCUMENT, OldName("EXPIRED_DOCUMENT")),
  (FV_DOCUMENT_RFID_PASSIVE_AUTHENTICATION, OldName("RFID_PASSIVE_AUTHENTICATION")),
  (FV_DOCUMENT_MRZ_RFID_MISMATCH, OldName("MRZ_RFID_MISMATCH")), (FV_DOCUMENT_RFID_TIMEOUT, OldName("RFID_TIMEOUT")),
  (FV_DOCUMENT_RFID_PERMISSION_NOT_GRANTED, OldName("RFID_PERMISSION_NOT_GRANTED")),
  (FV_DOCUMENT_RFID_TAG_NOT_FOUND, OldName("RFID_TAG_NOT_FOUND")),
  (FV_DOCUMENT_RFID_NFC_NOT_SUPPORTED, OldName("RFID_NFC_NOT_SUPPORTED")),
  (FV_DOCUMENT_RFID_GENERIC_ERROR, OldName("RFID_GENERIC_ERROR")),
  (FV_DOCUMENT_USER_SKIPPED_RFID, OldName("USER_SKIPPED_RFID")),
])

let fieldStatusNumbers = Numbers<OldName>([
  (FV_FIELD_OK, OldName("OK")), (FV_FIELD_ERROR, OldName("ERROR")), (FV_FIELD_NOT_CHECKED, OldName("NOT_CHECKED")),
])

@c @implementation
public func fv_challenge_name(_ challenge: CInt) -> UnsafePointer<CChar>? { challengeNumbers.name(of: challenge) }

@c @implementation
public func fv_step_name(_ step: CInt) -> UnsafePointer<CChar>? { stepNumbers.name(of: step) }

@c @implementation
public func fv_hint_name(_ hint: CInt) -> UnsafePointer<CChar>? { hintNumbers.name(of: hint) }

@c @implementation
public func fv_hint_text(_ hint: CInt) -> UnsafePointer<CChar>? {
  HandleObject.constants.text(hintNumbers.value(of: hint)?.text ?? "")
}

@c @implementation
public func fv_phase_name(_ phase: CInt) -> UnsafePointer<CChar>? { phaseNumbers.name(of: phase) }

@c @implementation
public func fv_liveness_result_name(_ result: CInt) -> UnsafePointer<CChar>? {
  livenessResultNumbers.name(of: result)
}

@c @implementation
public func fv_retry_name(_ retry: CInt) -> UnsafePointer<CChar>? { retryNumbers.name(of: retry) }

@c @implementation
public func fv_outcome_name(_ outcome: CInt) -> UnsafePointer<CChar>? { outcomeNumbers.name(of: outcome) }

@c @implementation
public func fv_liveness_policy_name(_ index: Int) -> UnsafePointer<CChar>? {
  (try? LivenessPolicy.all.element(index)).flatMap { HandleObject.constants.text($0.name) }
}

@c @implementation
public func fv_liveness_signal_name(_ index: Int) -> UnsafePointer<CChar>? {
  (try? LivenessSignal.allCases.element(index)).flatMap { HandleObject.constants.text($0.rawValue) }
}

@c @implementation
public func fv_rfid_status_name(_ rfidStatus: CInt) -> UnsafePointer<CChar>? {
  rfidStatusNumbers.name(of: rfidStatus)
}

@c @implementation
public func fv_verdict_name(_ verdict: CInt) -> UnsafePointer<CChar>? { verdictNumbers.name(of: verdict) }

@c @implementation
public func fv_portrait_trust_name(_ portraitTrust: CInt) -> UnsafePointer<CChar>? {
  portraitTrustNumbers.name(of: portraitTrust)
}

@c @implementation
public func fv_document_status_name(_ documentStatus: CInt) -> UnsafePointer<CChar>? {
  documentStatusNumbers.name(of: documentStatus)
}

@c @implementation
public func fv_field_status_name(_ fieldStatus: CInt) -> UnsafePointer<CChar>? {
  fieldStatusNumbers.name(of: fieldStatus)
}

@c @implementation
public func fv_document_field_name(_ index: Int) -> UnsafePointer<CChar>? {
  (try? DocumentFieldName.allCases.element(index)).flatMap { HandleObject.constants.text($0.rawValue) }
}
