import Foundation
import TestSupport
import Testing

@Suite("Help, usage and versions")
struct UsageTests {
  private static let commands = [
    ["compare"], ["detect"], ["quality"], ["template"], ["models"], ["models", "list"], ["models", "install"],
    ["models", "verify"], ["models", "clean"], ["doctor"], ["bench"], ["version"], ["liveness"], ["eval"],
    ["eval", "liveness"], ["gallery"], ["gallery", "build"], ["gallery", "add"], ["gallery", "search"],
    ["gallery", "dedupe"], ["gallery", "merge"], ["gallery", "remove"], ["gallery", "info"], ["keys"], ["keys", "new"],
    ["keys", "show"], ["record"], ["record", "verify"], ["record", "open"], ["record", "schema"],
  ]

  @Test("every help text has an example and fits 80 columns", arguments: [[]] + commands)
  func help(command: [String]) throws {
    let outcome = try ScriptedCommand.run(command + ["--help"])
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    #expect(outcome.out.contains("Example"))
    let text = outcome.out.components(separatedBy: "USAGE:")[0]
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("exit codes are documented", arguments: [[], ["compare"], ["template"]])
  func exitCodes(command: [String]) throws {
    let text = try ScriptedCommand.run(command + ["--help"]).out
    #expect(text.contains("Exit codes:"))
    for code in ["0  match", "1  no match", "2  wrong use", "3  could not be done", "4  refused"] {
      #expect(text.contains(code))
    }
  }

  @Test(
    "a usage error yields exit code 2, a message on standard error, and nothing on standard output",
    arguments: [
      ["compare"], ["compare", "a"], ["compare", "a", "b", "c"], ["nonsense"], ["--nonsense"], ["detect"],
      ["compare", "a", "b", "--fmr", "often"], ["compare", "a", "b", "--fmr", "0"],
      ["compare", "a", "b", "--fmr", "2"],
      ["compare", "a", "b", "--portrait", "passport"], ["quality", "a", "--policy", "strict"],
      ["detect", "a", "--threads", "0"], ["detect", "a", "b", "--annotate", "x.png"], ["template", "a"],
      ["bench", "--rounds", "0"], ["detect", "a", "--max-pixels", "-1"], ["detect", "a", "--models", "other"],
      ["liveness"], ["liveness", "a", "--photo", "b"], ["liveness", "a", "--policy", "lax"], ["eval", "liveness"],
      ["eval", "liveness", "a", "--threads", "0"], ["eval", "liveness", "a", "--policy", "lax"],
      ["gallery", "build", "a"], ["gallery", "search", "a"], ["gallery", "remove", "a"], ["gallery", "merge", "a"],
      ["gallery", "search", "a", "b", "--count", "0"], ["gallery", "search", "a", "b", "--rate", "2"],
      ["gallery", "add", "a", "b", "c", "--name", "x"], ["gallery", "build", "a", "-o", "b", "--policy", "strict"],
      ["keys", "new"], ["keys", "show"], ["record", "verify"], ["record", "open", "a"],
    ])
  func usage(arguments: [String]) throws {
    let outcome = try ScriptedCommand.run(arguments)
    #expect(outcome.code == 2 && outcome.out.isEmpty && !outcome.err.isEmpty, "\(outcome.err)")
  }

  @Test(
    "deciding commands print help only for --help, because exit code 0 is a decision",
    arguments: ["compare", "verify", "liveness", "document", "chip"])
  func helpIsNoDecision(command: String) throws {
    for file in ["-h", "-h.jpg", "--version"] {
      let outcome = try ScriptedCommand.run([command, file, "x.jpg"])
      #expect(outcome.code == 2 && outcome.out.isEmpty, "\(file): \(outcome.out)")
    }
    #expect(try ScriptedCommand.run([command, "--help"]).code == 0)
  }

  @Test(
    "a file name that begins with -h does not request help",
    arguments: [["gallery", "search", "a"], ["record", "verify"], ["trust", "check"], ["quality"], ["mrz"]])
  func fileLikeHelp(command: [String]) throws {
    let outcome = try ScriptedCommand.run(command + ["-h.jpg"])
    #expect(outcome.code == 2 && outcome.out.isEmpty, "\(outcome.out)")
    #expect(try ScriptedCommand.run(command + ["-h"]).code == 0)
  }

  @Test("a picture that cannot be written leaves the decision intact")
  func unwritablePicture() throws {
    for json in [[], ["--json"]] {
      let outcome = try ScriptedCommand.run(
        ["compare", Faces.one, Faces.same, "--annotate", "/nonexistent/x.png"] + json)
      #expect(outcome.code == 3 && outcome.err.contains("/nonexistent/x.png"), "\(outcome.err)")
      #expect(outcome.out.contains("match") && !outcome.out.contains("\"error\""), "\(outcome.out)")
    }
  }

  @Test("with --json, usage errors are JSON as well")
  func usageJSON() throws {
    let outcome = try ScriptedCommand.run(["compare", "a", "--json"])
    #expect(outcome.code == 2)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.out.utf8)) as? [String: Any])
    #expect((object["error"] as? [String: Any])?["code"] as? String == "usage")
  }

  @Test("the version has three spellings")
  func version() throws {
    let number = try ScriptedCommand.run(["--version"]).out.trimmingCharacters(in: .newlines)
    #expect(try ScriptedCommand.run(["version"]).out == "faceverify \(number)\n")
    #expect(try ScriptedCommand.run(["version", "--json"]).out == "{\n  \"version\" : \"\(number)\"\n}\n")
  }

  @Test("completions exist for each shell", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let outcome = try ScriptedCommand.run(["--generate-completion-script", shell])
    #expect(outcome.code == 0 && outcome.out.contains("compare"))
  }

  @Test("output is uncoloured unless it is a terminal")
  func colour() throws {
    let outcome = try ScriptedCommand.run(["doctor", "--models-folder", "/nonexistent"])
    #expect(!outcome.out.contains("\u{1B}"))
  }

  @Test("full Foundation is not linked, because it would double the start-up time", .needsCommand)
  func foundation() throws {
    let outcome = try Command.shell("LC_ALL=C grep -c -a -e FoundationInternationalization -e _FoundationICU \"$fv\"")
    #expect(outcome.out == "0\n")
  }

  @Test("the product contains no scripted models", .needsCommand)
  func scripted() throws {
    #expect(try ScriptedCommand.shell("LC_ALL=C grep -q -a scripted-models \"$fv\"").code == 0)
    #expect(try Command.shell("LC_ALL=C grep -q -a scripted-models \"$fv\"").code == 1)
  }
}
