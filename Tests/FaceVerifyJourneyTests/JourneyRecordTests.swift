import EngineTestSupport
import Foundation
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Records of journeys")
struct JourneyRecordTests {
  private func finished(
    _ kept: JourneyPlay.Kept? = nil, _ change: (inout JourneyConfiguration) -> Void = { _ in }
  ) throws -> JourneyPlay {
    let play = try JourneyPlay(evidence: kept) {
      $0.portrait = .photo(try! Photo(bytes: Scripted.photo(.one).pixels().encodedAsPNG()))
      $0.consents = [.init("Your face is compared.", isActive: true)]
      $0.userReference = "case-17"
      change(&$0)
    }
    try play.call(.start, .consent(item: 0, isGiven: true))
    try play.passFace()
    try play.call(.finish)
    return play
  }

  private func record(_ play: JourneyPlay, key: PrivateKey? = nil) throws -> DecisionRecord {
    try DecisionRecord(
      body: play.journey.recordBody(), signedBy: SigningKey(try key ?? PrivateKey(for: .signing)))
  }

  // Rows: J32
  @Test("a journey's record is signed and has the form that readers expect")
  func made() throws {
    let key = try PrivateKey(for: .signing)
    let play = try finished()
    let record = try DecisionRecord(bytes: record(play, key: key).bytes)
    let checks = record.verify(trusting: [key.publicKey])
    #expect(DecisionRecord.result(of: checks) == .passed, "\(checks.filter { $0.status != .passed })")
    #expect(record.body["result"]?["result"] == "passed" && record.body["id"]?.string == play.journey.configuration.id)
    #expect(record.body["events"]?.elements.last?["event"] == "finished")
    for ended in [JourneyState.created, .scanning, .captured, .failed, .halted] {
      let play = try JourneyPlay.inState(ended)
      try play.call(.cancel)
      let checks = try self.record(play, key: key).verify(trusting: [key.publicKey])
      #expect(DecisionRecord.result(of: checks) == .passed, "\(ended): \(checks.filter { $0.status != .passed })")
    }
  }

  @Test("replaying the evidence reproduces the record, in 40 random journeys")
  func replayed() throws {
    for number in 0..<40 {
      let kept = JourneyPlay.Kept()
      let play = try JourneyPlay(evidence: kept) {
        $0.nonce = (0..<16).map { UInt8(truncatingIfNeeded: number * 31 + $0) }
        $0.challenges = ChallengeScript.standardChallenges
        if number % 3 == 0 { $0.portrait = .photo(try! Scripted.photo(number % 2 == 0 ? .one : .other)) }
        if number % 5 == 0 { $0.requests = [.init(.document), .init(.face)] }
        $0.documentModes = [.manual, .file]
        $0.maximumTries = 2
      }
      try play.call(.start)
      if number % 5 == 0 {
        try play.call(.startCredential(0), .startPart(.document, mode: .manual))
        try play.call(
          .frame(JourneyFrame(JourneyPlay.grey(UInt8(number)), time: 1)), .takePicture, .finishPart, .finishCredential)
      }
      let face = number % 5 == 0 ? 1 : 0
      try play.call(.startCredential(face), .startPart(.face, mode: nil))
      if number % 4 == 1 { try play.call(.pause, .resume) }
      if number % 7 == 3 { try play.call(.report(.offline), .retry) }
      try play.show(number % 4 == 2 ? DrawnPerson { $0.stubborn = .openMouth } : DrawnPerson())
      if number % 11 == 5 || play.state != .captured {
        try play.call(.cancel)
      } else {
        try play.call(.finishPart, .finishCredential, .finish)
      }
      let inputs = kept.files
      let differences = try JourneyReplay.differences(
        of: record(play), engine: Scripted.engine.get(), inputs: { inputs[$0.index] })
      #expect(differences.isEmpty, "\(number): \(differences.prefix(3))")
    }
  }

  @Test("a session whose frames are upside down is recorded and replayed as received")
  func rotated() throws {
    let kept = JourneyPlay.Kept()
    let play = try JourneyPlay(evidence: kept)
    try play.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    var person = DrawnPerson()
    for i in 0..<400 where play.state == .scanning {
      let picture = try person.next(play.journey.snapshot.feedback, rate: 10).pixels()
        .upright(rotation: 180, isMirrored: false)
      try play.call(.frame(JourneyFrame(picture, time: Double(i) / 10)), after: 0.1)
    }
    try play.call(.finishPart, .finishCredential, .finish)
    let record = try record(play)
    let liveness = record.body["credentials"]?.elements.first?["liveness"]
    let frames = liveness?["frames"]
    #expect(liveness?["result"] == "live" && frames?["rotation"] == 180)
    let inputs = kept.files
    let differences = try JourneyReplay.differences(
      of: record, engine: Scripted.engine.get(), inputs: { inputs[$0.index] })
    #expect(differences.isEmpty, "\(differences.prefix(3))")
  }

  @Test("a changed pixel, model, threshold, portrait or frame order is named")
  func tampered() throws {
    let kept = JourneyPlay.Kept()
    let play = try finished(kept)
    let body = try play.journey.recordBody()
    let inputs = kept.files
    let key = SigningKeyBox.key
    func differences(
      _ change: (inout JSONValue) -> Void = { _ in }, inputs: [Int: [UInt8]], engine: FaceEngine? = nil
    ) throws -> [String] {
      var body = body
      change(&body)
      return try JourneyReplay.differences(
        of: try DecisionRecord(body: body, signedBy: try SigningKey(key.get())),
        engine: try engine ?? Scripted.engine.get(), inputs: { inputs[$0.index] }
      ).map(\.path)
    }
    #expect(try differences(inputs: inputs).isEmpty)
    var pixel = inputs
    let picture = try Photo(bytes: try #require(inputs[20])).pixels()
    var rgb = picture.rgb
    rgb[rgb.count - 1] ^= 1
    pixel[20] = try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb).encodedAsPNG()
    #expect(try differences(inputs: pixel).contains("inputs[20]"))
    var portrait = inputs
    portrait[0] = try Scripted.photo(.other).pixels().encodedAsPNG()
    #expect(try differences(inputs: portrait).contains("inputs[0]"))
    var order = inputs
    (order[10], order[11]) = (inputs[11], inputs[10])
    #expect(try differences(inputs: order).filter { $0.hasPrefix("inputs") } == ["inputs[10]", "inputs[11]"])
    #expect(
      try differences({ $0.set(["credentials", 0, "comparison", "threshold", "score"], 9) }, inputs: inputs)
        == ["body.credentials[0].comparison.threshold.score"])
    // Rounding differences of other vector units are distinguished from alterations.
    func rounding(_ path: [any Sendable], _ value: JSONValue) throws -> [Bool] {
      var changed = body
      changed.set(path, value)
      return try JourneyReplay.differences(
        of: try DecisionRecord(body: changed, signedBy: try SigningKey(key.get())), engine: try Scripted.engine.get(),
        inputs: { inputs[$0.index] }
      ).map(\.isRounding)
    }
    let comparison: [any Sendable] = ["credentials", 0, "comparison"]
    let score = try #require(body["credentials"]?.elements[0]["comparison"]?["comparison"]?["score"]?.double)
    let limit = try #require(body["credentials"]?.elements[0]["comparison"]?["threshold"]?["score"]?.double)
    #expect(try rounding(comparison + ["comparison", "score"], .number(score + 0.01)) == [true])
    #expect(try rounding(comparison + ["comparison", "score"], .number(score + 0.03)) == [false])
    #expect(try rounding(comparison + ["threshold", "score"], .number(limit + 0.01)) == [false])
    #expect(try rounding(comparison + ["comparison", "falseMatchRate"], 0.5) == [false])
    #expect(try rounding(comparison + ["result"], "refused") == [false])
    #expect(try rounding(["configuration", "timeout"], .number(900.01)).allSatisfy { !$0 })
    #expect(
      try differences({ $0.set(["models", "revision"], "0123456789abcdef") }, inputs: inputs) == ["models.revision"])
    #expect(try differences({ $0.set(["library"], "9.9.9") }, inputs: inputs) == ["library"])
    #expect(
      try differences({ $0.set(["configuration", "comparison", "falseMatchRate"], "1e-2") }, inputs: inputs)
        .contains { $0.hasPrefix("body.credentials[0].comparison.threshold") })
    #expect(try differences({ $0.set(["result", "result"], "failed") }, inputs: inputs) == ["body.result.result"])
    #expect(try rounding(["credentials", 0, "liveness", "frames", "count"], 41) == [false])
    #expect(try differences(inputs: [:]) == ["body.configuration"])
    var missing = inputs
    missing[20] = nil
    #expect(try differences(inputs: missing).last.map { $0.hasPrefix("body.calls[") } == true)
    #expect(
      try differences({ $0.set(["inputs", 20, "width"], 1) }, inputs: inputs) == ["body.inputs[20].width"])
    let template = JSONValue.string(String(repeating: "0", count: 64))
    #expect(try rounding(["credentials", 0, "liveness", "template", "sha256"], template) == [false])
    installScriptedModels(as: ModelSet(rawValue: "scripted-2"))
    var other = FaceEngine.Configuration()
    other.modelSet = ModelSet(rawValue: "scripted-2")
    #expect(try differences(inputs: inputs, engine: FaceEngine(other)).first == "models.set")
  }

  @Test("a replay verifies the record itself before it reports agreement")
  func recordOfReplay() throws {
    let kept = JourneyPlay.Kept()
    let play = try finished(kept)
    let inputs = kept.files
    let key = try SigningKeyBox.key.get()
    let record = try record(play, key: key)
    func differences(_ record: JSONValue, trusting keys: [PublicKey]? = nil) throws -> [String] {
      try JourneyReplay.differences(
        of: DecisionRecord(bytes: record.canonical), trusting: keys ?? [key.publicKey], engine: Scripted.engine.get(),
        inputs: { inputs[$0.index] }
      ).map(\.path)
    }
    #expect(try differences(record.json).isEmpty && differences(record.json, trusting: []).isEmpty)
    #expect(try differences(record.json, trusting: [PrivateKey(for: .signing).publicKey]) == ["record.signing-key"])
    #expect(try differences(self.record(play).json) == ["record.signing-key"])
    func changed(_ path: [any Sendable], _ value: JSONValue) -> JSONValue {
      var json = record.json
      json.set(path, value)
      return json
    }
    let zeros = JSONValue.string(Base64.standard.encode([UInt8](repeating: 0, count: 64)))
    for (json, checks) in [
      (changed(["signature", "value"], zeros), ["signature"]),
      (changed(["signature"], .null), ["schema", "signature", "signing-key"]),
      (changed(["signature", "note"], "x"), ["schema"]), (changed(["note"], "x"), ["schema", "signature"]),
      (changed(["body", "id"], "0f3c8e1a-52a7-4c1e-9d55-0123456789ab"), ["signature"]),
      (changed(["body", "created"], .number(JourneyPlay.start - 1)), ["signature"]),
      (changed(["body", "identifiers", "userReference"], "another"), ["signature"]),
      (changed(["body", "calls", 0, "note"], "x"), ["schema", "signature"]),
    ] {
      #expect(try differences(json) == checks.map { "record.\($0)" })
    }
    // Members that the schema leaves room for, under the trusted key.
    for path: [any Sendable] in [["events", 0, "note"], ["credentials", 0, "liveness", "frames", "note"]] {
      var body = record.body
      body.set(path, "x")
      let signed = try DecisionRecord(body: body, signedBy: SigningKey(key))
      let found = try differences(signed.json)
      #expect(found.count == 1 && found[0].hasPrefix("body."), "\(path): \(found)")
    }
    let names = [EvidenceBundle.recordName] + kept.all.withLock { $0.map { EvidenceBundle.inputName($0.0) } }
    #expect(JourneyReplay.differences(of: record, files: names).isEmpty)
    #expect(
      JourneyReplay.differences(of: record, files: names.dropLast() + ["inputs/999999.bin"]).map(\.path)
        == [names.last, "inputs/999999.bin"])
  }

  @Test("a record states its policies in full, and its replay applies them")
  func policies() throws {
    let kept = JourneyPlay.Kept()
    let play = try finished(kept) {
      $0.authentication.leniencies.remove(.documentTypesMissing)
      $0.authentication.algorithms.append(
        .init(.sha1, in: .certificate, from: CalendarDate("2019-01-01"), .refuse))
      $0.authentication.maximumRevocationListAge = 30
      $0.comparison.selfie[.sharpness] = .init(atLeast: 0.123, refusedBelow: 0.01)
      $0.comparison.portrait = QualityPolicy(name: "mine", requirements: [.eyesOpen: .init(atMost: 0.9)])
      $0.livenessPolicies[.liveness] = try! LivenessPolicy(
        name: "mine", required: [.observationTime], fatal: [.texture], weights: [.moire: 0.125], limit: 0.7)
    }
    let record = try DecisionRecord(bytes: record(play).bytes)
    #expect(record.verify().allSatisfy { $0.status != .failed })
    #expect(record.body["configuration"]?["authentication"]?["maximumRevocationListAge"] == 30)
    #expect(record.policy["authentication"] == "custom" && record.policy["portraitQuality"] == "mine")
    #expect(record.warnings.count == 4)
    let again = try JourneyConfiguration(recorded: try #require(record.body["configuration"]))
    #expect(again.authentication.leniencies == play.journey.configuration.authentication.leniencies)
    #expect(again.authentication.algorithms == play.journey.configuration.authentication.algorithms)
    #expect(again.comparison.selfie == play.journey.configuration.comparison.selfie)
    #expect(again.livenessPolicies[.liveness] == play.journey.configuration.livenessPolicies[.liveness])
    let inputs = kept.files
    #expect(
      try JourneyReplay.differences(
        of: record, engine: Scripted.engine.get(), inputs: { inputs[$0.index] }
      ).isEmpty)
    // New members of a policy are recorded.
    guard case .object(let members) = AuthenticationPolicy.strict.jsonValue else { return }
    #expect(Set(Mirror(reflecting: AuthenticationPolicy.strict).children.map(\.label)) == Set(members.keys))
    #expect(Mirror(reflecting: ComparisonPolicy()).children.count == 3)
    #expect(Mirror(reflecting: QualityPolicy.Requirement()).children.count == 4)
    #expect(Mirror(reflecting: LivenessPolicy.strict).children.count == 5)
  }

  @Test("a configuration accepts policies by preset name, and only the liveness policies of its modes")
  func presets() throws {
    let named = try JourneyConfiguration(
      json: #"{"authentication": "strict", "comparison": {"selfie": "any", "portrait": "chip-portrait"}}"#)
    #expect(named.authentication.name == "strict" && named.comparison.selfie == .any)
    #expect(named.comparison.portrait == .chipPortrait)
    for text in [
      #"{"authentication": "lax"}"#, #"{"authentication": {}}"#, #"{"comparison": {"selfie": "none"}}"#,
      #"{"comparison": {"selfie": {"name": "x", "requirements": {"beauty": {}}}}}"#,
      #"{"authentication": {"leniencies": [], "algorithms": [{"weakness": "x"}], "maximumRevocationListAge": 1}}"#,
      #"{"livenessPolicies": {}}"#,
    ] {
      #expect(throws: VerifyError(.badArgument, ""), "\(text)") { try JourneyConfiguration(json: text) }
    }
  }

  // Rows: NV23
  @Test("clearing a result erases it, and no record can be made any more")
  func cleared() throws {
    // Tests/c/wiping.c verifies that pictures are overwritten in memory.
    let play = try JourneyPlay {
      $0.requests = [.init(.document)]
      $0.documentModes = [.file]
      $0.keepsPictures = true
      $0.portrait = try? .photo(plainPhoto())
    }
    #expect(play.journey.configuration.portrait != nil)
    try play.call(
      .start, .startCredential(0), .startPart(.document, mode: nil), .attach(plainPhoto()), .finishPart,
      .finishCredential, .finish)
    #expect(play.journey.result?.credentials.first?.pictures.count == 1)
    #expect(throws: LogicalError.self) { try JourneyPlay().journey.clear() }
    try play.journey.clear()
    let left = try #require(play.journey.result)
    #expect(play.journey.configuration.portrait == nil)
    #expect(left.isCleared && left.credentials.isEmpty && left.id == play.journey.configuration.id)
    #expect(throws: LogicalError.self) { _ = try play.journey.recordBody() }
  }

  // Rows: J81 NV16
  @Test("a record and its evidence survive an encrypted transfer unchanged")
  func bundle() throws {
    let kept = JourneyPlay.Kept()
    let play = try finished(kept)
    let recipient = try PrivateKey(for: .encryption)
    try withTemporaryFolder { folder in
      let path = folder + "/evidence.fvb"
      let writer = try EvidenceBundleWriter(path: path, recipient: recipient.publicKey)
      let inputs = kept.files
      for (index, bytes) in inputs.sorted(by: { $0.key < $1.key }) {
        try writer.add(bytes, as: EvidenceBundle.inputName(index, suffix: "bin"))
      }
      let record = try record(play)
      try writer.add(record.bytes, as: EvidenceBundle.recordName)
      try writer.finish()
      var files: [String: [UInt8]] = [:]
      try EvidenceBundle.read(path: path, key: recipient) { files[$0] = $1 }
      let again = try DecisionRecord(bytes: try #require(files[EvidenceBundle.recordName]))
      #expect(again.bytes == record.bytes)
      #expect(
        try JourneyReplay.differences(
          of: again, engine: Scripted.engine.get(),
          inputs: { files[EvidenceBundle.inputName($0.index, suffix: "bin")] }
        ).isEmpty)
    }
  }
}

enum SigningKeyBox {
  static let key = Swift.Result { try PrivateKey(for: .signing) }
}

extension JSONValue {
  /// Sets a value at a path of names and indices.
  mutating func set(_ path: [any Sendable], _ value: JSONValue) {
    guard let first = path.first else {
      self = value
      return
    }
    let rest = Array(path.dropFirst())
    switch (self, first) {
    case (.object(var members), let name as String):
      var member = members[name] ?? .null
      member.set(rest, value)
      members[name] = member
      self = .object(members)
    case (.array(var elements), let place as Int) where elements.indices.contains(place):
      elements[place].set(rest, value)
      self = .array(elements)
    default: break
    }
  }
}
