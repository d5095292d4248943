/// A symbology.
public struct CodeFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let qr = CodeFormat(rawValue: "qr")
  public static let microQR = CodeFormat(rawValue: "micro-qr")
  public static let rectangularMicroQR = CodeFormat(rawValue: "rmqr")
  public static let dataMatrix = CodeFormat(rawValue: "data-matrix")
  public static let aztec = CodeFormat(rawValue: "aztec")
  /// Used on driving licences in North America; includes Compact PDF417.
  public static let pdf417 = CodeFormat(rawValue: "pdf417")
  public static let maxiCode = CodeFormat(rawValue: "maxicode")
  public static let upcA = CodeFormat(rawValue: "upc-a")
  public static let upcE = CodeFormat(rawValue: "upc-e")
  public static let ean8 = CodeFormat(rawValue: "ean-8")
  public static let ean13 = CodeFormat(rawValue: "ean-13")
  public static let code39 = CodeFormat(rawValue: "code-39")
  public static let code93 = CodeFormat(rawValue: "code-93")
  public static let code128 = CodeFormat(rawValue: "code-128")
  /// Interleaved 2 of 5.
  public static let itf = CodeFormat(rawValue: "itf")
  /// GS1 DataBar, formerly RSS-14, including the stacked variants.
  public static let dataBar = CodeFormat(rawValue: "databar")
  /// GS1 DataBar Expanded, formerly RSS Expanded, including the stacked variant.
  public static let dataBarExpanded = CodeFormat(rawValue: "databar-expanded")

  /// All supported formats.
  public static let all: [CodeFormat] = [
    .qr, .microQR, .rectangularMicroQR, .dataMatrix, .aztec, .pdf417, .maxiCode, .upcA, .upcE, .ean8, .ean13, .code39,
    .code93, .code128, .itf, .dataBar, .dataBarExpanded,
  ]
  /// The formats of a limited scanner: ``CodeScanner/Configuration/isLimited``.
  public static let limited: [CodeFormat] = [
    .upcA, .upcE, .ean8, .ean13, .code39, .code93, .code128, .itf, .dataBar, .dataBarExpanded, .qr,
  ]

  /// Whether it is a linear (one-dimensional) code.
  public var isLinear: Bool { Self.limited.contains(self) && self != .qr }
}
