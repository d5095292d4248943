import ArgumentParser
import FaceVerify
import Glibc

/// Runs the program, from its arguments to its exit code.
package func runCommand() { FaceVerifyCommand.main() }

/// The `faceverify` command.
struct FaceVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faceverify",
    abstract: "Compare a selfie with a portrait, offline and with reasons.",
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
      Models are looked for in --models-folder, else in $FACEVERIFY_MODELS,
      else in ../share/faceverify/models beside the program's folder. Compiled
      models are kept in $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify.

      Completions for your shell, bash, zsh or fish:
        cd ~/.local/share/bash-completion/completions
        faceverify --generate-completion-script bash > faceverify
      """,
    version: FaceVerifyVersion.string,
    subcommands: [
      VerifyCommand.self, CompareCommand.self, LivenessCommand.self, DocumentCommand.self, ChipCommand.self,
      MRZCommand.self, CodeCommand.self, TrustCommand.self, RecordCommand.self, KeysCommand.self, DetectCommand.self,
      QualityCommand.self,
      TemplateCommand.self, GalleryCommand.self, EvalCommand.self, ModelsCommand.self, DoctorCommand.self,
      BenchCommand.self, VersionCommand.self,
    ] + serving)

  #if Server
    private static let serving: [any ParsableCommand.Type] = [ServeCommand.self]
  #else
    private static let serving: [any ParsableCommand.Type] = []
  #endif

  static func main() {
    let console = Console()
    console.secureStandardFiles()
    Interruption.prepare()
    // A dependency of OpenVINO would print to standard error if /sys is not mounted.
    setenv("HWLOC_HIDE_ERRORS", "2", 0)
    let arguments = Array(CommandLine.arguments.dropFirst())
    let wantsJSON = arguments.contains("--json")
    var status: ExitStatus
    do {
      do {
        var command = try parseAsRoot(arguments)
        if let subcommand = command as? any Subcommand {
          status = try subcommand.run(on: console)
        } else {
          try command.run()
          status = .done
        }
      } catch let error as VerifyError {
        throw error
      } catch {
        status = try answer(error, to: arguments, on: console, asJSON: wantsJSON)
      }
    } catch {
      let error = error as? VerifyError ?? VerifyError(.internalFailure, "\(error)")
      // The failure may be one of standard output.
      if wantsJSON, !console.hasResult { try? console.write(error.json) }
      console.warn(error.message)
      status = .failed
    }
    Glibc.exit(status.rawValue)
  }

  /// Subcommands whose exit code 0 means a decision, or --help.
  private static let deciding = ["verify", "compare", "liveness", "document", "chip"]

  /// Prints help and the like, which the parser also throws; any other error is a usage error.
  private static func answer(
    _ error: any Error, to arguments: [String], on console: Console, asJSON: Bool
  ) throws -> ExitStatus {
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
    }
    if asJSON { try console.write(VerifyError(.usage, message).json) }
    // The message repeats arguments; the following lines are our own.
    console.message(text.replacing(message, with: message.printable, maxReplacements: 1))
    return .usage
  }
}

extension VerifyError.Code {
  /// A usage error of the command.
  static let usage = VerifyError.Code(rawValue: "usage")
}
