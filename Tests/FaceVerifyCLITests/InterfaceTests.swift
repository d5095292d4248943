import Foundation
import TestSupport
import Testing

@Suite("Standard input, several photos, --quiet and the configuration file")
struct InterfaceTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("- is standard input for photos and templates, and as an output standard output")
  func standardInput() throws {
    let environment = ["a": Faces.one, "b": Faces.same, "c": Faces.other]
    func run(_ line: String) throws -> Command.Outcome { try ScriptedCommand.shell(line, environment: environment) }
    let match = try run("\"$fv\" compare - \"$b\" < \"$a\"")
    #expect(match.code == 0 && match.out.contains("standard input: "), "\(match)")
    let piped = try run("\"$fv\" template \"$a\" -o - | \"$fv\" compare \"$c\" -; echo ${PIPESTATUS[@]}")
    #expect(piped.out.hasPrefix("no match") && piped.out.hasSuffix("0 1\n"), "\(piped)")
    for verb in ["detect", "quality", "liveness --photo"] {
      #expect([0, 5].contains(try run("\"$fv\" \(verb) - < \"$a\"").code), "\(verb)")
    }
    let text = try run("echo text | \"$fv\" quality -")
    #expect(text.code == 3 && text.err.contains("standard input"), "\(text)")
    let closed = try run("\"$fv\" quality - <&-")
    #expect(closed.code == 3 && closed.err.contains("standard input"), "\(closed)")
    let picture = try run("\"$fv\" detect \"$a\" --annotate - | head -c 4 | tail -c 3")
    #expect(picture.out == "PNG", "\(picture)")
    let both = try run("\"$fv\" detect \"$a\" --json --annotate -")
    #expect(both.code == 2, "\(both)")
  }

  @Test("a selfie is compared with several portraits; exit code 0 only if all match")
  func severalPortraits() throws {
    func run(_ portraits: [String], _ more: [String] = []) throws -> Command.Outcome {
      try ScriptedCommand.run(["compare", Faces.one] + portraits + more)
    }
    let all = try run([Faces.same, Faces.same])
    #expect(all.code == 0 && all.out.split(separator: "\n").count == 3, "\(all)")
    let one = try run([Faces.same, Faces.other], ["--json"])
    let comparisons = try #require(try object(one.out)["comparisons"] as? [[String: Any]])
    #expect(one.code == 1 && comparisons.map { $0["result"] as? String } == ["match", "no-match"])
    #expect(comparisons.map { $0["file"] as? String } == [Faces.same, Faces.other])
    let single = try object(try run([Faces.other], ["--json"]).out)
    #expect((single["comparison"] as? NSDictionary) == (comparisons[1]["comparison"] as? NSDictionary))
    #expect(try run([Faces.same, Faces.tiny], ["--portrait-quality", "selfie"]).code == 4)
    #expect(try run([Faces.other, Faces.tiny], ["--portrait-quality", "selfie"]).code == 1)
    let missing = try run([Faces.other, "/nonexistent", Faces.same], ["--json"])
    #expect(missing.code == 3 && missing.err.contains("/nonexistent"), "\(missing.err)")
    #expect((try object(missing.out)["comparisons"] as? [Any])?.count == 3)
    let selfie = try ScriptedCommand.run(["compare", Faces.tiny, Faces.one, Faces.same])
    #expect(selfie.code == 4, "\(selfie)")
  }

  @Test("folders are accepted by detect, quality, template and gallery add")
  func folders() throws {
    try withTemporaryFolder { folder in
      let photos = folder + "/photos"
      try FileManager.default.createDirectory(atPath: photos + "/more", withIntermediateDirectories: true)
      for (name, face) in [("a", Faces.one), ("more/b", Faces.other)] {
        try FileManager.default.copyItem(atPath: face, toPath: "\(photos)/\(name).png")
      }
      try write(Array("no photo".utf8), to: photos + "/notes.txt")
      for verb in ["detect", "quality"] {
        let outcome = try ScriptedCommand.run([verb, photos, "--json"])
        let found = try object(outcome.out)["photos"] as? [Any]
        #expect(outcome.code == 0 && found?.count == 2, "\(outcome.err)")
      }
      let templates = folder + "/templates"
      #expect(try ScriptedCommand.run(["template", photos, "-o", templates]).code == 0)
      #expect(names(in: templates) == ["a.fvt", "b.fvt"])
      #expect(try ScriptedCommand.run(["compare", Faces.same, templates + "/a.fvt"]).code == 0)
      try FileManager.default.copyItem(atPath: Faces.other, toPath: photos + "/more/a.png")
      let twice = try ScriptedCommand.run(["template", photos, "-o", folder + "/other"])
      #expect(twice.code == 3 && twice.err.contains("a.fvt") && names(in: folder + "/other").isEmpty, "\(twice.err)")
      let gallery = folder + "/people.fvg"
      let added = try ScriptedCommand.run(["gallery", "add", gallery, photos])
      #expect(added.code == 0 && added.out.contains("3 enrolled"), "\(added)")
      try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
      let empty = try ScriptedCommand.run(["quality", folder + "/empty"])
      #expect(empty.code == 3 && empty.err.contains("no photo"), "\(empty.err)")
    }
  }

  @Test("--quiet leaves the exit code, errors and JSON")
  func quiet() throws {
    let match = try ScriptedCommand.run(["compare", Faces.one, Faces.same, "--quiet"])
    #expect(match.code == 0 && match.out.isEmpty && match.err.isEmpty, "\(match)")
    #expect(try ScriptedCommand.run(["compare", Faces.one, Faces.other, "-q"]).code == 1)
    let json = try ScriptedCommand.run(["compare", Faces.one, Faces.same, "-q", "--json"])
    #expect(try object(json.out)["result"] as? String == "match")
    let missing = try ScriptedCommand.run(["detect", "-q", Faces.one, "/nonexistent"])
    #expect(missing.code == 3 && missing.out.isEmpty && missing.err.contains("/nonexistent"), "\(missing)")
    try withTemporaryFolder { folder in
      let built = try ScriptedCommand.run(["gallery", "build", Faces.one, Faces.other, "-o", folder + "/g", "-q"])
      #expect(built.code == 0 && built.out.isEmpty && built.err.isEmpty, "\(built)")
    }
  }

  @Test("two outputs of one name are a usage error")
  func twoOutputs() throws {
    try withTemporaryFolder { folder in
      let out = folder + "/x"
      let outcome = try ScriptedCommand.run(["liveness", "--photo", Faces.one, "--save-selfie", out, "--annotate", out])
      #expect(outcome.code == 2 && outcome.err.contains("two outputs"), "\(outcome)")
    }
  }

  @Test("an option precedes the configuration file; unknown names and values are usage errors")
  func configuration() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/config.json"
      func run(_ json: String, _ arguments: [String]) throws -> Command.Outcome {
        try write(Array(json.utf8), to: file)
        // The manifest, which names the sets, is in the repository.
        let models = ["FACEVERIFY_MODELS": Installed.root + "/models"]
        return try ScriptedCommand.run(arguments + ["--config", file], environment: models)
      }
      let compare = ["compare", Faces.one, Faces.same, "--json"]
      func rate(_ outcome: Command.Outcome) throws -> String? {
        (try object(outcome.out)["threshold"] as? [String: Any])?["rate"] as? String
      }
      #expect(try rate(run("{\"fmr\": \"1e-4\"}", compare)) == "1e-4")
      #expect(try rate(run("{\"fmr\": 0.0001}", compare)) == "1e-4")
      #expect(try rate(run("{\"fmr\": \"1e-4\"}", compare + ["--fmr", "1e-2"])) == "1e-2")
      #expect(try rate(run("{}", compare)) == "1e-3")
      #expect(try run("{\"quality\": \"any\"}", ["quality", Faces.tiny]).code == 0)
      #expect(try run("{\"quality\": \"any\"}", ["quality", Faces.tiny, "--quality", "selfie"]).code == 4)
      for json in [
        "{\"rate\": \"1e-4\"}", "{\"fmr\": \"often\"}", "{\"set\": \"other\"}", "{\"policy\": 1}", "[]",
      ] {
        let outcome = try run(json, compare)
        #expect(outcome.code == 2 && outcome.err.contains(file), "\(outcome)")
      }
      #expect(try run("{\"rate\": 1}", compare).err.contains("policy, quality, fmr, fpir"))
      #expect(try run("{", compare).code == 3)
      #expect(try ScriptedCommand.run(compare + ["--config", folder + "/none"]).code == 3)
      // The user's own file; the environment precedes it.
      let own = folder + "/faceverify"
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      try write(Array("{\"models-folder\": \"nowhere\", \"fmr\": \"1e-2\"}".utf8), to: own + "/config.json")
      let environment = ["XDG_CONFIG_HOME": folder]
      let listed = try ScriptedCommand.shell(
        "unset FACEVERIFY_MODELS; \"$fv\" models list", environment: environment)
      #expect(listed.code == 3 && listed.err.contains(own + "/nowhere"), "\(listed.err)")
      let named = try ScriptedCommand.shell("\"$fv\" models list", environment: environment)
      #expect(named.err.contains("/nonexistent") && !named.err.contains("nowhere"), "\(named.err)")
      let other = try ScriptedCommand.shell(
        "\"$fv\" compare \"$a\" \"$b\" --json",
        environment: environment.merging(["a": Faces.one, "b": Faces.same]) { a, _ in a })
      #expect(try rate(other) == "1e-2")
    }
  }

  @Test("an empty trust folder is not checked")
  func emptyTrust() throws {
    try withTemporaryFolder { folder in
      let outcome = try ScriptedCommand.run(["trust", "check", folder])
      #expect(outcome.code == 4 && outcome.out.contains("no certificate"), "\(outcome)")
    }
  }
}
