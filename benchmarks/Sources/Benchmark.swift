@_spi(Benchmarks) import FaceVerifyJourney
import Foundation
import Synchronization

/// `benchmark --photos FOLDER [--program FACEVERIFY] [--load SECONDS...] [--library LIBFACEVERIFY] [--programs "C PYTHON"]
/// [--peer "LEAST MEDIAN VERSIONS"] [--check]`: see `benchmarks/run`. Or `benchmark --photos FOLDER --liveness`, or
/// `--codes`, or `benchmark --gallery COUNTS [--key]`.
@main
struct Benchmark {
  static func main() {
    do {
      var options: [String: String] = [:]
      var arguments = CommandLine.arguments.dropFirst()
      while let name = arguments.popFirst() {
        options[name] = ["--check", "--codes", "--key", "--liveness"].contains(name) ? "yes" : arguments.popFirst()
      }
      if let counts = options["--gallery"] {
        let counts = counts.split(separator: " ").compactMap { Int($0) }
        return try GalleryBenchmark.run(counts, isEncrypted: options["--key"] != nil)
      }
      let missed: [String]
      if options["--codes"] != nil {
        guard let folder = options["--photos"] else { throw Failure("--photos is missing") }
        missed = try CodeBenchmark.run(photos: folder)
      } else {
        let benchmark = try Benchmark(options: options)
        missed = try options["--liveness"] == nil ? benchmark.run() : benchmark.runLiveness()
      }
      guard options["--check"] != nil, !missed.isEmpty else { return }
      throw Failure("missed: \(missed.joined(separator: "; "))")
    } catch {
      FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
      exit(1)
    }
  }

  private let photos: Photos
  private let program: String?
  /// Seconds, each measured in a new process.
  private let load: [Double]
  private let library: String?
  /// Least time of a comparison in a C program and in a Python program.
  private let programs: [Double]
  private let peer: [Substring]
  private var table = Table()

  private init(options: [String: String]) throws {
    guard let folder = options["--photos"] else { throw Failure("--photos is missing") }
    photos = try Photos(folder: folder)
    program = options["--program"]
    func numbers(_ name: String) -> [Double] { (options[name] ?? "").split(separator: " ").compactMap { Double($0) } }
    load = numbers("--load")
    library = options["--library"]
    programs = numbers("--programs")
    peer = (options["--peer"] ?? "").split(separator: " ", maxSplits: 2)
  }

  private consuming func run() throws -> [String] {
    let machine = Machine.description
    // Before any model is loaded: see `Child.peakMemory`.
    try measureProcess()
    let engine = try engine(.standard)
    try measureParts(engine)
    try measureDocuments(engine)
    let one = try measureCompare(engine)
    try measureLanguages(engine)
    try measureThreads(one: one)
    try measurePrecision(engine)
    try measureOthers(one: one)
    show(machine, peer.count == 3 ? ", \(peer[2])" : "")
    return table.missed
  }

  private consuming func runLiveness() throws -> [String] {
    let machine = Machine.description
    try measureLiveness(try engine(.standard))
    show(machine)
    return table.missed
  }

  private func show(_ machine: String, _ others: String = "") {
    print(table.markdown)
    print("\n\(machine); faceverify \(FaceVerifyVersion.string)\(others).")
  }

  private mutating func measureProcess() throws {
    let rows = (
      first: "`faceverify compare`, whole process, first start with an empty cache",
      next: "`faceverify compare`, whole process, from the second on", memory: "its peak memory",
      templates: "`faceverify compare` with two templates, whole process"
    )
    guard let program else {
      for row in [rows.first, rows.next, rows.memory, rows.templates] { table.add(notMeasured: row) }
      return
    }
    let cache = FileManager.default.temporaryDirectory.appendingPathComponent("faceverify-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: cache) }
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_CACHE_HOME"] = cache
    func run(_ arguments: String...) throws -> Child {
      let child = try Child([program] + arguments, environment: environment)
      guard child.exitCode == 0 else {
        throw Failure("faceverify \(arguments[0]): exit code \(child.exitCode.map(String.init) ?? "none"), not 0")
      }
      return child
    }
    let sides = ["selfie", "portrait"]
    let files = sides.map { "\(photos.folder)/\($0).jpg" }
    table.add(rows.first, seconds: [try run("compare", files[0], files[1]).wall])
    let next = try (0..<9).map { _ in try run("compare", files[0], files[1]) }
    table.add(rows.next, seconds: next.map(\.wall), atMost: 0.3)
    table.add(rows.memory, megabytes: Double(next.map(\.peakMemory).max() ?? 0) / 1e6, atMost: 150)
    let templates = sides.map { "\(cache)/\($0).fvt" }
    for (file, template) in zip(files, templates) { _ = try run("template", file, "--output", template) }
    table.add(
      rows.templates, seconds: try (0..<9).map { _ in try run("compare", templates[0], templates[1]).wall },
      atMost: 0.06)
  }

  private mutating func measureParts(_ engine: FaceEngine) throws {
    // The engine's choice: the largest reduction that leaves 640 pixels on the longer side.
    table.add("JPEG of 2 MP, decoded at half its size", try decoding(photos.selfie, reduction: 2))
    table.add("JPEG of 12 MP, decoded at a quarter of its size", try decoding(photos.large, reduction: 4))
    let found = try engine.detect(photos.frame, smallFaces: false).count
    guard found == 1 else { throw Failure("\(found) faces in the frame, not 1") }
    table.add(
      "detection, mesh and irises in a frame of 640×480",
      try .measure { _ = try engine.detect(photos.frame, smallFaces: false) }, atMost: 0.008)
    let quality = try engine.qualityMeasurement(of: Photo(bytes: photos.selfie), policy: .selfie)
    table.add("quality of a photo of 2 MP", try .measure { _ = quality() })
    let embedding = try engine.embeddingMeasurement(of: Photo(bytes: photos.selfie))
    table.add("embedding of a face", try .measure { _ = try embedding() }, atMost: 0.0055)
  }

  private mutating func measureDocuments(_ engine: FaceEngine) throws {
    guard let day = CalendarDate("2026-11-21"),
      let zone = try engine.readZone(Photo(bytes: photos.page), on: day)?.zone,
      zone.findings.isEmpty
    else { throw Failure("the zone of the page is not read") }
    table.add(
      "machine readable zone of a page, bytes to text",
      try .measure { _ = try engine.readZone(Photo(bytes: photos.page), on: day) }, atMost: 0.150)
    table.add(
      "the same page with its portrait and all checks",
      try .measure { _ = try engine.readPage(Photo(bytes: photos.page), on: day) })
    guard let lines = try engine.readPage(Photo(bytes: photos.page), on: day, readsText: true).text?.count, lines > 9
    else { throw Failure("the text of the page is not read") }
    table.add(
      "the same with its \(lines) lines of printed text",
      try .measure { _ = try engine.readPage(Photo(bytes: photos.page), on: day, readsText: true) }, atMost: 1)
  }

  /// Ten seconds of a stream, as a mean per frame: detailed analyses run only a few times per second.
  private mutating func measureLiveness(_ engine: FaceEngine) throws {
    // Moved like a hand-held camera: repeated frames would be detected.
    let frames = try (0..<8).map { try shifted(photos.frame.pixels(), by: $0) }
    let seconds = 10
    let embed = try engine.embeddingMeasurement(of: Photo(bytes: photos.selfie))
    let embedding = try Timing.measure { _ = try embed() }
    let nonce = Array("a nonce of a journey".utf8)
    var options = LivenessSession.Configuration()
    options.policy = .passiveOnly
    var configuration = JourneyConfiguration()
    configuration.requests = [.init(.face)]
    configuration.faceModes = [.passive]
    configuration.nonce = nonce
    let (session, journey) = try Timing.measureInTurns(runs: 9, calls: 30 * seconds) {
      let session = try LivenessSession(engine: engine, script: nil, nonce: nonce, configuration: options)
      for i in 0..<30 * seconds {
        let state = try session.add(frames[i % frames.count], at: Double(i) / 30)
        guard state.face != nil else { throw Failure("no face in frame \(i)") }
      }
      _ = try session.finish()
    } _: {
      let journey = try JourneyController(engine: engine, configuration: configuration, at: 0)
      for call in [JourneyCall.start, .startCredential(0), .startPart(.face, mode: nil)] {
        try journey.perform(call, at: 0)
      }
      for i in 0..<30 * seconds {
        let time = Double(i) / 30
        try journey.perform(.frame(JourneyFrame(frames[i % frames.count], time: time)), at: time)
      }
      for call in [JourneyCall.finishPart, .finishCredential, .finish] {
        try journey.perform(call, at: Double(seconds))
      }
    }
    func middle(_ timing: Timing) -> Double { timing.processor[timing.processor.count / 2] }
    table.add("embedding of a face", embedding)
    table.add("a frame of 640×480 in a liveness session, all signals, 30 a second", session)
    // CPU time is hardly affected by other programs.
    table.add(
      "time of the processor against an embedding", ratio: session.processor[0] / embedding.processor[0],
      median: middle(session) / middle(embedding))
    table.add("the same in a journey, from its start to its result", journey)
    // 0.2 ms of 8.
    table.add(
      "a journey against the session alone, in turns", ratio: journey.processor[0] / session.processor[0],
      median: middle(journey) / middle(session), atMost: 1.025)
  }

  private func shifted(_ picture: PixelBuffer, by pixels: Int) throws -> PixelBuffer {
    let bytes = 3 * pixels
    let rgb = Array(picture.rgb[bytes...]) + Array(repeating: 0, count: bytes)
    return try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb)
  }

  private func decoding(_ bytes: [UInt8], reduction: Int) throws -> Timing {
    try .measure { _ = try Photo(bytes: bytes).pixels(reduction: reduction) }
  }

  private mutating func measureCompare(_ engine: FaceEngine) throws -> Timing {
    let one = try Timing.measure { try compare(engine) }
    table.add("whole comparison of two JPEGs of 2 MP, bytes to decision, 1 thread", one, atMost: 0.045)
    return one
  }

  private mutating func measureLanguages(_ engine: FaceEngine) throws {
    if !load.isEmpty { table.add("loading libfaceverify.so, models not included", seconds: load, atMost: 0.1) }
    if let library {
      let interface = try CInterface(library: library)
      var pairs: [(swift: Double, c: Double)] = []
      for run in 0..<80 {
        let start = now(CLOCK_MONOTONIC)
        try compare(engine)
        let middle = now(CLOCK_MONOTONIC)
        try interface.compare(photos)
        if run > 3 { pairs.append((middle - start, now(CLOCK_MONOTONIC) - middle)) }
      }
      let (swift, c) = (pairs.map(\.swift).sorted(), pairs.map(\.c).sorted())
      table.add("the same through the C interface", seconds: c)
      table.add(
        "C interface against Swift", ratio: c[0] / swift[0], median: c[c.count / 2] / swift[swift.count / 2],
        atMost: 1.01)
    }
    if programs.count == 2 {
      table.add("Python against C, in programs of their own", ratio: programs[1] / programs[0], atMost: 1.05)
    }
  }

  private mutating func measureThreads(one: Timing) throws {
    let engine = try engine(.standard, threads: 2)
    let calls = 16
    // Alternating, so that interference affects both equally.
    var pairs: [(one: Double, two: Double)] = []
    for run in 0..<9 {
      let pair = (
        one: try parallel(1, calls: calls, engine) / Double(calls),
        two: try parallel(2, calls: calls, engine) / Double(2 * calls)
      )
      if run > 0 { pairs.append(pair) }
    }
    let (alone, both) = (pairs.map(\.one).sorted(), pairs.map(\.two).sorted())
    table.add("the same on 2 threads, time a comparison", seconds: both)
    table.add(
      "2 threads against 1", ratio: alone[0] / both[0], median: alone[alone.count / 2] / both[both.count / 2],
      atLeast: 1.7)
  }

  private mutating func measurePrecision(_ exact: FaceEngine) throws {
    let fast = try engine(.standard, precision: .automatic)
    guard fast.modelVersion.precision != .f32 else { return }
    let (f32, bf16) = try Timing.measureInTurns({ try compare(exact) }, { try compare(fast) })
    table.add("the same with --precision auto (bf16), 1 thread", bf16)
    table.add(
      "--precision auto against f32", ratio: f32.least / bf16.least, median: f32.median / bf16.median,
      processor: f32.processor[f32.processor.count / 2] / bf16.processor[bf16.processor.count / 2])
  }

  /// Seconds until each of `threads` threads has made `calls` comparisons.
  private func parallel(_ threads: Int, calls: Int, _ engine: FaceEngine) throws -> Double {
    let done = DispatchSemaphore(value: 0)
    let failures = Mutex<[String]>([])
    let photos = photos
    let start = now(CLOCK_MONOTONIC)
    for _ in 0..<threads {
      Thread.detachNewThread {
        do {
          for _ in 0..<calls { try Self.compare(engine, photos) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        done.signal()
      }
    }
    for _ in 0..<threads { done.wait() }
    let seconds = now(CLOCK_MONOTONIC) - start
    if let failure = failures.withLock(\.first) { throw Failure(failure) }
    return seconds
  }

  private mutating func measureOthers(one: Timing) throws {
    let dlib = try Timing.measure(runs: 7) { [engine = try engine(.dlib)] in try compare(engine) }
    table.add("the same with the dlib set, 1 thread", dlib)
    table.add(
      "against the dlib set", ratio: dlib.least / one.least, median: dlib.median / one.median, atLeast: 2)
    guard peer.count == 3, let least = Double(peer[0]), let median = Double(peer[1]) else { return }
    table.add("the same with Python's face_recognition and its defaults, 1 thread", seconds: [least, median, median])
    table.add(
      "against face_recognition", ratio: least / one.least, median: median / one.median, atLeast: 40)
  }

  /// An engine whose results are verified: without correct results its speed is meaningless.
  private func engine(
    _ set: ModelSet, threads: Int = 1, precision: FaceEngine.Precision = .f32
  ) throws -> FaceEngine {
    var configuration = FaceEngine.Configuration()
    configuration.modelSet = set
    configuration.threads = threads
    configuration.precision = precision
    let engine = try FaceEngine(configuration)
    try compare(engine)
    let other = try engine.compare(
      selfie: Photo(bytes: photos.selfie), portrait: Photo(bytes: photos.stranger))
    guard other.result == .noMatch else { throw Failure("\(set) set: a stranger: \(other.result.rawValue)") }
    return engine
  }

  private func compare(_ engine: FaceEngine) throws { try Self.compare(engine, photos) }

  private static func compare(_ engine: FaceEngine, _ photos: Photos) throws {
    let decision = try engine.compare(
      selfie: Photo(bytes: photos.selfie), portrait: Photo(bytes: photos.portrait))
    guard decision.result == .match else {
      throw Failure(
        "\(decision.modelVersion.set) set: the same person: \(decision.result.rawValue), \(decision.reasons)")
    }
  }
}
