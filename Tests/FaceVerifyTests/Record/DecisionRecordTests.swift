import Foundation
import TestSupport
import Testing

@testable import FaceVerify

@Suite("Decision records")
struct DecisionRecordTests {
  private static let key = Result { try PrivateKey(for: .signing) }
  private let key: PrivateKey
  private let record: DecisionRecord

  init() throws {
    key = try Self.key.get()
    record = try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(key))
  }

  /// What is not passed, by its name.
  private func findings(_ record: DecisionRecord, trusting keys: [PublicKey]? = nil) -> [RecordCheck.Name: RecordCheck]
  {
    let checks = record.verify(trusting: keys ?? [key.publicKey])
    #expect(checks.map(\.name) == RecordCheck.Name.allCases)
    return Dictionary(uniqueKeysWithValues: checks.filter { $0.status != .passed }.map { ($0.name, $0) })
  }

  @Test("a record that was written is read, and nothing is wrong with it")
  func right() throws {
    let read = try DecisionRecord(bytes: record.bytes)
    #expect(findings(read).isEmpty && read.body.canonical == SampleRecord.body.canonical)
    #expect(DecisionRecord.result(of: read.verify(trusting: [key.publicKey])) == .passed)
    #expect(read.signer == key.publicKey && read.signer?.fingerprint == key.publicKey.fingerprint)
  }

  @Test("without a trusted key, whose record it is is not checked")
  func untrusted() throws {
    let found = findings(record, trusting: [])
    #expect(found.count == 1 && found[.signingKey]?.status == .notChecked)
    #expect(found[.signingKey]?.text.contains(key.publicKey.fingerprint) == true)
    #expect(DecisionRecord.result(of: record.verify()) == .notChecked)
  }

  @Test("the same content gives the same bytes")
  func deterministic() throws {
    #expect(try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(key)).bytes == record.bytes)
  }

  /// A changed body that whoever owns the trusted key signed: what it says does not fit together.
  struct Tampering: CustomTestStringConvertible, Sendable {
    let title: String
    let edits: [(String, JSONValue?)]
    let name: RecordCheck.Name
    let text: String

    init(_ title: String, _ edits: [(String, JSONValue?)], _ name: RecordCheck.Name, _ text: String) {
      (self.title, self.edits, self.name, self.text) = (title, edits, name, text)
    }

    var testDescription: String { title }
    var body: JSONValue { edits.reduce(SampleRecord.body) { $0.with($1.0, $1.1) } }

    static let all: [Tampering] = [
      .init("a member is missing", [("calls", nil)], .schema, "record.body.calls is missing"),
      .init("a member is unknown", [("note", "x")], .schema, "record.body.note is not known"),
      .init("a result of another kind", [("credentials.0.result", "okay")], .schema, "credentials[0].result"),
      .init("a hash too short", [("inputs.0.sha256", "abc")], .schema, "inputs[0].sha256 is not 64"),
      .init(
        "a hash in capitals", [("inputs.0.sha256", .string(String(repeating: "A", count: 64)))], .schema, "inputs[0]"),
      .init("a time that is text", [("calls.0.at", "100")], .schema, "calls[0].at is not a number"),
      .init("a picture of no width", [("inputs.1.width", -1)], .schema, "inputs[1].width"),
      .init("an identifier that is no UUID", [("id", "17")], .schema, "record.body.id"),
      .init("an input taken out", [("inputs.1", nil)], .inputs, "body.inputs[1]"),
      .init("two inputs exchanged", [("inputs.0.index", 1), ("inputs.1.index", 0)], .inputs, "body.inputs[0]"),
      .init("an input that nobody used", [("calls.6.inputs", [0])], .inputs, "no call has input 1"),
      .init("a chip's file that nobody used", [("calls.4.inputs", [])], .inputs, "no call has input 2"),
      .init("an input that is not there", [("calls.6.inputs", [99])], .inputs, "input 99, which is not there"),
      .init("a call before its time", [("calls.5.at", 102.5)], .order, "body.calls[5]"),
      .init("an event before its time", [("events.1.at", 99)], .order, "body.events[1]"),
      .init("a journey that does not end", [("events.2", nil)], .order, "finish once"),
      .init("a journey that ends twice", [("events.+", ["at": 106, "event": "finished"])], .order, "2 times"),
      .init("an event behind the end", [("events.+", ["at": 106, "event": "step"])], .order, "the last event"),
      .init("an end that says otherwise", [("events.2.isSuccess", false)], .order, "isSuccess"),
      .init("an end at another time", [("events.2.at", 105.5)], .order, "last call's time"),
      .init("consent taken out", [("calls.1", nil)], .consents, "consent to item 0"),
      .init("consent refused", [("calls.1.isGiven", false)], .consents, "consent to item 0"),
      .init("consent to something else", [("calls.1.item", 1)], .consents, "consents to nothing"),
      .init(
        "consent given afterwards",
        [
          ("calls.1", ["at": 101, "call": "tick"]),
          ("calls.4", ["at": 103.5, "call": "consent", "item": 0, "isGiven": true]),
        ],
        .consents, "body.calls[2]"),
      .init(
        "another item to consent to", [("configuration.consents.+", ["text": "More", "isActive": true])], .consents,
        "item 1"),
      .init("other models", [("credentials.1.comparison.models.revision", "2")], .models, "comparison.models.revision"),
      .init("other models, all of them", [("models.identifier", "other")], .models, "liveness.models.identifier"),
      .init("another version", [("library", "0.3.0")], .models, "version is not that"),
      .init(
        "a better score", [("credentials.1.comparison.comparison.score", .number(-1.5))], .thresholds, "the score -1.5"),
      .init(
        "another threshold", [("credentials.1.comparison.threshold.score", .number(-5))], .thresholds, "threshold -5.0"),
      .init("a match that is none", [("credentials.1.comparison.comparison.match", false)], .thresholds, "match"),
      .init("a comparison without a score", [("credentials.1.comparison.comparison", .null)], .thresholds, "no score"),
      .init(
        "a signal beyond its limit", [("credentials.1.liveness.checks.2.value", 13)], .thresholds, "the signal moire"),
      .init("a limit moved", [("credentials.1.liveness.checks.0.minimum", 0.95)], .thresholds, "the signal texture"),
      .init(
        "a signal without a value", [("credentials.1.liveness.checks.0.value", .null)], .thresholds, "without a value"),
      .init(
        "a failure not told", [("credentials.1.liveness.checks.2.status", "not-checked")], .thresholds,
        "the signal moire"),
      .init(
        "a signal twice",
        [("credentials.1.liveness.checks.3.signal", "moire"), ("credentials.1.liveness.checks.3.value", 1)],
        .thresholds, "moire twice"),
      .init("a required signal taken out", [("credentials.1.liveness.checks.1", nil)], .thresholds, "observation-time"),
      .init(
        "a fatal signal forgiven",
        [("credentials.1.liveness.checks.0.value", 0.1), ("credentials.1.liveness.checks.0.status", "failed")],
        .thresholds,
        "those of an attack"),
      .init(
        "an attack out of nothing", [("credentials.1.liveness.result", "presentation-attack")], .thresholds, "not those"
      ),
      .init("another result of a person", [("credentials.1.result", "failed")], .credentials, "must be passed"),
      .init(
        "liveness not decided", [("credentials.1.liveness.result", "undecided")], .credentials, "must be not-checked"),
      .init(
        "a comparison taken out", [("credentials.1.comparison", .null)],
        .credentials,
        "must be not-checked"),
      .init(
        "a document that proves nothing",
        [
          ("credentials.0.document.mayMatch", false), ("credentials.1.comparison.document.mayMatch", false),
        ], .thresholds, "must be refused"),
      .init("a document that proves more", [("credentials.0.document.mayMatch", false)], .credentials, "another thing"),
      .init("a refusal out of nothing", [("credentials.1.comparison.result", "refused")], .thresholds, "must be match"),
      .init("a result taken out", [("credentials.1.result", .null)], .credentials, "not none"),
      .init("a document that failed", [("credentials.0.document.result", "failed")], .credentials, "credentials[0]"),
      .init(
        "another person's template",
        [("credentials.1.liveness.template.sha256", .string(String(repeating: "0", count: 64)))],
        .credentials, "another template"),
      .init("a pass out of failures", [("credentials.0.result", "failed")], .result, "must be failed"),
      .init("a pass out of nothing", [("credentials", [])], .result, "must be not-checked"),
      .init("success that is none", [("result.isSuccess", false)], .result, "isSuccess and error"),
      .init(
        "an error that was hidden",
        [("result.error", ["code": "G000000", "message": "Cancelled", "isRetryable": false])], .result,
        "isSuccess and error"),
    ]
  }

  @Test("what does not fit together is found and named, also if a trusted key signed it", arguments: Tampering.all)
  func signedTampering(_ tampering: Tampering) throws {
    let found = findings(try DecisionRecord(body: tampering.body, signedBy: SigningKey(key)))
    #expect(found[tampering.name]?.status == .failed, "\(found)")
    #expect(found[tampering.name]?.text.contains(tampering.text) == true, "\(found[tampering.name]?.text ?? "")")
    #expect(found[.signature] == nil && found[.signingKey] == nil && found[.canonicalForm] == nil)
  }

  @Test("any of these changes without the key breaks the signature", arguments: Tampering.all)
  func unsignedTampering(_ tampering: Tampering) throws {
    let found = findings(try DecisionRecord(bytes: record.json.with("body", tampering.body).canonical))
    #expect(found[.signature]?.text.contains("changed after it was signed") == true)
  }

  @Test("so does a change that no rule sees")
  func unseen() throws {
    for path in ["inputs.1.sha256", "models.files.0.sha256", "credentials.1.liveness.selfie.sha256"] {
      let changed = record.json.with("body." + path, .string(String(repeating: "9", count: 64)))
      let found = findings(try DecisionRecord(bytes: changed.canonical))
      #expect(Set(found.keys) == [.signature], "\(path)")
    }
  }

  @Test("a record that somebody else signed anew is not trusted")
  func forged() throws {
    let other = try PrivateKey(for: .signing)
    let forged = try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(other))
    let found = findings(forged)
    #expect(Set(found.keys) == [.signingKey] && found[.signingKey]?.status == .failed)
    #expect(found[.signingKey]?.text.contains(other.publicKey.fingerprint) == true)
    // The name of the trusted key under another's signature.
    let named = forged.json.with("signature.key", record.json["signature"]?["key"])
    #expect(Set(findings(try DecisionRecord(bytes: named.canonical)).keys) == [.signature])
  }

  @Test("a signature that is damaged, of another algorithm, or missing is found")
  func signature() throws {
    let value = try #require(record.json["signature"]?["value"]?.string)
    let flipped = String(value.first == "A" ? "B" : "A") + value.dropFirst()
    for (path, replacement, wrong) in [
      ("signature.value", JSONValue.string(flipped), [.signature]),
      ("signature.value", "AAAA", [.signature, .schema]), ("signature.algorithm", "none", [.signature, .schema]),
      ("signature.key", "AAAA", [.signature, .signingKey, .schema]),
      ("signature", .null, [.signature, .signingKey, .schema]),
    ] as [(String, JSONValue, Set<RecordCheck.Name>)] {
      let found = findings(try DecisionRecord(bytes: record.json.with(path, replacement).canonical))
      #expect(Set(found.filter { $0.value.status == .failed }.keys) == wrong, "\(path)")
    }
  }

  @Test("a record that was formatted or edited is not in canonical form")
  func form() throws {
    let text = String(decoding: record.bytes, as: UTF8.self)
    for changed in [
      text + "\n", " " + text, text.replacing("\"at\":100,", with: "\"at\":100.0,"),
      text.replacing("\"at\":100,", with: "\"at\": 100,"), text.replacing("Terms", with: "\u{5C}u0054erms"),
      text.replacing("\"at\":100,\"call\":\"start\"", with: "\"call\":\"start\",\"at\":100"),
    ] {
      #expect(changed != text)
      let found = findings(try DecisionRecord(bytes: Array(changed.utf8)))
      #expect(Set(found.keys) == [.canonicalForm] && found[.canonicalForm]?.text.contains("byte") == true)
    }
  }

  @Test("what is no record of a known version is refused")
  func refused() throws {
    for (bytes, code) in [
      (Array(record.bytes.dropLast()), .damaged), ([], .damaged), (Array("[]".utf8), .unknownFormat),
      (Array("{}".utf8), .unknownFormat), (record.json.with("schema", "faceverify-record-2").canonical, .unknownFormat),
      (Array(String(decoding: record.bytes, as: UTF8.self).replacing("\"library\"", with: "\"id\"").utf8), .damaged),
    ] as [([UInt8], VerifyError.Code)] {
      #expect(throws: VerifyError(code, "")) { try DecisionRecord(bytes: bytes) }
    }
  }

  @Test("a record of which only the schema is right, or not even that, is judged without a crash")
  func hostile() throws {
    for text in [
      "{\"schema\":\"faceverify-record-1\"}", "{\"schema\":\"faceverify-record-1\",\"body\":[],\"signature\":7}",
      "{\"body\":{\"calls\":{},\"credentials\":[[]],\"events\":[1]},\"schema\":\"faceverify-record-1\",\"signature\":{}}",
    ] {
      let found = findings(try DecisionRecord(bytes: Array(text.utf8)))
      #expect(found[.schema]?.status == .failed && found[.signature]?.status == .failed)
    }
  }

  @Test("every file of the fuzzer's corpus is answered in time")
  func corpus() throws {
    let folder = Installed.root + "/Tests/fuzz/corpus/record"
    #expect(names(in: folder).count > 4)
    for name in names(in: folder) {
      let bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: 1 << 16)
      let time = ContinuousClock().measure {
        if let record = try? DecisionRecord(bytes: bytes) {
          #expect(DecisionRecord.result(of: record.verify()) != .passed)
        }
        if let value = try? JSONValue(parsing: bytes) {
          #expect((try? JSONValue(parsing: value.canonical))?.canonical == value.canonical)
        }
        var archive = TarReader()
        try? archive.take(bytes) { name, _ in #expect(Tar.isGood(name)) }
      }
      #expect(time < .milliseconds(100), "\(name)")
    }
  }

  @Test("a face that nobody asked to compare passes by liveness alone")
  func uncompared() throws {
    let body = SampleRecord.body.with("configuration.comparesFace", false).with(
      "credentials.1.comparison", .null)
    #expect(findings(try DecisionRecord(body: body, signedBy: SigningKey(key))).isEmpty)
  }

  @Test("an HSM may sign, and what it gives is checked before a record leaves")
  func callback() throws {
    let inner = try SigningKey(key)
    let device = try SigningKey(publicKey: key.publicKey) { try inner.signature(of: $0) }
    #expect(try DecisionRecord(body: SampleRecord.body, signedBy: device).bytes == record.bytes)
    for wrong in [[], [UInt8](repeating: 0, count: 64)] {
      let broken = try SigningKey(publicKey: key.publicKey) { _ in wrong }
      #expect(throws: VerifyError(.internalFailure, "")) {
        try DecisionRecord(body: SampleRecord.body, signedBy: broken)
      }
    }
    let failing = try SigningKey(publicKey: key.publicKey) { _ in
      throw VerifyError(.timeout, "the device does not answer")
    }
    #expect(throws: VerifyError(.timeout, "")) { try DecisionRecord(body: SampleRecord.body, signedBy: failing) }
  }

  @Test("the published JSON Schema is the one that is checked")
  func schema() throws {
    let path = Installed.root + "/docs/record.schema.json"
    let published = try JSONValue(parsing: RegularFile.read(path: path, maximumBytes: 1 << 20))
    #expect(
      published.text == DecisionRecord.jsonSchema.text,
      "write it anew: faceverify record schema > docs/record.schema.json")
  }

  @Test("a verifier in Python that knows nothing of this library says the same", .needsProgram("/usr/bin/python3"))
  func independent() throws {
    try withTemporaryFolder { folder in
      try write(Array(key.publicKey.pem.utf8), to: folder + "/key.pem")
      let forged = try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(PrivateKey(for: .signing)))
      let uncompared = SampleRecord.body.with("configuration.comparesFace", false).with(
        "credentials.1.comparison", .null)
      var records: [(name: String, bytes: [UInt8], code: Int)] = [
        ("right", record.bytes, 0),
        ("uncompared", try DecisionRecord(body: uncompared, signedBy: SigningKey(key)).bytes, 0),
        ("forged", forged.bytes, 1), ("formatted", record.bytes + [0x0A], 1), ("cut", record.bytes.dropLast(), 1),
      ]
      for (i, tampering) in Tampering.all.enumerated() {
        records.append(("unsigned-\(i)", record.json.with("body", tampering.body).canonical, 1))
        // Its hundred lines have the main rules only.
        guard [.inputs, .consents, .result].contains(tampering.name) else { continue }
        records.append(("signed-\(i)", try DecisionRecord(body: tampering.body, signedBy: SigningKey(key)).bytes, 1))
      }
      for record in records { try write(record.bytes, to: "\(folder)/\(record.name)") }
      // With the package cryptography if there is one, and without.
      let program = """
        import contextlib, io, sys
        sys.path.insert(0, sys.argv[1])
        sys.dont_write_bytecode = True
        import verify
        codes = []
        with contextlib.redirect_stdout(io.StringIO()):
          for name in sys.argv[3:]:
            codes.append(verify.main(sys.argv[2] + "/" + name, sys.argv[2] + "/key.pem"))
          sys.modules["cryptography"] = sys.modules["cryptography.exceptions"] = None
          for name in sys.argv[3:6]:
            codes.append(verify.main(sys.argv[2] + "/" + name, sys.argv[2] + "/key.pem"))
          codes.append(verify.main(sys.argv[2] + "/" + sys.argv[3]))
        print(*codes)
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = ["-c", program, Installed.root + "/examples/record", folder] + records.map(\.name)
      let out = Pipe()
      process.standardOutput = out
      try process.run()
      let data = out.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let codes = String(decoding: data, as: UTF8.self).split { $0.isWhitespace }.compactMap { Int($0) }
      #expect(codes.count == records.count + 4)
      for (record, code) in zip(records, codes) { #expect(code == record.code, "\(record.name)") }
      #expect(codes.suffix(4) == [0, 0, 1, 4])
    }
  }
}
