import Foundation
import TestSupport
import Testing

private func read(_ file: String) -> String {
  String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
}

@Suite("Complete checks with records and reports", .needsCommand)
struct VerifyCommandTests {
  @Test("a photo and a portrait yield a result, a verifiable record, reproducible evidence, and a report")
  func journey() throws {
    try withTemporaryFolder { folder in
      func run(_ arguments: String...) throws -> Command.Outcome { try ScriptedCommand.run(arguments) }
      #expect(try run("keys", "new", folder + "/sign.pem").code == 0)
      #expect(try run("keys", "new", folder + "/read.pem", "--encryption").code == 0)
      let (record, evidence, report) = (folder + "/record.json", folder + "/evidence.fvb", folder + "/report.html")
      let passed = try run(
        "verify", "--selfie", Faces.one, "--presence", "photo", "--portrait", Faces.same, "--record", record,
        "--signing-key",
        folder + "/sign.pem",
        "--evidence", evidence, "--recipient", folder + "/read.pub.pem", "--html", report, "--reference", "case <17>")
      #expect(
        passed.code == 5 && passed.out.hasPrefix("passed: one photo of a person, whose presence was not proved"),
        "\(passed.out) \(passed.err)")
      let unnamed = try run("verify", "--selfie", Faces.one, "--portrait", Faces.same)
      #expect(unnamed.code == 4 && unnamed.out.hasPrefix("not checked: The person was seen by photo"), "\(unnamed.out)")
      let verified = try run("record", "verify", record, "--trusted-key", folder + "/sign.pub.pem")
      #expect(verified.code == 0, "\(verified.out)")
      #expect(try run("record", "verify", record).code == 4)
      let replayed = try run(
        "record", "replay", evidence, "--decryption-key", folder + "/read.pem", "--trusted-key",
        folder + "/sign.pub.pem")
      #expect(replayed.code == 0 && replayed.out.hasPrefix("the same: 2 inputs"), "\(replayed.out) \(replayed.err)")
      #expect(
        try run("record", "open", evidence, "--decryption-key", folder + "/read.pem", "--output", folder + "/open").code
          == 0)
      #expect(try run("record", "replay", folder + "/open", "--trusted-key", folder + "/sign.pub.pem").code == 0)
      // The selfie is replaced.
      let selfie = folder + "/open/inputs/000001.bin"
      try FileManager.default.removeItem(atPath: selfie)
      try FileManager.default.copyItem(atPath: Faces.other, toPath: selfie)
      let exchanged = try run("record", "replay", folder + "/open", "--json")
      #expect(exchanged.code == 1 && exchanged.out.contains("inputs[1]"), "\(exchanged.out)")
      let page = read(report)
      #expect(page.contains("case &lt;17&gt;") && page.components(separatedBy: "data:image/png").count == 3)
      #expect(!page.contains("<script") && !page.contains("http:") && page.contains("Comparison</h2>"))
      let other = try run("verify", "--selfie", Faces.one, "--portrait", Faces.other, "--json")
      #expect(other.code == 1 && other.out.contains("\"result\" : \"failed\""), "\(other.out.suffix(400))")
    }
  }

  @Test("a driving licence consists of its front and the code on its back", .needsModels, .needsSamples)
  func licence() throws {
    let back = Installed.root + "/Tests/DocumentImagingTests/Fixtures/codes/pdf417.png"
    func run(_ arguments: String...) throws -> Command.Outcome {
      try Command.run(
        ["verify", "--selfie", Installed.sample("obama.jpg"), "--date", "2024-06-01", "--json"] + arguments)
    }
    let read = try run("--document", Installed.sample("obama2.jpg"), "--document", back)
    #expect(read.out.contains("\"driving-licence\"") && read.out.contains("\"match\""), "\(read)")
    let without = try run("--document", back)
    #expect(without.code == 3 && without.err.contains("no readable zone and no readable licence code"), "\(without)")
  }

  @Test(
    "evidence is replayed with the record's models, and differing models are named", .needsModels, .needsDlibModels,
    .needsSamples, arguments: ["default", "dlib"])
  func replay(_ set: String) throws {
    try withTemporaryFolder { folder in
      func run(_ arguments: String...) throws -> Command.Outcome { try Command.run(arguments) }
      #expect(try run("keys", "new", folder + "/sign.pem").code == 0)
      #expect(try run("keys", "new", folder + "/read.pem", "--encryption").code == 0)
      let evidence = folder + "/evidence.fvb"
      _ = try run(
        "verify", "--selfie", Installed.sample("obama.jpg"), "--portrait", Installed.sample("obama2.jpg"),
        "--signing-key",
        folder + "/sign.pem", "--evidence", evidence, "--recipient", folder + "/read.pub.pem", "--set", set)
      let same = try run(
        "record", "replay", evidence, "--decryption-key", folder + "/read.pem", "--trusted-key",
        folder + "/sign.pub.pem", "--set", set)
      #expect(same.code == 0, "\(same.out) \(same.err)")
      let other = set == "dlib" ? "default" : "dlib"
      let differs = try run("record", "replay", evidence, "--decryption-key", folder + "/read.pem", "--set", other)
      #expect(differs.code == 1 && differs.out.contains("models.set"), "\(differs.out)")
    }
  }

  /// The first line printed by `verify`, and its exit code.
  private func verify(_ arguments: [String]) throws -> (code: Int32, title: String, out: String) {
    let outcome = try Command.run(["verify", "--date", "2026-06-01"] + arguments)
    return (outcome.code, outcome.out.components(separatedBy: "\n")[0], outcome.out + outcome.err)
  }

  @Test(
    "an attacker who has only photos passes by none of the formerly possible ways", .needsModels,
    .needsSamples)
  func onePhoto() throws {
    let (one, two) = (Installed.sample("obama.jpg"), Installed.sample("obama2.jpg"))
    let back = Installed.root + "/Tests/DocumentImagingTests/Fixtures/codes/pdf417.png"
    for (name, arguments) in [
      ("a photo for a selfie", ["--selfie", one, "--portrait", two]),
      ("a copy of the portrait", ["--selfie", one, "--portrait", one, "--presence", "photo"]),
      ("a photo for a licence's front, and anybody's code", ["--selfie", one, "--document", two, "--document", back]),
      (
        "the same, with a photo accepted",
        ["--selfie", one, "--presence", "photo", "--document", two, "--document", back]
      ),
    ] {
      let found = try verify(arguments)
      #expect([1, 4].contains(found.code) && !found.title.hasPrefix("passed"), "\(name): \(found.out)")
    }
    let named = try verify(["--selfie", one, "--portrait", two, "--presence", "photo"])
    #expect(named.code == 5 && named.title.contains("presence was not proved"), "\(named.out)")
  }

  @Test(
    "a page's portrait used as the selfie with that page passes only if both are accepted", .needsModels,
    .needsPages)
  func portraitOfThePage() throws {
    let page = Installed.documents + "/pages/clean-0.png"
    try withTemporaryFolder { folder in
      let portrait = folder + "/portrait.png"
      _ = try Command.run(["document", page, "--save-portrait", portrait, "--date", "2026-06-01"])
      let plain = try verify(["--selfie", portrait, "--document", page])
      #expect(plain.code != 0 && plain.code != 5, "\(plain.out)")
      let photo = try verify(["--selfie", portrait, "--presence", "photo", "--document", page])
      #expect(photo.code != 0 && photo.code != 5, "\(photo.out)")
      // A photo that would not be looked at is an error.
      let twice = try Command.run(["verify", "--selfie", portrait, "--document", page, "--document", page])
      #expect(twice.code == 3 && twice.err.contains("2 photos were named"), "\(twice)")
    }
  }

  @Test(
    "a clip without a script proves presence only under passive-only", .needsModels, .needsFFmpeg,
    .needsShared("testdata/video/mead_M030_front_happy_level3_001.mp4"))
  func clip() throws {
    let clip = Installed.shared + "/testdata/video/mead_M030_front_happy_level3_001.mp4"
    let other = Installed.shared + "/testdata/video/mead_M030_front_neutral_level1_001.mp4"
    try withTemporaryFolder { folder in
      let template = folder + "/enrolled.fvt"
      #expect(try Command.run(["liveness", other, "--save-template", template]).code == 0)
      let plain = try verify(["--selfie", clip, "--portrait", template])
      #expect(plain.code == 4 && plain.title.contains("passive-video"), "\(plain.out)")
      let passive = try verify(["--selfie", clip, "--portrait", template, "--policy", "passive-only"])
      #expect(passive.code == 0 && passive.title.contains("without challenges"), "\(passive.out)")
      let photo = try verify(["--selfie", clip, "--portrait", template, "--presence", "photo"])
      #expect(photo.code == 0, "a video is more than a photo: \(photo.out)")
    }
  }

  @Test("usage errors are reported before any work")
  func usage() throws {
    for (arguments, word) in [
      (["verify"], "--selfie"), (["verify", "--selfie", "a.mp4"], "--portrait"),
      (["verify", "--selfie", "a.mp4", "--portrait", "b.jpg", "--chip", "c"], "name one"),
      (["verify", "--selfie", "a.mp4", "--portrait", "b.jpg", "--record", "r.json"], "keys new"),
      (
        ["verify", "--selfie", "a", "--portrait", "b", "--record", "r", "--signing-key", "k", "--evidence", "e"],
        "--recipient"
      ),
    ] {
      let outcome = try Command.run(arguments)
      #expect(outcome.code == 2 && outcome.err.contains(word), "\(arguments): \(outcome.err)")
    }
    let missing = try Command.run(["verify", "--selfie", "none.mp4", "--portrait", Faces.one])
    #expect(missing.code == 3 && missing.err.contains("none.mp4"), "\(missing.err)")
  }

  // Rows: DR1 NV72
  @Test("a document's pages and chip are read in one journey with the face", .needsModels, .needsChips, .needsPages)
  func document() throws {
    let chip = Installed.documents + "/chips/td3-jpeg"
    let outcome = try Command.run([
      "verify", "--selfie", Installed.sample("obama.jpg"), "--chip", chip, "--trust",
      Installed.documents + "/chips/trust",
      "--date", "2025-01-01", "--json",
    ])
    let record = try #require(try JSONSerialization.jsonObject(with: Data(outcome.out.utf8)) as? [String: Any])
    let credentials = try #require(record["credentials"] as? [[String: Any]])
    #expect(credentials.map { $0["category"] as? String } == ["id", "face"])
    #expect(
      (credentials[0]["document"] as? [String: Any])?["chip"] as? String == "authentic", "\(outcome.out.suffix(300))")
    #expect(record["configuration"] != nil && !outcome.out.contains("ERIKSSON"))
    // An altered chip file is reported, regardless of the faces.
    let forged = try Command.run([
      "verify", "--selfie", Installed.sample("obama.jpg"), "--chip", Installed.documents + "/chips/drawn-wrong-hash",
      "--date", "2025-01-01",
    ])
    #expect(forged.code == 1 && forged.out.contains("document"), "\(forged.out)")
  }

  @Test("the state diagram in the documentation matches the table")
  func states() throws {
    let diagram = try Command.run(["verify", "--states"]).out
    let page = read(Installed.root + "/docs/journeys.md")
    #expect(page.contains("```mermaid\n" + diagram + "```\n"), "put the output of `faceverify verify --states` there")
  }
}
