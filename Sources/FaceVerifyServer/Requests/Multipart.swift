internal import FaceVerify
internal import FaceVerifyBase

/// The parts of a multipart/form-data body (RFC 7578).
struct Multipart {
  struct Part {
    let name: String
    /// Name of the file; nil for a plain field.
    let fileName: String?
    /// A slice of the body, which is not copied.
    let bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// More than any request needs: a chip's 64 files, pages and fields.
  static let maximumParts = 80
  /// Maximum size of a part's header in bytes.
  private static let maximumHeader = 4096

  let parts: [Part]

  /// - Throws: ``VerifyError/Code/damaged``.
  init(_ body: [UInt8], contentType: String) throws {
    guard let boundary = Self.parameter("boundary", of: contentType[...]), (1...70).contains(boundary.utf8.count) else {
      throw VerifyError(.damaged, "the form has no boundary: send multipart/form-data (RFC 7578)")
    }
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter may be at the start, without a line break before it.
    let first = body.starts(with: delimiter.dropFirst(2)) ? -2 : Self.find(delimiter, in: body, from: 0)
    guard var position = first else {
      throw VerifyError(.damaged, "the form has no parts: its boundary does not occur")
    }
    var parts: [Part] = []
    while true {
      position += delimiter.count
      if body[position...].starts(with: [45, 45]) { break }
      guard let lineEnd = Self.find([13, 10], in: body, from: position),
        body[position..<lineEnd].allSatisfy({ $0 == 32 || $0 == 9 }),
        let headerEnd = Self.find([13, 10, 13, 10], in: body, from: lineEnd), headerEnd - lineEnd <= Self.maximumHeader,
        let next = Self.find(delimiter, in: body, from: headerEnd + 2)
      else { throw VerifyError(.damaged, "the form is truncated in part \(parts.count + 1)") }
      guard parts.count < Self.maximumParts else {
        throw VerifyError(.damaged, "the form has more than \(Self.maximumParts) parts")
      }
      let header = String(decoding: body[min(lineEnd + 2, headerEnd)..<headerEnd], as: UTF8.self)
      let disposition =
        header.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-disposition:") } ?? ""
      guard let name = Self.parameter("name", of: disposition) else {
        throw VerifyError(.damaged, "part \(parts.count + 1) of the form has no name")
      }
      let content = headerEnd + 4
      parts.append(
        Part(
          name: name, fileName: Self.parameter("filename", of: disposition),
          bytes: content <= next ? body[content..<next] : []))
      position = next
    }
    self.parts = parts
  }

  /// - Throws: ``VerifyError/Code/badArgument`` for a part not in `names`: a misspelt one would be ignored silently.
  func require(_ names: String...) throws {
    if let other = parts.first(where: { !names.contains($0.name) }) {
      throw VerifyError(
        .badArgument, "unknown part \"\(other.name.prefix(64))\" of the form: use \(names.joined(separator: ", "))")
    }
  }

  func all(_ name: String) -> [Part] { parts.filter { $0.name == name } }

  /// Returns the only part with that name; nil if there is none.
  func one(_ name: String) throws -> Part? {
    let found = all(name)
    guard found.count <= 1 else {
      throw VerifyError(.badArgument, "the form has \(found.count) parts \"\(name)\"; give one")
    }
    return found.first
  }

  /// Returns a parameter of a header's value: a token, or a quoted string.
  private static func parameter(_ name: String, of value: Substring) -> String? {
    var rest = value
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let key = rest[..<equals].lowercased()
      rest = rest[rest.index(after: equals)...]
      var text = ""
      if rest.first == "\"" {
        rest.removeFirst()
        var isEscaped = false
        while let next = rest.popFirst() {
          if !isEscaped && next == "\"" { break }
          isEscaped = !isEscaped && next == "\\"
          if !isEscaped { text.append(next) }
        }
      } else {
        text = String(rest.prefix { $0 != ";" && !$0.isWhitespace })
        rest = rest.dropFirst(text.count)
      }
      if key == name { return text }
    }
    return nil
  }

  static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = needle.first, start <= bytes.count else { return nil }
    var position = start
    while position + needle.count <= bytes.count {
      guard let next = bytes[position...].firstIndex(of: first), next + needle.count <= bytes.count else { return nil }
      if bytes[next..<next + needle.count].elementsEqual(needle) { return next }
      position = next + 1
    }
    return nil
  }
}
