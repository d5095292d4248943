import FaceVerify
import Foundation
import TestSupport
import Testing

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("Evaluation of liveness", .needsFFmpeg)
struct EvaluationTests {
  /// Recordings with certain results: a face swap is an attack, and a test picture has no face.
  private func withRecordings(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let manager = FileManager.default
      for name in ["live/a", "swap", "screen", "simulated-print"] {
        try manager.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
      }
      try PhotoVideos.make(folder + "/swap/one.mp4", of: [Faces.one, Faces.other], seconds: 3)
      try manager.copyItem(atPath: folder + "/swap/one.mp4", toPath: folder + "/live/a/b & \"c\".mp4")
      try PhotoVideos.makeBlank(folder + "/screen/blank.mp4")
      try write(Array("not a video".utf8), to: folder + "/screen/notes.txt")
      try manager.copyItem(atPath: Faces.one, toPath: folder + "/simulated-print/one.png")
      try write([], to: folder + "/swap/.hidden")
      try write(Array("read me".utf8), to: folder + "/README")
      try body(folder)
    }
  }

  @Test("every file is counted once, in order, with any number of threads")
  func folders() throws {
    try withRecordings { folder in
      let one = try ScriptedCommand.run(["eval", "liveness", folder, "--json"])
      #expect(one.code == 3)
      #expect(one.err.contains("README is not in a folder") && one.err.contains("screen/notes.txt"), "\(one.err)")
      #expect(try ScriptedCommand.run(["eval", "liveness", folder, "--json", "--threads", "3"]).out == one.out)
      let record = try object(one.out)
      let presentations = try #require(record["presentations"] as? [[String: Any]])
      #expect(
        presentations.map { $0["path"] as? String } == [
          "live/a/b & \"c\".mp4", "screen/blank.mp4", "screen/notes.txt", "simulated-print/one.png", "swap/one.mp4",
        ])
      let results = presentations.map { $0["result"] as? String }
      #expect(results[0] == "presentation-attack" && results[4] == results[0])
      #expect(results[1] == "not-acquired" && results[2] == "unreadable")
      #expect(presentations.map { $0["simulated"] as? Bool } == [false, false, false, true, false])
      let evaluations = try #require(record["evaluations"] as? [[String: Any]])
      #expect(evaluations.map { ($0["policy"] as? [String: Any])?["name"] as? String } == ["passive-only", "photo"])
      let live = try #require(evaluations[0]["bonaFide"] as? [String: Any])
      let rate = try #require(live["bpcer"] as? [String: Any])
      #expect(rate["count"] as? Int == 1 && rate["of"] as? Int == 1 && rate["lower"] as? Double == 0.025)
      let species = try #require(evaluations[0]["species"] as? [[String: Any]])
      #expect(species.map { $0["species"] as? String } == ["screen", "swap"])
      #expect(species[0]["unreadable"] as? Int == 1)
      #expect((species[0]["failureToAcquire"] as? [String: Any])?["of"] as? Int == 1)
      #expect((species[1]["apcer"] as? [String: Any])?["upper"] as? Double == 0.975)
    }
  }

  @Test("the table, both CSV files and the page agree")
  func outputs() throws {
    try withRecordings { folder in
      let out = folder + "/README"
      try FileManager.default.removeItem(atPath: out)
      let (csv, details, page, frames) = (folder + ".csv", folder + ".details", folder + ".html", folder + ".frames")
      defer { for file in [csv, details, page, frames] { try? FileManager.default.removeItem(atPath: file) } }
      let outcome = try ScriptedCommand.run(
        ["eval", "liveness", folder, "--csv", csv, "--details", details, "--html", page, "--frames", frames])
      #expect(outcome.code == 3)
      #expect(outcome.out.contains("BPCER") && outcome.out.contains("APCER") && outcome.out.contains("Clopper-Pearson"))
      #expect(outcome.out.contains("live, classified as presentation-attack: live/a/b & \"c\".mp4"))
      #expect(outcome.out.contains("simulated, not presented to a camera"))
      func lines(_ file: String) throws -> [Substring] {
        String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self).split(separator: "\n")
      }
      #expect(try lines(csv).count == 5)
      #expect(try lines(csv).contains { $0.hasPrefix("photo,,simulated-print,attack,yes,1,,0,") })
      #expect(try lines(details).count == 6)
      #expect(try lines(details)[1].hasPrefix("\"live/a/b & \"\"c\"\".mp4\",live,bona-fide,no,,,passive-only,"))
      #expect(try lines(frames)[0].hasPrefix("path,time,challenge-compliance,observation-time,"))
      // Of a video and two photos that could be read, and the table has the time to their decisions.
      #expect(try lines(frames).count > 3 && outcome.out.contains("seconds"))
      let text = try lines(page).joined(separator: "\n")
      #expect(text.contains("b &amp; &quot;c&quot;.mp4") && text.contains("<span class=\"mark\">simulated</span>"))
      // It is self-contained.
      #expect(!text.contains("<script") && !text.contains("http") && !text.contains("url(") && !text.contains("<link"))
      #expect(text.components(separatedBy: "src=\"").dropFirst().allSatisfy { $0.hasPrefix("data:image/png;base64,") })
      #expect(text.contains("src=\"data:"))
    }
  }

  @Test("a table of labels lists files, subjects, species and scripts")
  func labels() throws {
    try withRecordings { folder in
      let table = folder + "/labels.csv"
      let text = """
        \u{FEFF}label,path,script,species,subject,note
        live,"live/a/b & ""c"".mp4","blink,left",,p1,"one
        two"
        simulated,swap/one.mp4,,swap,p2,
        attack,\(folder)/swap/one.mp4,,swap,p2,\r
        print,missing.mp4,,,,

        """
      try write(Array(text.utf8), to: table)
      let outcome = try ScriptedCommand.run(["eval", "liveness", folder, "--labels", table, "--json"])
      #expect(outcome.code == 3 && outcome.err.contains("missing.mp4"), "\(outcome.err)")
      let record = try object(outcome.out)
      let presentations = try #require(record["presentations"] as? [[String: Any]])
      #expect(
        presentations.map { $0["policy"] as? String } == ["standard"] + Array(repeating: "passive-only", count: 3))
      #expect(presentations[0]["script"] as? [String] == ["blink", "turn-left"])
      #expect(presentations.map { $0["subject"] as? String } == ["p1", "p2", "p2", nil])
      let names = (record["evaluations"] as? [[String: Any]])?.flatMap { $0["species"] as? [[String: Any]] ?? [] }
      #expect(names?.map { $0["simulated"] as? Bool } == [false, false, true])
    }
  }

  @Test("a list of simulated attacks needs no labels")
  func manifest() throws {
    try withRecordings { folder in
      let table = folder + "/manifest.csv"
      try write(Array("path,species,simulated\nswap/one.mp4,splice,yes\nswap/one.mp4,swap,no\n".utf8), to: table)
      let outcome = try ScriptedCommand.run(["eval", "liveness", folder, "--labels", table])
      #expect(outcome.code == 0 && outcome.out.contains("splice (simulated)"), "\(outcome.err)")
      #expect(outcome.out.contains("highest APCER: swap, 0 of 1, 0.0 %, 0.0-97.5 %"), "\(outcome.out)")
    }
  }

  @Test("a column of sources yields rates per source")
  func sources() throws {
    try withRecordings { folder in
      let (table, rates) = (folder + "/labels.csv", folder + "/rates.csv")
      try write(Array("path,label,source\nswap/one.mp4,swap,lab\nswap/one.mp4,swap,street\n".utf8), to: table)
      let outcome = try ScriptedCommand.run(["eval", "liveness", folder, "--labels", table, "--csv", rates])
      #expect(outcome.code == 0 && outcome.out.contains("source lab"), "\(outcome.err)")
      let lines = String(decoding: try RegularFile.read(path: rates, maximumBytes: 1 << 16), as: UTF8.self)
        .split(whereSeparator: \.isNewline)
      #expect(lines.count == 4 && lines[2].hasPrefix("passive-only,lab,swap"), "\(lines)")
    }
  }

  private static let tables: [(String, String)] = [
    ("", "empty"), ("path\na\n", "columns called path and label"), ("path,label\na\n", "line 2"),
    ("path,label\na,real\n", "line 2"), ("path,label\na,attack\n", "species"), ("path,label\n,live\n", "path is empty"),
    ("path,label\n\"a,live\n", "is not closed"), ("path,label,path\n", "two columns"),
    ("path,label,script\na,live,dance\n", "unknown challenge \"dance\""),
    ("path,label,script\na,live,follow:xyz\n", "an even number of hexadecimal digits, not \"xyz\""),
    ("path,label,script\na,live,follow:\n", "an even number of hexadecimal digits, not \"\""),
    ("path,label,script\na,live,follow:00\n", "16 to 64"),
    ("path,label\n", "no recording"),
  ]

  @Test("an unusable table yields exit code 3 and a line with the position", arguments: tables)
  func badTable(text: String, word: String) throws {
    try withTemporaryFolder { folder in
      let table = folder + "/labels.csv"
      try write(Array(text.utf8), to: table)
      let outcome = try ScriptedCommand.run(["eval", "liveness", folder, "--labels", table])
      #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.contains(word), "\(outcome.err)")
      #expect(outcome.err.split(separator: "\n").count == 1)
    }
  }

  @Test("a folder without labels yields exit code 3", arguments: ["real", "attack", nil])
  func badFolder(name: String?) throws {
    try withTemporaryFolder { folder in
      if let name {
        try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
      }
      #expect(try ScriptedCommand.run(["eval", "liveness", folder]).code == 3)
      #expect(try ScriptedCommand.run(["eval", "liveness", folder + "/none"]).code == 3)
    }
  }
}
