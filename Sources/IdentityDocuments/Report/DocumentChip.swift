/// The contents of a chip and their authentication. Each file is parsed once, and the signature of EF.SOD is verified
/// once: ``PassiveAuthentication`` uses the files parsed by ``ChipContents``.
public struct DocumentChip: Sendable {
  public let contents: ChipContents
  public let authentication: PassiveAuthentication
  /// The zone of EF.DG1; nil if it is absent or damaged.
  public let zone: MachineReadableZone?
  private let isTrustGiven: Bool

  /// - Parameters:
  ///   - trust: the trusted certificates.
  ///   - date: the time at which certificates are checked, and the day that determines the centuries of dates.
  ///   - policy: how strictly the chip is authenticated.
  public init(_ files: ChipFiles, trust: TrustStore, date: DateTime, policy: AuthenticationPolicy = .standard) {
    contents = ChipContents(files)
    authentication = PassiveAuthentication(contents, trust: trust, date: date, policy: policy)
    isTrustGiven = trust.isGiven
    let text = try? contents.dataGroup1?.get().text
    zone = text.flatMap { try? MachineReadableZone($0, on: date.calendarDate) }
  }

  /// Returns the portrait: the first picture of EF.DG2.
  ///
  /// - Throws: ``VerifyError/Code/unreadable`` if there is none, or the error of parsing EF.DG2.
  public func portrait() throws -> FaceImage {
    guard let image = try contents.dataGroup2?.get().images.first else {
      throw VerifyError(.unreadable, "the chip has no EF.DG2, which holds the portrait")
    }
    return image
  }

  /// Mandatory files that are missing: EF.COM (required by Doc 9303-10, 4.6.1), also if it cannot be read, and every
  /// data group that EF.SOD or EF.COM lists, except EF.DG3 and EF.DG4, fingerprints and irises, which only terminals
  /// with extended access may read (Doc 9303-10, 4.7.3 and 4.7.4; 9303-11, 7; BSI TR-03110-1).
  public var missing: [ElementaryFile] {
    let common = try? contents.common?.get()
    let signed = try? contents.documentSecurity?.get().content.hashes.keys
    let named = Set(common?.dataGroups ?? []).union(signed.map(Array.init) ?? []).subtracting([3, 4])
    // A hash list may have entries for data groups that do not exist.
    let absent = named.sorted().filter { (1...16).contains($0) && contents.files[.dataGroup($0)] == nil }
    return (common == nil ? [.common] : []) + absent.map(ElementaryFile.dataGroup)
  }

  /// The evidence that decides what may rely on the chip.
  public var evidence: ChipEvidence {
    func state(_ file: ElementaryFile, _ isUsable: Bool) -> ChipEvidence.File {
      contents.files[file] == nil ? .missing : isUsable ? .usable : .unusable
    }
    let isSignatureChecked = authentication.step(.signature).map { $0.status != .notChecked } ?? false
    return ChipEvidence(
      securityObject: state(.documentSecurity, (try? contents.documentSecurity?.get()) != nil && isSignatureChecked),
      dataGroup1: state(.dataGroup(1), zone != nil), dataGroup2: state(.dataGroup(2), (try? portrait()) != nil),
      isComplete: missing.isEmpty, verdict: authentication.verdict, isInDate: authentication.validity != .failed,
      isTrustGiven: isTrustGiven)
  }

  /// Describes a reason of ``ChipEvidence/problem`` for people.
  package func text(of problem: DocumentReason) -> String {
    switch problem {
    case .chipUnreadable: "EF.DG1 is missing or cannot be read"
    case .sodUnusable: "EF.SOD is missing, or its signature cannot be checked"
    case .portraitUnreadable: "EF.DG2 is missing or cannot be read"
    default: "missing: \(missing.map(\.rawValue).joined(separator: ", ")); give all of the chip's files"
    }
  }

  /// The values and checks for a report.
  public var reading: ChipReading {
    var reading = ChipReading(zone: zone, evidence: evidence)
    let signature = authentication.step(.signature)?.status ?? .notChecked
    func group(_ number: Int) -> CheckStatus {
      let hash = authentication.step(.hash(number))?.status ?? .notChecked
      if hash == .failed || signature == .failed { return .failed }
      return hash == .passed && signature == .passed ? .passed : .notChecked
    }
    reading.dataGroup1 = group(1)
    reading.dataGroup11 = group(11)
    reading.dataGroup12 = group(12)
    let holder = try? contents.dataGroup11?.get()
    reading.dateOfBirth = holder?.dateOfBirth
    reading.personalNumber = holder?.personalNumber
    reading.placeOfBirth = holder.flatMap { Self.line($0.placeOfBirth) }
    reading.address = holder.flatMap { Self.line($0.address) }
    reading.dateOfIssue = try? contents.dataGroup12?.get().dateOfIssue
    reading.signerSubject = authentication.signer?.subject.description
    reading.signerValidFrom = authentication.signer?.validFrom.calendarDate
    reading.signerValidTo = authentication.signer?.validTo.calendarDate
    return reading
  }

  private static func line(_ parts: [String]) -> String? {
    let parts = parts.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
