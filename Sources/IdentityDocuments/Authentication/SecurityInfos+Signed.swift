extension SecurityInfos {
  /// Reads what EF.CardSecurity signs. The signature is not checked.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(signed bytes: [UInt8]) throws {
    let data = try SignedData(bytes)
    guard data.contentType == Self.contentType else {
      throw VerifyError(.unknownFormat, "EF.CardSecurity signs \(data.contentType), which is no list of protocols")
    }
    try self.init(data.content)
  }
}
