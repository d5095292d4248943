/// The parsed files of a chip; each is parsed once, by the initialiser. An absent file is nil; one that cannot be read
/// is a failure and does not affect the others.
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
    func read<Value>(
      _ file: ElementaryFile, _ parse: ([UInt8]) throws -> Value
    ) -> Result<Value, VerifyError>? {
      guard let bytes = files[file] else { return nil }
      do {
        return .success(try parse(bytes))
      } catch let error as VerifyError {
        return .failure(error)
      } catch {
        return .failure(VerifyError(.damaged, "\(file) cannot be read"))
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
}
