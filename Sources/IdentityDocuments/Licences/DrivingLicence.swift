/// A driving licence or identity card of the United States, Canada or Mexico, read from the PDF417 on its back (AAMVA DL/ID
/// card design standard, annex D, header versions 0 to 11).
///
/// Reading never repairs: a value that the standard does not allow stays as printed, and its element has failed. A code with
/// wrong offsets, separators or values is a result; only a payload that has no header of the standard is an error. Nothing
/// tells whether a code is genuine: anybody can print one.
public struct DrivingLicence: Sendable, Hashable {
  public struct Subfile: Sendable, Hashable {
    /// DL, ID, EN, or a jurisdiction's own, such as ZV.
    public let type: String
    /// Where the header says that it begins, and how long it is; nil if the header does not name it.
    public let offset: Int?
    public let length: Int?
  }

  public struct Element: Sendable, Hashable {
    /// "DAQ".
    public let id: String
    public let subfile: String
    /// What the standard calls it; nil for what it does not have in this version.
    public let name: String?
    /// As printed, but for spaces around it; nil where it says that there is nothing, or that it is not known.
    public let value: String?
    /// Passed: the standard allows the value in this version. Failed: it does not. Not checked: the standard has no rule
    /// for it, or the value is unusual and can mean nothing else.
    public internal(set) var status: CheckStatus
    /// nil if the status is ``CheckStatus/passed``.
    public internal(set) var reason: DocumentReason?
    /// Of a date.
    public internal(set) var date: CalendarDate?
  }

  /// The version of the standard: 1 is of 2000, 2 of 2003, 3 of 2005, 4 of 2009, 5 of 2010, 6 of 2011, 7 of 2012, 8 of 2013,
  /// 9 of 2016, 10 of 2020, 11 of 2025; 0 is older than all.
  public let version: Int
  /// The issuer identification number: six digits.
  public let issuerNumber: String
  /// nil if the number is none of AAMVA's list.
  public let issuer: LicenceIssuer?
  /// nil where the version has none.
  public let jurisdictionVersion: Int?
  public let subfiles: [Subfile]
  /// In the order of the code.
  public let elements: [Element]
  /// Everything that is wrong, in the layout and in the elements. What is wrong in the layout takes nothing away from the
  /// elements that were found.
  public let findings: [LicenceFinding]
  /// Whether the code ends before it should.
  let isCut: Bool

  /// Where it was issued, by its own element or by who issued it: "CAN", "MEX" or "USA".
  public var country: String? { self["DCG"]?.value ?? issuer?.country }

  /// - Parameters:
  ///   - payload: the bytes that the PDF417 holds.
  ///   - reference: the day on which the card is looked at: nobody is born, and no card issued, after it.
  /// - Throws: ``VerifyError/Code/unknownFormat`` for a payload that is no such file; the message names it if it is one of a
  ///   kind that is known. ``VerifyError/Code/damaged`` if the header cannot be read, ``VerifyError/Code/tooLarge`` beyond
  ///   9,999 bytes.
  public init(payload: [UInt8], on reference: CalendarDate) throws {
    if let kind = ForeignLicenceCode(payload) { throw VerifyError(.unknownFormat, kind.explanation) }
    let file = try LicenceFile(payload)
    version = file.version
    issuerNumber = file.issuer
    let issuer = LicenceIssuer(number: file.issuer)
    self.issuer = issuer
    jurisdictionVersion = file.jurisdictionVersion
    subfiles = file.subfiles.map { Subfile(type: $0.type, offset: $0.offset, length: $0.length) }
    var judge = LicenceJudge(file, issuer: issuer, on: reference)
    judge.judge()
    elements = judge.elements
    findings = file.findings + judge.findings
    isCut = file.isCut
  }

  /// An element of the standard's subfiles; nil if the code has none of the identifier.
  public subscript(id: String) -> Element? { elements.first { $0.id == id && !$0.isJurisdictionSpecific } }

  /// Identity cards have a subfile of their own, ID (D.12.4).
  public var documentType: DocumentType {
    LicenceJudge.isIdentityCard(subfiles.map(\.type)) ? .idCard : .drivingLicence
  }

  /// The address has a street and a place: else the front must be looked at.
  public var hasAddress: Bool {
    ["DAG", "DAI"].allSatisfy { self[$0]?.value != nil } || ["DAL", "DAN"].allSatisfy { self[$0]?.value != nil }
  }

  // MARK: Names

  /// Versions 0 and 1 have one element, its parts after commas; 2 and 3 have two; later ones have three and say whether each
  /// was cut.
  var names: (surname: DocumentField, givenNames: DocumentField) {
    func field(_ ids: [String]) -> DocumentField {
      let parts = ids.compactMap { self[$0] }
      let text = parts.compactMap(\.value).joined(separator: " ")
      let value = text.split { $0 == "," || $0 == " " }.joined(separator: " ")
      let wrong = parts.first { $0.status == .failed } ?? parts.first { $0.status == .notChecked }
      return DocumentField(
        value: value.isEmpty ? nil : value, status: parts.isEmpty ? .notChecked : wrong?.status ?? .passed,
        reason: parts.isEmpty ? .absent : wrong?.reason)
    }
    if version < 2 || self["DCS"] == nil, let full = self["DAA"] {
      let parts = (full.value ?? "").split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").joined(separator: " ") }
      func field(_ text: String) -> DocumentField {
        DocumentField(value: text.isEmpty ? nil : text, status: full.status, reason: full.reason)
      }
      return (
        field(parts.first ?? ""), field(parts.dropFirst().prefix(2).filter { !$0.isEmpty }.joined(separator: " "))
      )
    }
    let surname =
      self["DCS"] == nil && self["DAB"] == nil
      ? .failed(nil, .elementMissing) : field([self["DCS"] == nil ? "DAB" : "DCS"])
    let given = field(self["DCT"] == nil ? ["DAC", "DAD"] : ["DCT"])
    func cut(_ field: DocumentField, _ ids: [String]) -> DocumentField {
      guard field.status == .passed, ids.contains(where: { self[$0]?.value == "T" }) else { return field }
      return .notChecked(field.value, .nameTruncated)
    }
    return (cut(surname, ["DDE"]), cut(given, ["DDF", "DDG"]))
  }
}

extension DrivingLicence.Element {
  public var isJurisdictionSpecific: Bool { subfile.hasPrefix("Z") }
}
