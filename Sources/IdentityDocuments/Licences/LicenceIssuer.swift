/// A jurisdiction that issues cards by the AAMVA standard.
public struct LicenceIssuer: Sendable, Hashable {
  /// The issuer identification number: six digits.
  public let number: String
  /// The two-letter postal code; nil for the U.S. Department of State.
  public let code: String?
  /// USA, CAN or MEX.
  public let country: String
  public let name: String

  /// - Returns: nil for a number that AAMVA has not assigned.
  public init?(number: String) {
    guard let known = Self.all[number] else { return nil }
    self = known
  }

  private init(_ number: String, _ code: String, _ country: String, _ name: String) {
    (self.number, self.code, self.country, self.name) = (number, code == "-" ? nil : code, country, name)
  }

  /// AAMVA, Issuer Identification Numbers (aamva.org/identity/issuer-identification-numbers-(iin), 2023-12-29).
  private static let all: [String: LicenceIssuer] = {
    var issuers: [String: LicenceIssuer] = [:]
    for entry in table.split(separator: ";") {
      let words = entry.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count > 3 else { continue }
      issuers[words[0]] = LicenceIssuer(words[0], words[1], words[2], words.dropFirst(3).joined(separator: " "))
    }
    return issuers
  }()

  private static let table = """
    604426 PE CAN Prince Edward Island; 604427 AS USA American Samoa; 604428 QC CAN Quebec; 604429 YT CAN Yukon;
    604430 MP USA Northern Mariana Islands; 604431 PR USA Puerto Rico; 604432 AB CAN Alberta; 604433 NU CAN Nunavut;
    604434 NT CAN Northwest Territories; 636000 VA USA Virginia; 636001 NY USA New York; 636002 MA USA Massachusetts;
    636003 MD USA Maryland; 636004 NC USA North Carolina; 636005 SC USA South Carolina; 636006 CT USA Connecticut;
    636007 LA USA Louisiana; 636008 MT USA Montana; 636009 NM USA New Mexico; 636010 FL USA Florida;
    636011 DE USA Delaware; 636012 ON CAN Ontario; 636013 NS CAN Nova Scotia; 636014 CA USA California;
    636015 TX USA Texas; 636016 NL CAN Newfoundland and Labrador; 636017 NB CAN New Brunswick; 636018 IA USA Iowa;
    636019 GU USA Guam; 636020 CO USA Colorado; 636021 AR USA Arkansas; 636022 KS USA Kansas; 636023 OH USA Ohio;
    636024 VT USA Vermont; 636025 PA USA Pennsylvania; 636026 AZ USA Arizona; 636027 - USA State Department;
    636028 BC CAN British Columbia; 636029 OR USA Oregon; 636030 MO USA Missouri; 636031 WI USA Wisconsin;
    636032 MI USA Michigan; 636033 AL USA Alabama; 636034 ND USA North Dakota; 636035 IL USA Illinois;
    636036 NJ USA New Jersey; 636037 IN USA Indiana; 636038 MN USA Minnesota; 636039 NH USA New Hampshire;
    636040 UT USA Utah; 636041 ME USA Maine; 636042 SD USA South Dakota; 636043 DC USA District of Columbia;
    636044 SK CAN Saskatchewan; 636045 WA USA Washington; 636046 KY USA Kentucky; 636047 HI USA Hawaii;
    636048 MB CAN Manitoba; 636049 NV USA Nevada; 636050 ID USA Idaho; 636051 MS USA Mississippi;
    636052 RI USA Rhode Island; 636053 TN USA Tennessee; 636054 NE USA Nebraska; 636055 GA USA Georgia;
    636056 CU MEX Coahuila; 636057 HL MEX Hidalgo; 636058 OK USA Oklahoma; 636059 AK USA Alaska;
    636060 WY USA Wyoming; 636061 WV USA West Virginia; 636062 VI USA Virgin Islands
    """

  /// Codes of states and provinces in addresses: those of issuers, of military post (USPS Publication 28, appendix B)
  /// and of the States in free association, and the former code of Newfoundland.
  static let addressCodes = Set(all.values.compactMap(\.code)).union(["AA", "AE", "AP", "FM", "MH", "PW", "NF"])
}
