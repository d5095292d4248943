import Testing

@testable import IdentityDocuments

@Suite("DocumentReport")
struct DocumentReportTests {
  private static let day = CalendarDate("2026-11-21")!
  private func zone(_ change: (inout MRZContent) -> Void = { _ in }, _ format: MRZFormat = .td3) throws
    -> MachineReadableZone
  {
    var content = MRZContent.specimen
    change(&content)
    return try MachineReadableZone(content.lines(format).joined(), on: Self.day)
  }

  private func optical(_ zone: MachineReadableZone, doubtful: (line: Int, column: Int)? = nil) throws -> PageZone {
    try PageZone(certain: zone, doubtful: doubtful)
  }

  private func chip(_ zone: MachineReadableZone?, _ status: CheckStatus) -> ChipReading {
    let verdict: PassiveAuthentication.Verdict =
      switch status {
      case .passed: .authentic
      case .failed: .invalid
      case .notChecked: .validWithoutAnchor
      }
    var chip = ChipReading(ChipFiles(), trust: TrustStore(), date: DateTime(Self.day))
    chip.zone = zone
    chip.evidence = ChipEvidence(
      securityObject: .usable, dataGroup1: zone == nil ? .unusable : .usable, dataGroup2: .usable, isComplete: true,
      verdict: verdict, isInDate: true, isTrustGiven: true)
    chip.dataGroup1 = status
    chip.dataGroup11 = status
    chip.dataGroup12 = status
    return chip
  }

  private func report(
    _ optical: PageZone?, _ chip: ChipReading? = nil, portrait: [UInt8]? = nil, on date: CalendarDate = day,
    chipExpected: Bool = false, accepted: Set<UnauthenticatedDocument> = [.page]
  ) throws -> DocumentReport {
    DocumentReport(
      page: optical, chip: chip, chipExpected: chipExpected, accepted: accepted,
      portraitSHA256: portrait.map { sha256($0) }, on: date)
  }

  private func failed(_ report: DocumentReport) -> [DocumentCheckName] {
    report.checks.filter { $0.status == .failed }.map(\.name)
  }

  // Rows: NV51 DR14 DR15 DR16 DR20 ID-issuingCountry ID-idType ID-idSubType ID-firstName ID-lastName ID-dateOfBirth
  // Rows: ID-expiryDate ID-documentNumber ID-gender ID-nationality ID-mrzLines NV42 NV46
  @Test("a page read with certainty yields every field and passes")
  func page() throws {
    let report = try report(optical(zone()))
    let expected: [(DocumentFieldName, String)] = [
      (.documentNumber, "L898902C3"), (.dateOfExpiry, "2030-04-15"), (.dateOfBirth, "1974-08-12"), (.age, "52"),
      (.personalNumber, "ZE184226B"), (.sex, "F"), (.issuingStateCode, "UTO"), (.issuingState, "Utopia"),
      (.nationalityCode, "D"), (.nationality, "Germany"), (.givenNames, "ANNA MARIA"), (.surname, "ERIKSSON"),
      (.surnameAndGivenNames, "ERIKSSON ANNA MARIA"), (.documentCode, "PD"), (.documentNumberCheckDigit, "6"),
      (.dateOfBirthCheckDigit, "2"), (.optionalDataCheckDigit, "1"), (.optionalData, "ZE184226B"),
      (.monthsToExpiry, "40"), (.mrzFormat, "td3"),
    ]
    for (name, value) in expected { #expect(report.data[name] == .passed(value), "\(name)") }
    #expect(report.data[.mrzLines] == .passed(try zone().lines.joined(separator: "\n")))
    #expect(report.data[.mrzLinesWithCorrectCheckDigits] == report.data[.mrzLines])
    #expect(report.data[.placeOfBirth] == .absent && report.data[.optionalData2] == .absent)
    #expect(report.result == .passed && report[.chipRead]?.reason == .noChip && report.mismatches.isEmpty)
    #expect(report.data.type == .passport && !report.data.hasChip)
    #expect(report.data.documentClass == .diplomaticPassport)
    #expect(report.data.documentClass?.name == "Diplomatic passport")
    #expect(report.checks.map(\.name) == DocumentCheckName.allCases)
    #expect(report.checks.map(\.status) == [.passed, .passed] + Array(repeating: .notChecked, count: 6))
  }

  // Rows: DR13
  @Test("text without a picture: fields with a check digit pass, the rest and the whole are not checked")
  func text() throws {
    let report = try report(PageZone(text: zone()))
    #expect(report.data[.documentNumber] == .passed("L898902C3"))
    #expect(report.data[.surname] == .notChecked("ERIKSSON", .unverified))
    #expect(report.data[.mrzLines].status == .notChecked)
    #expect(report.result == .notChecked)
    #expect(report[.validation]?.reason == .unverified)
  }

  // Rows: DR13
  @Test("a doubtful character makes its field not checked, regardless of its check digit")
  func doubtful() throws {
    for (line, column, names) in [
      (0, 6, [DocumentFieldName.surname, .givenNames, .surnameAndGivenNames]),
      (1, 3, [.documentNumber, .documentNumberCheckDigit]), (1, 9, [.documentNumber, .documentNumberCheckDigit]),
      (1, 20, [.sex]), (1, 43, [.compositeCheckDigit]),
      (1, 30, [.optionalData, .personalNumber, .optionalDataCheckDigit]),
    ] {
      let report = try report(optical(zone(), doubtful: (line, column)))
      for name in DocumentFieldName.allCases where report.data[name].value != nil {
        let isDoubtful = names.contains(name) || [.mrzLines, .mrzLinesWithCorrectCheckDigits].contains(name)
        #expect(report.data[name].status == (isDoubtful ? .notChecked : .passed), "\(name)")
        #expect(report.data[name].reason == (isDoubtful ? .lowConfidence : nil))
      }
    }
  }

  @Test("a doubtful continuation of a long number makes the number not checked")
  func doubtfulLongNumber() throws {
    let card = try zone(
      {
        $0.documentCode = "I"
        $0.documentNumber = "D23145890734"
        $0.optionalData = ""
      }, .td1)
    #expect(try report(optical(card)).data[.documentNumber] == .passed("D23145890734"))
    let report = try report(optical(card, doubtful: (0, 16)))
    #expect(report.data[.documentNumber] == .notChecked("D23145890734", .lowConfidence))
  }

  // Rows: NV56 DR13 DR15 DR16
  @Test("a wrong check digit is an error; the value stays as printed, and the corrected lines are not checked")
  func wrongDigit() throws {
    let printed = try zone().lines.joined().replacing("L898902C36", with: "L898902C37")
    let report = try report(optical(MachineReadableZone(printed, on: Self.day)))
    #expect(report.data[.documentNumber] == .failed("L898902C3", .checkDigitWrong))
    #expect(report.data[.documentNumberCheckDigit] == .failed("7", .checkDigitWrong))
    #expect(report.data[.compositeCheckDigit].status == .failed)
    #expect(report.data[.dateOfBirth].status == .passed)
    #expect(report.data[.mrzLines].status == .failed)
    #expect(report.data[.mrzLinesWithCorrectCheckDigits].status == .notChecked)
    #expect(report.result == .failed && failed(report) == [.validation])
  }

  // Rows: NV52 NV58
  @Test("optional data covered only by the composite check digit are returned unchanged")
  func composite() throws {
    let card = try zone(
      {
        $0.documentCode = "I"
        $0.optionalData = "A1"
        $0.optionalData2 = "B2"
      }, .td1)
    #expect(try report(PageZone(text: card)).data[.optionalData2] == .passed("B2"))
    let lines = card.lines.joined().replacing("B2", with: "B3")
    let wrong = try report(PageZone(text: MachineReadableZone(lines, on: Self.day)))
    #expect(wrong.data[.optionalData].status == .failed && wrong.data[.optionalData2].status == .failed)
    #expect(wrong.data[.documentNumber].status == .passed)
    // In a visa nothing covers them.
    let visa = try zone({ $0.documentCode = "V" }, .mrvA)
    #expect(try report(PageZone(text: visa)).data[.optionalData] == .notChecked("ZE184226B", .unverified))
    #expect(try report(PageZone(text: visa)).data[.compositeCheckDigit] == .absent)
  }

  // Rows: DR16 DR27 NV44
  @Test("expiry, remainder term and age refer to the given day")
  func dates() throws {
    func on(_ date: String) throws -> (DocumentReport, String?, String?) {
      let report = try report(optical(zone()), on: #require(CalendarDate(date)))
      return (report, report.data[.monthsToExpiry].value, report.data[.age].value)
    }
    let last = try on("2030-04-15")
    #expect(last.0.result == .passed && last.1 == "0" && last.2 == "55")
    let after = try on("2030-04-16")
    #expect(failed(after.0) == [.expiry] && after.1 == "0")
    #expect(after.0.checks[1] == .init(.expiry, .failed, .expired))
    #expect(try on("2030-03-15").1 == "1" && on("2030-03-16").1 == "0")
    #expect(try on("2029-08-11").2 == "54" && on("2029-08-12").2 == "55")
    let partial = try report(optical(zone { $0.dateOfBirth = PartialDate("1974-XX-XX")! }))
    #expect(partial.data[.dateOfBirth] == .passed("1974-XX-XX") && partial.data[.age] == .passed(nil))
    let year = try report(optical(zone { $0.dateOfExpiry = PartialDate("2026-11-XX") }))
    #expect(year.checks[1].reason == .expiryUnknown && year.result == .notChecked)
    let never = try report(optical(zone({ ($0.documentCode, $0.dateOfExpiry) = ("I", nil) }, .td1)))
    #expect(never.result == .passed && never.data[.dateOfExpiry] == .passed(nil))
    #expect(never.data[.monthsToExpiry].value == nil)
  }

  // Rows: NV44 NV48 NV53 DR17 ID-issuingDate ID-personalNumber ID-placeOfBirth ID-address
  @Test("a genuine chip adds fields that the page lacks, and passes")
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
    let report = try report(optical(zone()), reading)
    let data = report.data
    #expect(report.result == .passed && data.hasChip)
    #expect(report.checks.prefix(5).allSatisfy { $0.status == .passed && $0.reason == nil })
    #expect(data[.personalNumber] == .passed("19740812-1234") && data[.placeOfBirth] == .passed("Zenith"))
    #expect(data[.address] == .passed("1 Main Street") && data[.dateOfIssue] == .passed("2020-04-16"))
    #expect(data[.signerSubject] == .passed("CN=DS,C=UT"))
    #expect(data[.signerValidFrom] == .passed("2019-01-01") && data[.signerValidTo] == .passed("2032-01-01"))
    #expect(report.pageData?[.placeOfBirth] == .absent && report.chipData?[.surname] == .passed("ERIKSSON"))
  }

  // Rows: NV43 ID-personalNumber
  @Test("a personal number has up to 14 characters in a zone, and any length on a chip")
  func personalNumber() throws {
    let page = try report(optical(zone { $0.optionalData = "ZE184226B12345" }))
    #expect(page.data[.personalNumber] == .passed("ZE184226B12345"))
    #expect(throws: VerifyError.self) { try zone { $0.optionalData = "ZE184226B123456" } }
    var reading = try chip(zone(), .passed)
    reading.personalNumber = String(repeating: "7", count: 200)
    #expect(try report(nil, reading).data[.personalNumber] == .passed(reading.personalNumber))
  }

  @Test("the century of a birth is that of the chip's full date")
  func fullDate() throws {
    var reading = try chip(zone { $0.dateOfBirth = PartialDate("2020-08-12")! }, .passed)
    reading.dateOfBirth = PartialDate("1920-08-12")
    let old = try report(nil, reading)
    #expect(old.data[.dateOfBirth] == .passed("1920-08-12") && old.data[.age] == .passed("106"))
    // Unknown parts are completed by the zone.
    reading.dateOfBirth = PartialDate("1920-XX-XX")
    #expect(try report(nil, reading).data[.dateOfBirth] == .passed("1920-08-12"))
    reading.dateOfBirth = PartialDate("XXXX-08-12")
    #expect(try report(nil, reading).data[.dateOfBirth] == .passed("2020-08-12"))
  }

  @Test("a birth or a name of EF.DG11 that contradicts EF.DG1, or cannot be, does not pass")
  func contradiction() throws {
    for date in ["1975-08-12", "1974-08-13", "1974-09-12", "1874-08-12", "2074-08-12"] {
      var reading = try chip(zone(), .passed)
      reading.dateOfBirth = PartialDate(date)
      let report = try report(optical(zone()), reading)
      #expect(report.data[.dateOfBirth] == .notChecked("1974-08-12", .sourcesDiffer), "\(date)")
      #expect(report.result == .notChecked && report[.validation]?.reason == .sourcesDiffer)
    }
    for (date, isRight) in [("2026-11-21", true), ("2026-11-22", false), ("2030-01-01", false), ("2026-XX-XX", true)] {
      var reading = try chip(zone(), .passed)
      reading.dateOfIssue = PartialDate(date)
      let issue = try report(nil, reading).data[.dateOfIssue]
      #expect(issue == (isRight ? .passed(date) : .notChecked(date, .invalidDate)))
    }
    for (name, isOther) in [
      ("ERIKSSON<<ANNA<MARIA", false), ("Anna Maria Eriksson", false), ("ÉRIKSSON<<ÅNNA", false), ("ERICSSON", false),
      ("ERIKSSON-NILSSON", false), ("Эрикссон<<Анна", false), ("NILSSON<<LARS", true), ("李明", false), ("", false),
    ] {
      var reading = try chip(zone(), .passed)
      reading.fullName = name
      let report = try report(optical(zone()), reading)
      #expect((report.data[.surname] == .notChecked("ERIKSSON", .sourcesDiffer)) == isOther, "\(name)")
      #expect((report.result == .passed) == !isOther, "\(name)")
    }
  }

  @Test("no field passes by a chip that no trusted state signed")
  func unsigned() throws {
    for status in [CheckStatus.notChecked, .failed] {
      var reading = try chip(zone(), status)
      (reading.personalNumber, reading.address, reading.placeOfBirth) = ("FORGED", "1 Main Street", "Zenith")
      (reading.dateOfIssue, reading.dateOfBirth) = (PartialDate("2020-04-16"), PartialDate("1974-08-12"))
      let alone = try report(nil, reading)
      for name in [DocumentFieldName.personalNumber, .address, .placeOfBirth, .dateOfIssue, .surname, .sex] {
        #expect(alone.data[name].status == status && alone.data[name].value != nil, "\(name)")
      }
      // The page's own reading stays.
      let both = try report(optical(zone()), reading)
      #expect(both.data[.personalNumber] == .passed("ZE184226B") && both.data[.surname] == .passed("ERIKSSON"))
      #expect(both.data[.address].status == status)
    }
  }

  // Rows: DR13
  @Test("a chip not shown to be genuine never passes")
  func notChecked() throws {
    let report = try report(optical(zone()), chip(zone(), .notChecked))
    #expect(report.result == .notChecked && report[.chipRead]?.status == .passed)
    #expect(
      report[.passiveAuthentication]
        == .init(.passiveAuthentication, .notChecked, .authenticationNotChecked))
    #expect(report.chipData?[.surname] == .notChecked("ERIKSSON", .authenticationNotChecked))
  }

  @Test("an altered chip is an error, and the page's data are kept")
  func altered() throws {
    let report = try report(optical(zone()), chip(zone(), .failed))
    #expect(report.result == .failed && failed(report) == [.passiveAuthentication])
    #expect(report.chipData?[.surname] == .failed("ERIKSSON", .authenticationFailed))
    #expect(report.data[.surname] == .passed("ERIKSSON"))
  }

  // Rows: DR26
  @Test("differences of page and chip are reported per field")
  func mismatch() throws {
    let other = try zone {
      $0.documentNumber = "L898902C4"
      $0.surname = "ERIKSEN"
      $0.nationality = "UTO"
    }
    let genuine = try report(optical(zone()), chip(other, .passed))
    #expect(genuine.mismatches.map(\.name) == [.surname, .documentNumber, .nationalityCode])
    #expect(genuine.mismatches.first?.page.value == "ERIKSSON" && genuine.mismatches.first?.chip.value == "ERIKSEN")
    #expect(failed(genuine) == [.mrzMatchesChip] && genuine.data[.surname] == .passed("ERIKSEN"))
    let unknown = try report(optical(zone()), chip(other, .notChecked))
    for name in [DocumentFieldName.surname, .surnameAndGivenNames, .documentNumber, .nationality, .mrzLines] {
      #expect(unknown.data[name].status == .failed && unknown.data[name].reason == .sourcesDiffer)
    }
    #expect(unknown.data[.dateOfBirth].status == .passed)
    #expect(failed(unknown) == [.validation, .mrzMatchesChip])
  }

  // Rows: DR6
  @Test("the page's data survive an unreadable chip")
  func chipFailed() throws {
    let page = try report(optical(zone()))
    let report = try report(optical(zone()), chip(nil, .notChecked))
    #expect(report.data == page.data && report.dataSHA256 == page.dataSHA256)
    #expect(failed(report) == [.chipRead] && report[.chipRead]?.reason == .chipUnreadable && report.chipData == nil)
  }

  @Test("an incomplete chip fails with its reason, even if the rest is genuine")
  func notWhole() throws {
    let changes: [(DocumentReason, (inout ChipEvidence) -> Void)] = [
      (.sodUnusable, { $0.securityObject = .missing }), (.sodUnusable, { $0.securityObject = .unusable }),
      (.portraitUnreadable, { $0.dataGroup2 = .missing }), (.portraitUnreadable, { $0.dataGroup2 = .unusable }),
      (.chipIncomplete, { $0.isComplete = false }),
    ]
    for (reason, change) in changes {
      var reading = try chip(zone(), .passed)
      change(&reading.evidence)
      let report = try report(optical(zone()), reading)
      #expect(failed(report) == [.chipRead] && report.result == .failed && report[.chipRead]?.reason == reason)
      #expect(!report.evidence.outcome.mayMatch)
    }
  }

  @Test("a wrong check digit on the page is not hidden by a correct one on the chip")
  func wrongDigitBesideChip() throws {
    var lines = try zone().lines
    let wrong = lines[1].hasSuffix("1") ? "2" : "1"
    lines[1] = String(lines[1].dropLast()) + wrong
    let page = try optical(MachineReadableZone(lines.joined(), on: Self.day))
    #expect(try report(page).result == .failed)
    let both = try report(page, chip(zone(), .passed))
    #expect(both.result == .failed && failed(both) == [.mrzMatchesChip] && !both.mayMatch)
    #expect(both.mismatches.map(\.name) == [.compositeCheckDigit])
    #expect(both.data[.compositeCheckDigit].status == .passed, "the chip's")
  }

  @Test(
    "a wrong check digit on the chip is not hidden by a correct one on the page",
    arguments: [
      (9, DocumentFieldName.documentNumberCheckDigit), (19, .dateOfBirthCheckDigit), (27, .dateOfExpiryCheckDigit),
      (42, .optionalDataCheckDigit), (43, .compositeCheckDigit),
    ])
  func wrongDigitOnChip(_ column: Int, _ name: DocumentFieldName) throws {
    var lines = try zone().lines.map { Array($0.utf8) }
    lines[1][column] = lines[1][column] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
    let text = String(decoding: lines.joined(), as: UTF8.self)
    let wrong = try chip(MachineReadableZone(text, on: Self.day), .passed)
    let both = try report(optical(zone()), wrong)
    #expect(both.result == .failed && both[.mrzMatchesChip]?.status == .failed && !both.mayMatch)
    #expect(both.mismatches.map(\.name).contains(name))
    // A state signed the chip, with the wrong digit.
    let alone = try report(nil, wrong)
    #expect(
      alone.result == .passed && alone.data[name].reason == .checkDigitWrong && alone.data[name].status == .notChecked)
    #expect(try report(nil, chip(wrong.zone, .notChecked)).result == .failed)
  }

  @Test("what a trusted state signed is right, whatever the tables have; without it, the tables decide")
  func signed() throws {
    let odd: [(String, String)] = [
      ("UTO", "ZZ9"), ("PD", "P9"), ("ERIKSSON<<ANNA<MARIA", "ERIKSSON<<ANNA<<MARI"), ("7408122F", "7408122H"),
    ]
    for (old, new) in odd {
      let text = try zone().lines.joined().replacing(old, with: new, maxReplacements: 1)
      let zone = try MachineReadableZone(text, on: Self.day)
      #expect(try report(nil, chip(zone, .passed)).result == .passed, "\(new)")
      #expect(try report(optical(zone)).result != .passed, "\(new)")
      #expect(try report(optical(zone), chip(zone, .passed)).result == .passed, "\(new)")
      #expect(try report(optical(zone), chip(zone, .notChecked)).result != .passed, "\(new)")
    }
    // A value that cannot be read is none.
    let text = try zone().lines.joined().replacing("300415", with: "301345")
    let undated = try report(nil, chip(MachineReadableZone(text, on: Self.day), .passed))
    #expect(undated.data[.dateOfExpiry] == .notChecked(nil, .invalidDate) && undated.result == .notChecked)
  }

  @Test("a passport without a date of expiry, or with misplaced fillers in its name, does not pass")
  func unclear() throws {
    let endless = try report(optical(zone { $0.dateOfExpiry = nil }))
    #expect(endless.result == .notChecked && endless[.expiry]?.reason == .expiryUnknown)
    #expect(endless.data[.dateOfExpiry].reason?.rawValue == "empty")
    let card = try report(optical(zone({ ($0.documentCode, $0.dateOfExpiry) = ("I", nil) }, .td1)))
    #expect(card.result == .passed)
    let lines = try zone().lines
    let odd = lines[0].replacing("ANNA<MARIA", with: "ANNA<<MARI") + lines[1]
    let name = try report(optical(MachineReadableZone(odd, on: Self.day)))
    #expect(name.result == .notChecked && name[.validation]?.reason?.rawValue == "invalid-characters")
    #expect(try report(optical(zone({ $0.documentCode = "P1" }))).result == .failed)
  }

  @Test("a visa and the document next to it have the same holder")
  func visas() throws {
    func visa(_ change: (inout MRZContent) -> Void = { _ in }) throws -> PageZone {
      try optical(
        zone(
          {
            ($0.documentCode, $0.documentNumber, $0.optionalData) = ("V", "V1234567", "")
            change(&$0)
          }, .mrvA))
    }
    func status(_ zones: PageZone...) -> CheckStatus { DocumentReport.areOfOneDocument(zones, on: Self.day) }
    let page = try optical(zone())
    #expect(try status(page, visa()) == .notChecked && status(visa(), visa()) == .notChecked)
    #expect(try status(page, page, visa()) == .passed)
    let others: [(inout MRZContent) -> Void] = [
      { $0.dateOfBirth = PartialDate("1980-01-01")! }, { $0.sex = .male }, { $0.nationality = "UTO" },
    ]
    for change in others {
      #expect(try status(page, visa(change)) == .failed && status(visa(change), page) == .failed)
      #expect(try status(visa(), visa(change)) == .failed)
    }
    #expect(try status(page, page, visa { $0.surname = "NILSSON" }) == .notChecked)
    #expect(try status(page, page, visa { $0.sex = .unspecified }) == .passed)
  }

  @Test("pages of two documents are detected, a zone read twice is not")
  func twoZones() throws {
    let (one, other) = (try optical(zone()), try optical(zone { $0.documentNumber = "L898902C4" }))
    #expect(DocumentReport.areOfOneDocument([one, other], on: Self.day) == .failed)
    #expect(DocumentReport.areOfOneDocument([one, one], on: Self.day) == .passed)
    #expect(DocumentReport.areOfOneDocument([one], on: Self.day) == .notChecked)
    // Every page is compared with every other, in any order.
    let unread = try PageZone(text: zone())
    #expect(DocumentReport.areOfOneDocument([unread, one, other], on: Self.day) == .failed)
    #expect(DocumentReport.areOfOneDocument([one, one, other], on: Self.day) == .failed)
    // An altered copy states another birth, although its check digit is wrong.
    let lines = try zone().lines.joined().replacing("740812", with: "840812")
    let altered = try optical(MachineReadableZone(lines, on: Self.day))
    #expect(DocumentReport.areOfOneDocument([one, altered], on: Self.day) == .failed)
    // Uncertain characters are not evidence against a page.
    let unsure = try optical(zone { $0.documentNumber = "L898902C4" }, doubtful: (1, 3))
    #expect(DocumentReport.areOfOneDocument([one, unsure], on: Self.day) == .notChecked)
    let failed = DocumentReport(
      page: one, chip: nil, sides: [.init(.pagesMatch, .failed, .sourcesDiffer)], on: Self.day)
    #expect(failed.result == .failed && !failed.mayMatch && failed[.pagesMatch]?.reason == .sourcesDiffer)
    #expect(failed[.portraitMatchesChip]?.reason == .oneSource)
  }

  @Test("a document that contradicts itself is not compared, whatever its evidence")
  func mayMatch() throws {
    let chip = try chip(zone(), .passed)
    #expect(try report(optical(zone()), chip).mayMatch)
    let expired = try report(optical(zone()), chip, on: CalendarDate("2031-01-01")!)
    #expect(expired.result == .failed && expired.mayMatch)
    #expect(try !report(optical(zone { $0.surname = "ERIKSEN" }), chip).mayMatch)
  }

  @Test("an unreadable page hides no difference from the chip")
  func pageUnreadable() throws {
    let chip = try chip(zone(), .passed)
    let report = DocumentReport(page: nil, pageGiven: true, chip: chip, on: Self.day)
    #expect(failed(report) == [.mrzMatchesChip] && report[.mrzMatchesChip]?.reason == .pageUnreadable)
    #expect(DocumentReport(page: nil, chip: chip, on: Self.day).result == .passed)
  }

  @Test("a page alone, and a licence, pass only if the policy accepts their kind")
  func unauthenticated() throws {
    let alone = try report(optical(zone()), accepted: [])
    #expect(alone.result == .notChecked && alone.unauthenticated == .page && alone.assurance == .pageConsistent)
    #expect(try report(optical(zone()), accepted: [.licence]).result == .notChecked)
    let accepted = try report(optical(zone()))
    #expect(accepted.result == .passed && accepted.unauthenticated == nil && accepted.assurance == .pageConsistent)
    let typed = try report(PageZone(text: zone()), accepted: [])
    #expect(typed.result == .notChecked && typed.assurance == .dataOnly)
    let whole = try report(optical(zone()), chip(zone(), .passed), accepted: [])
    #expect(whole.result == .passed && whole.assurance == .chipCopyAuthentic)
    #expect(try report(nil, chip(zone(), .failed)).assurance == .none)
    #expect(try report(nil, chip(zone(), .notChecked)).assurance == .dataOnly)
  }

  // Rows: DR7
  @Test("an expected chip that is missing is reported; an unexpected one is not missed")
  func chipExpected() throws {
    let missing = try report(optical(zone()), nil, chipExpected: true)
    #expect(missing.result == .failed && failed(missing) == [.chipRead] && missing[.chipRead]?.reason == .noChip)
    let unasked = try report(optical(zone()), nil)
    #expect(unasked.result == .passed && unasked[.chipRead]?.status == .notChecked && unasked.chipData == nil)
  }

  @Test("an empty reading is a validation error, without a hash")
  func nothing() throws {
    let report = try report(nil)
    #expect(failed(report) == [.validation] && report[.validation]?.reason == .noData)
    #expect(report.dataSHA256 == nil && report.data.type == .unknown && report.portraitSHA256 == nil)
    #expect(report.data[.surname] == .absent && report.data.fields.isEmpty)
  }

  // Rows: DR11 DR12
  @Test("the hashes bind the exact portrait and data")
  func hashes() throws {
    let photo = Array("abc".utf8)
    let report = try report(optical(zone()), portrait: photo)
    // FIPS 180-4, one-block example.
    #expect(report.portraitSHA256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(report.verify(portrait: photo, data: report.data) == .init(portrait: .passed, data: .passed))
    let other = try self.report(optical(zone { $0.surname = "ERIKSSOM" })).data
    #expect(report.verify(portrait: photo + [0], data: other) == .init(portrait: .failed, data: .failed))
    #expect(report.verify(portrait: nil, data: report.data).portrait == .notChecked)
    #expect(
      try self.report(nil).verify(portrait: photo, data: other) == .init(portrait: .notChecked, data: .notChecked))
    // Statuses are bound as well.
    let doubtful = try self.report(PageZone(text: zone())).data
    #expect(report.verify(portrait: nil, data: doubtful).data == .failed)
  }

  // Rows: ID-limits
  @Test("a value longer than clients reserve is not truncated, and is not an error")
  func limits() throws {
    var reading = try chip(zone(), .passed)
    reading.address = String(repeating: "x", count: 65)
    reading.placeOfBirth = String(repeating: "é", count: 256)
    let report = try report(nil, reading)
    #expect(report.data[.address] == .passed(reading.address) && DocumentFieldName.address.limit == 64)
    #expect(report.data[.placeOfBirth] == .passed(reading.placeOfBirth) && report.result == .passed && report.mayMatch)
  }

  @Test("confidences that do not match the zone are rejected")
  func confidences() throws {
    let zone = try zone()
    let ones = zone.lines.map { Array(repeating: 1.0, count: $0.count) }
    #expect(throws: Never.self) { try PageZone(zone, confidences: ones, minimumConfidence: 0) }
    var wrong = ones
    wrong[1][3] = .nan
    for confidences in [[], [ones[0]], [ones[0], [1]], wrong] {
      #expect(throws: VerifyError(.badArgument, "")) {
        try PageZone(zone, confidences: confidences, minimumConfidence: 0)
      }
    }
    #expect(throws: VerifyError.self) { try PageZone(zone, confidences: ones, minimumConfidence: 1.1) }
  }
}
