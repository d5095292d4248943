import Testing

@testable import IdentityDocuments

@Suite("VisualZone")
struct VisualZoneTests {
  private static let day = CalendarDate("2026-11-21")!
  /// A page in the order of ICAO 9303-4, captions above their values.
  private static let page = [
    ("Passport No./No du passeport", "L898902C3"), ("Surname/Nom", "ERIKSSON"), ("Given names/Prénoms", "ANNA MARIA"),
    ("Nationality/Nationalité", "DEUTSCH"), ("Date of birth/Date de naissance", "12 AUG/AOÛT 74"), ("Sex/Sexe", "F"),
    ("Date of issue/Date de délivrance", "16 APR/AVR 20"), ("Date of expiry/Date d'expiration", "15 APR/AVR 30"),
  ]

  private static func lines(
    _ page: [(caption: String, value: String)], confidence: Double = 0.98, step: Double = 10
  ) -> [VisualZone.Line] {
    page.enumerated().flatMap { number, field in
      let top = step * Double(number)
      func line(_ text: String, _ top: Double, _ height: Double) -> VisualZone.Line {
        VisualZone.Line(
          text: text, confidence: confidence, left: 30, top: top, right: 30 + 1.5 * Double(text.count),
          bottom: top + height)
      }
      return [line(field.caption, top, 2), line(field.value, top + 3, 3)].filter { !$0.text.isEmpty }
    }
  }

  /// The page with other values.
  private static func page(_ changed: [String: String]) -> [(caption: String, value: String)] {
    page.map { caption, value in (caption, changed.first { caption.hasPrefix($0.key) }?.value ?? value) }
  }

  private func report(_ lines: [[VisualZone.Line]], _ change: (inout MRZContent) -> Void = { _ in }) throws
    -> DocumentReport
  {
    var content = MRZContent.specimen
    change(&content)
    let zone = try MachineReadableZone(content.lines(.td3).joined(), on: Self.day)
    return DocumentReport(
      page: try PageZone(certain: zone), chip: nil, accepted: [.page], print: lines.map { VisualZone($0) }, on: Self.day
    )
  }

  private func check(_ report: DocumentReport) -> DocumentCheck? { report[.printMatches] }

  @Test("a page that states the same as its zone passes, and changes nothing else")
  func same() throws {
    let (without, with) = (try report([]), try report([Self.lines(Self.page)]))
    #expect(check(with) == DocumentCheck(.printMatches, .passed, nil) && with.mismatches.isEmpty)
    #expect(check(without) == DocumentCheck(.printMatches, .notChecked, .oneSource) && without.printData == nil)
    #expect(with.result == .passed && with.data == without.data && with.assurance == without.assurance)
    let printed = try #require(with.printData)
    for name in [DocumentFieldName.documentNumber, .surname, .givenNames, .dateOfBirth, .dateOfExpiry, .sex] {
      #expect(printed[name].status == .passed, "\(name)")
    }
  }

  @Test(
    "another value at a caption is named, fails the document, and nobody matches it",
    arguments: [
      ("Passport", "L898982C3", DocumentFieldName.documentNumber), ("Surname", "ERIKSEN", .surname),
      ("Surname", "JONES", .surname), ("Surname", "ERKSON", .surname), ("Surname", "ÉRKSON", .surname),
      ("Given", "ANNA MARTA", .givenNames), ("Given", "ANNA", .givenNames),
      ("Date of birth", "12 AUG/AOÛT 94", .dateOfBirth), ("Date of birth", "13.08.1974", .dateOfBirth),
      ("Date of birth", "1974-09-12", .dateOfBirth), ("Date of expiry", "15 APR/AVR 35", .dateOfExpiry),
      ("Sex", "M", .sex),
    ])
  func altered(caption: String, value: String, name: DocumentFieldName) throws {
    let report = try report([Self.lines(Self.page([caption: value]))])
    #expect(report.mismatches.map(\.name) == [name])
    #expect(report.mismatches.first?.print == .failed(value, .sourcesDiffer))
    #expect(check(report) == DocumentCheck(.printMatches, .failed, .sourcesDiffer))
    #expect(report.result == .failed && !report.mayMatch && report.assurance == DocumentAssurance.none)
    #expect(report.data[name].status == .failed)
  }

  private func check(_ page: [(caption: String, value: String)], _ first: String, _ second: String) throws
    -> DocumentCheck?
  {
    let printed = try MachineReadableZone(first + "\n" + second, on: Self.day)
    let zone = try MachineReadableZone(printed.linesWithCorrectCheckDigits.joined(), on: Self.day)
    return check(
      DocumentReport(
        page: try PageZone(certain: zone), chip: nil, accepted: [.page], print: [VisualZone(Self.lines(page))],
        on: Self.day))
  }

  @Test("a page with one name is compared by it, and a printed surname that its zone lacks leaves doubt")
  func onlyName() throws {
    let zone = ("P<D<<<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<<<<<<<<", "L898902C36D<<7408122F3004150<<<<<<<<<<<<<<00")
    #expect(try check(Self.page(["Surname": ""]), zone.0, zone.1) == DocumentCheck(.printMatches, .passed, nil))
    #expect(try check(Self.page, zone.0, zone.1)?.status == .notChecked)
    #expect(try check(Self.page(["Surname": "", "Given": "EVE"]), zone.0, zone.1)?.status == .failed)
  }

  @Test("the sex on Mexican pages, and dates of an unknown year, are not accused")
  func national() throws {
    let name = "IDMEX898902C364<<<<<<<<<<<<<<<"
    let card = try MachineReadableZone(
      "\(name)\n7408122M3004150MEX<<<<<<<<<<<0\nERIKSSON<<ANNA<MARIA<<<<<<<<<<", on: Self.day)
    let fields = DocumentSource(try PageZone(certain: card)).fields(on: Self.day)
    #expect(card.sex == .female)
    #expect(VisualZone.compared([VisualZone(Self.lines(Self.page(["Sex": "M"])))], with: fields)[.sex] == nil)
    let endless = ("P<D<<ERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36D<<7408122F9912310<<<<<<<<<<<<<<00")
    let page = Self.page(["Date of expiry": "31 DEC 9999"])
    #expect(try check(page, endless.0, endless.1)?.status == .passed)
  }

  @Test(
    "a value that may be misread, is elsewhere, or has no caption is not checked",
    arguments: [
      ("Passport", "L8989O2C3"), ("Surname", "ERIKS5ON"), ("Surname", ""), ("Date of birth", ""),
      ("Given", "ANNA MARI"), ("Surname", "ÉRKSÓN"),
    ])
  func unclear(caption: String, value: String) throws {
    let report = try report([Self.lines(Self.page([caption: value]))])
    #expect(report.mismatches.isEmpty && report.result == .passed, "\(report.mismatches)")
    #expect(check(report)?.status == .notChecked)
  }

  /// The names with P, D, B and E are as the text reader returns them, the first from a photo of a specimen.
  @Test(
    "letters that are read without their diacritics are not another name, other letters are",
    arguments: [
      ("PURÍDUR ÖSP", "THURIDUR OESP", false), ("SEPÓR", "SAETHOR", false),
      ("SIGPÓR HAFPÓR", "SIGTHOR HAFTHOR", false), ("SCHONHOFER", "SCHOENHOEFER", false),
      ("GROBMULLER", "GROSSMUELLER", false), ("NOËL CCEUR", "NOEL COEUR", false), ("GCPEP", "GCTHOETH", false),
      ("DAE VLYPÄOYK", "THAE VLYPAEOYK", false), ("NTBYYCD", "NTTHYYCD", false), ("ÖCAW", "OETHCAW", false),
      ("PURÍDUR ÖSP", "THORUNN OESP", true), ("PETER", "THOMAS", true), ("OCAW", "OETHCAW", true),
      ("SMIX", "SMITH", true), ("ÖCW", "OETHCAW", true),
    ])
  func unmarked(printed: String, name: String, isOther: Bool) throws {
    let report = try report([Self.lines(Self.page(["Given": printed]))]) { $0.givenNames = name }
    #expect(report.mismatches.map(\.name) == (isOther ? [.givenNames] : []))
    #expect(check(report)?.status == (isOther ? .failed : .notChecked))
  }

  @Test("the value of the field below is not evidence that a name is another", arguments: ["E", "", "eRIKSSON"])
  func below(printed: String) throws {
    let page = try report([Self.lines(Self.page(["Surname": printed]), step: 6)]) { $0.surname = "AE" }
    #expect(page.mismatches.isEmpty && check(page) == DocumentCheck(.printMatches, .notChecked, .lowConfidence))
    let names = Self.page(["Surname": printed, "Given": "ANNA MARTA"])
    let altered = try report([Self.lines(names, step: 6)]) { $0.surname = "AE" }
    #expect(altered.mismatches.map(\.name) == [.givenNames])
    let letters = Self.page(["Surname": printed, "Given": "M"])
    let short = try report([Self.lines(letters, step: 6)]) { ($0.surname, $0.givenNames) = ("AE", "M") }
    #expect(short.mismatches.isEmpty)
  }

  @Test("a doubtful reading of another value is not checked")
  func doubtful() throws {
    let report = try report([Self.lines(Self.page(["Surname": "JONES"]), confidence: 0.85)])
    #expect(check(report) == DocumentCheck(.printMatches, .notChecked, .lowConfidence) && report.mismatches.isEmpty)

    // Nothing passes beside one, also of a field that need not be printed.
    let letter = Self.lines(Self.page(["Sex": "M"])).map { line in
      line.text != "M"
        ? line
        : VisualZone.Line(
          text: line.text, confidence: 0.85, left: line.left, top: line.top, right: line.right, bottom: line.bottom)
    }
    let other = try self.report([letter])
    #expect(check(other) == DocumentCheck(.printMatches, .notChecked, .lowConfidence) && other.mismatches.isEmpty)
  }

  @Test("the right value in another place, or in small print below, does not replace the one at the caption")
  func elsewhere() throws {
    let page = Self.lines(Self.page(["Date of birth": "12 AUG 94"]))
    let small = VisualZone.Line(text: "12 AUG 74", confidence: 0.98, left: 30, top: 46.2, right: 40, bottom: 47)
    for lines in [page + [small], Self.lines(Self.page(["Date of birth": "12 AUG 94"]) + [("", "12 AUG 74")])] {
      #expect(try check(report([lines])) == DocumentCheck(.printMatches, .notChecked, .unverified))
    }
    let without = Self.lines(Self.page.map { ($0.0.hasPrefix("Surname") ? "" : $0.0, $0.1) })
    #expect(try check(report([without])) == DocumentCheck(.printMatches, .notChecked, .unverified))
  }

  @Test("a field for both names is compared with both")
  func wholeName() throws {
    let lines = Self.lines(Self.page(["Surname": "ERIKSSON, ANNA MARIA", "Given": ""]))
    #expect(try check(report([lines]))?.status == .passed)
  }

  @Test("a page whose given names are covered, or illegible, does not pass", arguments: ["", "x", "~*"])
  func withoutGivenNames(printed: String) throws {
    let page = try report([Self.lines(Self.page(["Given": printed]))])
    #expect(check(page)?.status == .notChecked && page.mismatches.isEmpty)
    #expect(page.printData?[.surname].status == .passed && page.printData?[.givenNames].status == .notChecked)
  }

  @Test("a field that the zone does not verify is not checked, and nothing passes without it")
  func unverified() throws {
    let zone = try MachineReadableZone(MRZContent.specimen.lines(.td3).joined(), on: Self.day)
    for (line, column, name) in [(0, 5, DocumentFieldName.surname), (1, 0, .documentNumber), (1, 13, .dateOfBirth)] {
      let page = try PageZone(certain: zone, doubtful: (line, column))
      let report = DocumentReport(
        page: page, chip: nil, accepted: [.page], print: [VisualZone(Self.lines(Self.page))], on: Self.day)
      #expect(check(report) == DocumentCheck(.printMatches, .notChecked, .lowConfidence))
      #expect(report.printData?[name] == .notChecked(nil, .lowConfidence))
    }
  }

  @Test("a long name of letters with several spellings is compared in little time")
  func hostile() throws {
    let name = String(repeating: "Ä", count: 2000)
    let report = try report([Self.lines(Self.page(["Surname": name]))]) {
      $0.surname = String(repeating: "A", count: 30)
    }
    #expect(check(report)?.status == .failed)
  }

  @Test("each page is compared: one altered page fails")
  func pages() throws {
    let (right, wrong) = (Self.lines(Self.page), Self.lines(Self.page(["Surname": "JONES"])))
    #expect(try report([right, wrong]).result == .failed && report([wrong, right]).result == .failed)
    #expect(try check(report([right, []]))?.status == .passed)
  }

  @Test(
    "national letters are compared in every transliteration of ICAO 9303-3, section 6",
    arguments: [
      ("MÜLLER", "MUELLER"), ("MÜLLER", "MULLER"), ("MÜLLER", "MUXXLLER"), ("Ævarsdóttir", "AEVARSDOTTIR"),
      ("ØSTERGÅRD", "OESTERGAARD"), ("ØSTERGÅRD", "OSTERGARD"), ("NÚÑEZ", "NUNEZ"), ("NÚÑEZ", "NUNXXEZ"),
      ("Weiß", "WEISS"), ("ÞURIÐUR", "THURIDUR"), ("D'ARC", "DARC"), ("SMITH-JONES", "SMITH JONES"),
      ("[a] MUSTERMANN", "MUSTERMANN"),
    ])
  func transliterated(printed: String, zone: String) throws {
    let report = try report([Self.lines(Self.page(["Surname": printed]))]) { $0.surname = zone }
    #expect(report.printData?[.surname].status == .passed)
  }

  @Test(
    "dates are read in the notations of travel documents and licences",
    arguments: [
      ("12.08.1964", "1964-08-12"), ("12 08 1964", "1964-08-12"), ("12/08/1964", nil), ("12-08-1964", nil),
      ("31 DES/DEC 66", nil), ("12 AUGUST/AOUT 1974", "1974-08-12"),
      ("1960-02-08", "1960-02-08"), ("25.12.1982.", "1982-12-25"), ("20 Juin/Jun 1978", "1978-06-20"),
      ("12AUG1974", "1974-08-12"), ("08/31/1977", "1977-08-31"), ("DOB 08/31/1977", "1977-08-31"),
    ] as [(String, String?)])
  func dates(text: String, iso: String?) throws {
    let date = try #require(PrintedDate(text))
    #expect(date.iso() == iso)
    let expected = ["12/08/1964": "1964-08-12", "12-08-1964": "1964-12-08", "31 DES/DEC 66": "1966-12-31"][text] ?? iso
    #expect(date.isSame(as: try #require(expected.flatMap { PartialDate($0) })))
  }

  @Test("no date is read from other text", arguments: ["", "110101/111", "31.02.2001", "12 XYZ 1974", "1 2", "2001"])
  func noDate(text: String) { #expect(PrintedDate(text) == nil) }

  @Test("captions are found in either language, with a misread letter, and two in a line")
  func captions() {
    func names(_ text: String) -> [DocumentFieldName] {
      PrintedCaption.all(in: text, style: PrintedCaption.Style([])).compactMap(\.name)
    }
    #expect(names("Prezime/Surname (1)") == [.surname] && names("Date of bírth / Geburtsdatum") == [.dateOfBirth])
    #expect(names("Dale of expiry") == [] && names("Date of expirv") == [.dateOfExpiry])
    #expect(names("Sex/Sexe Place of birth/Lieu de naissance") == [.sex, .placeOfBirth])
    #expect(names("UNITED STATES DL") == [] && names("DL I1234568") == [.documentNumber])
    #expect(names("4b. 28.02.2027") == [] && names("") == [])
    #expect(names("Number of entries / Nombre d'entrées") == [])
    #expect(PrintedCaption.Style(["1. A", "4a. 01.01.2020", "4b. 01.01.2030"]).isNumbered)
  }

  @Test(
    "the title names the kind of document, in any language, with a misread letter, and not as a word of a caption",
    arguments: [
      (["California", "DRIVER LICENSE"], .drivingLicence), (["FÜHRERSCHEIN"], .drivingLicence),
      (["ŘIDIČSKÝ PRŮKAZ ČESKÁ REPUBLIKA"], .drivingLicence), (["DIENSTPASS", "REISEPASS / PASSPORT"], .passport),
      (["OFFICIALPASSPORT-PASSEPORTDESERVICE"], .passport), (["UNITED STATES PASSPORT CARD"], .idCard),
      (["AUFENTHALTSTITEL"], .idCard), (["TITRE DE SÉJ0UR"], nil), (["TITRE DE SÉJOIR"], .idCard),
      (["VISA"], .visa), (["Passport No. / Passeport No"], nil), (["Visa number"], nil), (["PASSED"], nil),
      (["THIS PASSPORT REMAINS THE PROPERTY OF THE GOVERNMENT"], nil), (["PASSPORT", "IDENTITY CARD"], nil),
      (["P<UTOERIKSSON<<ANNA", "PASSPORT"], .passport), ([], nil), (["/-|"], nil),
    ] as [([String], DocumentType?)])
  func title(texts: [String], type: DocumentType?) {
    #expect(VisualZone(texts.enumerated().map { Self.line($1, 30, $0) }).title?.type == type)
  }

  @Test("of two titles the larger one counts")
  func largerTitle() {
    let small = VisualZone.Line(text: "IDENTITY CARD", confidence: 1, left: 0, top: 0, right: 9, bottom: 2, number: 0)
    let large = VisualZone.Line(text: "PASSPORT", confidence: 1, left: 0, top: 5, right: 9, bottom: 9, number: 1)
    let title = VisualZone([small, large]).title
    #expect(title?.type == .passport && title?.line == 1)
  }

  /// A line in row `row`, whose height is 3.
  private static func line(_ text: String, _ left: Double, _ row: Int, confidence: Double = 0.98) -> VisualZone.Line {
    let top = 4 * Double(row)
    return VisualZone.Line(
      text: text, confidence: confidence, left: left, top: top, right: left + 1.5 * Double(text.count), bottom: top + 3,
      number: row)
  }

  private static func values(_ lines: [VisualZone.Line]) -> [DocumentFieldName: String] {
    VisualZone(lines).fields(on: day).compactMapValues(\.value)
  }

  @Test(
    "places, dates of issue, authorities and card access numbers are read at their captions, with place and certainty")
  func further() {
    let lines = [
      Self.line("Place of birth/Lieu de naissance", 30, 0), Self.line("ZENITH", 30, 1),
      Self.line("Date of issue", 30, 2), Self.line("16 APR/AVR 07", 30, 3),
      Self.line("7. Autoritéit/Autorité/Authority", 30, 4), Self.line("Ministère des Affaires étrangères", 30, 5),
      Self.line("CAN 123456", 30, 6), Self.line("Nationality", 30, 7, confidence: 0.8), Self.line("UTOPIAN", 30, 8),
      Self.line("Issued by / Délivré par", 90, 7), Self.line("Place of issue", 90, 8), Self.line("ZENITH", 90, 9),
    ]
    let fields = VisualZone(lines).fields(on: Self.day)
    #expect(
      fields.compactMapValues(\.value) == [
        .placeOfBirth: "ZENITH", .dateOfIssue: "2007-04-16", .issuingAuthority: "Ministère des Affaires étrangères",
        .cardAccessNumber: "123456", .nationality: "UTOPIAN",
      ])
    #expect(fields[.placeOfBirth]?.line == 1 && fields[.placeOfBirth]?.field == .notChecked("ZENITH", .unverified))
    // The caption may be another one.
    #expect(fields[.nationality]?.confidence == 0.8 && fields[.nationality]?.field.reason == .lowConfidence)
    #expect(fields[.surname] == nil && fields[.vehicleCategories] == nil)
  }

  @Test("a caption without a plausible value is a field without one, and a date with an open order has none")
  func withoutValue() throws {
    let fields = VisualZone([
      Self.line("Place of birth", 30, 0), Self.line("12", 30, 1), Self.line("Date of issue", 30, 2),
      Self.line("04/07/2012", 30, 3),
    ]).fields(on: Self.day)
    let (place, date) = (try #require(fields[.placeOfBirth]), try #require(fields[.dateOfIssue]))
    #expect(place.value == nil && place.confidence == nil && place.line == nil && place.field.reason == .lowConfidence)
    #expect(date.value == nil && date.confidence == 0.98 && date.line == 3 && date.field.reason == .unverified)
  }

  @Test(
    "values with the words of captions, other captions and other codes are no values of these fields",
    arguments: [
      ["Authority", "Holder's signature"], ["ISSUED BY THE GOVERNMENT", "1234 MAIN STREET"],
      ["TRANSPORT AUTHORITY", "ZENITH"], ["CAN", "1234567"], ["CAN", "ERIKSSON", "123456"], ["CAN 1234567"],
      ["Nationality", "12 AUG 74"],
      ["Nationality", "of the holder"], ["9. AM/B", "4a. 01.01.2020"],
      ["Authority", "13 APR 2007"], ["Place of birth", "12.08.1974 F"], [], ["السلطة", "زينيث"], ["Αρχή", "ΑΘΗΝΑ"],
    ])
  func noFields(texts: [String]) {
    let lines = texts.enumerated().map { Self.line($1, 30, $0) }
    #expect(Self.values(lines).filter { $0.key != .dateOfIssue } == [:])
  }

  @Test("a card access number is read below its caption")
  func cardAccessNumber() {
    // Aligned at the right, as on a passport of Iceland.
    let lines = [Self.line("Authority", 30, 0), Self.line("CAN", 94.5, 0), Self.line("203030", 90, 1)]
    #expect(Self.values(lines) == [.cardAccessNumber: "203030"])
  }

  @Test("an authority with the word in its name is read")
  func authorityName() {
    let lines = [Self.line("Authority/Údarás", 30, 0), Self.line("ROAD SAFETY AUTHORITY", 30, 1)]
    #expect(Self.values(lines) == [.issuingAuthority: "ROAD SAFETY AUTHORITY"])
  }

  @Test("the numbered fields of a licence of the EU, also two in a row")
  func numbered() {
    let licence = [
      "1. MUSTERMANN", "2. ERIKA", "3. 12.08.64 ZENITH", "4a. 01.02.2020 4c. Landratsamt 4c", "4b. 31.01.2035",
      "5. B072RRE2I55", "9. AM/B / BE,L",
    ].enumerated().map { Self.line($1, 30, $0) }
    let expected: [DocumentFieldName: String] = [
      .surname: "MUSTERMANN", .givenNames: "ERIKA", .placeOfBirth: "ZENITH", .dateOfIssue: "2020-02-01",
      .dateOfExpiry: "2035-01-31", .issuingAuthority: "Landratsamt 4c", .documentNumber: "B072RRE2I55",
      .vehicleCategories: "AM,B,BE,L",
    ]
    #expect(Self.values(licence) == expected)
    let split =
      licence.filter { !$0.text.hasPrefix("4a") } + [
        Self.line("4a. 01.02.2020", 30, 3), Self.line("4c.", 90, 3), Self.line("DVLA", 97, 3),
      ]
    #expect(Self.values(split)[.issuingAuthority] == "DVLA")
    // O is a misread D, I a misread 1; the back of a card has the number as the head of a column.
    for text in ["9. AM/O", "9. BI", "9. L", "9. 10. 11. 12.", "9."] {
      let lines = licence.dropLast() + [Self.line(text, 30, 6), Self.line("AM", 30, 7)]
      #expect(Self.values(Array(lines))[.vehicleCategories] == nil, "\(text)")
    }
  }

  @Test(
    "a printed nationality is compared by code, name and adjective",
    arguments: [
      ("UTO", "UTO", CheckStatus.passed), ("UTOPIAN", "UTO", .passed), ("DEUTSCH", "D", .passed),
      ("GERMAN/ALLEMANDE", "D", .passed), ("POLSKIE /POLISH", "POL", .passed), ("BRITISH CITIZEN", "GBR", .passed),
      ("ČESKÁ REPUBLIKA/ CZECH REPUBLIC", "CZE", .passed), ("Luxembourgeoise", "LUX", .passed),
      ("CANADIAN/CANADIENNE", "CAN", .passed), ("Barbados", "BRB", .passed), ("XXX", "XXX", .passed),
      ("GERMAN", "POL", .failed), ("POL", "D", .failed), ("FRANÇAISE", "BEL", .failed),
      ("AUSTRIAN", "AUS", .notChecked), ("AUT", "AUS", .notChecked), ("MAROKAS", "XXC", .notChecked),
      ("MOROCCAN", "XXC", .notChecked), ("BRITISH", "GBD", .notChecked), ("REPUBLIC OF CHINA", "TWN", .notChecked),
      ("CHINESE", "HKG", .notChecked), ("Slovensko", "SVN", .notChecked), ("QQQ", "UTO", .notChecked),
      ("ΕΛΛΗΝΙΚΗ", "GRC", .notChecked), ("GERMAN/POLISH", "FRA", .notChecked), ("//", "UTO", .notChecked),
    ])
  func nationality(text: String, code: String, status: CheckStatus) throws {
    let report = try report([Self.lines(Self.page(["Nationality": text]))]) { $0.nationality = code }
    #expect(report.printData?[.nationality].status == status)
    #expect(report.mismatches.map(\.name) == (status == .failed ? [.nationality] : []))
    #expect(report.data[.nationalityCode].status == (status == .failed ? .failed : .passed))
    #expect((report.result == .failed) == (status == .failed))
    // Without certainty about text or caption, nothing fails.
    let doubtful = try self.report([Self.lines(Self.page(["Nationality": text]), confidence: 0.85)]) {
      $0.nationality = code
    }
    #expect(doubtful.mismatches.isEmpty)
  }

  @Test("a place below the caption of another field is not taken for a nationality")
  func tight() throws {
    let lines = [
      Self.line("Nationality", 30, 0), Self.line("Place of birth", 30, 1), Self.line("GERMAN", 30, 2),
    ]
    #expect(Self.values(lines) == [.placeOfBirth: "GERMAN"])
  }

  @Test("a licence's front is compared with its code, and then its data and its picture are of one card")
  func licence() throws {
    let licence = try MadeLicence(
      version: 10, issuer: "636014",
      subfiles: [
        (
          "DL",
          [
            ("DCA", "C"), ("DCB", "NONE"), ("DCD", "NONE"), ("DBA", "08312029"), ("DCS", "CARDHOLDER"), ("DDE", "N"),
            ("DAC", "IMA"), ("DDF", "N"), ("DAD", "NONE"), ("DDG", "N"), ("DBD", "08312021"), ("DBB", "08311977"),
            ("DBC", "2"), ("DAY", "BRO"), ("DAU", "065 IN"), ("DAG", "2570 24TH STREET"), ("DAI", "ANYTOWN"),
            ("DAJ", "CA"), ("DAK", "958180000  "), ("DAQ", "I1234568"), ("DCF", "00000000NONE"), ("DCG", "USA"),
          ]
        )
      ]
    ).read()
    func report(_ birth: String) -> DocumentReport {
      let front = ["DLI1234568", "LN CARDHOLDER", "FNIMA", "DOB \(birth)", "EXP 08/31/2029"]
      return DocumentReport(
        licence: licence, isFrontGiven: true, print: [VisualZone(Self.lines(front.map { ($0, "") }))],
        accepted: [.licence], on: Self.day)
    }
    let (right, wrong) = (report("08/31/1977"), report("08/31/1997"))
    #expect(right[.printMatches]?.status == .passed && right[.pagesMatch]?.status == .passed)
    #expect(right.assurance == .pageConsistent)
    #expect(wrong.result == .failed && wrong.mismatches.map(\.name) == [.dateOfBirth])
  }
}
