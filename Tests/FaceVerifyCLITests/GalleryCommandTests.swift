import FaceVerify
import Foundation
import Glibc
import ScriptedModels
import TestSupport
import Testing

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
}

@Suite("The command gallery")
struct GalleryCommandTests {
  /// A folder with photos of nine people, one of them twice, and files without a face.
  private func withPhotos(_ body: (_ folder: String, _ photos: String, _ gallery: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let photos = folder + "/photos"
      try FileManager.default.createDirectory(atPath: photos + "/more", withIntermediateDirectories: true)
      for person in 1...9 {
        let path = photos + (person > 6 ? "/more" : "") + "/\(person).png"
        try write(ScriptedPicture(person: person, frame: person).pixels().encodedAsPNG(), to: path)
      }
      let again = ScriptedPicture(person: 3, frame: 77) { $0.yaw = 4 }
      try write(again.pixels().encodedAsPNG(), to: photos + "/again.png")
      try write(Array("text".utf8), to: photos + "/notes.txt")
      try write([], to: photos + "/.hidden")
      try body(folder, photos, folder + "/people.fvg")
    }
  }

  @Test("a gallery is built from a folder, searched, deduplicated, and listed")
  func way() throws {
    try withPhotos { folder, photos, gallery in
      let built = try ScriptedCommand.run(["gallery", "build", photos + "/", "--output", gallery, "--threads", "2"])
      #expect(built.code == 0 && built.out.contains("10 enrolled, 0 unchanged, 0 without"), "\(built.out)\(built.err)")
      #expect(built.err.contains("10 of 10"), "\(built.err)")
      let search = try ScriptedCommand.run(["gallery", "search", gallery, Faces.same])
      #expect(
        search.code == 0 && search.out.contains("1 match") && search.out.contains(photos + "/1.png"), "\(search.out)")
      let stranger = folder + "/stranger.png"
      try write(ScriptedPicture(person: 20).pixels().encodedAsPNG(), to: stranger)
      #expect(try ScriptedCommand.run(["gallery", "search", gallery, stranger]).code == 1)
      let found = try ScriptedCommand.run(["gallery", "dedupe", gallery, "--json"])
      let pairs = try #require(try object(found.out)["candidates"] as? [[String: Any]]).filter {
        $0["match"] as? Bool == true
      }
      #expect(found.code == 0 && pairs.count == 1)
      #expect(
        Set([pairs[0]["path"], pairs[0]["other"]].map { $0 as? String }) == [photos + "/again.png", photos + "/3.png"])
      let removed = try ScriptedCommand.run(["gallery", "remove", gallery, photos + "/again.png", "nobody"])
      #expect(removed.code == 3 && removed.out.contains("1 removed") && removed.err.contains("nobody"))
      #expect(try ScriptedCommand.run(["gallery", "dedupe", gallery]).out.contains("0 pairs"))
      let info = try object(try ScriptedCommand.run(["gallery", "info", gallery, "--json"]).out)
      #expect(info["templates"] as? Int == 9 && info["encrypted"] as? Bool == false)
    }
  }

  @Test("rebuilding does only what is missing, and states why a photo has no template")
  func resumed() throws {
    try withPhotos { folder, photos, gallery in
      func build(_ more: [String] = []) throws -> (code: Int32, record: [String: Any], err: String) {
        let outcome = try ScriptedCommand.run(
          ["gallery", "build", photos, Faces.tiny, folder + "/missing.jpg", "-o", gallery, "--json"] + more)
        return (outcome.code, try object(outcome.out), outcome.err)
      }
      let first = try build()
      #expect(
        first.code == 3 && first.record["enrolled"] as? Int == 10 && first.err.contains("missing.jpg: there is no"))
      let failures = try #require(first.record["photos"] as? [[String: Any]])
      #expect(failures.map { ($0["failure"] as? [String: Any])?["code"] as? String } == ["refused", "unreadable"])
      let again = try build()
      #expect(again.record["enrolled"] as? Int == 0 && again.record["unchanged"] as? Int == 11)
      let any = try build(["--quality", "any"])
      #expect(any.record["enrolled"] as? Int == 11 && any.record["templates"] as? Int == 11)
      let info = try ScriptedCommand.run(["gallery", "info", gallery, "--failures"]).out
      #expect(info.contains("11 templates, 1 photos without one") && info.contains("missing.jpg"), "\(info)")
    }
  }

  @Test("a killed build keeps everything committed, and is resumable")
  func killed() throws {
    try withPhotos { folder, photos, gallery in
      for i in 0..<1000 {
        let name = photos + "/more/many \(i).png"
        #expect(link("\(photos)/\(1 + i % 6).png", name) == 0)
      }
      for size in [60_000, 120_000] {
        let killed = try ScriptedCommand.shell(
          """
          "$fv" gallery build '\(photos)' --output '\(gallery)' & build=$!
          until [ "$(stat -c %s '\(gallery)' 2>/dev/null || echo 0)" -gt \(size) ]; do sleep 0.02; done
          kill -KILL $build; wait $build
          """)
        #expect(killed.code == 128 + SIGKILL)
      }
      let before = try object(try ScriptedCommand.run(["gallery", "info", gallery, "--json"]).out)
      let kept = try #require(before["templates"] as? Int)
      #expect(kept > 0 && kept < 1010, "\(kept)")
      let outcome = try ScriptedCommand.run(["gallery", "build", photos, "--output", gallery, "--json"])
      let record = try object(outcome.out)
      #expect(record["unchanged"] as? Int == kept && record["templates"] as? Int == 1010, "\(outcome.out)")
    }
  }

  @Test("entries are added by name, photos and templates, and replaced")
  func named() throws {
    try withTemporaryFolder { folder in
      let (gallery, template) = (folder + "/people.fvg", folder + "/other.fvt")
      #expect(try ScriptedCommand.run(["gallery", "add", gallery, Faces.one, "--name", "customer 1"]).code == 0)
      #expect(try ScriptedCommand.run(["template", Faces.other, "--output", template]).code == 0)
      #expect(try ScriptedCommand.run(["gallery", "add", gallery, template, "--name", "customer 2"]).code == 0)
      let search = try object(try ScriptedCommand.run(["gallery", "search", gallery, template, "--json"]).out)
      let first = try #require(search["candidates"] as? [[String: Any]]).first
      #expect(first?["path"] as? String == "customer 2" && first?["match"] as? Bool == true)
      #expect((search["probe"] as? [String: Any])?["kind"] as? String == "template")
      let refused = try ScriptedCommand.run(["gallery", "add", gallery, Faces.tiny, "--name", "customer 1"])
      #expect(refused.code == 4 && refused.out.contains("2 templates"), "\(refused.out)")
      #expect(try ScriptedCommand.run(["gallery", "search", gallery, Faces.same]).out.contains("customer 1"))
      #expect(try ScriptedCommand.run(["gallery", "search", gallery, Faces.tiny]).code == 4)
    }
  }

  @Test("galleries are merged into one")
  func merged() throws {
    try withTemporaryFolder { folder in
      let names = ["all", "more"].map { "\(folder)/\($0).fvg" }
      for (name, photo) in zip(names, [Faces.one, Faces.other]) {
        #expect(try ScriptedCommand.run(["gallery", "build", photo, "-o", name]).code == 0)
      }
      let merged = try object(try ScriptedCommand.run(["gallery", "merge", names[0], names[1], "--json"]).out)
      #expect(merged["templates"] as? Int == 2)
      let missing = try ScriptedCommand.run(["gallery", "merge", names[0], folder + "/none.fvg"])
      #expect(missing.code == 3 && missing.err.contains("none.fvg"), "\(missing.err)")
    }
  }

  @Test("an unsupported rate yields exit code 4 with the reason")
  func rates() throws {
    try withTemporaryFolder { folder in
      let gallery = folder + "/people.fvg"
      _ = try ScriptedCommand.run(["gallery", "add", gallery, Faces.one, Faces.other])
      let search = try ScriptedCommand.run(["gallery", "search", gallery, Faces.same, "--fpir", "1e-6"])
      #expect(search.code == 4 && search.out.contains("undecided") && search.out.contains("2 comparisons"))
      #expect(search.out.contains(Faces.one))
      #expect(try ScriptedCommand.run(["gallery", "dedupe", gallery, "--fpir", "1e-9"]).code == 4)
    }
  }

  @Test("a key encrypts, and without it nothing is disclosed")
  func keys() throws {
    try withTemporaryFolder { folder in
      let (gallery, key) = (folder + "/people.fvg", folder + "/key")
      try write(Array((String(repeating: "7e", count: 32) + "\n").utf8), to: key)
      #expect(try ScriptedCommand.run(["gallery", "build", Faces.one, "-o", gallery, "--gallery-key", key]).code == 0)
      #expect(try ScriptedCommand.run(["gallery", "search", gallery, Faces.same, "--gallery-key", key]).code == 0)
      #expect(try ScriptedCommand.run(["gallery", "info", gallery, "--gallery-key", key]).out.contains(", encrypted"))
      let without = try ScriptedCommand.run(["gallery", "info", gallery])
      #expect(without.code == 3 && without.err.contains("--gallery-key"), "\(without.err)")
      try write(Array("too short".utf8), to: key)
      #expect(try ScriptedCommand.run(["gallery", "info", gallery, "--gallery-key", key]).err.contains("is not a key"))
    }
  }

  @Test("an invalid or missing gallery is an error; a search creates no file")
  func strangers() throws {
    try withTemporaryFolder { folder in
      for command in [
        ["search", folder + "/none", Faces.one], ["dedupe", folder + "/none"], ["info", folder + "/none"],
        ["remove", folder + "/none", "x"], ["search", Faces.one, Faces.one], ["info", folder],
        ["build", folder, "-o", folder + "/made"],
      ] {
        let outcome = try ScriptedCommand.run(["gallery"] + command + ["--json"])
        #expect(outcome.code == 3 && outcome.out.contains("\"error\""), "\(command)")
      }
      #expect(names(in: folder).isEmpty)
    }
  }

  @Test("a full disk is reported, and earlier entries are safe")
  func full() throws {
    try withPhotos { _, photos, gallery in
      #expect(try ScriptedCommand.run(["gallery", "build", photos + "/1.png", "-o", gallery]).code == 0)
      // Blocks of 1024 bytes: no space for a page and its journal entry.
      let full = try ScriptedCommand.shell("ulimit -f 3; \"$fv\" gallery build '\(photos)' -o '\(gallery)'")
      #expect(full.code == 3 && full.err.contains("safe"), "\(full.err)")
      let info = try object(try ScriptedCommand.run(["gallery", "info", gallery, "--json"]).out)
      #expect(info["templates"] as? Int == 1)
      #expect(try ScriptedCommand.run(["gallery", "build", photos, "-o", gallery]).code == 0)
    }
  }

  @Test("a gallery on a read-only file system is searchable and unchanged", .needsRoot(getuid() == 0))
  func readOnly() throws {
    try withPhotos { folder, photos, gallery in
      #expect(try ScriptedCommand.run(["gallery", "build", photos, "-o", gallery]).code == 0)
      let outcome = try ScriptedCommand.shell(
        """
        unshare -m bash -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" || exit 77
        "$fv" gallery search "$1" "$2" && ! "$fv" gallery remove "$1" "$3"' '\(folder)' '\(gallery)' '\(Faces.same)' '\(photos)/1.png'
        """)
      // Not every environment allows root to mount.
      guard outcome.code != 77, !outcome.err.contains("unshare") else { return }
      #expect(outcome.code == 0 && outcome.err.contains("cannot be changed"), "\(outcome.err)")
    }
  }
}
