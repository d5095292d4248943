/// A kind of document in finer detail, from its code and issuing State.
public struct DocumentTypeInfo: Sendable, Hashable {
  /// A number that stays the same from version to version.
  public let dTypeId: Int
  /// In English.
  public let documentName: String
  /// The issuing State's code, ICAO 9303-3, section 5.
  public let icaoCode: String

  /// - Returns: nil if the code is of no kind that is known here.
  init?(_ zone: MachineReadableZone) {
    guard let kind = Self.kinds[zone.documentCode] ?? zone.documentCode.first.flatMap({ Self.kinds[String($0)] }) else {
      return nil
    }
    (dTypeId, documentName) = kind
    icaoCode = zone.issuingState
  }

  /// ICAO 9303-4, 4.4; 9303-5, 4.2.2.3 note k; 9303-7, 4.2.2; 9303-8.
  private static let kinds: [String: (Int, String)] = [
    "P": (101, "Passport"), "PP": (101, "Passport"), "PE": (102, "Emergency passport"),
    "PD": (103, "Diplomatic passport"), "PO": (104, "Official passport"), "PR": (105, "Refugee passport"),
    "PT": (106, "Alien passport"), "PS": (107, "Stateless passport"), "PL": (108, "Laissez-passer"),
    "PM": (109, "Military passport"), "PU": (110, "Emergency travel document"), "V": (201, "Visa"),
    "A": (301, "Identity card"), "C": (301, "Identity card"), "I": (301, "Identity card"),
    "AC": (302, "Crew member certificate"),
  ]
}
