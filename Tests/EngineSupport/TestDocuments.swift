package import FaceVerify
package import FoundationEssentials
internal import Glibc
package import TestSupport
package import Testing

/// Pages and chips made by `scripts/test`, and specimens of real documents, which are not part of the product.
package enum TestDocuments {
  package static let folder = Installed.documents
  package static let shared = Installed.shared + "/testdata"

  /// A synthetic page and its contents.
  package struct Page: Decodable, Sendable {
    package let file: String
    package let kind: String
    package let lines: [String]
    package let turn: Double
    package let zone: [[Double]]
    /// The printed field that differs from the zone.
    package let altered: String?

    package func photo() throws -> Photo { try Photo(path: folder + "/pages/" + file) }
  }

  package static let pages: [Page] = {
    let bytes = (try? RegularFile.read(path: folder + "/pages/pages.json", maximumBytes: 1 << 24)) ?? []
    return (try? JSONDecoder().decode([Page].self, from: Data(bytes))) ?? []
  }()

  package static func chip(_ name: String) throws -> ChipFiles { try ChipFiles(folder: folder + "/chips/" + name) }

  package static func trust() throws -> TrustStore { try TrustStore(folder: folder + "/chips/trust") }

  /// Rows of a table of the specimens, without the heading.
  package static func table(_ name: String) throws -> [[String]] {
    let bytes = try RegularFile.read(path: shared + "/" + name, maximumBytes: 1 << 22)
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The reference date of the chips.
  package static func date() throws -> DateTime { try DateTime(year: 2026, month: 6, day: 1) }
}
