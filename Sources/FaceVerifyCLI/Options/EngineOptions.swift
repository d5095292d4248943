import ArgumentParser
import FaceVerify

/// The models and their folder.
struct EngineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model set: retail, default, or dlib (slower, independent of OpenVINO, sees no pose and no eyes); "
        + "without this, the first of retail and default that is installed.",
      valueName: "set"))
  var models: ModelSetOption?

  @Option(help: ArgumentHelp("The folder with manifest.json and the models.", valueName: "folder"))
  var modelsFolder: String?

  @Option(
    help: ArgumentHelp(
      "What the networks compute in: f32, or auto (bf16 where the processor has units for it: faster, the last digits "
        + "of scores differ).",
      valueName: "precision"))
  var precision: PrecisionOption = .f32

  enum ModelSetOption: String, ExpressibleByArgument, CaseIterable { case retail, `default`, dlib }
  enum PrecisionOption: String, ExpressibleByArgument, CaseIterable { case f32, auto }

  /// - Parameter set: the default of a command.
  func engine(threads: Int = 1, set: ModelSet? = nil) throws -> FaceEngine {
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = modelsFolder
    configuration.modelSet = models.map { ModelSet(rawValue: $0.rawValue) } ?? set
    configuration.precision = precision == .auto ? .automatic : .f32
    configuration.threads = threads
    return try FaceEngine(configuration)
  }
}

/// The folder alone, for commands that only read files.
struct ModelsFolderOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder with manifest.json and the models.", valueName: "folder"))
  var modelsFolder: String?

  func folder() throws -> String { try FaceEngine.modelsFolder(modelsFolder) }
}
