internal import Glibc

/// Reads short files of unknown size, as in /proc and /sys.
package enum SystemFile {
  /// The first 64 KiB of the file; empty if it cannot be read.
  static func text(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// The first line; nil if there is none.
  static func line(of path: String) -> String? { text(of: path).split(separator: "\n").first.map { trimmed($0) } }

  /// The path with links resolved; nil if it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
