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
      let label = try VerifyError.naming(root + "/" + entry) { try PresentationLabel(entry) }
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
  static func listed(in table: String, root: String) throws -> [LabelledFile] {
    try CSV.rows(of: table, root: root) { row in
      // A list of attacks alone needs only their species.
      guard row.fields["path"] != nil, let label = row.fields["label"] ?? row.fields["species"].map({ _ in "attack" })
      else {
        throw VerifyError(.badArgument, "there must be columns called path and label")
      }
      guard let name = row["path"], let path = row.path("path") else {
        throw VerifyError(.badArgument, "the path is empty")
      }
      return LabelledFile(
        name: name, path: path,
        label: try PresentationLabel(label, species: row["species"] ?? "", isSimulated: row.isSimulated),
        subject: row["subject"], source: row["source"], script: try row["script"].map(LivenessOptions.script))
    }
  }
}

/// A journey with a known label.
struct LabelledJourney: Sendable {
  /// The reported path of the clip.
  let name: String
  let clip: String
  let portrait: String?
  let chip: String?
  let document: String?
  let label: Journey.Label
  let subject: String?
  let script: ChallengeScript?

  static func listed(in table: String, root: String) throws -> [LabelledJourney] {
    try CSV.rows(of: table, root: root) { row in
      guard let name = row["clip"], let clip = row.path("clip"), let label = row["label"] else {
        throw VerifyError(.badArgument, "there must be columns called clip and label, and values in them")
      }
      let (portrait, chip, document) = (row.path("portrait"), row.path("chip"), row.path("document"))
      guard (portrait == nil) != (chip == nil && document == nil) else {
        throw VerifyError(.badArgument, "there must be a portrait, or a chip, a document or both, and not all")
      }
      return LabelledJourney(
        name: name, clip: clip, portrait: portrait, chip: chip, document: document,
        label: try Journey.Label(label, species: row["species"] ?? "", isSimulated: row.isSimulated),
        subject: row["subject"], script: try row["script"].map(LivenessOptions.script))
    }
  }
}
