/// A code that was read.
public struct CodeReading: Sendable, Hashable {
  public let format: CodeFormat
  /// What the code holds, byte for byte. FNC1 between GS1 elements is 0x1D.
  public let bytes: [UInt8]
  /// The bytes as text, by the character sets that the code names, else by the likeliest one; nil if they are not text.
  public let text: String?
  /// The character set of ``text``: "ASCII", "UTF-8", "ISO-8859-1", what the code names by ECI, or nil if another was taken
  /// to be the likeliest.
  public let encoding: String?
  /// The numbers of the Extended Channel Interpretations that the code names, in order.
  public let interpretations: [Int]
  /// The symbology and its options as in ISO/IEC 15424, such as "]Q1".
  public let identifier: String
  /// The element strings of a GS1 code; nil if it is none, or they do not follow the rules of GS1.
  public let gs1: [GS1Element]?
  /// What the text is for, where that is known.
  public let purpose: CodePurpose?
  /// Upper left as it is read, then clockwise; in pixels of the upright picture.
  public let corners: [Point]
  /// Light on dark.
  public let isInverted: Bool
  public let isMirrored: Bool
  /// Which part of how many this is, if a message is spread over several codes.
  public let part: Part?
  /// The share of its means to correct errors that was not needed, 0 to 1; 0 where unknown.
  let unusedCorrection: Double

  public struct Part: Sendable, Hashable {
    /// From 0.
    public let index: Int
    /// 0 if the code does not tell.
    public let count: Int
  }

  package init(
    format: CodeFormat, bytes: [UInt8], text: String, marked: [UInt8], identifier: String, isGS1: Bool,
    isBinary: Bool = false, corners: [Point] = [], isInverted: Bool = false, isMirrored: Bool = false,
    part: Part? = nil, unusedCorrection: Double = 0
  ) {
    self.format = format
    self.bytes = bytes
    self.identifier = identifier
    self.corners = corners
    self.isInverted = isInverted
    self.isMirrored = isMirrored
    self.part = part
    self.unusedCorrection = unusedCorrection
    interpretations = CodePayload.interpretations(marked)
    // Without a character set, bytes that zxing-cpp takes for binary are text if they are ASCII, control codes and all.
    let isText =
      isBinary && interpretations.isEmpty ? bytes.allSatisfy { $0 < 0x80 } : !text.isEmpty || bytes.isEmpty
    self.text = isText ? text : nil
    encoding = isText ? CodePayload.encoding(of: bytes, as: text, interpretations: interpretations) : nil
    gs1 = isGS1 ? CodePayload.gs1(bytes) : nil
    purpose = CodePurpose(text: text)
  }

  private init(_ other: CodeReading, format: CodeFormat, corners: [Point], isInverted: Bool) {
    self.format = format
    self.corners = corners
    bytes = other.bytes
    text = other.text
    encoding = other.encoding
    interpretations = other.interpretations
    identifier = other.identifier
    gs1 = other.gs1
    purpose = other.purpose
    self.isInverted = isInverted
    isMirrored = other.isMirrored
    part = other.part
    unusedCorrection = other.unusedCorrection
  }

  func replacing(format: CodeFormat? = nil, corners: [Point]) -> CodeReading {
    CodeReading(self, format: format ?? self.format, corners: corners, isInverted: isInverted)
  }

  /// As it was read in a negative.
  var inverted: CodeReading { CodeReading(self, format: format, corners: corners, isInverted: !isInverted) }
}

/// One element of a GS1 code: what it is, and its value.
public struct GS1Element: Sendable, Hashable {
  /// The application identifier: "01" is a GTIN.
  public let identifier: String
  public let value: String
}

/// What a code's text is for.
public struct CodePurpose: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It offers to show a mobile driving licence (device engagement of ISO/IEC 18013-5). The licence itself is not in the
  /// code: the phone sends it over Bluetooth, NFC or Wi-Fi, which this library does not speak.
  public static let mobileLicence = CodePurpose(rawValue: "mobile-licence-engagement")
  public static let link = CodePurpose(rawValue: "link")
  /// A driving licence's data (AAMVA DL/ID Card Design Standard).
  public static let licence = CodePurpose(rawValue: "aamva-licence")

  /// One sentence for people, where there is something to say.
  public var text: String {
    switch self {
    case .mobileLicence:
      "A phone offers a mobile driving licence here (ISO/IEC 18013-5). The licence is not in the code, and fetching it "
        + "from the phone is not supported: ask for the physical document."
    case .licence: "The data of a driving licence (AAMVA)."
    case .link: "A link. Nothing was opened."
    default: ""
    }
  }

  package init?(text: String) {
    // The scheme of ISO/IEC 18013-5, 8.2.2.3, is as others are: in any case of letters.
    let start = text.prefix(8).lowercased()
    if start.hasPrefix("mdoc:") {
      self = .mobileLicence
    } else if start.hasPrefix("https://") || start.hasPrefix("http://") {
      self = .link
    } else if text.hasPrefix("@\n\u{1E}\rANSI ") || text.hasPrefix("@\n\u{1C}\rANSI ")
      || text.hasPrefix("@\n\u{1E}\rAAMVA")
    {
      // Compliance indicator, separators and file type of the AAMVA card design standards of 2000 and later.
      self = .licence
    } else {
      return nil
    }
  }
}
