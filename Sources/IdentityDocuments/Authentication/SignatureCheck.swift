internal import COpenSSL

/// What a check of a signature found.
enum SignatureCheck {
  case valid
  case invalid
  /// The signature was made for other content.
  case wrongDigest
  /// The algorithm or key is not known, so nothing was checked.
  case unsupported

  init(_ code: CInt) {
    switch Int(code) {
    case Int(COPENSSL_VALID): self = .valid
    case Int(COPENSSL_WRONG_DIGEST): self = .wrongDigest
    case Int(COPENSSL_UNSUPPORTED): self = .unsupported
    default: self = .invalid
    }
  }
}
