/// A certification path from a signer's certificate to a trust anchor (RFC 5280, 6; ICAO Doc 9303-12, 6). Usually the
/// anchor signed the signer's certificate; certificates supplied with it may be intermediates.
struct CertificationPath {
  enum End {
    case anchor(TrustAnchor)
    /// A trusted certificate has the issuer's name and key identifier, but its key did not sign.
    case impostor(Certificate)
    case none
  }

  /// The certificates from the signer's upwards, without the anchor's.
  let certificates: [Certificate]
  let end: End

  var anchor: TrustAnchor? { if case .anchor(let anchor) = end { anchor } else { nil } }

  var all: [Certificate] { certificates + (anchor.map { [$0.certificate] } ?? []) }

  var isOfOneState: Bool { Set(all.flatMap(\.states)).count < 2 }

  enum Role { case signer, between, anchor }

  var roles: [(Certificate, Role)] {
    certificates.enumerated().map { ($1, $0 == 0 ? .signer : .between) }
      + (anchor.map { [($0.certificate, .anchor)] } ?? [])
  }

  var links: [(certificate: Certificate, issuer: Certificate)] { zip(all, all.dropFirst()).map { ($0, $1) } }

  /// Maximum number of certificates below an anchor; usually one, or two with a link certificate.
  private static let maximumLength = 4
  /// Maximum number of signatures verified for one chip. A state has up to 30 certificates; each takes a millisecond at
  /// most, and those named as the issuer are tried first.
  private static let maximumChecks = 128
  /// The part of these for keys supplied with the signer's certificate, which a forger chooses.
  private static let maximumChecksOfOthers = 16

  /// Returns all paths that end at an anchor; if there are none, one path without an anchor.
  ///
  /// - Parameter others: certificates supplied with the signer's.
  static func candidates(from signer: Certificate, others: [Certificate], trust: TrustStore) -> [CertificationPath] {
    var search = Search(others: others, trust: trust, checks: maximumChecks, checksOfOthers: maximumChecksOfOthers)
    search.extend([signer])
    return search.found.isEmpty ? [search.best ?? CertificationPath(certificates: [signer], end: .none)] : search.found
  }

  private struct Search {
    let others: [Certificate]
    let trust: TrustStore
    var checks: Int
    var checksOfOthers: Int
    var found: [CertificationPath] = []
    /// The best path without an anchor.
    var best: CertificationPath?

    mutating func extend(_ path: [Certificate]) {
      guard let last = path.last else { return }
      let (named, rest) = trust.issuers(of: last)
      var anchors = Self.signers(of: last, among: named, \.certificate, &checks)
      if anchors.isEmpty { anchors = Self.signers(of: last, among: rest, \.certificate, &checks) }
      found += anchors.map { CertificationPath(certificates: path, end: .anchor($0)) }
      guard anchors.isEmpty else { return }
      let impostor = named.first {
        last.authorityKeyIdentifier != nil && $0.certificate.isNamed(asIssuerOf: last)
          && $0.certificate.subject.comparisonKey == last.issuer.comparisonKey
          && $0.certificate.signed(last) != .unsupported
      }
      if best == nil || impostor != nil {
        best = CertificationPath(certificates: path, end: impostor.map { .impostor($0.certificate) } ?? .none)
      }
      guard path.count < CertificationPath.maximumLength else { return }
      let between = others.filter { !path.contains($0) && $0.isNamed(asIssuerOf: last) }
      for next in Self.signers(of: last, among: between, \.self, &checksOfOthers) { extend(path + [next]) }
    }

    private static func signers<Candidate>(
      of certificate: Certificate, among candidates: [Candidate], _ issuer: (Candidate) -> Certificate,
      _ checks: inout Int
    ) -> [Candidate] {
      var signers: [Candidate] = []
      for candidate in candidates where checks > 0 {
        checks -= 1
        if issuer(candidate).signed(certificate) == .valid { signers.append(candidate) }
      }
      return signers
    }
  }
}
