internal import Glibc

/// Reads and writes whole files whose names are untrusted.
package enum RegularFile {
  /// Opens a regular file for reading. Never blocks: a pipe, a device or a directory is refused.
  ///
  /// - Returns: the descriptor, which the caller closes, and the size in bytes.
  /// - Throws: ``VerifyError/Code/unreadable``; its message names the file.
  package static func open(path: String) throws -> (descriptor: Int32, size: Int) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the file name is empty, or holds a zero byte")
    }
    let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      throw VerifyError(.unreadable, "\(path): \(errno == ENOENT ? "there is no such file" : reason(errno))")
    }
    var status = stat()
    let failure = fstat(file, &status) == 0 ? 0 : errno
    guard failure == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      if failure != 0 { throw VerifyError(.unreadable, "\(path): \(reason(failure))") }
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file (a pipe, socket or device)"
      throw VerifyError(.unreadable, "\(path) is \(kind); name a file")
    }
    return (file, Int(status.st_size))
  }

  /// Returns the bytes of a regular file. Never blocks: a pipe, a device or a directory is refused.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unreadable`` or ``VerifyError/Code/tooLarge``; its message names
  ///   the file.
  package static func read(path: String, maximumBytes: Int) throws -> [UInt8] {
    let (file, size) = try open(path: path)
    defer { close(file) }
    guard size <= maximumBytes else {
      throw VerifyError(
        .tooLarge, "\(path) has \(size) bytes, the limit is \(maximumBytes); reduce it, or raise the limit")
    }
    return try read(size, from: file, path)
  }

  /// Returns the first bytes of a regular file, or all if there are fewer; the rest is not read.
  ///
  /// - Throws: as ``read(path:maximumBytes:)``.
  package static func beginning(path: String, bytes: Int) throws -> [UInt8] {
    let (file, size) = try open(path: path)
    defer { close(file) }
    return try read(min(size, bytes), from: file, path)
  }

  private static func read(_ size: Int, from file: Int32, _ path: String) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: size) { memory, count in
      useLargePages(UnsafeMutableRawBufferPointer(memory))
      // Up to the size that was checked, or less if the file has shrunk since.
      while count < size {
        let got = Glibc.read(file, memory.baseAddress?.advanced(by: count), size - count)
        if got == 0 { return }
        if got > 0 {
          count += got
        } else if errno != EINTR {
          throw VerifyError(.unreadable, "\(path): \(reason(errno))")
        }
      }
    }
  }

  /// Requests 2 MB pages: with 4 kB pages, page faults on the models take a tenth of the start-up time.
  package static func useLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    let page = 1 << 21
    guard let start = memory.baseAddress, memory.count >= 2 * page else { return }
    let first = start.alignedUp(toMultipleOf: page)
    madvise(first, (start + memory.count).alignedDown(toMultipleOf: page) - first, MADV_HUGEPAGE)
  }

  /// Writes a file atomically: to a temporary name in the same folder, then renamed.
  ///
  /// - Parameter permissions: the mode of the new file.
  /// - Throws: ``VerifyError/Code/unwritable``; its message names the file.
  package static func write(_ bytes: some Collection<UInt8>, to path: String, permissions: UInt32 = 0o644) throws {
    try write(to: path, permissions: permissions) { try $0(ContiguousArray(bytes)) }
  }

  /// Writes a file atomically in parts, for content that is too large for memory.
  ///
  /// - Parameters:
  ///   - mayReplace: whether an existing file is replaced; otherwise it is an error.
  ///   - parts: passes each part to the function that it receives.
  package static func write(
    to path: String, permissions: UInt32 = 0o644, mayReplace: Bool = true,
    _ parts: ((ContiguousArray<UInt8>) throws -> Void) throws -> Void
  ) throws {
    let target = try replaceable(path)
    let file = try TemporaryFile(for: target)
    let descriptor = file.descriptor
    try parts { try $0.withUnsafeBytes { try write($0, to: descriptor, named: path) } }
    try finish(file, as: target, named: path, permissions: permissions, mayReplace: mayReplace)
  }

  /// Appends bytes to an open file.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named path: String) throws {
    var done = 0
    while done < bytes.count {
      let written = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if written >= 0 {
        done += written
      } else if errno != EINTR {
        throw VerifyError(.unwritable, "\(path): \(reason(errno))")
      }
    }
  }

  /// Sets the permissions of a written file, syncs it to disk and renames it to its target.
  package static func finish(
    _ file: consuming TemporaryFile, as target: String, named path: String, permissions: UInt32, mayReplace: Bool = true
  ) throws {
    var failure: Int32 = 0
    if fchmod(file.descriptor, permissions) != 0 || fsync(file.descriptor) != 0 { failure = errno }
    if failure == 0 { failure = mayReplace ? file.rename(to: target) : link(file.path, target) == 0 ? 0 : errno }
    guard failure == 0 else {
      let reason = failure == EEXIST ? "there is such a file already; choose another name" : reason(failure)
      throw VerifyError(.unwritable, "\(path): \(reason)")
    }
  }

  /// Reports before long work any error that writing would report after it, as far as that can be known.
  package static func checkWritable(_ paths: [String?]) throws {
    for path in paths.compactMap({ $0 }) { _ = try TemporaryFile(for: replaceable(path)) }
  }

  /// Returns the name that a new file can be renamed to: that of a regular file or of none. A link is followed; a
  /// device, such as `/dev/null`, must not be replaced.
  package static func replaceable(_ path: String) throws -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the file name is empty, or holds a zero byte")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return path }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
      throw VerifyError(.unwritable, "\(path) is \(kind); name a file")
    }
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the names in a folder except "." and "..", sorted by their bytes, and whether each is UTF-8: others cannot be
  /// opened by their text.
  ///
  /// - Throws: ``VerifyError/Code/unreadable``, or ``VerifyError/Code/tooLarge`` if there are more than `maximum`.
  package static func names(in folder: String, maximum: Int = .max) throws -> [(name: String, isUTF8: Bool)] {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the name of the folder is empty, or holds a zero byte")
    }
    guard let directory = opendir(folder) else { throw VerifyError(.unreadable, "\(folder): \(reason(errno))") }
    defer { closedir(directory) }
    var names: [(name: String, isUTF8: Bool)] = []
    while let entry = readdir(directory) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes != Array(".".utf8), bytes != Array("..".utf8) else { continue }
      guard names.count < maximum else {
        throw VerifyError(.tooLarge, "\(folder) has more than \(maximum) files")
      }
      names.append((String(decoding: bytes, as: UTF8.self), String(validating: bytes, as: UTF8.self) != nil))
    }
    return names.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Creates a folder and its parents.
  package static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    }
    throw VerifyError(.unwritable, "\(path): \(reason(errno))")
  }

  /// Returns the description of an error number.
  package static func reason(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    return strerror_r(number, &text, text.count) == 0
      ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self) : "cannot be read"
  }
}
