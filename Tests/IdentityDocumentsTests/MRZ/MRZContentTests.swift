import IdentityDocuments
import TestSupport
import Testing

@Suite("MRZContent")
struct MRZContentTests {
  private static let day = CalendarDate(year: 2026, month: 11, day: 21)!

  private func content(_ surname: String, _ givenNames: String) -> MRZContent {
    MRZContent(
      documentCode: "P", issuingState: "UTO", surname: surname, givenNames: givenNames, documentNumber: "L898902C3",
      nationality: "UTO", dateOfBirth: PartialDate("1974-08-12")!, sex: .female,
      dateOfExpiry: PartialDate("2012-04-15"), optionalData: "")
  }

  private func nameField(_ surname: String, _ givenNames: String, _ format: MRZFormat) throws -> String {
    var content = content(surname, givenNames)
    content.documentCode = format.isVisa ? "V" : format == .td3 ? "P" : "I"
    let lines = try content.lines(format)
    return format == .td1 ? lines[2] : String(lines[0].dropFirst(5))
  }

  private static let names: [(MRZFormat, String, String, String)] = [
    // ICAO 9303-4, 4.2.3.1 to 4.2.3.4; the same in 9303-7, 4.2.3.
    (.td3, "ERIKSSON", "ANNA MARIA", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"),
    (.td3, "HENG", "DEBORAH MING LO", "HENG<<DEBORAH<MING<LO<<<<<<<<<<<<<<<<<<"),
    (.td3, "SMITH-JONES", "SUSIE MARGARET", "SMITH<JONES<<SUSIE<MARGARET<<<<<<<<<<<<"),
    (.td3, "O'CONNOR", "ENYA SIOBHAN", "OCONNOR<<ENYA<SIOBHAN<<<<<<<<<<<<<<<<<<"),
    (.td3, "VAN DER MUELLEN", "MARTIN", "VAN<DER<MUELLEN<<MARTIN<<<<<<<<<<<<<<<<"),
    (.td3, "AL-BASRI", "HUDA MUHAMMAD JAWAD", "AL<BASRI<<HUDA<MUHAMMAD<JAWAD<<<<<<<<<<"),
    (.td3, "VILARCHAO FERNANDEZ", "JOSE RAMON", "VILARCHAO<FERNANDEZ<<JOSE<RAMON<<<<<<<<"),
    (.td3, "ARKFREITH", "", "ARKFREITH<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<"),
    (.td3, "SATRIYA SUDARPA", "", "SATRIYA<SUDARPA<<<<<<<<<<<<<<<<<<<<<<<<"),
    (.td3, "NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUANG", "NILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K"),
    (.td3, "NILAVADHANANANDA", "ARNPOL PETCH CHARONGUANG", "NILAVADHANANANDA<<ARNPOL<PETCH<CHARONGU"),
    (
      .td3, "BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL", "DINGO POTOROO",
      "BENNELONG<WOOLOOMOOLOO<WARRANDYTE<W<<DI"
    ),
    (.td3, "PAPANDROPOULOUS", "JONATHON WARREN TREVOR", "PAPANDROPOULOUS<<JONATHON<WARREN<TREVOR"),
    (.mrvA, "NILAVADHANANANDA", "ARNPOL PETCH CHARONGUANG", "NILAVADHANANANDA<<ARNPOL<PETCH<CHARONGU"),
    // ICAO 9303-5, 4.2.3.
    (.td1, "NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUANG", "NILAVADHANANANDA<<CHAYAPA<DE<K"),
    (.td1, "BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL", "DINGO POTOROO", "BENNELONG<WOOLOOMOOLOO<W<W<<DI"),
    (.td1, "PAPANDROPOULOUS", "JONATHON ALEC", "PAPANDROPOULOUS<<JONATHON<ALEC"),
    (.td1, "VILARCHAO FERNANDEZ", "JOSE RAMON", "VILARCHAO<FERNANDEZ<<JOSE<RAMO"),
    // ICAO 9303-6, 4.2.3.
    (.td2, "NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUANG", "NILAVADHANANANDA<<CHAYAPA<DEJ<K"),
    (.td2, "BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL", "DINGO POTOROO", "BENNELONG<WOOLOOMOOLOO<W<W<<D<P"),
    (.td2, "PAPANDROPOULOUS", "JONATHOON ALEC", "PAPANDROPOULOUS<<JONATHOON<ALEC"),
    // ICAO 9303-7, 7.2.3.
    (.mrvB, "NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUANG", "NILAVADHANANANDA<<CHAYAPA<DEJ<K"),
    (.mrvB, "PAPANDROPOULOUS", "STEPHEN TREVOR", "PAPANDROPOULOUS<<STEPHEN<TREVOR"),
  ]

  @Test("the standard's names are written as in the standard", arguments: names)
  func examples(_ example: (MRZFormat, String, String, String)) throws {
    #expect(try nameField(example.1, example.2, example.0) == example.3)
  }

  @Test("national letters are transliterated by the standard's table")
  func transliteration() throws {
    for (name, written) in [
      ("Müller", "MUELLER"), ("Ångström", "AANGSTROEM"), ("Sørensen", "SOERENSEN"), ("Muñoz", "MUNOZ"),
      ("Groß", "GROSS"), ("ẞ", "SS"), ("Þórður", "THORDUR"), ("Æbelø", "AEBELOE"), ("Đorđević", "DORDEVIC"),
      ("Łukasz", "LUKASZ"), ("İbrahim ışık", "IBRAHIM<ISIK"), ("Ĳsbrand ĳ", "IJSBRAND<IJ"),
      ("Ștefan Țară", "STEFAN<TARA"),
      ("d’Artagnan", "DARTAGNAN"), ("D'Artagnan", "DARTAGNAN"), ("Marie-Élise", "MARIE<ELISE"),
      ("Anna, Maria", "ANNA<MARIA"),
      ("J. R.", "J<R"), ("  a   b ", "A<B"), ("Mu\u{308}ller", "MUELLER"),
    ] {
      #expect(try MRZTransliteration.name(name) == written)
    }
    for name in ["John 2", "Иван", "محمد", "李", "Ⅳ"] {
      #expect(throws: VerifyError.self) { try MRZTransliteration.name(name) }
    }
  }

  @Test("written zones are read back, in every format")
  func roundTrip() throws {
    var random = SplitMix(state: 2)
    func word(_ characters: String, _ counts: ClosedRange<Int>) -> String {
      let characters = Array(characters)
      return String(
        (0..<Int.random(in: counts, using: &random)).map { _ in characters.randomElement(using: &random) ?? "A" })
    }
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    let alphabet = letters + "0123456789"
    for _ in 0..<2000 {
      let format = MRZFormat.allCases.randomElement(using: &random) ?? .td1
      let birth = PartialDate(
        year: Int.random(in: 1930...2020, using: &random),
        month: Bool.random(using: &random) ? 1 + Int.random(in: 0..<12, using: &random) : nil,
        day: Bool.random(using: &random) ? 1 + Int.random(in: 0..<28, using: &random) : nil)
      let content = MRZContent(
        documentCode: format.isVisa ? "V" : format == .td3 ? "P" : "IX",
        issuingState: ["D", "UTO", "CHE"].randomElement(using: &random) ?? "D",
        surname: (0...Int.random(in: 0...4, using: &random)).map { _ in word(letters, 1...12) }.joined(separator: " "),
        givenNames: (0..<Int.random(in: 0...4, using: &random)).map { _ in word(letters, 1...12) }.joined(
          separator: " "),
        documentNumber: word(alphabet, 1...(format == .td1 ? 22 : format == .td2 ? 14 : 9)), nationality: "XXA",
        dateOfBirth: try #require(birth), sex: MRZSex.allCases.randomElement(using: &random) ?? .male,
        dateOfExpiry: Bool.random(using: &random)
          ? PartialDate(year: Int.random(in: 2021...2040, using: &random), month: 2, day: 28) : nil,
        optionalData: format == .td3 ? word(alphabet, 0...14) : format == .mrvB ? word(alphabet, 0...8) : "",
        optionalData2: format == .td1 ? word(alphabet, 0...11) : "")
      let lines = try content.lines(format)
      let zone = try MachineReadableZone(lines.joined(), on: Self.day)
      #expect(zone.lines == lines && zone.linesWithCorrectCheckDigits == lines)
      #expect(zone.findings.isEmpty, "\(lines)")
      #expect(zone.documentNumber == content.documentNumber && zone.format == format)
      #expect(zone.documentCode == content.documentCode && zone.issuingState == content.issuingState)
      #expect(zone.dateOfBirth.date == content.dateOfBirth && zone.dateOfExpiry.date == content.dateOfExpiry)
      #expect(zone.sex == content.sex && zone.optionalData == content.optionalData)
      #expect((zone.optionalData2 ?? "") == content.optionalData2)
      let count = content.surname.count + (content.givenNames.isEmpty ? 0 : 2 + content.givenNames.count)
      let room = format == .td1 ? 30 : format.lineLength - 5
      if count <= room {
        #expect(zone.surname == content.surname && zone.givenNames == content.givenNames)
        let isTruncated = zone.isNameTruncated
        #expect(isTruncated == (count == room))
      } else {
        let isTruncated = zone.isNameTruncated
        #expect(isTruncated, "\(content.surname), \(content.givenNames): \(lines)")
        #expect(!zone.surname.isEmpty && zone.givenNames.isEmpty == content.givenNames.isEmpty)
      }
    }
  }

  @Test("names of a hundred thousand parts, or letters, are truncated quickly")
  func hugeNames() throws {
    for name in [String(repeating: "A ", count: 100_000), String(repeating: "A", count: 100_000)] {
      #expect(try nameField(name, name, .td3).count == 39)
    }
  }

  @Test("oversized values are rejected; only names are truncated")
  func refusals() throws {
    func refused(_ format: MRZFormat = .td3, _ change: (inout MRZContent) -> Void) -> Bool {
      var content = content("ERIKSSON", "ANNA")
      change(&content)
      do { _ = try content.lines(format) } catch { return (error as? VerifyError)?.code == .badArgument }
      return false
    }
    #expect(!refused { _ in })
    #expect(refused { $0.documentNumber = "L898902C34" })
    #expect(refused { $0.documentNumber = "" })
    #expect(refused { $0.optionalData = "123456789012345" })
    #expect(refused { $0.optionalData2 = "1" })
    #expect(refused { $0.documentCode = "PAB" })
    #expect(refused { $0.documentCode = "V" })
    #expect(refused(.mrvA) { $0.documentCode = "P" })
    #expect(refused { $0.issuingState = "UTOP" })
    #expect(refused { $0.nationality = "uto" })
    #expect(refused { $0.surname = "" })
    #expect(refused { $0.surname = "X Æ A-12" })
    #expect(refused(.td1) { $0.documentNumber = String(repeating: "1", count: 23) })
    #expect(refused(.td2) { $0.documentNumber = String(repeating: "1", count: 15) })
    #expect(refused(.td1) { $0.documentNumber = "12345678-90" })
    #expect(!refused(.td1) { $0.documentNumber = String(repeating: "1", count: 22) })
    #expect(!refused { $0.documentNumber = "12-34 5" })
  }
}
