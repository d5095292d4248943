/// The supported picture formats.
public enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, heic, avif, jpeg2000, tiff, bmp

  public var name: String {
    switch self {
    case .webp: "WebP"
    case .jpeg2000: "JPEG 2000"
    default: rawValue.uppercased()
    }
  }

  /// All names as display text: "JPEG, PNG, … and BMP".
  public static var list: String {
    allCases.dropLast().map(\.name).joined(separator: ", ") + " and " + (allCases.last?.name ?? "")
  }
}

/// A defect of a photo that was read nevertheless.
public enum PhotoWarning: String, Sendable, CaseIterable {
  /// The file is truncated: at least three quarters of the rows are present and the others are grey, or the finest
  /// details of the whole picture are missing.
  case truncated
  /// The embedded colour profile is malformed or unsupported: the colours are treated as sRGB.
  case colourProfileIgnored = "colour-profile-ignored"

  /// A description for users.
  public var text: String {
    switch self {
    case .truncated: "the file is truncated; the missing part is grey or coarse"
    case .colourProfileIgnored: "the colour profile cannot be applied; colours are treated as sRGB"
    }
  }
}
