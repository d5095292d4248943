/// The fields of a page, of a chip and of the printed text, and the most reliable of them.
struct ComparedSources {
  /// nil if no zone was read.
  let page: [DocumentFieldName: DocumentField]?
  /// nil if nothing was read.
  let chip: [DocumentFieldName: DocumentField]?
  /// The chip's replace those of the page that are not more reliable; failed if their sources differ.
  let fields: [DocumentFieldName: DocumentField]
  /// The printed fields that were compared.
  let printed: [DocumentFieldName: DocumentField]
  /// nil if no text was read.
  private(set) var print: DocumentData?
  let mismatches: [DocumentMismatch]
  private let zone: MachineReadableZone?
  private let hasChip: Bool
  private let date: CalendarDate

  init(page: PageZone?, chip: ChipReading?, print: [VisualZone], on date: CalendarDate) {
    let pageSource = page.map { DocumentSource($0) }
    let pageFields = pageSource?.fields(on: date)
    let chipZone = chip.flatMap { chip in chip.zone.map { DocumentSource($0, chip).fields(on: date) } }
    let details = chip.map { Self.details($0, on: date) } ?? [:]
    let chipFields = chipZone == nil && details.isEmpty ? nil : (chipZone ?? [:]).merging(details) { $1 }
    var fields = Self.merged(pageFields ?? [:], chipFields ?? [:])
    zone = chip?.zone ?? pageSource?.zone
    // A visa's zone may have the number of the passport (ICAO 9303-7, 4.2.2).
    let isVisa = zone?.format.isVisa == true
    printed = VisualZone.compared(print, with: fields.filter { !isVisa || $0.key != .documentNumber })
    let mismatches =
      DocumentReport.mismatches(pageFields, chipZone)
      + DocumentReport.printMismatches(printed) {
        DocumentMismatch(name: $0, page: pageFields?[$0] ?? .absent, chip: chipFields?[$0] ?? .absent)
      }
    if chip?.dataGroup1 != .passed {
      for name in mismatches.flatMap({ [$0.name] + (Self.derived[$0.name] ?? []) + [.mrzLines] }) {
        if let field = fields[name] { fields[name] = .failed(field.value, .sourcesDiffer) }
      }
    }
    (hasChip, self.date, self.mismatches) = (chip?.zone != nil, date, mismatches)
    (self.page, self.chip, self.fields) = (pageFields, chipFields, fields)
    // Printed text has no age.
    self.print = print.isEmpty ? nil : plain(VisualZone.fields(print, on: date).merging(printed) { $1 })
  }

  func data(_ fields: [DocumentFieldName: DocumentField]) -> DocumentData {
    plain(DocumentReport.withAge(fields, date))
  }

  private func plain(_ fields: [DocumentFieldName: DocumentField]) -> DocumentData {
    DocumentData(
      hasChip: hasChip, type: zone?.documentType ?? .unknown, documentClass: zone?.documentClass, fields: fields)
  }

  private static func merged(
    _ page: [DocumentFieldName: DocumentField], _ chip: [DocumentFieldName: DocumentField]
  ) -> [DocumentFieldName: DocumentField] {
    let reliability: [CheckStatus] = [.failed, .notChecked, .passed]
    return page.merging(chip) { page, chip in
      let least = reliability.firstIndex(of: page.status) ?? 0
      // A chip that contradicts itself does so whatever the page says.
      return reliability[least...].contains(chip.status) || chip.reason == .sourcesDiffer ? chip : page
    }
  }

  private static let derived: [DocumentFieldName: [DocumentFieldName]] = [
    .issuingStateCode: [.issuingState], .nationalityCode: [.nationality], .nationality: [.nationalityCode],
    .surname: [.surnameAndGivenNames],
    .givenNames: [.surnameAndGivenNames], .dateOfExpiry: [.monthsToExpiry], .optionalData: [.personalNumber],
  ]

  /// Returns the fields of the chip beyond its zone, and those of the zone that EF.DG11 contradicts.
  private static func details(_ chip: ChipReading, on day: CalendarDate) -> [DocumentFieldName: DocumentField] {
    func field(_ value: String?, _ status: CheckStatus, _ failed: DocumentReason) -> DocumentField? {
      guard let value else { return nil }
      switch status {
      case .passed: return .passed(value)
      case .failed: return .failed(value, failed)
      case .notChecked: return .notChecked(value, .authenticationNotChecked)
      }
    }
    func group(_ value: String?, _ number: Int) -> DocumentField? {
      field(value, number == 11 ? chip.dataGroup11 : chip.dataGroup12, chip.reason(ofGroup: number))
    }
    func signer(_ value: String?) -> DocumentField? {
      field(value, chip.evidence.passiveAuthentication, .authenticationFailed)
    }
    let zone = chip.zone
    let (birth, expiry) = (zone?.dateOfBirth.date, zone?.dateOfExpiry.date?.latest)
    // EF.DG11 has the century.
    let completed = chip.dateOfBirth.map { $0.completed(by: birth) }
    var details: [DocumentFieldName: DocumentField?] = [
      .dateOfBirth: completed.map { date in
        date.map { $0.isBirth(before: day) } == true
          ? group(date?.description, 11) : .notChecked(birth?.description, .sourcesDiffer)
      } ?? nil,
      .personalNumber: group(chip.personalNumber, 11), .placeOfBirth: group(chip.placeOfBirth, 11),
      .address: group(chip.address, 11), .dateOfIssue: group(chip.dateOfIssue?.description, 12),
      .signerSubject: signer(chip.signerSubject), .signerValidFrom: signer(chip.signerValidFrom?.description),
      .signerValidTo: signer(chip.signerValidTo?.description),
    ]
    if let issue = chip.dateOfIssue?.earliest, issue > min(day, expiry ?? day) {
      details[.dateOfIssue] = .notChecked(chip.dateOfIssue?.description, .invalidDate)
    }
    if let zone, let name = chip.fullName, zone.hasOtherName(than: name) {
      let whole = [zone.surname, zone.givenNames].filter { !$0.isEmpty }.joined(separator: " ")
      for (name, value) in [
        (DocumentFieldName.surname, zone.surname), (.givenNames, zone.givenNames), (.surnameAndGivenNames, whole),
      ] { details[name] = .notChecked(value.isEmpty ? nil : value, .sourcesDiffer) }
    }
    return details.compactMapValues { $0 }
  }
}

extension MachineReadableZone {
  /// Whether a name in Latin letters has no word of the zone's name, in any transliteration, but for one letter.
  fileprivate func hasOtherName(than name: String) -> Bool {
    func words(_ text: String) -> [String] { text.split { !$0.isLetter }.map(String.init).filter { $0.count > 1 } }
    // Further letters are transliterated in many ways.
    guard name.unicodeScalars.allSatisfy({ $0.value < 0x250 }), let latin = try? MRZTransliteration.name(name) else {
      return false
    }
    let (others, own) = (words(latin) + words(VisualZone.folded(name)), words(surname + " " + givenNames))
    return !others.isEmpty && !own.isEmpty
      && !own.contains { word in
        others.contains { $0.hasPrefix(word) || word.hasPrefix($0) || $0.distance(to: word) < 2 }
      }
  }
}
