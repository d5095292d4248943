/// Names and numbers from the specifications of identity-check SDKs: those of the SDKs' interfaces, not of this
/// library. For integrations that still need them; not used within this library.
///
/// Values without a counterpart are nil.
public enum SpecificationNames {
  // MARK: Documents

  /// The `rfidStatus` of a report: "SUCCESS" if the chip is authentic, "ERROR" if it is not or could not be read,
  /// otherwise "UNDEFINED".
  public static func rfidStatus(of report: DocumentReport) -> String {
    let authentication = report[.passiveAuthentication]?.status
    if report[.chipRead]?.status == .failed || authentication == .failed { return "ERROR" }
    return authentication == .passed ? "SUCCESS" : "UNDEFINED"
  }

  /// The `statuses` of a report: "OK" or "NOT_CHECKED" alone, or all failures.
  public static func statuses(of report: DocumentReport) -> [String] {
    var failed: [String] = []
    for name in report.checks.filter({ $0.status == .failed }).compactMap(status) where !failed.contains(name) {
      failed.append(name)
    }
    return failed.isEmpty ? [report.result == .passed ? "OK" : "NOT_CHECKED"] : failed
  }

  /// The name of a failed check in `statuses`.
  public static func status(of check: DocumentCheck) -> String? {
    switch check.name {
    case .validation, .pagesMatch, .portraitMatchesChip, .printMatches: "VALIDATION_ERROR"
    case .expiry: "EXPIRED_DOCUMENT"
    case .mrzMatchesChip: "MRZ_RFID_MISMATCH"
    case .chipRead: check.reason == .noChip ? "RFID_TAG_NOT_FOUND" : "RFID_GENERIC_ERROR"
    case .passiveAuthentication: "RFID_PASSIVE_AUTHENTICATION"
    default: nil
    }
  }

  /// The status of a field.
  public static func fieldStatus(_ status: CheckStatus) -> String {
    switch status {
    case .passed: "OK"
    case .failed: "ERROR"
    case .notChecked: "NOT_CHECKED"
    }
  }

  /// The name of a field; most names are identical.
  public static func field(_ name: DocumentFieldName) -> String {
    switch name {
    case .documentCode: "documentClassCode"
    case .compositeCheckDigit: "finalCheckDigit"
    case .monthsToExpiry: "remainderTerm"
    case .mrzFormat: "mrzType"
    case .mrzLines: "mrzStrings"
    case .mrzLinesWithCorrectCheckDigits: "mrzStringsWithCorrectCheckSums"
    case .signerSubject: "dsCertificateSubject"
    case .signerValidFrom: "dsCertificateValidFrom"
    case .signerValidTo: "dsCertificateValidTo"
    default: name.rawValue
    }
  }

  /// The `mrzType`: the size of the document as defined by ISO/IEC 7810, 0 for ID-1, 1 for ID-2, 2 for ID-3.
  public static func mrzType(_ format: MRZFormat) -> Int {
    switch format {
    case .td1: 0
    case .td2, .mrvB: 1
    case .td3, .mrvA: 2
    }
  }

  /// The `documentType`.
  public static func documentType(_ type: DocumentType) -> String? {
    type.kind?.specificationName ?? (type == .unknown ? "UNKNOWN" : nil)
  }

  /// The keys of ``DocumentReport/portraitSHA256`` and ``DocumentReport/dataSHA256``.
  public static let portraitSHA256 = "documentPhotoHash"
  public static let dataSHA256 = "documentDataHash"

  /// The number of a reason for rejecting a document's picture.
  public static func rejectionNumber(_ reason: DocumentImageCheck.Reason) -> Int? {
    switch reason {
    case .blackWhiteCopy: 102
    case .colourPhotocopy: 103
    case .digitalCopy: 104
    case .notReadable: 200
    case .noDocument: 201
    case .missingBack: 206
    case .blurry: 2001
    case .missingPart: 2003
    case .hiddenPart: 2004
    case .damaged: 2005
    case .glare: 2006
    case .missingFront: 214
    case .unsupportedDocument: 401
    default: nil
    }
  }

  // MARK: Sessions

  /// The scan part's step that corresponds to a session's state.
  public static func step(_ state: LivenessSessionState) -> String {
    switch state {
    case .started: "started"
    case .capturing: "scanView"
    case .captured: "imageTaken"
    case .live: "canFinish"
    case .undecided: "retry"
    case .presentationAttack: "rejectView"
    }
  }

  /// The name of a hint. The specifications call a yaw or pitch of the head a tilt of the face.
  public static func hint(_ hint: LivenessHint) -> String {
    switch hint {
    case .centreFace: "centerFace"
    case .raiseChin: "tiltFaceUp"
    case .lowerChin: "tiltFaceDown"
    case .turnFaceLeft: "tiltFaceLeft"
    case .turnFaceRight: "tiltFaceRight"
    default: camelCase(hint.rawValue)
    }
  }

  /// The name of a retry reason.
  public static func retry(_ reason: RetryReason) -> String { camelCase(reason.rawValue) }

  /// The code of a retry reason, starting at 1; stable across releases. nil for an unknown reason.
  public static func retryCode(_ reason: RetryReason) -> Int? {
    RetryReason.allCases.firstIndex(of: reason).map { $0 + 1 }
  }

  // MARK: Journeys

  /// The name of a scan mode; nil without a counterpart.
  public static func scanMode(_ mode: ScanMode) -> String? {
    switch mode {
    case .strict: "livenessPremium"
    case .chipFiles: "nfc"
    case .passive: nil
    default: camelCase(mode.rawValue)
    }
  }

  /// The name of a part.
  public static func part(_ part: JourneyPart) -> String { part == .chip ? "nfc" : part.rawValue }

  /// The name of an event: that of its step or update, or of the corresponding callback.
  public static func event(_ event: JourneyEvent) -> String { Self.event(named: event.name) }

  /// The same for an event's name.
  package static func event(named name: String) -> String {
    switch name {
    case "initialized": "didInitialize"
    case "choice-needed": "didDetermineAvailableCountries"
    case "legal-advice": "shouldDisplayLegalAdvice"
    case "all-captured": "didCaptureAllParts"
    case "addon-part": "addonScanPart"
    case "face-hint", "document-hint": "extractionState"
    case "chip-started": "nfcExtractionStarted"
    case "chip-progress": "nfcExtractionProgress"
    case "chip-finished": "nfcExtractionFinished"
    default: camelCase(name)
    }
  }

  /// The name of a document hint.
  public static func hint(_ hint: DocumentHint) -> String {
    switch hint {
    case .centreDocument: "centerId"
    case .flip: "rotate"
    default: camelCase(hint.rawValue)
    }
  }

  /// The name of a logical error; nil without a counterpart.
  public static func logicalError(_ error: LogicalError) -> String? {
    switch error {
    case .dataCentreValidationFailed: "dataCenterValidationFailed"
    case .wrongOrder: nil
    default: camelCase(error.rawValue)
    }
  }

  /// The error code of the older of the two generations; nil without a counterpart.
  public static func olderCode(_ code: JourneyError.Code) -> String? {
    switch code.rawValue.first {
    case "A": "A10000"
    case "B": "B10000"
    case "C": "C10401"
    case "E": "E20000"
    case let letter? where "FGHIJYZ".contains(letter): "\(letter)00000"
    default: nil
    }
  }

  private static func camelCase(_ kebab: String) -> String {
    let words = kebab.split(separator: "-")
    return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
