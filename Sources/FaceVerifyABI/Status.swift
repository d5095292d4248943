public import CFaceVerify
internal import FaceVerify

extension VerifyError.Code {
  static let absent = VerifyError.Code(rawValue: "absent")
  static let version = VerifyError.Code(rawValue: "version")
  static let bufferTooSmall = VerifyError.Code(rawValue: "buffer-too-small")
  static let noTemplate = VerifyError.Code(rawValue: "no-template")

  /// Errors that another picture or a later attempt may avoid.
  private static let retryable: Set<VerifyError.Code> = [
    .unreadable, .unknownFormat, .damaged, .tooLarge, .noFace, .noTemplate, .busy, .timeout,
  ]

  var isRetryable: Bool { Self.retryable.contains(self) }
}

@c @implementation
public func fv_status_is_retryable(_ status: fv_status) -> fv_bool {
  VerifyError.Code(number: status)?.isRetryable == true ? 1 : 0
}
