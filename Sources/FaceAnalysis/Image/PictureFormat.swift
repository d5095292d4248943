/// The kinds of pictures that are read.
public enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, heic, avif, jpeg2000, tiff, bmp

  public var name: String {
    switch self {
    case .webp: "WebP"
    case .jpeg2000: "JPEG 2000"
    default: rawValue.uppercased()
    }
  }

  /// All names, for people: "JPEG, PNG, … and BMP".
  public static var list: String {
    allCases.dropLast().map(\.name).joined(separator: ", ") + " and " + (allCases.last?.name ?? "")
  }
}

/// What was wrong with a photo that was read nevertheless.
public enum PhotoWarning: String, Sendable, CaseIterable {
  /// The file ends before its picture does: at least three quarters of the rows are there, the others are grey; or the
  /// finest details of the whole picture are missing.
  case truncated
  /// The embedded colour profile is broken, or of a kind that is not applied: the colours are taken for those of sRGB.
  case colourProfileIgnored = "colour-profile-ignored"

  /// For people.
  public var text: String {
    switch self {
    case .truncated: "the file ends before its picture does; what is missing is grey or coarse"
    case .colourProfileIgnored: "the colour profile cannot be applied; colours are taken as they are"
    }
  }
}
