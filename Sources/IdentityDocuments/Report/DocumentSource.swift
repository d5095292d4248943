/// A machine-readable zone that was read from a picture, or typed.
public struct PageZone: Sendable {
  public let zone: MachineReadableZone
  /// The confidence of each character, by line and column, 0...1; nil if the text was not read from a picture.
  public let confidences: [[Double]]?
  /// The confidence below which a character may be wrong.
  public let minimumConfidence: Double

  /// - Throws: ``VerifyError/Code/badArgument`` if the number of confidences does not match the characters, or one is
  ///   not in 0...1.
  public init(_ zone: MachineReadableZone, confidences: [[Double]], minimumConfidence: Double) throws {
    guard confidences.map(\.count) == zone.lines.map(\.utf8.count),
      confidences.joined().allSatisfy({ (0...1).contains($0) }), (0...1).contains(minimumConfidence)
    else { throw VerifyError(.badArgument, "each character of the zone has one confidence, from 0 to 1") }
    (self.zone, self.confidences, self.minimumConfidence) = (zone, confidences, minimumConfidence)
  }

  /// A zone given as text: only its check digits verify it.
  public init(text zone: MachineReadableZone) { (self.zone, confidences, minimumConfidence) = (zone, nil, 1) }

  /// Whether all characters of some spans were read with confidence; nil if unknown.
  func isSure(_ spans: [MRZSpan]) -> Bool? {
    confidences.map { confidences in
      spans.allSatisfy { span in confidences[span.line][span.columns].allSatisfy { $0 >= minimumConfidence } }
    }
  }
}

/// One source of fields and how far it verifies them.
struct DocumentSource {
  let zone: MachineReadableZone
  /// How far a field is verified by anything besides check digits.
  let standing: (MRZField) -> Standing

  enum Standing {
    /// Signed by a trusted state: what the zone says is right, whatever the tables of this library have.
    case signed
    /// Read with confidence.
    case sure
    case doubtful(DocumentReason)
    case wrong(DocumentReason)
    /// Only check digits.
    case unknown(DocumentReason)
  }

  init(_ page: PageZone) {
    zone = page.zone
    standing = { field in
      // The document code decides between a passport and a visa, and so where the optional data end.
      let code = field == .optionalData ? page.zone.spans(of: .documentCode) : []
      let spans = page.zone.spans(of: field) + code
      if page.zone.isMisaligned { return .doubtful(.checkDigitWrong) }
      return switch page.isSure(spans) {
      case true: .sure
      case false: .doubtful(.lowConfidence)
      case nil: .unknown(.unverified)
      }
    }
  }

  init(_ zone: MachineReadableZone, _ chip: ChipReading) {
    self.zone = zone
    standing = { _ in
      switch chip.dataGroup1 {
      case .passed: .signed
      case .failed: .wrong(chip.reason(ofGroup: 1))
      case .notChecked: .unknown(.authenticationNotChecked)
      }
    }
  }

  /// Optional data without a check digit of their own are covered only by the composite.
  private func isCoveredByComposite(_ field: MRZField) -> Bool {
    field == .optionalData && zone.layout.optionalDataDigit == nil || field == .optionalData2
  }

  func field(_ field: MRZField, _ value: String?) -> DocumentField {
    if zone.spans(of: field).isEmpty { return .absent }
    let finding = zone.findings.first { $0.field == field }
    let remark = zone.remarks.first { $0.field == field }
    switch standing(field) {
    case .wrong(let reason): return .failed(value, reason)
    case .signed:
      if value == nil, let problem = finding ?? remark { return .notChecked(nil, problem.reason) }
      return .passed(value)
    default: break
    }
    if let finding { return .failed(value, finding.reason) }
    let digit = zone.status(of: isCoveredByComposite(field) ? .composite : field)
    if digit == .failed { return .failed(value, .checkDigitWrong) }
    if let remark { return .notChecked(value, remark.reason) }
    switch standing(field) {
    case .doubtful(let reason): return .notChecked(value, reason)
    case .unknown(let reason) where digit != .passed: return .notChecked(value, reason)
    default: return .passed(value)
    }
  }

  func digit(_ field: MRZField) -> DocumentField {
    guard let digit = zone.checkDigit(of: field), let printed = digit.printed else { return .absent }
    let value = printed == "<" ? nil : String(printed)
    if case .wrong(let reason) = standing(field) { return .failed(value, reason) }
    if digit.status == .failed {
      let reason: DocumentReason = printed == "<" ? .checkDigitMissing : .checkDigitWrong
      if case .signed = standing(field) { return .notChecked(value, reason) }
      return .failed(value, reason)
    }
    if case .doubtful(let reason) = standing(field) { return .notChecked(value, reason) }
    return .passed(value)
  }

  /// As certain as the document code, if that was read from a picture.
  private var mrzFormat: DocumentField {
    if case .doubtful(let reason) = standing(.documentCode) { return .notChecked(zone.format.rawValue, reason) }
    return .passed(zone.format.rawValue)
  }

  /// Returns the fields of the zone; the months to expiry are counted from a day.
  func fields(on date: CalendarDate) -> [DocumentFieldName: DocumentField] {
    func text(_ value: String) -> String? { value.isEmpty ? nil : value }
    let expiry = field(.dateOfExpiry, zone.dateOfExpiry.date?.description)
    let number = field(.optionalData, text(zone.optionalData))
    let name = field(.name, text(zone.surname))
    let issuer = field(.issuingState, text(zone.issuingState))
    let nationality = field(.nationality, text(zone.nationality))
    var fields: [DocumentFieldName: DocumentField] = [
      .documentNumber: field(.documentNumber, text(zone.documentNumber)), .dateOfExpiry: expiry,
      .dateOfBirth: field(.dateOfBirth, zone.dateOfBirth.date?.description), .sex: field(.sex, zone.sex?.rawValue),
      .issuingStateCode: issuer, .issuingState: issuer.with(CountryName.english(zone.issuingState)),
      .nationalityCode: nationality, .nationality: nationality.with(CountryName.english(zone.nationality)),
      .surname: name, .givenNames: name.with(text(zone.givenNames)),
      .surnameAndGivenNames: name.with(
        text([zone.surname, zone.givenNames].filter { !$0.isEmpty }.joined(separator: " "))),
      .documentCode: field(.documentCode, text(zone.documentCode)), .documentNumberCheckDigit: digit(.documentNumber),
      .dateOfBirthCheckDigit: digit(.dateOfBirth), .dateOfExpiryCheckDigit: digit(.dateOfExpiry),
      .optionalDataCheckDigit: digit(.optionalData), .compositeCheckDigit: digit(.composite), .optionalData: number,
      .mrzFormat: mrzFormat,
      .mrzLines: lines(zone.lines),
      .monthsToExpiry: expiry.with(zone.dateOfExpiry.date?.whole.map { String(max(0, date.months(to: $0))) }),
    ]
    let corrected = zone.linesWithCorrectCheckDigits
    fields[.mrzLinesWithCorrectCheckDigits] =
      corrected == zone.lines ? fields[.mrzLines] : .notChecked(corrected.joined(separator: "\n"), .checkDigitWrong)
    if zone.format == .td3 { fields[.personalNumber] = number }
    if let second = zone.optionalData2 { fields[.optionalData2] = field(.optionalData2, text(second)) }
    return fields
  }

  /// Returns all lines, as reliable as their least reliable field.
  private func lines(_ lines: [String]) -> DocumentField {
    let all: [MRZField] = [
      .documentCode, .issuingState, .name, .documentNumber, .nationality, .dateOfBirth, .sex, .dateOfExpiry,
      .optionalData, .optionalData2, .composite,
    ]
    let text = lines.joined(separator: "\n")
    let fields = all.filter { !zone.spans(of: $0).isEmpty }.map { field($0, text) }
    return fields.first { $0.status == .failed } ?? fields.first { $0.status == .notChecked } ?? .passed(text)
  }
}
