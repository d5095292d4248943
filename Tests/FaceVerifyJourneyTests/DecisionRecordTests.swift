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
  private let key: PrivateKey
  private let record: DecisionRecord

  init() throws {
    key = try Self.key.get()
    record = try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(key))
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
    #expect(findings(read).isEmpty && read.body.canonical == SampleRecord.body.canonical)
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
    #expect(try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(key)).bytes == record.bytes)
  }

  @Test("contradictions are found and named, even under a trusted key's signature", arguments: Contradiction.all)
  func signedContradiction(_ contradiction: Contradiction) throws {
    let found = findings(try DecisionRecord(body: contradiction.body, signedBy: SigningKey(key)))
    #expect(
      found.values.contains { $0.status == .failed && $0.text.contains("(rule \(contradiction.rule))") }, "\(found)")
    #expect(found[.signature] == nil && found[.signingKey] == nil && found[.canonicalForm] == nil)
  }

  @Test("any of these changes without the key invalidates the signature", arguments: Contradiction.all)
  func unsignedContradiction(_ contradiction: Contradiction) throws {
    let found = findings(try DecisionRecord(bytes: record.json.with("body", contradiction.body).canonical))
    #expect(found[.signature]?.text.contains("changed after it was signed") == true)
  }

  @Test("consistent records have no findings, whatever the outcome", arguments: GenuineRecord.all)
  func genuine(_ genuine: GenuineRecord) throws {
    let found = findings(try DecisionRecord(body: genuine.body, signedBy: SigningKey(key)))
    #expect(found.isEmpty, "\(found)")
  }

  @Test("the documentation lists each rule once, and each has a test vector")
  func listed() throws {
    let text = try String(contentsOfFile: Installed.root + "/docs/records.md", encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains(" | `") }
    let numbers = rows.compactMap { Int($0.dropFirst(2).prefix { $0 != " " }) }
    #expect(numbers == Array(1...34))
    // The others concern the file, and have separate tests: form, signature, key.
    #expect(Set(Contradiction.all.map(\.rule)) == Set(numbers).subtracting([1, 3, 4]))
    for name in RecordProperty.allCases { #expect(rows.contains { $0.contains("| `\(name)` |") }, "\(name)") }
  }

  @Test("a change that violates no rule invalidates the signature as well")
  func unseen() throws {
    for path in ["inputs.2.sha256", "models.files.0.sha256", "credentials.0.document.dataSha256"] {
      let changed = record.json.with("body." + path, .string(String(repeating: "9", count: 64)))
      let found = findings(try DecisionRecord(bytes: changed.canonical))
      #expect(Set(found.keys) == [.signature], "\(path)")
    }
  }

  @Test("a record signed again by another key is not trusted")
  func forged() throws {
    let other = try PrivateKey(for: .signing)
    let forged = try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(other))
    let found = findings(forged)
    #expect(Set(found.keys) == [.signingKey] && found[.signingKey]?.status == .failed)
    #expect(found[.signingKey]?.text.contains(other.publicKey.fingerprint) == true)
    // The name of the trusted key with another key's signature.
    let named = forged.json.with("signature.key", record.json["signature"]?["key"])
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
      let found = findings(try DecisionRecord(bytes: record.json.with(path, replacement).canonical))
      #expect(Set(found.filter { $0.value.status == .failed }.keys) == wrong, "\(path)")
    }
  }

  @Test("a formatted or edited record is not in canonical form")
  func form() throws {
    let text = String(decoding: record.bytes, as: UTF8.self)
    let time = "\"at\":1763820000,"
    for changed in [
      text + "\n", " " + text, text.replacing(time, with: "\"at\":1763820000.0,"),
      text.replacing(time, with: "\"at\": 1763820000,"), text.replacing("Terms", with: "\u{5C}u0054erms"),
      text.replacing(time + "\"call\":\"start\"", with: "\"call\":\"start\",\"at\":1763820000"),
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
      (Array("{}".utf8), .unknownFormat), (record.json.with("schema", "faceverify-record-2").canonical, .unknownFormat),
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

  @Test("calibrations are compared with those of the models, if known")
  func calibration() throws {
    func check(_ change: (JSONValue) -> JSONValue = { $0 }) throws -> RecordCheck? {
      let calibration = try #require(try Scripted.engine.get().calibration)
      let body = SampleRecord.body.with("models.calibration", change(calibration.recordedCurves)).with([
        ("credentials.1.comparison.threshold.score", -3),
        ("credentials.1.liveness.checks.8.maximum", .number(try calibration.threshold(at: .oneIn100).score)),
        ("credentials.1.liveness.checks.8.value", -9),
        ("credentials.1.comparison.comparison.falseMatchRateUpperBound", 7.53e-5),
      ])
      let record = try DecisionRecord(body: body, signedBy: SigningKey(key))
      #expect(record.verify().first { $0.name == .thresholds }?.status == .passed)
      return record.verify(calibration: calibration).first { $0.name == .thresholds }
    }
    #expect(try check()?.status == .passed)
    let moved = try check { $0.with("page.0.score", -7) }
    #expect(moved?.status == .failed && moved?.text.contains("(rule 22)") == true)
    // The limits of this version's signals are known as well.
    let own = JSONValue.string(FaceVerifyVersion.string)
    let made = SampleRecord.body.with([
      ("library", own), ("credentials.1.liveness.version", own), ("credentials.1.comparison.version", own),
    ])
    let limits = try DecisionRecord(body: made, signedBy: SigningKey(key)).verify().first { $0.name == .thresholds }
    #expect(limits?.status == .failed && limits?.text.contains("(rule 18)") == true)
  }

  @Test("a record states its requirements, and detects a policy that only has a preset's name")
  func policy() throws {
    #expect(record.policy["falseMatchRate"] == "1e-3" && record.policy["authentication"] == "standard")
    #expect(record.policy["selfieQuality"] == "selfie" && record.policy["trust"]?["isGiven"] == true)
    let policies = (record.policy["presence"]?.elements ?? []).map { $0["policy"] }
    #expect(policies == ["standard (not this version's)"])
    let weak = SampleRecord.body.with([
      ("configuration.comparison.selfie.requirements", [:]), ("configuration.authentication.leniencies", []),
    ])
    let policy = try DecisionRecord(body: weak, signedBy: SigningKey(key)).policy
    #expect(policy["selfieQuality"] == "selfie (not this version's)" && policy["authentication"] == "custom")
  }

  @Test("an HSM can sign, and its signature is verified before a record is returned")
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

  @Test("the published JSON Schema is the one that is enforced")
  func schema() throws {
    let path = Installed.root + "/docs/record.schema.json"
    let published = try JSONValue(parsing: RegularFile.read(path: path, maximumBytes: 1 << 20))
    #expect(
      published.text == DecisionRecord.jsonSchema.text,
      "write it anew: faceverify record schema > docs/record.schema.json")
  }

  @Test("the published tables are those that are applied")
  func tables() throws {
    let path = Installed.root + "/docs/record.tables.json"
    let published = try JSONValue(parsing: RegularFile.read(path: path, maximumBytes: 1 << 20))
    // Manifest and calibrations are in the repository, networks need not be installed.
    #expect(
      published.text == (try DecisionRecord.tables(modelsFolder: Installed.root + "/models")).text,
      "write it anew: faceverify record schema --tables > docs/record.tables.json")
    // Every policy of this version asks for what the table needs.
    for row in RecordTables.presence {
      for policy in row.modes.compactMap(\.livenessPolicy) {
        #expect(policy.required.isSuperset(of: row.required))
        #expect(policy.fatal.isSuperset(of: row.fatal))
      }
    }
    let thresholds = [SamePicture.thresholds.photos, SamePicture.thresholds.frames]
    #expect([RecordTables.samePicture["photos"]?[0], RecordTables.samePicture["frames"]?[0]] == thresholds)
  }

  @Test("an independent verifier in Python agrees", .needsProgram("/usr/bin/python3"))
  func independent() throws {
    func signed(_ body: JSONValue) throws -> [UInt8] { try DecisionRecord(body: body, signedBy: SigningKey(key)).bytes }
    let forged = try DecisionRecord(body: SampleRecord.body, signedBy: SigningKey(PrivateKey(for: .signing)))
    let source = String(decoding: record.bytes, as: UTF8.self)
    let value = try #require(record.json["signature"]?["value"]?.string)
    /// The last letter before the padding has 4 unused bits (RFC 4648, 3.5).
    let spare = try #require(
      value.dropLast(2).last.flatMap { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".after($0) })
    let deep = String(repeating: "[", count: 100_000)
    /// Bytes, and the rule that they violate; nil if they are not a record.
    typealias Case = (name: String, bytes: [UInt8], rule: Int?)
    func edited(_ text: String, _ other: String) -> [UInt8] { Array(source.replacing(text, with: other).utf8) }
    func nines(_ value: String) -> [UInt8] { edited("\"timeout\":900", "\"timeout\":" + value) }
    let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    let closed = deep + String(repeating: "]", count: 100_000)
    let zeros = Base64.standard.encode([UInt8](repeating: 0, count: 64))
    let spareBits = value.dropLast(3) + String(spare) + "=="
    var records: [Case] = [
      ("formatted", record.bytes + [0x0A], 1), ("forged", forged.bytes, 4),
      ("unsigned", record.json.with("signature.note", "x").canonical, 2),
      ("spare bits", record.json.with("signature.value", .string(String(spareBits))).canonical, 3),
      ("zeroed", record.json.with("signature.value", .string(zeros)).canonical, 3),
      ("absent", record.json.with("signature", nil).canonical, 3),
      ("no object", record.json.with("signature", 7).canonical, 3),
      ("another version", record.json.with("schema", "faceverify-record-2").canonical, 2),
      ("cut", record.bytes.dropLast(), nil), ("empty", [], nil), ("text", Array("[]".utf8), nil),
      ("deep", Array(closed.utf8), nil), ("open", Array(deep.utf8), nil),
      ("deep member", edited("\"order 17\"", nested), nil),
      ("large", nines(String(repeating: "9", count: 401)), nil),
      ("infinite", nines("1e999"), nil),
      ("not a number", nines("NaN"), nil),
      ("surrogate", edited("order 17", "\\ud800"), nil),
      ("twice", edited("\"library\"", "\"id\""), nil),
      ("no UTF-8", Array(source.utf8).map { $0 == 0x2D ? 0xFF : $0 }, nil),
      ("with a mark", [0xEF, 0xBB, 0xBF] + record.bytes, nil),
    ]
    for (i, contradiction) in Contradiction.all.enumerated() {
      records.append(("\(i) \(contradiction)", try signed(contradiction.body), contradiction.rule))
      records.append(("unsigned \(i)", record.json.with("body", contradiction.body).canonical, 3))
    }
    for genuine in GenuineRecord.all { records.append((genuine.title, try signed(genuine.body), 0)) }
    // Swift's findings.
    for record in records {
      let read = try? DecisionRecord(bytes: record.bytes)
      let result = read.map { DecisionRecord.result(of: $0.verify(trusting: [key.publicKey])) }
      #expect(record.rule == 0 ? result == .passed : result == .failed || result == nil, "\(record.name)")
    }
    try withTemporaryFolder { folder in
      try write(Array(key.publicKey.pem.utf8), to: folder + "/key.pem")
      for (i, record) in records.enumerated() { try write(record.bytes, to: "\(folder)/\(i)") }
      let program = """
        import contextlib, io, sys
        sys.path.insert(0, sys.argv[1])
        sys.dont_write_bytecode = True
        import verify
        def run(*arguments):
          out = io.StringIO()
          with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = verify.main(*arguments)
          print(code, out.getvalue().replace("\\n", "; "))
        folder, count = sys.argv[2], int(sys.argv[3])
        for i in range(count):
          run(f"{folder}/{i}", folder + "/key.pem")
        last = f"{folder}/{count - 1}"
        run(last)
        run(folder + "/none")
        run(last, last)
        # With the command openssl, too.
        sys.modules["cryptography"] = sys.modules["cryptography.exceptions"] = None
        run(last, folder + "/key.pem")
        run(folder + "/4", folder + "/key.pem")
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = ["-c", program, Installed.root + "/examples/record", folder, "\(records.count)"]
      let out = Pipe()
      process.standardOutput = out
      try process.run()
      let data = out.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
      try #require(lines.count == records.count + 5)
      for (record, line) in zip(records, lines) {
        switch record.rule {
        case 0?: #expect(line.hasPrefix("0 right"), "\(record.name): \(line)")
        case let rule?: #expect(line.hasPrefix("1 ") && line.contains("rule \(rule):"), "\(record.name): \(line)")
        case nil: #expect(line.hasPrefix("1 this is no record"), "\(record.name): \(line)")
        }
      }
      #expect(lines.suffix(5).map { $0.prefix(1) } == ["4", "3", "3", "0", "1"], "\(lines.suffix(5))")
    }
  }
}

extension String {
  fileprivate func after(_ letter: Character) -> Character? {
    firstIndex(of: letter).map { index(after: $0) }.flatMap { $0 < endIndex ? self[$0] : nil }
  }
}
