/// What was read from a chip: values of its files, and how the checks of them came out.
public struct ChipReading: Sendable {
  /// The zone of data group 1; nil if it could not be read.
  public var zone: MachineReadableZone?
  /// Why the chip could not be read; nil if it was.
  public var failure: DocumentDataStatus?
  /// As a whole: passed only if the chip is genuine by a trust anchor.
  public var passiveAuthentication = CheckStatus.notChecked
  /// Data group 1 is the one that was signed: its hash is right, and so is the signature over the hashes. The same for
  /// groups 11 and 12 below.
  public var dataGroup1 = CheckStatus.notChecked
  public var dataGroup11 = CheckStatus.notChecked
  public var dataGroup12 = CheckStatus.notChecked

  /// Data group 11: with the year in full, which the zone has not.
  public var dateOfBirth: PartialDate?
  /// Data group 11.
  public var personalNumber: String?
  /// Data group 11.
  public var placeOfBirth: String?
  /// Data group 11, its parts in one line.
  public var address: String?
  /// Data group 12.
  public var dateOfIssue: PartialDate?
  /// The document signer's subject, as a distinguished name.
  public var signerSubject: String?
  public var signerValidFrom: CalendarDate?
  public var signerValidTo: CalendarDate?
  /// The number that opened the chip, if one was used.
  public var cardAccessNumber: String?
  /// 1 in the data page, 2 in the back page or inlay; nil if that is not known.
  public var page: Int?

  public init(zone: MachineReadableZone?, failure: DocumentDataStatus? = nil) {
    self.zone = zone
    self.failure = failure
  }
}
