import EngineTestSupport
import Foundation
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Decision records")
struct DecisionRecordTests {
  private static let key = Result { try PrivateKey(for: .signing) }
  private static let body = (try? RecordedJourney.face.stored().body) ?? .null
  private let key: PrivateKey
  private let record: DecisionRecord

  init() throws {
    key = try Self.key.get()
    record = try DecisionRecord(body: Self.body, signedBy: SigningKey(key))
  }

  /// The checks that did not pass, by name.
  private func findings(_ record: DecisionRecord, trusting keys: [PublicKey]? = nil) -> [RecordProperty: RecordCheck] {
    let checks = record.verify(trusting: keys ?? [key.publicKey])
    #expect(checks.map(\.name) == RecordProperty.allCases)
    return Dictionary(uniqueKeysWithValues: checks.filter { $0.status != .passed }.map { ($0.name, $0) })
  }

  @Test("a written record is read without findings")
  func right() throws {
    let read = try DecisionRecord(bytes: record.bytes)
    #expect(findings(read).isEmpty && read.body.canonical == Self.body.canonical)
    #expect(DecisionRecord.result(of: read.verify(trusting: [key.publicKey])) == .passed)
    #expect(read.signer == key.publicKey && read.signer?.fingerprint == key.publicKey.fingerprint)
  }

  @Test("without a trusted key, the signer is not checked")
  func untrusted() throws {
    let found = findings(record, trusting: [])
    #expect(found.count == 1 && found[.signingKey]?.status == .notChecked)
    #expect(found[.signingKey]?.text.contains(key.publicKey.fingerprint) == true)
    #expect(DecisionRecord.result(of: record.verify()) == .notChecked)
  }

  @Test("the same content gives the same bytes")
  func deterministic() throws {
    #expect(try DecisionRecord(body: Self.body, signedBy: SigningKey(key)).bytes == record.bytes)
  }

  @Test("any change without the key invalidates the signature")
  func changed() throws {
    let hash = JSONValue.string(String(repeating: "9", count: 64))
    for (path, value) in [
      ("inputs.2.sha256", hash), ("models.revision", "2"), ("credentials.0.liveness.template.sha256", hash),
      ("result.result", "failed"), ("calls.1", nil), ("configuration.date", "2020-01-01"), ("created", 1),
    ] as [(String, JSONValue?)] {
      let found = findings(try DecisionRecord(bytes: record.json.setting("body." + path, value).canonical))
      #expect(Set(found.keys) == [.signature], "\(path)")
      #expect(found[.signature]?.text.contains("changed after it was signed") == true)
    }
  }

  @Test("what the schema does not have is found, under a trusted key, too")
  func shape() throws {
    for (path, value) in [
      ("note", "x"), ("library", nil), ("id", "0F3C8E1A-52A7-4C1E-9D55-0123456789AB"), ("result.result", "perhaps"),
      ("identifiers.userReference", .string(String(repeating: "x", count: 101))), ("inputs.0.index", -1),
      ("inputs.0.index", 0.5), ("inputs.0.sha256", "abc"), ("inputs.0.kind", "sound"), ("calls.0.at", "now"),
      ("configuration.nonce", "00"), ("configuration.date", "2020-13-01"), ("configuration.timeout", 1),
      ("configuration.maximumTries", 0), ("models.set", "d\u{E9}faut"), ("events", [:]), ("credentials.0", .null),
      ("credentials.0.liveness.policy.limit", .null),
    ] as [(String, JSONValue?)] {
      let found = findings(try DecisionRecord(body: Self.body.setting(path, value), signedBy: SigningKey(key)))
      #expect(Set(found.keys) == [.schema], "\(path)")
      #expect(found[.schema]?.text.hasPrefix("record.body.") == true, "\(path): \(found[.schema]?.text ?? "")")
    }
  }

  @Test("a record signed again by another key is not trusted")
  func forged() throws {
    let other = try PrivateKey(for: .signing)
    let forged = try DecisionRecord(body: Self.body, signedBy: SigningKey(other))
    let found = findings(forged)
    #expect(Set(found.keys) == [.signingKey] && found[.signingKey]?.status == .failed)
    #expect(found[.signingKey]?.text.contains(other.publicKey.fingerprint) == true)
    // The name of the trusted key with another key's signature.
    let named = forged.json.setting("signature.key", record.json["signature"]?["key"])
    #expect(Set(findings(try DecisionRecord(bytes: named.canonical)).keys) == [.signature])
  }

  @Test("a damaged or missing signature, or one with another algorithm, is found")
  func signature() throws {
    let value = try #require(record.json["signature"]?["value"]?.string)
    let flipped = String(value.first == "A" ? "B" : "A") + value.dropFirst()
    for (path, replacement, wrong) in [
      ("signature.value", JSONValue.string(flipped), [.signature]),
      ("signature.value", "AAAA", [.signature, .schema]), ("signature.algorithm", "none", [.signature, .schema]),
      ("signature.key", "AAAA", [.signature, .signingKey, .schema]),
      ("signature", .null, [.signature, .signingKey, .schema]),
    ] as [(String, JSONValue, Set<RecordProperty>)] {
      let found = findings(try DecisionRecord(bytes: record.json.setting(path, replacement).canonical))
      #expect(Set(found.filter { $0.value.status == .failed }.keys) == wrong, "\(path)")
    }
  }

  @Test("a formatted or edited record is not in canonical form")
  func form() throws {
    let text = String(decoding: record.bytes, as: UTF8.self)
    let time = "\"at\":1763800000.01,"
    for changed in [
      text + "\n", " " + text, text.replacing(time, with: "\"at\":1763800000.010,"),
      text.replacing(time, with: "\"at\": 1763800000.01,"), text.replacing("case-17", with: "\u{5C}u0063ase-17"),
      text.replacing(time + "\"call\":\"start\"", with: "\"call\":\"start\",\"at\":1763800000.01"),
    ] {
      #expect(changed != text)
      let found = findings(try DecisionRecord(bytes: Array(changed.utf8)))
      #expect(Set(found.keys) == [.canonicalForm] && found[.canonicalForm]?.text.contains("byte") == true)
    }
  }

  @Test("a file that is not a record of a known version is rejected")
  func refused() throws {
    for (bytes, code) in [
      (Array(record.bytes.dropLast()), .damaged), ([], .damaged), (Array("[]".utf8), .unknownFormat),
      (Array("{}".utf8), .unknownFormat),
      (record.json.setting("schema", "faceverify-record-2").canonical, .unknownFormat),
      (Array(String(decoding: record.bytes, as: UTF8.self).replacing("\"library\"", with: "\"id\"").utf8), .damaged),
    ] as [([UInt8], VerifyError.Code)] {
      #expect(throws: VerifyError(code, "")) { try DecisionRecord(bytes: bytes) }
    }
  }

  @Test("a record that satisfies only the schema, or not even that, causes no crash")
  func hostile() throws {
    for text in [
      "{\"schema\":\"faceverify-record-1\"}", "{\"schema\":\"faceverify-record-1\",\"body\":[],\"signature\":7}",
      "{\"body\":{\"calls\":{},\"credentials\":[[]],\"events\":[1]},\"schema\":\"faceverify-record-1\",\"signature\":{}}",
    ] {
      let found = findings(try DecisionRecord(bytes: Array(text.utf8)))
      #expect(found[.schema]?.status == .failed && found[.signature]?.status == .failed)
    }
  }

  @Test("every file of the fuzzer's corpus is handled in time")
  func corpus() throws {
    let folder = Installed.root + "/Tests/fuzz/corpus/record"
    #expect(names(in: folder).count > 4)
    for name in names(in: folder) {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: 1 << 16)
      let time = seconds {
        if let record = try? DecisionRecord(bytes: bytes) {
          #expect(DecisionRecord.result(of: record.verify()) != .passed)
        }
        if let value = try? JSONValue(parsing: bytes) {
          #expect((try? JSONValue(parsing: value.canonical))?.canonical == value.canonical)
        }
        var archive = TarReader()
        try? archive.take(bytes) { name, _ in #expect(Tar.isGood(name)) }
      }
      #expect(time < 1, "\(name)")
    }
  }

  @Test("a record states its requirements, and warns of those that are not this version's")
  func policy() throws {
    #expect(record.policy["falseMatchRate"] == "1e-3" && record.policy["authentication"] == "standard")
    #expect(record.policy["selfieQuality"] == "selfie" && record.policy["assurance"]?["binding"] == "supplied-photo")
    #expect(record.policy["presence"]?.elements.first?["policy"] == "standard" && record.warnings.isEmpty)
    for (path, value, warning) in [
      (
        "comparison.selfie.requirements", [:],
        "the quality of the selfie was judged by the policy \"selfie\", which is not"
      ),
      ("comparison.portrait.name", "mine", "by the policy \"mine\", which is none of this version's"),
      ("livenessPolicies.liveness.limit", 9, "liveness (liveness) was judged by the policy \"standard\", which is not"),
      ("authentication.leniencies", [], "passive authentication was judged by a policy that is none"),
      ("date", "2020-01-01", "judged for 2020-01-01; the record was made on 2025-11-22"),
      ("assurance.presence", "photo", "presence had to be proved to \"photo\" only, less than \"challenge-answered\""),
      ("assurance.document", "data-only", "a document had to be proved to \"data-only\" only"),
      ("assurance.binding", "same-picture", "portrait had to be proved to \"same-picture\" only"),
      ("assurance.accepted", ["page-only"], "\"page-only\" passed without an authenticated chip"),
    ] as [(String, JSONValue, String)] {
      let changed = try DecisionRecord(
        body: Self.body.setting("configuration." + path, value), signedBy: SigningKey(key))
      #expect(changed.warnings.count == 1 && changed.warnings[0].contains(warning), "\(path): \(changed.warnings)")
      #expect(changed.json(of: [])["warnings"]?.elements.count == 1)
    }
    let stronger = Self.body.setting("configuration.assurance.presence", "trusted-capture")
    #expect(try DecisionRecord(body: stronger, signedBy: SigningKey(key)).warnings.isEmpty)
  }

  @Test("an HSM can sign, and its signature is verified before a record is returned")
  func callback() throws {
    let inner = try SigningKey(key)
    let device = try SigningKey(publicKey: key.publicKey) { try inner.signature(of: $0) }
    #expect(try DecisionRecord(body: Self.body, signedBy: device).bytes == record.bytes)
    for wrong in [[], [UInt8](repeating: 0, count: 64)] {
      let broken = try SigningKey(publicKey: key.publicKey) { _ in wrong }
      #expect(throws: VerifyError(.internalFailure, "")) {
        try DecisionRecord(body: Self.body, signedBy: broken)
      }
    }
    let failing = try SigningKey(publicKey: key.publicKey) { _ in
      throw VerifyError(.timeout, "the device does not answer")
    }
    #expect(throws: VerifyError(.timeout, "")) { try DecisionRecord(body: Self.body, signedBy: failing) }
  }

  @Test("the published JSON Schema is the one that is enforced")
  func schema() throws {
    let path = Installed.root + "/docs/record.schema.json"
    let published = try JSONValue(parsing: RegularFile.read(path: path, maximumBytes: 1 << 20))
    #expect(
      published.text == DecisionRecord.jsonSchema.text,
      "write it anew: faceverify record schema > docs/record.schema.json")
  }

  private struct Case {
    let name: String
    let bytes: [UInt8]
    /// The check that fails; nil if the bytes are not a record.
    let check: String?

    init(_ name: String, _ bytes: [UInt8], _ check: String?) {
      (self.name, self.bytes, self.check) = (name, bytes, check)
    }
  }

  private func cases() throws -> [Case] {
    func signed(_ path: String, _ value: JSONValue?) throws -> [UInt8] {
      try DecisionRecord(body: Self.body.setting(path, value), signedBy: SigningKey(key)).bytes
    }
    func edited(_ text: String, _ other: String) -> [UInt8] {
      Array(String(decoding: record.bytes, as: UTF8.self).replacing(text, with: other).utf8)
    }
    func timeout(_ value: String) -> [UInt8] { edited("\"timeout\":900", "\"timeout\":" + value) }
    let forged = try DecisionRecord(body: Self.body, signedBy: SigningKey(PrivateKey(for: .signing)))
    let value = try #require(record.json["signature"]?["value"]?.string)
    // The last letter before the padding has 4 unused bits (RFC 4648, 3.5).
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let last = try #require(value.dropLast(2).last.flatMap { letters.firstIndex(of: $0) })
    let spare = value.dropLast(3) + String(letters[last + 1]) + "=="
    let zeros = Base64.standard.encode([UInt8](repeating: 0, count: 64))
    let deep = String(repeating: "[", count: 100_000)
    return [
      Case("formatted", record.bytes + [0x0A], "canonical-form"), Case("forged", forged.bytes, "signing-key"),
      Case("more", record.json.setting("signature.note", "x").canonical, "schema"),
      Case("spare bits", record.json.setting("signature.value", .string(String(spare))).canonical, "signature"),
      Case("zeroed", record.json.setting("signature.value", .string(zeros)).canonical, "signature"),
      Case("absent", record.json.setting("signature", nil).canonical, "signature"),
      Case("no object", record.json.setting("signature", 7).canonical, "signature"),
      Case("changed", record.json.setting("body.result.result", "failed").canonical, "signature"),
      Case("unknown member", try signed("note", "x"), "schema"), Case("missing", try signed("library", nil), "schema"),
      Case("another type", try signed("created", "now"), "schema"),
      Case("range", try signed("inputs.0.index", -1), "schema"),
      Case("fraction", try signed("inputs.0.index", 0.5), "schema"),
      Case("no day", try signed("configuration.date", "2020-13-01"), "schema"),
      Case("line feed", try signed("inputs.0.sha256", .string(String(repeating: "9", count: 64) + "\n")), "schema"),
      Case("not ASCII", try signed("models.set", "d\u{E9}faut"), "schema"),
      Case("another version", record.json.setting("schema", "faceverify-record-2").canonical, nil),
      Case("cut", record.bytes.dropLast(), nil), Case("empty", [], nil), Case("list", Array("[]".utf8), nil),
      Case("deep", Array((deep + String(repeating: "]", count: 100_000)).utf8), nil),
      Case("open", Array(deep.utf8), nil),
      Case("large", timeout(String(repeating: "9", count: 401)), nil), Case("infinite", timeout("1e999"), nil),
      Case("not a number", timeout("NaN"), nil), Case("surrogate", edited("case-17", "\\ud800"), nil),
      Case("twice", edited("\"library\"", "\"id\""), nil),
      Case("no UTF-8", record.bytes.map { $0 == 0x2D ? 0xFF : $0 }, nil),
      Case("with a mark", [0xEF, 0xBB, 0xBF] + record.bytes, nil),
    ]
  }

  @Test("an independent verifier in Python agrees", .needsProgram("/usr/lib/python3/dist-packages/jsonschema"))
  func independent() throws {
    var cases = try cases()
    for entry in cases {
      let read = try? DecisionRecord(bytes: entry.bytes)
      let failed = read?.verify(trusting: [key.publicKey]).filter { $0.status == .failed }.map(\.name.rawValue)
      #expect(failed?.contains(entry.check ?? "") == true || read == nil && entry.check == nil, "\(entry.name)")
    }
    for journey in RecordedJourney.allCases {
      let again = try DecisionRecord(body: journey.stored().body, signedBy: SigningKey(key))
      cases.append(Case(journey.rawValue, again.bytes, ""))
    }
    let kept = JourneyPlay.Kept()
    let journey = try DecisionRecord(
      body: RecordedJourney.passport.play(kept).journey.recordBody(), signedBy: SigningKey(key))
    let inputs = kept.files
    let picture = try Photo(bytes: inputs[3] ?? []).pixels().encodedAsPNG()
    try withTemporaryFolder { folder in
      // With its evidence, complete and with another picture.
      for (name, picture) in [("complete", picture), ("other", try Scripted.photo(.other).pixels().encodedAsPNG())] {
        let evidence = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: evidence + "/inputs", withIntermediateDirectories: true)
        try write(journey.bytes, to: "\(evidence)/\(EvidenceBundle.recordName)")
        for index in 0..<3 {
          try write(inputs[index] ?? [], to: "\(evidence)/\(EvidenceBundle.inputName(index, suffix: "bin"))")
        }
        try write(picture, to: "\(evidence)/\(EvidenceBundle.inputName(3, suffix: "rgb.png"))")
      }
      try write(Array(key.publicKey.pem.utf8), to: folder + "/key.pem")
      for (i, entry) in cases.enumerated() { try write(entry.bytes, to: "\(folder)/\(i)") }
      let program = """
        import contextlib, io, json, sys
        sys.path.insert(0, sys.argv[1])
        sys.dont_write_bytecode = True
        import verify
        folder = sys.argv[2]
        def run(file, *options):
          out = io.StringIO()
          with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = verify.main([f"{folder}/{file}", "--trusted-key", folder + "/key.pem", "--json", *options])
          problems = json.loads(out.getvalue())["problems"] if out.getvalue() else {}
          print(code, *(name for name, texts in problems.items() if texts))
        for i in range(int(sys.argv[3])):
          run(i)
        for name in ["complete", "other"]:
          run(name + "/record.json", "--evidence", f"{folder}/{name}")
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = ["-c", program, Installed.root + "/examples/record", folder, "\(cases.count)"]
      let out = Pipe()
      process.standardOutput = out
      try process.run()
      let data = out.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
      try #require(lines.count == cases.count + 2)
      #expect(lines.suffix(2) == [["0"], ["1", "inputs"]], "\(lines.suffix(2))")
      for (entry, line) in zip(cases, lines) {
        switch entry.check {
        case ""?: #expect(line == ["0"], "\(entry.name): \(line)")
        case let check?:
          #expect(line[0] == "1" && line.dropFirst().contains(Substring(check)), "\(entry.name): \(line)")
        case nil: #expect(line == ["3"], "\(entry.name): \(line)")
        }
      }
    }
  }
}

extension JSONValue {
  /// Sets or removes the value at a path such as "inputs.0.sha256"; a path that ends in "+" appends to an array.
  func setting(_ path: String, _ value: JSONValue?) -> JSONValue {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? parts[1] : nil
    switch self {
    case .object(var members):
      members[parts[0]] = rest.map { (members[parts[0]] ?? [:]).setting($0, value) } ?? value
      return .object(members)
    case .array(var values):
      if parts[0] == "+" {
        values.append(value ?? .null)
      } else if let index = Int(parts[0]), values.indices.contains(index) {
        if let rest {
          values[index] = values[index].setting(rest, value)
        } else if let value {
          values[index] = value
        } else {
          values.remove(at: index)
        }
      }
      return .array(values)
    default: return self
    }
  }
}
