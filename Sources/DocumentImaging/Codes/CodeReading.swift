/// A decoded code.
public struct CodeReading: Sendable, Hashable {
  public private(set) var format: CodeFormat
  /// The content as bytes. FNC1 between GS1 elements is 0x1D.
  public let bytes: [UInt8]
  /// The bytes as text, in the character sets that the code names, or else the likeliest one; nil if they are not text.
  public let text: String?
  /// The character set of ``text``: "ASCII", "UTF-8", "ISO-8859-1", or the one that the code names by ECI; nil if the
  /// text was decoded with another, guessed one.
  public let encoding: String?
  /// The Extended Channel Interpretation numbers in the code, in order.
  public let interpretations: [Int]
  /// The symbology identifier of ISO/IEC 15424, such as "]Q1".
  public let identifier: String
  /// The element strings of a GS1 code; nil if it is not one, or is malformed.
  public let gs1: [GS1Element]?
  /// The purpose of the text, if known.
  public let purpose: CodePurpose?
  /// Upper left in reading direction, then clockwise; in pixels of the upright picture.
  public private(set) var corners: [Point]
  /// Light on dark.
  public private(set) var isInverted: Bool
  public let isMirrored: Bool
  /// The position in a message that is split over several codes.
  public let part: Part?
  /// The share of its error-correction capacity that was not used, 0 to 1; 0 if unknown.
  let unusedCorrection: Double

  public struct Part: Sendable, Hashable {
    /// Zero-based.
    public let index: Int
    /// 0 if unknown.
    public let count: Int
  }

  package init(
    format: CodeFormat, bytes: [UInt8], text: String, marked: [UInt8], identifier: String, isGS1: Bool,
    isBinary: Bool = false, corners: [Point] = [], isInverted: Bool = false, isMirrored: Bool = false,
    part: Part? = nil, unusedCorrection: Double = 0
  ) {
    (self.format, self.bytes, self.identifier) = (format, bytes, identifier)
    (self.corners, self.isInverted, self.isMirrored) = (corners, isInverted, isMirrored)
    (self.part, self.unusedCorrection) = (part, unusedCorrection)
    interpretations = CodePayload.interpretations(marked)
    // Without a character set, bytes that zxing-cpp classifies as binary are text if they are ASCII, control characters
    // included.
    let isText =
      isBinary && interpretations.isEmpty ? bytes.allSatisfy { $0 < 0x80 } : !text.isEmpty || bytes.isEmpty
    self.text = isText ? text : nil
    encoding = isText ? CodePayload.encoding(of: bytes, as: text, interpretations: interpretations) : nil
    gs1 = isGS1 ? CodePayload.gs1(bytes) : nil
    purpose = CodePurpose(text: text)
  }

  func replacing(format: CodeFormat? = nil, corners: [Point]) -> CodeReading {
    var reading = self
    reading.format = format ?? self.format
    reading.corners = corners
    return reading
  }

  /// The same reading, from a negative.
  var inverted: CodeReading {
    var reading = self
    reading.isInverted.toggle()
    return reading
  }
}

/// One element of a GS1 code: identifier and value.
public struct GS1Element: Sendable, Hashable {
  /// The application identifier: "01" is a GTIN.
  public let identifier: String
  public let value: String
}

/// The purpose of a code's text.
public struct CodePurpose: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Offers a mobile driving licence (device engagement of ISO/IEC 18013-5). The code does not contain the licence: the
  /// phone sends it over Bluetooth, NFC or Wi-Fi, which this library does not implement.
  public static let mobileLicence = CodePurpose(rawValue: "mobile-licence-engagement")
  public static let link = CodePurpose(rawValue: "link")
  /// The data of a driving licence (AAMVA DL/ID Card Design Standard).
  public static let licence = CodePurpose(rawValue: "aamva-licence")

  /// An explanation in one sentence; may be empty.
  public var text: String {
    switch self {
    case .mobileLicence:
      "A phone offers a mobile driving licence here (ISO/IEC 18013-5). The licence is not in the code, and fetching it "
        + "from the phone is not supported: use the physical document."
    case .licence: "The data of a driving licence (AAMVA)."
    case .link: "A link. Nothing was opened."
    default: ""
    }
  }

  package init?(text: String) {
    // The scheme of ISO/IEC 18013-5, 8.2.2.3, is case-insensitive like every URI scheme.
    let start = text.prefix(8).lowercased()
    if start.hasPrefix("mdoc:") {
      self = .mobileLicence
    } else if start.hasPrefix("https://") || start.hasPrefix("http://") {
      self = .link
    } else if text.hasPrefix("@\n\u{1E}\rANSI ") || text.hasPrefix("@\n\u{1C}\rANSI ")
      || text.hasPrefix("@\n\u{1E}\rAAMVA")
    {
      // Compliance indicator, separators and file type of the AAMVA card design standards since 2000.
      self = .licence
    } else {
      return nil
    }
  }
}

extension CodeReading: JSONConvertible {
  /// Bytes in lower-case hexadecimal; `text`, `encoding`, `gs1`, `purpose` and `part` may be null.
  public var jsonValue: JSONValue {
    [
      "format": .string(format.rawValue), "bytes": .string(hexadecimal(bytes)), "text": .optional(text),
      "encoding": .optional(encoding), "interpretations": .array(interpretations.map { .integer($0) }),
      "identifier": .string(identifier), "gs1": gs1?.jsonValue ?? .null, "purpose": .optional(purpose?.rawValue),
      "corners": corners.jsonValue, "isInverted": .bool(isInverted), "isMirrored": .bool(isMirrored),
      "part": part.map { ["index": .integer($0.index), "count": .integer($0.count)] } ?? .null,
    ]
  }
}

extension GS1Element: JSONConvertible {
  public var jsonValue: JSONValue { ["identifier": .string(identifier), "value": .string(value)] }
}
