import FaceVerify
import Foundation
import ScriptedModels
import TestSupport
import Testing

/// The built command, run in a separate process.
enum Command {
  static let binary =
    ProcessInfo.processInfo.environment["FACEVERIFY_BINARY"] ?? Installed.root + "/.build/release/faceverify"
  static let fixtures = Installed.root + "/Tests/ImagingTests/Fixtures/image"

  struct Outcome {
    /// For a process terminated by a signal, 128 plus the signal's number.
    var code: Int32
    var out: String
    var err: String
  }

  /// - Parameters:
  ///   - environment: added to this process's own.
  ///   - interruptAfter: seconds until SIGINT.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], interruptAfter: Double? = nil
  ) throws -> Outcome {
    try execute(binary, arguments, environment, interruptAfter)
  }

  /// Runs a line of bash, in which `$fv` is the command.
  static func shell(_ script: String, environment: [String: String] = [:]) throws -> Outcome {
    try execute("/bin/bash", ["-c", script], environment.merging(["fv": binary]) { a, _ in a }, nil)
  }

  fileprivate static func execute(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ interruptAfter: Double?
  ) throws -> Outcome {
    try withTemporaryFolder { folder in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      var variables = ProcessInfo.processInfo.environment
      variables["FACEVERIFY_MODELS"] = Installed.models
      // Without the configuration file of the user.
      variables["XDG_CONFIG_HOME"] = "/nonexistent"
      process.environment = variables.merging(environment) { _, b in b }
      process.standardInput = FileHandle.nullDevice
      // Files, because a full pipe would block the process.
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

/// The same command with scripted models: it neither has nor searches for model files.
enum ScriptedCommand {
  static let binary =
    ProcessInfo.processInfo.environment["FACEVERIFY_SCRIPTED"]
    ?? Installed.root + "/.build/release/faceverify-scripted"
  private static let nowhere = ["FACEVERIFY_MODELS": "/nonexistent"]

  static func run(
    _ arguments: [String], environment: [String: String] = [:], interruptAfter: Double? = nil
  ) throws -> Command.Outcome {
    try Command.execute(binary, arguments, environment.merging(nowhere) { a, _ in a }, interruptAfter)
  }

  /// Runs a line of bash, in which `$fv` is the command.
  static func shell(_ script: String, environment: [String: String] = [:]) throws -> Command.Outcome {
    try Command.execute(
      "/bin/bash", ["-c", script], environment.merging(nowhere) { a, _ in a }.merging(["fv": binary]) { a, _ in a }, nil
    )
  }
}

/// Photos of drawn people, as files that exist until the tests end.
enum Faces {
  /// A person.
  static let one = photo("one", ScriptedPicture(person: 1, frame: 1))
  /// The same person, slightly turned.
  static let same = photo("same", ScriptedPicture(person: 1, frame: 2) { $0.yaw = 4 })
  /// Another person.
  static let other = photo("other", ScriptedPicture(person: 2, frame: 3))
  /// A person too small to be compared.
  static let tiny = photo("tiny", ScriptedPicture(person: 1) { $0.eyes = 20 })

  private static let folder: String = {
    let folder = NSTemporaryDirectory() + "/faceverify faces \(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: Faces.folder) }
    return folder
  }()

  private static func photo(_ name: String, _ picture: ScriptedPicture) -> String {
    let path = folder + "/" + name + ".png"
    try? write(picture.pixels().encodedAsPNG(), to: path)
    return path
  }
}

/// A folder of links to the installed models, which can be modified safely.
func withModels<Result>(_ body: (String) throws -> Result) throws -> Result {
  try withTemporaryFolder { folder in
    for name in try FileManager.default.contentsOfDirectory(atPath: Installed.models) {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + name, withDestinationPath: Installed.models + "/" + name)
    }
    return try body(folder)
  }
}

extension Trait where Self == Need {
  static var needsCommand: Self { .needsProgram(Command.binary) }
}
