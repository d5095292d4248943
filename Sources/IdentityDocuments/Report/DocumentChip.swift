/// What a chip's files say, and whether they are genuine. Each file is parsed once, and the signature of EF.SOD verified
/// once: ``PassiveAuthentication`` takes what ``ChipContents`` holds.
public struct DocumentChip: Sendable {
  public let contents: ChipContents
  public let authentication: PassiveAuthentication
  /// The zone of EF.DG1; nil if it is absent or damaged.
  public let zone: MachineReadableZone?

  /// - Parameters:
  ///   - trust: the certificates that are trusted.
  ///   - date: the day for which certificates are checked, and by which centuries of dates are told.
  ///   - policy: how strictly it is authenticated.
  public init(_ files: ChipFiles, trust: TrustStore, date: DateTime, policy: AuthenticationPolicy = .standard) {
    contents = ChipContents(files)
    authentication = PassiveAuthentication(contents, trust: trust, date: date, policy: policy)
    let text = try? contents.dataGroup1?.get().text
    zone = text.flatMap { try? MachineReadableZone($0, on: date.calendarDate) }
  }

  /// The portrait: the first picture of EF.DG2.
  ///
  /// - Throws: ``VerifyError/Code/unreadable`` if there is none, or why EF.DG2 cannot be read.
  public func portrait() throws -> FaceImage {
    guard let image = try contents.dataGroup2?.get().images.first else {
      throw VerifyError(.unreadable, "the chip has no EF.DG2, which holds the portrait")
    }
    return image
  }

  /// For a report.
  public var reading: ChipReading {
    var reading = ChipReading(zone: zone)
    let signature = authentication.step(.signature)?.status ?? .notChecked
    reading.passiveAuthentication = authentication.status
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
