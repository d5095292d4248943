/// A chip: its parsed files, their authentication, whether it is a copy, and the values and checks that a report needs of
/// them.
public struct ChipReading: Sendable, JSONConvertible {
  public let contents: ChipContents
  public let authentication: PassiveAuthentication
  /// Whether the chip is a copy; nil unless it was read live.
  public let proof: ChipProof?
  /// The zone of EF.DG1; nil if it is absent or damaged.
  public package(set) var zone: MachineReadableZone?
  /// The evidence that decides what may rely on the chip.
  public package(set) var evidence: ChipEvidence
  /// Whether a trusted state signed data group 1: its hash matches, and the chip is authentic. A signature that no anchor
  /// confirms can be anybody's. Likewise for groups 11 and 12 below.
  public package(set) var dataGroup1 = CheckStatus.notChecked
  public package(set) var dataGroup11 = CheckStatus.notChecked
  public package(set) var dataGroup12 = CheckStatus.notChecked

  /// From data group 11, with the full year, which the zone lacks.
  public package(set) var dateOfBirth: PartialDate?
  /// From data group 11; the parts of place and address on one line.
  public package(set) var fullName, personalNumber, placeOfBirth, address: String?
  /// From data group 12.
  public package(set) var dateOfIssue: PartialDate?
  /// The document signer's subject, as a distinguished name.
  public package(set) var signerSubject: String?
  public package(set) var signerValidFrom, signerValidTo: CalendarDate?

  /// Parses each file once and verifies the signature of EF.SOD once.
  ///
  /// - Parameters:
  ///   - trust: the trusted certificates.
  ///   - date: the time at which certificates are checked, and the day that determines the centuries of dates.
  ///   - policy: how strictly the chip is authenticated.
  public init(_ files: ChipFiles, trust: TrustStore, date: DateTime, policy: AuthenticationPolicy = .standard) {
    let contents = ChipContents(files)
    let authentication = PassiveAuthentication(contents, trust: trust, date: date, policy: policy)
    let text = try? contents.dataGroup1?.get().text
    zone = text.flatMap { try? MachineReadableZone($0, on: date.calendarDate) }
    (self.contents, self.authentication) = (contents, authentication)
    let proof = ChipProof(contents, authentication: authentication)
    self.proof = proof

    let signature = authentication.step(.signature)?.status ?? .notChecked
    func state(_ file: ElementaryFile, _ isUsable: Bool) -> ChipEvidence.File {
      files[file] == nil ? .missing : isUsable ? .usable : .unusable
    }
    let hasPortrait = (try? contents.dataGroup2?.get())?.images.first != nil
    evidence = ChipEvidence(
      securityObject: state(
        .documentSecurity, (try? contents.documentSecurity?.get()) != nil && signature != .notChecked),
      dataGroup1: state(.dataGroup(1), zone != nil), dataGroup2: state(.dataGroup(2), hasPortrait),
      isComplete: contents.missing.isEmpty && proof?.isComplete != false, verdict: authentication.verdict,
      isInDate: authentication.validity != .failed, isTrustGiven: trust.isGiven, proof: proof?.verdict)

    func group(_ number: Int) -> CheckStatus {
      let hash = authentication.step(.hash(number))?.status ?? .notChecked
      if hash == .failed || authentication.verdict == .invalid { return .failed }
      return hash == .passed && authentication.verdict == .authentic ? .passed : .notChecked
    }
    (dataGroup1, dataGroup11, dataGroup12) = (group(1), group(11), group(12))
    func line(_ parts: [String]?) -> String? {
      let parts = (parts ?? []).filter { !$0.isEmpty }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
    let holder = try? contents.dataGroup11?.get()
    (fullName, dateOfBirth, personalNumber) = (holder?.fullName, holder?.dateOfBirth, holder?.personalNumber)
    (placeOfBirth, address) = (line(holder?.placeOfBirth), line(holder?.address))
    dateOfIssue = try? contents.dataGroup12?.get().dateOfIssue
    let signer = authentication.signer
    signerSubject = signer?.subject.description
    (signerValidFrom, signerValidTo) = (signer?.validFrom.calendarDate, signer?.validTo.calendarDate)
  }

  /// Why a data group is not the one that a trusted state signed.
  func reason(ofGroup number: Int) -> DocumentReason {
    authentication.step(.hash(number))?.status == .failed ? .dataGroupAltered : .authenticationFailed
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

  /// Describes a reason of ``ChipEvidence/problem`` for people.
  package func text(of problem: DocumentReason) -> String {
    switch problem {
    case .chipUnreadable: "EF.DG1 is missing or cannot be read"
    case .sodUnusable: "EF.SOD is missing, or its signature cannot be checked"
    case .portraitUnreadable: "EF.DG2 is missing or cannot be read"
    case .cloneSuspected: "the chip failed what its signed data announce: it may be a copy"
    default:
      contents.missing.isEmpty
        ? "the chip did not finish proving that it is not a copy; read it again"
        : "missing: \(contents.missing.map(\.rawValue).joined(separator: ", ")); read all of the chip's files"
    }
  }

  /// Failed if the chip is not genuine, not in date, or suspected to be a copy; passed if it is genuine, in date and
  /// complete, and if read live, proved that it is no copy.
  public var status: CheckStatus {
    if authentication.status == .failed || proof?.verdict == .cloneSuspected { return .failed }
    let isWhole = evidence.problem == nil && contents.files.live?.interruption == nil
    return authentication.status == .passed && isWhole && proof?.verdict ?? .notCloned == .notCloned
      ? .passed : .notChecked
  }

  public var jsonValue: JSONValue {
    func file<Value>(_ result: Result<Value, VerifyError>?, _ value: (Value) -> JSONValue) -> JSONValue {
      switch result {
      case nil: .null
      case .success(let content): value(content)
      case .failure(let error): error.jsonValue
      }
    }
    let (contents, files) = (contents, contents.files)
    var members: [String: JSONValue] = [
      "dataGroups": files.dataGroups.memberJSON, "ignored": files.ignored.memberJSON,
      "missing": .array(contents.missing.map { .string($0.rawValue) }),
      "problem": .optional(evidence.problem?.rawValue), "authentication": authentication.jsonValue,
      "mrz": zone?.jsonValue ?? .null,
      "com": file(contents.common) {
        [
          "ldsVersion": .optional($0.ldsVersion), "unicodeVersion": .optional($0.unicodeVersion),
          "dataGroups": $0.dataGroups.memberJSON,
        ]
      },
      "dg1": file(contents.dataGroup1) { ["text": .string($0.text)] },
      "dg2": file(contents.dataGroup2) { ["images": $0.images.jsonValue] },
      "dg11": file(contents.dataGroup11, \.jsonValue), "dg12": file(contents.dataGroup12, \.jsonValue),
      "dg14": file(contents.dataGroup14, \.infos.jsonValue), "dg15": file(contents.dataGroup15, \.publicKey.jsonValue),
      "cardAccess": file(contents.cardAccess, \.infos.jsonValue),
      "cardSecurity": file(contents.cardSecurity, \.infos.infos.jsonValue),
      "sod": file(contents.documentSecurity) {
        [
          "version": .integer($0.content.version), "hashAlgorithm": .string($0.content.hashAlgorithmIdentifier),
          "signerIdentified": .bool($0.isSignerIdentified),
          "hashes": .object(
            Dictionary(uniqueKeysWithValues: $0.content.hashes.map { ("dg\($0)", .string(hexadecimal($1))) })),
          "ldsVersion": .optional($0.content.ldsVersion), "unicodeVersion": .optional($0.content.unicodeVersion),
        ]
      },
    ]
    if let live = files.live, let proof {
      members["proof"] = proof.jsonValue
      members["session"] = live.jsonValue
    }
    return .object(members)
  }
}
