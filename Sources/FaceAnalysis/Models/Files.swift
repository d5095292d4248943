internal import Glibc

/// A whole file.
package func readFile(_ path: String, limit: Int) throws(VerifyError) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { throw VerifyError(.unreadable, "\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    throw VerifyError(.unreadable, "\(path) is not a regular file")
  }
  guard status.st_size <= limit else {
    throw VerifyError(.tooLarge, "\(path) has \(status.st_size) bytes; the limit is \(limit)")
  }
  var failure: Int32 = 0
  let size = Int(status.st_size)
  let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    while count < size {
      let got = read(file, buffer.baseAddress! + count, size - count)
      if got < 0 && errno == EINTR { continue }
      if got < 0 { failure = errno }
      if got <= 0 { break }
      count += got
    }
  }
  guard failure == 0 else { throw VerifyError(.unreadable, "\(path): \(String(cString: strerror(failure)))") }
  return bytes
}

/// Writes a file so that it is there whole or not at all: to a temporary name beside it, then renamed.
package func writeFile(_ path: String, _ bytes: some Collection<UInt8>) throws {
  var name = Array((path + ".XXXXXX").utf8CString)
  let file = mkstemp(&name)
  guard file >= 0 else { throw VerifyError(.unwritable, "\(path): \(String(cString: strerror(errno)))") }
  let temporary = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  let all = ContiguousArray(bytes)
  var done = 0
  var failure: Int32 = 0
  all.withUnsafeBytes { buffer in
    while done < buffer.count {
      let written = write(file, buffer.baseAddress! + done, buffer.count - done)
      if written < 0 && errno == EINTR { continue }
      if written < 0 {
        failure = errno
        break
      }
      done += written
    }
  }
  if failure == 0 && (fchmod(file, 0o644) != 0 || fsync(file) != 0) { failure = errno }
  close(file)
  if failure == 0 && rename(temporary, path) != 0 { failure = errno }
  guard failure == 0 else {
    unlink(temporary)
    throw VerifyError(.unwritable, "\(path): \(String(cString: strerror(failure)))")
  }
}

/// Makes a folder and those above it.
package func makeFolder(_ path: String) throws {
  if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
  if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
    try makeFolder(String(path[..<slash]))
    if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
  }
  throw VerifyError(.unwritable, "\(path): \(String(cString: strerror(errno)))")
}
