/// Transliterates national characters of the Latin script for a machine-readable zone (ICAO 9303-3, section 6 A).
///
/// Where the standard allows a choice, its first recommendation is used: Ä is AE, Å is AA, Ñ is N.
public enum MRZTransliteration {
  /// Returns a name in capital letters and fillers only: national letters are transliterated, spaces, hyphens and
  /// commas become a filler, apostrophes and other punctuation are dropped (ICAO 9303-3, 4.6).
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` at a digit, or at a letter without a transliteration here.
  public static func name(_ text: String) throws -> String {
    var result = ""
    for character in text {
      if character.isWhitespace || separators.contains(character) {
        if result.last != "<" { result.append("<") }
      } else if character.isLetter {
        result += try letters(character)
      } else if character.isNumber {
        throw VerifyError(.badArgument, "a name in a machine readable zone has no digits: \(text)")
      }
    }
    return String(result.split(separator: "<").joined(separator: "<"))
  }

  private static func letters(_ character: Character) throws -> String {
    if let found = table[character] { return found }
    let capital = character.uppercased()
    if let found = capital.first.flatMap({ table[$0] }), capital.count == 1 { return found }
    guard capital.utf8.allSatisfy({ 65...90 ~= $0 }) else {
      throw VerifyError(
        .badArgument,
        "\"\(character)\" has no transliteration here; write the name in Latin letters, as the document has it")
    }
    return capital
  }

  /// The letters of zones of Russian internal passports, in which each letter has one character, some of them digits
  /// ("modernised Clair"; annex to the order of the Federal Migration Service on the machine-readable entry in the
  /// internal passport), as international passports write them (9303-3, section 6 B). Others are unchanged.
  static let russianLetters: [UInt8: String] = [
    "2": "E", "3": "CH", "4": "SH", "6": "E", "7": "IU", "8": "IA", "9": "", "C": "TS", "H": "KH", "J": "ZH", "Q": "I",
    "W": "SHCH", "X": "IE",
  ].reduce(into: [:]) { letters, pair in pair.key.utf8.first.map { letters[$0] = pair.value } }

  private static let separators: Set<Character> = ["-", "‐", "‑", "–", ",", "<", "_"]

  private static let table: [Character: String] = {
    var table: [Character: String] = [:]
    for entry in entries.split(separator: " ") {
      let parts: [Substring] = entry.split(separator: "=")
      guard parts.count == 2 else { continue }
      for letter in parts[0] { table[letter] = String(parts[1]) }
    }
    return table
  }()

  /// Romanian writes Ș and Ț for the table's Ş and Ţ; Ə is Azerbaijani.
  private static let entries = """
    ÀÁÂÃĀĂĄ=A Ä=AE Å=AA Æ=AE ÇĆĈĊČ=C ÐĎĐ=D ÈÉÊËĒĔĖĘĚƏ=E ĜĞĠĢ=G ĤĦ=H ÌÍÎÏĨĪĬĮİı=I Ĳ=IJ Ĵ=J Ķ=K ĹĻĽĿŁ=L ÑŃŅŇŊ=N \
    ÒÓÔÕŌŎŐ=O Ö=OE Ø=OE Œ=OE ŔŖŘ=R ŚŜŞŠȘ=S ẞß=SS ŢŤŦȚ=T ÙÚÛŨŪŬŮŰŲ=U Ü=UE Ŵ=W ÝŶŸ=Y ŹŻŽ=Z Þ=TH
    """
}
