/// What was found for one signal of one session.
public struct LivenessCheck: Sendable, Hashable {
  public let signal: LivenessSignal
  public let status: CheckStatus
  /// The native value in ``unit``, or nil if it could not be determined.
  public let value: Double?
  /// "share" (0 to 1), "score", "ratio", "frames", "seconds", "degrees", "level" (of 255) or "faces".
  public let unit: String
  /// The range in which the check passes; nil is no limit.
  public let minimum: Double?
  public let maximum: Double?
  /// One sentence: what was seen if the check failed, why it was not checked, or empty if it passed.
  public let text: String
  /// What the range rests on.
  public let source: String

  init(_ measure: any LivenessMeasuring) {
    let kind = type(of: measure)
    let status: CheckStatus
    let text: String
    let value: Double?
    switch measure.measured {
    case .unavailable(let why):
      (status, text, value) = (.notChecked, why, nil)
    case .value(let found) where !found.isFinite:
      (status, text, value) = (.notChecked, "The frames did not show the face well enough for this check.", nil)
    case .value(let found):
      let passed = found >= (measure.minimum ?? -.infinity) && found <= (measure.maximum ?? .infinity)
      (status, text, value) = (passed ? .passed : .failed, passed ? "" : measure.failure, found)
    }
    signal = kind.signal
    self.status = status
    self.value = value
    unit = kind.unit
    minimum = measure.minimum
    maximum = measure.maximum
    self.text = text
    source = kind.source
  }

  /// - Parameters:
  ///   - challengesMet: the share of the script's challenges that were met; nil if that cannot be told yet.
  ///   - text: why not, or what was missed.
  package init(challengesMet: Double?, text: String) {
    signal = .challengeCompliance
    status = challengesMet.map { $0 == 1 ? .passed : .failed } ?? .notChecked
    value = challengesMet
    unit = "share"
    minimum = 1
    maximum = nil
    self.text = text
    source = "the script: each of its challenges is to be met"
  }
}
