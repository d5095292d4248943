/// What was read from a document: from its page, its chip, or both.
///
/// Values of the chip take the place of those of the page, unless the chip's are in error. A chip that could not be
/// read takes nothing away from what the page says.
public struct DocumentReaderReport: Sendable {
  public let documentData: DocumentData
  public let documentType: DocumentType
  public let rfidStatus: RFIDStatus
  /// ``DocumentDataStatus/ok`` or ``DocumentDataStatus/notChecked`` alone, or all that is wrong.
  public let statuses: [DocumentDataStatus]
  /// What the statuses follow from: validation, expiry, match of page and chip, passive authentication.
  public let checks: [DocumentCheck]
  /// What the page says; nil if no zone was read from it.
  public let opticalData: DocumentData?
  /// What the chip says; nil if its zone was not read.
  public let chipData: DocumentData?
  /// Fields in which page and chip differ.
  public let mismatches: [DocumentFieldMismatch]
  /// SHA-256 of the exact bytes of the portrait, in lower-case hexadecimal; nil without one.
  public let documentPhotoHash: String?
  /// ``DocumentData/hash`` of ``documentData``; nil if nothing was read.
  public let documentDataHash: String?

  /// What both hashes are made by.
  public static let hashAlgorithm = "SHA-256"

  /// - Parameters:
  ///   - optical: the zone of the page; nil if none was read.
  ///   - chip: what was read from the chip, or why nothing was; nil if there is none. Looked at only if the
  ///     configuration asks for it.
  ///   - portrait: the bytes of the portrait's file, as they will be given to ``verify(photo:data:)``.
  ///   - date: the day on which the document is looked at.
  public init(
    optical: OpticalMRZ?, chip: ChipReading?, portrait: [UInt8]?, on date: CalendarDate,
    configuration: DocumentReaderConfiguration
  ) {
    let chip = configuration.readRFID ? chip : nil
    let page = optical.map { DocumentSource($0) }
    let opticalFields = page?.fields(on: date)
    let chipZone = chip.flatMap { chip in chip.zone.map { DocumentSource($0, chip).fields(on: date) } }
    let details = chip.map(Self.details) ?? [:]
    let chipFields = chipZone == nil && details.isEmpty ? nil : (chipZone ?? [:]).merging(details) { $1 }
    let mismatches = Self.mismatches(opticalFields, chipZone)

    var fields = opticalFields ?? [:]
    for (name, field) in chipFields ?? [:] where field.status != .error || fields[name]?.status != .ok {
      fields[name] = field
    }
    if chip?.dataGroup1 != .passed {
      for name in mismatches.flatMap({ [$0.name] + (Self.derived[$0.name] ?? []) + [.mrzStrings] }) {
        if let field = fields[name] { fields[name] = .error(field.value, .sourcesDiffer) }
      }
    }
    let hasChip = chip != nil && chip?.failure == nil
    let type = DocumentTypeData(chip?.zone ?? page?.zone)
    func data(_ fields: [DocumentFieldName: DocumentDataField]) -> DocumentData {
      DocumentData(hasChip: hasChip, chipPage: chip?.page, documentTypeData: type, fields: fields)
    }
    documentData = data(Self.withAge(fields, date))
    opticalData = opticalFields.map { data(Self.withAge($0, date)) }
    chipData = chipFields.map { data(Self.withAge($0, date)) }
    documentType = type.type
    self.mismatches = mismatches
    documentPhotoHash = portrait.map { sha256($0) }
    documentDataHash = fields.isEmpty ? nil : documentData.hash

    let both = opticalFields != nil && chipZone != nil
    let authentication = hasChip ? chip?.passiveAuthentication ?? .notChecked : .notChecked
    checks = [
      Self.validation(documentData),
      Self.expiry(documentData[.dateOfExpiry], date),
      DocumentCheck(
        name: .mrzMatchesChip, status: both ? (mismatches.isEmpty ? .passed : .failed) : .notChecked,
        reason: both ? (mismatches.isEmpty ? nil : .sourcesDiffer) : .oneSource),
      DocumentCheck(
        name: .passiveAuthentication, status: authentication,
        reason: !hasChip
          ? .noChip
          : authentication == .passed
            ? nil : authentication == .failed ? .authenticationFailed : .authenticationNotChecked),
    ]
    let failure = configuration.readRFID && chip == nil ? .rfidTagNotFound : chip?.failure
    rfidStatus =
      failure != nil || authentication == .failed ? .error : authentication == .passed ? .success : .undefined
    statuses = Self.statuses(checks, failure, hasChip: hasChip, both: both)
  }

  /// Whether a portrait and data are those of this report.
  public func verify(photo: [UInt8]?, data: DocumentData) -> DocumentBinding {
    func compare(_ hash: String?, _ other: String?) -> CheckStatus {
      guard let hash, let other else { return .notChecked }
      return hash == other ? .passed : .failed
    }
    return DocumentBinding(
      photo: compare(documentPhotoHash, photo.map { sha256($0) }), data: compare(documentDataHash, data.hash))
  }

  private static func statuses(
    _ checks: [DocumentCheck], _ failure: DocumentDataStatus?, hasChip: Bool, both: Bool
  ) -> [DocumentDataStatus] {
    let names: [(DocumentCheck.Name, DocumentDataStatus)] = [
      (.validation, .validationError), (.expiry, .expiredDocument), (.mrzMatchesChip, .mrzRFIDMismatch),
      (.passiveAuthentication, .rfidPassiveAuthentication),
    ]
    var statuses = names.compactMap { name, status in
      checks.contains { $0.name == name && $0.status == .failed } ? status : nil
    }
    if let failure, failure != .ok { statuses.append(failure) }
    guard statuses.isEmpty else { return statuses }
    let asked = checks.filter {
      switch $0.name {
      case .mrzMatchesChip: both
      case .passiveAuthentication: hasChip
      default: true
      }
    }
    return [asked.allSatisfy { $0.status == .passed } ? .ok : .notChecked]
  }

  private static func validation(_ data: DocumentData) -> DocumentCheck {
    func check(_ status: CheckStatus, _ reason: DocumentReason?) -> DocumentCheck {
      DocumentCheck(name: .validation, status: status, reason: reason)
    }
    if data[.mrzStrings].value == nil { return check(.failed, .noData) }
    if data.fields.values.contains(where: { $0.status == .error }) { return check(.failed, .fieldError) }
    let needed: [DocumentFieldName] = [
      .documentNumber, .dateOfBirth, .dateOfExpiry, .surname, .issuingStateCode, .nationalityCode,
    ]
    let open = needed.map { data[$0] }.first { $0.status != .ok }
    return check(open == nil ? .passed : .notChecked, open?.reason)
  }

  /// A document is valid on the day of its expiry, and one that has fillers there does not expire.
  private static func expiry(_ field: DocumentDataField, _ date: CalendarDate) -> DocumentCheck {
    func check(_ status: CheckStatus, _ reason: DocumentReason?) -> DocumentCheck {
      DocumentCheck(name: .expiry, status: status, reason: reason)
    }
    if field.status == .ok, field.value == nil { return check(.passed, nil) }
    guard field.status != .error, let expiry = field.value.flatMap({ PartialDate($0) }), let latest = expiry.latest,
      let earliest = expiry.earliest
    else { return check(.notChecked, .expiryUnknown) }
    if latest < date { return check(.failed, .expired) }
    return earliest >= date ? check(.passed, nil) : check(.notChecked, .expiryUnknown)
  }

  /// Fields that both sources have from their zones, and that say more than how it is laid out.
  private static func mismatches(
    _ optical: [DocumentFieldName: DocumentDataField]?, _ chip: [DocumentFieldName: DocumentDataField]?
  ) -> [DocumentFieldMismatch] {
    guard let optical, let chip else { return [] }
    let names: [DocumentFieldName] = [
      .documentClassCode, .issuingStateCode, .surname, .givenNames, .documentNumber, .nationalityCode, .dateOfBirth,
      .sex, .dateOfExpiry, .optionalData, .optionalData2,
    ]
    return names.compactMap { name in
      let (optical, chip) = (optical[name] ?? .absent, chip[name] ?? .absent)
      return optical.value == chip.value
        ? nil : DocumentFieldMismatch(name: name, optical: optical, chip: chip)
    }
  }

  /// What follows from a field.
  private static let derived: [DocumentFieldName: [DocumentFieldName]] = [
    .issuingStateCode: [.issuingState], .nationalityCode: [.nationality], .surname: [.surnameAndGivenNames],
    .givenNames: [.surnameAndGivenNames], .dateOfExpiry: [.remainderTerm], .optionalData: [.personalNumber],
  ]

  /// What the chip says beyond its zone.
  private static func details(_ chip: ChipReading) -> [DocumentFieldName: DocumentDataField] {
    func field(_ value: String?, _ status: CheckStatus, _ failed: DocumentReason) -> DocumentDataField? {
      guard let value else { return nil }
      switch status {
      case .passed: return .ok(value)
      case .failed: return .error(value, failed)
      case .notChecked: return .notChecked(value, .authenticationNotChecked)
      }
    }
    func group(_ value: String?, _ status: CheckStatus) -> DocumentDataField? {
      field(value, status, .dataGroupAltered)
    }
    func signer(_ value: String?) -> DocumentDataField? {
      field(value, chip.passiveAuthentication, .authenticationFailed)
    }
    // The year in full, if it is that of the zone.
    let birth = chip.dateOfBirth.flatMap { full in
      chip.zone?.dateOfBirth.date.flatMap { full.isSameButForCentury($0) ? full : nil }
    }
    let details: [DocumentFieldName: DocumentDataField?] = [
      .dateOfBirth: group(birth?.description, chip.dataGroup11),
      .personalNumber: group(chip.personalNumber, chip.dataGroup11),
      .placeOfBirth: group(chip.placeOfBirth, chip.dataGroup11),
      .address: group(chip.address, chip.dataGroup11),
      .dateOfIssue: group(chip.dateOfIssue?.description, chip.dataGroup12),
      .dsCertificateSubject: signer(chip.signerSubject),
      .dsCertificateValidFrom: signer(chip.signerValidFrom?.description),
      .dsCertificateValidTo: signer(chip.signerValidTo?.description),
      .cardAccessNumber: chip.cardAccessNumber.map { .notChecked($0, .unverified) },
    ]
    return details.compactMapValues { $0 }
  }

  private static func withAge(
    _ fields: [DocumentFieldName: DocumentDataField], _ date: CalendarDate
  ) -> [DocumentFieldName: DocumentDataField] {
    guard let birth = fields[.dateOfBirth] else { return fields }
    var fields = fields
    let born = birth.value.flatMap { PartialDate($0) }
    let ages = [born?.earliest, born?.latest].compactMap { $0?.years(to: date) }
    fields[.age] = birth.with(ages.count == 2 && ages[0] == ages[1] && ages[0] >= 0 ? String(ages[0]) : nil)
    return fields
  }
}
