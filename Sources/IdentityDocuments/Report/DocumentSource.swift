/// What vouches for the fields of one source.
struct DocumentSource {
  let zone: MachineReadableZone
  /// Whether something besides check digits vouches for a field.
  let standing: (MRZField) -> Standing

  enum Standing {
    case vouchedFor
    case doubtful(DocumentReason)
    case wrong(DocumentReason)
    /// Nothing but check digits.
    case unknown(DocumentReason)
  }

  init(_ optical: OpticalMRZ) {
    zone = optical.zone
    standing = { field in
      switch optical.isSure(optical.zone.spans(of: field)) {
      case true: .vouchedFor
      case false: .doubtful(.lowConfidence)
      case nil: .unknown(.unverified)
      }
    }
  }

  init(_ zone: MachineReadableZone, _ chip: ChipReading) {
    self.zone = zone
    standing = { _ in
      switch chip.dataGroup1 {
      case .passed: .vouchedFor
      case .failed: .wrong(.dataGroupAltered)
      case .notChecked: .unknown(.authenticationNotChecked)
      }
    }
  }

  /// Optional data without a check digit of their own are covered by the composite alone.
  private func isCoveredByComposite(_ field: MRZField) -> Bool {
    field == .optionalData && zone.layout.optionalDataDigit == nil || field == .optionalData2
  }

  func field(_ field: MRZField, _ value: String?) -> DocumentDataField {
    if zone.spans(of: field).isEmpty { return .absent }
    if case .wrong(let reason) = standing(field) { return .error(value, reason) }
    if let finding = zone.findings.first(where: { $0.field == field }) { return .error(value, .init(finding.reason)) }
    let digit = zone.status(of: isCoveredByComposite(field) ? .composite : field)
    if digit == .failed { return .error(value, .init(.checkDigitWrong)) }
    switch standing(field) {
    case .doubtful(let reason): return .notChecked(value, reason)
    case .unknown(let reason) where digit != .passed: return .notChecked(value, reason)
    default: return .ok(value)
    }
  }

  func digit(_ field: MRZField) -> DocumentDataField {
    guard let digit = zone.checkDigit(of: field), let printed = digit.printed else { return .absent }
    let value = printed == "<" ? nil : String(printed)
    if case .wrong(let reason) = standing(field) { return .error(value, reason) }
    if digit.status == .failed {
      return .error(value, .init(printed == "<" ? MRZReason.checkDigitMissing : .checkDigitWrong))
    }
    if case .doubtful(let reason) = standing(field) { return .notChecked(value, reason) }
    return .ok(value)
  }

  /// The fields of the zone; age and remainder term are those of a day.
  func fields(on date: CalendarDate) -> [DocumentFieldName: DocumentDataField] {
    func text(_ value: String) -> String? { value.isEmpty ? nil : value }
    let expiry = field(.dateOfExpiry, zone.dateOfExpiry.date?.description)
    let number = field(.optionalData, text(zone.optionalData))
    let name = field(.name, text(zone.surname))
    let issuer = field(.issuingState, text(zone.issuingState))
    let nationality = field(.nationality, text(zone.nationality))
    var fields: [DocumentFieldName: DocumentDataField] = [
      .documentNumber: field(.documentNumber, text(zone.documentNumber)),
      .dateOfExpiry: expiry,
      .dateOfBirth: field(.dateOfBirth, zone.dateOfBirth.date?.description),
      .sex: field(.sex, zone.sex?.rawValue),
      .issuingStateCode: issuer,
      .issuingState: issuer.with(CountryName.english(zone.issuingState)),
      .nationalityCode: nationality,
      .nationality: nationality.with(CountryName.english(zone.nationality)),
      .surname: name,
      .givenNames: name.with(text(zone.givenNames)),
      .surnameAndGivenNames: name.with(
        text([zone.surname, zone.givenNames].filter { !$0.isEmpty }.joined(separator: " "))),
      .documentClassCode: field(.documentCode, text(zone.documentCode)),
      .documentNumberCheckDigit: digit(.documentNumber),
      .dateOfBirthCheckDigit: digit(.dateOfBirth),
      .dateOfExpiryCheckDigit: digit(.dateOfExpiry),
      .optionalDataCheckDigit: digit(.optionalData),
      .finalCheckDigit: digit(.composite),
      .optionalData: number,
      .mrzType: .ok(String(zone.format.mrzType)),
      .mrzStrings: lines(zone.lines),
      .remainderTerm: expiry.with(
        zone.dateOfExpiry.date?.whole.map { String(max(0, date.months(to: $0))) }),
    ]
    let corrected = zone.linesWithCorrectCheckDigits
    fields[.mrzStringsWithCorrectCheckSums] =
      corrected == zone.lines
      ? fields[.mrzStrings] : .notChecked(corrected.joined(separator: "\n"), .init(.checkDigitWrong))
    if zone.format == .td3 { fields[.personalNumber] = number }
    if let second = zone.optionalData2 { fields[.optionalData2] = field(.optionalData2, text(second)) }
    return fields
  }

  /// All lines: as reliable as the least reliable field.
  private func lines(_ lines: [String]) -> DocumentDataField {
    let all: [MRZField] = [
      .documentCode, .issuingState, .name, .documentNumber, .nationality, .dateOfBirth, .sex, .dateOfExpiry,
      .optionalData, .optionalData2, .composite,
    ]
    let text = lines.joined(separator: "\n")
    let fields = all.filter { !zone.spans(of: $0).isEmpty }.map { field($0, text) }
    return fields.first { $0.status == .error } ?? fields.first { $0.status == .notChecked } ?? .ok(text)
  }
}
