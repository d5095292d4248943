import ArgumentParser
import FaceVerify
import Glibc

/// Runs the program, from its arguments to its exit code.
package func runCommand() { FaceVerifyCommand.main() }

/// A command that runs; the others only group subcommands.
protocol Subcommand: ParsableCommand {
  var output: OutputOptions { get }
  func run(on console: Console) throws -> ExitStatus
}

enum ExitStatus: Int32 {
  /// A match, a live person, or success.
  case done = 0
  /// Not the same person, or a presentation attack.
  case noMatch = 1
  case usage = 2
  case failed = 3
  /// A photo is not good enough, or the result is undecided.
  case refused = 4
  /// Passed as requested, but by one photo alone: presence was not proved.
  case byPhoto = 5

  static let help = """
    Exit codes:
      0  match, live, or done
      1  no match, or presentation attack
      2  usage error
      3  runtime error: no face, unreadable file, missing model, disk full...
      4  refused: a photo is not good enough, or something was not checked
      5  live or passed by one photo alone, as requested by --photo or --presence
    """

  /// The status of several photos: 3 before 1 before 4 before 0.
  static func worst(_ all: [ExitStatus]) -> ExitStatus {
    [.failed, .noMatch, .refused].first(where: all.contains) ?? .done
  }
}

struct FaceVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faceverify", abstract: "Offline face verification and liveness for identity documents.",
    discussion: """
      Examples:
        faceverify compare selfie.jpg portrait.jpg
        faceverify liveness recording.mp4 --script blink,left,smile
        faceverify document passport.jpg --chip chip/ --trust csca/
        faceverify quality selfie.jpg --annotate marked.png
        faceverify doctor

      \(ExitStatus.help)

      Results go to standard output, messages to standard error. With --json
      the result is JSON, or {"error": {"code": ..., "message": ...}}.
      The file - is standard input, and as an output standard output.
      An option precedes the environment, which precedes --config FILE.
      Models are searched in --models-folder, then in $FACEVERIFY_MODELS, then
      in ../share/faceverify/models, relative to the folder of the program.
      Compiled models are cached in $XDG_CACHE_HOME/faceverify or
      ~/.cache/faceverify.

      Completions for bash, zsh or fish:
        cd ~/.local/share/bash-completion/completions
        faceverify --generate-completion-script bash > faceverify
      """,
    version: FaceVerifyVersion.string,
    subcommands: [
      VerifyCommand.self, CompareCommand.self, LivenessCommand.self, DocumentCommand.self, ChipCommand.self,
      ReadersCommand.self, MRZCommand.self, CodeCommand.self, TrustCommand.self, RecordCommand.self, KeysCommand.self,
      DetectCommand.self,
      QualityCommand.self, TemplateCommand.self, GalleryCommand.self, EvalCommand.self, ModelsCommand.self,
      DoctorCommand.self, BenchCommand.self, VersionCommand.self,
    ] + serving)

  #if Server
    private static let serving: [any ParsableCommand.Type] = [ServeCommand.self]
  #else
    private static let serving: [any ParsableCommand.Type] = []
  #endif

  static func main() {
    var console = Console()
    console.secureStandardFiles()
    Interruption.prepare()
    // A dependency of OpenVINO would print to standard error if /sys is not mounted.
    setenv("HWLOC_HIDE_ERRORS", "2", 0)
    let arguments = Array(CommandLine.arguments.dropFirst())
    console.isJSON = arguments.contains("--json")
    var status: ExitStatus
    do {
      do {
        var command = try parseAsRoot(arguments)
        if let subcommand = command as? any Subcommand {
          let output = subcommand.output
          (console.isJSON, console.isQuiet) = (output.json, output.quiet)
          try Settings.load(output.config)
          status = try subcommand.run(on: console)
        } else {
          try command.run()
          status = .done
        }
      } catch let error as VerifyError {
        throw error
      } catch {
        status = try answer(error, to: arguments, on: console)
      }
    } catch {
      let error = VerifyError(any: error).advised
      // The failure may be one of standard output.
      if console.isJSON, !console.hasResult { try? console.write(error.json) }
      console.warn(error.message)
      status = .failed
    }
    // Without destructors: freeing networks takes a tenth of the time of a comparison.
    fflush(nil)
    _exit(status.rawValue)
  }

  /// Returns what is wrong with a word that names no subcommand, with the nearest one; nil if there is none.
  private static func unknownCommand(in arguments: [String]) -> String? {
    var commands = configuration.subcommands
    var path = "faceverify"
    for word in arguments {
      let names = commands.map { $0.configuration.commandName ?? "" }
      if names.isEmpty || word.hasPrefix("-") { return nil }
      if let index = names.firstIndex(of: word) {
        commands = commands[index].configuration.subcommands
        path += " " + word
        continue
      }
      let nearest = names.min { $0.distance(to: word) < $1.distance(to: word) } ?? ""
      let advice = nearest.distance(to: word) <= 1 + word.count / 4 ? "did you mean '\(nearest)'? " : ""
      return "unknown command '\(word)': \(advice)`\(path) --help` lists the commands"
    }
    return nil
  }

  /// Subcommands whose exit code 0 means a decision, or --help.
  private static let deciding = ["verify", "compare", "liveness", "document", "chip"]

  /// Prints help and the like, which the parser also throws; any other error is a usage error.
  private static func answer(_ error: any Error, to arguments: [String], on console: Console) throws -> ExitStatus {
    var text = fullMessage(for: error)
    var message = message(for: error)
    if exitCode(for: error) == .success {
      // -h.jpg is a file to its caller, and help to the parser.
      let isMeant =
        deciding.contains(arguments.first ?? "")
        ? arguments.contains("--help") : !arguments.contains { $0.hasPrefix("-h") && $0 != "-h" }
      guard !isMeant else {
        try console.write(text.hasSuffix("\n") ? text : text + "\n")
        return .done
      }
      message = "unknown option; put -- before a file whose name begins with a hyphen"
      text = "Error: \(message)"
    } else if let unknown = unknownCommand(in: arguments) {
      message = unknown
      text = "Error: \(message)"
    }
    if console.isJSON { try console.write(VerifyError(.usage, message).json) }
    // The message repeats arguments; the following lines are our own.
    console.message(text.replacing(message, with: message.printable, maxReplacements: 1))
    return .usage
  }
}

extension VerifyError.Code {
  static let usage = VerifyError.Code(rawValue: "usage")
}

extension VerifyError {
  static let modelAdvice = "`faceverify models install` installs the models, with --set SET an optional set"

  /// The error with the command that fixes it; libraries name none.
  var advised: VerifyError {
    let advice: String? =
      switch (code, remedy) {
      case (_, .giveGalleryKey): "--gallery-key FILE names it"
      case (_, .makeKey): "`faceverify keys new` makes a key for signing, with --encryption one for encryption"
      case (.modelMissing, _), (.modelMismatch, _): Self.modelAdvice
      case (.incompatibleTemplate, _): "--set SET selects the model set of the template"
      case (.unsupportedRate, _): "see --fmr and --fpir"
      default: nil
      }
    guard let advice, !message.contains("`faceverify ") else { return self }
    return VerifyError(code, "\(message); \(advice)")
  }
}

struct VersionCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.",
    discussion: """
      Example:
        faceverify version

      Exit codes: 0 printed, 2 usage error, 3 runtime error.
      """)

  @OptionGroup var output: OutputOptions

  func run(on console: Console) throws -> ExitStatus {
    try console.show(["version": .string(FaceVerifyVersion.string)], "faceverify \(FaceVerifyVersion.string)\n")
  }
}
