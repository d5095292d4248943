import ArgumentParser
import FaceVerify

/// The kind of a photo, which determines its quality policy.
enum PolicyOption: String, ExpressibleByArgument, CaseIterable {
  case selfie, document, chip

  var policy: QualityPolicy {
    switch self {
    case .selfie: .selfie
    case .document: .documentPortrait
    case .chip: .chipPortrait
    }
  }
}

/// The kind of a photo, or `any`, which accepts any quality.
enum EnrolmentPolicyOption: String, ExpressibleByArgument, CaseIterable {
  case selfie, document, chip, any

  var policy: QualityPolicy { PolicyOption(rawValue: rawValue)?.policy ?? .any }
}

/// A false-match rate. The engine checks that the calibration supports it.
struct RateOption: ExpressibleByArgument {
  let rate: FalseMatchRate

  init(rate: FalseMatchRate) { self.rate = rate }

  init?(argument: String) {
    guard let rate = FalseMatchRate(argument) else { return nil }
    self.rate = rate
  }

  var defaultValueDescription: String { rate.description }
}

/// The minimum presence level that passes.
struct PresenceOption: ExpressibleByArgument {
  let level: Assurance.Presence

  init?(argument: String) {
    guard let level = Assurance.Presence(rawValue: argument), level != .none else { return nil }
    self.level = level
  }

  static let names = Assurance.Presence.allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
}

/// Documents that pass without an authenticated chip.
struct AcceptOption: ParsableArguments {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case page = "page-only"
    case licence = "licence-code"
  }

  @Option(
    name: .customLong("accept"),
    help: ArgumentHelp("Let this kind of document pass although no chip authenticates it.", valueName: "kind"))
  var accepted: [Kind] = []

  var kinds: Set<UnauthenticatedDocument> {
    Set(accepted.compactMap { UnauthenticatedDocument(rawValue: $0.rawValue) })
  }
}
