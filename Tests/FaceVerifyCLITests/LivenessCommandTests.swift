import Foundation
import TestSupport
import Testing

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("Liveness of recordings and cameras", .needsFFmpeg)
struct LivenessCommandTests {
  @Test("a face swap is an attack, drawn into a video and a plot")
  func film() throws {
    try withTemporaryFolder { folder in
      let video = folder + "/swap.mp4"
      try PhotoVideos.make(video, of: [Faces.one, Faces.other], seconds: 3)
      let plain = try ScriptedCommand.run(["liveness", video, "--json"])
      #expect(plain.code == 1)
      let (film, plot) = (folder + "/film.mp4", folder + "/plot.png")
      let drawn = try ScriptedCommand.run(["liveness", video, "--json", "--annotate", film, "--plot", plot])
      #expect(drawn.code == 1 && drawn.out == plain.out, "\(drawn.err)")
      #expect(try object(drawn.out)["interruption"] is NSNull)
      let (before, after) = (try PhotoVideos.size(video), try PhotoVideos.size(film))
      // Three more seconds for the result.
      #expect(after.frames == before.frames + 30 && after.width > 900 && after.width % 2 == 0 && after.height % 2 == 0)
      let bytes = try #require(FileManager.default.contents(atPath: plot))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 10_000)
      #expect(names(in: folder) == ["film.mp4", "plot.png", "swap.mp4"])
    }
  }

  @Test("an unanswered script is drawn as well")
  func script() throws {
    try withTemporaryFolder { folder in
      let video = folder + "/still.mp4"
      try PhotoVideos.make(video, of: [Faces.one], seconds: 4)
      let outcome = try ScriptedCommand.run(
        [
          "liveness", video, "--script", "blink,left,smile", "--challenge-timeout", "2", "--annotate",
          folder + "/film.mp4", "--plot", folder + "/plot.png",
        ])
      #expect(outcome.code == 4 && outcome.out.contains("blink: asked at"), "\(outcome.err)")
      #expect(names(in: folder) == ["film.mp4", "plot.png", "still.mp4"])
    }
  }

  @Test("a photo is drawn into a picture, and has no plot")
  func photo() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/seen.png"
      let arguments = ["liveness", "--photo", Faces.one]
      let plain = try ScriptedCommand.run(arguments + ["--json"])
      #expect(try ScriptedCommand.run(arguments + ["--json", "--annotate", file]).out == plain.out)
      #expect(FileManager.default.contents(atPath: file)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) ?? false)
      #expect(try ScriptedCommand.run(arguments + ["--plot", folder + "/plot.png"]).code == 2)
    }
  }

  @Test("output that cannot be written leaves no partial file", arguments: ["--annotate", "--plot"])
  func noPlace(option: String) throws {
    try withTemporaryFolder { folder in
      let video = folder + "/still.mp4"
      try PhotoVideos.make(video, of: [Faces.one], seconds: 1)
      for target in ["/dev/full", "/nonexistent/o.mp4", folder] {
        let outcome = try ScriptedCommand.run(["liveness", video, option, target])
        #expect(outcome.code == 3 && outcome.err.hasPrefix("faceverify: "), "\(outcome.err)")
      }
      #expect(names(in: folder) == ["still.mp4"])
    }
  }

  @Test("a truncated recording is judged, and the truncation reported")
  func breaksOff() throws {
    try withTemporaryFolder { folder in
      let (whole, part) = (folder + "/whole.mp4", folder + "/part.mkv")
      try PhotoVideos.make(whole, of: [Faces.one], seconds: 6)
      let made = try Command.shell(
        """
        ffmpeg -nostdin -loglevel error -i "$a" -g 5 "$b.mkv" && size=$(stat -c %s "$b.mkv") &&
        head -c $((size * 6 / 10)) "$b.mkv" > "$b"
        """, environment: ["a": whole, "b": part])
      #expect(made.code == 0, "\(made.err)")
      let outcome = try ScriptedCommand.run(["liveness", part, "--json"])
      #expect([0, 1, 4].contains(outcome.code) && outcome.err.contains("ends early"), "\(outcome.err)")
      #expect((try object(outcome.out)["interruption"] as? String)?.contains("ends early") ?? false)
    }
  }

  @Test(
    "an invalid camera yields exit code 3 and a line with the reason",
    arguments: [
      ("/dev/video99", "No such file"), ("/dev/null", "is no camera"), ("/tmp", "directory"), ("", "has no name"),
    ])
  func camera(device: String, word: String) throws {
    let outcome = try ScriptedCommand.run(["liveness", "--camera", device])
    #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.contains(word), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1)
    let json = try object(try ScriptedCommand.run(["liveness", "--camera", device, "--json"]).out)
    #expect((json["error"] as? [String: Any])?["code"] as? String == "not-a-camera")
  }
}
