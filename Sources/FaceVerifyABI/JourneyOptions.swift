internal import CFaceVerify
internal import FaceVerifyJourney

extension JourneyConfiguration {
  /// The JSON's configuration, with each field that is set in place of its member.
  init(_ options: fv_journey_options) throws {
    self = try optionalString(options.json, "json").map { try JourneyConfiguration(json: $0) } ?? .init()
    if let requests = options.requests {
      guard (1...maximumRequests).contains(options.request_count) else {
        throw VerifyError(.badArgument, "request_count is \(options.request_count): 1 to \(maximumRequests)")
      }
      self.requests = try Structs.read(requests, count: options.request_count, defaults: fv_credential_request())
        .map(Request.init)
    }
    if options.portrait != nil {
      portrait = .template(try TemplateObject.value(of: options.portrait))
    }
    trust = try TrustStoreObject.store(options.trust)
    if options.matching != nil { comparison = try ComparisonPolicy(options.matching) }
    if options.presence != 0 { assurance.presence = try value(options.presence, "presence") }
    if options.document_assurance != 0 {
      assurance.document = try value(options.document_assurance, "document_assurance")
    }
    if options.binding != 0 { assurance.binding = try value(options.binding, "binding") }
    if try flag(options.accepts_page_only, "accepts_page_only") { assurance.accepted.insert(.page) }
    if try flag(options.accepts_licence_code, "accepts_licence_code") { assurance.accepted.insert(.licence) }
    if try flag(options.is_strict, "is_strict") { authentication = .strict }
    if let date = options.date { self.date = try day(date) }

    if let modes = options.face_modes { faceModes = try Self.modes(modes, options.face_mode_count, "face_modes") }
    if let modes = options.document_modes {
      documentModes = try Self.modes(modes, options.document_mode_count, "document_modes")
    }
    if options.nonce != nil { self.nonce = try FaceVerifyABI.nonce(options.nonce, options.nonce_bytes) }
    if options.challenge_count != 0 { challengeCount = Int(options.challenge_count) }
    if options.challenges != 0 { challenges = try members(options.challenges, "challenges") }
    if options.rotation != 0 { rotation = Int(options.rotation) }

    for (value, name, path, isSet) in [
      (options.is_capture_trusted, "is_capture_trusted", \Self.capture.isTrusted, true),
      (options.skips_comparison, "skips_comparison", \.comparesFace, false),
      (options.is_mirrored, "is_mirrored", \.isMirrored, true),
      (options.requires_chip, "requires_chip", \.requiresChip, true),
      (options.skips_chip, "skips_chip", \.readsChip, false),
      (options.skips_pages, "skips_pages", \.readsPages, false),
      (options.reads_text, "reads_text", \.readsText, true),
      (options.asks_confirmation, "asks_confirmation", \.asksConfirmation, true),
      (options.keeps_pictures, "keeps_pictures", \.keepsPictures, true),
      (options.records_personal_data, "records_personal_data", \.recordsPersonalData, true),
    ] as [(fv_bool, String, WritableKeyPath<Self, Bool>, Bool)] where try flag(value, name) {
      self[keyPath: path] = isSet
    }
    if options.start_by != 0 { startBy = options.start_by }
    if options.timeout != 0 { timeout = options.timeout }
    if options.part_timeout != 0 { partTimeout = options.part_timeout }
    if options.maximum_tries != 0 { maximumTries = Int(options.maximum_tries) }
    id = try optionalString(options.id, "id") ?? id
    accountID = try optionalString(options.account_id, "account_id") ?? accountID
    customerInternalReference =
      try optionalString(options.customer_reference, "customer_reference")
      ?? customerInternalReference
  }

  private static func modes(_ start: UnsafePointer<fv_scan_mode>, _ count: Int, _ name: String) throws -> [ScanMode] {
    guard (1...ScanMode.names.all.count).contains(count) else {
      throw VerifyError(.badArgument, "\(name) has \(count) elements: 1 to \(ScanMode.names.all.count)")
    }
    return try UnsafeBufferPointer(start: start, count: count).map { try value($0, name) }
  }
}

/// More than any journey requests; checked before the requests are read.
private let maximumRequests = 64

extension JourneyConfiguration.Request {
  fileprivate init(_ request: fv_credential_request) throws {
    self.init(try value(request.category, "category"))
    countries = try optionalString(request.countries, "countries")?.split(separator: ",").map(String.init) ?? []
    types = request.types == 0 ? [] : try members(request.types, "types")
  }
}
