import Foundation
import Testing

/// The built command, run as a process of its own.
enum Command {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  private static func setting(_ variable: String, _ standard: String) -> String {
    ProcessInfo.processInfo.environment[variable] ?? root + "/" + standard
  }

  static let binary = setting("FACEVERIFY_BINARY", ".build/release/faceverify")
  static let models = setting("FACEVERIFY_MODELS", "models")
  private static let samples = setting("FACEVERIFY_SAMPLES", ".deps/samples")
  static let fixtures = root + "/Tests/FaceAnalysisTests/Fixtures/image"

  static func sample(_ name: String) -> String { samples + "/" + name }

  static let isBuilt = FileManager.default.isExecutableFile(atPath: binary)
  static let hasSamples = ["obama.jpg", "obama2.jpg", "biden.jpg"].allSatisfy {
    FileManager.default.isReadableFile(atPath: sample($0))
  }
  /// Files, and the trained ones among them: a manifest without these cannot compare.
  static let hasModels: Bool =
    isBuilt && (try? run(["models", "verify"]).code) == 0 && (try? run(["doctor"]).code) == 0

  struct Outcome {
    /// 128 and the signal's number, for a process that a signal ended.
    var code: Int32
    var out: String
    var err: String
  }

  /// - Parameters:
  ///   - environment: added to this process's own.
  ///   - interruptAfter: seconds until Ctrl-C.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], interruptAfter: Double? = nil
  ) throws -> Outcome {
    try execute(binary, arguments, environment, interruptAfter)
  }

  /// Runs a line of bash, in which `$fv` is the command.
  static func shell(_ script: String, environment: [String: String] = [:]) throws -> Outcome {
    try execute("/bin/bash", ["-c", script], environment.merging(["fv": binary]) { a, _ in a }, nil)
  }

  private static func execute(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ interruptAfter: Double?
  ) throws -> Outcome {
    try withTemporaryFolder { folder in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      var variables = ProcessInfo.processInfo.environment
      variables["FACEVERIFY_MODELS"] = models
      process.environment = variables.merging(environment) { _, b in b }
      process.standardInput = FileHandle.nullDevice
      // Files, since a pipe that nobody empties would stop the process.
      let (out, err) = (folder + "/out", folder + "/err")
      for file in [out, err] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
      process.standardOutput = FileHandle(forWritingAtPath: out)
      process.standardError = FileHandle(forWritingAtPath: err)
      try process.run()
      if let interruptAfter {
        Thread.sleep(forTimeInterval: interruptAfter)
        process.interrupt()
      }
      process.waitUntilExit()
      func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      }
      let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
      return Outcome(code: signal + process.terminationStatus, out: text(out), err: text(err))
    }
  }
}

func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = NSTemporaryDirectory() + "/faceverify test \(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

/// A models folder of links to the installed files, which can be changed without harm.
func withModels<Result>(_ body: (String) throws -> Result) throws -> Result {
  try withTemporaryFolder { folder in
    for name in try FileManager.default.contentsOfDirectory(atPath: Command.models) {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + name, withDestinationPath: Command.models + "/" + name)
    }
    return try body(folder)
  }
}

func write(_ bytes: [UInt8], to path: String) throws {
  try? FileManager.default.removeItem(atPath: path)
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

func names(in folder: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

extension Trait where Self == ConditionTrait {
  static var needsCommand: Self {
    .enabled(if: Command.isBuilt, "no command at \(Command.binary): build it, or name it in FACEVERIFY_BINARY")
  }
  static var needsModels: Self {
    .enabled(if: Command.hasModels, "the default models are not all installed: name their folder in FACEVERIFY_MODELS")
  }
  static var needsSamples: Self {
    .enabled(if: Command.hasSamples, "no sample photos: name their folder in FACEVERIFY_SAMPLES")
  }
}
