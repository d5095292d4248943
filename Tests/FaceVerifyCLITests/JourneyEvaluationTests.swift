import Foundation
import TestSupport
import Testing

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("Evaluation of complete identity checks")
struct JourneyEvaluationTests {
  private func table(_ folder: String, _ lines: [String]) throws -> String {
    let path = folder + "/journeys.csv"
    try write(Array(("clip,portrait,label,species,subject\n" + lines.joined(separator: "\n") + "\n").utf8), to: path)
    return path
  }

  @Test("each journey has the expected result, and counts in the rate of its label")
  func outcomes() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.copyItem(atPath: Faces.one, toPath: folder + "/clip.png")
      let journeys = try table(
        folder,
        [
          "clip.png,\(Faces.same),genuine,,a", "clip.png,\(Faces.other),impostor,,a",
          "clip.png,\(Faces.other),genuine,,b",
          "clip.png,\(Faces.same),impostor,,c", "clip.png,\(Faces.same),attack,print,d",
          "\(Command.fixtures)/one.png,\(Faces.same),simulated-screen,,e", "missing.mp4,\(Faces.same),genuine,,f",
          "clip.png,missing.png,genuine,,g",
        ])
      let (csv, details, page) = (folder + "/rates", folder + "/details", folder + "/page")
      let one = try ScriptedCommand.run(
        ["eval", "journey", journeys, "--json", "--csv", csv, "--details", details, "--html", page])
      #expect(one.code == 3 && one.err.contains("missing.mp4") && one.err.contains("missing.png"), "\(one.err)")
      #expect(try ScriptedCommand.run(["eval", "journey", journeys, "--json", "--threads", "3"]).out == one.out)
      let record = try object(one.out)
      let all = try #require(record["journeys"] as? [[String: Any]])
      #expect(
        all.map { $0["outcome"] as? String } == [
          "accepted", "no-match", "no-match", "accepted", "accepted", "not-acquired", "unreadable", "unreadable",
        ])
      let labels = try #require(record["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == ["genuine", "impostor", "print", "simulated-screen"])
      #expect(labels.map { $0["rate"] as? String } == ["FRR", "FAR", "IAPAR", "IAPAR"])
      let errors = labels.map { $0["error"] as? [String: Any] ?? [:] }
      #expect(errors.map { $0["count"] as? Int } == [1, 1, 1, 0] && errors.map { $0["of"] as? Int } == [2, 2, 1, 1])
      let text = try ScriptedCommand.run(["eval", "journey", journeys]).out
      #expect(text.contains("FRR 1 of 2, 50.0 %") && text.contains("print: accepted: clip.png"), "\(text)")
      func read(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      }
      #expect(read(csv).contains("\ngenuine,4,FRR,1,2,0.500000,0.012579,0.987421,1,"))
      #expect(read(details).contains("\nclip.png,impostor,a,no-match,"))
      #expect(read(page).contains("IAPAR") && !read(page).contains("<script") && !read(page).contains("http"))
    }
  }

  @Test("the false-match rate is the journey's, and an unsupported one is reported before the first clip")
  func rate() throws {
    try withTemporaryFolder { folder in
      let journeys = try table(folder, ["missing.mp4,\(Faces.same),genuine,,a"])
      let outcome = try ScriptedCommand.run(["eval", "journey", journeys, "--fmr", "1e-9"])
      #expect(outcome.code == 3 && outcome.err.contains("1e-9") && !outcome.err.contains("missing"), "\(outcome.err)")
    }
  }

  private static let tables: [(String, String)] = [
    ("", "empty"), ("clip\na\n", "columns called clip and label"), ("clip,label\na,genuine\n", "a portrait, or a chip"),
    ("clip,portrait,chip,label\na,b,c,genuine\n", "not all"), ("clip,portrait,label\na,b,live\n", "genuine"),
    ("clip,portrait,label\na,b,attack\n", "species"), ("clip,portrait,label\n", "no journey"),
  ]

  @Test("an unusable table yields exit code 3 and a line with the position", arguments: tables)
  func badTable(text: String, word: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/journeys.csv"
      try write(Array(text.utf8), to: path)
      let outcome = try ScriptedCommand.run(["eval", "journey", path])
      #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.contains(word), "\(outcome.err)")
    }
  }
}
