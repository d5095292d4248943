import FaceVerify
import Foundation
import ScriptedModels
import TestSupport
import Testing

/// The JSON object printed by a command.
private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("Commands on drawn faces")
struct CommandTests {
  private let one = Faces.one
  private let same = Faces.same
  private let other = Faces.other

  @Test("a match yields exit code 0, no match 1, and JSON is reproducible")
  func compare() throws {
    let match = try ScriptedCommand.run(["compare", one, same])
    #expect(match.code == 0 && match.out.hasPrefix("match") && match.err.isEmpty)
    let first = try ScriptedCommand.run(["compare", one, other, "--json"])
    #expect(first.code == 1)
    #expect(try ScriptedCommand.run(["compare", one, other, "--json"]).out == first.out)
    let decision = try object(first.out)
    #expect(decision["result"] as? String == "no-match")
    #expect((decision["calibration"] as? [String: Any])?["nonMatedComparisons"] != nil)
    #expect((decision["threshold"] as? [String: Any])?["rate"] as? String == "1e-3")
    for key in ["version", "models", "reasons", "selfie", "portrait", "comparison"] { #expect(decision[key] != nil) }
  }

  @Test("templates can replace photos")
  func template() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/person.fvt"
      let made = try ScriptedCommand.run(["template", one, "--output", file, "--json"])
      #expect(made.code == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(FileManager.default.contents(atPath: file)?.count == 580)
      #expect(try ScriptedCommand.run(["compare", file, same]).code == 0)
      #expect(try ScriptedCommand.run(["compare", other, file]).code == 1)
      #expect(try ScriptedCommand.run(["compare", file, file]).code == 4, "the same on both sides proves nothing")
    }
  }

  @Test("an unsupported rate is rejected")
  func rate() throws {
    let outcome = try ScriptedCommand.run(["compare", one, same, "--fmr", "1e-7", "--json"])
    #expect(outcome.code == 3 && outcome.err.contains("choose one"))
    #expect((try object(outcome.out)["error"] as? [String: Any])?["code"] as? String == "unsupported-rate")
    #expect(try ScriptedCommand.run(["compare", one, same, "--fmr", "0.0001"]).code == 0)
  }

  @Test("results of several photos are in order, with any number of threads")
  func batch() throws {
    let photos = [one, Command.fixtures + "/text.jpg", other]
    let single = try ScriptedCommand.run(["detect", "--json"] + photos)
    #expect(single.code == 3)
    #expect(try ScriptedCommand.run(["detect", "--json", "--threads", "3"] + photos).out == single.out)
    let records = try #require(try object(single.out)["photos"] as? [[String: Any]])
    #expect(records.map { $0["file"] as? String } == photos)
    #expect(records[1]["error"] != nil && records[0]["faces"] != nil)
  }

  @Test("quality lists every check")
  func quality() throws {
    let outcome = try ScriptedCommand.run(["quality", one, "--json"])
    #expect(outcome.code == 0)
    let text = try ScriptedCommand.run(["quality", one, "--all"])
    #expect(text.out.contains("sharpness") && text.out.contains("passed"))
  }

  @Test("pictures are drawn", arguments: ["compare", "detect", "quality"])
  func annotate(command: String) throws {
    try withTemporaryFolder { folder in
      let file = folder + "/marked.png"
      let photos = command == "compare" ? [one, same] : [one]
      #expect(try ScriptedCommand.run([command] + photos + ["--annotate", file]).code == 0)
      let bytes = try #require(FileManager.default.contents(atPath: file))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 10_000)
    }
  }

  @Test("no face and several faces are reported")
  func counts() throws {
    try withTemporaryFolder { folder in
      let (none, two) = (folder + "/none.png", folder + "/two.png")
      try write(ScriptedPicture([]).pixels().encodedAsPNG(), to: none)
      let picture = ScriptedPicture([
        ScriptedFace { $0.person = 1 }, ScriptedFace { ($0.x, $0.y, $0.eyes) = (250, 220, 30) },
      ])
      try write(picture.pixels().encodedAsPNG(), to: two)
      let nobody = try ScriptedCommand.run(["compare", none, one])
      #expect(nobody.code == 3 && nobody.err.contains("selfie: no face found"), "\(nobody.err)")
      #expect(try ScriptedCommand.run(["detect", none]).code == 3)
      let faces = try object(ScriptedCommand.run(["detect", two, "--json"]).out)["photos"] as? [[String: Any]]
      #expect((faces?.first?["faces"] as? [Any])?.count == 2)
      let refused = try ScriptedCommand.run(["compare", two, one, "--json"])
      #expect(refused.code == 0 && refused.out.contains("selfie.single-face-present"), "\(refused.out)")
    }
  }
}

@Suite("Commands on sample photos", .needsCommand, .needsModels, .needsSamples)
struct SamplePhotoCommandTests {
  private let one = Installed.sample("obama.jpg")
  private let same = Installed.sample("obama2.jpg")
  private let other = Installed.sample("biden.jpg")

  @Test("a match yields exit code 0, no match 1, and JSON is reproducible")
  func compare() throws {
    let match = try Command.run(["compare", one, same])
    #expect(match.code == 0 && match.out.hasPrefix("match") && match.err.isEmpty)
    let first = try Command.run(["compare", one, other, "--json"])
    #expect(first.code == 1)
    #expect(try Command.run(["compare", one, other, "--json"]).out == first.out)
    let decision = try object(first.out)
    #expect(decision["result"] as? String == "no-match")
    #expect((decision["calibration"] as? [String: Any])?["nonMatedComparisons"] != nil)
    #expect((decision["threshold"] as? [String: Any])?["rate"] as? String == "1e-3")
    for key in ["version", "models", "reasons", "selfie", "portrait", "comparison"] { #expect(decision[key] != nil) }
  }

  @Test("the dlib set names the measures that it cannot check", .needsDlibModels)
  func quality() throws {
    let dlib = try Command.run(["quality", one, "--set", "dlib"])
    #expect(dlib.code == 0 && dlib.out.contains("not checked"))
  }

  @Test("a drawn picture is a photo with the same faces")
  func annotate() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/marked.png"
      let outcomes = try [["compare", one, same, "--annotate", file], ["detect", file]].map { try Command.run($0) }
      #expect(outcomes.map(\.code) == [0, 0])
    }
  }

  @Test("bench works with a photo and with the drawn face")
  func bench() throws {
    for photos in [[one], []] {
      let outcome = try Command.run(["bench", "--rounds", "1", "--json"] + photos)
      let record = try #require((try object(outcome.out)["photos"] as? [[String: Any]])?.first)
      let times = try #require(record["milliseconds"] as? [String: Any])
      for stage in ["decode", "detect", "embed", "compare"] { #expect(times[stage] is NSNumber, "\(stage)") }
    }
  }

  @Test("doctor finds no obstacle to comparing here")
  func doctor() throws {
    let outcome = try Command.run(["doctor", "--json"])
    #expect(outcome.code == 0)
    #expect(try object(outcome.out)["ready"] as? Bool == true)
  }

  @Test("two processes that start concurrently with an empty cache both succeed")
  func startTogether() throws {
    try withTemporaryFolder { folder in
      let script =
        "\"$fv\" compare \"$a\" \"$b\" >\"$c/1\" & \"$fv\" compare \"$a\" \"$b\" >\"$c/2\"; r=$?; wait $!; echo $? $r"
      let outcome = try Command.shell(
        script, environment: ["a": one, "b": same, "c": folder, "XDG_CACHE_HOME": folder])
      #expect(outcome.out == "0 0\n", "\(outcome.err)")
      let cache = names(in: folder + "/faceverify")
      #expect(cache.count == 5 && cache.allSatisfy { $0.hasSuffix(".blob") }, "\(cache)")
    }
  }

  @Test("a damaged cache file is ignored and replaced")
  func damagedCache() throws {
    try withTemporaryFolder { folder in
      let environment = ["XDG_CACHE_HOME": folder]
      let right = try Command.run(["compare", one, same, "--json"], environment: environment)
      let cache = folder + "/faceverify"
      for (i, name) in names(in: cache).enumerated() {
        let bytes = try #require(FileManager.default.contents(atPath: cache + "/" + name))
        try write(i % 2 == 0 ? Array(bytes.prefix(bytes.count / 3)) : [], to: cache + "/" + name)
      }
      let again = try Command.run(["compare", one, same, "--json"], environment: environment)
      #expect(again.code == 0 && again.out == right.out && again.err.isEmpty)
      #expect(
        names(in: cache).allSatisfy {
          (try? FileManager.default.attributesOfItem(atPath: cache + "/" + $0)[.size] as? Int) ?? 0 > 1000
        })
    }
  }

  @Test("a cache folder that cannot be written only costs time")
  func readOnlyCache() throws {
    // Below a file: not even root can write there.
    let outcome = try Command.run(["compare", one, same], environment: ["XDG_CACHE_HOME": one])
    #expect(outcome.code == 0 && outcome.err.isEmpty)
  }
}
