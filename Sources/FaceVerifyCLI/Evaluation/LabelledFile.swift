import FaceVerify
import Glibc

/// A recording or photo of which it is known what it shows.
struct LabelledFile: Sendable {
  /// As it is reported: below the folder.
  let name: String
  let path: String
  let label: PresentationLabel
  var subject: String?
  /// What the person in it was asked for.
  var script: ChallengeScript?

  /// The files in the folders that are named by what they show, in the order of their names.
  ///
  /// - Parameter ignored: is told what lies beside these folders.
  static func inFolders(of root: String, ignored: (String) -> Void) throws -> [LabelledFile] {
    var files: [LabelledFile] = []
    for entry in try entries(of: root) {
      guard isFolder(root + "/" + entry) else {
        ignored(entry)
        continue
      }
      let label = try explained(root + "/" + entry) { try PresentationLabel(entry) }
      for name in try all(in: root, entry, depth: 0) {
        files.append(LabelledFile(name: name, path: root + "/" + name, label: label))
      }
    }
    return files
  }

  /// The files that a table lists, in its order.
  ///
  /// - Parameter table: its columns are path, label or species or both, and if wanted simulated, subject, script.
  static func listed(in table: String, root: String, script: (String) throws -> ChallengeScript) throws
    -> [LabelledFile]
  {
    let bytes = try RegularFile.read(path: table, maximumBytes: 1 << 26)
    return try explained(table) {
      try CSV.records(bytes).map { line, fields in
        try explained("line \(line)") {
          // A list of attacks alone needs no more than their species.
          guard let name = fields["path"], let label = fields["label"] ?? fields["species"].map({ _ in "attack" })
          else {
            throw VerifyError(.badArgument, "there must be columns called path and label")
          }
          guard !name.isEmpty else { throw VerifyError(.badArgument, "the path is empty") }
          func optional(_ column: String) -> String? { fields[column].flatMap { $0.isEmpty ? nil : $0 } }
          let presented = try PresentationLabel(
            label, species: optional("species") ?? "",
            isSimulated: ["yes", "true", "1"].contains(optional("simulated")?.lowercased() ?? "no"))
          return LabelledFile(
            name: name, path: name.hasPrefix("/") ? name : root + "/" + name, label: presented,
            subject: optional("subject"),
            script: try optional("script").map(script))
        }
      }
    }
  }

  private static func explained<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as VerifyError {
      throw VerifyError(error.code, "\(place): \(error.message)")
    }
  }

  /// Every file below a folder, by its name below `root`. Hidden files are none of those that were recorded.
  private static func all(in root: String, _ folder: String, depth: Int) throws -> [String] {
    // Links may lead in circles.
    guard depth < 16 else { throw VerifyError(.unreadable, "\(folder): folders are too deep") }
    return try entries(of: root + "/" + folder).flatMap { entry in
      let name = folder + "/" + entry
      return isFolder(root + "/" + name) ? try all(in: root, name, depth: depth + 1) : [name]
    }
  }

  private static func entries(of folder: String) throws -> [String] {
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

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
