/// A data element that the AAMVA DL/ID card design standard defines for the PDF417 of a card: one row of the table in
/// docs/licences.md, which has the sources.
public struct LicenceElement: Sendable, Hashable {
  /// The three-character identifier before the value: "DAQ".
  public let id: String
  /// AAMVA header versions that have the element in this form.
  public let versions: ClosedRange<Int>
  public let isMandatory: Bool
  /// Whether it is only on driving licences, not on identity cards.
  public let isForDrivers: Bool
  /// Length and characters in the standard's notation: F or V for fixed or variable, a number, and A, N, S for letters,
  /// digits and special characters; nil if the edition specifies none.
  public let format: Format?
  let rule: Rule
  public let name: String

  public struct Format: Sendable, Hashable, CustomStringConvertible {
    public let isFixed: Bool
    public let length: Int
    public let description: String
    /// Indexed by ISO 8859-1 code; others are allowed if they are letters.
    private let allowed: [Bool]

    /// Spaces are padding, and part of "A1A 1A1" and "068 in". Colours and places of birth of variable length are
    /// prose, with the punctuation that the standard itself uses ("red/auburn").
    init?(_ text: Substring) {
      let digits = text.dropFirst().prefix(while: \.isNumber)
      guard let kind = text.first, let length = Int(digits) else { return nil }
      let kinds = text.dropFirst(1 + digits.count)
      let signs = kind == "V" && kinds == "A" ? " ,-/.'" : " "
      (isFixed, self.length, description) = (kind == "F", length, String(text))
      allowed = (0...255).map { (byte: UInt8) in
        let scalar = Unicode.Scalar(byte)
        if scalar.properties.isAlphabetic { return kinds.contains("A") }
        if 48...57 ~= byte { return kinds.contains("N") }
        return kinds.contains("S") || signs.unicodeScalars.contains(scalar)
      }
    }

    func allows(_ value: String) -> Bool {
      value.unicodeScalars.allSatisfy {
        $0.value < 256 ? allowed[Int($0.value)] : $0.properties.isAlphabetic && allowed[Int(UInt8(ascii: "A"))]
      }
    }
  }

  /// The constraint on a value beyond its format.
  enum Rule: String {
    case text, date, birth, issue, expiry, sex, eyes, hair, height, pounds, kilograms, range, jurisdiction, postal,
      country
    case cut, compliance, yes, race, suffix, name
    case under18 = "18"
    case under19 = "19"
    case under21 = "21"

    var isDate: Bool { [.date, .birth, .issue, .expiry, .under18, .under19, .under21].contains(self) }
  }

  /// The clause of the standard: annex D of all editions since 2003.
  public var clause: String { versions.lowerBound < 2 ? "DL/ID-2000" : "annex D, table D.\(isMandatory ? 3 : 4)" }

  public static let latestVersion = 11

  static let all: [LicenceElement] = table.split(separator: "\n").compactMap(Self.init)

  private static let byID = Dictionary(grouping: all, by: \.id)

  /// Returns the element as a version defines it; nil if the version does not have it.
  public static func named(_ id: String, version: Int) -> LicenceElement? {
    byID[id]?.first { $0.versions.contains(min(version, latestVersion)) }
  }

  static let mandatory = (0...latestVersion).map { version in
    all.filter { $0.isMandatory && $0.versions.contains(version) }
  }

  static func isKnown(_ id: String) -> Bool { byID[id] != nil }

  private init?(_ row: Substring) {
    let words = row.split(separator: " ", maxSplits: 6)
    guard words.count == 7, let rule = Rule(rawValue: String(words[5])) else { return nil }
    let bounds = words[1].split(separator: "-").compactMap { Int($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    id = String(words[0])
    versions = first...last
    isMandatory = words[2] == "M"
    isForDrivers = words[3] == "DL"
    format = Format(words[4])
    self.rule = rule
    name = String(words[6])
  }

  /// Identifier, versions, mandatory or optional, cards (driving licences or both), format, rule, name. Version 0 is
  /// for codes from before the standard, and is read as version 1.
  private static let table = """
    DAA 0-1 M both - name full name, parts after commas
    DAB 0-1 O both - name family name
    DAC 0-1 O both - name first name
    DAC 4-11 M both V40ANS name first name
    DAD 0-1 O both - name middle name or initial
    DAD 4-11 M both V40ANS name middle names
    DAE 0-1 O both - suffix name suffix
    DAF 0-1 O both - text name prefix
    DAG 0-1 M both - text mailing street, line 1
    DAG 2-11 M both V35ANS text street, line 1
    DAH 0-1 O both - text mailing street, line 2
    DAH 2-11 O both V35ANS text street, line 2
    DAI 0-1 M both - text mailing city
    DAI 2-11 M both V20ANS text city
    DAJ 0-1 M both - jurisdiction mailing jurisdiction
    DAJ 2-11 M both F2A jurisdiction jurisdiction of the address
    DAK 0-1 M both - postal mailing postal code
    DAK 2-9 M both F11AN postal postal code
    DAK 10-10 M both F11ANS postal postal code
    DAK 11-11 M both V11ANS postal postal code
    DAL 0-1 O both - text residence street, line 1
    DAM 0-1 O both - text residence street, line 2
    DAN 0-1 O both - text residence city
    DAO 0-1 O both - jurisdiction residence jurisdiction
    DAP 0-1 O both - postal residence postal code
    DAQ 0-1 M both - text licence or card number
    DAQ 2-11 M both V25ANS text customer number
    DAR 0-1 M DL - text classification code
    DAS 0-1 M DL - text restriction codes
    DAT 0-1 M DL - text endorsement codes
    DAU 0-1 O both - height height, feet and inches
    DAU 2-11 M both F6AN height height with unit
    DAV 0-1 O both - kilograms height in centimetres
    DAW 0-1 O both - pounds weight in pounds
    DAW 4-11 O both F3N pounds weight in pounds
    DAX 0-1 O both - kilograms weight in kilograms
    DAX 4-11 O both F3N kilograms weight in kilograms
    DAY 0-1 O both - text eye colour
    DAY 2-11 M both F3A eyes eye colour (D20)
    DAZ 0-1 O both - text hair colour
    DAZ 2-11 O both V12A hair hair colour
    DBA 0-1 M both F8N expiry expiration date
    DBA 2-11 M both F8N expiry expiration date
    DBB 0-1 M both F8N birth date of birth
    DBB 2-11 M both F8N birth date of birth
    DBC 0-1 M both - sex sex
    DBC 2-11 M both F1N sex sex
    DBD 0-1 M both F8N issue date of issue
    DBD 2-11 M both F8N issue date of issue
    DBE 0-1 O both - text issue timestamp
    DBF 0-1 O both - text number of duplicates
    DBG 0-1 O both - text medical codes
    DBG 3-10 O both V15ANS text alias, given name
    DBH 0-1 O both - text organ donor
    DBI 0-1 O both - text non-resident
    DBJ 0-1 O both - text customer identifier
    DBK 0-1 O both - text social security number
    DBL 0-1 O both F8N date alias, date of birth
    DBM 0-1 O both - text alias, social security number
    DBN 0-1 O both - text alias, full name
    DBN 2-2 O both V35ANS text alias, name
    DBN 3-10 O both V10ANS text alias, family name
    DBO 0-1 O both - text alias, family name
    DBP 0-1 O both - text alias, first name
    DBQ 0-1 O both - text alias, middle name
    DBR 0-1 O both - text alias, suffix
    DBS 0-1 O both - text alias, prefix
    DBS 3-10 O both V5ANS text alias, suffix
    DCA 2-3 M DL V4ANS text vehicle class
    DCA 4-11 M DL V6ANS text vehicle class
    DCB 2-3 M DL V10ANS text restriction codes
    DCB 4-11 M DL V12ANS text restriction codes
    DCD 2-11 M DL V5ANS text endorsement codes
    DCE 2-2 M both F1N range weight range
    DCE 3-11 O both F1N range weight range
    DCF 2-11 M both V25ANS text document discriminator
    DCG 2-11 M both F3A country country of issue
    DCH 2-3 M DL V4AN text federal commercial vehicle codes
    DCI 2-11 O both V33A text place of birth
    DCJ 2-11 O both V25ANS text audit information
    DCK 2-11 O both V25ANS text inventory control number
    DCL 2-2 O both F2A race race or ethnicity (D20)
    DCL 3-3 O both F2AN race race or ethnicity (D20)
    DCL 4-10 O both F3A race race or ethnicity (D20)
    DCM 2-11 O DL F4AN text standard vehicle classification
    DCN 2-11 O DL F5AN text standard endorsement code
    DCO 2-2 O DL F10AN text standard restriction code
    DCO 3-11 O DL F12AN text standard restriction code
    DCP 2-11 O DL V50ANS text vehicle class in words
    DCQ 2-11 O DL V50ANS text endorsements in words
    DCR 2-11 O DL V50ANS text restrictions in words
    DCS 2-11 M both V40ANS name family name
    DCT 2-3 M both V80ANS name given names
    DCU 2-2 M both V5ANS suffix name suffix
    DCU 3-11 O both V5ANS suffix name suffix
    DDA 4-11 O both F1A compliance compliance type
    DDB 4-11 O both F8N date card revision date
    DDC 4-10 O DL F8N date hazardous material endorsement until
    DDD 4-11 O both F1N yes limited duration
    DDE 4-11 M both F1A cut family name truncated
    DDF 4-11 M both F1A cut first name truncated
    DDG 4-11 M both F1A cut middle names truncated
    DDH 5-11 O both F8N 18 under 18 until
    DDI 5-11 O both F8N 19 under 19 until
    DDJ 5-11 O both F8N 21 under 21 until
    DDK 6-11 O both F1N yes organ donor
    DDL 7-11 O both F1N yes veteran
    DDM 11-11 O DL F1N yes commercial licence
    DDN 11-11 O DL F1N yes non-domiciled
    DDO 11-11 O both F1N yes enhanced credential
    DDP 11-11 O DL F1N yes permit
    PAA 0-1 O DL - text permit classification code
    PAB 0-1 O DL - date permit expiration date
    PAC 0-1 O DL - text permit identifier
    PAD 0-1 O DL - date permit issue date
    PAE 0-1 O DL - text permit restriction codes
    PAF 0-1 O DL - text permit endorsement codes
    """
}
