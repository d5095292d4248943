import FaceVerifyEvaluation

struct LabelledFile: Sendable {
  /// The reported path, relative to the folder.
  let name: String
  let path: String
  let label: PresentationLabel
  var subject: String?
  var source: String?
  var script: ChallengeScript?

  /// - Parameter ignored: receives the entries that are no folders named by label.
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

  /// - Parameter table: with the columns path, label or species or both, and optionally simulated, subject, source,
  ///   script.
  static func listed(in table: String, root: String) throws -> [LabelledFile] {
    try CSV.rows(of: table, root: root) { row in
      // A list of attacks alone needs only their species.
      guard row.fields["path"] != nil, let label = row.fields["label"] ?? row.fields["species"].map({ _ in "attack" })
      else { throw VerifyError(.badArgument, "there must be columns called path and label") }
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

struct LabelledJourney: Sendable {
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

/// Photos with known subjects, and the pairs to compare.
struct LabelledPhotos {
  struct Photo {
    let name: String
    let path: String
    let subject: String
    var groups: [String: String] = [:]
  }

  var photos: [Photo]
  /// nil for all pairs.
  var pairs: [MatchEvaluation.Pair]?

  /// Every file below a folder. The subject is the name of the file's own folder; a file without one is the only photo
  /// of its subject.
  static func inFolders(of root: String) throws -> LabelledPhotos {
    LabelledPhotos(
      photos: try Folder.files(in: root).map { path in
        let name = String(path.dropFirst(root.hasSuffix("/") ? root.count : root.count + 1))
        return Photo(name: name, path: path, subject: FileName.folder(of: name) ?? name)
      })
  }

  /// - Parameter table: with the columns path, optionally subject, and those of the groupings. Without a subject, each
  ///   photo is of a different person.
  static func listed(in table: String, root: String, groupings: [[String]]) throws -> LabelledPhotos {
    LabelledPhotos(
      photos: try CSV.rows(of: table, root: root) { row in
        guard let name = row["path"], let path = row.path("path") else {
          throw VerifyError(.badArgument, "there must be a column called path, with a path in it")
        }
        var photo = Photo(name: name, path: path, subject: row["subject"] ?? name)
        for columns in groupings {
          let values = try columns.map { column in
            guard let value = row.fields[column] else {
              let names = row.fields.keys.sorted().joined(separator: ", ")
              throw VerifyError(.badArgument, "there is no column called \(column); there are \(names)")
            }
            return value
          }.filter { !$0.isEmpty }
          if !values.isEmpty { photo.groups[columns.joined(separator: ",")] = values.joined(separator: " ") }
        }
        return photo
      })
  }

  /// - Parameter table: with the columns path_a, path_b, same, and optionally fold. Without folds, pairs are divided in
  ///   order into ten of equal size, mated and non-mated pairs separately.
  static func pairs(in table: String, root: String) throws -> LabelledPhotos {
    var photos: [Photo] = []
    var numbers: [String: Int] = [:]
    var foldNames: [String: Int] = [:]
    func number(_ name: String, _ path: String) -> Int {
      if let known = numbers[name] { return known }
      photos.append(Photo(name: name, path: path, subject: FileName.folder(of: name) ?? name))
      numbers[name] = photos.count - 1
      return photos.count - 1
    }
    let read = try CSV.rows(of: table, root: root) { row in
      guard let a = row["path_a"], let b = row["path_b"], let pathA = row.path("path_a"),
        let pathB = row.path("path_b"),
        let same = row["same"].flatMap({
          ["1": true, "yes": true, "true": true, "0": false, "no": false, "false": false][$0.lowercased()]
        })
      else {
        throw VerifyError(
          .badArgument, "there must be columns called path_a, path_b and same (1 or 0), and values in them")
      }
      return (a: number(a, pathA), b: number(b, pathB), same: same, fold: row.fields["fold"])
    }
    let counts = [false: read.count { !$0.same }, true: read.count { $0.same }]
    var places: [Bool: Int] = [:]
    let pairs = read.map { pair in
      let place = places[pair.same, default: 0]
      places[pair.same] = place + 1
      let fold =
        pair.fold.map { foldNames[$0] ?? foldNames.count } ?? place * Self.folds / counts[pair.same, default: 1]
      if let name = pair.fold { foldNames[name] = fold }
      return MatchEvaluation.Pair(pair.a, pair.b, isMated: pair.same, fold: fold)
    }
    return LabelledPhotos(photos: photos, pairs: pairs)
  }

  /// As in the protocol of Labeled Faces in the Wild and most later pair benchmarks.
  private static let folds = 10
}
