internal import CPage
internal import FaceVerify
internal import FaceVerifyBase

/// The page's files, embedded when the server was built.
enum PageFiles {
  private static let files = (0...).lazy.map(cpage_file_at).prefix { $0.name != nil }.reduce(into: [:]) {
    $0[String(cString: $1.name)] = Array(UnsafeRawBufferPointer(start: $1.text, count: $1.size))
  }

  static let openAPI = files["openapi.json"] ?? []
  static var all: [String: [UInt8]] { files.filter { $0.key != "openapi.json" } }
}

/// The page's files, ready to be sent.
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
      // An operator's files are served as they are.
      let bytes =
        try folder.map { try RegularFile.read(path: "\($0)/\(name)", maximumBytes: 1 << 20) }
        ?? Self.short(content, of: name)
      let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
        count = cpage_gzip(bytes, bytes.count, out.baseAddress, bytes.count)
      }
      let type = Self.types[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
      files[name] = Asset(bytes: bytes, packed: packed, type: type, tag: "\"\(sha256(bytes).prefix(16))\"")
    }
    self.files = files
  }

  private static func short(_ source: [UInt8], of name: String) throws -> [UInt8] {
    switch name.split(separator: ".").last {
    case "css": dense(source)
    case "js": stripped(source)
    case "json": try JSONValue(parsing: source).canonical
    default: source
    }
  }

  /// A script or style sheet of the page without indentation and without lines of comments, an eighth of it.
  private static func stripped(_ source: [UInt8]) -> [UInt8] {
    var isComment = false
    let lines = source.split(separator: 10).map { $0.drop { $0 == 32 } }.filter { line in
      if !isComment, line.starts(with: "//".utf8) { return false }
      let isPart = isComment || line.starts(with: "/*".utf8)
      isComment = isPart && !line.reversed().starts(with: "/*".utf8)
      return !isPart && !line.isEmpty
    }
    return Array(lines.joined(separator: [10]) + [10])
  }

  /// A style sheet without the spaces that it does not need, either.
  private static func dense(_ source: [UInt8]) -> [UInt8] {
    let text = String(decoding: stripped(source), as: UTF8.self)
    let spaces = [
      ("; }", "}"), (" { ", "{"), ("; ", ";"), (": ", ":"), (", ", ","), ("}\n", "}"), ("{\n", "{"),
    ]
    return Array(spaces.reduce(text) { $0.replacing($1.0, with: $1.1) }.utf8)
  }

  subscript(name: String) -> Asset? { files[name] }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml",
  ]
}
