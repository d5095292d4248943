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
    ].filter { name in
      [page, chip].contains { [.checkDigitWrong, .checkDigitMissing].contains($0[name]?.reason) }
    }
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

  /// Whether the zones of several pages belong to one document: each is compared with each. Failed if two state
  /// different things, passed if all have the same number, otherwise not checked. A visa is a document of its own, of the
  /// same holder: another birth, sex or nationality fails; another name may be a former one.
  package static func areOfOneDocument(_ zones: [PageZone], on date: CalendarDate) -> CheckStatus {
    let all = zones.map { (page: $0, fields: fields(of: $0, on: date)) }
    /// Whether two zones state the same; nil if one of them does not state it, or not with certainty. A wrong check digit
    /// does not make a certain reading uncertain: an altered copy has one.
    func isSame(_ a: Int, _ b: Int, _ name: DocumentFieldName, _ field: MRZField) -> Bool? {
      let stated = [all[a], all[b]].map { one in
        one.fields[name].flatMap { value in
          let isRead = !one.page.zone.isMisaligned && one.page.isSure(one.page.zone.spans(of: field)) == true
          return value.status == .passed || value.status == .failed && isRead ? value : nil
        }
      }
      guard let one = stated[0], let other = stated[1] else { return nil }
      return one.value == other.value
    }
    func compared(_ a: Int, _ b: Int) -> CheckStatus {
      let isVisa = [a, b].contains { all[$0].page.zone.format.isVisa }
      let holder: [(DocumentFieldName, MRZField)] = [
        (.dateOfBirth, .dateOfBirth), (.sex, .sex), (.nationalityCode, .nationality),
      ]
      if isVisa {
        let isOther = holder.contains { name, field in
          let isStated = [a, b].allSatisfy { i in
            all[i].fields[name]?.value.map { name != .sex || $0 != "X" } ?? false
          }
          return isStated && isSame(a, b, name, field) == false
        }
        return isOther ? .failed : isSame(a, b, .surname, .name) == false ? .notChecked : .passed
      }
      let names: [(DocumentFieldName, MRZField)] =
        holder + [
          (.documentCode, .documentCode), (.issuingStateCode, .issuingState), (.surname, .name), (.givenNames, .name),
          (.dateOfExpiry, .dateOfExpiry), (.optionalData, .optionalData),
        ]
      let number = isSame(a, b, .documentNumber, .documentNumber)
      if number == false || names.contains(where: { isSame(a, b, $0, $1) == false }) { return .failed }
      return number == true ? .passed : .notChecked
    }
    let pairs = all.indices.flatMap { a in all[..<a].indices.map { compared($0, a) } }
    // Visas do not show that they belong to a document.
    let documents = zones.count { !$0.zone.format.isVisa }
    return .worst(pairs + (documents > 1 ? [] : [.notChecked]))
  }

  /// Whether the text printed on a page shows that it is of the document of a zone: by the number, or surname and birth.
  package static func isOfOneDocument(_ print: VisualZone, _ zone: PageZone, on date: CalendarDate) -> Bool {
    let printed = VisualZone.compared([print], with: fields(of: zone, on: date))
    func agree(_ names: DocumentFieldName...) -> Bool { names.allSatisfy { printed[$0]?.status == .passed } }
    return agree(.documentNumber) || agree(.surname, .dateOfBirth)
  }

  private static func fields(of zone: PageZone, on date: CalendarDate) -> [DocumentFieldName: DocumentField] {
    DocumentSource(zone).fields(on: date)
  }
}
