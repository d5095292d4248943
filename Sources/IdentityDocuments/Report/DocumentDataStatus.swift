/// What can be said of a reading as a whole; several can hold at once.
public struct DocumentDataStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// All that was asked for was checked, and is right.
  public static let ok = Self(rawValue: "OK")
  /// Nothing is wrong, but not all could be checked.
  public static let notChecked = Self(rawValue: "NOT_CHECKED")
  /// A field is in error, or nothing was read.
  public static let validationError = Self(rawValue: "VALIDATION_ERROR")
  public static let expiredDocument = Self(rawValue: "EXPIRED_DOCUMENT")
  /// The passive authentication of the chip failed.
  public static let rfidPassiveAuthentication = Self(rawValue: "RFID_PASSIVE_AUTHENTICATION")
  /// The machine readable zones of page and chip differ.
  public static let mrzRFIDMismatch = Self(rawValue: "MRZ_RFID_MISMATCH")
  public static let rfidTimeout = Self(rawValue: "RFID_TIMEOUT")
  public static let rfidPermissionNotGranted = Self(rawValue: "RFID_PERMISSION_NOT_GRANTED")
  /// No chip was found, though one was asked for.
  public static let rfidTagNotFound = Self(rawValue: "RFID_TAG_NOT_FOUND")
  public static let rfidNFCNotSupported = Self(rawValue: "RFID_NFC_NOT_SUPPORTED")
  /// The chip's files could not be read.
  public static let rfidGenericError = Self(rawValue: "RFID_GENERIC_ERROR")
  public static let userSkippedRFID = Self(rawValue: "USER_SKIPPED_RFID")

  public static let all: [Self] = [
    .ok, .notChecked, .validationError, .expiredDocument, .rfidPassiveAuthentication, .mrzRFIDMismatch, .rfidTimeout,
    .rfidPermissionNotGranted, .rfidTagNotFound, .rfidNFCNotSupported, .rfidGenericError, .userSkippedRFID,
  ]

  /// A status by its name, or by the name that clients of another platform use, spelling mistakes included.
  public init?(name: String) {
    guard let status = Self.aliases[name] ?? Self.all.first(where: { $0.rawValue == name }) else { return nil }
    self = status
  }

  private static let aliases: [String: Self] = [
    "ok": .ok, "validationError": .validationError, "expiredDocument": .expiredDocument,
    "rfidPassiveAuthentication": .rfidPassiveAuthentication, "mrzRFIDMismatch": .mrzRFIDMismatch,
    "rfidNFCNotSupported": .rfidNFCNotSupported, "rfidGenericError": .rfidGenericError,
    "rfidTimeoutError": .rfidTimeout, "rfidTimeouError": .rfidTimeout, "userSkipedRfid": .userSkippedRFID,
    "userSkippedRfid": .userSkippedRFID,
  ]
}
