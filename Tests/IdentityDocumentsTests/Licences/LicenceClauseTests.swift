import IdentityDocuments
import TestSupport
import Testing

/// One test per clause of annex D, as listed in docs/licences.md.
@Suite struct LicenceClauseTests {
  private static let day = CalendarDate("2026-11-21")!

  /// A standard-conforming licence of Virginia.
  private func made(version: Int = 10, type: String = "DL") -> MadeLicence {
    var elements = [
      ("DAQ", "T64235789"), ("DCS", "SAMPLE"), ("DAC", "MICHAEL"), ("DAD", "JOHN"), ("DBD", "06062024"),
      ("DBB", "06061986"), ("DBA", "12102030"), ("DBC", "1"), ("DAU", "068 in"), ("DAY", "BRO"),
      ("DAG", "2300 WEST BROAD STREET"), ("DAI", "RICHMOND"), ("DAJ", "VA"), ("DAK", "232690000  "),
      ("DCF", "2424244747474786102204"), ("DCG", "USA"), ("DDE", "N"), ("DDF", "N"), ("DDG", "N"),
    ]
    if type == "DL" { elements += [("DCA", "D"), ("DCB", "K"), ("DCD", "PH")] }
    if version < 4 {
      elements.removeAll { ["DAC", "DAD", "DDE", "DDF", "DDG"].contains($0.0) }
      elements += [("DCT", "MICHAEL,JOHN"), ("DCH", "NONE")]
    }
    return MadeLicence(version: version, issuer: "636000", subfiles: [(type, elements), ("ZV", [("ZVA", "01")])])
  }

  private func made(_ changes: [String: String?], version: Int = 10) -> MadeLicence {
    var licence = made(version: version)
    for (id, text) in changes { licence[id] = text }
    return licence
  }

  private func finding(_ place: String, _ reason: DocumentReason) -> LicenceFinding {
    LicenceFinding(place: place, reason: reason)
  }

  // MARK: D.12.3, the header

  @Test(arguments: [
    ("@\n\u{1E}\r", []), ("\n\u{1E}\r", [DocumentReason.complianceIndicatorMissing]),
    ("", [.complianceIndicatorMissing, .separatorWrong]), ("@", [.separatorWrong]), ("@\n\r", [.separatorWrong]),
    ("@\n\u{1C}\r", [.separatorWrong]), ("@\r\n\u{1E}\r\n", [.separatorWrong]), (" @\n\u{1E}\r", [.separatorWrong]),
    ("]L2@\n\u{1E}\r", [.separatorWrong]),
  ])
  func `fields 1 to 4: a mark and three separators are first`(_ mark: (String, [DocumentReason])) throws {
    var licence = made()
    licence.mark = mark.0
    let read = try licence.read()
    #expect(read.findings == mark.1.map { finding("header", $0) })
    // Faults there do not affect the elements.
    #expect(DocumentReport(licence: read, accepted: [.licence], on: Self.day).result == .passed)
    #expect(read["DAQ"]?.value == "T64235789")
  }

  @Test func `field 5: the file type is that of the standard`() throws {
    var licence = made()
    licence.fileType = "AAMVA"
    #expect(try licence.read().findings == [finding("header", .fileTypeWrong)])
    for type in ["ANSII", "ansi ", "     "] {
      licence.fileType = type
      #expect(code { _ = try licence.read() } == .unknownFormat)
    }
  }

  @Test func `field 6: the issuer is one of AAMVA's list`() throws {
    for (number, code, country) in [
      ("636000", "VA", "USA"), ("636014", "CA", "USA"), ("636012", "ON", "CAN"), ("604428", "QC", "CAN"),
      ("636016", "NL", "CAN"), ("636056", "CU", "MEX"), ("604431", "PR", "USA"), ("636062", "VI", "USA"),
    ] {
      #expect(LicenceIssuer(number: number)?.code == code && LicenceIssuer(number: number)?.country == country)
    }
    #expect(LicenceIssuer(number: "636027")?.code == nil && LicenceIssuer(number: "636027")?.name == "State Department")
    #expect((636000...636062).filter { LicenceIssuer(number: "\($0)") == nil } == [])
    #expect((604426...604434).filter { LicenceIssuer(number: "\($0)") == nil } == [])
    #expect(LicenceIssuer(number: "636063") == nil && LicenceIssuer(number: "") == nil)
    var licence = made()
    licence.issuer = "999999"
    let read = try licence.read()
    #expect(read.issuer == nil && read.issuerNumber == "999999")
    #expect(read.findings == [finding("header", .init(rawValue: "unknown-code"))])
    let report = DocumentReport(licence: read, accepted: [.licence], on: Self.day)
    #expect(report[.validation]?.status == .notChecked && report[.validation]?.reason?.rawValue == "unknown-code")
    #expect(report.data[.issuingJurisdiction] == .notChecked(nil, .init(rawValue: "unknown-code")))
    licence.issuer = "000007"
    #expect(try licence.read().issuerNumber == "000007")
  }

  @Test func `field 7: an unknown version is read as the newest one, and nothing is confirmed`() throws {
    var licence = made(version: 11)
    #expect(try licence.read().findings == [])
    licence.version = 12
    let read = try licence.read()
    #expect(read.findings.first == finding("header", .unknownVersion))
    #expect(read["DCS"]?.value == "SAMPLE" && read["DCS"]?.status == .notChecked)
    let report = DocumentReport(licence: read, accepted: [.licence], on: Self.day)
    #expect(report.result == .notChecked && report[.validation]?.reason == .unknownVersion)
  }

  @Test func `field 8: version 1 has no jurisdiction version, later ones have`() throws {
    for version in 1...11 {
      var dice = SplitMix(state: UInt64(version))
      let (made, _) = MadeLicence.random(version: version, by: &dice)
      #expect(try made.read().jurisdictionVersion == (version == 1 ? nil : made.jurisdictionVersion))
    }
    // The other length, used by some issuers.
    let old = "@\n\u{1E}\rANSI 636000010001DL00410020DLDAQ1\nDBB19761123\r"
    let read = try DrivingLicence(payload: Array(old.utf8), on: Self.day)
    #expect(read.findings.first == finding("header", .headerLengthWrong) && read["DAQ"]?.value == "1")
  }

  @Test func `field 9: the number of entries is that of the subfiles`() throws {
    var licence = made()
    for count in [0, 1, 3, 99] {
      licence.entryCount = count
      #expect(try licence.read().findings == [finding("header", .entryCountWrong)])
    }
    // A subfile that the header does not list is found and reported.
    var hidden = made().payload
    hidden += Array("ZVZVB02\r".utf8)
    let read = try DrivingLicence(payload: hidden, on: Self.day)
    #expect(read.subfiles.map(\.type) == ["DL", "ZV", "ZV"] && read.elements.last?.value == "02")
    #expect(read.findings.contains(finding("ZV", .entryCountWrong)))
    // A contradictory one is not ignored.
    for type in ["DL", "ID", "EN"] {
      let other = try DrivingLicence(payload: made().payload + Array("\(type)DCSOTHER\r".utf8), on: Self.day)
      #expect(other.findings.contains(finding(type, .entryCountWrong)))
      #expect(other["DCS"]?.reason == .elementRepeated && other["DCS"]?.status == .failed)
    }
  }

  @Test func `a payload that ends within the header is an error`() throws {
    let payload = made().payload
    for count in 0..<payload.count {
      let code = code { _ = try DrivingLicence(payload: Array(payload.prefix(count)), on: Self.day) }
      if count < 17 { #expect(code == .unknownFormat, "\(count)") }
      if (17..<31).contains(count) { #expect(code == .damaged, "\(count)") }
      if count >= 31 { #expect(code == nil, "\(count)") }
    }
  }

  @Test func `a payload larger than any offset is rejected`() throws {
    let payload = made().payload
    let long = payload + [UInt8](repeating: 32, count: 9999 - payload.count)
    #expect(try DrivingLicence(payload: long, on: Self.day)["DAQ"]?.value == "T64235789")
    #expect(code { _ = try DrivingLicence(payload: long + [32], on: Self.day) } == .tooLarge)
  }

  // MARK: D.12.4, subfiles

  @Test func `subfiles are DL, ID and EN, and a jurisdiction's own by its first letter`() throws {
    for (type, expected) in [("DL", DocumentType.drivingLicence), ("EN", .drivingLicence), ("ID", .idCard)] {
      #expect(try made(type: type).read().documentType == expected)
    }
    var licence = made()
    licence.subfiles[1] = ("ZQ", [("ZQA", "01")])
    #expect(try licence.read().findings == [finding("ZQ", .subfileTypeWrong)])
    licence.subfiles[1] = ("XX", [("XXA", "01")])
    #expect(try licence.read().findings.contains(finding("XX", .subfileTypeWrong)))
    // At least one of them is required.
    licence.subfiles = [("XX", made().subfiles[0].elements)]
    let read = try licence.read()
    #expect(read.findings.contains(finding("header", .subfileMissing)))
    let report = DocumentReport(licence: read, accepted: [.licence], on: Self.day)
    #expect(report.result == .notChecked && report[.validation]?.reason == .subfileMissing)
  }

  @Test(arguments: [-41, -1, 1, 2, 5000])
  func `wrong offsets are reported, and not followed`(_ error: Int) throws {
    var licence = made()
    licence.offsetError = error
    let read = try licence.read()
    #expect(read.findings == [finding("DL", .offsetWrong), finding("ZV", .offsetWrong)])
    #expect(read.elements == (try made().read().elements))
  }

  @Test(arguments: [-2, -1, 1, 5000])
  func `wrong lengths are reported, and truncate nothing`(_ error: Int) throws {
    var licence = made()
    licence.lengthError = error
    let read = try licence.read()
    #expect(read.findings == [finding("DL", .lengthWrong), finding("ZV", .lengthWrong)])
    #expect(read.elements == (try made().read().elements))
  }

  @Test func `missing subfiles are reported`() throws {
    let text = "@\n\u{1E}\rANSI 636000100002DL00410010ZV00000000DLDAQ1234\r"
    let read = try DrivingLicence(payload: Array(text.utf8), on: Self.day)
    #expect(read.findings.contains(finding("ZV", .subfileMissing)) && read["DAQ"]?.value == "1234")
  }

  @Test func `a subfile that follows without a terminator is found by its offset`() throws {
    var licence = made()
    licence.terminator = ""
    let read = try licence.read()
    #expect(read.findings == [finding("DL", .terminatorMissing), finding("ZV", .terminatorMissing)])
    #expect(read.elements == (try made().read().elements))
  }

  // MARK: Separators

  @Test(arguments: [("\r", "\r"), ("\r\n", "\r"), ("\n", "\n\r"), ("\n", "\r\n")])
  func `separators of other systems are accepted`(_ ends: (String, String)) throws {
    var licence = made()
    licence.separator = ends.0
    licence.terminator = ends.1
    let read = try licence.read()
    #expect(read.elements == (try made().read().elements))
    #expect(read.findings.contains { $0.reason == .separatorWrong } == (ends.0 != "\n"))
  }

  @Test func `an element without an identifier is reported, and the rest is read`() throws {
    var payload = made().payload
    let place = payload.firstIndex(of: 10).map { $0 + 1 } ?? 0
    let after = payload[(place + 40)...].firstIndex(of: 10) ?? 0
    payload.insert(contentsOf: Array("\n1x\nda".utf8), at: after)
    let read = try DrivingLicence(payload: payload, on: Self.day)
    #expect(read.findings.contains(finding("DL", .malformedElement)))
    #expect(read.elements.map(\.value) == (try made().read().elements.map(\.value)))
    // It follows the number, which may continue there.
    #expect(read["DAQ"]?.reason == .malformedElement)
    #expect(DocumentReport(licence: read, accepted: [.licence], on: Self.day).result == .notChecked)
  }

  /// Every position in the surname, and all characters except separators of elements.
  @Test(arguments: (0..<32).filter { $0 != 10 && $0 != 13 } + [127, 128, 155, 159])
  func `a control character does not split a value: the element fails`(_ character: Int) throws {
    for place in 0...6 {
      var name = Array("SAMPLE".unicodeScalars)
      name.insert(Unicode.Scalar(UInt8(character)), at: place)
      let text = String(String.UnicodeScalarView(name))
      let read = try made(["DCS": text]).read()
      #expect(read["DCS"]?.value == text && read["DCS"]?.reason?.rawValue == "invalid-characters")
      #expect(read.findings.contains(finding("DCS", .init(rawValue: "invalid-characters"))))
      #expect(DocumentReport(licence: read, accepted: [.licence], on: Self.day).result == .failed)
    }
    let read = try made(["DAQ": "T642\(Unicode.Scalar(UInt8(character)))DAQ35789"]).read()
    #expect(
      read["DAQ"]?.status == .failed
        && DocumentReport(licence: read, accepted: [.licence], on: Self.day).result == .failed)
    // It is also reported in a jurisdiction-specific subfile.
    var own = made()
    own.subfiles[1].elements = [("ZVA", "0\(Unicode.Scalar(UInt8(character)))1")]
    #expect(try own.read().findings.contains(finding("ZVA", .init(rawValue: "invalid-characters"))))
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\n\n"])
  func `a line end within a name or number, without an element after it, prevents a pass`(_ end: String) throws {
    for id in ["DAQ", "DCS", "DAC", "DAD"] {
      for rest in ["PLE", "ple", "1", "SMITH JR"] {
        let read = try made([id: "SAM" + end + rest]).read()
        #expect(read[id]?.value == "SAM" && read[id]?.status == .notChecked, "\(id) \(rest)")
        #expect(read.findings.contains(finding(id, .malformedElement)))
        let isNeeded = ["DAQ", "DCS"].contains(id)
        let result = DocumentReport(licence: read, accepted: [.licence], on: Self.day).result
        #expect(isNeeded ? result == .notChecked : result != .failed, "\(id) \(rest)")
      }
    }
  }

  @Test func `a truncated code does not pass, for any length`() throws {
    var licence = made()
    licence.subfiles.removeLast()
    let payload = licence.payload
    #expect(
      DocumentReport(licence: try DrivingLicence(payload: payload, on: Self.day), accepted: [.licence], on: Self.day)
        .result == .passed)
    for count in 31..<payload.count {
      guard let read = try? DrivingLicence(payload: Array(payload.prefix(count)), on: Self.day) else { continue }
      #expect(DocumentReport(licence: read, accepted: [.licence], on: Self.day).result != .passed, "\(count)")
      // Even if a terminator is appended.
      let ended = try DrivingLicence(payload: Array(payload.prefix(count)) + [13], on: Self.day)
      if ended["DCD"] == nil {
        #expect(DocumentReport(licence: ended, accepted: [.licence], on: Self.day).result != .passed, "\(count)")
      }
    }
  }

  // MARK: D.12.5, elements

  @Test func `a missing mandatory element is reported, and an identity fails without its own`() throws {
    let base = made()
    for (id, _) in base.subfiles[0].elements {
      let read = try made([id: String?.none]).read()
      #expect(read.findings == [finding(id, .elementMissing)], "\(id)")
      let isIdentity = ["DAQ", "DCS", "DBA", "DBB"].contains(id)
      let report = DocumentReport(licence: read, accepted: [.licence], on: Self.day)
      #expect(report[.validation]?.status == (isIdentity ? .failed : .notChecked), "\(id)")
      #expect(report[.validation]?.reason == (isIdentity ? .fieldError : .elementMissing), "\(id)")
      // An explicit "none" is permitted.
      let nothing = try made([id: "NONE"]).read()
      #expect(nothing[id]?.value == nil)
      #expect(nothing[id]?.status == (isIdentity ? .failed : .passed), "\(id)")
      let unavailable = try made([id: "unavl"]).read()
      #expect(unavailable[id]?.value == nil && unavailable[id]?.status == .notChecked, "\(id)")
      // A value of fixed length is not empty; only the country is needed.
      let isFixed = try #require(LicenceElement.named(id, version: 10)?.format).isFixed
      let empty = try made([id: ""]).read()
      #expect(empty[id]?.status == (isIdentity ? .failed : isFixed ? .notChecked : .passed), "\(id)")
      let validation = DocumentReport(licence: empty, accepted: [.licence], on: Self.day)[.validation]
      #expect(validation?.status == (isIdentity ? .failed : id == "DCG" ? .notChecked : .passed), "\(id)")
    }
  }

  @Test func `identity cards do not need vehicle elements, and should not have them`() throws {
    var card = made(type: "ID")
    #expect(try card.read().findings == [])
    card["DCA"] = "D"
    #expect(try card.read()["DCA"]?.reason == .elementMisplaced)
  }

  @Test func `elements of other versions, and unknown ones, are read, and confirm nothing`() throws {
    for (id, reason) in [
      ("DAF", DocumentReason.elementMisplaced), ("DCH", .elementMisplaced), ("DQQ", .unknownElement),
    ] {
      let read = try made([id: "X"]).read()
      #expect(read[id]?.value == "X" && read[id]?.status == .notChecked && read[id]?.reason == reason)
      #expect(DocumentReport(licence: read, accepted: [.licence], on: Self.day).result == .passed)
    }
    // Alias, race and hazardous material were removed in the edition of 2025, which added four others.
    for id in ["DBN", "DBG", "DBS", "DCL", "DDC"] {
      #expect(LicenceElement.named(id, version: 10) != nil && LicenceElement.named(id, version: 11) == nil)
    }
    for id in ["DDM", "DDN", "DDO", "DDP"] {
      #expect(LicenceElement.named(id, version: 10) == nil && LicenceElement.named(id, version: 11) != nil)
    }
  }

  @Test(arguments: [
    ("DAA", "SAMPLE,MICHAEL,JOHN", false), ("DAA", "Sample,Michael", false), ("DAB", "SAMP", false),
    ("DCT", "MICHAEL JOHN", false), ("DAA", "OTHER,MICHAEL", true), ("DAA", "SAMPLE,BOB", true), ("DAB", "OTHER", true),
    ("DCT", "BOB", true),
  ])
  func `names of other versions cause no contradiction`(
    _ name: (id: String, text: String, isWrong: Bool)
  ) throws {
    let read = try made([name.id: name.text]).read()
    #expect(read[name.id]?.status == (name.isWrong ? .failed : .notChecked))
    #expect(read[name.id]?.reason == (name.isWrong ? .valuesDisagree : .elementMisplaced))
    let report = DocumentReport(licence: read, accepted: [.licence], on: Self.day)
    #expect(report.result == (name.isWrong ? .failed : .passed))
  }

  @Test func `a repeated element is reported, and a name, number or date of two values fails`() throws {
    var licence = made()
    licence.subfiles[0].elements.append(("DCA", "D"))
    #expect(try licence.read().findings == [finding("DCA", .elementRepeated)])
    #expect(try licence.read()["DCA"]?.status == .passed)
    licence.subfiles[0].elements.append(("DDF", "U"))
    #expect(try licence.read()["DDF"].map { $0.status == .notChecked && $0.reason == .elementRepeated } == true)
    licence.subfiles[0].elements.append(("DCS", "OTHER"))
    let read = try licence.read()
    #expect(read["DCS"].map { $0.value == "SAMPLE" && $0.status == .failed && $0.reason == .elementRepeated } == true)
  }

  /// Permitted and forbidden values by the standard's tables: value, version, status, reason.
  private static let values: [(String, String, Int, CheckStatus, String?)] = [
    // Length and characters.
    ("DCS", String(repeating: "A", count: 40), 10, .passed, nil),
    ("DCS", String(repeating: "A", count: 41), 10, .notChecked, "value-too-long"),
    ("DCS", "A" + String(repeating: " ", count: 39), 10, .passed, nil),
    ("DCS", "A" + String(repeating: " ", count: 40), 10, .notChecked, "padding-wrong"),
    ("DCS", "O'NEIL-SMITH, JR.", 10, .passed, nil), ("DCS", "MU\u{D1}OZ", 10, .passed, nil),
    ("DCS", "A\u{85}B", 10, .failed, "invalid-characters"), ("DCS", "A\u{7F}B", 10, .failed, "invalid-characters"),
    ("DCI", "US,CALIFORNIA", 10, .passed, nil), ("DCI", "US 7", 10, .notChecked, "invalid-characters"),
    ("DCA", "ABCDEF", 4, .passed, nil), ("DCA", "ABCDE", 3, .notChecked, "value-too-long"),
    ("DCM", "C", 10, .notChecked, "padding-wrong"), ("DCM", "C   ", 10, .passed, nil),
    ("DCM", "C-1 ", 10, .notChecked, "invalid-characters"),
    // Sex.
    ("DBC", "1", 10, .passed, nil), ("DBC", "2", 10, .passed, nil), ("DBC", "9", 9, .passed, nil),
    ("DBC", "9", 8, .notChecked, "illegal-value"), ("DBC", "M", 10, .notChecked, "illegal-value"),
    ("DBC", "0", 10, .notChecked, "illegal-value"), ("DBC", "X", 10, .notChecked, "illegal-value"),
    // Eyes and hair, ANSI D20.
    ("DAY", "HAZ", 10, .passed, nil), ("DAY", "PNK", 2, .passed, nil), ("DAY", "DIC", 11, .passed, nil),
    ("DAY", "BR", 10, .notChecked, "illegal-value"), ("DAY", "bro", 10, .notChecked, "illegal-value"),
    ("DAY", "HZL", 10, .notChecked, "illegal-value"), ("DAZ", "BAL", 10, .passed, nil),
    ("DAZ", "red/auburn", 10, .passed, nil), ("DAZ", "PURPLE", 10, .notChecked, "illegal-value"),
    // Height and its unit, weight.
    ("DAU", "068 in", 10, .passed, nil), ("DAU", " 73 in", 3, .passed, nil), ("DAU", "181 cm", 10, .passed, nil),
    ("DAU", "064 IN", 10, .notChecked, "illegal-value"), ("DAU", "73 in", 10, .notChecked, "padding-wrong"),
    ("DAU", "5'-04\"", 10, .notChecked, "illegal-value"), ("DAU", "000 in", 10, .notChecked, "illegal-value"),
    ("DAU", "068 ft", 10, .notChecked, "illegal-value"), ("DAU", "068", 10, .notChecked, "illegal-value"),
    ("DAW", "185", 10, .passed, nil), ("DAW", "85", 10, .notChecked, "padding-wrong"),
    ("DAW", "18A", 10, .notChecked, "illegal-value"), ("DAW", "000", 10, .notChecked, "illegal-value"),
    ("DAX", "084", 10, .passed, nil), ("DCE", "0", 10, .passed, nil), ("DCE", "A", 10, .notChecked, "illegal-value"),
    // Address.
    ("DAJ", "VA", 10, .passed, nil), ("DAJ", "XX", 10, .notChecked, "unknown-code"),
    ("DAJ", "MD", 10, .notChecked, "address-elsewhere"), ("DAJ", "AE", 10, .notChecked, "address-elsewhere"),
    ("DAK", "232690000  ", 10, .passed, nil), ("DAK", "23269      ", 10, .passed, nil),
    ("DAK", "A1A 1A1    ", 10, .passed, nil), ("DAK", "A1A1A1     ", 10, .passed, nil),
    ("DAK", "M4N 1B6", 9, .notChecked, "padding-wrong"), ("DAK", "23269", 11, .passed, nil),
    ("DAK", "2326900    ", 10, .notChecked, "illegal-value"), ("DAK", "1A1 A1A    ", 10, .notChecked, "illegal-value"),
    // Country, truncation, compliance, indicators, suffix, race.
    ("DCG", "USA", 10, .passed, nil), ("DCG", "CAN", 10, .failed, "values-disagree"),
    ("DCG", "US", 10, .notChecked, "illegal-value"), ("DCG", "MEX", 10, .failed, "values-disagree"),
    ("DDE", "T", 10, .passed, nil), ("DDF", "U", 10, .passed, nil), ("DDG", "n", 10, .notChecked, "illegal-value"),
    ("DDE", "Y", 10, .notChecked, "illegal-value"), ("DDA", "F", 10, .passed, nil), ("DDA", "N", 11, .passed, nil),
    ("DDA", "M", 8, .passed, nil), ("DDA", "M", 9, .notChecked, "illegal-value"),
    ("DDA", "X", 4, .notChecked, "illegal-value"),
    ("DDK", "1", 6, .passed, nil), ("DDK", "0", 10, .notChecked, "illegal-value"),
    ("DDK", "Y", 10, .notChecked, "illegal-value"), ("DDK", "1", 5, .notChecked, "element-misplaced"),
    ("DDL", "1", 7, .passed, nil), ("DDL", "1", 6, .notChecked, "element-misplaced"), ("DDD", "1", 4, .passed, nil),
    ("DDM", "1", 11, .passed, nil), ("DDO", "1", 11, .passed, nil), ("DDP", "1", 11, .passed, nil),
    ("DDN", "1", 11, .notChecked, "values-disagree"), ("DDM", "1", 10, .notChecked, "element-misplaced"),
    ("DCU", "JR", 10, .passed, nil), ("DCU", "IX", 10, .passed, nil), ("DCU", "ESQ", 10, .notChecked, "illegal-value"),
    ("DCU", "JUNIOR", 10, .notChecked, "illegal-value"), ("DCL", "AI ", 10, .passed, nil),
    ("DCL", "ZZ ", 10, .notChecked, "illegal-value"),
    // Dates: the order of the country, the calendar, and each other.
    ("DBB", "02291988", 10, .passed, nil), ("DBB", "02291987", 10, .failed, "invalid-date"),
    ("DBB", "13011987", 10, .failed, "invalid-date"), ("DBB", "1011987", 10, .failed, "invalid-date"),
    ("DBB", "01-01-87", 10, .failed, "invalid-date"), ("DBB", "00000000", 10, .failed, "invalid-date"),
    ("DBB", "19860606", 10, .notChecked, "date-order-wrong"), ("DBB", "06061899", 10, .failed, "invalid-date"),
    ("DBB", "11222026", 10, .failed, "dates-disagree"), ("DBD", "11222026", 10, .failed, "dates-disagree"),
    ("DBD", "06051986", 10, .failed, "dates-disagree"), ("DBA", "06052024", 10, .failed, "dates-disagree"),
    ("DDB", "MMDDCCYY", 10, .notChecked, "invalid-date"), ("DDB", "06062018", 10, .passed, nil),
    ("DDC", "12102030", 10, .passed, nil), ("DDC", "00000000", 10, .notChecked, "invalid-date"),
    ("DDB", "11212026", 10, .passed, nil), ("DDB", "11222026", 10, .notChecked, "dates-disagree"),
    ("DDH", "06062004", 10, .passed, nil), ("DDI", "06062005", 10, .passed, nil), ("DDJ", "06062007", 10, .passed, nil),
    ("DDJ", "06072007", 10, .failed, "dates-disagree"), ("DDJ", "06062007", 4, .notChecked, "element-misplaced"),
  ]

  @Test(arguments: values)
  func `values of the tables pass, others are named`(
    _ value: (id: String, text: String, version: Int, status: CheckStatus, reason: String?)
  ) throws {
    let read = try made([value.id: value.text], version: value.version).read()
    let element = try #require(read[value.id])
    #expect(element.status == value.status)
    #expect(element.reason?.rawValue == value.reason)
    // Never repaired: the value remains as printed.
    #expect(element.value == String(value.text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
    #expect((value.reason == nil) == !read.findings.contains { $0.place == value.id })
    let report = DocumentReport(licence: read, accepted: [.licence], on: Self.day)
    #expect((report[.validation]?.status == .failed) == (value.status == .failed))
  }

  @Test func `a person born on a leap day comes of age on the day before or after`() throws {
    for (day, status) in [("02282006", CheckStatus.passed), ("03012006", .passed), ("02272006", .failed)] {
      #expect(try made(["DBB": "02291988", "DDH": day]).read()["DDH"]?.status == status)
    }
  }

  @Test func `version 1 has separate letters, heights and names`() throws {
    func old(_ changes: [(String, String)]) throws -> DrivingLicence {
      var licence = MadeLicence(
        version: 1, issuer: "636000",
        subfiles: [
          (
            "DL",
            [
              ("DAQ", "0123456789ABC"), ("DAA", "PUBLIC,JOHN,Q,JR"), ("DAG", "123 MAIN STREET"), ("DAI", "ANYTOWN"),
              ("DAJ", "VA"), ("DAK", "123459999  "), ("DAR", "DM  "), ("DAS", ""), ("DAT", ""), ("DBA", "20301201"),
              ("DBB", "19761123"), ("DBC", "M"), ("DBD", "20241201"),
            ]
          )
        ])
      for (id, text) in changes { licence[id] = text }
      return try licence.read()
    }
    let read = try old([])
    #expect(read.findings == [])
    let data = DocumentReport(licence: read, accepted: [.licence], on: Self.day).data
    #expect(data[.surname] == .passed("PUBLIC") && data[.givenNames] == .passed("JOHN Q") && data[.sex] == .passed("M"))
    #expect(try old([("DBC", "1")])["DBC"]?.status == .passed)
    #expect(try old([("DAU", "509")])["DAU"]?.status == .passed)
    #expect(try old([("DAU", "512")])["DAU"]?.status == .notChecked)
    #expect(try old([("DBB", "11231976")])["DBB"]?.reason == .dateOrderWrong)
    let undivided = DocumentReport(licence: try old([("DAA", "JOHN PUBLIC")]), accepted: [.licence], on: Self.day)
    #expect(undivided.data[.surname] == .notChecked("JOHN PUBLIC", .nameUndivided) && undivided.result == .notChecked)
    // Components instead of the full name.
    var parts = MadeLicence(version: 1, issuer: "636000", subfiles: [("DL", [("DAB", "PUBLIC"), ("DAC", "JOHN")])])
    parts.subfiles[0].elements.append(("DAD", "Q"))
    let names = DocumentReport(licence: try parts.read(), accepted: [.licence], on: Self.day).data
    #expect(names[.surname].value == "PUBLIC" && names[.givenNames].value == "JOHN Q")
    #expect(try !parts.read().findings.contains { $0.place == "DAA" })
  }

  @Test func `versions 2 and 3 have two names, later ones three with truncation flags`() throws {
    let two = DocumentReport(licence: try made(version: 3).read(), accepted: [.licence], on: Self.day).data
    #expect(two[.givenNames] == .passed("MICHAEL JOHN"))
    let three = DocumentReport(licence: try made(["DAD": "JOHN,PAUL"]).read(), accepted: [.licence], on: Self.day).data
    #expect(three[.givenNames] == .passed("MICHAEL JOHN PAUL"))
    #expect(three[.surnameAndGivenNames] == .passed("SAMPLE MICHAEL JOHN PAUL"))
    let cut = DocumentReport(licence: try made(["DDE": "T"]).read(), accepted: [.licence], on: Self.day)
    #expect(cut.data[.surname] == .notChecked("SAMPLE", .nameTruncated))
    #expect(cut.result == .notChecked && cut[.validation]?.reason == .nameTruncated)
    let middle = DocumentReport(licence: try made(["DDG": "T"]).read(), accepted: [.licence], on: Self.day)
    #expect(middle.data[.givenNames].reason == .nameTruncated && middle.result == .passed)
  }

  @Test func `Canadian dates begin with the year, and others are reported`() throws {
    func canadian(_ birth: String) throws -> DrivingLicence {
      var licence = made([
        "DCG": "CAN", "DAJ": "ON", "DAK": "A1A 1A1    ", "DBB": birth, "DBD": "20240606", "DBA": "20301210",
        "DAU": "173 cm", "DAY": "NONE",
      ])
      licence.issuer = "636012"
      licence.subfiles[1] = ("ZO", [("ZOA", "Y")])
      return try licence.read()
    }
    let read = try canadian("19860606")
    #expect(read.findings == [] && read["DBB"]?.date?.description == "1986-06-06")
    #expect(DocumentReport(licence: read, accepted: [.licence], on: Self.day).data[.issuingState] == .passed("Canada"))
    let other = try canadian("06071986")
    #expect(other["DBB"]?.reason == .dateOrderWrong && other["DBB"]?.date?.description == "1986-06-07")
    #expect(DocumentReport(licence: other, accepted: [.licence], on: Self.day).result == .notChecked)
    // If the country of issue is unreadable, the issuer's is used.
    var silent = made(["DCG": String?.none, "DBB": "19860606", "DBD": "20240606", "DBA": "20301210", "DAJ": "ON"])
    silent.issuer = "636012"
    silent.subfiles.removeLast()
    #expect(try silent.read()["DBB"]?.status == .passed)
  }

  @Test func `the table in docs/licences.md matches the code`() throws {
    let path = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/docs/licences.md"
    let text = String(decoding: try RegularFile.read(path: path, maximumBytes: 1 << 20), as: UTF8.self)
    var rows: [[String]] = []
    for line in text.split(separator: "\n") {
      var cells: [String] = []
      for cell in line.split(separator: "|", omittingEmptySubsequences: false) {
        cells.append(cell.split(separator: " ").joined(separator: " "))
      }
      if cells.count == 9, cells[1].count == 3, cells[1].allSatisfy(\.isUppercase) { rows.append(cells) }
    }
    #expect(rows.count == 117)
    for row in rows {
      let bounds = row[3].split(separator: " ").compactMap { Int($0) }
      for version in 0...11 {
        let element = LicenceElement.named(row[1], version: version)
        guard (bounds[0]...bounds[bounds.count - 1]).contains(version) else {
          #expect(element?.name != row[2] || element?.versions.lowerBound != bounds[0])
          continue
        }
        #expect(element?.name == row[2] && element?.isMandatory == (row[4] == "M"))
        #expect(element?.isForDrivers == (row[5] == "DL") && (element?.format?.description ?? "") == row[6])
        #expect(element?.clause == row[7])
      }
    }
  }

  // MARK: The report

  @Test(arguments: [("2030-12-09", CheckStatus.passed), ("2030-12-10", .passed), ("2030-12-11", .failed)])
  func `a licence is valid until the end of its day of expiry`(_ day: (String, CheckStatus)) throws {
    let date = CalendarDate(day.0)!
    let report = DocumentReport(licence: try made().read(on: day.0), accepted: [.licence], on: date)
    #expect(report[.expiry]?.status == day.1 && report.result == day.1)
    #expect(report[.expiry]?.reason == (day.1 == .passed ? nil : .expired))
  }

  @Test func `a code without an address is reported`() throws {
    #expect(try made().read().hasAddress)
    for changes in [["DAG": String?.none], ["DAI": .none], ["DAG": "NONE"], ["DAI": ""], ["DAG": .none, "DAI": .none]] {
      #expect(try !made(changes).read().hasAddress)
    }
    #expect(try made(["DAH": String?.none, "DAK": .none]).read().hasAddress)
  }

  // Rows: NV48 NV49 NV50 ID-address ID-city ID-subdivision ID-postalCode ID-limits
  @Test func `an address has street, city, subdivision and postal code, none truncated`() throws {
    let data = DocumentReport(licence: try made(["DAH": "APT 7"]).read(), accepted: [.licence], on: Self.day).data
    #expect(data[.address] == .passed("2300 WEST BROAD STREET, APT 7"))
    #expect(data[.city] == .passed("RICHMOND") && data[.subdivision] == .passed("VA"))
    #expect(data[.postalCode] == .passed("232690000") && data[.issuingJurisdiction] == .passed("VA"))
    let line = String(repeating: "A", count: 35)
    let long = DocumentReport(licence: try made(["DAG": line, "DAH": line]).read(), accepted: [.licence], on: Self.day)
    #expect(long.data[.address] == .passed("\(line), \(line)"))
  }

  @Test func `front and code must agree`() throws {
    let licence = try made().read()
    let same: [DocumentFieldName: String] = [
      .surname: "Sample", .givenNames: "Michael John", .documentNumber: "T64-23-5789", .dateOfBirth: "1986-06-06",
      .sex: "M", .address: "2300 West Broad Street", .nationality: "not in the code",
    ]
    #expect(licence.differences(from: same, on: Self.day) == [])
    let report = DocumentReport(licence: licence, front: same, accepted: [.licence], on: Self.day)
    #expect(report.result == .passed && report.pageData?[.surname] == .notChecked("Sample", .unverified))
    for (name, text) in [
      (DocumentFieldName.surname, "SIMPLE"), (.dateOfBirth, "1986-06-07"), (.documentNumber, "T64235780"), (.sex, "F"),
    ] {
      var front = same
      front[name] = text
      let differing = DocumentReport(licence: licence, front: front, accepted: [.licence], on: Self.day)
      #expect(differing.mismatches.map(\.name) == [name])
      #expect(differing.mismatches.first?.page.value == text && differing.mismatches.first?.code?.status == .passed)
      #expect(differing.data[name].status == .failed && differing.data[name].reason == .sourcesDiffer)
      #expect(differing.result == .failed)
    }
    // The print on a front cannot be read.
    let front = DocumentReport(licence: licence, isFrontGiven: true, accepted: [.licence], on: Self.day)
    #expect(front[.pagesMatch]?.status == .notChecked && front[.pagesMatch]?.reason == .pageUnreadable)
    #expect(report[.pagesMatch]?.status == .passed)
    // A truncated name may continue.
    let cut = try made(["DCS": "SAMPLEFAMILY", "DDE": "T"]).read()
    #expect(cut.differences(from: [.surname: "SAMPLEFAMILYNAME"], on: Self.day) == [])
    #expect(cut.differences(from: [.surname: "SAMPLEX"], on: Self.day).count == 1)
  }

  @Test func `the same data have the same hash`() throws {
    let first = DocumentReport(licence: try made().read(), accepted: [.licence], on: Self.day)
    #expect(first.dataSHA256 == first.data.sha256 && first.verify(portrait: nil, data: first.data).data == .passed)
    let other = DocumentReport(licence: try made(["DCS": "OTHER"]).read(), accepted: [.licence], on: Self.day)
    #expect(other.dataSHA256 != first.dataSHA256)
    #expect(first.data.canonicalJSON.contains(#""city":{"status":"passed","value":"RICHMOND"}"#))
  }

  // MARK: Other codes

  @Test func `codes of other countries are named, and not interpreted`() throws {
    let africa = [0x01, 0x9B, 0x09, 0x45, 0, 0] + [UInt8](repeating: 0x67, count: 714)
    let colombia =
      Array("0123456789".utf8) + [UInt8](repeating: 0, count: 14) + Array("PubDSK_1".utf8)
      + [UInt8](repeating: 0, count: 500)
    let tracks = Array("%VARICHMOND^PUBLIC$JOHN^1 MAIN ST^?;636000012345=301219761123?".utf8)
    for (payload, word) in [(africa, "South African"), (colombia, "Colombian"), (tracks, "magnetic stripe")] {
      do {
        _ = try DrivingLicence(payload: payload, on: Self.day)
        Issue.record("\(word) was read")
      } catch {
        #expect((error as? VerifyError)?.code == .unknownFormat && "\(error)".contains(word))
      }
    }
    // Near matches are unknown.
    for payload in [Array(africa.dropLast()), Array(colombia.prefix(24)), Array("I<UTOD231458907".utf8), []] {
      do {
        _ = try DrivingLicence(payload: payload, on: Self.day)
        Issue.record("it was read")
      } catch {
        #expect((error as? VerifyError)?.code == .unknownFormat && "\(error)".contains("AAMVA"))
      }
    }
  }
}
