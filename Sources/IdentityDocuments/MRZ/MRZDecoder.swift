internal import Glibc

/// Decodes the text of a zone from character probabilities, the characters allowed at each position, and the check
/// digits.
package struct MRZDecoder {
  /// Prior factors of a character that only deviating documents have, and of one that no known document has. (Chosen; a
  /// clearly seen character outweighs both.)
  private static let deviation = (tolerated: 0.2, unknown: 0.001)
  /// Prior factor of a letter after the first of the document code, where most documents have a filler, and of letters
  /// that issuers avoid in numbers because they look like digits. (Chosen.)
  private static let rare = 0.15
  private static let avoided = MRZCharacters("OIQ")
  /// A check digit is assumed to be right on 98 of 100 documents, and right by chance on 10 of 100 misread ones: a
  /// reading with a right digit is 50 times as likely as one with a wrong digit. (Chosen with the proportion of
  /// specimens with wrong printed digits in mind; genuine documents have fewer.)
  private static let rightDigit = log(50.0)
  /// Characters less likely than the best by this factor are not alternatives: check digits would choose at random.
  private static let minimumAlternative = log(300.0)
  /// Number of alternatives considered, the most likely first; up to three are substituted together.
  private static let alternatives = 14

  private let grammar: MRZGrammar
  /// By line and column: log of the observed probability times the prior.
  private let weights: [[[Double]]]
  private let seen: [[[Float]]]
  /// A character observed with a lower probability is not sure, even if no other is allowed there.
  private static let hardlySeen = 0.1
  /// The only line that was observed; nil if all were.
  private let only: Int?

  private init(_ grammar: MRZGrammar, _ seen: [[[Float]]], only: Int? = nil) {
    self.grammar = grammar
    self.only = only
    self.seen = seen
    let layout = grammar.layout
    let numbers = [layout.documentNumber, layout.optionalData, layout.optionalData2].compactMap { $0 }
    weights = zip(seen.indices, seen).map { line, places in
      zip(places.indices, places).map { column, probabilities in
        zip(MRZCharacters.alphabet, probabilities).map { character, probability in
          let isRare =
            line == 0 && column == 1 && character != UInt8(ascii: "<")
            || numbers.contains { $0.line == line && $0.columns.contains(column) } && Self.avoided.contains(character)
          let met =
            (isRare ? Self.rare : 1)
            * (grammar.standard[line][column].contains(character)
              ? 1
              : grammar.tolerated[line][column].contains(character) ? Self.deviation.tolerated : Self.deviation.unknown)
          return log(max(1e-9, Double(probability)) * met)
        }
      }
    }
  }

  /// Returns the most likely text.
  ///
  /// - Parameters:
  ///   - probabilities: for each line and column, those of 0-9, A-Z and `<`.
  ///   - reference: determines the centuries of dates, see ``MachineReadableZone``.
  /// - Returns: nil if no format has this number of lines of that length.
  package static func decode(_ probabilities: [[[Float]]], on reference: CalendarDate) -> MRZReading? {
    MRZGrammar.all.filter { grammar in
      grammar.format.lineCount == probabilities.count
        && probabilities.allSatisfy { line in
          line.count == grammar.format.lineLength
            && line.allSatisfy { $0.count == MRZCharacters.alphabet.count && $0.allSatisfy { $0.isFinite } }
        }
    }.compactMap { MRZDecoder($0, probabilities).reading(on: reference) }.min { $0.cost < $1.cost }
  }

  /// Returns the most likely text of a single line whose place in the zone is unknown. Only check digits whose fields
  /// are entirely on the line are used.
  ///
  /// - Parameter probabilities: for each column, those of 0-9, A-Z and `<`.
  /// - Returns: nil if no format has lines of that length.
  package static func decode(line probabilities: [[Float]]) -> MRZLineReading? {
    var best: MRZLineReading?
    for grammar in MRZGrammar.all where grammar.format.lineLength == probabilities.count {
      for line in 0..<grammar.format.lineCount {
        let blank = Array(
          repeating: [Float](repeating: 0, count: MRZCharacters.alphabet.count), count: probabilities.count)
        var seen = Array(repeating: blank, count: grammar.format.lineCount)
        seen[line] = probabilities
        let reading = MRZDecoder(grammar, seen, only: line).lineReading(line)
        if reading.cost < best?.cost ?? .infinity { best = reading }
      }
    }
    return best
  }

  private func lineReading(_ line: Int) -> MRZLineReading {
    let (best, chosen, wrong) = chosenCharacters()
    let (characters, cost) = characters(best, chosen)
    let text = text(best, chosen)
    return MRZLineReading(
      text: String(decoding: text.lines[line], as: UTF8.self), characters: characters[line],
      checkDigits: digits(text).filter { $0.status != .notChecked },
      cost: (cost + Double(wrong) * Self.rightDigit) / Double(grammar.format.lineLength))
  }

  private struct Alternative {
    let line: Int
    let column: Int
    let character: Int
    /// Log of the likelihood ratio to the best character.
    let cost: Double
  }

  /// Returns the most likely character of each position, the substitutions that check digits require, and the number of
  /// digits that are still wrong.
  private func chosenCharacters() -> (best: [[Int]], chosen: [Alternative], wrong: Int) {
    let best = weights.map { $0.map { row in row.indices.max { row[$0] < row[$1] } ?? 0 } }
    var chosen: [Alternative] = []
    var wrong = wrongDigits(best, chosen)
    if wrong > 0 {
      let all = alternatives(to: best)
      var least = Double(wrong) * Self.rightDigit
      for set in Self.upToThree(all) {
        let cost = set.reduce(0) { $0 + $1.cost }
        guard cost < least else { continue }
        let failing = wrongDigits(best, set)
        if cost + Double(failing) * Self.rightDigit < least {
          (least, chosen, wrong) = (cost + Double(failing) * Self.rightDigit, set, failing)
        }
      }
    }
    return (best, chosen, wrong)
  }

  private func reading(on reference: CalendarDate) -> MRZReading? {
    let (best, chosen, wrong) = chosenCharacters()
    let text = text(best, chosen)
    let lines = text.lines.map { String(decoding: $0, as: UTF8.self) }
    guard let zone = try? MachineReadableZone(lines.joined(separator: "\n"), on: reference),
      zone.layout == grammar.layout
    else { return nil }
    let (characters, cost) = characters(best, chosen)
    return MRZReading(
      zone: zone, characters: characters,
      cost: (cost + Double(wrong) * Self.rightDigit) / Double(grammar.format.lineCount * grammar.format.lineLength))
  }

  /// Returns the confidence of each character, and the sum of -log of their weights.
  private func characters(
    _ best: [[Int]], _ chosen: [Alternative]
  ) -> (characters: [[MRZReading.Character]], cost: Double) {
    var cost = 0.0
    let characters = weights.enumerated().map { line, row in
      row.enumerated().map { column, weights in
        let alternative = chosen.first { $0.line == line && $0.column == column }
        let index = alternative?.character ?? best[line][column]
        let total = weights.reduce(0) { $0 + exp($1) }
        if only == nil || only == line { cost -= weights[index] }
        let likely = min(1, Double(seen[line][column][index]) / Self.hardlySeen)
        return MRZReading.Character(
          confidence: total > 0 ? likely * exp(weights[index]) / total : 0, isDecidedByCheckDigit: alternative != nil)
      }
    }
    return (characters, cost)
  }

  private func text(_ best: [[Int]], _ chosen: [Alternative]) -> MRZText {
    var text = MRZText(blank: grammar.format)
    text.lines = best.map { $0.map { MRZCharacters.alphabet[$0] } }
    for place in chosen { text.lines[place.line][place.column] = MRZCharacters.alphabet[place.character] }
    return text
  }

  private func wrongDigits(_ best: [[Int]], _ chosen: [Alternative]) -> Int {
    digits(text(best, chosen)).count { $0.status == .failed }
  }

  /// Returns the check digits whose fields were observed.
  private func digits(_ text: MRZText) -> [MRZCheckDigit] {
    let all = MRZDigits.judge(text, grammar.layout)
    guard let only else { return all }
    return all.filter { digit in
      (grammar.layout.spans(of: digit.field) + (digit.field == .composite ? grammar.layout.composite : [])).allSatisfy {
        $0.line == only
      }
    }
  }

  private func alternatives(to best: [[Int]]) -> [Alternative] {
    var all: [Alternative] = []
    for (line, row) in weights.enumerated() where only == nil || only == line {
      for (column, weights) in row.enumerated() {
        let top = weights[best[line][column]]
        for character in weights.indices where character != best[line][column] {
          let cost = top - weights[character]
          if cost < Self.minimumAlternative {
            all.append(Alternative(line: line, column: column, character: character, cost: cost))
          }
        }
      }
    }
    return Array(all.sorted { $0.cost < $1.cost }.prefix(Self.alternatives))
  }

  private static func upToThree(_ all: [Alternative]) -> [[Alternative]] {
    func isElsewhere(_ a: Alternative, _ b: Alternative) -> Bool { a.line != b.line || a.column != b.column }
    var sets: [[Alternative]] = []
    for (i, a) in all.enumerated() {
      sets.append([a])
      for (j, b) in all.enumerated() where j > i && isElsewhere(a, b) {
        sets.append([a, b])
        for (k, c) in all.enumerated() where k > j && isElsewhere(a, c) && isElsewhere(b, c) { sets.append([a, b, c]) }
      }
    }
    return sets
  }
}
