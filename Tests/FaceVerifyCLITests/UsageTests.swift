import Foundation
import TestSupport
import Testing

@Suite("Help, usage and versions")
struct UsageTests {
  private static let commands = [
    ["verify"], ["document"], ["chip"], ["readers"], ["mrz"], ["code"], ["trust"], ["compare"], ["detect"], ["quality"],
    ["template"], ["models"], ["models", "list"], ["models", "install"],
    ["models", "verify"], ["models", "clean"], ["doctor"], ["bench"], ["version"], ["liveness"], ["eval"],
    ["eval", "liveness"], ["eval", "match"], ["eval", "journey"], ["trust", "list"], ["trust", "check"], ["gallery"],
    ["gallery", "build"], ["gallery", "add"], ["gallery", "search"],
    ["gallery", "dedupe"], ["gallery", "merge"], ["gallery", "remove"], ["gallery", "info"], ["keys"], ["keys", "new"],
    ["keys", "show"], ["record"], ["record", "verify"], ["record", "replay"], ["record", "open"], ["record", "schema"],
  ]

  @Test("every help text has an example and fits 80 columns", arguments: [[]] + commands)
  func help(command: [String]) throws {
    let outcome = try ScriptedCommand.run(command + ["--help"])
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    #expect(outcome.out.contains("Example"))
    let text = outcome.out.components(separatedBy: "USAGE:")[0]
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(
    "exit codes are documented",
    arguments: [[]]
      + commands.filter { !["models", "gallery", "keys", "record", "eval", "trust"].contains($0[0]) || $0.count > 1 })
  func exitCodes(command: [String]) throws {
    let text = try ScriptedCommand.run(command + ["--help"]).out
    #expect(text.contains(#/Exit codes:\s+0 /#) && text.contains(#/\s2 +usage error/#), "\(text)")
  }

  @Test("the manual page and docs/command-line.md have the commands and options of the help texts")
  func documentation() throws {
    func text(_ path: String) throws -> String {
      String(decoding: try #require(FileManager.default.contents(atPath: Installed.root + path)), as: UTF8.self)
    }
    let (manual, page) = try (text("/docs/faceverify.1"), text("/docs/command-line.md"))
    for command in Self.commands where command.count == 1 {
      let help = try ScriptedCommand.run(command + ["--help"]).out
      let overview = help.components(separatedBy: "\n\n")[0].replacing("OVERVIEW: ", with: "").replacing(
        "\n", with: " ")
      #expect(manual.contains("\n.It Cm \(command[0])\n\(overview)\n"), "\(overview)")
      #expect(page.contains("| `\(command[0])"), "\(command)")
    }
    // The vocabulary names only options that exist.
    let helps = try
      ([["verify"], ["liveness"], ["document"], ["code"], ["record", "replay"], ["record", "open"]]
      + Self.commands).map { try ScriptedCommand.run($0 + ["--help"]).out }.joined()
    let vocabulary = page.components(separatedBy: "## Vocabulary")[1].components(separatedBy: "## Files")[0]
    for option in Set(vocabulary.matches(of: #/`(--[a-z-]*[a-z])[ `]/#).map { String($0.1) }) {
      #expect(helps.contains("\(option) ") || helps.contains("\(option)\n"), "\(option)")
    }
  }

  @Test("an unknown command is named, with the nearest one")
  func unknownCommands() throws {
    for (arguments, text) in [
      (
        ["livenes", "a.mp4"],
        "unknown command 'livenes': did you mean 'liveness'? `faceverify --help` lists the commands"
      ),
      (["gallery", "serch", "x"], "unknown command 'serch': did you mean 'search'? `faceverify gallery --help`"),
      (["nonsense"], "unknown command 'nonsense': `faceverify --help` lists"),
    ] {
      let outcome = try ScriptedCommand.run(arguments)
      #expect(outcome.code == 2 && outcome.err.contains(text), "\(outcome.err)")
    }
  }

  @Test(
    "a usage error yields exit code 2, a message on standard error, and nothing on standard output",
    arguments: [
      ["compare"], ["compare", "a"], ["nonsense"], ["--nonsense"], ["detect"],
      ["compare", "a", "b", "--fmr", "often"], ["compare", "a", "b", "--fmr", "0"],
      ["compare", "a", "b", "--fmr", "2"],
      ["compare", "a", "b", "--portrait-quality", "passport"], ["quality", "a", "--quality", "strict"],
      ["compare", "a", "b", "c", "--annotate", "x.png"],
      ["detect", "a", "--threads", "0"], ["detect", "a", "b", "--annotate", "x.png"], ["template", "a"],
      ["bench", "--rounds", "0"], ["detect", "a", "--max-pixels", "-1"],
      ["detect", "a", "--set", "other", "--models-folder", Installed.models],
      ["liveness"], ["liveness", "a", "--photo", "b"], ["liveness", "a", "--policy", "lax"], ["eval", "liveness"],
      ["eval", "liveness", "a", "--threads", "0"], ["eval", "liveness", "a", "--policy", "lax"],
      ["gallery", "build", "a"], ["gallery", "search", "a"], ["gallery", "remove", "a"], ["gallery", "merge", "a"],
      ["gallery", "search", "a", "b", "--count", "0"], ["gallery", "search", "a", "b", "--fpir", "2"],
      ["gallery", "add", "a", "b", "c", "--name", "x"], ["gallery", "build", "a", "-o", "b", "--quality", "strict"],
      ["chip"], ["chip", "a", "--reader"], ["chip", "--reader"], ["chip", "a", "--mrz", "b"],
      ["chip", "a", "--wait", "20"],
      ["chip", "--reader", "--mrz", "a", "--can", "123456"], ["chip", "--reader", "--can", "123456", "--wait", "9"],
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
