internal import COpenSSL

extension Certificate {
  /// Whether this certificate's key signed the other. Dates, names and purposes are not looked at.
  func signed(_ other: Certificate) -> SignatureCheck {
    SignatureCheck(
      copenssl_certificate_verify(other.bytes, other.bytes.count, bytes, bytes.count))
  }

  func signed(_ list: CertificateRevocationList) -> SignatureCheck {
    SignatureCheck(copenssl_crl_verify(list.bytes, list.bytes.count, bytes, bytes.count))
  }
}
