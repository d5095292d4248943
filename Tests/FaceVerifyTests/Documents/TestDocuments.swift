import FaceVerify
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Pages and chips made by `scripts/test`, and specimens of real documents, which are not part of the product.
enum TestDocuments {
  static let folder = Installed.documents
  static let shared = Installed.shared + "/testdata"

  /// A synthetic page and its contents.
  struct Page: Decodable, Sendable {
    let file: String
    let kind: String
    let lines: [String]
    let turn: Double
    let zone: [[Double]]
    /// The printed field that differs from the zone.
    let altered: String?

    func photo() throws -> Photo { try Photo(path: folder + "/pages/" + file) }
  }

  static let pages: [Page] = {
    let bytes = (try? RegularFile.read(path: folder + "/pages/pages.json", maximumBytes: 1 << 24)) ?? []
    return (try? JSONDecoder().decode([Page].self, from: Data(bytes))) ?? []
  }()

  static func chip(_ name: String) throws -> ChipFiles { try ChipFiles(folder: folder + "/chips/" + name) }

  static func trust() throws -> TrustStore { try TrustStore(folder: folder + "/chips/trust") }

  /// Rows of a table of the specimens, without the heading.
  static func table(_ name: String) throws -> [[String]] {
    let bytes = try RegularFile.read(path: shared + "/" + name, maximumBytes: 1 << 22)
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The reference date of the chips.
  static func date() throws -> DateTime { try DateTime(year: 2026, month: 6, day: 1) }
}
