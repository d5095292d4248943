import FaceVerify
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The commands keys and record")
struct RecordCommandTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  @Test("keys are made in two files, shown, and never overwritten")
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

  @Test("a record is right, wrong, or signed by nobody knows whom")
  func verify() throws {
    try withTemporaryFolder { folder in
      let (path, publicFile) = (folder + "/record.json", folder + "/a.pub.pem")
      let key = try PrivateKey(for: .signing)
      try write(Array(key.publicKey.pem.utf8), to: publicFile)
      let body: JSONValue = [
        "id": "0f3c8e1a-52a7-4c1e-9d55-0123456789ab", "account": "1f3c8e1a-52a7-4c1e-9d55-0123456789ab",
        "identifiers": ["customerInternalReference": .null, "reportingCriteria": .null, "userReference": .null],
        "library": "0.2.0", "created": 1,
        "models": ["set": "default", "identifier": "x", "revision": "1", "precision": "f32", "files": []],
        "configuration": [:], "inputs": [], "credentials": [], "calls": [["at": 1, "call": "cancel"]],
        "events": [["at": 1, "event": "finished", "isSuccess": false]],
        "result": [
          "isSuccess": false, "result": "not-checked", "reasons": [],
          "error": ["code": "G000000", "message": "Cancelled.", "isRetryable": false],
        ],
      ]
      let bytes = try DecisionRecord(body: body, signedBy: SigningKey(key)).bytes
      try write(bytes, to: path)
      let right = try ScriptedCommand.run(["record", "verify", path, "--key", publicFile])
      #expect(right.code == 0 && right.out.contains("right:"), "\(right.out)\(right.err)")
      let unknown = try ScriptedCommand.run(["record", "verify", path])
      #expect(unknown.code == 4 && unknown.out.contains("name the one that you trust"), "\(unknown.out)")
      try write(Array(String(decoding: bytes, as: UTF8.self).replacing("0.2.0", with: "0.2.1").utf8), to: path)
      let wrong = try ScriptedCommand.run(["record", "verify", path, "--key", publicFile])
      #expect(wrong.code == 1 && wrong.out.contains("changed after it was signed"), "\(wrong.out)")
      let json = try object(try ScriptedCommand.run(["record", "verify", path, "--key", publicFile, "--json"]).out)
      #expect(json["result"] as? String == "failed" && json["signer"] as? String == key.publicKey.fingerprint)
      #expect((json["checks"] as? [[String: String]])?.first { $0["check"] == "signature" }?["status"] == "failed")
      for arguments in [["verify", Faces.one], ["verify", folder + "/none"], ["verify", path, "--key", path]] {
        #expect(try ScriptedCommand.run(["record"] + arguments).code == 3)
      }
    }
  }

  @Test("evidence is opened into a new folder, by its recipient only")
  func open() throws {
    try withTemporaryFolder { folder in
      let (file, bundle) = (folder + "/a.pem", folder + "/e.fvb")
      #expect(try ScriptedCommand.run(["keys", "new", file, "--encryption"]).code == 0)
      let writer = try EvidenceBundleWriter(path: bundle, recipient: PublicKey(path: folder + "/a.pub.pem"))
      try writer.add([1, 2, 3], as: EvidenceBundle.inputName(0, suffix: "bin"))
      try writer.add(Array("{}".utf8), as: EvidenceBundle.recordName)
      try writer.finish()
      let out = folder + "/out"
      let opened = try ScriptedCommand.run(["record", "open", bundle, "--key", file, "--out", out])
      #expect(opened.code == 0 && opened.out.contains("2 files"), "\(opened.err)")
      #expect(names(in: out) == ["inputs", "record.json"] && names(in: out + "/inputs") == ["000000.bin"])
      #expect(try ScriptedCommand.run(["record", "open", bundle, "--key", file, "--out", out]).code == 3)
      let other = try ScriptedCommand.run(["keys", "new", folder + "/b.pem", "--encryption"])
      #expect(other.code == 0)
      let foreign = try ScriptedCommand.run([
        "record", "open", bundle, "--key", folder + "/b.pem", "--out", folder + "/x",
      ])
      #expect(foreign.code == 3 && foreign.err.contains("encrypted to the key"), "\(foreign.err)")
    }
  }

  @Test("the schema that is printed is the one that is published")
  func schema() throws {
    let published = try String(contentsOfFile: Installed.root + "/docs/record.schema.json", encoding: .utf8)
    #expect(try ScriptedCommand.run(["record", "schema"]).out == published)
  }
}
