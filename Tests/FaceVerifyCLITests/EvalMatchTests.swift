import FaceVerify
import Foundation
import ScriptedModels
import TestSupport
import Testing

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("The command eval match")
struct EvalMatchTests {
  /// One folder per person, with three photos each.
  private func withPeople(_ count: Int = 4, _ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for person in 0..<count {
        try FileManager.default.createDirectory(atPath: "\(folder)/p\(person)", withIntermediateDirectories: true)
        for i in 0..<3 {
          let picture = ScriptedPicture(person: person, frame: 10 * person + i)
          try write(try picture.pixels().encodedAsPNG(), to: "\(folder)/p\(person)/\(i).png")
        }
      }
      try body(folder)
    }
  }

  private func lines(_ file: String) throws -> [Substring] {
    String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self).split(separator: "\n")
  }

  private static func count(_ record: [String: Any], _ name: String) -> Int? {
    (record["comparisons"] as? [String: Any])?[name] as? Int
  }

  @Test("all pairs of a folder of people are compared, with any number of threads")
  func folder() throws {
    try withPeople { folder in
      let one = try ScriptedCommand.run(["eval", "match", folder, "--json"])
      #expect(one.code == 0, "\(one.err)")
      #expect(try ScriptedCommand.run(["eval", "match", folder, "--json", "--threads", "3"]).out == one.out)
      let record = try object(one.out)
      #expect(record["photos"] as? Int == 12 && record["subjects"] as? Int == 4)
      #expect(Self.count(record, "mated") == 12 && Self.count(record, "nonMated") == 54)
      let points = try #require(record["points"] as? [[String: Any]])
      for point in points where point["from"] as? String == "calibration" {
        #expect((point["falseMatches"] as? [String: Any])?["count"] as? Int == 0)
        #expect((point["falseNonMatches"] as? [String: Any])?["count"] as? Int == 0)
      }
      #expect(record["equalErrorRate"] as? Double == 0)
    }
  }

  @Test("the table, the files and the page agree, and the page is self-contained")
  func outputs() throws {
    try withPeople { folder in
      let out = folder + "-out"
      try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: out) }
      let outcome = try ScriptedCommand.run(
        [
          "eval", "match", folder, "--csv", out + "/rates", "--details", out + "/details", "--scores", out + "/scores",
          "--svg", out + "/svg", "--html", out + "/html",
        ])
      #expect(outcome.code == 0 && outcome.out.contains("12 photos of 4 people"), "\(outcome.out) \(outcome.err)")
      #expect(try lines(out + "/details").count == 13)
      #expect(try lines(out + "/details")[1].hasPrefix("p0/0.png,p0,"))
      let scores = try lines(out + "/scores")
      #expect(scores.count == 1 + 66 && scores[1].hasPrefix("p0/0.png,p0/1.png,1,-"))
      #expect(try lines(out + "/rates").contains { $0.hasPrefix(",,calibration,0.001,") })
      let page = try lines(out + "/html").joined(separator: "\n")
      #expect(!page.contains("<script") && !page.contains("http") && !page.contains("url(") && !page.contains("<link"))
      #expect(page.contains("src=\"data:image/png;base64,") && page.contains("p3/2.png"))
      let chart = try lines(out + "/svg").joined(separator: "\n")
      #expect(chart.hasPrefix("<svg xmlns=") && chart.contains("<style>") && chart.contains("FNMR"))
      try XMLCheck.parse(chart)
    }
  }

  @Test("files with any defect are counted and named, and do not end the evaluation")
  func broken() throws {
    try withPeople(2) { folder in
      let all = try FileManager.default.contentsOfDirectory(atPath: Command.fixtures).sorted()
      // The result must not depend on whether libheif is installed.
      let names = all.filter { !$0.hasSuffix("heic") && !$0.hasSuffix("avif") }
      for (i, name) in names.enumerated() {
        try FileManager.default.createDirectory(atPath: "\(folder)/b\(i)", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Command.fixtures + "/" + name, toPath: "\(folder)/b\(i)/\(name)")
      }
      #expect(mkfifo(folder + "/p0/pipe.jpg", 0o600) == 0)
      try FileManager.default.createSymbolicLink(atPath: folder + "/p0/gone.jpg", withDestinationPath: "/nonexistent")
      let outcome = try ScriptedCommand.run(["eval", "match", folder, "--json"])
      #expect(outcome.code == 0, "\(outcome.err)")
      let record = try object(outcome.out)
      let failures = try #require(record["failures"] as? [[String: Any]])
      #expect(failures.count == names.count + 2)
      #expect(
        Set(failures.compactMap { $0["code"] as? String }).isSuperset(of: [
          "unreadable", "unknown-format", "no-face", "damaged",
        ]))
      #expect(Self.count(record, "mated") == 6 && Self.count(record, "nonMated") == 9)
      let text = try ScriptedCommand.run(["eval", "match", folder])
      #expect(text.out.contains("without a template: \(failures.count)") && text.out.contains("more; --json lists all"))
    }
  }

  @Test("labels identify people and groups; the worst group is named")
  func labels() throws {
    try withPeople(8) { folder in
      var table = "path,subject,site,note\n"
      for person in 0..<8 {
        for i in 0..<3 { table += "p\(person)/\(i).png,s\(person),\(person < 4 ? "north" : ""),x\n" }
      }
      try write(Array(table.utf8), to: folder + "/labels.csv")
      let arguments = ["eval", "match", folder, "--labels", folder + "/labels.csv"]
      let outcome = try ScriptedCommand.run(arguments + ["--group", "site", "--group", "site,note", "--json"])
      let groupings = try #require(try object(outcome.out)["groupings"] as? [[String: Any]])
      #expect(groupings.map { $0["columns"] as? String } == ["site", "site,note"])
      let site = try #require((groupings[0]["groups"] as? [[String: Any]])?.first)
      #expect(site["name"] as? String == "north" && site["photos"] as? Int == 12 && site["subjects"] as? Int == 4)
      let wrong = try ScriptedCommand.run(arguments + ["--group", "country"])
      #expect(wrong.code == 3 && wrong.err.contains("no column called country; there are note, path, site, subject"))
      let without = try ScriptedCommand.run(["eval", "match", folder, "--group", "site"])
      #expect(without.code == 2 && without.err.contains("--labels"))
    }
  }

  @Test("a list of pairs is compared, in folds")
  func pairs() throws {
    try withPeople { folder in
      var table = "path_a,path_b,same\n"
      for person in 0..<4 {
        for (a, b) in [(0, 1), (0, 2), (1, 2)] { table += "p\(person)/\(a).png,p\(person)/\(b).png,1\n" }
        for i in 0..<3 { table += "p\(person)/\(i).png,p\((person + 1) % 4)/\(i).png,0\n" }
      }
      table += "p0/0.png,missing.png,0\n"
      try write(Array(table.utf8), to: folder + "/pairs.csv")
      let outcome = try ScriptedCommand.run(["eval", "match", folder + "/pairs.csv", "--json"])
      #expect(outcome.code == 0, "\(outcome.err)")
      let record = try object(outcome.out)
      #expect(Self.count(record, "mated") == 12 && Self.count(record, "nonMated") == 12)
      #expect(Self.count(record, "notCompared") == 1)
      let folds = try #require(record["folds"] as? [String: Any])
      #expect(folds["folds"] as? Int == 10 && folds["accuracy"] as? Double == 1)
      try FileManager.default.moveItem(atPath: folder + "/pairs.csv", toPath: folder + ".csv")
      defer { try? FileManager.default.removeItem(atPath: folder + ".csv") }
      let elsewhere = try ScriptedCommand.run(["eval", "match", folder + ".csv", "--root", folder, "--json"])
      #expect(elsewhere.out == outcome.out)
    }
  }

  @Test("an interrupted run is resumable, with the same report")
  func resumed() throws {
    try withPeople(8) { folder in
      let work = folder + ".fvg"
      defer { try? FileManager.default.removeItem(atPath: work) }
      let plain = try ScriptedCommand.run(["eval", "match", folder, "--json"])
      let arguments = ["eval", "match", folder, "--json", "--work", work]
      _ = try ScriptedCommand.run(arguments, interruptAfter: 0.4)
      let resumed = try ScriptedCommand.run(arguments + ["--threads", "2"])
      #expect(resumed.code == 0 && resumed.out == plain.out, "\(resumed.err)")
      // Embeddings are reused, but not under another policy.
      let again = try ScriptedCommand.run(arguments)
      #expect(again.out == plain.out)
      let selfie = try ScriptedCommand.run(arguments + ["--quality", "selfie"])
      #expect(try object(selfie.out)["policy"] as? String == "selfie")
      let key = try ScriptedCommand.run(["eval", "match", folder, "--gallery-key", work])
      #expect(key.code == 2 && key.err.contains("--work"))
    }
  }

  private static let tables: [(String, String, String)] = [
    ("--labels", "", "empty"), ("--labels", "subject\na\n", "column called path"),
    ("--labels", "path\n\"a\n", "is not closed"), ("--labels", "path\n", "no photo"),
    ("pairs", "path_a,path_b\na,b\n", "path_a, path_b and same"),
    ("pairs", "path_a,path_b,same\na,b,maybe\n", "line 2"), ("pairs", "path_a,path_b,same\n", "no photo"),
  ]

  @Test("an unusable table yields exit code 3 and a line with the position", arguments: tables)
  func badTable(kind: String, text: String, word: String) throws {
    try withTemporaryFolder { folder in
      let table = folder + "/table.csv"
      try write(Array(text.utf8), to: table)
      let arguments = kind == "pairs" ? [table] : [folder, "--labels", table]
      let outcome = try ScriptedCommand.run(["eval", "match"] + arguments)
      #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.contains(word), "\(outcome.err)")
    }
  }

  @Test("an unwritable output is reported before any work")
  func unwritable() throws {
    try withPeople(1) { folder in
      for option in ["--csv", "--details", "--scores", "--svg", "--html"] {
        let outcome = try ScriptedCommand.run(["eval", "match", folder, option, folder + "/nowhere/file"])
        #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.contains("nowhere/file"), "\(outcome.err)")
        #expect(!outcome.err.contains("1 of 3"), "no photo was looked at")
      }
    }
  }

  @Test("refusals by a policy count as missing templates")
  func policy() throws {
    try withPeople(2) { folder in
      try FileManager.default.copyItem(atPath: Faces.tiny, toPath: folder + "/p1/tiny.png")
      let all = try object(try ScriptedCommand.run(["eval", "match", folder, "--json"]).out)
      #expect((all["failures"] as? [Any])?.count == 0)
      let outcome = try ScriptedCommand.run(["eval", "match", folder, "--quality", "selfie", "--json"])
      let failures = try #require(try object(outcome.out)["failures"] as? [[String: Any]])
      #expect(failures.map { $0["code"] as? String } == ["refused"])
    }
  }

  @Test("hostile names stay within their line and their cell")
  func hostileNames() throws {
    try withTemporaryFolder { folder in
      let name = "<img src=x onerror=alert(1)>\u{1B}[31m\n\"x\".png"
      try FileManager.default.createDirectory(atPath: folder + "/p", withIntermediateDirectories: true)
      try write(Array("no picture".utf8), to: folder + "/p/" + name)
      let page = folder + ".html"
      defer { try? FileManager.default.removeItem(atPath: page) }
      let outcome = try ScriptedCommand.run(["eval", "match", folder, "--html", page])
      #expect(outcome.code == 0 && !outcome.out.contains("\u{1B}"))
      let text = try lines(page).joined(separator: "\n")
      #expect(!text.contains("<img src=x") && text.contains("&lt;img src=x"))
    }
  }
}

private enum XMLCheck {
  static func parse(_ text: String) throws {
    var open: [Substring] = []
    for tag in text.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
      if !tag.1.isEmpty { #expect(open.popLast() == tag.2) } else if tag.3.isEmpty { open.append(tag.2) }
    }
    #expect(open.isEmpty)
  }
}
