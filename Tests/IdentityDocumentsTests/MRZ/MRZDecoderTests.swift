import IdentityDocuments
import Testing

@Suite("MRZDecoder: from probabilities to text")
struct MRZDecoderTests {
  private let passport = [
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
  ]
  private let day = CalendarDate(year: 2012, month: 1, day: 1)

  /// The output of a recogniser that is certain of each character.
  private func seen(_ lines: [String], sure: Float = 0.999) -> [[[Float]]] {
    lines.map { line in
      line.utf8.map { character in
        MRZCharacters.alphabet.map { $0 == character ? sure : (1 - sure) / 36 }
      }
    }
  }

  private func decode(_ probabilities: [[[Float]]]) throws -> MRZReading? {
    MRZDecoder.decode(probabilities, on: try #require(day))
  }

  private func index(_ character: Character) -> Int {
    MRZCharacters.alphabet.firstIndex(of: character.asciiValue ?? 0) ?? 0
  }

  @Test("certain characters are read unchanged")
  func clear() throws {
    let reading = try #require(try decode(seen(passport)))
    #expect(reading.zone.lines == passport && reading.zone.format == .td3 && reading.isSure)
    #expect(reading.cost < 0.01)
  }

  @Test("a certain character is kept if its check digit is wrong, and the field is in error")
  func wrongDigit() throws {
    var lines = passport
    lines[1] = "L898902C36UTO7408123F1204159ZE184226B<<<<<10"
    let reading = try #require(try decode(seen(lines)))
    #expect(reading.zone.lines == lines)
    #expect(reading.zone.status(of: .dateOfBirth) == .failed)
    #expect(!reading.characters.joined().contains { $0.isDecidedByCheckDigit })
  }

  @Test("check digits decide between similar characters, which is reported")
  func alike() throws {
    var probabilities = seen(passport)
    // The first 8 of the number, which resembles a B slightly more.
    probabilities[1][1] = MRZCharacters.alphabet.map { _ in 0.001 }
    probabilities[1][1][index("B")] = 0.6
    probabilities[1][1][index("8")] = 0.36
    let reading = try #require(try decode(probabilities))
    #expect(reading.zone.lines == passport)
    #expect(reading.characters[1][1].isDecidedByCheckDigit && !reading.characters[1][1].isSure && !reading.isSure)
  }

  @Test("among similar characters a date has digits and a name has letters")
  func grammar() throws {
    var probabilities = seen(passport)
    // 0 of 1204159, and the O of ERIKSSON.
    for (line, column) in [(1, 23), (0, 11)] {
      probabilities[line][column] = MRZCharacters.alphabet.map { _ in 0.001 }
      probabilities[line][column][index("O")] = 0.48
      probabilities[line][column][index("0")] = 0.48
    }
    let reading = try #require(try decode(probabilities))
    #expect(reading.zone.lines == passport)
    #expect(reading.characters[1][23].confidence > 0.9 && reading.characters[0][11].confidence > 0.9)
  }

  @Test("letters of national zones are read: H for male on a Mexican card, digits in Russian names")
  func national() throws {
    let card = ["IDMEX1548723936<<1234567890123", "8001014H3012316MEX<02<<12345<0", "PEREZ<GARCIA<<JUAN<<<<<<<<<<<<"]
    var probabilities = seen(card)
    probabilities[1][7] = MRZCharacters.alphabet.map { _ in 0.001 }
    probabilities[1][7][index("H")] = 0.8
    probabilities[1][7][index("M")] = 0.15
    #expect(try decode(probabilities)?.zone.sex == .male)
    let passport = ["PNRUSZDRIL7K<<SERGEQ<ANATOL9EVI3<<<<<<<<<<<<", "3919353498RUS7207233M<<<<<<<4151218910003<50"]
    let reading = try #require(try decode(seen(passport)))
    #expect(reading.zone.lines == passport && reading.isSure)
  }

  @Test("the check digits of a single line are those whose fields are on it")
  func lineDigits() throws {
    func digits(_ line: String) throws -> [MRZField] {
      try #require(MRZDecoder.decode(line: seen([line])[0])).checkDigits.map(\.field)
    }
    #expect(try digits("I<UTOD231458907<<<<<<<<<<<<<<<") == [.documentNumber])
    #expect(try digits("7408122F1204159UTO<<<<<<<<<<<6") == [.dateOfBirth, .dateOfExpiry])
    #expect(try digits("ERIKSSON<<ANNA<MARIA<<<<<<<<<<") == [])
    #expect(try digits("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<") == [])
    #expect(try digits(passport[1]).count == 5)
    let licence = try #require(MRZDecoder.decode(line: seen(["D1FRA13AA000026181231MARTIN<<9"])[0]))
    #expect(licence.unsupported == "the one-line zone of a driving licence of France")
  }

  @Test("without evidence no character is certain")
  func blank() throws {
    let blank = [[[Float]]](repeating: [[Float]](repeating: [Float](repeating: 1 / 37, count: 37), count: 44), count: 2)
    let reading = try decode(blank)
    #expect(reading.map { $0.cost > 1.5 && $0.characters.joined().allSatisfy { !$0.isSure } } ?? true)
  }

  @Test("invalid probabilities, and sizes that match no format, yield nothing")
  func hostile() throws {
    #expect(try decode([]) == nil)
    #expect(try decode([[[]]]) == nil)
    #expect(try decode(seen(["P<UTO", "L8989"])) == nil)
    var probabilities = seen(passport)
    probabilities[0][0][0] = .nan
    #expect(try decode(probabilities) == nil)
    probabilities[0][0] = []
    #expect(try decode(probabilities) == nil)
  }

  @Test(
    "a single line is read with the matching grammar",
    arguments: [
      "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
      "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
    ])
  func line(text: String) throws {
    #expect(MRZDecoder.decode(line: seen([text])[0])?.text == text)
    #expect(MRZDecoder.decode(line: Array(seen([text])[0].dropLast())) == nil)
  }
}
