import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Find who of many people a photo shows, and who is enrolled twice.",
    discussion: """
      A gallery is one file with the templates of many people. It is biometric
      data; --key encrypts the templates in it.

      Examples:
        faceverify gallery build photos/ --output people.fvg
        faceverify gallery search people.fvg selfie.jpg
        faceverify gallery dedupe people.fvg
      """,
    subcommands: [Build.self, Add.self, Search.self, Dedupe.self, Merge.self, Remove.self, Info.self])

  /// The gallery and its key.
  struct File: ParsableArguments {
    @Argument(help: "The gallery.", completion: .file())
    var gallery: String
    @OptionGroup var key: KeyOption

    /// - Parameter options: of the engine; without --models, the engine uses the gallery's models.
    func open(with options: EngineOptions, threads: Int = 1) throws -> (gallery: Gallery, engine: FaceEngine) {
      try key.open(gallery, with: options, threads: threads, mayCreate: false)
    }
  }

  struct KeyOption: ParsableArguments {
    @Option(
      name: .customLong("key"),
      help: ArgumentHelp(
        "The key of the templates: a file with 32 bytes, or 64 hexadecimal digits.", valueName: "file"),
      completion: .file())
    var file: String?

    func key() throws -> Gallery.Key? { try file.map { try Gallery.Key(path: $0) } }

    func open(
      _ path: String, with options: EngineOptions, threads: Int, mayCreate: Bool
    ) throws -> (gallery: Gallery, engine: FaceEngine) {
      let key = try key()
      var set: ModelSet?
      if !mayCreate || RegularFile.exists(path) { set = try Gallery(opening: path, key: key).models.set }
      let engine = try options.engine(threads: threads, set: set)
      return (try Gallery(path: path, engine: engine, key: key, mayCreate: mayCreate), engine)
    }
  }

  struct RateOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The probability that any of all comparisons takes two people for one; each is decided at this rate over "
          + "their number.", valueName: "rate"))
    var rate = RateOption(rate: .oneIn100)
  }

  static let exitCodes = """
    Exit codes:
      0  done: every photo has a template in the gallery
      2  wrong use of the command
      3  could not be done, or a photo gave no template: no face, unreadable...
      4  refused: a photo is not good enough; the others are enrolled
    """

  struct Build: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "build",
      abstract: "Make a gallery of photos and folders of photos, or go on with one.",
      discussion: """
        Each photo is an entry under its path as it is named here; of folders, all
        pictures in them and below are taken. Run it again after an interruption,
        or when photos have come: what is in the gallery already, the very same
        file and policy, is left as it is. Nothing is removed.

        Examples:
          faceverify gallery build photos/ --output people.fvg --threads 4
          faceverify gallery build a.jpg b.jpg --output people.fvg --policy any
          faceverify gallery build photos/ --output people.fvg --key secret.key

        \(exitCodes)
        """)

    @Argument(help: "Photos, or folders of them: \(PictureFormat.list).", completion: .file())
    var photos: [String]
    @Option(name: [.short, .long], help: ArgumentHelp("The gallery.", valueName: "file"))
    var output: String
    @OptionGroup var key: KeyOption
    @Option(help: ArgumentHelp("How good photos must be: selfie, document, chip or any.", valueName: "policy"))
    var policy: EnrolmentPolicyOption = .selfie
    @OptionGroup var threads: ThreadsOption
    @OptionGroup var json: JSONOption
    @OptionGroup var engine: EngineOptions
    @OptionGroup var photo: PhotoOptions

    func run(on console: Console) throws -> ExitStatus {
      let paths = try photos.flatMap { path -> [String] in
        guard Folder.isFolder(path) else { return [path] }
        return try Folder.files(in: path).filter(FrameSource.isPhoto)
      }
      guard !paths.isEmpty else {
        throw VerifyError(.badArgument, "there is no photo in \(photos.joined(separator: ", "))")
      }
      let (gallery, _) = try key.open(output, with: engine, threads: threads.threads, mayCreate: true)
      return try GalleryCommand.enrol(
        paths, in: gallery, policy: policy.policy, limits: photo.limits, json.json, on: console)
    }
  }

  struct Add: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add photos or templates to a gallery, in the place of what has their names.",
      discussion: """
        An entry is named by its path, or by --name. The gallery is made if there
        is none.

        Examples:
          faceverify gallery add people.fvg new.jpg
          faceverify gallery add people.fvg new.jpg --name "customer 17"
          faceverify gallery add people.fvg enrolled.fvt --name "customer 18"

        \(exitCodes)
        """)

    @OptionGroup var file: File
    @Argument(help: "Photos, or templates that `faceverify template` made.", completion: .file())
    var photos: [String]
    @Option(help: ArgumentHelp("The entry's name; for one photo.", valueName: "name"))
    var name: String?
    @Option(help: ArgumentHelp("How good photos must be: selfie, document, chip or any.", valueName: "policy"))
    var policy: EnrolmentPolicyOption = .selfie
    @OptionGroup var json: JSONOption
    @OptionGroup var engine: EngineOptions
    @OptionGroup var photo: PhotoOptions

    func validate() throws {
      if name != nil && photos.count > 1 { throw ValidationError("--name takes one photo, not \(photos.count)") }
    }

    func run(on console: Console) throws -> ExitStatus {
      let (gallery, engine) = try file.key.open(file.gallery, with: engine, threads: 1, mayCreate: true)
      let enrolled = Enrolled(gallery)
      for path in photos {
        let added: EmbeddedPhoto
        if case .template(let template) = try? FaceInput(path: path, limits: photo.limits) {
          added = EmbeddedPhoto(
            path: name ?? path, sha256: nil, quality: template.quality, template: .success(template))
        } else {
          let embedded = engine.embed(path, policy: policy.policy, limits: photo.limits)
          added = EmbeddedPhoto(
            path: name ?? path, sha256: embedded.sha256, quality: embedded.quality, policy: embedded.policy,
            template: embedded.template)
        }
        // A photo given individually must not replace a template.
        if added.failure == nil { try gallery.add([added]) }
        enrolled.note(.embedded(added))
      }
      return try enrolled.write(json.json, on: console)
    }
  }

  struct Search: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "search",
      abstract: "Find who a photo shows.",
      discussion: """
        The entries that are closest come first. --rate is the share of searches
        for people who are not in the gallery that may have a match (FPIR,
        ISO/IEC 19795-1): with 1000 templates, 1e-2 is 1e-5 for each comparison.
        If the calibration does not support so small a rate, nothing is called a
        match, and the result says so.

        Examples:
          faceverify gallery search people.fvg selfie.jpg
          faceverify gallery search people.fvg selfie.jpg --rate 1e-3 --json
          faceverify gallery search people.fvg probe.fvt --count 50

        Exit codes:
          0  at least one match
          1  no match
          2  wrong use of the command
          3  could not be done: no face, unreadable file, missing model...
          4  refused: the photo is not good enough, or it could not be told
        """)

    @OptionGroup var file: File
    @Argument(help: "The photo, or template, of the person who is looked for.", completion: .file())
    var photo: String
    @Option(help: ArgumentHelp("How many candidates, 1 to 1000.", valueName: "number"))
    var count = 10
    @OptionGroup var rate: RateOptions
    @Option(help: ArgumentHelp("How good the photo must be: selfie, document, chip or any.", valueName: "policy"))
    var policy: EnrolmentPolicyOption = .selfie
    @OptionGroup var json: JSONOption
    @OptionGroup var engine: EngineOptions
    @OptionGroup var limits: PhotoOptions
    @OptionGroup var time: TimeoutOption

    func validate() throws { try GalleryCommand.check(count) }

    func run(on console: Console) throws -> ExitStatus {
      let budget = time.budget()
      let (gallery, engine) = try file.open(with: engine)
      let probe: FaceTemplate
      var side: JSONValue
      switch try FaceInput(path: photo, limits: limits.limits) {
      case .template(let template): (probe, side) = (template, template.jsonValue)
      case .photo(let picture):
        let sample = try engine.sample(picture, policy: policy.policy, budget: budget)
        side = sample.jsonValue
        guard let template = sample.template else {
          let advice = sample.quality.refusals.map(\.advice)
          try console.write(
            json.json
              ? PhotoRecord.with(
                "version", .string(FaceVerifyVersion.string), in: ["probe": side, "candidates": .null]
              ).text
              : console.styled("\(photo): \(QualityText.title(sample.quality))", .caution) + "\n"
                + advice.map { "  \($0)\n" }.joined())
          return .refused
        }
        probe = template
      }
      let search = try gallery.search(probe, count: count, at: rate.rate.rate)
      try console.write(
        json.json
          ? PhotoRecord.with("probe", side, in: search.jsonValue).text : GalleryText.search(search, on: console))
      if search.candidates.contains(where: \.isMatch) { return .done }
      return search.note == nil ? .noMatch : .refused
    }
  }

  struct Dedupe: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "dedupe",
      abstract: "Find who is in a gallery twice.",
      discussion: """
        Compares every entry with every other; 100,000 have 5 billion pairs, which
        take minutes. --rate is the probability that any pair of different people
        is called a match.

        Examples:
          faceverify gallery dedupe people.fvg --threads 4
          faceverify gallery dedupe people.fvg --count 1000 --json

        Exit codes:
          0  done, whether there are pairs that match or not
          2  wrong use of the command
          3  could not be done
          4  refused: it could not be told
        """)

    @OptionGroup var file: File
    @Option(help: ArgumentHelp("How many pairs, 1 to 1000.", valueName: "number"))
    var count = 100
    @OptionGroup var rate: RateOptions
    @OptionGroup var threads: ThreadsOption
    @OptionGroup var json: JSONOption
    @OptionGroup var engine: EngineOptions
    @OptionGroup var time: TimeoutOption

    func validate() throws { try GalleryCommand.check(count) }

    func run(on console: Console) throws -> ExitStatus {
      let (gallery, _) = try file.open(with: engine, threads: threads.threads)
      let found = try gallery.duplicates(count: count, at: rate.rate.rate, budget: time.budget())
      try console.write(json.json ? found.json : GalleryText.pairs(found, on: console))
      return found.note == nil ? .done : .refused
    }
  }

  struct Merge: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Copy the entries of other galleries into one.",
      discussion: """
        Each comes in the place of what has its name. All are there already, of the
        same models, and with the same key or none.

        Examples:
          faceverify gallery merge people.fvg monday.fvg tuesday.fvg
        """)

    @OptionGroup var file: File
    @Argument(help: "The other galleries.", completion: .file())
    var others: [String]
    @OptionGroup var json: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let key = try file.key.key()
      let gallery = try Gallery(opening: file.gallery, key: key)
      for other in others { try gallery.merge(other, key: key) }
      let information = try gallery.information
      try console.write(json.json ? information.jsonValue.text : GalleryText.information(information, on: console))
      return .done
    }
  }

  struct Remove: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove entries from a gallery, and overwrite their templates.",
      discussion: """
        Examples:
          faceverify gallery remove people.fvg photos/17.jpg
          faceverify gallery remove people.fvg "customer 17" "customer 18"

        Exit codes:
          0  removed
          2  wrong use of the command
          3  could not be done, or there is no such entry; the others are removed
        """)

    @OptionGroup var file: File
    @Argument(help: "The entries' names: paths, or what --name was.")
    var names: [String]
    @OptionGroup var json: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let gallery = try Gallery(opening: file.gallery, key: file.key.key())
      var (removed, missing): ([String], [String]) = ([], [])
      for name in names { if try gallery.remove(name) { removed.append(name) } else { missing.append(name) } }
      for name in missing { console.warn("\(file.gallery): there is no entry \(name)") }
      let information = try gallery.information
      try console.write(
        json.json
          ? PhotoRecord.with(
            "missing", .array(missing.map(JSONValue.string)),
            in: PhotoRecord.with("removed", .array(removed.map(JSONValue.string)), in: information.jsonValue)
          ).text
          : "\(removed.count) removed\n" + GalleryText.information(information, on: console))
      return missing.isEmpty ? .done : .failed
    }
  }

  struct Info: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract: "Say what is in a gallery.",
      discussion: """
        Examples:
          faceverify gallery info people.fvg
          faceverify gallery info people.fvg --failures
          faceverify gallery info people.fvg --json
        """)

    @OptionGroup var file: File
    @Flag(help: "List the photos that gave no template, and why.")
    var failures = false
    @OptionGroup var json: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let gallery = try Gallery(opening: file.gallery, key: file.key.key())
      let information = try gallery.information
      var records: [JSONValue] = []
      var lines = ""
      if failures {
        try gallery.visit { photo in
          guard let failure = photo.failure else { return }
          if json.json {
            records.append(photo.jsonValue)
          } else {
            lines += "\(photo.path.printable): \(failure.message.printable)\n"
          }
        }
      }
      try console.write(
        json.json
          ? PhotoRecord.with("photos", failures ? .array(records) : .null, in: information.jsonValue).text
          : GalleryText.information(information, on: console) + lines)
      return .done
    }
  }

  private static func check(_ count: Int) throws {
    guard (1...1000).contains(count) else { throw ValidationError("--count must be 1 to 1000") }
  }

  private static func enrol(
    _ paths: [String], in gallery: Gallery, policy: QualityPolicy, limits: ImageLimits, _ asJSON: Bool,
    on console: Console
  ) throws -> ExitStatus {
    let enrolled = Enrolled(gallery)
    let progress = Progress(paths.count, interval: .seconds(10), on: console)
    try gallery.enrol(paths, policy: policy, limits: limits) { step in
      switch step {
      case .embedded(let photo): progress.show(photo.path)
      case .unchanged(let path): progress.show(path, isSkipped: true)
      }
      enrolled.note(step)
    }
    progress.end()
    return try enrolled.write(asJSON, on: console)
  }
}

/// The outcome of enrolling photos.
private final class Enrolled: Sendable {
  private struct Tally {
    var enrolled = 0
    var unchanged = 0
    var failed: [EmbeddedPhoto] = []
  }

  private let gallery: Gallery
  private let tally = Lock(Tally())

  init(_ gallery: Gallery) { self.gallery = gallery }

  func note(_ step: Gallery.Enrolment) {
    tally.withLock { tally in
      switch step {
      case .unchanged: tally.unchanged += 1
      case .embedded(let photo): if photo.failure == nil { tally.enrolled += 1 } else { tally.failed.append(photo) }
      }
    }
  }

  func write(_ asJSON: Bool, on console: Console) throws -> ExitStatus {
    let tally = tally.withLock { $0 }
    for photo in tally.failed {
      let (name, message) = (photo.path.printable, photo.failure?.message ?? "")
      console.warn(message.contains(name) ? message : "\(name): \(message)")
    }
    let information = try gallery.information
    if asJSON {
      let members: [(String, JSONValue)] = [
        ("enrolled", .integer(tally.enrolled)), ("unchanged", .integer(tally.unchanged)),
        ("photos", tally.failed.jsonValue),
      ]
      try console.write(members.reduce(information.jsonValue) { PhotoRecord.with($1.0, $1.1, in: $0) }.text)
    } else {
      try console.write(
        "\(Text.count(tally.enrolled)) enrolled, \(Text.count(tally.unchanged)) unchanged, "
          + "\(Text.count(tally.failed.count)) without a template\n" + GalleryText.information(information, on: console)
      )
    }
    return .worst(tally.failed.map { $0.failure?.code == EmbeddedPhoto.Failure.refused ? .refused : .failed })
  }
}
