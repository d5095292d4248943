import FaceVerify

/// A recording or photo of which it is known what it shows.
struct LabelledFile: Sendable {
  /// As it is reported: below the folder.
  let name: String
  let path: String
  let label: PresentationLabel
  var subject: String?
  /// Where it was recorded.
  var source: String?
  /// What the person in it was asked for.
  var script: ChallengeScript?

  /// The files in the folders that are named by what they show, in the order of their names.
  ///
  /// - Parameter ignored: is told what lies beside these folders.
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

  /// The files that a table lists, in its order.
  ///
  /// - Parameter table: its columns are path, label or species or both, and if wanted simulated, subject, source,
  ///   script.
  static func listed(in table: String, root: String, script: (String) throws -> ChallengeScript) throws
    -> [LabelledFile]
  {
    let bytes = try RegularFile.read(path: table, maximumBytes: 1 << 26)
    return try VerifyError.located(at: table) {
      try CSV.records(bytes).map { line, fields in
        try VerifyError.located(at: "line \(line)") {
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
            subject: optional("subject"), source: optional("source"),
            script: try optional("script").map(script))
        }
      }
    }
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
