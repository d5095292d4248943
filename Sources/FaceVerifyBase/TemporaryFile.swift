internal import Glibc

/// A new file under a temporary name. It is removed with this value unless it was renamed.
///
/// A program that is being terminated calls ``removeAll(then:)``, so that nothing is left behind.
package struct TemporaryFile: ~Copyable {
  package let path: String
  /// Open for reading and writing.
  package let descriptor: Int32

  private static let living = Lock<Set<String>>([])

  /// - Parameter name: the intended name; the file is created in the same folder.
  /// - Throws: ``VerifyError/Code/unwritable``.
  package init(for name: String) throws {
    var template = Array((name + ".XXXXXX").utf8CString)
    let (descriptor, failure, path) = Self.living.withLock { living in
      let descriptor = mkstemp(&template)
      let failure = errno
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      let path = String(decoding: template.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
      if descriptor >= 0 { living.insert(path) }
      return (descriptor, failure, path)
    }
    guard descriptor >= 0 else { throw VerifyError(.unwritable, "\(name.printable): \(RegularFile.reason(failure))") }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    let path = path
    Self.living.withLock { if $0.remove(path) != nil { unlink(path) } }
  }

  /// Renames the file, and replaces an existing one.
  ///
  /// - Returns: 0, or the error number.
  package consuming func rename(to name: String) -> Int32 {
    let path = path
    return Self.living.withLock { living in
      guard Glibc.rename(path, name) == 0 else { return errno }
      living.remove(path)
      return 0
    }
  }

  /// Removes all temporary files. No further one is created while `end` runs, which does not return.
  package static func removeAll(then end: () -> Never) -> Never {
    living.withLock { living in
      for path in living { unlink(path) }
      end()
    }
  }
}
