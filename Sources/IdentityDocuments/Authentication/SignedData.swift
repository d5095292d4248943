internal import COpenSSL

/// Signed data of the Cryptographic Message Syntax (RFC 5652), read by OpenSSL, which takes the indefinite lengths that
/// some states write too.
struct SignedData: ~Copyable {
  private let handle: OpaquePointer
  /// In dotted form.
  let contentType: String
  let content: [UInt8]
  /// Those of the first 16 that could be read: a signer's and one or two above it are usual.
  let certificates: [Certificate]
  let signer: Signer?

  struct Signer: Sendable {
    let certificate: Certificate?
    /// Whether the certificate is the one that the signer names, letter by letter.
    let isIdentified: Bool
    /// OpenSSL's name, such as `sha256`.
    let digest: String
    let signature: String
    let signingTime: DateTime?
  }

  private static let maximumCertificates = 16
  private let signerIndex: Int?

  init(_ bytes: [UInt8]) throws {
    guard let handle = copenssl_cms_read(bytes, bytes.count) else {
      throw VerifyError(.damaged, "the bytes are no signed data of the Cryptographic Message Syntax")
    }
    self.handle = handle
    var type = [CChar](repeating: 0, count: 128)
    copenssl_cms_content_type(handle, &type, type.count)
    contentType = String(decoding: type.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var start: UnsafePointer<UInt8>?
    let size = copenssl_cms_content(handle, &start)
    content = Array(UnsafeBufferPointer(start: start, count: size))
    var certificates: [Int: Certificate] = [:]
    for index in 0..<min(copenssl_cms_certificate_count(handle), Self.maximumCertificates) {
      var der = [UInt8](repeating: 0, count: copenssl_cms_certificate(handle, index, nil, 0))
      _ = copenssl_cms_certificate(handle, index, &der, der.count)
      certificates[index] = try? Certificate(der)
    }
    self.certificates = certificates.sorted { $0.key < $1.key }.map(\.value)
    var signer = copenssl_signer()
    guard copenssl_cms_signer(handle, &signer) == 1 else {
      self.signer = nil
      signerIndex = nil
      return
    }
    let found = signer.found != Int32(COPENSSL_SIGNER_NONE)
    signerIndex = found ? signer.certificate : nil
    self.signer = Signer(
      certificate: found ? certificates[signer.certificate] : nil,
      isIdentified: signer.found == Int32(COPENSSL_SIGNER_IDENTIFIED), digest: CText.string(&signer.digest),
      signature: CText.string(&signer.signature), signingTime: Self.time(CText.string(&signer.signing_time)))
  }

  deinit { copenssl_cms_free(handle) }

  /// Whether the signer's certificate signed the content, or nil if the certificate is not there.
  func check() -> SignatureCheck? {
    signerIndex.map { SignatureCheck(copenssl_cms_verify(handle, $0)) }
  }

  private static func time(_ text: String) -> DateTime? {
    guard let digits = TLV.digits(Array(text.utf8)), digits.count == 14 else { return nil }
    func two(_ index: Int) -> Int { 10 * digits[index] + digits[index + 1] }
    return try? DateTime(
      year: 100 * two(0) + two(2), month: two(4), day: two(6), hour: two(8), minute: two(10), second: two(12))
  }
}

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

/// Text in a fixed array of a C structure.
enum CText {
  static func string<Tuple>(_ characters: inout Tuple) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
