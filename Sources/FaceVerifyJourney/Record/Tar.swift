/// The subset of POSIX ustar (IEEE 1003.1, pax, "ustar Interchange Format") that bundles use: files with short names.
enum Tar {
  static let block = 512
  /// Two blocks of zeros.
  static let end = [UInt8](repeating: 0, count: 2 * block)

  /// The number of bytes to the end of a block.
  static func padding(_ size: Int) -> Int { (block - size % block) % block }

  /// Whether a name is "record.json" or similar, or in the folder "inputs"; excludes paths outside the archive.
  static func isGood(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count < 100 && (parts.count == 1 || parts.count == 2 && parts[0] == "inputs")
      && parts.allSatisfy { part in
        part.first.map { $0 != "." } ?? false
          && part.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
              || "._-".utf8.contains($0)
          }
      }
  }

  /// - Throws: ``VerifyError/Code/badArgument`` for any other name.
  static func header(name: String, size: Int) throws -> [UInt8] {
    guard isGood(name) else { throw VerifyError(.badArgument, "a bundle has no file of the name \"\(name)\"") }
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    put(name, at: 0)
    put(octal(0o600, digits: 7), at: 100)
    put(octal(0, digits: 7), at: 108)
    put(octal(0, digits: 7), at: 116)
    put(octal(size, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    // A regular file.
    header[156] = UInt8(ascii: "0")
    put("ustar\u{0}00", at: 257)
    put(octal(checksum(header), digits: 6) + "\u{0} ", at: 148)
    return header
  }

  /// The sum of all bytes, with those of the checksum field as blanks.
  static func checksum(_ header: [UInt8]) -> Int {
    header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
  }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// An incremental reader of archives. The sender is not authenticated: every byte is untrusted.
struct TarReader {
  /// Maximum file size: more than a frame of 24 megapixels as PNG.
  static let maximumSize = 128 << 20
  private var pending: [UInt8] = []
  private var entry: (name: String, size: Int)?
  private var names = Set<String>()
  private var hasEnded = false

  mutating func take(_ bytes: [UInt8], _ body: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws {
    pending += bytes
    var start = 0
    defer { pending.removeFirst(start) }
    while true {
      if let (name, size) = entry {
        let padded = size + Tar.padding(size)
        guard pending.count - start >= padded else { return }
        try body(name, Array(pending[start..<start + size]))
        start += padded
        entry = nil
      } else {
        guard pending.count - start >= Tar.block else { return }
        try read(Array(pending[start..<start + Tar.block]))
        start += Tar.block
      }
    }
  }

  /// - Throws: ``VerifyError/Code/damaged`` if the archive is incomplete.
  func finish() throws {
    guard hasEnded, entry == nil, pending.isEmpty else { throw Self.damaged("it does not end") }
  }

  private mutating func read(_ header: [UInt8]) throws {
    if header.allSatisfy({ $0 == 0 }) {
      hasEnded = true
      return
    }
    guard !hasEnded else { throw Self.damaged("data follow its end") }
    func number(_ range: Range<Int>) -> Int? {
      Int(String(decoding: header[range].prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self), radix: 8)
    }
    guard header[257..<263].elementsEqual("ustar\u{0}".utf8), number(148..<156) == Tar.checksum(header) else {
      throw Self.damaged("a header is broken")
    }
    let name = String(decoding: header[0..<100].prefix { $0 != 0 }, as: UTF8.self)
    guard header[156] == UInt8(ascii: "0"), header[345..<512].allSatisfy({ $0 == 0 }), Tar.isGood(name) else {
      throw Self.damaged("\"\(name)\" is no file of a bundle")
    }
    guard let size = number(124..<136), size >= 0 else { throw Self.damaged("a header is broken") }
    guard size <= Self.maximumSize else {
      throw VerifyError(.tooLarge, "\(name) has \(size) bytes, the limit is \(Self.maximumSize)")
    }
    guard names.insert(name).inserted else { throw Self.damaged("\"\(name)\" is a duplicate") }
    entry = (name, size)
  }

  private static func damaged(_ what: String) -> VerifyError {
    VerifyError(.damaged, "the bundle's archive cannot be used: \(what)")
  }
}
