/// The text encoding of visible digital seals (ICAO Doc 9303-13, 2.6; ISO/IEC 16022): three characters in two bytes, of
/// digits, capital letters and the space, which stands for the filler `<` of a zone.
enum C40 {
  /// The characters of the values 3 to 39 (Doc 9303-13, table 2).
  private static let characters = Array(" 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  /// - Throws: ``VerifyError/Code/damaged``.
  static func decoded(_ bytes: ArraySlice<UInt8>) throws -> String {
    var reader = ByteReader(Array(bytes))
    var text: [UInt8] = []
    while reader.remaining > 0 {
      let (first, second) = (try reader.u8(), try reader.u8())
      let isLast = reader.remaining == 0
      // 2.6.3 b: a single last character is preceded by 254 and encoded as its ASCII number plus 1.
      if first == 0xFE {
        guard isLast, let last = characters.first(where: { Int($0) == second - 1 }) else { throw damaged }
        text.append(last)
        continue
      }
      let number = 256 * first + second - 1
      var values = [number / 1600, number / 40 % 40, number % 40]
      // 2.6.3 a: two last characters are completed by the value 0.
      if isLast, values[2] == 0 { values.removeLast() }
      guard 0..<64_000 ~= number, values.allSatisfy({ $0 >= 3 }) else { throw damaged }
      text += values.map { characters[$0 - 3] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static var damaged: VerifyError {
    VerifyError(.damaged, "a text of the seal has a value that stands for none of its 37 characters")
  }
}
