/// The layout of a machine readable zone (ICAO 9303, parts 4 to 7).
public enum MRZFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// Cards of size ID-1: three lines of 30 characters (part 5).
  case td1 = "TD1"
  /// Documents of size ID-2: two lines of 36 characters (part 6).
  case td2 = "TD2"
  /// Passport booklets, size ID-3: two lines of 44 characters (part 4).
  case td3 = "TD3"
  /// Visas of format A: two lines of 44 characters (part 7).
  case mrvA = "MRV-A"
  /// Visas of format B: two lines of 36 characters (part 7).
  case mrvB = "MRV-B"

  public var lineCount: Int { self == .td1 ? 3 : 2 }

  /// Characters of each line.
  public var lineLength: Int {
    switch self {
    case .td1: 30
    case .td2, .mrvB: 36
    case .td3, .mrvA: 44
    }
  }
  public var isVisa: Bool { self == .mrvA || self == .mrvB }

  /// The size of the document by ISO/IEC 7810: 0 is ID-1, 1 is ID-2, 2 is ID-3.
  public var mrzType: Int {
    switch self {
    case .td1: 0
    case .td2, .mrvB: 1
    case .td3, .mrvA: 2
    }
  }
}
