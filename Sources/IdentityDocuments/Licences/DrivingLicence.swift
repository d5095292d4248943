/// A driving licence or identity card of the United States, Canada or Mexico, read from the PDF417 on its back (AAMVA DL/ID
/// card design standard, annex D, header versions 0 to 11).
///
/// Decoding never repairs: a value that the standard does not allow stays as printed, and is not checked. A code with
/// wrong offsets, separators or values is a result; only a payload without a header of the standard is an error. A
/// code does not prove that it is genuine: anyone can print one.
public struct DrivingLicence: Sendable, Hashable, JSONConvertible {
  public struct Subfile: Sendable, Hashable {
    /// DL, ID, EN, or a jurisdiction's own, such as ZV.
    public let type: String
    /// Offset and length stated by the header; nil if the header does not name the subfile.
    public let offset: Int?
    public let length: Int?
  }

  public struct Element: Sendable, Hashable {
    /// "DAQ".
    public let id: String
    public let subfile: String
    /// The standard's name for it; nil if this version does not have the element.
    public let name: String?
    /// As printed, without surrounding spaces; nil if it states that there is none, or that it is not available.
    public let value: String?
    /// Passed: the standard allows the value in this version. Failed: it contradicts another one, or is unreadable
    /// though it identifies holder or card. Not checked: the standard has no rule for it, or does not allow the value.
    public internal(set) var status: CheckStatus
    /// nil if the status is ``CheckStatus/passed``.
    public internal(set) var reason: DocumentReason?
    /// The date, if the element is one.
    public internal(set) var date: CalendarDate?
    public var isJurisdictionSpecific: Bool { subfile.hasPrefix("Z") }
  }

  /// The version of the standard: 1 is of 2000, 2 of 2003, 3 of 2005, 4 of 2009, 5 of 2010, 6 of 2011, 7 of 2012, 8 of
  /// 2013, 9 of 2016, 10 of 2020, 11 of 2025; 0 predates them all.
  public let version: Int
  /// The issuer identification number: six digits.
  public let issuerNumber: String
  /// nil if the number is not in AAMVA's list.
  public let issuer: LicenceIssuer?
  /// nil if the version has none.
  public let jurisdictionVersion: Int?
  public let subfiles: [Subfile]
  /// In the order of the code.
  public let elements: [Element]
  /// All problems with the layout and the elements. Problems with the layout do not affect the elements found.
  public let findings: [LicenceFinding]
  /// Whether the code is truncated.
  let isCut: Bool

  /// The country of issue, by its own element or by the issuer: "CAN", "MEX" or "USA".
  public var country: String? { self["DCG"]?.value ?? issuer?.country }

  /// - Parameters:
  ///   - payload: the bytes of the PDF417.
  ///   - reference: the day for which the card is judged: a later birth or issue fails.
  /// - Throws: ``VerifyError/Code/unknownFormat`` for any other payload; the message names its kind if it is known.
  ///   ``VerifyError/Code/damaged`` if the header cannot be read, ``VerifyError/Code/tooLarge`` above 9,999 bytes.
  public init(payload: [UInt8], on reference: CalendarDate) throws {
    if let foreign = Self.foreignCode(payload) { throw VerifyError(.unknownFormat, foreign) }
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

  /// Returns what the code of another licence or card is and why it is not read; nil for any other code. They are
  /// identified by their first bytes; their content has no public specification.
  private static func foreignCode(_ payload: [UInt8]) -> String? {
    // South Africa's driving licence: 720 bytes, six with a version at their start, then blocks encrypted with a
    // private RSA key. No authority has published format or keys.
    let versions: [[UInt8]] = [[0x01, 0xE1, 0x02, 0x45, 0, 0], [0x01, 0x9B, 0x09, 0x45, 0, 0]]
    if payload.count == 720, let version = versions.firstIndex(where: { payload.starts(with: $0) }) {
      return "this is the code of a South African driving licence, version \(version + 1): it is encrypted, and its "
        + "format and keys are not published, so it cannot be read"
    }
    // Colombia's identity card of 2000 to 2020, whose number its driving licences also use: fields of fixed width after
    // a label, and binary fingerprints. The Registraduría has not published the format. The label follows the card's
    // number, which is padded with zero bytes to 24.
    if payload.count >= 40, (22...26).contains(where: { payload[$0...].starts(with: "PubDSK_1".utf8) }) {
      return "this is the code of a Colombian identity card: its format is not published, so it cannot be read"
    }
    // The tracks of a magnetic stripe in a two-dimensional code, from before the standard of 2000. ISO/IEC 7811: track
    // 1 begins with "%", tracks end with "?", track 2 begins with ";" and the issuer's number.
    if payload.first == UInt8(ascii: "%"), payload.contains(UInt8(ascii: "^")), payload.contains(UInt8(ascii: "?")) {
      return "these are the tracks of a magnetic stripe, from before the AAMVA standard, which cannot be read"
    }
    return nil
  }

  /// Returns an element of the standard's subfiles; nil if the code has none with the identifier.
  public subscript(id: String) -> Element? { elements.first { $0.id == id && !$0.isJurisdictionSpecific } }

  /// Identity cards have a subfile of their own, ID (D.12.4).
  public var documentType: DocumentType {
    LicenceJudge.isIdentityCard(subfiles.map(\.type)) ? .idCard : .drivingLicence
  }

  /// Whether the address has a street and a place; otherwise the front must be read.
  public var hasAddress: Bool {
    ["DAG", "DAI"].allSatisfy { self[$0]?.value != nil } || ["DAL", "DAN"].allSatisfy { self[$0]?.value != nil }
  }

  // MARK: Names

  /// Versions 0 and 1 have one element, its parts separated by commas; 2 and 3 have two; later ones have three, each
  /// with a flag for truncation.
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
    /// A name that nobody can see is none.
    func required(_ field: DocumentField) -> DocumentField {
      let isVisible = field.value?.contains { $0.isLetter || $0.isNumber } ?? false
      return isVisible || field.status != .passed ? field : .notChecked(field.value, .elementMissing)
    }
    if version < 2 || self["DCS"] == nil, let full = self["DAA"] {
      let parts = (full.value ?? "").split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").joined(separator: " ") }
      func field(_ text: String) -> DocumentField {
        DocumentField(value: text.isEmpty ? nil : text, status: full.status, reason: full.reason)
      }
      return (
        required(field(parts.first ?? "")),
        field(parts.dropFirst().prefix(2).filter { !$0.isEmpty }.joined(separator: " "))
      )
    }
    let surname =
      self["DCS"] == nil && self["DAB"] == nil
      ? .failed(nil, .elementMissing) : field([self["DCS"] == nil ? "DAB" : "DCS"])
    let given = field(
      self["DCT"] == nil ? ["DAC", "DAD"] : self["DAC"] == nil && self["DAD"]?.value != nil ? ["DCT", "DAD"] : ["DCT"])
    func cut(_ field: DocumentField, _ ids: [String]) -> DocumentField {
      guard field.status == .passed, ids.contains(where: { self[$0]?.value == "T" }) else { return field }
      return .notChecked(field.value, .nameTruncated)
    }
    return (cut(required(surname), ["DDE"]), cut(given, ["DDF", "DDG"]))
  }

  public var jsonValue: JSONValue {
    [
      "version": .integer(version), "issuerNumber": .string(issuerNumber), "issuer": .optional(issuer?.name),
      "jurisdictionVersion": .optional(jurisdictionVersion), "hasAddress": .bool(hasAddress),
      "subfiles": .array(
        subfiles.map { ["type": .string($0.type), "offset": .optional($0.offset), "length": .optional($0.length)] }),
      "elements": .array(
        elements.map {
          [
            "id": .string($0.id), "subfile": .string($0.subfile), "name": .optional($0.name),
            "value": .optional($0.value), "date": .optional($0.date?.description),
            "status": .string($0.status.rawValue), "reason": .optional($0.reason?.rawValue),
          ]
        }),
      "findings": .array(findings.map { ["place": .string($0.place), "reason": .string($0.reason.rawValue)] }),
    ]
  }
}
