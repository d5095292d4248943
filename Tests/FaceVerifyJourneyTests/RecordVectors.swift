import EngineTestSupport
import TestSupport
import Testing

@testable import FaceVerify

/// A contradictory body, signed with the trusted key.
struct Contradiction: CustomTestStringConvertible, Sendable {
  /// Number in docs/records.md.
  let rule: Int
  let title: String
  let edits: [(String, JSONValue?)]

  init(_ rule: Int, _ title: String, _ edits: (String, JSONValue?)...) {
    (self.rule, self.title, self.edits) = (rule, title, edits)
  }

  var testDescription: String { "rule \(rule): \(title)" }
  var body: JSONValue { SampleRecord.body.with(edits) }

  private static let (id, face) = ("credentials.0", "credentials.1")
  private static let (document, liveness, comparison) =
    ("credentials.0.document", "credentials.1.liveness", "credentials.1.comparison")
  private static let error: JSONValue = ["code": "G000000", "message": "Cancelled", "isRetryable": false]
  private static func at(_ seconds: Double) -> JSONValue { SampleRecord.at(seconds) }
  private static func unchecked(_ check: String) -> JSONValue {
    ["name": .string(check), "status": "not-checked", "reason": "no-chip"]
  }
  private static let frame: JSONValue = ["at": at(5.75), "call": "frame", "time": 5]
  private static let failure: JSONValue = ["at": at(5), "event": "error", "error": error]

  static let all: [Contradiction] =
    [schema, inputs, order, requests, decisions, documents, results, assurance].flatMap(\.self)

  private static let session: JSONValue = [
    "access": "BAC", "pace": .null, "chipAuthentication": .null,
    "activeAuthentication": ["challenge": "00", "signature": "01", "status": "9000"],
    "chipAuthenticationMappings": [], "transcriptSHA256": SampleRecord.hash("7"), "commands": 40,
  ]

  private static let levels = (face: "\(face).assurance", result: "result.assurance")
  private static let assurance: [Contradiction] = [
    .init(24, "a match of two copies", ("\(comparison).samePicture.status", "failed")),
    .init(
      28, "a page that the policy does not accept", ("\(document).chip", .null), ("\(id).modes.chip", nil),
      ("\(document).portrait", "page"), ("\(document).checks.2", unchecked("mrz-matches-chip")),
      ("\(document).checks.3", unchecked("chip-read")), ("\(document).checks.4", unchecked("passive-authentication")),
      ("\(document).checks.6", unchecked("portrait-matches-chip"))),
    .init(30, "a document that the comparison makes better", ("\(comparison).document.assurance", "chip-authentic")),
    .init(31, "less presence than the policy asks for", ("configuration.assurance.presence", "trusted-capture")),
    .init(31, "less of a document than the policy asks for", ("configuration.assurance.document", "chip-authentic")),
    .init(31, "less binding than the policy asks for", ("configuration.assurance.binding", "enrolled-template")),
    .init(31, "a required light that was not observed", ("configuration.isLightRequired", true)),
    .init(20, "a movement that a call declined", ("calls.14.call", "decline"), ("calls.14.inputs", nil)),
    .init(31, "a movement that was declined", ("\(face).hasDeclined", true)),
    .init(31, "a document of another country", ("\(document).country", "AUT")),
    .init(34, "more presence than the mode proves", ("\(levels.face).presence", "trusted-capture")),
    .init(34, "more of a chip than was read", ("\(document).assurance", "chip-authentic")),
    .init(34, "less of a chip than was read", ("\(document).assurance", "page-seen")),
    .init(27, "a proof of a chip that was not read live", ("\(document).chipProof", "not-cloned")),
    .init(27, "a chip that was read live without a proof", ("calls.9.session", session)),
    .init(
      34, "a copy that is an original", ("calls.9.session", session), ("\(document).chipProof", "not-announced"),
      ("\(document).assurance", "chip-authentic")),
    .init(
      34, "an original that is a copy", ("calls.9.session", session), ("\(document).chipProof", "not-cloned")),
    .init(
      27, "a suspected copy that was read", ("calls.9.session", session), ("\(document).chipProof", "clone-suspected")),
    .init(
      27, "a proof without a protocol", ("calls.9.session", session.with("activeAuthentication", .null)),
      ("\(document).chipProof", "not-cloned")),
    .init(2, "an unknown proof", ("calls.9.session", session), ("\(document).chipProof", "genuine")),
    .init(2, "a session without its transcript", ("calls.9.session", session.with("transcriptSHA256", nil))),
    .init(34, "more binding than was compared", ("\(levels.face).binding", "enrolled-template")),
    .init(34, "a result with a higher presence level", ("\(levels.result).presence", "trusted-capture")),
    .init(34, "a result with a higher document level", ("\(levels.result).document", "chip-authentic")),
    .init(34, "a result with a higher binding level", ("\(levels.result).binding", "enrolled-template")),
  ]

  private static let schema: [Contradiction] = [
    .init(2, "a member is missing", ("calls", nil)),
    .init(2, "a member is unknown", ("note", "x")),
    .init(2, "a result of another kind", ("\(id).result", "okay")),
    .init(2, "a hash too short", ("inputs.0.sha256", "abc")),
    .init(2, "a hash in capitals", ("inputs.0.sha256", SampleRecord.hash("A"))),
    .init(2, "a time that is text", ("calls.0.at", "100")),
    .init(2, "a picture of no width", ("inputs.1.width", -1)),
    .init(2, "half an input", ("inputs.1.index", 0.5)),
    .init(2, "an identifier that is no UUID", ("id", "17")),
    .init(2, "consent that is text", ("calls.1.isGiven", "false")),
    .init(2, "an invalid date", ("\(document).date", "2025-02-30")),
    .init(2, "an unknown verdict", ("\(document).chip", "genuine")),
    .init(2, "a configuration without requests", ("configuration.requests", nil)),
    .init(2, "a policy by its name alone", ("configuration.authentication", "standard")),
    .init(2, "a quality policy by its name alone", ("configuration.comparison.selfie", "selfie")),
    .init(2, "a liveness policy by its name alone", ("configuration.livenessPolicies.liveness", "standard")),
    .init(2, "an unknown call", ("calls.1.call", "approve")),
    .init(2, "an unknown event", ("events.5.event", "approved")),
    .init(2, "an unknown setting", ("configuration.isLenient", true)),
    .init(2, "a removed setting", ("configuration.readsPages", nil)),
    .init(2, "a start deadline beyond its range", ("configuration.startBy", 901)),
    .init(2, "a timeout beyond its range", ("configuration.timeout", 3601)),
    .init(2, "no tries", ("configuration.maximumTries", 0)),
    .init(2, "a nonce that is too short", ("configuration.nonce", "00ff")),
    .init(
      2, "a reference that is too long", ("identifiers.userReference", .string(String(repeating: "x", count: 101)))),
    .init(2, "a country that only looks like another", ("\(id).choice.country", "\u{212A}OR")),
    .init(
      2, "a number instead of true", ("configuration.script", [["challenge": "blink", "hold": true, "pause": 1]])),
    .init(2, "personal data that was not requested", ("\(document).data", [:])),
  ]

  private static let inputs: [Contradiction] = [
    .init(5, "a removed input", ("inputs.1", nil)),
    .init(5, "two inputs exchanged", ("inputs.0.index", 1), ("inputs.1.index", 0)),
    .init(6, "an unused input", ("calls.14.inputs", [])),
    .init(6, "an unused file of a chip", ("calls.9.inputs", [])),
    .init(6, "a missing input", ("calls.14.inputs", [99])),
    .init(6, "an input that is used twice", ("calls.17.inputs", [1]), ("calls.17.call", "frame")),
    .init(6, "a photo as a frame", ("inputs.1.kind", "photo")),
    .init(6, "an input of a call that takes none", ("calls.18.inputs", [1]), ("calls.14.inputs", nil)),
    .init(
      7, "a portrait that was never given",
      ("configuration.portrait", ["kind": "photo", "sha256": SampleRecord.hash("1")])),
    .init(
      7, "an input as the portrait of a document", ("calls.0.inputs", [0]), ("calls.5.inputs", [])),
    .init(8, "more frames than were given", ("\(liveness).frames.count", 4)),
    .init(8, "a selfie that is not one of the frames", ("\(liveness).selfie.sha256", SampleRecord.hash("9"))),
    .init(8, "frames of another time", ("\(liveness).frames.last", 5)),
    .init(8, "a chip that was read without its signature", ("inputs.4.name", "EF.COM")),
    .init(6, "two files of a chip with one name", ("inputs.4.name", "EF.DG1")),
    .init(8, "live without a frame", ("\(liveness).frames.count", 0)),
    .init(
      8, "a chip without a file", ("inputs.3.kind", "photo"), ("inputs.4.kind", "photo"), ("inputs.5.kind", "photo"),
      ("calls.9.call", "attach")),
  ]

  private static let order: [Contradiction] = [
    .init(9, "a call before its time", ("calls.11.at", at(2.5))),
    .init(9, "an event before its time", ("events.3.at", at(-1))),
    .init(9, "a beginning after the first call", ("created", at(0.1))),
    .init(10, "a journey that does not end", ("events.7", nil)),
    .init(10, "a journey that ends twice", ("events.+", ["at": at(6), "event": "finished", "isComplete": true])),
    .init(10, "an event behind the end", ("events.+", ["at": at(6), "event": "tilt"])),
    .init(10, "an end with another result", ("events.7.isComplete", false)),
    .init(10, "an end without a result", ("events.7.isComplete", nil)),
    .init(10, "an end at another time", ("events.7.at", at(5.75))),
    .init(10, "a result of a journey that was cancelled", ("calls.18.call", "cancel")),
    .init(10, "no calls", ("calls", [])),
    .init(11, "a start that came too late", ("created", at(-61))),
    .init(11, "an end that came too late", ("calls.18.at", at(901)), ("events.7.at", at(901))),
    .init(
      11, "a changed timeout", ("configuration.timeout", 30), ("calls.18.at", at(31)), ("events.7.at", at(31))),
    .init(12, "a removed consent", ("calls.1", nil)),
    .init(12, "consent refused", ("calls.1.isGiven", false)),
    .init(12, "consent to something else", ("calls.1.item", 1)),
    .init(
      12, "consent given afterwards", ("calls.1", ["at": at(1), "call": "tick"]),
      ("calls.11", ["at": at(3.75), "call": "consent", "item": 0, "isGiven": true])),
    .init(12, "withdrawn consent", ("calls.11", ["at": at(3.75), "call": "consent", "item": 0, "isGiven": false])),
    .init(
      12, "another item to consent to",
      ("configuration.consents.+", ["text": "More", "isActive": true, "url": .null, "link": .null])),
    .init(12, "a credential before the start", ("calls.0.call", "tick")),
  ]

  private static let requests: [Contradiction] = [
    .init(13, "a requested face is missing", (face, nil)),
    .init(13, "a requested document is missing", (id, nil)),
    .init(
      13, "a request added",
      ("configuration.requests.+", ["category": "face", "countries": [], "types": [], "variants": []])),
    .init(13, "a credential that was not requested", ("configuration.requests.1", nil)),
    .init(13, "credentials together with an error", ("result.error", error), ("result.isComplete", false)),
    .init(13, "other requests in the events", ("events.0.requests", [])),
    .init(14, "frames before a part", ("calls.13.call", "frame")),
    .init(
      14, "frames after the end of a credential", ("calls.18", frame),
      ("calls.+", SampleRecord.body["calls"]?.elements.last)),
    .init(14, "a journey that starts twice", ("calls.1.call", "start")),
    .init(14, "a part that was not finished", ("calls.16.call", "tick")),
    .init(14, "an end in the middle", ("calls.11.call", "finish")),
    .init(14, "another mode than requested by the call", ("calls.13.mode", "passive")),
    .init(14, "an unhandled error", ("events.5", failure)),
    .init(14, "a part whose event is missing", ("events.4", nil)),
    .init(15, "another mode than in the events", ("events.4.mode", "strict")),
    .init(15, "a fallback that was not used", ("events.5", ["at": at(5), "event": "fallback", "mode": "passive"])),
    .init(
      15, "the policy of a mode that is not allowed", ("configuration.livenessPolicies.passive", SampleRecord.policy)),
    .init(15, "a page that is not to be read", ("configuration.readsPages", false)),
    .init(15, "data alone, and compared", ("configuration.extractsOnly", true)),
    .init(16, "another choice than that of the call", ("calls.3.type", "visa")),
    .init(16, "a choice without a call", ("calls.3.call", "tick"), ("configuration.requests.0.countries", [])),
    .init(16, "a passport of the variant plastic", ("\(id).choice.variant", "plastic"), ("calls.3.variant", "plastic")),
    .init(16, "a country that was not read", ("\(document).country", .null)),
    .init(20, "a document that declined", ("\(id).hasDeclined", true)),
    .init(14, "a credential without a start", ("calls.12", ["at": at(4), "call": "tick"])),
    .init(14, "a credential that was not finished", ("events.6.event", "tilt")),
    .init(14, "a credential that no call finished", ("calls.17.call", "tick")),
    .init(15, "a missing document", (document, .null)),
    .init(15, "a person without liveness", (liveness, .null), (comparison, .null)),
    .init(15, "a removed result", ("\(face).result", .null)),
    .init(15, "a mode that is not allowed", ("configuration.faceModes", ["strict"])),
    .init(15, "a part of something else", ("\(id).modes.face", "liveness")),
    .init(16, "a document of another country", ("\(id).choice.country", "AUT")),
    .init(16, "a document of another type", ("\(document).type", "id-card")),
    .init(16, "a type that was not requested", ("configuration.requests.0.types", ["visa"])),
    .init(17, "other models", ("\(comparison).models.revision", "2")),
    .init(17, "other models, all of them", ("models.identifier", "other")),
    .init(17, "another version", ("library", "0.0.1")),
  ]

  private static let decisions: [Contradiction] = [
    .init(18, "a signal beyond its limit", ("\(liveness).checks.2.value", 13)),
    .init(18, "a changed limit", ("\(liveness).checks.0.minimum", 0.95)),
    .init(18, "a signal without a value", ("\(liveness).checks.0.value", .null)),
    .init(18, "a failure that is not reported", ("\(liveness).checks.2.status", "not-checked")),
    .init(18, "a signal twice", ("\(liveness).checks.3.signal", "moire"), ("\(liveness).checks.3.value", 1)),
    .init(18, "a removed fatal signal", ("\(liveness).checks.4", nil)),
    .init(18, "a removed decisive signal", ("\(liveness).checks.7", nil)),
    .init(
      18, "another person by a changed limit", ("\(liveness).checks.8.maximum", 10), ("\(liveness).checks.8.value", 5)),
    .init(18, "a signal observed for longer than its frames", ("\(liveness).checks.1.value", 300)),
    .init(
      18, "an unknown camera",
      ("\(liveness).checks.+", SampleRecord.check("camera-device", 0, maximum: 0))),
    .init(20, "a script shorter than drawn", ("configuration.challengeCount", 2)),
    .init(20, "a script of challenges that were not allowed", ("configuration.challenges", ["smile"])),
    .init(20, "movements although no path was declined", ("configuration.challenges", ["follow", "blink"])),
    .init(
      20, "a path of another nonce", ("configuration.challenges", ["follow", "blink"]),
      ("\(liveness).script", GenuineRecord.path("ff00ff00ff00ff00ff00ff00ff00ff00")),
      ("\(liveness).answers.0.challenge", "follow")),
    .init(
      20, "a path that was not allowed",
      ("\(liveness).script", GenuineRecord.path("00ff00ff00ff00ff00ff00ff00ff00ff")),
      ("\(liveness).answers.0.challenge", "follow")),
    .init(34, "another presence of liveness", ("\(liveness).presence", "trusted-capture")),
    .init(
      34, "a policy without challenges",
      ("\(liveness).policy.required", ["texture"]), ("configuration.livenessPolicies.liveness.required", ["texture"]),
      ("\(liveness).checks.5", SampleRecord.check("challenge-compliance", nil, minimum: 1)),
      ("\(liveness).answers", [])),
    .init(
      34, "a policy that forgives repeated frames",
      ("\(liveness).policy.fatal", ["texture"]), ("configuration.livenessPolicies.liveness.fatal", ["texture"]),
      ("\(liveness).checks.4.value", 1), ("\(liveness).checks.4.status", "failed")),
    .init(
      34, "an empty script", ("configuration.script", []), ("\(liveness).script", []), ("\(liveness).answers", [])),
    .init(24, "copies that passed", ("\(comparison).samePicture.score", 0.99)),
    .init(
      24, "copies that passed by a changed threshold", ("\(comparison).samePicture.score", 0.99),
      ("\(comparison).samePicture.threshold", 2)),
    .init(24, "a copy's score without its status", ("\(comparison).samePicture.status", "not-checked")),
    .init(24, "a copy's status without its score", ("\(comparison).samePicture.score", .null)),
    .init(
      24, "the same bytes on both sides", ("\(comparison).selfie.input.sha256", SampleRecord.hash("1")),
      ("\(liveness).template.sha256", SampleRecord.hash("1"))),
    .init(23, "a rate above its bound", ("\(comparison).comparison.falseMatchRate", 0.9)),
    .init(
      24, "a quality that was accepted although refused",
      ("\(comparison).portrait.quality.checks.0.consequence", "refuse")),
    .init(24, "a quality by another policy", ("\(comparison).portrait.quality.policy", "any")),
    .init(
      18, "frames of another size", ("inputs.2.width", 320),
      ("\(liveness).checks.+", SampleRecord.check("frame-size", 0, maximum: 0))),
    .init(
      20, "a challenge that was not allowed",
      ("events.5", ["at": at(5), "event": "next-position", "challenge": "clap"])),
    .init(24, "a quality beyond its limits that passed", ("\(comparison).portrait.quality.checks.0.value", 1)),
    .init(19, "a policy that requires less", ("\(liveness).policy.required", ["texture"])),
    .init(19, "a mode without its policy", ("configuration.livenessPolicies.liveness", nil)),
    .init(19, "another mode's policy", ("\(face).modes.face", "face-manual")),
    .init(20, "an answer to another nonce", ("\(liveness).nonce", "00fe")),
    .init(20, "a session without a nonce", ("\(liveness).nonce", .null)),
    .init(
      20, "a script that was not requested",
      ("configuration.script", [["challenge": "smile", "hold": 0.5, "pause": 0.3]])),
    .init(20, "a removed script", ("\(liveness).script", .null)),
    .init(20, "a challenge that was not answered", ("\(liveness).answers.0.outcome", "timeout")),
    .init(20, "an answer to another challenge", ("\(liveness).answers.0.challenge", "smile")),
    .init(21, "a removed required signal", ("\(liveness).checks.1", nil)),
    .init(
      21, "a fatal signal forgiven", ("\(liveness).checks.0.value", 0.1), ("\(liveness).checks.0.status", "failed")),
    .init(
      21, "weights that add up", ("\(liveness).checks.2.value", 13), ("\(liveness).checks.2.status", "failed"),
      ("\(liveness).checks.3.value", 0), ("\(liveness).checks.3.status", "failed")),
    .init(
      21, "frames that came late", ("\(liveness).checks.6.value", 3), ("\(liveness).checks.6.status", "failed")),
    .init(21, "an attack without a failed signal", ("\(liveness).result", "presentation-attack")),
    .init(21, "liveness not decided", ("\(liveness).result", "undecided")),
    .init(21, "a person who is to try again", ("\(liveness).retry", "generic")),
    .init(22, "another threshold", ("\(comparison).threshold.score", 50)),
    .init(22, "a slightly changed threshold", ("\(comparison).threshold.score", .number(-2.49))),
    .init(22, "another rate", ("\(comparison).threshold.rate", "1e-2")),
    .init(
      22, "another requested rate", ("\(comparison).threshold.rate", "1e-2"),
      ("configuration.comparison.falseMatchRate", "1e-2")),
    .init(
      22, "an unattainable rate", ("\(comparison).threshold.rate", "0.5"),
      ("configuration.comparison.falseMatchRate", "0.5")),
    .init(
      22, "an invalid rate", ("\(comparison).threshold.rate", "one in a thousand"),
      ("configuration.comparison.falseMatchRate", "one in a thousand")),
    .init(22, "the threshold of another portrait", ("\(comparison).threshold.portrait", "page")),
    .init(22, "no calibration", ("models.calibration", .null)),
    .init(22, "a calibration that falls", ("models.calibration.chip.0.rate", 1e-2)),
    .init(23, "the rate of another score", ("\(comparison).comparison.falseMatchRateUpperBound", 1e-5)),
    .init(23, "a better score", ("\(comparison).comparison.score", -5)),
    .init(24, "a score beyond the threshold", ("\(comparison).comparison.score", 9)),
    .init(24, "a match without a matching comparison", ("\(comparison).comparison.match", false)),
    .init(24, "a comparison without a score", ("\(comparison).comparison", .null)),
    .init(24, "a refusal without a cause", ("\(comparison).result", "refused")),
    .init(24, "a portrait without its quality", ("\(comparison).portrait.quality.accepted", nil)),
    .init(24, "a portrait whose quality was refused", ("\(comparison).portrait.quality.accepted", false)),
    .init(
      24, "a document that proves nothing", ("\(document).mayMatch", false),
      ("\(comparison).document.mayMatch", false)),
  ]

  private static let documents: [Contradiction] = [
    .init(25, "a date long ago", ("\(document).date", "1999-11-22")),
    .init(25, "the day after", ("\(document).date", "2025-11-23")),
    .init(25, "another day than the configuration's", ("configuration.date", "2025-11-21")),
    .init(26, "a removed check", ("\(document).checks.1", nil)),
    .init(26, "a check twice", ("\(document).checks.1.name", "validation")),
    .init(26, "a field that failed", ("\(document).fields.surname", "failed")),
    .init(26, "a removed field", ("\(document).fields.surname", nil)),
    .init(26, "a reason for what passed", ("\(document).checks.1.reason", "expired")),
    .init(26, "no reason for what was not checked", ("\(document).checks.5.reason", .null)),
    .init(26, "no nationality", ("\(document).fields.nationalityCode", nil)),
    .init(
      27, "pages that match, without a page", ("\(id).modes.front", nil), ("\(document).checks.5.status", "passed"),
      ("\(document).checks.5.reason", .null)),
    .init(27, "a zone that matches, without a page", ("\(id).modes.front", nil)),
    .init(
      27, "a portrait that matches the chip, without a chip", ("\(document).chip", .null), ("\(id).modes.chip", nil)),
    .init(27, "a chip that was not scanned", ("\(id).modes.chip", nil)),
    .init(28, "a document that passed without data", ("\(document).dataSha256", .null)),
    .init(27, "a chip that is invalid", ("\(document).chip", "invalid")),
    .init(27, "a chip without a certification path", ("\(document).chip", "valid-without-anchor")),
    .init(27, "authentic without a trust anchor", ("configuration.trust.anchors", 0)),
    .init(27, "a removed chip", ("\(document).chip", .null)),
    .init(27, "a chip that was not read", ("\(document).checks.3.status", "not-checked")),
    .init(27, "a page that was not compared", ("\(document).checks.2.status", "not-checked")),
    .init(27, "anchors without trust", ("configuration.trust.isGiven", false)),
    .init(27, "a portrait without a hash", ("\(document).portraitSha256", .null)),
    .init(
      27, "a chip that is required and was not given", ("configuration.requiresChip", true),
      ("\(document).chip", .null),
      ("\(document).portrait", "page"), ("\(document).checks.2.status", "not-checked"),
      ("\(document).checks.3.status", "not-checked"), ("\(document).checks.4.status", "not-checked")),
    .init(
      28, "an expired document", ("\(document).checks.1.status", "failed"), ("\(document).checks.1.reason", "expired")),
    .init(
      28, "an expiry that is not known", ("\(document).checks.1.status", "not-checked"),
      ("\(document).checks.1.reason", "expiry-unknown")),
    .init(
      28, "a chip that was not authenticated", ("\(document).checks.4.status", "failed"),
      ("\(document).checks.4.reason", "authentication-failed")),
    .init(28, "a failure without a cause", ("\(document).result", "failed")),
    .init(
      29, "a match with an invalid chip", ("\(document).chip", "invalid"), ("\(document).checks.4.status", "failed"),
      ("\(document).result", "failed"), ("\(id).result", "failed"), ("result.result", "failed")),
    .init(
      29, "a match with a chip without a certification path", ("\(document).chip", "valid-without-anchor"),
      ("\(document).checks.4.status", "not-checked"), ("\(document).result", "not-checked")),
    .init(
      29, "a match with an incomplete chip", ("\(document).checks.3.status", "failed"),
      ("\(document).result", "failed")),
  ]

  private static let results: [Contradiction] = [
    .init(30, "another portrait", ("\(comparison).portrait.input.sha256", SampleRecord.hash("9"))),
    .init(30, "a document that proves more", ("\(document).mayMatch", false)),
    .init(30, "a comparison without its document", ("\(comparison).document", nil)),
    .init(30, "another person's template", ("\(liveness).template.sha256", SampleRecord.hash("0"))),
    .init(30, "a photo in place of the living person", ("\(comparison).selfie.input.kind", "photo")),
    .init(30, "a comparison that was not requested", ("configuration.comparesFace", false)),
    .init(30, "a document that is accepted by the comparison alone", ("\(comparison).document.isAccepted", true)),
    .init(
      32, "reasons that the result does not have", ("\(id).reasons", [["code": "x", "text": "So."]])),
    .init(32, "a result without reasons", ("result.reasons", [])),
    .init(31, "another result of a person", ("\(face).result", "failed")),
    .init(31, "a removed comparison", (comparison, .null)),
    .init(31, "a document that failed", ("\(document).result", "failed")),
    .init(
      32, "no reason", ("\(liveness).result", "undecided"), ("\(face).result", "not-checked"),
      ("\(face).reasons", [])),
    .init(33, "a pass despite failures", ("\(id).result", "failed")),
    .init(33, "an incomplete result without an error", ("result.isComplete", false)),
    .init(33, "an error that was hidden", ("result.error", error)),
    .init(33, "a pass without evidence", ("credentials", []), ("configuration.requests", [])),
  ]
}

/// Another body without contradictions.
struct GenuineRecord: CustomTestStringConvertible, Sendable {
  typealias Edit = (String, JSONValue?)

  let title: String
  let edits: [Edit]

  init(_ title: String, _ edits: [Edit]...) { (self.title, self.edits) = (title, edits.flatMap(\.self)) }

  var testDescription: String { title }
  var body: JSONValue { SampleRecord.body.with(edits) }

  private static func document(_ name: String, _ value: JSONValue?) -> Edit {
    ("credentials.0.document.\(name)", value)
  }
  private static func liveness(_ name: String, _ value: JSONValue?) -> Edit {
    ("credentials.1.liveness.\(name)", value)
  }
  private static func comparison(_ name: String, _ value: JSONValue?) -> Edit {
    ("credentials.1.comparison.\(name)", value)
  }
  private static func configuration(_ name: String, _ value: JSONValue?) -> Edit { ("configuration.\(name)", value) }

  private static func check(_ check: Int, _ status: String, _ reason: String) -> [Edit] {
    [document("checks.\(check).status", .string(status)), document("checks.\(check).reason", .string(reason))]
  }

  private static func result(_ credential: Int, _ result: String) -> [Edit] {
    [
      ("credentials.\(credential).result", .string(result)), ("result.result", .string(result)),
      ("credentials.\(credential).reasons", [["code": "x", "text": "So."]]),
      ("result.reasons", [SampleRecord.reason, ["code": "x", "text": "So."]]),
    ]
  }

  /// Edits of a document's level and result at all places.
  private static func level(_ level: String, _ result: String) -> [Edit] {
    [
      document("assurance", .string(level)), document("result", .string(result)),
      comparison("document.assurance", .string(level)), comparison("document.result", .string(result)),
    ] + ["credentials.0", "credentials.1", "result"].map { ("\($0).assurance.document", .string(level)) }
  }

  private static func proved(_ axis: String, _ level: String) -> [Edit] {
    ["credentials.1", "result"].map { ("\($0).assurance.\(axis)", .string(level)) }
  }

  static func path(_ nonce: String) -> JSONValue {
    [["challenge": "follow", "hold": 0, "pause": 0.3, "path": .string(nonce)]]
  }

  /// The calls, with one that declines before the last frame.
  private static let declined: [JSONValue] = {
    var calls = SampleRecord.body["calls"]?.elements ?? []
    calls.insert(["at": SampleRecord.at(5), "call": "decline"], at: calls.count - 4)
    return calls
  }()

  static let all: [GenuineRecord] = [
    GenuineRecord("passed"),
    GenuineRecord(
      "a person who is not compared", proved("binding", "none"),
      [
        configuration("comparesFace", false), ("credentials.1.comparison", .null),
        ("credentials.1.assurance.document", "none"),
      ]),
    GenuineRecord(
      "an expired document", check(1, "failed", "expired"), result(0, "failed"), result(1, "failed"),
      level("none", "failed")),
    GenuineRecord(
      "a movement that was declined", result(1, "not-checked"),
      [("credentials.1.hasDeclined", true), ("calls", .array(declined))]),
    GenuineRecord(
      "a chip without a path, without a trust store", check(4, "not-checked", "authentication-not-checked"),
      result(0, "not-checked"), result(1, "not-checked"), level("page-consistent", "not-checked"),
      [
        document("chip", "valid-without-anchor"),
        configuration("trust.isGiven", false), configuration("trust.anchors", 0),
      ]),
    GenuineRecord(
      "a chip without a path, despite a trust store", check(4, "not-checked", "authentication-not-checked"),
      result(0, "not-checked"), result(1, "not-checked"), level("page-consistent", "not-checked"),
      proved("binding", "none"),
      [
        document("chip", "valid-without-anchor"), document("mayMatch", false),
        comparison("document.mayMatch", false), comparison("result", "refused"),
      ]),
    GenuineRecord(
      "a page without a chip", check(2, "not-checked", "one-source"), check(3, "not-checked", "no-chip"),
      check(4, "not-checked", "no-chip"), check(6, "not-checked", "one-source"), level("page-consistent", "passed"),
      proved("binding", "page-portrait"),
      [
        configuration("assurance.accepted", ["page-only"]), comparison("document.isAccepted", true),
        document("chip", .null), document("portrait", "page"), comparison("threshold.portrait", "page"),
        comparison("portrait.quality.policy", "document-portrait"),
        ("credentials.0.modes.chip", nil), ("events.2", nil), ("inputs.5", nil), ("inputs.4", nil), ("inputs.3", nil),
        ("calls.10", nil), ("calls.9", nil), ("calls.8", nil), ("calls.7", nil),
      ]),
    GenuineRecord(
      "a date in the configuration", [configuration("date", "2024-02-29"), document("date", "2024-02-29")]),
    GenuineRecord(
      "another person", result(1, "failed"), proved("binding", "none"),
      [
        comparison("result", "no-match"), comparison("comparison.match", false), comparison("comparison.score", 0.5),
        comparison("comparison.falseMatchRateUpperBound", 0.1),
      ]),
    GenuineRecord(
      "an attack", result(1, "failed"), proved("presence", "none"),
      [
        liveness("result", "presentation-attack"), liveness("presence", "none"), liveness("checks.0.value", 0.1),
        liveness("checks.0.status", "failed"),
      ]),
    GenuineRecord(
      "a portrait that cannot be compared", result(1, "not-checked"), proved("binding", "none"),
      [
        comparison("result", "refused"), comparison("comparison", .null),
        comparison("portrait.quality.accepted", false),
      ]),
    GenuineRecord(
      "a path that was followed",
      [
        configuration("challenges", ["follow", "blink"]), liveness("script", path("00ff00ff00ff00ff00ff00ff00ff00ff")),
        liveness("answers.0.challenge", "follow"),
      ]),
    GenuineRecord(
      "movements after a declined path", result(1, "not-checked"),
      [
        configuration("challenges", ["follow", "blink"]), ("credentials.1.hasDeclined", true),
        ("calls", .array(declined)),
      ]),
    GenuineRecord(
      "a third try",
      // SHA-256 of the nonce and the number of the try, in 32 bits.
      [liveness("nonce", "d73d8706b1ffea9e5a194ac46d62d4279470993c430069faf9e2bb8f31739639")]),
    GenuineRecord(
      "a score at the threshold",
      [comparison("comparison.score", -2.5), comparison("comparison.falseMatchRateUpperBound", 1e-3)]),
    GenuineRecord(
      "a rate between two that were measured",
      [
        comparison("threshold.rate", "3e-3"), configuration("comparison.falseMatchRate", "3e-3"),
        comparison("threshold.score", -1.7843),
      ]),
    GenuineRecord(
      "one that was cancelled",
      [
        ("credentials", []), ("calls.18.call", "cancel"), ("events.7.isComplete", false), ("result.isComplete", false),
        ("result.result", "not-checked"),
        ("result.assurance", ["presence": "none", "document": "none", "binding": "none"]),
        ("result.error", ["code": "G000000", "message": "Cancelled", "isRetryable": false]),
      ]),
  ]
}

extension JSONValue {
  func with(_ edits: [(String, JSONValue?)]) -> JSONValue {
    let changed = edits.reduce(self) { $0.with($1.0, $1.1) }
    // As parsed by a reader.
    return (try? JSONValue(parsing: changed.canonical)) ?? changed
  }
}
