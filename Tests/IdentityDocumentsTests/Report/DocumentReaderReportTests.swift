import Testing

@testable import IdentityDocuments

@Suite("DocumentReaderReport")
struct DocumentReaderReportTests {
  private static let day = CalendarDate("2026-11-21")!
  private static let content = MRZContent(
    documentCode: "PD", issuingState: "UTO", surname: "ERIKSSON", givenNames: "ANNA MARIA", documentNumber: "L898902C3",
    nationality: "D", dateOfBirth: PartialDate("1974-08-12")!, sex: .female, dateOfExpiry: PartialDate("2030-04-15"),
    optionalData: "ZE184226B")

  private func zone(_ change: (inout MRZContent) -> Void = { _ in }, _ format: MRZFormat = .td3) throws
    -> MachineReadableZone
  {
    var content = Self.content
    change(&content)
    return try MachineReadableZone(content.lines(format).joined(), on: Self.day)
  }

  /// Read surely, but for the character at `doubtful`.
  private func optical(_ zone: MachineReadableZone, doubtful: (line: Int, column: Int)? = nil) throws -> OpticalMRZ {
    var confidences = zone.lines.map { Array(repeating: 0.99, count: $0.count) }
    if let doubtful { confidences[doubtful.line][doubtful.column] = 0.4 }
    return try OpticalMRZ(zone, confidences: confidences, minimumConfidence: 0.5)
  }

  private func chip(_ zone: MachineReadableZone?, _ status: CheckStatus) -> ChipReading {
    var chip = ChipReading(zone: zone)
    chip.passiveAuthentication = status
    chip.dataGroup1 = status
    chip.dataGroup11 = status
    chip.dataGroup12 = status
    return chip
  }

  private func report(
    _ optical: OpticalMRZ?, _ chip: ChipReading? = nil, portrait: [UInt8]? = nil, on date: CalendarDate = day,
    readRFID: Bool? = nil
  ) throws -> DocumentReaderReport {
    DocumentReaderReport(
      optical: optical, chip: chip, portrait: portrait, on: date,
      configuration: try DocumentReaderConfiguration(readRFID: readRFID ?? (chip != nil)))
  }

  @Test("a page that was read surely gives every field, and OK")
  func page() throws {
    let report = try report(optical(zone()))
    let expected: [(DocumentFieldName, String)] = [
      (.documentNumber, "L898902C3"), (.dateOfExpiry, "2030-04-15"), (.dateOfBirth, "1974-08-12"), (.age, "52"),
      (.personalNumber, "ZE184226B"), (.sex, "F"), (.issuingStateCode, "UTO"), (.issuingState, "Utopia"),
      (.nationalityCode, "D"), (.nationality, "Germany"), (.givenNames, "ANNA MARIA"), (.surname, "ERIKSSON"),
      (.surnameAndGivenNames, "ERIKSSON ANNA MARIA"), (.documentClassCode, "PD"), (.documentNumberCheckDigit, "6"),
      (.dateOfBirthCheckDigit, "2"), (.optionalDataCheckDigit, "1"), (.optionalData, "ZE184226B"),
      (.remainderTerm, "40"), (.mrzType, "2"),
    ]
    for (name, value) in expected { #expect(report.documentData[name] == .ok(value), "\(name)") }
    #expect(report.documentData[.mrzStrings] == .ok(try zone().lines.joined(separator: "\n")))
    #expect(report.documentData[.mrzStringsWithCorrectCheckSums] == report.documentData[.mrzStrings])
    #expect(report.documentData[.placeOfBirth] == .absent && report.documentData[.optionalData2] == .absent)
    #expect(report.statuses == [.ok] && report.rfidStatus == .undefined && report.mismatches.isEmpty)
    #expect(report.documentType == .passport && !report.documentData.hasChip)
    let info = try #require(report.documentData.documentTypeData.info)
    #expect(info.documentName == "Diplomatic passport" && info.icaoCode == "UTO" && info.dTypeId == 103)
    #expect(report.checks.map(\.status) == [.passed, .passed, .notChecked, .notChecked])
  }

  @Test("text alone: what has a check digit is OK, the rest is not checked, and so is the whole")
  func text() throws {
    let report = try report(OpticalMRZ(text: zone()))
    #expect(report.documentData[.documentNumber] == .ok("L898902C3"))
    #expect(report.documentData[.surname] == .notChecked("ERIKSSON", .unverified))
    #expect(report.documentData[.mrzStrings].status == .notChecked)
    #expect(report.statuses == [.notChecked])
    #expect(report.checks.first?.reason == .unverified)
  }

  @Test("a doubtful character makes its field not checked, whatever its check digit says")
  func doubtful() throws {
    for (line, column, names) in [
      (0, 6, [DocumentFieldName.surname, .givenNames, .surnameAndGivenNames]),
      (1, 3, [.documentNumber, .documentNumberCheckDigit]), (1, 9, [.documentNumber, .documentNumberCheckDigit]),
      (1, 20, [.sex]), (1, 43, [.finalCheckDigit]), (1, 30, [.optionalData, .personalNumber, .optionalDataCheckDigit]),
    ] {
      let report = try report(optical(zone(), doubtful: (line, column)))
      for name in DocumentFieldName.all where report.documentData[name].value != nil {
        let isDoubtful = names.contains(name) || [.mrzStrings, .mrzStringsWithCorrectCheckSums].contains(name)
        #expect(report.documentData[name].status == (isDoubtful ? .notChecked : .ok), "\(name)")
        #expect(report.documentData[name].reason == (isDoubtful ? .lowConfidence : nil))
      }
    }
  }

  @Test("a doubtful rest of a long number makes the number not checked")
  func doubtfulLongNumber() throws {
    let card = try zone(
      {
        $0.documentCode = "I"
        $0.documentNumber = "D23145890734"
        $0.optionalData = ""
      }, .td1)
    #expect(try report(optical(card)).documentData[.documentNumber] == .ok("D23145890734"))
    let report = try report(optical(card, doubtful: (0, 16)))
    #expect(report.documentData[.documentNumber] == .notChecked("D23145890734", .lowConfidence))
  }

  @Test("a wrong check digit is an error; the value stays as printed, and the corrected lines are not checked")
  func wrongDigit() throws {
    let printed = try zone().lines.joined().replacing("L898902C36", with: "L898902C37")
    let report = try report(optical(MachineReadableZone(printed, on: Self.day)))
    #expect(report.documentData[.documentNumber] == .error("L898902C3", .init(.checkDigitWrong)))
    #expect(report.documentData[.documentNumberCheckDigit] == .error("7", .init(.checkDigitWrong)))
    #expect(report.documentData[.finalCheckDigit].status == .error)
    #expect(report.documentData[.dateOfBirth].status == .ok)
    #expect(report.documentData[.mrzStrings].status == .error)
    #expect(report.documentData[.mrzStringsWithCorrectCheckSums].status == .notChecked)
    #expect(report.statuses == [.validationError])
  }

  @Test("optional data that the composite alone covers are as it is")
  func composite() throws {
    let card = try zone(
      {
        $0.documentCode = "I"
        $0.optionalData = "A1"
        $0.optionalData2 = "B2"
      }, .td1)
    #expect(try report(OpticalMRZ(text: card)).documentData[.optionalData2] == .ok("B2"))
    let lines = card.lines.joined().replacing("B2", with: "B3")
    let wrong = try report(OpticalMRZ(text: MachineReadableZone(lines, on: Self.day)))
    #expect(wrong.documentData[.optionalData].status == .error && wrong.documentData[.optionalData2].status == .error)
    #expect(wrong.documentData[.documentNumber].status == .ok)
    // A visa has nothing that covers them.
    let visa = try zone({ $0.documentCode = "V" }, .mrvA)
    #expect(try report(OpticalMRZ(text: visa)).documentData[.optionalData] == .notChecked("ZE184226B", .unverified))
    #expect(try report(OpticalMRZ(text: visa)).documentData[.finalCheckDigit] == .absent)
  }

  @Test("expiry, remainder term and age are those of the given day")
  func dates() throws {
    func on(_ date: String) throws -> (DocumentReaderReport, String?, String?) {
      let report = try report(optical(zone()), on: #require(CalendarDate(date)))
      return (report, report.documentData[.remainderTerm].value, report.documentData[.age].value)
    }
    let last = try on("2030-04-15")
    #expect(last.0.statuses == [.ok] && last.1 == "0" && last.2 == "55")
    let after = try on("2030-04-16")
    #expect(after.0.statuses == [.expiredDocument] && after.1 == "0")
    #expect(after.0.checks[1] == .init(name: .expiry, status: .failed, reason: .expired))
    #expect(try on("2030-03-15").1 == "1" && on("2030-03-16").1 == "0")
    #expect(try on("2029-08-11").2 == "54" && on("2029-08-12").2 == "55")
    let partial = try report(optical(zone { $0.dateOfBirth = PartialDate("1974-XX-XX")! }))
    #expect(partial.documentData[.dateOfBirth] == .ok("1974-XX-XX") && partial.documentData[.age] == .ok(nil))
    let year = try report(optical(zone { $0.dateOfExpiry = PartialDate("2026-11-XX") }))
    #expect(year.checks[1].reason == .expiryUnknown && year.statuses == [.notChecked])
    let never = try report(optical(zone { $0.dateOfExpiry = nil }))
    #expect(never.statuses == [.ok] && never.documentData[.dateOfExpiry] == .ok(nil))
    #expect(never.documentData[.remainderTerm].value == nil)
  }

  @Test("a genuine chip gives what the page has not, and success")
  func genuine() throws {
    var reading = try chip(zone(), .passed)
    reading.dateOfBirth = PartialDate("1974-08-12")
    reading.personalNumber = "19740812-1234"
    reading.placeOfBirth = "Zenith"
    reading.address = "1 Main Street"
    reading.dateOfIssue = PartialDate("2020-04-16")
    reading.signerSubject = "CN=DS,C=UT"
    reading.signerValidFrom = CalendarDate("2019-01-01")
    reading.signerValidTo = CalendarDate("2032-01-01")
    reading.cardAccessNumber = "123456"
    reading.page = 1
    let report = try report(optical(zone()), reading)
    let data = report.documentData
    #expect(report.statuses == [.ok] && report.rfidStatus == .success && data.hasChip && data.chipPage == 1)
    #expect(report.checks.allSatisfy { $0.status == .passed && $0.reason == nil })
    #expect(data[.personalNumber] == .ok("19740812-1234") && data[.placeOfBirth] == .ok("Zenith"))
    #expect(data[.address] == .ok("1 Main Street") && data[.dateOfIssue] == .ok("2020-04-16"))
    #expect(data[.dsCertificateSubject] == .ok("CN=DS,C=UT") && data[.dsCertificateValidTo] == .ok("2032-01-01"))
    #expect(data[.cardAccessNumber].status == .notChecked)
    #expect(report.opticalData?[.placeOfBirth] == .absent && report.chipData?[.surname] == .ok("ERIKSSON"))
  }

  @Test("the century of a birth is that of the chip's full date")
  func fullDate() throws {
    var reading = try chip(zone { $0.dateOfBirth = PartialDate("2020-08-12")! }, .passed)
    reading.dateOfBirth = PartialDate("1920-08-12")
    let old = try report(nil, reading)
    #expect(old.documentData[.dateOfBirth] == .ok("1920-08-12") && old.documentData[.age] == .ok("106"))
    reading.dateOfBirth = PartialDate("1921-08-12")
    #expect(try report(nil, reading).documentData[.dateOfBirth] == .ok("2020-08-12"))
  }

  @Test("a chip that is not shown to be genuine is never OK")
  func notChecked() throws {
    let report = try report(optical(zone()), chip(zone(), .notChecked))
    #expect(report.statuses == [.notChecked] && report.rfidStatus == .undefined)
    #expect(
      report.checks.last == .init(name: .passiveAuthentication, status: .notChecked, reason: .authenticationNotChecked))
    #expect(report.chipData?[.surname] == .notChecked("ERIKSSON", .authenticationNotChecked))
  }

  @Test("an altered chip is an error, and what the page says stands")
  func altered() throws {
    let report = try report(optical(zone()), chip(zone(), .failed))
    #expect(report.rfidStatus == .error && report.statuses == [.rfidPassiveAuthentication])
    #expect(report.chipData?[.surname] == .error("ERIKSSON", .dataGroupAltered))
    #expect(report.documentData[.surname] == .ok("ERIKSSON"))
  }

  @Test("page and chip that differ are compared field by field")
  func mismatch() throws {
    let other = try zone {
      $0.documentNumber = "L898902C4"
      $0.surname = "ERIKSEN"
      $0.nationality = "UTO"
    }
    let genuine = try report(optical(zone()), chip(other, .passed))
    #expect(genuine.mismatches.map(\.name) == [.surname, .documentNumber, .nationalityCode])
    #expect(genuine.mismatches.first?.optical.value == "ERIKSSON" && genuine.mismatches.first?.chip.value == "ERIKSEN")
    #expect(genuine.statuses == [.mrzRFIDMismatch] && genuine.documentData[.surname] == .ok("ERIKSEN"))
    let unknown = try report(optical(zone()), chip(other, .notChecked))
    for name in [DocumentFieldName.surname, .surnameAndGivenNames, .documentNumber, .nationality, .mrzStrings] {
      #expect(unknown.documentData[name].status == .error && unknown.documentData[name].reason == .sourcesDiffer)
    }
    #expect(unknown.documentData[.dateOfBirth].status == .ok)
    #expect(unknown.statuses == [.validationError, .mrzRFIDMismatch])
  }

  @Test(
    "what the page says survives a chip that could not be read",
    arguments: [
      DocumentDataStatus.rfidTimeout, .rfidGenericError, .rfidNFCNotSupported, .rfidPermissionNotGranted,
      .userSkippedRFID,
    ])
  func chipFailed(_ failure: DocumentDataStatus) throws {
    let page = try report(optical(zone()))
    let report = try report(optical(zone()), ChipReading(zone: nil, failure: failure))
    #expect(report.documentData == page.documentData && report.documentDataHash == page.documentDataHash)
    #expect(report.statuses == [failure] && report.rfidStatus == .error && report.chipData == nil)
  }

  @Test("a chip that was asked for and is not there is said; one that was not asked for is not looked at")
  func chipAskedFor() throws {
    let missing = try report(optical(zone()), nil, readRFID: true)
    #expect(missing.statuses == [.rfidTagNotFound] && missing.rfidStatus == .error)
    let unasked = try report(optical(zone()), chip(zone { $0.surname = "OTHER" }, .failed), readRFID: false)
    #expect(unasked.statuses == [.ok] && unasked.rfidStatus == .undefined && unasked.chipData == nil)
  }

  @Test("nothing read is an error of validation, without a hash")
  func nothing() throws {
    let report = try report(nil)
    #expect(report.statuses == [.validationError] && report.checks.first?.reason == .noData)
    #expect(report.documentDataHash == nil && report.documentType == .unknown && report.documentPhotoHash == nil)
    #expect(report.documentData[.surname] == .absent && report.documentData.fields.isEmpty)
  }

  @Test("the hashes bind the exact portrait and data")
  func hashes() throws {
    let photo = Array("abc".utf8)
    let report = try report(optical(zone()), portrait: photo)
    // FIPS 180-4, example of one block.
    #expect(report.documentPhotoHash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(report.verify(photo: photo, data: report.documentData) == .init(photo: .passed, data: .passed))
    let other = try self.report(optical(zone { $0.surname = "ERIKSSOM" })).documentData
    #expect(report.verify(photo: photo + [0], data: other) == .init(photo: .failed, data: .failed))
    #expect(report.verify(photo: nil, data: report.documentData).photo == .notChecked)
    #expect(try self.report(nil).verify(photo: photo, data: other) == .init(photo: .notChecked, data: .notChecked))
    // A status is part of what is bound.
    let doubtful = try self.report(OpticalMRZ(text: zone())).documentData
    #expect(report.verify(photo: nil, data: doubtful).data == .failed)
  }

  @Test("a value that is too long is an error, and whole")
  func limits() throws {
    var reading = try chip(zone(), .passed)
    reading.address = String(repeating: "x", count: 64)
    reading.placeOfBirth = String(repeating: "é", count: 255)
    #expect(try report(nil, reading).statuses == [.ok])
    reading.address = String(repeating: "x", count: 65)
    reading.placeOfBirth = String(repeating: "é", count: 256)
    let report = try report(nil, reading)
    #expect(report.documentData[.address] == .error(reading.address, .valueTooLong))
    #expect(report.documentData[.placeOfBirth] == .error(reading.placeOfBirth, .valueTooLong))
    #expect(report.statuses == [.validationError])
  }

  @Test("confidences that do not fit the zone are refused")
  func confidences() throws {
    let zone = try zone()
    let ones = zone.lines.map { Array(repeating: 1.0, count: $0.count) }
    #expect(throws: Never.self) { try OpticalMRZ(zone, confidences: ones, minimumConfidence: 0) }
    var wrong = ones
    wrong[1][3] = .nan
    for confidences in [[], [ones[0]], [ones[0], [1]], wrong] {
      #expect(throws: VerifyError(.badArgument, "")) {
        try OpticalMRZ(zone, confidences: confidences, minimumConfidence: 0)
      }
    }
    #expect(throws: VerifyError.self) { try OpticalMRZ(zone, confidences: ones, minimumConfidence: 1.1) }
  }
}
