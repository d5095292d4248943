import FaceVerify
import Glibc

/// What lies in folders that people made.
enum Folder {
  /// The names in a folder, in their order. Hidden files are none of those that were recorded.
  static func entries(of folder: String) throws -> [String] {
    guard let directory = opendir(folder) else {
      throw VerifyError(.unreadable, "\(folder): \(RegularFile.reason(errno))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Every file below a folder of `root`, by its name below `root`.
  static func files(below root: String, _ folder: String = "", depth: Int = 0) throws -> [String] {
    // Links may lead in circles.
    guard depth < 16 else { throw VerifyError(.unreadable, "\(folder): folders are too deep") }
    return try entries(of: folder.isEmpty ? root : root + "/" + folder).flatMap { entry in
      let name = folder.isEmpty ? entry : folder + "/" + entry
      return isFolder(root + "/" + name) ? try files(below: root, name, depth: depth + 1) : [name]
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension VerifyError {
  /// Says where in a file or folder an error is.
  static func located<Value>(at place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as VerifyError {
      throw VerifyError(error.code, "\(place): \(error.message)")
    }
  }
}
