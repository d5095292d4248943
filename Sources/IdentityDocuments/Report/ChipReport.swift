/// A chip that was read live: its files, their authentication, and whether it is a copy.
public struct ChipReport: Sendable, JSONConvertible {
  public let chip: LiveChip
  public let reading: ChipReading
  public let proof: ChipProof

  /// - Parameters: as of ``ChipReading``.
  public init(_ chip: LiveChip, trust: TrustStore, date: DateTime, policy: AuthenticationPolicy = .standard) {
    self.chip = chip
    reading = ChipReading(chip.files, trust: trust, date: date, policy: policy)
    proof = ChipProof(chip, contents: reading.contents, authentication: reading.authentication)
  }

  /// Failed if the chip is not genuine, not in date, or suspected to be a copy; passed if it is genuine and in date, was
  /// read completely and proved that it is no copy.
  public var status: CheckStatus {
    if reading.authentication.status == .failed || proof.verdict == .cloneSuspected { return .failed }
    let isComplete = chip.interruption == nil && reading.evidence.problem == nil
    return reading.authentication.status == .passed && proof.verdict == .notCloned && isComplete ? .passed : .notChecked
  }

  /// That of ``ChipReading``, with the members `proof` and `session`.
  public var jsonValue: JSONValue {
    guard case .object(var members) = reading.jsonValue else { return .null }
    members["proof"] = proof.jsonValue
    members["session"] = [
      "access": .string(chip.access),
      "unread": .object(
        Dictionary(uniqueKeysWithValues: chip.unread.map { ($0.rawValue, .string($1.message)) })),
      "interruption": .optional(chip.interruption?.message), "commands": .integer(chip.commandCount),
      "transcriptSHA256": .string(chip.transcriptSHA256),
    ]
    return .object(members)
  }
}
