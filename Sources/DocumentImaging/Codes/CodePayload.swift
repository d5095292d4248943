/// Interprets the bytes of a code. They are untrusted: anyone can print a code.
package enum CodePayload {
  /// Returns the ECI numbers (`\` and six digits) in a scanner's transmission, in which a `\` of the data is doubled.
  package static func interpretations(_ marked: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    var reader = ByteReader(marked)
    while let byte = try? reader.u8() {
      guard byte == UInt8(ascii: "\\") else { continue }
      var ahead = reader
      guard let digits = try? ahead.bytes(6), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        try? reader.skip(1)  // the second of a doubled pair
        continue
      }
      numbers.append(digits.reduce(0) { 10 * $0 + Int($1 - 0x30) })
      reader = ahead
    }
    return numbers
  }

  /// Returns the name of the character set that decodes the bytes to the text; nil if it cannot be determined.
  package static func encoding(of bytes: [UInt8], as text: String, interpretations: [Int]) -> String? {
    let named = Set(interpretations).compactMap { characterSets[$0] }
    if named.count == 1 { return named[0] }
    if named.count > 1 { return nil }
    if bytes.allSatisfy({ $0 < 0x80 }) { return "ASCII" }
    if Array(text.utf8) == bytes { return "UTF-8" }
    let scalars = text.unicodeScalars
    return scalars.count == bytes.count && zip(scalars, bytes).allSatisfy { $0.value == UInt32($1) }
      ? "ISO-8859-1" : nil
  }

  /// The character sets among the AIM Extended Channel Interpretations.
  private static let characterSets = [
    0: "Cp437", 1: "ISO-8859-1", 2: "Cp437", 3: "ISO-8859-1", 4: "ISO-8859-2", 5: "ISO-8859-3", 6: "ISO-8859-4",
    7: "ISO-8859-5", 8: "ISO-8859-6", 9: "ISO-8859-7", 10: "ISO-8859-8", 11: "ISO-8859-9", 12: "ISO-8859-10",
    13: "ISO-8859-11", 15: "ISO-8859-13", 16: "ISO-8859-14", 17: "ISO-8859-15", 18: "ISO-8859-16", 20: "Shift_JIS",
    21: "windows-1250", 22: "windows-1251", 23: "windows-1252", 24: "windows-1256", 25: "UTF-16BE", 26: "UTF-8",
    27: "ASCII", 28: "Big5", 29: "GB2312", 30: "EUC-KR", 31: "GBK", 32: "GB18030", 33: "UTF-16LE", 34: "UTF-32BE",
    35: "UTF-32LE",
  ]

  /// Parses a GS1 element string; nil if it is malformed (GS1 General Specifications, 7.8).
  package static func gs1(_ bytes: [UInt8]) -> [GS1Element]? {
    var elements: [GS1Element] = []
    var reader = ByteReader(bytes)
    while reader.remaining > 0 {
      if reader.take("\u{1D}") { continue }
      guard let first = digits(&reader, 2), let length = identifierLength[first] else { return nil }
      guard let more = digits(&reader, length - 2) else { return nil }
      let identifier = first + more
      var value: [UInt8] = []
      if let fixed = fixedLength[first] {
        guard let read = try? reader.bytes(fixed - length) else { return nil }
        value = Array(read)
      } else {
        while reader.remaining > 0, !reader.take("\u{1D}"), let byte = try? reader.u8() { value.append(UInt8(byte)) }
      }
      guard !value.isEmpty, value.allSatisfy({ (0x21...0x7A).contains($0) }) else { return nil }
      elements.append(GS1Element(identifier: identifier, value: String(decoding: value, as: UTF8.self)))
    }
    return elements.isEmpty ? nil : elements
  }

  private static func digits(_ reader: inout ByteReader, _ count: Int) -> String? {
    guard let bytes = try? reader.bytes(count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number of digits of an application identifier, by its first two (GS1 General Specifications, 3.2).
  private static let identifierLength: [String: Int] = {
    var lengths: [String: Int] = [:]
    for (range, length) in [
      (0...4, 2), (10...22, 2), (23...25, 3), (30...30, 2), (31...36, 4), (37...37, 2), (39...39, 4), (40...42, 3),
      (43...43, 4), (70...70, 4), (71...71, 3), (72...72, 4), (80...82, 4), (90...99, 2),
    ] {
      for number in range { lengths[(number < 10 ? "0" : "") + String(number)] = length }
    }
    return lengths
  }()

  /// The length, including the identifier, of elements that end without FNC1 (GS1 General Specifications, figure
  /// 7.8.5-2).
  private static let fixedLength: [String: Int] = {
    var lengths = ["00": 20, "01": 16, "02": 16, "03": 16, "04": 18, "20": 4, "41": 16]
    for number in 11...19 { lengths[String(number)] = 8 }
    for number in 31...36 { lengths[String(number)] = 10 }
    return lengths
  }()
}
