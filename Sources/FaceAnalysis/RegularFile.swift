import Glibc

/// Reading of whole files whose name comes from outside.
enum RegularFile {
  /// The bytes of a regular file. Never waits: a pipe, a device or a directory is refused.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unreadable`` or ``VerifyError/Code/tooLarge``; its message names
  ///   the file.
  static func read(path: String, maximumBytes: Int) throws -> [UInt8] {
    let name = oneLine(path)
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the file name is empty, or holds a zero byte")
    }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      throw VerifyError(.unreadable, "\(name): \(errno == ENOENT ? "there is no such file" : reason())")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw VerifyError(.unreadable, "\(name): \(reason())") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file (a pipe, socket or device)"
      throw VerifyError(.unreadable, "\(name) is \(kind); name a file")
    }
    guard status.st_size <= maximumBytes else {
      throw VerifyError(
        .tooLarge, "\(name) has \(status.st_size) bytes, the limit is \(maximumBytes); raise maximumBytes")
    }
    let size = Int(status.st_size)
    return try [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      // Up to the size that was checked, or less if the file has shrunk since.
      while count < size {
        let got = Glibc.read(file, memory.baseAddress?.advanced(by: count), size - count)
        if got == 0 { return }
        if got > 0 { count += got } else if errno != EINTR { throw VerifyError(.unreadable, "\(name): \(reason())") }
      }
    }
  }

  /// A name as it can stand in a message of one line.
  static func oneLine(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "?" : $0 }))
  }

  /// What errno says.
  private static func reason() -> String {
    var text = [CChar](repeating: 0, count: 128)
    return strerror_r(errno, &text, text.count) == 0
      ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : "cannot be read"
  }
}
