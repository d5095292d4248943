import TestSupport
import Testing

@testable import IdentityDocuments

/// In ascending order.
private let verdicts: [PassiveAuthentication.Verdict] = [.invalid, .notChecked, .validWithoutAnchor, .authentic]
/// In ascending order. A chip that was not read live has no proof.
private let proofs: [ChipProof.Verdict?] = [.cloneSuspected, .notChecked, nil, .notAnnounced, .notCloned]
private let results: [CheckStatus] = [.failed, .notChecked, .passed]

/// The values that must not improve: the best result of the document, and whether a comparison may be a match.
private struct Standing: CustomStringConvertible {
  let document: CheckStatus
  let mayMatch: Bool

  init(_ outcome: DocumentOutcome) { (document, mayMatch) = (outcome.document, outcome.mayMatch) }

  func isNoBetter(than other: Self) -> Bool {
    results.firstIndex(of: document)! <= results.firstIndex(of: other.document)!
      && (!mayMatch || other.mayMatch)
  }

  var description: String { "\(document), \(mayMatch ? "match" : "refused")" }
}

extension ChipEvidence {
  fileprivate static let all: [Self] = File.allCases.flatMap { sod in
    File.allCases.flatMap { first in
      File.allCases.flatMap { second in
        [true, false].flatMap { isComplete in
          verdicts.flatMap { verdict in
            [(false, false), (false, true), (true, false), (true, true)].flatMap { isInDate, isTrustGiven in
              proofs.map {
                Self(
                  securityObject: sod, dataGroup1: first, dataGroup2: second, isComplete: isComplete, verdict: verdict,
                  isInDate: isInDate, isTrustGiven: isTrustGiven, proof: $0)
              }
            }
          }
        }
      }
    }
  }

  /// With one part removed or damaged.
  fileprivate var weaker: [Self] {
    var all: [Self] = []
    func add(_ change: (inout Self) -> Void) {
      var copy = self
      change(&copy)
      all.append(copy)
    }
    for state in [File.missing, .unusable] {
      for file in [\Self.securityObject, \.dataGroup1, \.dataGroup2] { add { $0[keyPath: file] = state } }
    }
    add { $0.isComplete = false }
    add { $0.isInDate = false }
    for verdict in verdicts.prefix(while: { $0 != verdict }) { add { $0.verdict = verdict } }
    for proof in proofs.prefix(while: { $0 != proof }) { add { $0.proof = proof } }
    return all
  }
}

extension DocumentEvidence {
  fileprivate static let all: [Self] = Page.allCases.flatMap { page in
    [true, false].flatMap { isExpected in
      [Set<UnauthenticatedDocument>(), [.page]].flatMap { accepted in
        ([nil] + ChipEvidence.all).map { Self(page: page, chip: $0, isChipExpected: isExpected, accepted: accepted) }
      }
    }
  }

  private func with(page: Page? = nil, chip: ChipEvidence?, isChipExpected: Bool? = nil) -> Self {
    Self(
      page: page ?? self.page, chip: chip, isChipExpected: isChipExpected ?? self.isChipExpected, accepted: accepted)
  }

  fileprivate var weaker: [Self] {
    let worsePage = page == .good ? [with(page: .bad, chip: chip)] : []
    // The holder controls the chip's contents; the caller decides whether one is expected and supplied.
    return worsePage + [with(chip: chip, isChipExpected: true)]
      + (isChipExpected ? [with(chip: nil)] : []) + (chip?.weaker ?? []).map { with(chip: $0) }
  }
}

@Suite("Evidence of a document")
struct DocumentEvidenceTests {
  @Test("weaker evidence is never better: all combinations")
  func monotone() {
    #expect(DocumentEvidence.all.count == 3 * 2 * 2 * (1 + 3 * 3 * 3 * 2 * 4 * 2 * 2 * 5))
    for evidence in DocumentEvidence.all {
      let standing = Standing(evidence.outcome)
      // The macro is slow.
      let better = evidence.weaker.filter { !Standing($0.outcome).isNoBetter(than: standing) }
      if !better.isEmpty { Issue.record("better than \(evidence): \(better)") }
    }
  }

  @Test("without an authentic chip only accepted kinds of documents pass")
  func unauthenticated() {
    for evidence in DocumentEvidence.all where evidence.outcome.document == .passed {
      if evidence.accepted.isEmpty || evidence.chip != nil {
        #expect(evidence.chip?.verdict == .authentic && evidence.chip?.problem == nil)
      }
    }
  }

  @Test("a match requires a complete chip, and its trust anchor if any is given; a pass always does")
  func best() {
    for evidence in DocumentEvidence.all {
      guard let chip = evidence.chip else { continue }
      let (outcome, isWhole) = (evidence.outcome, chip.problem == nil)
      #expect(outcome.mayMatch == (isWhole && chip.isInDate && chip.isVouchedFor && evidence.page != .bad))
      #expect(!chip.isVouchedFor || chip.verdict == (chip.isTrustGiven ? .authentic : chip.verdict))
      #expect(chip.verdict != .invalid && chip.verdict != .notChecked || !chip.isVouchedFor)
      #expect(
        (outcome.document == .passed)
          == (isWhole && chip.isInDate && chip.verdict == .authentic && evidence.page != .bad))
      #expect(outcome.chipRead == (isWhole ? .passed : .failed))
    }
  }

  @Test("the table in docs/documents.md matches the code")
  func table() throws {
    let text = String(
      decoding: try RegularFile.read(path: Installed.root + "/docs/documents.md", maximumBytes: 1 << 20), as: UTF8.self)
    let rows = Self.rows
    #expect(text.contains(rows), "the table is:\n\(rows)")
  }

  /// One row for all evidence with the same first two columns.
  private static var rows: String {
    func chip(_ evidence: DocumentEvidence) -> String {
      guard let chip = evidence.chip else {
        let accepted = evidence.page == .good && !evidence.accepted.isEmpty ? ", `page-only` accepted" : ""
        return evidence.isChipExpected ? "`no-chip`" : "not given" + accepted
      }
      if let problem = chip.problem { return "`\(problem)`" }
      guard chip.isInDate else { return "whole, any verdict, out of date" }
      let trust = chip.isTrustGiven ? "with" : "without"
      return "whole, `\(chip.verdict.rawValue)`"
        + (chip.verdict == .validWithoutAnchor ? " \(trust) a trust store" : "")
    }
    var order: [String] = []
    var rows: [String: [[String]]] = [:]
    for evidence in DocumentEvidence.all.sorted(by: { rank($0) < rank($1) })
    where evidence.chip != nil || evidence.page != .notGiven {
      let outcome = evidence.outcome
      let isZoneRead = evidence.page == .good || evidence.chip?.dataGroup1 == .usable
      // With the exit codes of `document` and `compare`.
      let document = [.passed: "passed, 0", .notChecked: "not-checked, 4"][outcome.document]
      let row = [
        outcome.portrait?.rawValue ?? "none", outcome.chipRead.rawValue, outcome.passiveAuthentication.rawValue,
        outcome.mrzMatchesChip.rawValue, document ?? (isZoneRead ? "failed, 1" : "failed, 3"),
        outcome.portrait == nil ? "error, 3" : outcome.mayMatch ? "match, 0" : "refused, 4",
      ]
      let key = "| \(chip(evidence)) | \(evidence.page == .notGiven ? "not given" : "\(evidence.page)") |"
      if rows[key] == nil { order.append(key) }
      rows[key, default: []].append(row)
    }
    return order.map { key in
      let cells = (0..<6).map { column in
        let values = Set((rows[key] ?? []).map { $0[column] })
        return values.count == 3 ? "by the verdict" : values.sorted().joined(separator: " or ")
      }
      return key + " " + cells.joined(separator: " | ") + " |\n"
    }.joined()
  }

  private static func rank(_ evidence: DocumentEvidence) -> Int {
    let problems: [DocumentReason] = [
      .cloneSuspected, .chipUnreadable, .sodUnusable, .portraitUnreadable, .chipIncomplete,
    ]
    guard let chip = evidence.chip else { return evidence.isChipExpected ? 1 : 0 }
    return chip.problem.map { 2 + problems.firstIndex(of: $0)! }
      ?? (chip.isInDate ? 9 + 2 * verdicts.firstIndex(of: chip.verdict)! - (chip.isTrustGiven ? 1 : 0) : 7)
  }
}

/// Every test chip, complete and with each of its files removed, truncated and replaced.
@Suite("Chips with files removed or damaged", .needsChips)
struct DamagedChipTests {
  private func standing(_ files: [ElementaryFile: [UInt8]], _ trust: TrustStore) throws -> Standing {
    let named = Dictionary(uniqueKeysWithValues: files.map { ($0.key.rawValue, $0.value) })
    let date = try DateTime(year: 2026, month: 6, day: 1)
    let chip = ChipReading(try ChipFiles(files: named), trust: trust, date: date)
    return Standing(DocumentReport(page: nil, chip: chip, on: date.calendarDate).evidence.outcome)
  }

  @Test("subsets of a chip's files never have a better result than the complete chip", arguments: MadeChipTests.names)
  func damaged(name: String) throws {
    let files = try ChipFiles(folder: TestData.chips + name).files
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + name))
    let named = Set((try? contents.common?.get().dataGroups) ?? [])
      .union((try? contents.documentSecurity?.get().content.hashes.keys.map { $0 }) ?? [])
    let trust = try MadeChipTests.trust(for: name)
    let whole = try standing(files, trust)
    for (file, bytes) in files {
      // A file that is not the chip's was added; without it, the chip is as before.
      let isChips = file.dataGroupNumber.map(named.contains) ?? [.common, .documentSecurity].contains(file)
      let damages: [(String, [UInt8]?)] = [("cut off", Array(bytes.prefix(bytes.count / 2))), ("a PNG", Self.png)]
      for (what, damage) in isChips ? damages + [("removed", nil)] : damages {
        var changed = files
        changed[file] = damage
        let standing = try standing(changed, trust)
        #expect(standing.isNoBetter(than: whole), "\(file) \(what): \(standing), whole: \(whole)")
      }
    }
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  @Test("a removed signed file is reported missing, unless a terminal may not read it")
  func missing() throws {
    var files = try ChipFiles(folder: TestData.chips + "td3-jpeg").files
    for removed in [ElementaryFile.dataGroup(14), .dataGroup(11)] { files[removed] = nil }
    let named = Dictionary(uniqueKeysWithValues: files.map { ($0.key.rawValue, $0.value) })
    let date = try DateTime(year: 2026, month: 6, day: 1)
    let trust = try TrustStore(folder: TestData.chips + "trust")
    let chip = ChipReading(try ChipFiles(files: named), trust: trust, date: date)
    #expect(chip.contents.missing == [.dataGroup(11), .dataGroup(14)] && chip.authentication.verdict == .authentic)
    #expect(chip.evidence.problem == .chipIncomplete)
  }

  @Test("a specimen without its fingerprints is complete", .needsSpecimenChips)
  func specimen() throws {
    let date = try DateTime(year: 2010, month: 1, day: 1)
    let chip = ChipReading(try ChipFiles(folder: TestData.shared + "de_bsi2008"), trust: TrustStore(), date: date)
    #expect(try chip.contents.documentSecurity?.get().content.hashes.keys.contains(3) == true)
    #expect(chip.contents.missing.isEmpty)
  }
}
