internal import CPage
internal import FaceVerify
internal import FaceVerifyBase

/// The page's files, in memory.
struct Assets: Sendable {
  struct Asset: Sendable {
    let bytes: [UInt8]
    /// Compressed with gzip; empty if that is not shorter.
    let packed: [UInt8]
    let type: String
    /// Entity tag, a hash of the content.
    let tag: String
  }

  private let files: [String: Asset]

  /// - Parameter folder: nil for the embedded files.
  init(folder: String?) throws {
    var files: [String: Asset] = [:]
    for (name, content) in PageFiles.all {
      let bytes = try folder.map { try RegularFile.read(path: "\($0)/\(name)", maximumBytes: 1 << 20) } ?? content
      files[name] = Asset(
        bytes: bytes, packed: Self.packed(bytes), type: Self.type(name), tag: "\"\(sha256(bytes).prefix(16))\"")
    }
    self.files = files
  }

  subscript(name: String) -> Asset? { files[name] }

  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
      count = cpage_gzip(bytes, bytes.count, out.baseAddress, bytes.count)
    }
  }

  private static func type(_ name: String) -> String {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "json": "application/json", "svg": "image/svg+xml",
    ]
    return types[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
  }
}
