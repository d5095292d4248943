internal import FaceVerifyBase
internal import FaceVerifyJourney

/// An operator's request for a session: the members of a journey's configuration, and those of the server.
struct SessionRequest: Sendable {
  var journey: JourneyConfiguration
  let callback: String?
  /// Where the page leads the person at the end.
  let returnURL: String?
  /// Whether the screen lights the face in colours.
  let isLit: Bool
  let ui: JSONValue
  /// Seconds, like the following members.
  let imageSeconds: Double
  let resultSeconds: Double
  let lifetime: Double
  let startBy: Double
  /// How a test session ends; nil for a live one.
  let outcome: TestOutcome?
  /// The request as received, for a restart; a portrait is replaced by its template.
  let json: JSONValue
  private let hasReader: Bool

  var showsResult: Bool { ui["showsResult"]?.bool ?? false }

  /// Members of the journey's configuration that only the server sets.
  private static let ownMembers = [
    "nonce", "token", "tokenKey", "camera", "keepsPictures", "id", "timeout", "isCaptureTrusted", "isLightRequired",
    "trust",
  ]
  /// Names of the specification and their equivalents here (docs/web.md).
  private static let aliases = [
    "merchantScanReference": "customerInternalReference", "merchantReportingCriteria": "reportingCriteria",
    "customerId": "userReference", "accountId": "account",
  ]
  private static let categories: [String: JourneyCategory] = [
    "ID": .id, "FACE": .face, "IDENTITY": .face, "DOCUMENT": .document,
  ]
  /// The member of a stored portrait: the template that was computed from a photo.
  static let photoTemplate = "photoTemplate"
  static let imageTimes = 0.0...86400.0
  static let resultTimes = 60.0...2_592_000.0
  static let scannerTimes = 10.0...60.0
  /// Permitted times until the page is opened; long, for links sent by e-mail.
  static let startTimes = 5.0...604_800.0

  /// - Parameters:
  ///   - allowsScripts: whether an operator may choose the challenges, which makes recorded answers possible; for
  ///     tests.
  ///   - isTest: whether it is of a test key, which alone may set the outcome.
  ///   - trust: the trust anchors for documents.
  ///   - hasReader: whether the server has a reader for chips.
  init(_ json: JSONValue, trust: TrustStore, hasReader: Bool = false, allowsScripts: Bool, isTest: Bool) throws {
    guard case .object(var members) = json else { throw Problem(400, "The body must be a JSON object.") }
    self.json = json
    for (alias, name) in Self.aliases {
      guard let value = members.removeValue(forKey: alias) else { continue }
      guard members[name] == nil else { throw Problem(400, "\(alias) and \(name) are the same member: give one.") }
      members[name] = value
    }
    for name in Self.ownMembers + (allowsScripts ? [] : ["script"]) where members[name] != nil {
      throw Problem(400, "The server sets \"\(name)\": omit it.")
    }
    func take(_ name: String) -> JSONValue? { members.removeValue(forKey: name).flatMap { $0 == .null ? nil : $0 } }
    let test = take("test")
    guard isTest || test == nil else {
      throw Problem(400, "A live key cannot set test: use a test key (`serve key add --test`).")
    }
    outcome = isTest ? try TestOutcome(test) : nil
    func text(_ name: String) throws -> String? {
      try take(name).map {
        guard let text = $0.string else { throw Problem(400, "\(name) must be a string.") }
        return text
      }
    }
    callback = try text("callbackUrl")
    returnURL = try text("returnUrl")
    let isStrict = members["faceModes"]?.elements.contains(.string(ScanMode.strict.rawValue)) ?? false
    switch take("light")?.string ?? (isStrict ? "on" : "off") {
    case "on": isLit = true
    case "off": isLit = false
    default: throw Problem(400, "light must be \"on\" or \"off\".")
    }
    func seconds(_ name: String, _ value: JSONValue?, _ standard: Double, _ range: ClosedRange<Double>) throws -> Double
    {
      guard let value else { return standard }
      guard let number = value.double, range.contains(number) else {
        throw Problem(400, "\(name) must be \(Int(range.lowerBound)) to \(Int(range.upperBound)) seconds.")
      }
      return number
    }
    let portrait = take("portrait")
    let retention = take("retention")
    imageSeconds = try seconds("retention.images", retention?["images"], 0, Self.imageTimes)
    resultSeconds = try seconds("retention.result", retention?["result"], 86400, Self.resultTimes)
    lifetime = try seconds("lifetime", take("lifetime"), 900, JourneyConfiguration.timeouts)
    startBy = try seconds("startBy", take("startBy"), 900, Self.startTimes)
    let ui = take("ui") ?? [:]
    guard case .object(let shown) = ui else { throw Problem(400, "ui must be an object.") }
    for name in shown.keys where !Self.uiMembers.contains(name) {
      throw Problem(400, "Unknown member \"\(name.prefix(64))\" of ui: use \(Self.uiMembers.joined(separator: ", ")).")
    }
    self.ui = ui
    if let timeout = ui["scannerTimeout"] {
      members["partTimeout"] = .number(try seconds("ui.scannerTimeout", timeout, 30, Self.scannerTimes))
    }
    if let workflow = take("workflowDefinition") {
      guard members["requests"] == nil else { throw Problem(400, "Give workflowDefinition or requests, not both.") }
      members["requests"] = .array(try (workflow["credentials"]?.elements ?? []).map(Self.request))
    }
    // A browser reads no chip: its files are requested only if the operator asks for them.
    if members["readsChip"] ?? .null == .null { members["readsChip"] = .bool(hasReader && !trust.anchors.isEmpty) }
    self.hasReader = hasReader
    journey = try JourneyConfiguration(.object(members))
    guard journey.requests.allSatisfy({ $0.category != .data }) else {
      throw Problem(400, "The category \"data\" is not supported.")
    }
    journey.trust = trust
    journey.capture.isLightRequired = isLit
    if let portrait {
      let ofPhoto = portrait[Self.photoTemplate]
      guard let bytes = (ofPhoto ?? portrait).string.flatMap(Base64.standard.decode) else {
        throw Problem.portrait
      }
      let template = try FaceTemplate(serialised: bytes)
      journey.portrait = ofPhoto == nil ? .template(template) : .photoTemplate(template)
    }
  }

  /// Suspected personal data, and settings with which no visitor can pass on this server; one sentence each.
  var warnings: [String] {
    let (modes, required) = (Set(journey.documentModes), journey.assurance)
    func has(_ category: JourneyCategory) -> Bool { journey.requests.contains { $0.category == category } }
    let needsChip = journey.requiresChip || !journey.readsPages
    let readsChip = (needsChip ? hasReader : journey.readsChip) && !journey.trust.anchors.isEmpty
    let chip: DocumentAssurance = !readsChip ? .none : hasReader ? .chipAuthentic : .chipCopyAuthentic
    func canPass(_ choice: DocumentChoice) -> Bool {
      let isLicence = choice.form?.codeSide != nil
      let isAccepted = required.accepted.contains(isLicence ? .licence : .page) && !needsChip
      return isLicence
        ? isAccepted && modes != [.docFinder] : isAccepted || chip != .none && chip >= required.document
    }
    let binding: Assurance.Binding =
      switch journey.portrait {
      case .template?: .enrolledTemplate
      // A document whose chip does not suffice passes only without it.
      case nil: !has(.id) ? .none : chip == .none || chip < required.document ? .pagePortrait : .chipPortrait
      default: .suppliedPhoto
      }
    var warnings = journey.warnings
    func warn(_ isFault: Bool, _ text: String) { if isFault { warnings.append("no visitor can pass: " + text) } }
    warn(!has(.id) && !has(.face), "requests has neither an id nor a face")
    warn(
      has(.face) && journey.comparesFace && !journey.extractsOnly && (binding == .none || binding < required.binding),
      "the face is compared with \(binding.rawValue) at most: give a portrait, an id, or comparesFace set to false")
    let isReadable = journey.requests.allSatisfy { request in
      request.category != .id
        || DocumentChoice.all(
          countries: request.countries, types: request.types, variants: request.variants, extractsOnly: true
        ).contains(where: canPass)
    }
    warn(
      !isReadable,
      "a document needs a chip, which takes a server with --reader and --trust, or its kind in assurance.accepted")
    warn(has(.document) && modes.isDisjoint(with: [.manual, .file]), "a document takes the mode manual or file")
    warn(has(.face) && isLit && Set(journey.faceModes) == [.faceManual], "light takes a face mode with several frames")
    return warnings
  }

  private static let uiMembers = ["language", "showsResult", "showRFIDInstructions", "scannerTimeout"]

  private static func request(_ credential: JSONValue) throws -> JSONValue {
    let name = credential["category"]?.string ?? ""
    guard let category = categories[name.uppercased()] else {
      throw Problem(400, "Unknown category \"\(name.prefix(32))\": use ID, FACE or DOCUMENT.")
    }
    var members: [String: JSONValue] = ["category": .string(category.rawValue)]
    if let values = credential["country"]?["values"] { members["countries"] = values }
    if let values = credential["type"]?["values"] {
      members["types"] = .array(
        try values.elements.map { value in
          guard
            let type = DocumentType.allCases.first(where: { SpecificationNames.documentType($0) == value.string })
          else { throw Problem(400, "Unknown document type \"\((value.string ?? "").prefix(32))\".") }
          return .string(type.rawValue)
        })
    }
    return .object(members)
  }
}
