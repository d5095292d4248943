extension DocumentReport {
  /// Compares the fields that both zones have, except those that only describe the layout.
  static func mismatches(
    _ page: [DocumentFieldName: DocumentField]?, _ chip: [DocumentFieldName: DocumentField]?
  ) -> [DocumentMismatch] {
    guard let page, let chip else { return [] }
    let names: [DocumentFieldName] = [
      .documentCode, .issuingStateCode, .surname, .givenNames, .documentNumber, .nationalityCode, .dateOfBirth,
      .sex, .dateOfExpiry, .optionalData, .optionalData2,
    ]
    // A correct digit follows from the rest; a wrong one must not be hidden by the other side's.
    let digits: [DocumentFieldName] = [
      .documentNumberCheckDigit, .dateOfBirthCheckDigit, .dateOfExpiryCheckDigit, .optionalDataCheckDigit,
      .compositeCheckDigit,
    ].filter { page[$0]?.status == .failed || chip[$0]?.status == .failed }
    return (names + digits).compactMap { name in
      let (page, chip) = (page[name] ?? .absent, chip[name] ?? .absent)
      return page.value == chip.value ? nil : DocumentMismatch(name: name, page: page, chip: chip)
    }
  }

  /// Returns the printed fields that state something else than their sources.
  static func printMismatches(
    _ printed: [DocumentFieldName: DocumentField], _ sources: (DocumentFieldName) -> DocumentMismatch
  ) -> [DocumentMismatch] {
    DocumentFieldName.allCases.compactMap { name in
      guard let field = printed[name], field.status == .failed else { return nil }
      var mismatch = sources(name)
      mismatch.print = field
      return mismatch
    }
  }

  /// Whether the zones of several pages belong to one document: failed if reliable fields of two of them differ, passed
  /// if all have the same number, otherwise not checked. A visa is a document of its own, of the same holder: another
  /// birth, sex or nationality fails; another name may be a former one.
  package static func areOfOneDocument(_ zones: [PageZone], on date: CalendarDate) -> CheckStatus {
    typealias Fields = [DocumentFieldName: DocumentField]
    let all = zones.map { (isVisa: $0.zone.format.isVisa, fields: DocumentSource($0).fields(on: date)) }
    let documents = all.filter { !$0.isVisa }.map(\.fields)
    let visas = all.filter(\.isVisa).map(\.fields)
    guard let first = documents.first ?? visas.first, all.count > 1 else { return .notChecked }
    func sure(_ names: [DocumentFieldName], _ other: Fields) -> [DocumentFieldName] {
      names.filter { first[$0]?.status == .passed && other[$0]?.status == .passed }
    }
    func isOther(_ name: DocumentFieldName, _ other: Fields) -> Bool { first[name]?.value != other[name]?.value }
    let holders = visas.map { visa -> CheckStatus in
      let known = sure([.dateOfBirth, .sex, .nationalityCode], visa).filter { name in
        [first, visa].allSatisfy { fields in fields[name]?.value.map { name != .sex || $0 != "X" } ?? false }
      }
      if known.contains(where: { isOther($0, visa) }) { return .failed }
      return sure([.surname], visa).contains { isOther($0, visa) } ? .notChecked : .passed
    }
    guard documents.count > 1 else { return .worst(holders + [.notChecked]) }
    let names: [DocumentFieldName] = [
      .documentNumber, .issuingStateCode, .surname, .givenNames, .nationalityCode, .dateOfBirth, .sex, .dateOfExpiry,
    ]
    let statuses = documents.dropFirst().map { other -> CheckStatus in
      let sure = sure(names, other)
      if sure.contains(where: { isOther($0, other) }) { return .failed }
      return sure.contains(.documentNumber) ? .passed : .notChecked
    }
    return .worst(holders + statuses)
  }
}
