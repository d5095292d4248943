extension RecordRules {
  static func documents(_ body: JSONValue) -> [Problem] {
    body.credentials.enumerated().flatMap { index, entry -> [Problem] in
      guard let document = entry.credential["document"], document != .null else { return [] }
      let parts = entry.credential.names("modes")
      return sources(document, parts, body.configuration, entry.path + ".document")
        + judged(document, index, body, hasPage: !parts.isDisjoint(with: pageParts), entry.path + ".document")
    }
  }

  /// Checks that what was compared was scanned.
  private static func sources(
    _ document: JSONValue, _ parts: Set<String>, _ configuration: JSONValue, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let (pages, hasChip) = (parts.intersection(pageParts), document.has("chip"))
    let isBoth = hasChip && !pages.isEmpty
    // One picture may show several zones, and EF.DG2 have several portraits.
    let sources = [
      "mrz-matches-chip": isBoth, "portrait-matches-chip": hasChip, "pages-match": !pages.isEmpty,
      "print-matches": !pages.isEmpty,
    ]
    for check in document.list("checks") where check["status"] != "not-checked" && sources[check.text("name")] == false
    {
      problems.append(Problem(27, "\(path): \(check.text("name")) has only one source"))
    }
    problems.add(
      27, "\(path): the chip was not scanned, or scanned and is not there", if: parts.contains("chip") != hasChip)
    if pages.isEmpty, ["page-seen", "page-consistent"].contains(document["assurance"]) {
      problems.append(Problem(27, "\(path).assurance is that of a page, and none was scanned"))
    }
    if document["result"] == "passed", document["country"] == .null || document["dataSha256"] == .null {
      problems.append(Problem(28, "\(path) passed without a country or data"))
    }
    problems.add(
      2, "\(path).data contradicts the configuration",
      if: (document["data"] != nil) != (configuration["recordsPersonalData"] == true))
    return problems
  }

  /// The session that read the last chip of a credential; nil if it was not read live.
  private static func session(_ index: Int, _ body: JSONValue) -> JSONValue? {
    var (active, session): (Int?, JSONValue?) = (nil, nil)
    for call in body.list("calls") {
      switch call.text("call") {
      case "start-credential": active = call["credential"]?.integer
      case "attach-chip" where active == index: session = call["session"]
      default: break
      }
    }
    return session
  }

  /// Whether a session has the result of a protocol against copies.
  private static func hasProof(_ session: JSONValue?) -> Bool {
    session?.has("activeAuthentication") == true || session?["chipAuthentication"]?["status"] == "passed"
      || session?.list("chipAuthenticationMappings").isEmpty == false
  }

  /// Fields that `validation` requires, from a zone or a licence's code; from a zone also `nationalityCode`.
  private static let neededFields = ["documentNumber", "dateOfBirth", "dateOfExpiry", "surname", "issuingStateCode"]

  private static func judged(
    _ document: JSONValue, _ index: Int, _ body: JSONValue, hasPage: Bool, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let configuration = body.configuration
    let named = configuration["date"] ?? .null
    let day = body.end(of: index).flatMap { try? DateTime(secondsSince1970: $0).calendarDate.description }
    if document["date"] != (named == .null ? day.map(JSONValue.string) : named) {
      problems.append(
        Problem(
          25,
          "\(path).date is \(document.text("date")); it must be "
            + (named == .null
              ? "the day on which the document was judged, \(day ?? "none")" : "that of the configuration")))
    }
    let checks = document.list("checks")
    var statuses: [String: String] = [:]
    for check in checks { statuses[check.text("name")] = check.text("status") }
    let fields: [JSONValue] = if case .object(let fields)? = document["fields"] { Array(fields.values) } else { [] }
    let isLicence = UnauthenticatedDocument(type: document.text("type")) == .licence
    let needed = neededFields + (isLicence ? [] : ["nationalityCode"])
    let isComplete = needed.allSatisfy { document["fields"]?[$0] == "passed" }
    problems.add(
      26, "\(path).checks are incomplete, or do not follow from its fields",
      if: checks.map({ $0.text("name") }) != DocumentCheckName.allCases.map(\.rawValue)
        || fields.contains("failed") && statuses["validation"] != "failed"
        || statuses["validation"] == "passed" && !isComplete
        || checks.contains(where: { ($0["status"] == "passed") != ($0["reason"] == .null) }))
    let chip = document["chip"]?.string
    let (read, authenticated) = (statuses["chip-read"], statuses["passive-authentication"])
    let isRequired = configuration["requiresChip"]?.bool == true
    let trust = configuration["trust"]
    let anchors = trust?["anchors"]?.integer ?? 0
    // A complete chip is compared with the page, if any.
    let isCompared = chip != nil && read == "passed" && hasPage
    let isRight =
      switch chip {
      case nil:
        authenticated == "not-checked" && statuses["mrz-matches-chip"] == "not-checked"
          && (read == "failed" ? isRequired : read == "not-checked" && (!isRequired || isLicence))
      case "authentic"?:
        authenticated != "not-checked" && read != "not-checked"
          && anchors > 0
      case "invalid"?: authenticated == "failed" && read != "not-checked"
      default: authenticated != "passed" && read != "not-checked"
      }
    problems.add(
      27, "\(path): its checks do not follow from the chip, the page and the trust",
      if: !isRight || isCompared && statuses["mrz-matches-chip"] == "not-checked"
        || anchors > 0 && trust?["isGiven"]?.bool == false)
    let (proof, session) = (document["chipProof"]?.string, session(index, body))
    problems.add(
      27, "\(path).chipProof is not that of a chip that was read live",
      if: (proof != nil) != (chip != nil && session != nil)
        || proof == "not-cloned" && !hasProof(session)
        || proof.map { ["not-cloned", "not-announced"].contains($0) && chip != "authentic" } ?? false
        || proof == "clone-suspected" && read != "failed")
    problems.add(
      27, "\(path): the portrait is of a missing chip, or has no hash",
      if: document.has("portrait") != document.has("portraitSha256") || document["portrait"] == "chip" && chip == nil
    )
    let result = document.text("result")
    let accepted = configuration["assurance"]?.texts("accepted") ?? []
    let isAccepted = accepted.contains(isLicence ? "licence-code" : "page-only")
    problems.add(
      28, "\(path): the result \(result) does not follow from its checks",
      if: !RecordOutcome.allows(document: result, statuses, hasChip: chip != nil, isAccepted: isAccepted))
    let level = document.text("assurance")
    let isAuthentic = authenticated == "passed" && read == "passed"
    problems.add(
      34, "\(path): the assurance \(level) does not follow from its checks",
      if: result == "failed"
        ? level != "none"
        : level == "none" || (level == "chip-authentic") != (isAuthentic && proof == "not-cloned")
          || (level == "chip-copy-authentic") != (isAuthentic && proof != "not-cloned")
          || level == "page-consistent" && statuses["validation"] != "passed")
    let isVouchedFor = chip == "authentic" || chip == "valid-without-anchor" && trust?["isGiven"]?.bool == false
    let mayMatch = chip == nil ? read != "failed" : read == "passed" && authenticated != "failed" && isVouchedFor
    let isConsistent = statuses.allSatisfy { $0.value != "failed" || $0.key == "expiry" }
    problems.add(
      29, "\(path): a match with this document is not allowed",
      if: document["mayMatch"]?.bool == true && !(mayMatch && isConsistent))
    return problems
  }
}
