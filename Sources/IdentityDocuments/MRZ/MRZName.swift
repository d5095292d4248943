/// The name field of a machine readable zone, taken apart (ICAO 9303-3, 4.6).
struct MRZName: Sendable, Hashable {
  let surname: String
  let givenNames: String
  let isTruncated: Bool
  let hasDigits: Bool

  init(_ text: MRZText, _ layout: MRZLayout) {
    let field = text[layout.name]
    let primary: ArraySlice<UInt8>
    let secondary: ArraySlice<UInt8>
    if let givenNames = layout.givenNames {
      primary = field[...]
      secondary = text[givenNames][...]
      isTruncated = primary.last != MRZText.filler || secondary.last != MRZText.filler
    } else {
      let end =
        field.indices.dropLast().first(where: { field[$0] == MRZText.filler && field[$0 + 1] == MRZText.filler })
        ?? field.endIndex
      primary = field[..<end]
      secondary = field[end...]
      isTruncated = field.last != MRZText.filler
    }
    surname = Self.text(primary)
    givenNames = Self.text(secondary)
    hasDigits = [primary, secondary].contains { part in part.contains { 48...57 ~= $0 } }
  }

  private static func text(_ characters: ArraySlice<UInt8>) -> String {
    characters.split(separator: MRZText.filler).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }
}
