public struct QualityMeasure: RawRepresentable, Hashable, Sendable { public let rawValue: String; public init(rawValue: String) { self.rawValue = rawValue } }
public struct QualityCheck: Sendable { public let measure: QualityMeasure; public let advice: String }
public struct QualityPolicy: Sendable { public static let selfie = QualityPolicy(), documentPortrait = QualityPolicy(), chipPortrait = QualityPolicy() }
public struct QualityReport: Sendable { public var score: Int? { nil }; public var refusals: [QualityCheck] { [] }; public var warnings: [QualityCheck] { [] }; public var isAccepted: Bool { true }
  package init(of face: LocatedFace, among: [LocatedFace], photo: Photo, policy: QualityPolicy) {} }
