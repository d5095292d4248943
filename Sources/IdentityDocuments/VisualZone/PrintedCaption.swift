/// A caption of the visual inspection zone, in a line of text.
///
/// Captions of travel documents are in the language of the issuer and in English, French or Spanish (ICAO 9303-3, 3.4).
/// Licences of the EU have numbers (Directive 2006/126/EC, Annex I, 3), those of North America abbreviations and mostly
/// the same numbers (AAMVA DL/ID Card Design Standard, A.7).
struct PrintedCaption {
  /// Nil for a field that is not read.
  let name: DocumentFieldName?
  /// The part of the line that it takes, in characters.
  let range: Range<Int>
  /// Whether it is a number of a licence, whose value follows in the row.
  var isNumber = false

  /// Returns the captions in a text, from left to right.
  ///
  /// - Parameter style: how the fields of the page are named.
  static func all(in text: String, style: Style) -> [PrintedCaption] {
    let characters = Array(text)
    let words = words(of: characters)
    var found: [PrintedCaption] = []
    var start = 0
    while start < words.count {
      var (best, length): (DocumentFieldName??, Int) = (nil, 0)
      func take(_ name: DocumentFieldName?, _ count: Int) { if count > length { (best, length) = (name, count) } }
      for (name, phrases) in phrases {
        for phrase in phrases where start + phrase.count <= words.count {
          if zip(phrase, words[start...]).allSatisfy({ isWord($1.text, $0) }) { take(name, phrase.count) }
        }
      }
      // Elsewhere in a line they may be words of the text.
      if start == 0, let name = abbreviations[words[0].text] { take(name, 1) }
      // Without digits, CAN is Canada, or a caption of its own line (`VisualZone`).
      if start == 0, words.count == 2, words[0].text == "CAN", VisualZone.isCardAccessNumber(words[1].text) {
        take(.cardAccessNumber, 1)
      }
      var isNumber = false
      if style.isNumbered, let name = numbers[words[start].text],
        start == 0 || words[start].text == "4C" && found.last?.name == .dateOfIssue
      {
        take(name, 1)
        isNumber = length == 1
      }
      // A value may have these words: TRANSPORT AUTHORITY, ISSUED BY THE GOVERNMENT.
      if best == .some(.issuingAuthority), !isNumber {
        let (before, after) = (words[start].range.lowerBound, words[start + length - 1].range.upperBound)
        let next = words.dropFirst(start + length).first?.text
        if characters[..<before].last(where: { !$0.isWhitespace })?.isLetter == true
          || characters[after...].first(where: { !$0.isWhitespace })?.isLetter == true
            && !authorities.contains(where: { word in next.map { isWord($0, word) } ?? false })
        {
          best = nil
        }
      }
      // The space between an abbreviation and its value may be missed.
      if start == 0, length == 0, style.isAbbreviated, let name = abbreviations[String(words[0].text.prefix(2))] {
        found.append(PrintedCaption(name: name, range: words[0].range.lowerBound..<words[0].range.lowerBound + 2))
      }
      if let best {
        let range = words[start].range.lowerBound..<words[start + length - 1].range.upperBound
        if let last = found.last, last.name == best {
          found[found.count - 1] = PrintedCaption(name: best, range: last.range.lowerBound..<range.upperBound)
        } else {
          found.append(PrintedCaption(name: best, range: range, isNumber: isNumber))
        }
      }
      start += max(1, length)
    }
    return found
  }

  /// The notation of a licence's captions; those of travel documents are neither.
  struct Style {
    let isNumbered, isAbbreviated: Bool

    /// - Parameter texts: the lines of a page.
    init(_ texts: [String]) {
      let first = Set(texts.compactMap { PrintedCaption.words(of: Array($0)).first?.text })
      (isNumbered, isAbbreviated) = (first.isSuperset(of: ["4A", "4B"]), first.isSuperset(of: ["DOB", "EXP"]))
    }
  }

  private static func words(of characters: [Character]) -> [(text: String, range: Range<Int>)] {
    var words: [(String, Range<Int>)] = []
    var start = 0
    while start < characters.count {
      let end = characters[start...].firstIndex { !$0.isLetter && !$0.isNumber } ?? characters.count
      if end > start { words.append((VisualZone.folded(String(characters[start..<end])), start..<end)) }
      start = end + 1
    }
    return words
  }

  /// Whether a word that was read is this one, with at most one letter in six misread.
  private static func isWord(_ read: String, _ word: String) -> Bool {
    let most = word.count / 6
    return read == word || most > 0 && abs(read.count - word.count) <= most && read.distance(to: word) <= most
  }

  private static let phrases: [(DocumentFieldName?, [[String]])] = [
    (
      .surname,
      "SURNAME|SURNAMES|FAMILY NAME|LAST NAME|PRIMARY IDENTIFIER|IDENTIFIANT PRIMAIRE|NOM|NOMS|APELLIDOS|"
        + "APELLIDO"
    ),
    (
      .givenNames,
      "GIVEN NAMES|GIVEN NAME|FORENAMES|FORENAME|FIRST NAME|FIRST NAMES|SECONDARY IDENTIFIER|"
        + "IDENTIFIANT SECONDAIRE|PRENOMS|PRENOM|PRENOM S|NOMBRES|NOMBRE"
    ),
    (
      .documentNumber,
      "PASSPORT NO|PASSPORT NUMBER|DOCUMENT NO|DOCUMENT NUMBER|CARD NO|CARD NUMBER|VISA NO|VISA NUMBER|LICENCE NO|"
        + "LICENSE NO|PASSEPORT NO|PASSEPORT N|NO DU PASSEPORT|N DU PASSEPORT|PASAPORTE NO|PASAPORTE N"
    ),
    (.dateOfBirth, "DATE OF BIRTH|DATE DE NAISSANCE|FECHA DE NACIMIENTO|BIRTH DATE"),
    (
      .dateOfExpiry,
      "DATE OF EXPIRY|DATE OF EXPIRATION|EXPIRY DATE|EXPIRATION DATE|VALID UNTIL|DATE D EXPIRATION|DATE DEXPIRATION|"
        + "FECHA DE CADUCIDAD|FECHA DE VENCIMIENTO|FECHA DE EXPIRACION"
    ),
    (.dateOfIssue, "DATE OF ISSUE|ISSUE DATE|DATE DE DELIVRANCE|FECHA DE EXPEDICION"),
    (.sex, "SEX|SEXE|SEXO"), (.nationality, "NATIONALITY|NATIONALITE|NACIONALIDAD"),
    (.placeOfBirth, "PLACE OF BIRTH|BIRTHPLACE|LIEU DE NAISSANCE|LUGAR DE NACIMIENTO"),
    (.personalNumber, "PERSONAL NO|PERSONAL NUMBER|NO PERSONNEL|N PERSONNEL|NUMERO PERSONAL"),
    (.issuingAuthority, "ISSUING OFFICE|ISSUED BY|" + authorities.joined(separator: "|")),
    (.cardAccessNumber, "CARD ACCESS NUMBER|CARD ACCESS NO"),
    (.address, "ADDRESS|ADRESSE|DOMICILE|DOMICILIO"),
    (
      nil,
      "TYPE|TIPO|CODE|SIGNATURE|HOLDER S SIGNATURE|NUMBER OF ENTRIES|NOMBRE D ENTREES|"
        + "NOMBRE DENTREES|NUMERO DE ENTRADAS|PLACE OF ISSUE|LIEU DE DELIVRANCE|VALID FOR|VALID FROM|VALABLE POUR|HEIGHT|"
        + "TAILLE|COLOUR OF EYES|REMARKS|OBSERVATIONS|ENDORSEMENTS"
    ),
  ].map { ($0, $1.split(separator: "|").map { $0.split(separator: " ").map(String.init) }) }

  private static let authorities = ["AUTHORITY", "ISSUING AUTHORITY", "AUTORITE", "AUTORIDAD"]

  private static let abbreviations: [String: DocumentFieldName] = [
    "DL": .documentNumber, "DLN": .documentNumber, "LN": .surname, "FN": .givenNames, "DOB": .dateOfBirth,
    "EXP": .dateOfExpiry, "ISS": .dateOfIssue,
  ]

  private static let numbers: [String: DocumentFieldName] = [
    "1": .surname, "2": .givenNames, "3": .dateOfBirth, "4A": .dateOfIssue, "4B": .dateOfExpiry,
    "4C": .issuingAuthority, "4D": .documentNumber, "5": .documentNumber, "8": .address, "9": .vehicleCategories,
    "15": .sex,
  ]
}
