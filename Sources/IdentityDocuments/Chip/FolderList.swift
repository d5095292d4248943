internal import Glibc

/// The files in a folder that comes from outside.
enum FolderList {
  /// Names of the regular files, in order; links are followed, hidden files left out.
  ///
  /// - Throws: ``VerifyError/Code/unreadable``, or ``VerifyError/Code/tooLarge`` if there are more than `maximum`.
  static func files(in folder: String, maximum: Int) throws -> [String] {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the name of the folder is empty, or holds a zero byte")
    }
    guard let entries = opendir(folder) else {
      throw VerifyError(.unreadable, "\(RegularFile.oneLine(folder)): \(RegularFile.reason(errno))")
    }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard !name.hasPrefix("."), stat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      guard names.count < maximum else {
        throw VerifyError(.tooLarge, "\(RegularFile.oneLine(folder)) has more than \(maximum) files")
      }
      names.append(name)
    }
    return names.sorted()
  }
}
