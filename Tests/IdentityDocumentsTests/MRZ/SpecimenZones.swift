import FaceVerifyBase
import Testing

/// The specimen zones of the shared test data: documents as their lines were read by eye.
enum SpecimenZones {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let lines: [String]
    let digitsAreRight: Bool
    var testDescription: String { name }
  }

  /// `FACEVERIFY_SHARED`, or `shared` beside the repository.
  private static let folder = SharedFolder.path

  static let rows: [Row] = {
    guard let bytes = try? RegularFile.read(path: folder + "/testdata/mrz.csv", maximumBytes: 1 << 20) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let columns = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 5 else { return nil }
      return Row(
        name: columns[0], lines: columns[1...3].filter { !$0.isEmpty }, digitsAreRight: columns[4] == "yes")
    }
  }()
}
