internal import CPage

/// The page's files, embedded when the server was built.
enum PageFiles {
  private static let files: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    var index = 0
    while let file = cpage_file_at(index)?.pointee {
      files[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
      index += 1
    }
    return files
  }()

  static var openAPI: [UInt8] { files["openapi.json"] ?? [] }
  static var all: [String: [UInt8]] { files.filter { $0.key != "openapi.json" } }
}
