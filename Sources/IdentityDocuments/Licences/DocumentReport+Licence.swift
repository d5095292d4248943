extension DocumentReport {
  /// Reports on the code on the back of a licence, and on whether its front agrees.
  ///
  /// A field passes if the standard allows its value and nothing contradicts it. The document passes if no element of
  /// the code has failed, those that identify holder and card have passed, all mandatory ones are present, it has not
  /// expired, and the front does not differ. The code carries no signature: the document passes only if the caller
  /// accepts ``UnauthenticatedDocument/licence`` by name.
  ///
  /// - Parameters:
  ///   - front: values of the front, formatted as the fields here; empty if it was not read.
  ///   - isFrontGiven: whether there was a picture of the front.
  ///   - print: the printed text of the front; empty if it was not read.
  ///   - accepted: kinds of documents that pass without an authenticated chip.
  ///   - portraitSHA256: the hash of the portrait's file.
  ///   - date: the day for which the document is judged.
  public init(
    licence: DrivingLicence, front: [DocumentFieldName: String] = [:], isFrontGiven: Bool = false,
    print: [VisualZone] = [], accepted: Set<UnauthenticatedDocument> = [], portraitSHA256: String? = nil,
    on date: CalendarDate
  ) {
    var fields = Self.withAge(licence.fields(on: date), date)
    let printed = VisualZone.compared(print, with: fields)
    let mismatches =
      licence.differences(from: front, on: date)
      + Self.printMismatches(printed) { [fields] in
        DocumentMismatch(name: $0, page: .absent, chip: .absent, code: fields[$0])
      }
    for mismatch in mismatches {
      if let field = fields[mismatch.name] { fields[mismatch.name] = .failed(field.value, .sourcesDiffer) }
    }
    func data(_ fields: [DocumentFieldName: DocumentField]) -> DocumentData {
      DocumentData(
        hasChip: false, type: licence.documentType,
        documentClass: licence.documentType == .idCard ? .identityCard : nil, fields: fields)
    }
    self.data = data(fields)
    pageData = front.isEmpty ? nil : data(front.mapValues { .notChecked($0, .unverified) })
    chipData = nil
    printData = print.isEmpty ? nil : data(VisualZone.fields(print, on: date).merging(printed) { $1 })
    self.mismatches = mismatches
    self.portraitSHA256 = portraitSHA256
    dataSHA256 = self.data.sha256
    evidence = DocumentEvidence(
      page: mismatches.isEmpty ? .good : .bad, chip: nil, isChipExpected: false, kind: .licence, accepted: accepted)
    let printCheck = VisualZone.check(printed)
    let isConsistent = !front.isEmpty || printCheck.status == .passed
    let pages =
      !mismatches.isEmpty
      ? DocumentCheck(.pagesMatch, .failed, .sourcesDiffer)
      : DocumentCheck(.pagesMatch, isConsistent ? .passed : .notChecked, isFrontGiven ? .pageUnreadable : .oneSource)
    let validation = Self.validation(licence, self.data)
    let expiry = Self.expiry(self.data[.dateOfExpiry], date)
    checks =
      [
        validation, expiry,
        DocumentCheck(.mrzMatchesChip, .notChecked, .oneSource), DocumentCheck(.chipRead, .notChecked, .noChip),
        DocumentCheck(.passiveAuthentication, .notChecked, .noChip),
      ] + DocumentCheck.sides([pages]) + [printCheck]
    result = .worst([validation.status, expiry.status, mismatches.isEmpty ? evidence.outcome.document : .failed])
    assurance = result == .failed ? .none : !isFrontGiven ? .dataOnly : isConsistent ? .pageConsistent : .pageSeen
  }

  /// Whether a zone or the code of a licence was read.
  package var isAnythingRead: Bool { data[.mrzLines].value != nil || data.fields[.issuingJurisdiction] != nil }

  private static func validation(_ licence: DrivingLicence, _ data: DocumentData) -> DocumentCheck {
    if licence.elements.map(\.status).contains(.failed) { return DocumentCheck(.validation, .failed, .fieldError) }
    // A truncated code has lost elements, or the end of one.
    let lost: DocumentReason? =
      licence.findings.contains { $0.reason == .elementMissing }
      ? .elementMissing
      : licence.findings.contains(LicenceFinding(place: "header", reason: .subfileMissing))
        ? .subfileMissing : licence.isCut ? .terminatorMissing : licence.issuer == nil ? .unknownCode : nil
    return validation(data, lost: lost)
  }
}

extension DrivingLicence {
  /// Returns the fields that documents have; ``elements`` has all others in the code.
  func fields(on date: CalendarDate) -> [DocumentFieldName: DocumentField] {
    let expiry = field("DBA")
    let country =
      self["DCG"] == nil ? issuer.map { .passed($0.country) } ?? .notChecked(nil, .unknownCode) : field("DCG")
    let names = names
    let whole = [names.surname, names.givenNames].compactMap(\.value).joined(separator: " ")
    // The mailing address takes precedence over the residence address, which version 1 also has.
    let hasMail = self["DAG"]?.value != nil
    let sexes = ["1": "M", "2": "F", "9": "X"]
    let sex = field("DBC")
    return [
      .documentNumber: field("DAQ"), .dateOfExpiry: expiry,
      .monthsToExpiry: expiry.with(self["DBA"]?.date.map { String(max(0, date.months(to: $0))) }),
      .dateOfBirth: field("DBB"), .dateOfIssue: field("DBD"), .sex: sex.with(sex.value.map { sexes[$0] ?? $0 }),
      .surname: names.surname, .givenNames: names.givenNames,
      .surnameAndGivenNames: names.surname.with(whole.isEmpty ? nil : whole), .issuingStateCode: country,
      .issuingState: country.with(country.value.flatMap { CountryName.english($0) }),
      .issuingJurisdiction: issuer.map { .passed($0.code ?? $0.name) } ?? .notChecked(nil, .unknownCode),
      .address: lines(hasMail ? ["DAG", "DAH"] : ["DAL", "DAM"]), .city: field(hasMail ? "DAI" : "DAN"),
      .subdivision: field(hasMail ? "DAJ" : "DAO"), .postalCode: field(hasMail ? "DAK" : "DAP"),
      .placeOfBirth: field("DCI"),
    ]
  }

  private func field(_ id: String) -> DocumentField {
    guard let element = self[id] else {
      return LicenceJudge.identity.contains(id) ? .failed(nil, .elementMissing) : .absent
    }
    let isDate = LicenceElement.named(id, version: version)?.rule.isDate == true
    return DocumentField(
      value: isDate ? element.date?.description : element.value, status: element.status, reason: element.reason)
  }

  private func lines(_ ids: [String]) -> DocumentField {
    let fields = ids.map(field).filter { $0.value != nil }
    guard
      let worst = fields.first(where: { $0.status == .failed }) ?? fields.first(where: { $0.status == .notChecked })
        ?? fields.first
    else { return .absent }
    return worst.with(fields.compactMap(\.value).joined(separator: ", "))
  }

  /// Returns the fields in which front and code differ. Names are compared as travel documents write them, numbers by
  /// letters and digits alone; a name that the code marks as truncated may be longer on the front.
  ///
  /// - Parameter front: values of the front, dates in ISO 8601. Missing values are not compared.
  public func differences(from front: [DocumentFieldName: String], on date: CalendarDate) -> [DocumentMismatch] {
    let fields = fields(on: date)
    return DocumentFieldName.allCases.compactMap { name in
      guard let text = front[name], let field = fields[name], let value = field.value else { return nil }
      let (seen, told) = (Self.compared(text, name), Self.compared(value, name))
      if seen == told || field.reason == .nameTruncated && seen.hasPrefix(told) { return nil }
      return DocumentMismatch(name: name, page: .notChecked(text, .unverified), chip: .absent, code: field)
    }
  }

  private static func compared(_ text: String, _ name: DocumentFieldName) -> String {
    switch name {
    case .surname, .givenNames, .surnameAndGivenNames: (try? MRZTransliteration.name(text)) ?? text.uppercased()
    case .dateOfBirth, .dateOfExpiry, .dateOfIssue: text
    default: text.uppercased().filter { $0.isLetter || $0.isNumber }
    }
  }
}
