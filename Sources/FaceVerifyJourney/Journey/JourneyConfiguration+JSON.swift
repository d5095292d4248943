extension JourneyConfiguration {
  /// Decodes what ``jsonValue`` encodes, except `livenessPolicies`, which follow from the modes. Every member is
  /// optional, and a policy may be the name of its preset. The JSON has only the hash of a portrait or trust store,
  /// which are given as objects in memory and are not decoded.
  ///
  /// - Throws: ``VerifyError/Code/badArgument``, naming the member, for an unknown member or a wrong type;
  ///   ``VerifyError/Code/damaged`` for malformed JSON.
  public init(json: String) throws { try self.init(JSONValue(parsing: Array(json.utf8))) }

  /// - Throws: as ``init(json:)``.
  public init(_ json: JSONValue) throws { try self.init(members: json) }

  /// Decodes a record's configuration, including the policies by which liveness was judged.
  init(recorded json: JSONValue) throws {
    var policies: JSONValue?
    var configuration = json
    if case .object(var members) = json {
      policies = members.removeValue(forKey: "livenessPolicies")
      configuration = .object(members)
    }
    try self.init(configuration)
    guard case .object(let byMode)? = policies else { return }
    for (name, policy) in byMode {
      guard let mode = ScanMode(rawValue: name) else {
        throw VerifyError(.badArgument, "\(Self.subject): livenessPolicies has no \"\(name)\"")
      }
      livenessPolicies[mode] = try LivenessPolicy(policy)
    }
  }
}

extension JourneyConfiguration: JSONTable {
  package static let subject = "a journey's configuration"
  package static var blank: Self { Self() }
  public var jsonValue: JSONValue { tableJSON }

  package static var memberTable: [JSONMember<Self>] {
    [
      .init("requests", \.requests), .init("consents", \.consents),
      .init("customerInternalReference", \.customerInternalReference, isWritten: false),
      .init("reportingCriteria", \.reportingCriteria, isWritten: false),
      .init("userReference", \.userReference, isWritten: false),
      .init("id", \.id, isWritten: false), .init("account", \.accountID, isWritten: false),
      .init("region", \.region), .init("requiresRegion", \.requiresRegion),
      .init("requiredVersion", \.requiredVersion),
      .init("token", \.token, isWritten: false),
      .init("tokenKey") { _ in
        nil
      } read: {
        $0.tokenKey = try PublicKey(pem: String($1, at: "tokenKey", in: $2))
      },
      .init("extractsOnly", \.extractsOnly),
      .init("comparesFace") {
        .bool($0.comparesFace && !$0.extractsOnly)
      } read: {
        $0.comparesFace = try Bool($1, at: "comparesFace", in: $2)
      },
      .init("portrait") { $0.portraitFacts },
      .init("assurance", \.assurance),
      .init("isCaptureTrusted", \.capture.isTrusted), .init("isLightRequired", \.capture.isLightRequired),
      .init("comparison", \.comparison),
      .init("documentModes", \.documentModes), .init("faceModes", \.faceModes),
      .init("livenessPolicies") { configuration in
        .object(
          Dictionary(
            configuration.faceModes.map { ($0.rawValue, configuration.livenessPolicy(of: $0)?.jsonValue ?? .null) }
          ) { first, _ in first })
      } read: { _, _, _ in
        throw VerifyError(.badArgument, "\(Self.subject): livenessPolicies follow from faceModes and cannot be given")
      },
      .init("nonce") {
        .optional($0.nonce.map(hexadecimal))
      } read: {
        guard let bytes = $1.string.flatMap(decodedHexadecimal) else { throw $2.wrong("nonce", "hexadecimal digits") }
        $0.nonce = bytes
      },
      .init("challengeCount", \.challengeCount), .init("challenges", \.challenges), .init("script", \.script),
      .init("isMirrored", \.isMirrored), .init("rotation", \.rotation), .init("camera", \.camera),
      .init("readsPages", \.readsPages), .init("readsChip", \.readsChip), .init("requiresChip", \.requiresChip),
      .init("readsText", \.readsText),
      .init("trust") {
        [
          "isGiven": .bool($0.trust.isGiven), "anchors": .integer($0.trust.anchors.count),
          "sha256": .string($0.trust.sha256),
        ]
      },
      .init("authentication", \.authentication), .init("date", \.date),
      .init("isMultipart", \.isMultipart), .init("asksConfirmation", \.asksConfirmation),
      .init("givesInstantFeedback", \.givesInstantFeedback), .init("legalAdvice", \.legalAdvice),
      .init("startBy", \.startBy), .init("timeout", \.timeout), .init("partTimeout", \.partTimeout),
      .init("maximumTries", \.maximumTries),
      .init("keepsPictures", \.keepsPictures), .init("recordsPersonalData", \.recordsPersonalData),
    ]
  }

  /// The portrait, identified by its hash. It is not an input, since it was given before the journey.
  private var portraitFacts: JSONValue {
    switch portrait {
    case .photo(let photo)?: ["kind": "photo", "sha256": .string(photo.sha256)]
    case .photoTemplate(let template)?: ["kind": "photo-template", "sha256": .string(template.sha256)]
    case .template(let template)?: ["kind": "template", "sha256": .string(template.sha256)]
    case .document(let reading)?: ["kind": "document", "sha256": .optional(reading.portrait?.sample.sha256)]
    case nil: .null
    }
  }
}

extension JourneyConfiguration.Request: JSONTable {
  package static let subject = "a requested credential"
  package static var blank: Self { Self(.id) }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("category", \.category, isRequired: true), .init("countries", \.countries), .init("types", \.types),
      .init("variants", \.variants),
    ]
  }
  public var jsonValue: JSONValue { tableJSON }
}

extension JourneyConfiguration.Consent: JSONTable {
  package static let subject = "an item to consent to"
  package static var blank: Self { Self("", isActive: true) }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("text", \.text, isRequired: true), .init("isActive", \.isActive, isRequired: true), .init("url", \.url),
      .init("link", \.link),
    ]
  }
  public var jsonValue: JSONValue { tableJSON }
}

extension DocumentType: JSONMemberValue {}
extension DocumentVariant: JSONMemberValue {}
