import IdentityDocuments
import TestSupport
import Testing

/// Licences whose issuers deviate from the standard, as public reports describe them, with invented people: all are read,
/// none fails, and what is odd is named.
@Suite struct LicenceDeviationTests {
  private static let day = CalendarDate("2018-06-01")!

  private func read(_ text: String) throws -> (licence: DrivingLicence, report: DocumentReport) {
    try read(text.unicodeScalars.map { UInt8($0.value) })
  }

  private func read(_ payload: [UInt8]) throws -> (licence: DrivingLicence, report: DocumentReport) {
    let licence = try DrivingLicence(payload: payload, on: Self.day)
    return (licence, DocumentReport(licence: licence, accepted: [.licence], on: Self.day))
  }

  /// The code, number, surname, given names, birth, expiry, and the result of the document.
  private static let codes: [(String, String, String, String, String, String, CheckStatus)] = [
    // Ontario, version 3: offset 0, no eye colour, commas at the end, "cm" in capitals, padding.
    (
      "@\n\u{1E}\rANSI 636012030001DL00000367DLDCAG   \nDCBX           \nDCDNONE \nDBA20220603\nDCSDOYLE,            \n"
        + "DCTIRIS,JUNE        \nDBD20170607\nDBB19860603\nDBC2\nDAYNONE\nDAU170 CM\nDAG12 ANY ST E,         \n"
        + "DAIFERGUS              \nDAJON\nDAKN1M 3J6    \nDAQD9244-43879-60603\nDCFDV1530000\nDCGCAN\nDCHNONE\n"
        + "DCK*8392679*\n\r", "D9244-43879-60603", "DOYLE", "IRIS JUNE", "1986-06-03", "2022-06-03", .passed
    ),
    // New York, version 3: the middle name apart, height in feet and inches, separators of another system.
    (
      "@\n\u{1E}\nANSI 636001030102DL00410258ZN02990070DLDCAD   \nDCBB         \nDCDNONE \nDBA12302023\nDCSDOYLE\n"
        + "DCTIRIS\nDADJUNE\nDBD09212015\nDBB12301985\nDBC1\nDAYBLU\nDAU600   \nDAG2345 ANY ST\nDAIANYTOWN\nDAJNY\n"
        + "DAK123450000  \nDAQ123456789\nDCFABC1\nDCGUSA\nDCHNONE\n\rZNZNADOYLE@IRIS@JUNE\nZNB0Lc*e!.f3]>L$\n\r",
      "123456789", "DOYLE", "IRIS JUNE", "1985-12-30", "2023-12-30", .passed
    ),
    // New York, version 10.
    (
      "@\n\u{1E}\rANSI 636001100402DL00410323ZN03640120DLDCAD   \nDCBB         \nDCDNONE \nDBA11242027\nDCSDOYLE      \n"
        + "DACIRIS        \nDAD          \nDBD11132017\nDBB11241964\nDBC1\nDAYBLK\nDAU507   \nDAG3370 ANY ST C7        \n"
        + "DAIANYTOWN            \nDAJNY\nDAK113540000  \nDAQ123456789\nDCFABC\nDCGUSA\nDDEU\nDDFU\nDDGU\nDDAN\n"
        + "DDB03072017\nDDD0\n\rZNZNADOYLE@IRIS\n\r", "123456789", "DOYLE", "IRIS", "1964-11-24", "2027-11-24", .passed
    ),
    // South Carolina, version 1: another separator, an empty part of the name, blank colours.
    (
      "@\n\u{1C}\rANSI 6360050101DL00300201DLDAQ100000007\nDAADOYLE,IRIS,JUNE,\nDAG1500 ANY ST\nDAIANYTOWN\nDAJSC\n"
        + "DAK292010000  \nDARD   \nDAS          \nDAT     \nDAU600\nDAW200\nDAY   \nDAZ   \nDBA20190928\nDBB19780928\n"
        + "DBC1\nDBD20091026\nDBG2\nDBH1\r\r\n", "100000007", "DOYLE", "IRIS JUNE", "1978-09-28", "2019-09-28", .passed
    ),
    // North Carolina, version 1: a wrong issuer, no number of entries, the name in parts, hyphens in dates.
    (
      "@\n\nAAMVA36004001DL00280200DLDABDOYLE\nDACIRIS\nDADJUNE\nDAE\nDAL3105 ANY DR\nDAM\nDANANYTOWN\nDAONC\n"
        + "DAP27614-0000\nDAQ27000004\nDARC\nDAS1\nDATNone\nDAV5-01\nDAYBRO\nDAZBRO\nDBA06-05-2019\nDBB06-05-1951\nDBCF\n"
        + "DBD07-18-2012\n", "27000004", "DOYLE", "IRIS JUNE", "1951-06-05", "2019-06-05", .notChecked
    ),
    // West Virginia, version 4: no type of the subfile, the year first, short values.
    (
      "@\n\nANSI 636061040002DL00410313ZW03540027DCAE\nDCBNONE\nDCDNONE\nDBA20221103\nDCSDOYLE\nDACIRIS\nDADJUNE\n"
        + "DBD20171001\nDBB19721103\nDBC1\nDAYBN \nDAU71 in \nDAG518   S ANY STREET\nDAIANYTOWN\nDAJWV\nDAK12345      \n"
        + "DAQF123456\nDCF2017\nDCGUSA\nDDEU\nDDFU\nDDGU\nDAH\nDAZ\nDCU\nDDAN\nDAW190\rZWZWA\nZWBY\r",
      "F123456", "DOYLE", "IRIS JUNE", "1972-11-03", "2022-11-03", .notChecked
    ),
    // Colorado, versions 7 and 8: no type, or a line end after it; empty values; no ZIP padding.
    (
      "@\n\nANSI 636020070002DL00410224ZC02650010\nDAQ102000003\nDCSDOYLE\nDDEU\nDACIRIS\nDDFU\nDADJUNE\nDDGU\nDCAR\n"
        + "DCBNONE\nDCDNONE\nDBD08082013\nDBB07131992\nDBA07132018\nDBC1\nDAU073 IN\nDAYBRN\nDAG909 ANY ROAD 206\n"
        + "DAIBOULDER\nDAJCO\nDAK816350000\nDCFNONE\nDCGUSA\nDDAM\nDDB06012013\rZCZCA\nZCB\r",
      "102000003", "DOYLE", "IRIS JUNE", "1992-07-13", "2018-07-13", .passed
    ),
    (
      "@\nANSI 636020080002DL00410266ZC03040010DL\nDCAR\nDCBNONE\nDCD\nDBA01042022\nDCSDOYLE\nDACIRIS\nDADJUNE\n"
        + "DBD12272016\nDBB02041972\nDBC2\nDAYGRN\nDAU509\nDAG98765 W ANY AVE\nDAILAKEWOOD\nDAJCO\nDAK804010000 \n"
        + "DAQ124000009\nDCF16455534969\nDCGUSA\nDDEU\nDDFU\nDDGU\nDCUSR\nDDB10302015\nDDD\rZCZCANONE\r",
      "124000009", "DOYLE", "IRIS JUNE", "1972-02-04", "2022-01-04", .passed
    ),
    // Alberta: an unknown issuer, an entry that is none, names twice, words and units of its own.
    (
      "@\n\nANSI 990876030001DLabacDLDCSDOYLE\nDCTIRIS JUNE\nDABDOYLE\nDACIRIS\nDADJUNE\nDAG123 ANY TERR SW\n"
        + "DAQ123400-056\nDAKT4G 7A7\nDAICALGARY\nDAJAB\nDBCF\nDBB19930204\nDAR5\nDATA\nDBA20190108\nDAU155 CM\nDAW50 KG\n"
        + "DCE2\nDAZBROWN\nDAYBROWN\n", "123400-056", "DOYLE", "IRIS JUNE", "1993-02-04", "2019-01-08", .notChecked
    ),
    // Hawaii and Puerto Rico: short and odd values; digits that fill the code.
    (
      "@\n\nANSI 636047040002DL00410258ZH02990021DLDCA3\nDCBB\nDCDNONE\nDBA03122024\nDCSDOYLE\nDACIRIS\nDADJUNE\n"
        + "DBD05132016\nDBB03121988\nDBC1\nDAYBLU\nDAU72 IN \nDAG456 ANY ST 2\nDAIHONOLULU\nDAJHI\nDAK96826     0\n"
        + "DAQH01000000\nDCF2016051411385491547K10000000000\nDCGUSA\nDDEU\nDDFU\nDDGU\nDAHO\nDAZBLN\n\rZHZHAO\n\r",
      "H01000000", "DOYLE", "IRIS JUNE", "1988-03-12", "2024-03-12", .passed
    ),
    (
      "@\n\nANSI 604431050001DL00310222DLDCA3\nDCB7\nDCDNONE\nDBA03062023\nDCSDOYLE ORTIZ \nDACIRIS\nDADNONE\n"
        + "DBD03032017\nDBB03061972\nDBC2\nDAYBRO\nDAU062 IN\nDAGCAM ANY 800 KM\nDAICOROZAL\nDAJPR\nDAK00783\nDAQ4000005\n"
        + "DCF4\nDCGUSA\nDDEN\nDDFN\nDDGN\nDDAN\n888888888888888888888888888888\r",
      "4000005", "DOYLE ORTIZ", "IRIS", "1972-03-06", "2023-03-06", .passed
    ),
    // New Brunswick, version 2, and Wyoming: signs of another language; bytes before the file type, years first.
    (
      "@\n\nANSI 636017020002DL00410390ZN04310059DLDCANONE\nDCBNONE      \nDCDNONE \nDBA20210808\nDCSDOYLE     \n"
        + "DCTIRIS J     \nDCUNONE \nDBD20170812\nDBB19620808\nDBC2\nDAYUNK\nDAU168 CM\nDCE \nDAG123 ANY DR     \n"
        + "DAIANYTOWN       \nDAJNB\nDAKE5K 1Y3    \nDAQ1234567          \nDCFNB20170812   \nDCGCAN\nDCHNONE\n\r"
        + "ZNZNA5\nZNBNONE\u{BF}AUCUNE\nZNDBLU\u{BF}BLE\n\r", "1234567", "DOYLE", "IRIS J", "1962-08-08", "2021-08-08",
      .passed
    ),
    (
      "@acANSI 636060040002DL00410266ZW03070036DCAC\nDCBNONE\nDCDNONE\nDBA20211031\nDCSO NEIL\nDACIRIS E\nDAD\n"
        + "DBD20171011\nDBB19581031\nDBC2\nDAYBLU\nDAU069 IN\nDAG1234 ANY WAY\nDAIBLUE STREAM\nDAJWY\nDAK82930      \n"
        + "DAQ123456-789\nDCF58117326\nDCGUSA\nDDEU\nDDFU\nDDGU\nDAHBLUE STREAM, WY  82930\nDAZBLN\rZWZWA\nZWB\r",
      "123456-789", "O NEIL", "IRIS E", "1958-10-31", "2021-10-31", .notChecked
    ),
  ]

  @Test(arguments: codes) func `licences of real issuers are read, and none fails`(
    _ code: (
      text: String, number: String, surname: String, given: String, birth: String, expiry: String, result: CheckStatus
    )
  ) throws {
    let (licence, report) = try read(code.text)
    let expected: [DocumentFieldName: String] = [
      .documentNumber: code.number, .surname: code.surname, .givenNames: code.given, .dateOfBirth: code.birth,
      .dateOfExpiry: code.expiry,
    ]
    for (name, value) in expected { #expect(report.data[name].value == value, "\(name) \(report.data[name])") }
    #expect(report.result == code.result, "\(report.checks)")
    #expect(!report.data.fields.values.contains { $0.status == .failed }, "\(report.data.fields)")
    // What does not pass has a reason, and is among the findings.
    for element in licence.elements where element.status != .passed && element.reason != .jurisdictionSpecific {
      let reason = try #require(element.reason)
      #expect(licence.findings.contains(LicenceFinding(place: element.id, reason: reason)))
    }
  }

  // MARK: Character sets

  /// Quebec's codes have names in UTF-8 or in ISO 8859-1.
  @Test(arguments: ["BÉLANGER", "CÔTÉ", "O'BRIEN-ÑÜß", "LEBŒUF", "ŁUKASIK", "SAMPLE"])
  func `names are read in UTF-8 and in ISO 8859-1`(_ name: String) throws {
    func code(_ name: [UInt8]) -> [UInt8] {
      Array("@\n\u{1E}\rANSI 604428080101DL00310228DLDAQ401761391\nDCS".utf8) + name
        + Array(
          ("\nDDEN\nDACJOSEPH\nDDFN\nDADNONE\nDDGN\nDCAC\nDCBNONE\nDCDNONE\nDBD20170901\nDBB19850601\nDBA20280901\nDBC1\n"
            + "DAU178 cm\nDAYBLU\nDAG125 9 1/2 ST\nDAIANYTOWN\nDAJQC\nDAKG1R4P5     \nDCF8812974215243\nDCGCAN\nDDAF\n"
            + "DDB20180217\n\r").utf8)
    }
    let unicode = try read(code(Array(name.utf8)))
    #expect(unicode.report.data[.surname] == .passed(name) && unicode.report.result == .passed)
    guard name.unicodeScalars.allSatisfy({ $0.value < 256 }) else { return }
    let latin = try read(code(name.unicodeScalars.map { UInt8($0.value) }))
    #expect(latin.report.data[.surname] == .passed(name) && latin.report.result == .passed)
    #expect(latin.report.data.sha256 == unicode.report.data.sha256)
  }

  // MARK: Names that nobody sees

  private func licence(_ changes: [(String, String)], version: Int = 10) throws -> DocumentReport {
    var elements = [
      ("DAQ", "T64235789"), ("DBD", "06062016"), ("DBB", "06061986"), ("DBA", "12102030"), ("DBC", "1"),
      ("DAU", "068 in"), ("DAY", "BRO"), ("DAG", "2300 WEST BROAD STREET"), ("DAI", "RICHMOND"), ("DAJ", "VA"),
      ("DAK", "232690000  "), ("DCF", "24242444"), ("DCG", "USA"),
    ]
    if version < 2 {
      elements = elements.filter { !["DCF", "DCG"].contains($0.0) } + [("DAR", "D"), ("DAS", ""), ("DAT", "")]
      elements = elements.map {
        ($0.0, $0.0.hasPrefix("DB") && $0.1.count == 8 ? "\($0.1.suffix(4))\($0.1.prefix(4))" : $0.1)
      }
    } else {
      elements += [
        ("DCS", "SAMPLE"), ("DAC", "IRIS"), ("DAD", "JUNE"), ("DDE", "N"), ("DDF", "N"), ("DDG", "N"), ("DCA", "D"),
        ("DCB", "K"), ("DCD", "PH"),
      ]
    }
    var made = MadeLicence(version: version, issuer: "636000", subfiles: [("DL", elements)])
    for (id, text) in changes { made[id] = text }
    guard changes.contains(where: { $0.1.unicodeScalars.contains { $0.value > 255 } }) else {
      return try read(made.payload).report
    }
    // In UTF-8, which has characters that ISO 8859-1 lacks.
    let subfile = "DL" + made.subfiles[0].elements.map { $0.id + $0.text }.joined(separator: "\n") + "\r"
    return try read(Array(("@\n\u{1E}\rANSI 636000100001DL00310300" + subfile).utf8)).report
  }

  @Test(arguments: [
    "\u{A0}", "\u{A0}\u{A0}", " \u{A0} ", "\u{AD}", "\u{85}", "\t", "\u{1}", "\u{200B}", "\u{3000}", "\u{2003}",
    "\u{2800}",
    "\u{3164}", "\u{FEFF}", "\u{202E}", "\u{E0041}", "\u{2060}", "-", ".", ",", " , ", "'", "NONE", "none", "unavl",
    "UNAVL",
    "", "   ",
  ])
  func `a required value that nobody sees never passes`(_ text: String) throws {
    for id in ["DCS", "DAQ", "DBB", "DBA"] {
      let report = try licence([(id, text)])
      let name = ["DCS": DocumentFieldName.surname, "DAQ": .documentNumber, "DBB": .dateOfBirth, "DBA": .dateOfExpiry][
        id]
      #expect(try report.data[#require(name)].status != .passed, "\(id)")
      #expect(report.result != .passed)
    }
    for id in ["DAG", "DAI", "DAC"] {
      let field = try licence([(id, text)]).data.fields.values.filter { $0.status == .passed && $0.value != nil }
      let isSign = text.contains { "-.,'".contains($0) }
      #expect(isSign || !field.contains { $0.value == text }, "\(id)")
    }
  }

  @Test func `a name in one element has a visible surname`() throws {
    #expect(try licence([("DAA", "DOYLE,IRIS")], version: 1).result == .passed)
    for name in ["\u{A0},IRIS", ",IRIS", " ,IRIS", "-,IRIS", "\u{A0}", ",", "\u{A0},\u{A0}"] {
      let report = try licence([("DAA", name)], version: 1)
      #expect(report.data[.surname].status != .passed && report.result != .passed, "\(name)")
    }
    for surname in ["\u{A0}", "", "NONE", "-"] {
      let report = try licence([("DAB", surname), ("DAC", "IRIS")], version: 1)
      #expect(report.data[.surname].status != .passed && report.result != .passed, "\(surname)")
    }
  }

  // MARK: What a forger gains from

  /// Contradictions, and names, numbers or dates of two values, still fail.
  @Test(arguments: [
    [("DBB", "06062020")], [("DBA", "06062010")], [("DBD", "06062035")], [("DCG", "CAN")], [("DBB", "13132000")],
    [("DAB", "OTHER")], [("DDJ", "06062010")],
  ])
  func `contradictions fail`(_ changes: [(String, String)]) throws {
    #expect(try licence(changes).result == .failed)
  }

  /// Odd values are named, and the document does not depend on them.
  @Test(arguments: [
    ("DAY", "BRN"), ("DAY", "BROWN"), ("DAU", "509"), ("DAU", "5'-09\""), ("DAU", "509   "), ("DAU", "175"),
    ("DAZ", "PURPLE"),
    ("DAW", "50 KG"), ("DBC", "M"), ("DBC", "X"), ("DBC", "0"), ("DCF", String(repeating: "7", count: 40)),
    ("DAJ", "QUE"), ("DAJ", "XX"), ("DAK", "10005-1234"), ("DCL", "ZZ"), ("DDK", "N"), ("DDD", "0"),
    ("DDB", "MMDDCCYY"),
    ("DDB", "06062030"), ("DDC", "00000000"), ("DCU", "PH.D."), ("DCI", "US 7"), ("DCA", "COMMERCIAL"), ("DDE", "Y"),
    ("DQQ", "1"), ("DAG", String(repeating: "A", count: 60)), ("DAI", String(repeating: "B", count: 40)),
  ])
  func `an odd value is named, and the document passes`(_ id: String, _ text: String) throws {
    let report = try licence([(id, text)])
    #expect(report.result == .passed, "\(report.checks)")
    #expect(report.data[.surname] == .passed("SAMPLE"))
  }
}
