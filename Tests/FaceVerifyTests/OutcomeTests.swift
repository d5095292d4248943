import EngineTestSupport
import Foundation
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

private let order: [CheckStatus] = [.failed, .notChecked, .passed]

extension AssurancePolicy {
  /// All combinations, except that either all kinds of documents are accepted or none is.
  fileprivate static let all: [Self] = Assurance.Presence.allCases.flatMap { presence in
    DocumentAssurance.allCases.flatMap { document in
      Assurance.Binding.allCases.flatMap { binding in
        [Set<UnauthenticatedDocument>(), [.page]].map { accepted in
          var policy = Self()
          (policy.presence, policy.document, policy.binding) = (presence, document, binding)
          policy.accepted = accepted
          return policy
        }
      }
    }
  }
}

extension Evidence.Presence {
  fileprivate static let all: [Self] = Assurance.Presence.allCases.flatMap { level in
    [.presentationAttack, .undecided, .live].flatMap { result in
      [true, false].map { Self(result: result, level: level, isLightMissing: $0) }
    }
  }

  /// Without the stream, the answers or the light, or with a detected attack.
  fileprivate var weaker: [Self] {
    Self.all.filter { other in
      other != self && other.level <= level && other.result.rank <= result.rank
        && (other.isLightMissing || !isLightMissing)
    }
  }
}

extension LivenessDecision.Result {
  fileprivate var rank: Int { self == .live ? 2 : self == .undecided ? 1 : 0 }
}

extension Evidence.Document {
  fileprivate static let all: [Self] = DocumentAssurance.allCases.flatMap { level in
    order.flatMap { result in [false, true].map { Self(result: result, level: level, isAccepted: $0) } }
  }.filter { ($0.result == .failed) == ($0.level == .none) }

  fileprivate var weaker: [Self] {
    Self.all.filter { other in
      other != self && other.level <= level && other.isAccepted == isAccepted
        && order.firstIndex(of: other.result)! <= order.firstIndex(of: result)!
    }
  }
}

extension Evidence.Binding {
  private static let results: [FaceDecision.Result?] = [.noMatch, .refused, nil, .match]

  fileprivate static let all: [Self] = Assurance.Binding.allCases.flatMap { level in
    results.flatMap { result in
      order.map { Self(result: result, level: level, differentPictures: $0) }
    }
  }

  private var rank: Int {
    result == .noMatch ? 0 : result == .match && differentPictures != .failed ? 3 : differentPictures == .failed ? 2 : 1
  }

  /// With a worse portrait, no match, or a copy of the portrait instead of the selfie.
  fileprivate var weaker: [Self] {
    Self.all.filter { other in
      other != self && other.level <= level && other.rank <= rank
        && (other.differentPictures == .failed || differentPictures != .failed)
    }
  }
}

/// All requested items with all of their possible outcomes, which are independent of each other.
@Suite("Outcomes")
struct OutcomeTests {
  /// - Returns: whether `other` is better than `outcome` on any axis.
  private func isBetter(_ other: Outcome, than outcome: Outcome) -> Bool {
    let (a, b) = (other.assurance, outcome.assurance)
    return order.firstIndex(of: other.result)! > order.firstIndex(of: outcome.result)! || a.presence > b.presence
      || a.document > b.document || a.binding > b.binding
  }

  /// Cases in which weaker evidence has a better outcome, under all policies.
  private func better<Part>(_ all: [Part], _ weaker: (Part) -> [Part], _ evidence: (Part) -> Evidence) -> [String] {
    AssurancePolicy.all.flatMap { policy in
      all.flatMap { part -> [String] in
        let outcome = Outcome(evidence(part), policy: policy)
        return weaker(part).filter { isBetter(Outcome(evidence($0), policy: policy), than: outcome) }
          .map { "\($0) is better than \(part)" }
      }
    }
  }

  @Test("weaker evidence improves no axis: all combinations, all policies")
  func monotone() {
    #expect(better(Evidence.Presence.all, \.weaker) { Evidence(presence: $0) }.isEmpty)
    #expect(better(Evidence.Document.all, \.weaker) { Evidence(documents: [$0]) }.isEmpty)
    #expect(better(Evidence.Binding.all, \.weaker) { Evidence(binding: $0) }.isEmpty)
  }

  @Test("the whole is the worst of its parts: all combinations")
  func whole() {
    for policy in AssurancePolicy.all where policy.document <= .pageConsistent {
      for presence in Evidence.Presence.all {
        for document in Evidence.Document.all {
          for binding in Evidence.Binding.all where binding.differentPictures != .passed {
            let parts = [
              Outcome(Evidence(presence: presence), policy: policy),
              Outcome(Evidence(documents: [document]), policy: policy),
              Outcome(Evidence(binding: binding), policy: policy),
            ]
            let whole = Outcome(
              Evidence(presence: presence, documents: [document], binding: binding), policy: policy)
            // The macro is slow.
            if whole.result != .worst(parts.map(\.result)) || whole.assurance.presence != parts[0].assurance.presence
              || whole.assurance.document != parts[1].assurance.document
              || whole.assurance.binding != parts[2].assurance.binding
            {
              Issue.record("\(presence), \(document), \(binding): \(whole)")
            }
            // Duplicates change nothing.
            let twice = Outcome(
              Evidence(presence: presence, documents: [document, document], binding: binding), policy: policy)
            if twice != whole && twice.result != whole.result { Issue.record("twice: \(twice)") }
          }
        }
      }
    }
  }

  @Test("another credential never improves the outcome, in any order: all combinations")
  func added() {
    func sums(_ one: Evidence, _ other: Evidence) -> [Evidence] {
      [(one, other), (other, one)].map { first, second in
        var sum = first
        sum.add(second)
        return sum
      }
    }
    func check<Part>(_ all: [Part], _ evidence: (Part) -> Evidence) {
      for one in all {
        for other in all {
          let sums = sums(evidence(one), evidence(other))
          let outcome = Outcome(evidence(one), policy: .init())
          for sum in sums.map({ Outcome($0, policy: .init()) }) where isBetter(sum, than: outcome) {
            Issue.record("\(other) makes \(one) better")
          }
          if Outcome(sums[0], policy: .init()).assurance != Outcome(sums[1], policy: .init()).assurance {
            Issue.record("the order of \(one) and \(other) matters")
          }
        }
      }
    }
    check(Evidence.Presence.all) { Evidence(presence: $0) }
    check(Evidence.Document.all) { Evidence(documents: [$0]) }
    check(Evidence.Binding.all) { Evidence(binding: $0) }
    let live = Evidence(presence: .init(result: .live, level: .trustedCapture))
    let attack = Evidence(presence: .init(result: .presentationAttack, level: .trustedCapture))
    for sum in sums(live, attack) { #expect(Outcome(sum, policy: .init()).result == .failed) }
  }

  @Test("a missing required part never passes, and has a reason")
  func missing() {
    #expect(Outcome(Evidence(), policy: .init()).result == .notChecked)
    for policy in AssurancePolicy.all {
      for presence in Evidence.Presence.all where presence.result == .live {
        let outcome = Outcome(Evidence(presence: presence), policy: policy)
        #expect((outcome.result == .passed) == outcome.shortfalls.isEmpty)
        #expect((outcome.result == .passed) == (presence.level >= policy.presence && !presence.isLightMissing))
      }
    }
    let copy = Outcome(
      Evidence(binding: .init(result: .match, level: .chipPortrait, differentPictures: .failed)), policy: .init())
    #expect(copy.result == .notChecked && copy.assurance.binding == .samePicture)
  }

  @Test("the defaults require presence, document and binding")
  func defaults() {
    let policy = AssurancePolicy()
    #expect(policy.presence == .challengeAnswered && policy.document == .pageConsistent && policy.accepted.isEmpty)
    #expect(JourneyConfiguration().faceModes == [.liveness] && !JourneyConfiguration().capture.isTrusted)
  }

  @Test("levels are ordered as in docs/glossary.md, which defines each")
  func glossary() throws {
    let text = String(
      decoding: try RegularFile.read(path: Installed.root + "/docs/glossary.md", maximumBytes: 1 << 20), as: UTF8.self)
    let levels =
      Assurance.Presence.allCases.map(\.rawValue) + DocumentAssurance.allCases.map(\.rawValue)
      + Assurance.Binding.allCases.map(\.rawValue)
    var rest = text[...]
    for level in levels {
      let row = try #require(rest.range(of: "| `\(level)` |"), "\(level)")
      rest = rest[row.upperBound...]
    }
  }
}
