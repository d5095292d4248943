import FaceVerifyJourney
import Testing

@testable import IdentityDocuments

/// Names and numbers of the specification documents.
@Suite("Names of the specification documents")
struct SpecificationNamesTests {
  @Test("every value with a name there has a unique one, and an unknown value has none")
  func complete() {
    func check<Value, Name: Hashable>(_ values: [Value], _ name: (Value) -> Name?) {
      let names = values.compactMap(name)
      #expect(names.count == values.count && Set(names).count == values.count, "\(names)")
    }
    check(DocumentType.allCases, SpecificationNames.documentType)
    check(DocumentFieldName.allCases, SpecificationNames.field)
    check(
      DocumentImageCheck.Reason.allCases.filter { ![.severalDocuments, .wrongFont].contains($0) },
      SpecificationNames.rejectionNumber)
    check(RetryReason.allCases, SpecificationNames.retryCode)
    check(RetryReason.allCases, SpecificationNames.retry)
    check(LivenessHint.allCases, SpecificationNames.hint)
    check(LivenessSessionState.allCases, SpecificationNames.step)
    check([CheckStatus.passed, .failed, .notChecked], SpecificationNames.fieldStatus)
    #expect(SpecificationNames.documentType(.init(rawValue: "other")) == nil)
    #expect(SpecificationNames.retryCode(.init(rawValue: "unknown")) == nil)
    #expect(SpecificationNames.rejectionNumber(.init(rawValue: "unknown")) == nil)
  }

  // Rows: NV41 ID-idType DR21 RT-codes V6-states-face
  @Test("names equal those of the specification documents")
  func names() {
    #expect(
      DocumentType.allCases.map(SpecificationNames.documentType) == [
        "PASSPORT", "VISA", "ID_CARD", "DRIVING_LICENSE", "UNKNOWN",
      ])
    #expect(
      [CheckStatus.passed, .failed, .notChecked].map(SpecificationNames.fieldStatus) == [
        "OK", "ERROR", "NOT_CHECKED",
      ])
    #expect(
      DocumentImageCheck.Reason.allCases.map(SpecificationNames.rejectionNumber) == [
        102, 103, 104, 200, 201, 206, 2001, 2003, 2004, 2005, 2006, nil, nil,
      ])
    #expect(
      LivenessSessionState.allCases.map(SpecificationNames.step) == [
        "started", "scanView", "imageTaken", "canFinish", "retry", "rejectView",
      ])
    #expect(
      LivenessHint.allCases.map(SpecificationNames.hint) == [
        "moveFaceIntoFrame", "multipleFaces", "lightingTooDark", "lightingTooBright", "sunglasses", "obscuredFace",
        "faceTooClose", "moveFaceCloser", "centerFace", "levelEyesAndDevice", "tiltFaceUp", "tiltFaceDown",
        "tiltFaceLeft",
        "tiltFaceRight", "eyesClosed", "tooMuchMovement", "holdStill",
      ])
    #expect(
      RetryReason.allCases.map(SpecificationNames.retry) == [
        "generic", "tooMuchMovement", "lightingTooBright", "lightingTooDark", "eyesClosed", "obscuredFace",
        "multipleFaces", "sunglasses", "faceTooClose", "faceTooFar", "faceMisaligned", "userTimeout", "wrongMovement",
        "interrupted",
      ])
    #expect(RetryReason.allCases.map(SpecificationNames.retryCode) == Array(1...14))
    #expect(MRZFormat.allCases.map(SpecificationNames.mrzType) == [0, 1, 2, 2, 1])
    #expect(SpecificationNames.portraitSHA256 == "documentPhotoHash")
    #expect(SpecificationNames.dataSHA256 == "documentDataHash")
    for name in ["mrzStringsWithCorrectCheckSums", "remainderTerm", "dsCertificateValidFrom", "surnameAndGivenNames"] {
      #expect(DocumentFieldName.allCases.map(SpecificationNames.field).contains(name))
    }
  }

  // Rows: DR11 DR22 DR23 V4.15-d RR-501 V4.12-e
  @Test("the statuses of a report follow from its checks")
  func statuses() throws {
    let day = try #require(CalendarDate("2010-01-01"))
    let later = try #require(CalendarDate("2020-01-01"))
    let zone = try MachineReadableZone(DocumentReadingTests.lines.joined(), on: day)
    func page(_ confidence: Double = 1) throws -> PageZone {
      try PageZone(
        zone, confidences: zone.lines.map { Array(repeating: confidence, count: $0.count) }, minimumConfidence: 0.5)
    }
    func chip(_ status: CheckStatus, _ zone: MachineReadableZone?) -> ChipReading {
      let verdict: PassiveAuthentication.Verdict =
        status == .passed ? .authentic : status == .failed ? .invalid : .validWithoutAnchor
      var chip = ChipReading(ChipFiles(), trust: TrustStore(), date: DateTime(day))
      chip.zone = zone
      chip.evidence = ChipEvidence(
        securityObject: .usable, dataGroup1: zone == nil ? .unusable : .usable, dataGroup2: .usable,
        isComplete: true, verdict: verdict, isInDate: true, isTrustGiven: true)
      chip.dataGroup1 = status
      return chip
    }
    let other = try MachineReadableZone(
      DocumentReadingTests.lines.joined().replacing("ANNA", with: "ANNE"), on: day)
    let cases: [(DocumentReport, [String], String)] = [
      (DocumentReport(page: try page(), chip: nil, accepted: [.page], on: day), ["OK"], "UNDEFINED"),
      (DocumentReport(page: try page(0.1), chip: nil, on: day), ["NOT_CHECKED"], "UNDEFINED"),
      (DocumentReport(page: nil, chip: nil, on: day), ["VALIDATION_ERROR"], "UNDEFINED"),
      (DocumentReport(page: try page(), chip: nil, on: later), ["EXPIRED_DOCUMENT"], "UNDEFINED"),
      (DocumentReport(page: try page(), chip: nil, chipExpected: true, on: day), ["RFID_TAG_NOT_FOUND"], "ERROR"),
      (DocumentReport(page: try page(), chip: chip(.notChecked, nil), on: day), ["RFID_GENERIC_ERROR"], "ERROR"),
      (DocumentReport(page: try page(), chip: chip(.passed, zone), on: day), ["OK"], "SUCCESS"),
      (DocumentReport(page: try page(), chip: chip(.notChecked, zone), on: day), ["NOT_CHECKED"], "UNDEFINED"),
      (DocumentReport(page: try page(), chip: chip(.failed, zone), on: day), ["RFID_PASSIVE_AUTHENTICATION"], "ERROR"),
      (DocumentReport(page: try page(), chip: chip(.passed, other), on: day), ["MRZ_RFID_MISMATCH"], "SUCCESS"),
      (
        DocumentReport(page: try page(), chip: chip(.passed, other), on: later),
        ["EXPIRED_DOCUMENT", "MRZ_RFID_MISMATCH"], "SUCCESS"
      ),
    ]
    for (report, statuses, rfid) in cases {
      #expect(SpecificationNames.statuses(of: report) == statuses)
      #expect(SpecificationNames.rfidStatus(of: report) == rfid)
    }
    for name in [DocumentCheckName.pagesMatch, .portraitMatchesChip] {
      let side = DocumentCheck(name, .failed, .portraitsDiffer)
      let report = DocumentReport(page: try page(), chip: nil, sides: [side], on: day)
      #expect(SpecificationNames.statuses(of: report) == ["VALIDATION_ERROR"])
    }
    #expect(DocumentCheckName.allCases.count == 8)
  }
}
