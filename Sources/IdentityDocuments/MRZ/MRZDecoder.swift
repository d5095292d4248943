internal import Glibc

/// Decides which text a zone has that was read from a picture: what was seen, what may stand where, and what the check
/// digits say.
package struct MRZDecoder {
  /// How much less often a character is met where only deviating documents have it, and where none is known to.
  /// (Chosen; what is seen clearly outweighs both.)
  private static let deviation = (tolerated: 0.05, unknown: 0.001)
  /// A check digit is taken to be right on 98 of 100 documents, and by chance on 10 of 100 that were misread: a reading
  /// whose digit is right is 50 times as likely as one whose digit is wrong. (Chosen, with the share of specimens whose
  /// printed digits are wrong in mind; genuine documents have fewer.)
  private static let rightDigit = log(50.0)
  /// Characters less likely than the best by this factor are no alternatives: check digits would choose at random.
  private static let leastAlternative = log(300.0)
  /// Of so many alternatives, the nearest, up to three at once are tried.
  private static let alternatives = 14

  private let grammar: MRZGrammar
  /// Line by line, place by place: log of what was seen times how often it is met there.
  private let weights: [[[Double]]]

  private init(_ grammar: MRZGrammar, _ seen: [[[Float]]]) {
    self.grammar = grammar
    weights = zip(seen.indices, seen).map { line, places in
      zip(places.indices, places).map { column, probabilities in
        zip(MRZCharacters.alphabet, probabilities).map { character, probability in
          let met =
            grammar.standard[line][column].contains(character)
            ? 1
            : grammar.tolerated[line][column].contains(character) ? Self.deviation.tolerated : Self.deviation.unknown
          return log(max(1e-9, Double(probability)) * met)
        }
      }
    }
  }

  /// The likeliest text.
  ///
  /// - Parameters:
  ///   - probabilities: for each line and place those of 0-9, A-Z and `<`.
  ///   - reference: for the centuries of dates, see ``MachineReadableZone``.
  /// - Returns: nil if no format has so many lines of that length.
  package static func decode(_ probabilities: [[[Float]]], on reference: CalendarDate) -> MRZReading? {
    MRZGrammar.all.filter { grammar in
      grammar.format.lineCount == probabilities.count
        && probabilities.allSatisfy { line in
          line.count == grammar.format.lineLength
            && line.allSatisfy { $0.count == MRZCharacters.alphabet.count && $0.allSatisfy { $0.isFinite } }
        }
    }.compactMap { MRZDecoder($0, probabilities).reading(on: reference) }.min { $0.cost < $1.cost }
  }

  /// One place that might be read in another way.
  private struct Alternative {
    let line: Int
    let column: Int
    let character: Int
    /// How much less likely it is than the best.
    let cost: Double
  }

  private func reading(on reference: CalendarDate) -> MRZReading? {
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
    let text = text(best, chosen)
    let lines = text.lines.map { String(decoding: $0, as: UTF8.self) }
    guard let zone = try? MachineReadableZone(lines.joined(separator: "\n"), on: reference),
      zone.layout == grammar.layout
    else { return nil }
    var characters: [[MRZReading.Character]] = []
    var cost = Double(wrong) * Self.rightDigit
    for (line, row) in weights.enumerated() {
      characters.append(
        row.enumerated().map { column, weights in
          let alternative = chosen.first { $0.line == line && $0.column == column }
          let index = alternative?.character ?? best[line][column]
          let total = weights.reduce(0) { $0 + exp($1) }
          let confidence = exp(weights[index]) / total
          cost -= weights[index]
          return .init(confidence: confidence, isDecidedByCheckDigit: alternative != nil)
        })
    }
    return MRZReading(
      zone: zone, characters: characters, cost: cost / Double(grammar.format.lineCount * grammar.format.lineLength))
  }

  private func text(_ best: [[Int]], _ chosen: [Alternative]) -> MRZText {
    var text = MRZText(blank: grammar.format)
    text.lines = best.map { $0.map { MRZCharacters.alphabet[$0] } }
    for place in chosen { text.lines[place.line][place.column] = MRZCharacters.alphabet[place.character] }
    return text
  }

  private func wrongDigits(_ best: [[Int]], _ chosen: [Alternative]) -> Int {
    MRZDigits.judge(text(best, chosen), grammar.layout).count { $0.status == .failed }
  }

  private func alternatives(to best: [[Int]]) -> [Alternative] {
    var all: [Alternative] = []
    for (line, row) in weights.enumerated() {
      for (column, weights) in row.enumerated() {
        let top = weights[best[line][column]]
        for character in weights.indices where character != best[line][column] {
          let cost = top - weights[character]
          if cost < Self.leastAlternative {
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
