import ArgumentParser
import FaceVerifyStore

struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery", abstract: "Search for a person among many (1:N), and find who is enrolled twice.",
    discussion: """
      A gallery is one file with the templates of many people. It is biometric
      data; --gallery-key encrypts the templates in it.

      Examples:
        faceverify gallery build photos/ --output people.fvg
        faceverify gallery search people.fvg selfie.jpg
        faceverify gallery dedupe people.fvg
      """,
    subcommands: [Build.self, Add.self, Search.self, Dedupe.self, Merge.self, Remove.self, Info.self])

  struct File: ParsableArguments {
    @Argument(help: "The gallery.", completion: .file()) var gallery: String
    @OptionGroup var key: KeyOption

    func open() throws -> Gallery { try Gallery(opening: gallery, key: key.key()) }

    /// - Parameter options: of the engine; without --set, the engine uses the gallery's models.
    func open(with options: EngineOptions, threads: Int = 1) throws -> (gallery: Gallery, engine: FaceEngine) {
      try key.open(gallery, with: options, threads: threads, mayCreate: false)
    }
  }

  struct KeyOption: ParsableArguments {
    @Option(
      help: .init("The key of the templates: a file with 32 bytes, or 64 hexadecimal digits.", "file"),
      completion: .file())
    var galleryKey: String?

    func key() throws -> SealingKey? { try galleryKey.map { try SealingKey(path: $0) } }

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

  struct FPIROption: ParsableArguments {
    @Option(
      help: .init(
        "False-positive identification rate: the probability that all comparisons of this run have a false match; each "
          + "is decided at this rate divided by their number. Default: 1e-2.", "rate"))
    var fpir: FalseMatchRate?

    var rate: FalseMatchRate { fpir ?? Settings.current.fpir ?? .oneIn100 }
  }

  static let exitCodes = """
    Exit codes:
      0  every photo has a template in the gallery
      2  usage error
      3  runtime error, or a photo has no template: no face, unreadable...
      4  refused: a photo is not good enough; the others are enrolled
    """

  struct Build: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "build", abstract: "Build a gallery of photos and folders of photos, or resume building it.",
      discussion: """
        Each photo is an entry under its path as named here; of folders, all photos
        in them and below are enrolled. Resumable: a photo that is in the gallery,
        the identical file judged by the same policy, is skipped. Nothing is removed.

        Examples:
          faceverify gallery build photos/ --output people.fvg --threads 4
          faceverify gallery build a.jpg b.jpg --output people.fvg --quality any
          faceverify gallery build photos/ --output people.fvg --gallery-key secret.key

        \(exitCodes)
        """)

    @Argument(help: "Photos, or folders of them: \(PictureFormat.list).", completion: .file()) var photos: [String]
    @Option(name: .output, help: .init("The gallery.", "file")) var target: String
    @OptionGroup var key: KeyOption
    @OptionGroup var quality: QualityOption
    @OptionGroup var threads: ThreadsOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var photo: PhotoOptions

    func run(on console: Console) throws -> ExitStatus {
      let paths = try Input.photos(photos)
      let (gallery, _) = try key.open(target, with: engine, threads: threads.threads, mayCreate: true)
      let enrolled = Enrolled(gallery, paths.count, on: console)
      try gallery.enrol(paths, policy: quality.policy, limits: photo.limits) { enrolled.note($0) }
      return try enrolled.show()
    }
  }

  struct Add: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add photos or templates to a gallery, replacing same-named entries.",
      discussion: """
        An entry has the name of its path, or --name. Of folders, all photos in them
        and below are added. The gallery is created if it does not exist.

        Examples:
          faceverify gallery add people.fvg new.jpg monday/
          faceverify gallery add people.fvg new.jpg --name "customer 17"
          faceverify gallery add people.fvg enrolled.fvt --name "customer 18"

        \(exitCodes)
        """)

    @OptionGroup var file: File
    @Argument(help: "Photos, folders of them, or templates that `faceverify template` made.", completion: .file())
    var photos: [String]
    @Option(help: .init("The name of the entry; for one photo.", "name")) var name: String?
    @OptionGroup var quality: QualityOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var photo: PhotoOptions

    func run(on console: Console) throws -> ExitStatus {
      let paths = try Input.photos(photos)
      try require(name == nil || paths.count == 1, "--name takes one photo, not \(paths.count)")
      let (gallery, engine) = try file.key.open(file.gallery, with: engine, threads: 1, mayCreate: true)
      let enrolled = Enrolled(gallery, paths.count, on: console)
      for path in paths {
        let added: EmbeddedPhoto
        let input = Result { try Input.face(path, limits: photo.limits) }
        if case .success(.template(let template)) = input {
          added = EmbeddedPhoto(
            path: name ?? path, sha256: nil, quality: template.quality, template: .success(template))
        } else {
          let picture = Result { try input.get().picture(path) }
          added = engine.embed(name ?? path, picture, policy: quality.policy)
        }
        // A photo without a template must not replace one.
        if added.failure == nil { try gallery.add([added]) }
        enrolled.note(.embedded(added), isShown: paths.count > 1)
      }
      return try enrolled.show()
    }
  }

  struct Search: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "search", abstract: "Find who a photo shows.",
      discussion: """
        The closest entries come first. --fpir is the share of searches for people
        who are not in the gallery that may have a match (ISO/IEC 19795-1): with
        1000 templates, 1e-2 is 1e-5 for each comparison. If the calibration does
        not support such a rate, nothing is a match, and the result says so.

        Examples:
          faceverify gallery search people.fvg selfie.jpg
          faceverify gallery search people.fvg selfie.jpg --fpir 1e-3 --json
          faceverify gallery search people.fvg probe.fvt --count 50
          faceverify gallery search people.fvg - < selfie.jpg

        Exit codes:
          0  at least one match
          1  no match
          2  usage error
          3  runtime error: no face, unreadable file, missing model...
          4  refused: the photo is not good enough, or the rate is not supported
        """)

    @OptionGroup var file: File
    @Argument(help: "The photo, or template, of the person to find.", completion: .file()) var photo: String
    @Option(help: .init("Number of candidates, 1 to 1000.", "number")) var count = 10
    @OptionGroup var rate: FPIROption
    @OptionGroup var quality: QualityOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var limits: PhotoOptions
    @OptionGroup var time: TimeoutOption

    func validate() throws { try require((1...1000).contains(count), "--count must be 1 to 1000") }

    func run(on console: Console) throws -> ExitStatus {
      let budget = time.budget()
      let (gallery, engine) = try file.open(with: engine)
      let probe: FaceTemplate
      var side: JSONValue
      let input = try Input.face(photo, limits: limits.limits)
      if case .template(let template) = input {
        (probe, side) = (template, template.jsonValue)
      } else {
        let sample = try engine.sample(input.picture(photo), policy: quality.policy, budget: budget)
        side = sample.jsonValue
        guard let template = sample.template else {
          try console.show(
            ["version": .string(FaceVerifyVersion.string), "probe": side, "candidates": .null],
            QualityText.refusal(photo, sample.quality, on: console))
          return .refused
        }
        probe = template
      }
      let search = try gallery.search(probe, count: count, at: rate.rate)
      try console.show(search.jsonValue.with("probe", side), GalleryText.search(search, on: console))
      if search.candidates.contains(where: \.isMatch) { return .done }
      return search.note == nil ? .noMatch : .refused
    }
  }

  struct Dedupe: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "dedupe", abstract: "Find who is in a gallery twice.",
      discussion: """
        Compares every entry with every other; 100,000 entries have 5 billion pairs,
        which take minutes. --fpir is the probability that any pair of different
        people is a match.

        Examples:
          faceverify gallery dedupe people.fvg --threads 4
          faceverify gallery dedupe people.fvg --count 1000 --json

        Exit codes:
          0  done, with or without pairs that match
          2  usage error
          3  runtime error
          4  refused: the rate is not supported
        """)

    @OptionGroup var file: File
    @Option(help: .init("Number of pairs, 1 to 1000.", "number")) var count = 100
    @OptionGroup var rate: FPIROption
    @OptionGroup var threads: ThreadsOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var time: TimeoutOption

    func validate() throws { try require((1...1000).contains(count), "--count must be 1 to 1000") }

    func run(on console: Console) throws -> ExitStatus {
      let (gallery, _) = try file.open(with: engine, threads: threads.threads)
      let found = try gallery.duplicates(count: count, at: rate.rate, budget: time.budget())
      try console.show(found.jsonValue, GalleryText.pairs(found, on: console))
      return found.note == nil ? .done : .refused
    }
  }

  struct Merge: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "merge", abstract: "Copy the entries of other galleries into one.",
      discussion: """
        An entry replaces the same-named one. All galleries must exist, have the same
        models, and the same key or none.

        Examples:
          faceverify gallery merge people.fvg monday.fvg tuesday.fvg

        Exit codes: 0 merged, 2 usage error, 3 runtime error.
        """)

    @OptionGroup var file: File
    @Argument(help: "The other galleries.", completion: .file()) var others: [String]
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let gallery = try file.open()
      let key = try file.key.key()
      for other in others { try gallery.merge(other, key: key) }
      let information = try gallery.information
      return try console.show(information.jsonValue, GalleryText.information(information, on: console))
    }
  }

  struct Remove: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove entries from a gallery, and overwrite their templates.",
      discussion: """
        Examples:
          faceverify gallery remove people.fvg photos/17.jpg
          faceverify gallery remove people.fvg "customer 17" "customer 18"

        Exit codes:
          0  removed
          2  usage error
          3  runtime error, or there is no such entry; the others are removed
        """)

    @OptionGroup var file: File
    @Argument(help: "The names of the entries: paths, or those of --name.") var names: [String]
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let gallery = try file.open()
      var (removed, missing): ([String], [String]) = ([], [])
      for name in names { if try gallery.remove(name) { removed.append(name) } else { missing.append(name) } }
      for name in missing { console.warn("\(file.gallery): no entry \(name)") }
      let information = try gallery.information
      let record = information.jsonValue.with("removed", .array(removed.map(JSONValue.string)))
      try console.show(
        record.with("missing", .array(missing.map(JSONValue.string))),
        "\(removed.count) removed\n" + GalleryText.information(information, on: console))
      return missing.isEmpty ? .done : .failed
    }
  }

  struct Info: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "info", abstract: "Describe a gallery: entries, models, encryption.",
      discussion: """
        Examples:
          faceverify gallery info people.fvg
          faceverify gallery info people.fvg --failures
          faceverify gallery info people.fvg --json

        Exit codes: 0 described, 2 usage error, 3 runtime error.
        """)

    @OptionGroup var file: File
    @Flag(help: "List the photos without a template, with the reason.") var failures = false
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let gallery = try file.open()
      let information = try gallery.information
      var records: [JSONValue] = []
      var lines = ""
      if failures {
        try gallery.visit { photo in
          guard let failure = photo.failure else { return }
          records.append(photo.jsonValue)
          lines += "\(photo.path.printable): \(failure.message.printable)\n"
        }
      }
      return try console.show(
        information.jsonValue.with("photos", failures ? .array(records) : .null),
        GalleryText.information(information, on: console) + lines)
    }
  }
}

private final class Enrolled: Sendable {
  private let gallery: Gallery
  private let console: Console
  private let progress: Progress
  private let tally = Lock((enrolled: 0, unchanged: 0, failed: [EmbeddedPhoto]()))

  init(_ gallery: Gallery, _ count: Int, on console: Console) {
    (self.gallery, self.console) = (gallery, console)
    progress = Progress(count, interval: .seconds(10), on: console)
  }

  func note(_ step: Gallery.Enrolment, isShown: Bool = true) {
    if isShown { progress.show(step) }
    tally.withLock { tally in
      switch step {
      case .unchanged: tally.unchanged += 1
      case .embedded(let photo): if photo.failure == nil { tally.enrolled += 1 } else { tally.failed.append(photo) }
      }
    }
  }

  func show() throws -> ExitStatus {
    progress.end()
    let tally = tally.withLock { $0 }
    for photo in tally.failed {
      guard let failure = photo.failure else { continue }
      console.warn(VerifyError(.init(rawValue: failure.code), failure.message).message(naming: photo.path))
    }
    let information = try gallery.information
    var record = information.jsonValue.with("enrolled", .integer(tally.enrolled))
    record = record.with("unchanged", .integer(tally.unchanged))
    try console.show(
      record.with("photos", tally.failed.jsonValue),
      "\(Text.count(tally.enrolled)) enrolled, \(Text.count(tally.unchanged)) unchanged, "
        + "\(Text.count(tally.failed.count)) without a template\n" + GalleryText.information(information, on: console))
    return .worst(tally.failed.map { $0.failure?.code == EmbeddedPhoto.Failure.refused ? .refused : .failed })
  }
}
