extension TrustStore {
  /// Returns the store with only those lists that are trusted on a date and by a policy: their signers satisfy the
  /// policy, did not sign after that day, and were not revoked. ``PassiveAuthentication`` calls it.
  public func judged(on date: DateTime, by policy: AuthenticationPolicy = .standard) -> TrustStore {
    var store = self
    store.judge(on: date, by: policy)
    return store
  }

  /// Judges the lists again after an addition.
  mutating func change() {
    verdicts = Verdicts()
    judge(on: nil, by: .standard)
  }

  mutating func judge(on date: DateTime?, by policy: AuthenticationPolicy) {
    guard !lists.isEmpty else { return }
    var found = verdicts.found(by: policy) { judged(by: policy) }
    for (index, list) in lists.enumerated() where found[index].isTrustedList {
      // Lists are dated by day: one issued today is valid for all of today.
      guard let date, let time = list.data.signer?.signingTime, time.calendarDate > date.calendarDate else { continue }
      found[index] = list.refused("it was signed at \(time), which is after \(date.calendarDate)")
    }
    hide(found)
    for (index, source) in sources.enumerated() {
      guard let list = source.list else { continue }
      sources[index] = found[list]
      sources[index].list = list
    }
  }

  /// Judges each list by a policy, regardless of the date.
  private func judged(by policy: AuthenticationPolicy) -> [TrustSource] {
    let alone = trustedAlone
    let found = lists.map { verdict(of: $0, in: alone, by: policy) }
    // A CSCA signs its revocation list with its newest key, which may be present only in a list.
    var store = self
    store.hide(found.map(\.source))
    return zip(lists, found).map { list, one in
      guard one.source.isTrustedList else { return one.source }
      let step = Revocation.step(one.path, trust: store, date: .distantPast, policy: policy)
      return step.status == .failed ? list.refused(step.text) : one.source
    }
  }

  /// A thread-safe cache of the verdicts on the lists by policy: they are the same for all chips, and judging a list
  /// costs as much as a chip.
  final class Verdicts: Sendable {
    private let known = Lock([AuthenticationPolicy: [TrustSource]]())

    func found(by policy: AuthenticationPolicy, _ judge: () -> [TrustSource]) -> [TrustSource] {
      if let found = known.withLock({ $0[policy] }) { return found }
      let found = judge()
      known.withLock { known in
        // Programs use one or two policies.
        if known.count > 8 { known = [:] }
        known[policy] = found
      }
      return found
    }
  }

  /// - Parameter found: the verdict on each list.
  private mutating func hide(_ found: [TrustSource]) {
    hidden = Set(lists.flatMap(\.brought)).subtracting(own)
    for (list, source) in zip(lists, found) where source.isTrustedList { hidden.subtract(list.brought) }
  }

  /// The store with only what is trusted without a list.
  var trustedAlone: TrustStore {
    var store = self
    store.hidden = Set(all.indices).subtracting(own)
    return store
  }

  /// Judges a list: it is trusted if its signature is valid and its signer chains to a certificate trusted without the
  /// list, satisfies the rules, and was valid when it signed.
  ///
  /// - Parameter alone: the store with only what is trusted without a list.
  func verdict(
    of list: SignedList, in alone: TrustStore, by policy: AuthenticationPolicy
  ) -> (source: TrustSource, path: CertificationPath?) {
    let data = list.data
    var trusted = alone
    for one in list.pinned { if let index = trusted.insert(one, from: "pin") { trusted.hidden.remove(index) } }
    let signed = data.signer?.signingTime ?? data.signer?.certificate?.validFrom ?? DateTime.distantPast
    func report(_ trust: TrustStore) -> SignatureReport {
      SignatureReport(
        data, of: list.purpose, trust: trust, date: signed, documentCode: nil, policy: policy, hashList: nil)
    }
    let found = report(trusted)
    let signature = found.signatureSteps[0]
    guard signature.status == .passed else {
      return (list.refused(signature.text, signature: signature.status, chain: .notChecked), found.path)
    }
    let state = PassiveAuthentication.countryStep(found.path, issuingState: nil)
    if let failed = (found.signatureSteps + found.pathSteps + [state]).first(where: { $0.status == .failed }) {
      return (list.refused(failed.text), found.path)
    }
    if data.signer?.signingTime == nil { return (list.refused("it has no signing time"), found.path) }
    if let anchor = found.path?.anchor?.certificate {
      let kind: TrustSource.Kind = list.purpose == .masterLists ? .masterList : .deviationList
      let why = pins.contains(anchor.sha256) ? "is pinned" : "is a trusted certificate"
      return (list.source(kind, .passed, "its signer chains to \(anchor.subject), which \(why)"), found.path)
    }
    // Finds the certificate to pin: the list's own CSCA, as if it were trusted.
    var itself = TrustStore()
    for one in list.certificates + data.certificates { _ = itself.insert(one, from: list.name) }
    let end = report(itself).path?.anchor?.certificate.sha256
    let advice = end.map { "if its publisher confirms the fingerprint \($0), pin that" } ?? "add its CSCA's certificate"
    let text = "its signature is valid, but its signer chains to no trusted certificate: not used; \(advice)"
    return (list.source(.notPinned, .notChecked, text, pin: end), found.path)
  }
}

/// A signed list of CSCA certificates, deviations or defects.
struct SignedList: Sendable {
  let name: String
  let data: SignedData
  let purpose: PathContext.Purpose
  var damagedCount = 0
  var certificates: [Certificate] = []
  var deviations: [DeviationList.Entry] = []
  /// Pinned certificates among those in the list or its signed data.
  var pinned: [Certificate] = []
  /// Indices of the anchors that it contributed.
  var brought: [Int] = []

  func source(
    _ kind: TrustSource.Kind, _ chain: CheckStatus, _ text: String, signature: CheckStatus = .passed, pin: String? = nil
  ) -> TrustSource {
    let isUsed = kind == .masterList
    let text = (isUsed ? "\(brought.count) certificates, \(damagedCount) damaged ones left out; " : "") + text
    return TrustSource(
      name: name, kind: kind, certificateCount: isUsed ? brought.count : 0, signature: signature,
      signer: data.signer?.certificate, signerChain: chain, pin: pin, text: text.printable)
  }

  /// The list with nothing of it trusted.
  func refused(_ text: String, signature: CheckStatus = .passed, chain: CheckStatus = .failed) -> TrustSource {
    source(.refused, chain, "\(text); not used", signature: signature)
  }
}
