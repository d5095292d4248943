import FaceVerify

/// A recording or photo with a known label.
struct LabelledFile: Sendable {
  /// The reported path, relative to the folder.
  let name: String
  let path: String
  let label: PresentationLabel
  var subject: String?
  /// The origin of the recording.
  var source: String?
  /// The challenges of the person in it.
  var script: ChallengeScript?

  /// Returns the files in folders named by label, sorted by name.
  ///
  /// - Parameter ignored: receives the other entries of the folder.
  static func inFolders(of root: String, ignored: (String) -> Void) throws -> [LabelledFile] {
    var files: [LabelledFile] = []
    for entry in try Folder.entries(of: root) {
      guard Folder.isFolder(root + "/" + entry) else {
        ignored(entry)
        continue
      }
      let label = try VerifyError.located(at: root + "/" + entry) { try PresentationLabel(entry) }
      for path in try Folder.files(in: root + "/" + entry) {
        files.append(LabelledFile(name: String(path.dropFirst(root.count + 1)), path: path, label: label))
      }
    }
    return files
  }

  /// Returns the files that a table lists, in its order.
  ///
  /// - Parameter table: with the columns path, label or species or both, and optionally simulated, subject, source,
  ///   script.
  static func listed(in table: String, root: String, script: (String) throws -> ChallengeScript) throws
    -> [LabelledFile]
  {
    let bytes = try RegularFile.read(path: table, maximumBytes: 1 << 26)
    return try VerifyError.located(at: table) {
      try CSV.records(bytes).map { line, fields in
        try VerifyError.located(at: "line \(line)") {
          // A list of attacks alone needs only their species.
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
            subject: optional("subject"), source: optional("source"),
            script: try optional("script").map(script))
        }
      }
    }
  }
}

extension VerifyError {
  /// Adds the position in a file or folder to an error.
  static func located<Value>(at place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as VerifyError {
      throw VerifyError(error.code, "\(place): \(error.message)")
    }
  }
}
