import EngineTestSupport
import ScriptedModels
import TestSupport
import Testing

@testable import EmulatedChip
@testable import FaceVerify
@testable import FaceVerifyJourney

/// The owner of the key can sign anything. A replay refuses all that the evidence does not give.
@Suite("Forged records", .needsModels)
struct RecordForgeryTests {
  struct Forgery: Sendable, CustomTestStringConvertible {
    let title: String
    let journey: RecordedJourney
    /// Where the replay differs, among other places.
    let path: String
    let edits: [(String, JSONValue?)]
    var testDescription: String { title }

    init(_ title: String, _ journey: RecordedJourney, _ path: String, _ edits: (String, JSONValue?)...) {
      (self.title, self.journey, self.path, self.edits) = (title, journey, path, edits)
    }
  }

  private static let hash = JSONValue.string(String(repeating: "9", count: 64))
  private static let (document, face) = ("credentials.0", "credentials.1")

  static let all: [Forgery] = [
    .init("a consent dropped", .face, "body.calls[1]", ("calls.1", nil)),
    .init("a consent that was refused", .face, "body.calls[2]", ("calls.1.isGiven", false)),
    .init("a consent to another item", .face, "body.calls[1]", ("calls.1.item", 1)),
    .init("a credential's result", .passport, "body.credentials[1].result", ("\(face).result", "failed")),
    .init("the journey's result", .passport, "body.result.result", ("result.result", "not-checked")),
    .init(
      "a cancelled journey that passed", .cancelled, "body.result.result", ("result.result", "passed"),
      ("result.isComplete", true), ("result.error", .null)),
    .init("a credential that was never made", .cancelled, "body.credentials", ("credentials.+", never)),
    .init("a credential dropped", .passport, "body.credentials", ("\(face)", nil)),
    .init("a reason dropped", .passport, "body.result.reasons", ("result.reasons", [])),
    .init("a score", .passport, "body.credentials[1].comparison.comparison.score", score(0.5)),
    .init("a match", .passport, "body.credentials[1].comparison.result", ("\(face).comparison.result", "refused")),
    .init("a bound", .face, bound, ("credentials.0.comparison.comparison.falseMatchRateUpperBound", 1e-9)),
    .init("copies of one picture", .passport, "body.credentials[1].comparison.samePicture.score", copy(0.5)),
    .init(
      "a threshold", .passport, "body.credentials[1].comparison.threshold.score",
      ("\(face).comparison.threshold.score", -1)),
    .init(
      "a rate that was not configured", .passport, "body.credentials[1].comparison.threshold.rate",
      ("\(face).comparison.threshold.rate", "1e-2")),
    .init(
      "a configured rate", .passport, "body.credentials[1].comparison.threshold.rate",
      ("configuration.comparison.falseMatchRate", "1e-2")),
    .init("a calibration", .passport, "models.calibration.photo[0].rate", ("models.calibration.photo.0.rate", 1e-9)),
    .init("a model", .passport, "models.revision", ("models.revision", "2")),
    .init("a version", .passport, "library", ("library", "9.9.9")),
    .init(
      "a document's level", .passport, "body.credentials[0].document.assurance",
      ("\(document).document.assurance", "chip-authentic")),
    .init(
      "a credential's level", .passport, "body.credentials[0].assurance.document",
      ("\(document).assurance.document", "chip-authentic")),
    .init(
      "the presence proved", .passport, "body.result.assurance.presence",
      ("result.assurance.presence", "challenge-answered")),
    .init("a required level", .passport, "body.result.result", ("configuration.assurance.presence", "passive-video")),
    .init(
      "the presence of a face", .passport, "body.credentials[1].liveness.presence",
      ("\(face).liveness.presence", "challenge-answered")),
    .init("a document's check", .passport, "body.credentials[0].document.checks[1].status", check("failed")),
    .init("a field", .passport, "body.credentials[0].document.fields.surname", field("failed")),
    .init(
      "a day of judgement", .passport, "body.credentials[0].document.date", ("\(document).document.date", "2020-01-01")),
    .init(
      "another day for all", .passport, "body.credentials[0].document.result", ("configuration.date", "2036-01-01")),
    .init("other trust anchors", .passport, "body.configuration.trust.sha256", ("configuration.trust.sha256", hash)),
    .init("a portrait", .passport, "body.credentials[0].document.portraitSha256", portrait),
    .init("data", .passport, "body.credentials[0].document.dataSha256", ("\(document).document.dataSha256", hash)),
    .init("personal data", .passport, "body.credentials[0].document.data", ("\(document).document.data", "x")),
    .init("an accepted kind", .licence, "body.credentials[0].result", ("configuration.assurance.accepted", [])),
    .init("a signal", .face, "body.credentials[0].liveness.checks[0].status", signal("status", "failed")),
    .init("a signal's limit", .face, "body.credentials[0].liveness.checks[0].minimum", signal("minimum", -7)),
    .init("a signal's value", .face, "body.credentials[0].liveness.checks[0].value", signal("value", 77)),
    .init(
      "a movement that was declined", .face, "body.credentials[0].hasDeclined", ("credentials.0.hasDeclined", true)),
    .init("an answer", .face, "body.credentials[0].liveness.answers", ("credentials.0.liveness.answers", [])),
    .init(
      "a template", .face, "body.credentials[0].liveness.template.sha256",
      ("credentials.0.liveness.template.sha256", hash)),
    .init("a configured nonce", .face, "body.calls[41]", ("configuration.nonce", nonce)),
    .init("a frame dropped", .face, "body.inputs", ("calls.20", nil)),
    .init("a call of another time", .passport, "body.events[0].at", ("calls.0.at", .number(JourneyPlay.start + 0.005))),
    .init("a call that goes back in time", .passport, "body.calls[2]", ("calls.2.at", .number(JourneyPlay.start))),
    .init("a call after the deadline", .passport, "body.calls[0]", ("created", .number(JourneyPlay.start - 61))),
    .init("a call that was not due", .passport, "body.calls[0]", ("calls.0", nil)),
    .init("another call at the end", .passport, "body.calls[11]", ("calls.11.call", "pause")),
    .init("an event's time", .passport, "body.events[0].at", ("events.0.at", .number(JourneyPlay.start))),
    .init("an event dropped", .passport, "body.events", ("events.1", nil)),
    .init("an input that no call has", .passport, "body.inputs", ("inputs.+", input)),
    .init("an input's hash", .passport, "inputs[0]", ("inputs.0.sha256", hash)),
    .init("an input's name", .passport, "body.inputs[0].name", ("inputs.0.name", "EF.DG9")),
    .init("an input's size", .passport, "body.inputs[3].width", ("inputs.3.width", 1)),
    .init("an input of two calls", .face, "body.inputs[17].sha256", ("calls.20.inputs", [5])),
  ]

  private static let bound = "body.credentials[0].comparison.comparison.falseMatchRateUpperBound"
  private static let portrait: (String, JSONValue?) = ("\(document).document.portraitSha256", hash)
  private static let nonce: JSONValue = .string(String(repeating: "ab", count: 16))
  private static let never: JSONValue = [
    "category": "document", "result": .null, "assurance": .null, "hasDeclined": false, "reasons": [], "choice": .null,
    "modes": ["document": "file"], "liveness": .null, "comparison": .null, "document": .null,
  ]
  private static let input: JSONValue = ["index": 4, "kind": "photo", "sha256": hash, "width": 1, "height": 1]
  private static func score(_ score: Double) -> (String, JSONValue?) {
    ("\(face).comparison.comparison.score", .number(score))
  }
  private static func copy(_ score: Double) -> (String, JSONValue?) {
    ("\(face).comparison.samePicture.score", .number(score))
  }
  private static func check(_ status: String) -> (String, JSONValue?) {
    ("\(document).document.checks.1.status", .string(status))
  }
  private static func field(_ status: String) -> (String, JSONValue?) {
    ("\(document).document.fields.surname", .string(status))
  }
  private static func signal(_ member: String, _ value: JSONValue) -> (String, JSONValue?) {
    ("credentials.0.liveness.checks.0.\(member)", value)
  }

  private static let played = Result {
    try Dictionary(
      uniqueKeysWithValues: RecordedJourney.allCases.map { journey in
        let kept = JourneyPlay.Kept()
        return (journey, (body: try journey.play(kept).journey.recordBody(), files: kept.files))
      })
  }

  private func differences(
    _ journey: RecordedJourney, _ change: (JSONValue) -> JSONValue = { $0 },
    files: ([Int: [UInt8]]) -> [Int: [UInt8]] = { $0 }
  ) throws -> [JourneyReplay.Difference] {
    let played = try #require(try Self.played.get()[journey])
    let key = try PrivateKey(for: .signing)
    let record = try DecisionRecord(body: change(played.body), signedBy: SigningKey(key))
    #expect(DecisionRecord.result(of: record.verify(trusting: [key.publicKey])) == .passed)
    let files = files(played.files)
    let trust = journey == .passport ? EmulatedState.shared.trust() : TrustStore()
    return try JourneyReplay.differences(
      of: record, trusting: [key.publicKey], engine: Scripted.engine.get(), trust: trust, inputs: { files[$0.index] })
  }

  @Test("a genuine record is reproduced", arguments: RecordedJourney.allCases)
  func genuine(_ journey: RecordedJourney) throws { #expect(try differences(journey).isEmpty) }

  @Test("a signed record with changed content is refused", arguments: all)
  func content(_ forgery: Forgery) throws {
    let found = try differences(forgery.journey, { body in forgery.edits.reduce(body) { $0.setting($1.0, $1.1) } })
    #expect(found.contains { $0.path == forgery.path && !$0.isRounding }, "\(found)")
  }

  @Test("a signed record with events or frames in another order is refused")
  func order() throws {
    func swapped(_ body: JSONValue, _ list: String, _ a: Int, _ b: Int) -> JSONValue {
      let (first, second) = (body[list]?.elements[a], body[list]?.elements[b])
      return body.setting("\(list).\(a)", second).setting("\(list).\(b)", first)
    }
    let events = try differences(.passport, { swapped($0, "events", 1, 2) })
    #expect(events.contains { $0.path.hasPrefix("body.events[1]") }, "\(events)")
    let calls = try differences(.passport, { swapped($0, "calls", 2, 3) })
    #expect(calls.map(\.path) == ["body.calls[2]"])
    let inputs = try differences(.face, { swapped($0, "inputs", 10, 11) })
    #expect(inputs.map(\.path).contains("inputs[10]") && inputs.map(\.path).contains("inputs[11]"), "\(inputs)")
  }

  @Test("a record with other evidence is refused")
  func evidence() throws {
    for (journey, index) in [(RecordedJourney.passport, 1), (.passport, 3), (.licence, 1), (.face, 0)] {
      let missing = try differences(journey, files: { $0.filter { $0.key != index } })
      #expect(!missing.isEmpty, "\(journey) \(index)")
    }
    let other = try Scripted.photo(.other).pixels().encodedAsPNG()
    let person = try differences(.passport, files: { $0.merging([3: other]) { $1 } })
    #expect(
      person.contains { $0.path == "inputs[3]" } && person.contains { $0.path == "body.result.result" }, "\(person)")
    let chip = try differences(.passport, files: { $0.merging([1: $0[0] ?? []]) { $1 } })
    #expect(!chip.isEmpty)
    // The hash in the record is that of the other picture, too.
    let hash = JSONValue.string(sha256(try ScriptedPicture.other.pixels().rgb))
    let both = try differences(
      .passport, { $0.setting("inputs.3.sha256", hash) }, files: { $0.merging([3: other]) { $1 } })
    #expect(
      both.contains { $0.path == "body.result.result" } && !both.contains { $0.path.hasPrefix("inputs") }, "\(both)")
  }

  @Test("a value is rounded on its own side of its limit only, and a template is one person's")
  func rounding() throws {
    let comparison = try #require(
      try Self.played.get()[.face]?.body["credentials"]?.elements.first?["comparison"])
    let score = try #require(comparison["comparison"]?["score"]?.double)
    let path = "body.credentials[0].comparison"
    func isRounding(_ limit: Double) -> [Bool] {
      let now = comparison.setting("threshold.score", .number(limit))
      let recorded = now.setting("comparison.score", .number(score + 0.01))
      return JourneyReplay.found(recorded, now, at: path).map(\.isRounding)
    }
    #expect(
      isRounding(score + 0.005) == [false] && isRounding(score + 0.02) == [true] && isRounding(score - 0.02) == [true])
    // Written with four digits, it may be on either side.
    #expect(isRounding(score + 0.0005) == [true])
    func found(_ edits: (String, JSONValue?)...) throws -> [Bool] {
      try differences(.face, { body in edits.reduce(body) { $0.setting("credentials.0.\($1.0)", $1.1) } }).map(
        \.isRounding)
    }
    let near = ("comparison.comparison.score", JSONValue.number(score + 0.01))
    let (person, compared) = (("liveness.template.sha256", Self.hash), ("comparison.selfie.input.sha256", Self.hash))
    #expect(try found(near, person, compared) == [true, true, true])
    #expect(try found(near, person).allSatisfy { !$0 } && found(near, compared).allSatisfy { !$0 })
  }
}
