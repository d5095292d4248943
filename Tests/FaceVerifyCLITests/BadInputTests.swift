import FaceVerify
import Foundation
import TestSupport
import Testing

/// Whether there is one line, which names the command.
private func isOneLine(_ message: String) -> Bool {
  message.hasPrefix("faceverify: ") && message.hasSuffix("\n") && message.dropLast().allSatisfy { !$0.isNewline }
}

@Suite("Bad input")
struct BadInputTests {
  private static let files: [(String, String)] = [
    ("/nonexistent.jpg", "no such file"), ("", "empty"), ("/tmp", "directory"), ("/dev/null", "not a regular file"),
    (Command.fixtures + "/empty.jpg", "empty"), (Command.fixtures + "/text.jpg", "text file"),
    (Command.fixtures + "/truncated.jpg", "truncated"), (Command.fixtures + "/truncated.png", "truncated"),
    (Command.fixtures + "/truncated.jp2", "truncated"), (Command.fixtures + "/huge.png", "limit"),
    (Command.fixtures + "/huge.jpg", "limit"), (Command.fixtures + "/one.png", "no face"),
    (Command.fixtures + "/one.jpg", "no face"),
  ]

  @Test("a file that is not a photo of a face yields exit code 3 and one line with the reason", arguments: files)
  func file(path: String, word: String) throws {
    // A folder is no error for `quality`, which reads the photos in it.
    for arguments in [["quality", path], ["compare", path, path]] where path != "/tmp" || arguments.count > 2 {
      let outcome = try ScriptedCommand.run(arguments)
      #expect(outcome.code == 3 && outcome.out.isEmpty)
      #expect(isOneLine(outcome.err) && outcome.err.contains(word), "\(outcome.err)")
    }
    let json = try ScriptedCommand.run(["compare", path, path, "--json"])
    #expect(json.code == 3 && json.out.contains("\"code\"") && json.out.contains("\"message\""))
  }

  @Test(
    "without libheif its formats are rejected, and the package is named", arguments: ["colour.heic", "colour.avif"])
  func withoutHEIF(name: String) throws {
    try withTemporaryFolder { folder in
      // The loader searches here first, finds a file that cannot be loaded, and stops.
      _ = FileManager.default.createFile(atPath: folder + "/libheif.so.1", contents: Data("no library".utf8))
      let outcome = try Command.run(
        ["detect", Command.fixtures + "/" + name], environment: ["LD_LIBRARY_PATH": folder])
      #expect(outcome.code == 3 && isOneLine(outcome.err) && outcome.err.contains("libheif1"), "\(outcome.err)")
      let other = try Command.run(
        ["detect", Command.fixtures + "/colour.webp"], environment: ["LD_LIBRARY_PATH": folder])
      #expect(other.err.contains("no face") || other.out.contains("0 faces"), "\(other.err)")
    }
  }

  @Test("a pipe is rejected immediately")
  func fifo() throws {
    try withTemporaryFolder { folder in
      let pipe = folder + "/pipe.jpg"
      #expect(mkfifo(pipe, 0o600) == 0)
      let start = Date()
      let outcome = try ScriptedCommand.run(["quality", pipe])
      #expect(outcome.code == 3 && outcome.err.contains("pipe") && Date().timeIntervalSince(start) < 30)
    }
  }

  @Test("a damaged template yields exit code 3")
  func template() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/person.fvt"
      let photo = Faces.one
      #expect(try ScriptedCommand.run(["template", photo, "-o", file]).code == 0)
      let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
      var changed = bytes
      changed[100] ^= 1
      var foreign = bytes
      foreign.replaceSubrange(8..<24, with: Array("0123456789abcdef".utf8))
      for damaged in [changed, Array(bytes.prefix(300)), foreign, bytes + [0]] {
        try write(damaged, to: file)
        let outcome = try ScriptedCommand.run(["compare", photo, file])
        #expect(outcome.code == 3 && isOneLine(outcome.err) && outcome.err.contains("template"), "\(outcome.err)")
      }
    }
  }

  @Test("a photo that the policy refuses yields exit code 4 and no template")
  func refused() throws {
    try withTemporaryFolder { folder in
      let outcome = try ScriptedCommand.run(["template", Faces.tiny, "-o", folder + "/t.fvt"])
      #expect(outcome.code == 4 && names(in: folder).isEmpty)
      #expect(try ScriptedCommand.run(["quality", Faces.tiny]).code == 4)
      #expect(try ScriptedCommand.run(["compare", Faces.tiny, Faces.same]).code == 4)
    }
  }
}

@Suite("Bad models", .needsCommand, .needsModels)
struct BadModelsTests {
  @Test("a missing, truncated or replaced model is named, with a remedy")
  func models() throws {
    let photo = Faces.one
    try withModels { folder in
      let file = folder + "/face_landmark.tflite"
      for content in [nil, [], [1, 2, 3]] as [[UInt8]?] {
        try FileManager.default.removeItem(atPath: file)
        if let content { try write(content, to: file) }
        for command in [["compare", photo, photo], ["models", "verify"]] {
          let outcome = try Command.run(command + ["--models-folder", folder])
          #expect(outcome.code == 3 && isOneLine(outcome.err), "\(outcome.err)")
          #expect(outcome.err.contains("face_landmark.tflite") && outcome.err.contains("models install"))
          if content != nil { #expect(outcome.err.contains("SHA-256") && outcome.err.contains("expected 1055cb9d")) }
        }
        #expect(try Command.run(["doctor", "--models-folder", folder]).code == 3)
        if content == nil { try write([9], to: file) }
      }
    }
    #expect(try Command.run(["compare", photo, photo, "--models-folder", "/nonexistent"]).code == 3)
  }

  // Rows: J9 J11
  @Test("models are installed from a folder, repeatedly, and removed")
  func install() throws {
    try withModels { folder in
      try FileManager.default.removeItem(atPath: folder + "/iris_landmark.tflite")
      let arguments = ["models", "install", "--from", Installed.models, "--models-folder", folder]
      let first = try Command.run(arguments)
      #expect(first.code == 0 && first.out.hasPrefix("installed: all"), "\(first.err)")
      #expect(try Command.run(arguments).out.hasPrefix("nothing to install"))
      let cache = ["XDG_CACHE_HOME": folder + "/cache"]
      #expect(try Command.run(["models", "clean", "--models-folder", folder], environment: cache).code == 0)
      #expect(!names(in: folder).contains("iris_landmark.tflite"))
      let verify = try Command.run(["models", "verify", "--models-folder", folder])
      #expect(verify.code == 3 && verify.err.split(separator: "\n").count == 6)
      // From an empty folder.
      let nothing = try Command.run(["models", "install", "--from", folder + "/cache", "--models-folder", folder])
      #expect(nothing.code == 3)
    }
  }
}
