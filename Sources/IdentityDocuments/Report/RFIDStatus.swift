/// What became of reading the chip.
public enum RFIDStatus: String, Sendable, Hashable, CaseIterable, Codable {
  /// No chip was read, or it could not be shown to be genuine or not.
  case undefined = "UNDEFINED"
  /// The chip was read, and is genuine.
  case success = "SUCCESS"
  /// The chip could not be read, or is not genuine.
  case error = "ERROR"
}
