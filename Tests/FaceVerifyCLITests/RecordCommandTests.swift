import FaceVerifyJourney
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The commands keys and record")
struct RecordCommandTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  @Test("keys are created in two files, displayed, and never overwritten")
  func keys() throws {
    try withTemporaryFolder { folder in
      let (file, publicFile) = (folder + "/a.pem", folder + "/a.pub.pem")
      let made = try ScriptedCommand.run(["keys", "new", file])
      #expect(made.code == 0 && made.out.contains("Ed25519") && names(in: folder) == ["a.pem", "a.pub.pem"])
      let key = try PublicKey(path: publicFile)
      #expect(made.out.contains(key.fingerprint) && !made.out.contains("PRIVATE"))
      for path in [file, publicFile] {
        let shown = try ScriptedCommand.run(["keys", "show", path])
        #expect(shown.code == 0 && shown.out.contains(key.fingerprint) && shown.out.contains(key.pem))
        #expect(!shown.out.contains("PRIVATE"))
      }
      #expect(
        try object(try ScriptedCommand.run(["keys", "show", file, "--json"]).out)["fingerprint"] as? String
          == key.fingerprint)
      let again = try ScriptedCommand.run(["keys", "new", file])
      #expect(again.code == 3 && again.err.contains("choose another name"), "\(again.err)")
      unlink(publicFile)
      #expect(try ScriptedCommand.run(["keys", "new", file]).code == 3)
      #expect(try PrivateKey(path: file).publicKey == key && names(in: folder) == ["a.pem"])
      let other = try ScriptedCommand.run(["keys", "new", folder + "/b", "--encryption", "--json"])
      #expect(
        try object(other.out)["algorithm"] as? String == "X25519" && names(in: folder) == ["a.pem", "b", "b.pub.pem"])
      try write(Array("text".utf8), to: folder + "/text")
      let nothing = try ScriptedCommand.run(["keys", "show", folder + "/text"])
      #expect(nothing.code == 3 && nothing.err.contains("faceverify keys new"))
    }
  }

  @Test("a record is valid, invalid, or signed by an unknown key")
  func verify() throws {
    try withTemporaryFolder { folder in
      let (path, publicFile) = (folder + "/record.json", folder + "/a.pub.pem")
      let key = try PrivateKey(for: .signing)
      try write(Array(key.publicKey.pem.utf8), to: publicFile)
      var configuration = JourneyConfiguration()
      configuration.nonce = [UInt8](repeating: 1, count: 16)
      func body() -> JSONValue {
        [
          "id": "0f3c8e1a-52a7-4c1e-9d55-0123456789ab", "account": "1f3c8e1a-52a7-4c1e-9d55-0123456789ab",
          "session": .null,
          "identifiers": ["customerInternalReference": .null, "reportingCriteria": .null, "userReference": .null],
          "library": "0.2.0", "created": 1,
          "models": [
            "set": "default", "identifier": "x", "revision": "1", "precision": "f32", "files": [], "calibration": .null,
          ], "configuration": configuration.jsonValue, "inputs": [], "credentials": [],
          "calls": [["at": 1, "call": "cancel"]],
          "events": [["at": 1, "event": "finished", "isComplete": false]],
          "result": [
            "isComplete": false, "result": "not-checked", "reasons": [],
            "assurance": ["presence": "none", "document": "none", "binding": "none"],
            "error": ["code": "G000000", "message": "Cancelled.", "isRetryable": false],
          ],
        ]
      }
      let bytes = try DecisionRecord(body: body(), signedBy: SigningKey(key)).bytes
      try write(bytes, to: path)
      let right = try ScriptedCommand.run(["record", "verify", path, "--trusted-key", publicFile])
      #expect(right.code == 0 && right.out.hasPrefix("valid"), "\(right.out)\(right.err)")
      for line in [
        "its outcome is not-checked", "id, face", "liveness by the policy standard",
        "false-match rate of 1e-3", "authentication standard, no trust anchors", "the day of each call", "Cancelled.",
        "presence challenge-answered, document page-consistent, binding supplied-photo",
      ] { #expect(right.out.contains(line), "\(line): \(right.out)") }
      #expect(!right.out.contains("warning"))
      configuration.assurance.presence = .photo
      try write(DecisionRecord(body: body(), signedBy: SigningKey(key)).bytes, to: path)
      let warned = try ScriptedCommand.run(["record", "verify", path, "--trusted-key", publicFile])
      #expect(warned.code == 0 && warned.out.contains("presence had to be proved to \"photo\" only"), "\(warned.out)")
      let none = try ScriptedCommand.run(["record", "verify", publicFile])
      #expect(none.code == 3 && none.err.contains("\(publicFile): not JSON"), "\(none.err)")
      let unknown = try ScriptedCommand.run(["record", "verify", path])
      #expect(unknown.code == 4 && unknown.out.contains("name the one that you trust"), "\(unknown.out)")
      try write(Array(String(decoding: bytes, as: UTF8.self).replacing("0.2.0", with: "0.2.1").utf8), to: path)
      let wrong = try ScriptedCommand.run(["record", "verify", path, "--trusted-key", publicFile])
      #expect(wrong.code == 1 && wrong.out.contains("changed after it was signed"), "\(wrong.out)")
      let json = try object(
        try ScriptedCommand.run(["record", "verify", path, "--trusted-key", publicFile, "--json"]).out)
      #expect(json["result"] as? String == "failed" && json["signer"] as? String == key.publicKey.fingerprint)
      #expect((json["policy"] as? [String: Any])?["falseMatchRate"] as? String == "1e-3")
      #expect(json["outcome"] as? String == "not-checked")
      #expect((json["checks"] as? [[String: String]])?.first { $0["check"] == "signature" }?["status"] == "failed")
      for arguments in [
        ["verify", Faces.one], ["verify", folder + "/none"], ["verify", path, "--trusted-key", path],
      ] {
        #expect(try ScriptedCommand.run(["record"] + arguments).code == 3)
      }
    }
  }

  @Test("evidence with another signature or additional files differs")
  func replay() throws {
    try withTemporaryFolder { folder in
      func run(_ arguments: String...) throws -> Command.Outcome { try ScriptedCommand.run(arguments) }
      for name in ["sign", "other"] { #expect(try run("keys", "new", "\(folder)/\(name).pem").code == 0) }
      #expect(try run("keys", "new", folder + "/read.pem", "--encryption").code == 0)
      let (evidence, read, sign) = (folder + "/e.fvb", folder + "/read.pem", folder + "/sign.pub.pem")
      _ = try run(
        "verify", "--selfie", Faces.one, "--portrait", Faces.same, "--signing-key", folder + "/sign.pem", "--evidence",
        evidence,
        "--recipient", folder + "/read.pub.pem")
      let closed = try run("record", "replay", evidence)
      #expect(closed.code == 3 && closed.err.contains("recipient's private key"), "\(closed)")
      let unknown = try run("record", "replay", evidence, "--decryption-key", read)
      #expect(unknown.code == 4 && unknown.out.contains("the signer was not checked"), "\(unknown)")
      let right = try run("record", "replay", evidence, "--decryption-key", read, "--trusted-key", sign, "--json")
      let json = try object(right.out)
      #expect(right.code == 0 && json["same"] as? Bool == true && json["isSignerChecked"] as? Bool == true)
      let stranger = try run(
        "record", "replay", evidence, "--decryption-key", read, "--trusted-key", folder + "/other.pub.pem")
      #expect(stranger.code == 1 && stranger.out.contains("record.signing-key"), "\(stranger)")
      // The same evidence with an additional file, without one, and with a modified record.
      var files: [String: [UInt8]] = [:]
      try EvidenceBundle.read(path: evidence, key: PrivateKey(path: read)) { files[$0] = $1 }
      func bundle(_ change: (inout [String: [UInt8]]) -> Void) throws -> Command.Outcome {
        var files = files
        change(&files)
        let path = folder + "/changed.fvb"
        let writer = try EvidenceBundleWriter(path: path, recipient: PublicKey(path: folder + "/read.pub.pem"))
        for (name, bytes) in files { try writer.add(bytes, as: name) }
        try writer.finish()
        return try run("record", "replay", path, "--decryption-key", read, "--trusted-key", sign)
      }
      let added = try bundle { $0["inputs/000002.bin"] = [1] }
      #expect(added.code == 1 && added.out.contains("not an input of the record"), "\(added)")
      let removed = try bundle { $0["inputs/000001.bin"] = nil }
      #expect(removed.code == 1 && removed.out.contains("it is missing from the evidence"), "\(removed)")
      let damaged = try bundle { $0["inputs/000001.bin"] = [1, 2, 3] }
      #expect(damaged.code == 1 && damaged.out.contains("not the same"), "\(damaged)")
      let record = String(decoding: files[EvidenceBundle.recordName] ?? [], as: UTF8.self)
      for (text, other) in [("\"account\":\"", "\"account\":\"0"), ("\"Ed25519\"", "\"Ed25519\",\"note\":1")] {
        let changed = try bundle {
          $0[EvidenceBundle.recordName] = Array(record.replacing(text, with: other).utf8)
        }
        #expect(changed.code == 1 && changed.out.contains("record."), "\(changed)")
      }
      // A folder with something more, hidden or not.
      let out = folder + "/out"
      #expect(try run("record", "open", evidence, "--decryption-key", read, "--output", out).code == 0)
      #expect(try run("record", "replay", out, "--trusted-key", sign).code == 0)
      let manager = FileManager.default
      for (path, change) in [
        (".hidden", { try write([1], to: $0) }), ("inputs/.x", { try write([1], to: $0) }),
        ("more", { try manager.createDirectory(atPath: $0, withIntermediateDirectories: false) }),
        ("etc", { try manager.createSymbolicLink(atPath: $0, withDestinationPath: "/etc") }),
      ] as [(String, (String) throws -> Void)] {
        try change(out + "/" + path)
        let found = try run("record", "replay", out, "--trusted-key", sign)
        #expect(found.code == 1 && found.out.contains(path), "\(found)")
        try manager.removeItem(atPath: out + "/" + path)
      }
    }
  }

  @Test("evidence is opened into a new folder, only by its recipient")
  func open() throws {
    try withTemporaryFolder { folder in
      let (file, bundle) = (folder + "/a.pem", folder + "/e.fvb")
      #expect(try ScriptedCommand.run(["keys", "new", file, "--encryption"]).code == 0)
      let writer = try EvidenceBundleWriter(path: bundle, recipient: PublicKey(path: folder + "/a.pub.pem"))
      try writer.add([1, 2, 3], as: EvidenceBundle.inputName(0, suffix: "bin"))
      try writer.add(Array("{}".utf8), as: EvidenceBundle.recordName)
      try writer.finish()
      let out = folder + "/out"
      let opened = try ScriptedCommand.run(["record", "open", bundle, "--decryption-key", file, "--output", out])
      #expect(opened.code == 0 && opened.out.contains("2 files"), "\(opened.err)")
      #expect(names(in: out) == ["inputs", "record.json"] && names(in: out + "/inputs") == ["000000.bin"])
      #expect(try ScriptedCommand.run(["record", "open", bundle, "--decryption-key", file, "--output", out]).code == 3)
      let other = try ScriptedCommand.run(["keys", "new", folder + "/b.pem", "--encryption"])
      #expect(other.code == 0)
      let foreign = try ScriptedCommand.run([
        "record", "open", bundle, "--decryption-key", folder + "/b.pem", "--output", folder + "/x",
      ])
      #expect(foreign.code == 3 && foreign.err.contains("encrypted to the key"), "\(foreign.err)")
    }
  }

  @Test("the printed schema is the published one")
  func schema() throws {
    let published = try String(contentsOfFile: Installed.root + "/docs/record.schema.json", encoding: .utf8)
    #expect(try ScriptedCommand.run(["record", "schema"]).out == published)
  }
}
