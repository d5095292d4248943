import FaceVerify
import Foundation
import TestSupport
import Testing

@Suite("faceverify code", .needsCommand)
struct CodeCommandTests {
  private static let folder = Installed.root + "/Tests/DocumentImagingTests/Fixtures/codes/"
  private let qr = folder + "qr.png"
  private let licence = folder + "pdf417.png"

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Runs the command with the repository's models, where the locator's are without any download.
  private func run(_ arguments: [String]) throws -> Command.Outcome {
    try Command.run(arguments + ["--models-folder", Self.models])
  }
  private static let models = Installed.root + "/models"

  private func picture(_ path: String) throws -> PixelBuffer { try Photo(path: path).pixels(reduction: 1) }

  @Test("the command reads one photo or several, and reports one without a code")
  func photos() throws {
    let one = try run(["code", qr])
    #expect(one.code == 0 && one.err.isEmpty && one.out.hasPrefix("qr  https://example.org/a?b=1\n"))
    let both = try run(["code", qr, licence])
    #expect(both.code == 0 && both.out.contains(qr + "\n") && both.out.contains("\npdf417  "))
    // A printed code must not control the terminal.
    #expect(both.out.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    let none = try run(["code", qr, Faces.one])
    #expect(none.code == 4 && none.err == "faceverify: \(Faces.one): No code is visible: point the camera at one.\n")
  }

  @Test("JSON has bytes, text, corners and the reason")
  func json() throws {
    let outcome = try run(["code", "--json", qr, Faces.one])
    #expect(outcome.code == 4)
    let photos = try #require(try object(outcome.out)["photos"] as? [[String: Any]])
    let reading = try #require((photos[0]["readings"] as? [[String: Any]])?.first)
    #expect(reading["format"] as? String == "qr" && reading["text"] as? String == "https://example.org/a?b=1")
    #expect(
      reading["bytes"] as? String == Array("https://example.org/a?b=1".utf8).map { String(format: "%02x", $0) }.joined()
    )
    #expect(reading["encoding"] as? String == "ASCII" && (reading["corners"] as? [Any])?.count == 4)
    #expect(photos[0]["fault"] is NSNull && (photos[1]["readings"] as? [Any])?.isEmpty == true)
    let fault = try #require(photos[1]["fault"] as? [String: Any])
    #expect(fault["code"] as? String == "none-there" && fault["advice"] is String)
    #expect((photos[0]["input"] as? [String: Any])?["sha256"] is String)
  }

  @Test("formats are selected, and rejected if unknown")
  func formats() throws {
    #expect(try run(["code", "--formats", "pdf417,qr", qr]).code == 0)
    #expect(try run(["code", "--formats", "pdf417", qr]).code == 4)
    for wrong in ["bokode", "", "QR"] {
      let outcome = try run(["code", "--formats", wrong, qr])
      #expect(outcome.code == 2 && outcome.err.contains("--formats"), "\(wrong)")
    }
    #expect(try run(["code"]).code == 2)
    #expect(try run(["code", qr, "--camera", "/dev/video0"]).code == 2)
  }

  @Test("without the locator's model the command names it and exits with 3")
  func model() throws {
    let outcome = try Command.run(["code", qr, "--models-folder", "/nonexistent"])
    #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.contains("no models in /nonexistent"), "\(outcome)")
  }

  @Test("an unreadable photo yields exit code 3, and the others are still reported")
  func unreadable() throws {
    try withTemporaryFolder { folder in
      let (empty, text) = (folder + "/empty.png", folder + "/text.jpg")
      try write([], to: empty)
      try write(Array("no picture".utf8), to: text)
      for file in [empty, text, folder, folder + "/nowhere.png"] {
        let outcome = try run(["code", file])
        #expect(outcome.code == 3 && outcome.out.isEmpty && outcome.err.hasPrefix("faceverify: "), "\(file)")
        #expect(outcome.err.split(separator: "\n").count == 1)
      }
      let mixed = try run(["code", "--json", qr, text])
      let photos = try #require(try object(mixed.out)["photos"] as? [[String: Any]])
      #expect(mixed.code == 3 && (photos[0]["readings"] as? [Any])?.count == 1 && photos[1]["error"] != nil)
      let closed = try Command.shell(
        "(sleep 0.3; exec \"$fv\" code \"$p\") | true; echo ${PIPESTATUS[0]}",
        environment: ["p": qr, "FACEVERIFY_MODELS": Self.models])
      #expect(closed.out == "3\n" && closed.err == "faceverify: standard output: the reader has closed the pipe\n")
    }
  }

  @Test("the result is drawn around the code")
  func annotate() throws {
    try withTemporaryFolder { folder in
      let marked = folder + "/marked.png"
      #expect(try run(["code", qr, "--annotate", marked]).code == 0)
      let (before, after) = (try picture(qr), try picture(marked))
      #expect(after.width == before.width && after.height == before.height)
      // Green (0x3DDC84) lines along the code's edges, 64 pixels inside the picture, with its interior unchanged.
      var green: [Int] = []
      for y in 0..<after.height {
        for x in 0..<after.width {
          let at = 3 * (y * after.width + x)
          if after.rgb[at] < 100 && after.rgb[at + 1] > 150 && after.rgb[at + 2] < 150 {
            green.append(min(x, after.width - 1 - x))
          }
        }
      }
      #expect(green.count > 200 && green.contains { abs($0 - 64) < 5 })
      let middle = 3 * (after.height / 2 * after.width + after.width / 2)
      #expect(after.rgb[middle..<middle + 30] == before.rgb[middle..<middle + 30])
      #expect(try run(["code", qr, licence, "--annotate", marked]).code == 2)
      #expect(try run(["code", qr, "--annotate", folder + "/no/where.png"]).code == 3)
    }
  }

  @Test("a video is read until a code is found, or to its end")
  func video() throws {
    try withTemporaryFolder { folder in
      let (video, blank) = (folder + "/code.mp4", folder + "/blank.mp4")
      try PhotoVideos.make(video, of: [licence], seconds: 1)
      let read = try run(["code", video, "--json"])
      #expect(read.code == 0)
      let scan = try object(read.out)
      #expect((scan["reading"] as? [String: Any])?["format"] as? String == "pdf417" && scan["fault"] is NSNull)
      #expect((scan["report"] as? [String: Any])?["state"] as? String == "ok")
      try PhotoVideos.makeBlank(blank)
      let none = try run(["code", blank])
      #expect(none.code == 4 && none.out.isEmpty && none.err.split(separator: "\n").count == 1)
      #expect(try run(["code", video, qr]).code == 2)
    }
  }
}
