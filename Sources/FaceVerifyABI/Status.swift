public import CFaceVerify
internal import FaceVerify

/// A number of the header and what it stands for.
struct Status {
  let number: Int
  let code: VerifyError.Code
  /// Another picture, or another moment, may do.
  var isRetryable = false

  static let all = [
    Status(number: FV_E_BAD_ARGUMENT, code: .badArgument),
    Status(number: FV_E_UNREADABLE, code: .unreadable, isRetryable: true),
    Status(number: FV_E_UNKNOWN_FORMAT, code: .unknownFormat, isRetryable: true),
    Status(number: FV_E_DAMAGED, code: .damaged, isRetryable: true),
    Status(number: FV_E_TOO_LARGE, code: .tooLarge, isRetryable: true),
    Status(number: FV_E_NO_FACE, code: .noFace, isRetryable: true),
    Status(number: FV_E_INCOMPATIBLE_TEMPLATE, code: .incompatibleTemplate),
    Status(number: FV_E_MODEL_MISSING, code: .modelMissing),
    Status(number: FV_E_MODEL_MISMATCH, code: .modelMismatch),
    Status(number: FV_E_UNSUPPORTED_RATE, code: .unsupportedRate),
    Status(number: FV_E_UNWRITABLE, code: .unwritable),
    Status(number: FV_E_WRONG_STATE, code: .wrongState),
    Status(number: FV_E_INTERNAL, code: .internalFailure),
    Status(number: FV_E_BUSY, code: .busy, isRetryable: true),
    Status(number: FV_E_ABSENT, code: .absent),
    Status(number: FV_E_VERSION, code: .version),
  ]

  static func number(of code: VerifyError.Code) -> fv_status {
    fv_status(all.first { $0.code == code }?.number ?? FV_E_INTERNAL)
  }
}

extension VerifyError.Code {
  static let busy = VerifyError.Code(rawValue: "busy")
  static let absent = VerifyError.Code(rawValue: "absent")
  static let version = VerifyError.Code(rawValue: "version")
}

@c @implementation
public func fv_status_name(_ status: fv_status) -> UnsafePointer<CChar>? {
  let name = Status.all.first { $0.number == status }?.code.rawValue
  return HandleObject.constants.text(name ?? (status == FV_OK ? "ok" : "unknown"))
}

@c @implementation
public func fv_status_is_retryable(_ status: fv_status) -> CInt {
  Status.all.contains { $0.number == status && $0.isRetryable } ? 1 : 0
}
