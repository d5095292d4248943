import IdentityDocuments
import TestSupport
import Testing

@Suite("MRZGrammar")
struct MRZGrammarTests {
  private func allowed(_ format: MRZFormat, _ line: Int, _ column: Int) throws -> MRZCharacters {
    try #require(MRZGrammar.all.first { $0.format == format }).standard[line][column]
  }

  @Test("each position of a passport permits the characters of the standard")
  func passport() throws {
    let dates: MRZCharacters = [.digits, .filler]
    #expect(try allowed(.td3, 0, 0) == MRZCharacters("P"))
    #expect(try allowed(.td3, 0, 1) == [.letters, .filler])
    #expect(try (2..<44).allSatisfy { try allowed(.td3, 0, $0) == [.letters, .filler] })
    #expect(try (0..<9).allSatisfy { try allowed(.td3, 1, $0) == .any })
    #expect(try allowed(.td3, 1, 9) == .digits)
    #expect(try (10..<13).allSatisfy { try allowed(.td3, 1, $0) == [.letters, .filler] })
    #expect(try (13..<19).allSatisfy { try allowed(.td3, 1, $0) == dates })
    #expect(try allowed(.td3, 1, 19) == .digits)
    #expect(try allowed(.td3, 1, 20) == MRZCharacters("FM<"))
    #expect(try (21..<27).allSatisfy { try allowed(.td3, 1, $0) == dates })
    #expect(try (28..<42).allSatisfy { try allowed(.td3, 1, $0) == .any })
    #expect(try allowed(.td3, 1, 42) == dates)
    #expect(try allowed(.td3, 1, 43) == .digits)
    #expect(try allowed(.mrvB, 0, 0) == MRZCharacters("V") && allowed(.mrvB, 1, 35) == .any)
    #expect(
      try allowed(.td1, 0, 14) == dates && allowed(.td1, 1, 29) == .digits
        && allowed(.td1, 2, 29) == [.letters, .filler])
  }

  @Test("the character set has exactly the 37 characters")
  func characters() {
    #expect(MRZCharacters.alphabet.count == 37 && MRZCharacters.any.rawValue.nonzeroBitCount == 37)
    for byte in UInt8.min...UInt8.max {
      #expect(MRZCharacters.any.contains(byte) == MRZCharacters.alphabet.contains(byte))
    }
    #expect(MRZCharacters.digits.contains(UInt8(ascii: "0")) && !MRZCharacters.digits.contains(UInt8(ascii: "O")))
  }

  @Test("the tolerant grammar includes everything that the standard permits")
  func tolerated() {
    for grammar in MRZGrammar.all {
      for (standard, tolerated) in zip(grammar.standard.joined(), grammar.tolerated.joined()) {
        #expect(tolerated.isSuperset(of: standard) && !standard.isEmpty)
      }
    }
  }

  @Test(
    "specimen documents satisfy the tolerant grammar",
    .needsShared("testdata/mrz.csv"),
    arguments: SpecimenZones.rows)
  func specimens(_ row: SpecimenZones.Row) throws {
    let zone = try MachineReadableZone(row.lines.joined(), on: MachineReadableZoneTests.day)
    let grammar = try #require(MRZGrammar.all.first { $0.layout == zone.layout })
    for (line, places) in zip(row.lines, grammar.tolerated) {
      for (column, (character, place)) in zip(line.utf8, places).enumerated() {
        #expect(place.contains(character), "\(line) \(column)")
      }
    }
  }

  @Test(
    "specimen lines satisfy the tolerant grammar",
    .needsShared("testdata/mrz_lines.csv"))
  func specimenLines() {
    let lines = MRZGrammar.all.flatMap(\.tolerated)
    // One is from Monaco, MCO; its O was transcribed as 0.
    for text in SpecimenZones.lines where !text.hasPrefix("I<MC00") {
      let fits = lines.contains { line in
        line.count == text.utf8.count && zip(line, text.utf8).allSatisfy { $0.contains($1) }
      }
      #expect(fits, "\(text)")
    }
  }
}
