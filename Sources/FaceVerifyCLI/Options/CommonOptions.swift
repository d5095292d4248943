public import ArgumentParser
public import FaceVerify

/// Throws a usage error unless the options fit together.
func require(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
  if !isRight { throw ValidationError(message()) }
}

extension NameSpecification {
  static let output: Self = [.customShort("o"), .customLong("output")]
}

extension ArgumentHelp {
  init(_ text: String, _ valueName: String) { self.init(text, valueName: valueName) }
}

struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as JSON.") var json = false
  @Flag(name: .shortAndLong, help: "Print no text and no progress: only errors, and JSON with --json.")
  var quiet = false
  @Option(
    help: .init(
      "Defaults for options, as JSON; default: $XDG_CONFIG_HOME/faceverify/config.json or "
        + "~/.config/faceverify/config.json, if it exists.", "file"),
    completion: .file())
  var config: String?
}

struct PhotoOptions: ParsableArguments {
  @Option(help: .init("Reject pictures with more pixels.", "number")) var maxPixels: Int = ImageLimits().maximumPixels

  var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels) }

  func validate() throws { try require(maxPixels > 0, "--max-pixels must be above 0") }
}

struct TimeoutOption: ParsableArguments {
  @Option(help: .init("Stop after this many seconds, with exit code 3.", "seconds")) var timeout: Double?

  /// Counted from now.
  func budget() -> Budget { Budget(seconds: timeout) }

  func validate() throws { try require(timeout ?? 1 > 0, "--timeout must be above 0 seconds") }
}

struct ThreadsOption: ParsableArguments {
  @Option(help: .init("Number of photos processed concurrently, 1 to 64.", "number")) var threads: Int = 1

  func validate() throws { try require((1...64).contains(threads), "--threads must be 1 to 64") }
}

struct BatchOptions: ParsableArguments {
  @OptionGroup var engine: EngineOptions
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func makeEngine() throws -> FaceEngine { try engine.engine(threads: threads.threads) }
}

struct EngineOptions: ParsableArguments {
  @Option(
    help: .init(
      "The model set: retail, default, or dlib (slower, without OpenVINO, pose and eyes); default: the first of retail "
        + "and default that is installed.", "set"))
  var set: String?
  @OptionGroup var folder: ModelsFolderOption
  @Option(
    help: .init(
      "Precision of the networks: f32, or auto (bf16 if the processor has units for it: faster, the last digits of "
        + "scores differ); default: f32.", "precision"))
  var precision: Precision?

  enum Precision: String, ExpressibleByArgument, CaseIterable { case f32, auto }

  /// - Parameter set: the default of a command.
  func engine(threads: Int = 1, set: ModelSet? = nil) throws -> FaceEngine {
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = folder.named
    configuration.modelSet =
      try self.set.map { try ModelSet(named: $0, in: folder.named) } ?? set ?? Settings.current.set
    configuration.precision = (precision ?? Settings.current.precision) == .auto ? .automatic : .f32
    configuration.threads = threads
    let engine = try FaceEngine(configuration)
    // Not freed before the process ends.
    _ = Unmanaged.passRetained(engine)
    return engine
  }
}

extension ModelSet {
  /// Accepts any name if there is no manifest; the engine then reports its absence.
  ///
  /// - Parameter folder: of the manifest; nil for the default one.
  /// - Throws: a usage error if the manifest has no such set.
  init(named name: String, in folder: String?) throws {
    self.init(rawValue: name)
    guard let store = try? ModelStore(folder: ModelStore.folder(folder)) else { return }
    do { _ = try store.models(of: self) } catch let error as VerifyError where error.code == .badArgument {
      throw ValidationError(error.message)
    }
  }
}

struct ModelsFolderOption: ParsableArguments {
  @Option(help: .init("The folder with manifest.json and the models.", "folder")) var modelsFolder: String?

  /// nil for the folder of the environment or the default one.
  var named: String? { modelsFolder ?? (environment("FACEVERIFY_MODELS") == nil ? Settings.current.modelsFolder : nil) }

  func path() throws -> String { try ModelStore.folder(named) }
}

/// The false-match rate of one comparison. The engine checks that the calibration supports it.
struct FMROption: ParsableArguments {
  @Option(help: .init("False-match rate at which a comparison is decided, 1e-2 to 1e-5; default: 1e-3.", "rate"))
  var fmr: FalseMatchRate?

  @Option(
    help: .init(
      "The people among whom the rate holds: the group with the highest rate (worst-group) or all; default: worst-group.",
      "people"))
  var among: FalseMatchRate.Population?

  var rate: FalseMatchRate {
    let rate = fmr ?? Settings.current.fmr ?? .oneIn1000
    return among.map(rate.among) ?? rate
  }
}

extension FalseMatchRate.Population: ExpressibleByArgument {}

extension FalseMatchRate: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

enum Quality: String, ExpressibleByArgument, CaseIterable {
  case selfie, document, chip, any

  var policy: QualityPolicy {
    switch self {
    case .selfie: .selfie
    case .document: .documentPortrait
    case .chip: .chipPortrait
    case .any: .any
    }
  }
}

struct QualityOption: ParsableArguments {
  @Option(
    help: .init(
      "Required quality of photos, by their kind: selfie, document, chip or any; default: selfie.", "kind"))
  var quality: Quality?

  var policy: QualityPolicy { (quality ?? Settings.current.quality ?? .selfie).policy }
}

extension Assurance.Presence: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(rawValue: argument)
    if self == .none { return nil }
  }

  // The help text names the values, without none.
  public static var allValueStrings: [String] { [] }
  public static var defaultCompletionKind: CompletionKind { .default }
  static let names = allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
}

struct AcceptOption: ParsableArguments {
  @Option(
    name: .customLong("accept"),
    help: .init("Let this kind of document pass although no chip authenticates it.", "kind"))
  var accepted: [UnauthenticatedDocument] = []
}

extension UnauthenticatedDocument: ExpressibleByArgument {}
