import FaceVerify
import Glibc

/// Folders given by the user. Hidden files are skipped.
enum Folder {
  /// Returns the path of every file in a folder and its subfolders, sorted by name.
  static func files(in folder: String, depth: Int = 0) throws -> [String] {
    // Links may form cycles.
    guard depth < 16 else { throw VerifyError(.unreadable, "\(folder): folders are too deep") }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    return try entries(of: folder).flatMap { entry in
      isFolder(start + entry) ? try files(in: start + entry, depth: depth + 1) : [start + entry]
    }
  }

  /// Every entry below a folder by its path in there, also hidden files. Whatever is no regular file and no folder with
  /// files is marked, so that it is not taken for a file.
  static func everything(in folder: String, below path: String = "", depth: Int = 0) throws -> [String] {
    guard depth < 16 else { throw VerifyError(.unreadable, "\(folder): folders are too deep") }
    return try entries(of: folder + path, areHidden: true).flatMap { entry -> [String] in
      let name = path + entry
      var status = stat()
      let kind = lstat(folder + name, &status) == 0 ? status.st_mode & S_IFMT : 0
      guard kind == S_IFDIR else { return [kind == S_IFREG ? name : name + " (no regular file)"] }
      let files = try everything(in: folder, below: name + "/", depth: depth + 1)
      return files.isEmpty ? [name + "/ (empty)"] : files
    }
  }

  static func entries(of folder: String, areHidden: Bool = false) throws -> [String] {
    guard let directory = opendir(folder) else {
      throw VerifyError(.unreadable, "\(folder): \(RegularFile.reason(errno))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if areHidden ? ![".", ".."].contains(name) : !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
