/// The parsed files of a chip; each is parsed once, by the initialiser. An absent file is nil; one that cannot be read
/// is a failure, which names the file, and does not affect the others.
public struct ChipContents: Sendable {
  /// The files as stored on the chip.
  public let files: ChipFiles
  public let common: Result<EFCommon, VerifyError>?
  public let dataGroup1: Result<DataGroup1, VerifyError>?
  public let dataGroup2: Result<DataGroup2, VerifyError>?
  public let dataGroup11: Result<DataGroup11, VerifyError>?
  public let dataGroup12: Result<DataGroup12, VerifyError>?
  /// EF.DG14: the protocols that the chip supports.
  public let dataGroup14: Result<SecurityInfos, VerifyError>?
  public let dataGroup15: Result<DataGroup15, VerifyError>?
  public let cardAccess: Result<SecurityInfos, VerifyError>?
  public let cardSecurity: Result<CardSecurity, VerifyError>?
  public let documentSecurity: Result<DocumentSecurityObject, VerifyError>?

  public init(_ files: ChipFiles) {
    self.files = files
    func read<Value>(_ file: ElementaryFile, _ parse: ([UInt8]) throws -> Value) -> Result<Value, VerifyError>? {
      files[file].map { bytes in
        Result { try VerifyError.naming(file.rawValue) { try parse(bytes) } }
          .mapError { $0 as? VerifyError ?? VerifyError(.damaged, "\(file): the file cannot be read") }
      }
    }
    common = read(.common, EFCommon.init)
    dataGroup1 = read(.dataGroup(1), DataGroup1.init)
    dataGroup2 = read(.dataGroup(2), DataGroup2.init)
    dataGroup11 = read(.dataGroup(11), DataGroup11.init)
    dataGroup12 = read(.dataGroup(12), DataGroup12.init)
    dataGroup14 = read(.dataGroup(14)) { try SecurityInfos($0) }
    dataGroup15 = read(.dataGroup(15), DataGroup15.init)
    cardAccess = read(.cardAccess) { try SecurityInfos($0) }
    cardSecurity = read(.cardSecurity, CardSecurity.init)
    documentSecurity = read(.documentSecurity, DocumentSecurityObject.init)
  }

  /// Data groups that are missing: those that EF.SOD lists, except EF.DG3 and EF.DG4, fingerprints and irises, which
  /// only terminals with extended access may read (Doc 9303-10, 4.7.3 and 4.7.4; 9303-11, 7; BSI TR-03110-1). EF.COM is
  /// not signed, so neither the file nor its list matters.
  public var missing: [ElementaryFile] {
    let signed = (try? documentSecurity?.get())?.content.hashes.keys.filter { ![3, 4].contains($0) } ?? []
    // A hash list may have entries for data groups that do not exist.
    return signed.sorted().filter { (1...16).contains($0) && files[.dataGroup($0)] == nil }
      .map(ElementaryFile.dataGroup)
  }
}
