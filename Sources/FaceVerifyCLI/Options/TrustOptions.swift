public import ArgumentParser
public import FaceVerify
import Glibc

struct ChipOption: ParsableArguments {
  @Option(help: .init("A folder with the files of the document's chip.", "folder"), completion: .directory)
  var chip: String?

  func files() throws -> ChipFiles? { try chip.map { try ChipFiles(folder: $0) } }
}

struct DateOption: ParsableArguments {
  @Option(help: .init("The day for which expiry, age and certificates are checked, YYYY-MM-DD; default: today.", "day"))
  var date: CalendarDate?

  /// Today's date in UTC by default: the library itself has no clock.
  func day() throws -> CalendarDate {
    if let date { return date }
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    guard
      let today = CalendarDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    else { throw VerifyError(.badArgument, "the clock of this machine has no valid date; name one with --date") }
    return today
  }
}

extension CalendarDate: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

struct TrustOption: ParsableArguments {
  @Option(
    help: .init("A folder of CSCA certificates (PEM, DER), master lists and revocation lists.", "folder"),
    completion: .directory)
  var trust: String?
  @OptionGroup var pins: PinOption
  @OptionGroup var strictness: StrictOption

  var policy: AuthenticationPolicy { strictness.policy }

  /// - Parameter day: the date for which lists are checked; if nil, they may be signed in the future.
  func store(on console: Console, for day: CalendarDate? = nil) throws -> TrustStore {
    guard let trust = trust ?? Settings.current.trust else { return TrustStore() }
    let store = try TrustStore(folder: trust, pins: pins.all)
    let judged = day.map { store.judged(on: DateTime($0), by: policy) } ?? store
    for source in judged.sources where [.refused, .notPinned].contains(source.kind) || source.unreadableCount > 0 {
      console.warn("\(source.name): \(source.text)")
    }
    if judged.anchors.isEmpty { console.warn("\(trust): no certificate in it is trusted") }
    return store
  }
}

struct PinOption: ParsableArguments {
  @Option(
    help: .init(
      "Trust master lists of the CSCA with this SHA-256 fingerprint; pins.txt in the trust folder has more, one a line.",
      "sha256"))
  var pin: [String] = []

  var all: [String] { pin.isEmpty ? Settings.current.pins : pin }
}

struct StrictOption: ParsableArguments {
  @Flag(help: "Accept no deviation of chips and lists from the standards.") var strict = false

  var policy: AuthenticationPolicy { strict ? .strict : .standard }
}
