/// The sex of the holder (ICAO 9303-4, 4.2.2.2).
public enum MRZSex: String, Sendable, Hashable, CaseIterable, Codable {
  case female = "F"
  case male = "M"
  /// `<` in the machine readable zone, X in the visual one.
  case unspecified = "X"
}
