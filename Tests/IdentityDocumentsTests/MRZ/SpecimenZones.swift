import FaceVerifyBase
import TestSupport
import Testing

/// The specimen zones of the shared test data: documents with manually transcribed lines.
enum SpecimenZones {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let lines: [String]
    let digitsAreRight: Bool
    var testDescription: String { name }
  }

  /// Complete documents.
  static let rows: [Row] = table("mrz.csv").compactMap { columns in
    guard columns.count == 5 else { return nil }
    return Row(name: columns[0], lines: columns[1...3].filter { !$0.isEmpty }, digitsAreRight: columns[4] == "yes")
  }

  /// Single lines.
  static let lines: [String] = table("mrz_lines.csv").compactMap { $0.count == 2 ? $0[1] : nil }

  private static func table(_ name: String) -> [[String]] {
    let path = Installed.shared + "/testdata/" + name
    guard let bytes = try? RegularFile.read(path: path, maximumBytes: 1 << 20) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
