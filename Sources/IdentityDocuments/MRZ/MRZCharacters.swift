/// A set of the 37 characters of machine readable zones: digits, capital letters, and the filler.
package struct MRZCharacters: OptionSet, Sendable, Hashable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// All 37 in the order of their bits.
  package static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<".utf8)

  package static let digits = MRZCharacters("0123456789")
  package static let letters = MRZCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  package static let filler = MRZCharacters("<")
  package static let any: MRZCharacters = [digits, letters, filler]

  package init(_ characters: String) {
    rawValue = characters.utf8.reduce(0) { $0 | Self.bit($1) }
  }

  /// Whether the set has an ASCII character.
  package func contains(_ character: UInt8) -> Bool { rawValue & Self.bit(character) != 0 }

  private static func bit(_ character: UInt8) -> UInt64 {
    alphabet.firstIndex(of: character).map { 1 << UInt64($0) } ?? 0
  }
}
