/// Whether a chip that was read live is the one that its data were signed for (ICAO Doc 9303-11, 6).
public struct ChipProof: Sendable, JSONConvertible {
  public typealias Step = Check<StepName>

  public struct StepName: CheckName {
    public typealias Reason = ChipProof.Reason

    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The chip signed a challenge with the key in EF.DG15.
    public static let activeAuthentication = Self(rawValue: "active-authentication")
    /// The chip has the secret of its key in EF.DG14.
    public static let chipAuthentication = Self(rawValue: "chip-authentication")
    /// The chip has the secret of its key in EF.CardSecurity.
    public static let chipAuthenticationMapping = Self(rawValue: "chip-authentication-mapping")
    /// EF.CardAccess, which anyone can change, announces what the signed EF.DG14 announces: nobody suppressed a variant
    /// of PACE or added the one in use.
    public static let announcement = Self(rawValue: "announcement")
  }

  /// Why a step did not pass.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No authenticated data announce the protocol.
    public static let notAnnounced = Self(rawValue: "not-announced")
    /// The file with the key is not authenticated: anyone could have made the key.
    public static let keyNotAuthenticated = Self(rawValue: "key-not-authenticated")
    /// EF.SOD has the hash of the file with the key, but the chip does not return the file.
    public static let keyMissing = Self(rawValue: "key-missing")
    public static let keyUnusable = Self(rawValue: "key-unusable")
    public static let algorithmUnknown = Self(rawValue: "algorithm-unknown")
    /// The protocol was not performed, because reading ended before.
    public static let notPerformed = Self(rawValue: "not-performed")
    public static let chipRefused = Self(rawValue: "chip-refused")
    public static let signatureWrong = Self(rawValue: "signature-wrong")
    public static let announcementsDiffer = Self(rawValue: "announcements-differ")
  }

  public struct Verdict: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The data are authentic, and the chip proved that it is not a copy.
    public static let notCloned = Self(rawValue: "not-cloned")
    /// Signed data announce a protocol against copies that the chip failed, or EF.CardAccess was changed.
    public static let cloneSuspected = Self(rawValue: "clone-suspected")
    /// The data are authentic, and announce no protocol against copies: a copy would pass, too.
    public static let notAnnounced = Self(rawValue: "not-announced")
    /// The data are not authentic, or a protocol could not be performed.
    public static let notChecked = Self(rawValue: "not-checked")
  }

  /// Always four, in the order of ``StepName``.
  public let steps: [Step]
  public let verdict: Verdict
  /// Whether every supported protocol was performed that signed data announce, with a key that they authenticate. A copy
  /// that ends the session before it fails is incomplete.
  public let isComplete: Bool

  /// nil for files that no ``ChipSession`` read.
  ///
  /// - Parameter authentication: that of the files of this chip.
  public init?(_ contents: ChipContents, authentication: PassiveAuthentication) {
    guard let chip = contents.files.live else { return nil }
    let isSigned = authentication.step(.signature)?.status == .passed
    let hashes = (try? contents.documentSecurity?.get())?.content.hashes
    func status(_ number: Int) -> CheckStatus? {
      guard isSigned, hashes?[number] != nil else { return nil }
      return contents.files[.dataGroup(number)] == nil
        ? .notChecked : authentication.step(.hash(number))?.status ?? .notChecked
    }
    let (dataGroup14, dataGroup15) = (status(14), status(15))
    let infos = try? contents.dataGroup14?.get()
    steps = [
      Self.active(chip, contents.files, infos, dataGroup15, dataGroup14),
      Self.authentication(chip, infos, dataGroup14),
      Self.mapping(chip, contents, authentication),
      Self.announcement(chip, try? contents.cardAccess?.get(), infos, dataGroup14),
    ]
    let isAuthentic = authentication.verdict == .authentic
    isComplete = !steps.contains { step in
      [.notPerformed, .keyMissing].contains(step.reason) || isAuthentic && step.reason == .keyNotAuthenticated
        // The chip chose the digest, not the state: a copy would choose one that nobody can check.
        || step.name == .activeAuthentication && step.reason == .algorithmUnknown
    }
    if steps.contains(where: { $0.status == .failed }) {
      verdict = .cloneSuspected
    } else if !isAuthentic {
      verdict = .notChecked
    } else if steps.dropLast().contains(where: { $0.status == .passed }) {
      verdict = .notCloned
    } else {
      verdict = steps.dropLast().allSatisfy { $0.reason == .notAnnounced } ? .notAnnounced : .notChecked
    }
  }

  /// Returns the step with a name.
  public func step(_ name: StepName) -> Step? { steps.first { $0.name == name } }

  /// Returns why a file's key cannot be relied on; nil if it can.
  private static func unreliable(_ name: StepName, _ file: Int, _ status: CheckStatus?) -> Step? {
    switch status {
    case .passed: nil
    case nil: Step(name, .notChecked, .notAnnounced, "no signed data announce EF.DG\(file)")
    case .notChecked: Step(name, .notChecked, .keyMissing, "EF.SOD has a hash of EF.DG\(file), which was not read")
    case .failed:
      Step(name, .notChecked, .keyNotAuthenticated, "EF.DG\(file) is not the one that was signed")
    }
  }

  private static func active(
    _ chip: LiveChip, _ files: ChipFiles, _ infos: SecurityInfos?, _ dataGroup15: CheckStatus?,
    _ dataGroup14: CheckStatus?
  ) -> Step {
    let name = StepName.activeAuthentication
    if let step = unreliable(name, 15, dataGroup15) { return step }
    guard let file = files[.dataGroup(15)], (try? DataGroup15(file)) != nil else {
      return Step(name, .notChecked, .keyUnusable, "the key in EF.DG15 cannot be read")
    }
    guard let result = chip.activeAuthentication else {
      return Step(name, .notChecked, .notPerformed, "active authentication was not completed")
    }
    return result.verify(dataGroup15: file, dataGroup14: dataGroup14 == .passed ? infos : nil)
  }

  private static func authentication(_ chip: LiveChip, _ infos: SecurityInfos?, _ dataGroup14: CheckStatus?) -> Step {
    let name = StepName.chipAuthentication
    if let step = unreliable(name, 14, dataGroup14) { return step }
    let keys = infos?.infos.compactMap(\.subjectPublicKeyInfo) ?? []
    guard !keys.isEmpty else {
      return Step(name, .notChecked, .notAnnounced, "EF.DG14 has no key of chip authentication")
    }
    guard let result = chip.chipAuthentication, keys.contains(result.publicKey) else {
      let isSupported = infos.flatMap { ChipAuthentication.Variant.preferred(of: $0.infos) } != nil
      return isSupported
        ? Step(name, .notChecked, .notPerformed, "reading ended before chip authentication")
        : Step(name, .notChecked, .algorithmUnknown, "EF.DG14 has no variant of chip authentication that is known")
    }
    switch result.status {
    case .passed: return Step(name, .passed, nil, "the chip has the secret of its key (\(result.protocolName))")
    case .failed: return Step(name, .failed, .chipRefused, result.text)
    case .notChecked: return Step(name, .notChecked, .keyUnusable, result.text)
    }
  }

  private static func mapping(
    _ chip: LiveChip, _ contents: ChipContents, _ authentication: PassiveAuthentication
  ) -> Step {
    let name = StepName.chipAuthenticationMapping
    guard !chip.chipAuthenticationMappings.isEmpty else {
      return Step(name, .notChecked, .notAnnounced, "the chip was not opened with chip authentication mapping")
    }
    guard let security = try? contents.cardSecurity?.get() else {
      return Step(name, .notChecked, .keyMissing, "EF.CardSecurity was not read or cannot be read")
    }
    guard authentication.step(.cardSecurity)?.status == .passed else {
      return Step(name, .notChecked, .keyNotAuthenticated, "EF.CardSecurity is not authenticated")
    }
    // A chip that replaced the first one between two openings has another key.
    let all = chip.chipAuthenticationMappings.map { $0.verify(security.infos) }
    return all.first { $0.status != .passed } ?? all[0]
  }

  /// 9.2.11: EF.DG14 has the variants of PACE, too. What is missing in EF.CardAccess was suppressed; what is only there
  /// may have been added, and must not have opened the chip.
  private static func announcement(
    _ chip: LiveChip, _ access: SecurityInfos?, _ infos: SecurityInfos?, _ dataGroup14: CheckStatus?
  ) -> Step {
    let name = StepName.announcement
    func pace(_ infos: SecurityInfos?) -> Set<[UInt8]> {
      Set((infos?.infos ?? []).filter { $0.kind == .pace }.map(\.encoded))
    }
    if let step = unreliable(name, 14, dataGroup14) { return step }
    let (announced, signed) = (pace(access), pace(infos))
    // Before Doc 9303 had PACE in EF.DG14, only EF.CardAccess announced it.
    guard !signed.isEmpty else { return Step(name, .notChecked, .notAnnounced, "EF.DG14 announces no PACE") }
    guard signed.isSubset(of: announced) else {
      return Step(
        name, .failed, .announcementsDiffer,
        "the signed EF.DG14 announces variants of PACE that EF.CardAccess lacks: somebody suppressed them")
    }
    guard chip.paceInfo.map({ signed.contains($0.encoded) }) ?? true else {
      return Step(
        name, .failed, .announcementsDiffer,
        "\(chip.access) opened the chip, and the signed EF.DG14 does not announce it: somebody added it")
    }
    return Step(name, .passed, nil, "EF.CardAccess announces the variants of PACE in EF.DG14")
  }

  public var jsonValue: JSONValue { ["verdict": .string(verdict.rawValue), "steps": steps.jsonValue] }
}
