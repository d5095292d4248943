import FaceVerify

/// A chip as text.
enum ChipText {
  static func text(_ chip: DocumentChip, on console: Console) -> String {
    var text = title(chip.authentication, on: console) + "\n"
    if let problem = chip.evidence.problem {
      let line = console.styled("not checked as a whole: \(chip.text(of: problem))", .bad) + "\n"
      text = chip.authentication.status == .passed ? line + text : text + line
    }
    var table = Table()
    for step in chip.authentication.steps {
      table.add(step.name.rawValue, step.status, step.text)
    }
    for weakness in chip.authentication.weaknesses {
      table.add(.init("weakness", .faint), .init(weakness.rawValue, .caution))
    }
    for leniency in chip.authentication.leniencies {
      table.add(.init("leniency used", .faint), .init(leniency.rawValue, .caution))
    }
    for deviation in chip.authentication.deviations {
      table.add(
        .init("deviation", .faint), .init(deviation.types.joined(separator: " "), .caution), .init(deviation.source))
    }
    text += table.text(indent: 2, on: console)
    if let zone = chip.zone { text += console.styled("EF.DG1", .strong) + "\n" + ZoneText.text(zone, on: console) }
    text += contents(chip.contents, on: console)
    for name in chip.contents.files.ignored { text += "  \(name.printable): not a file of a chip\n" }
    return text
  }

  static func title(_ authentication: PassiveAuthentication, on console: Console) -> String {
    switch authentication.verdict {
    case .authentic:
      console.styled(
        "authentic\(authentication.validity == .failed ? ", not in date" : ""): \(authentication.explanation)",
        authentication.validity == .failed ? .bad : .good)
    case .validWithoutAnchor: console.styled("valid without anchor: \(authentication.explanation)", .caution)
    case .invalid: console.styled("invalid: \(authentication.explanation)", .bad)
    default: console.styled("not checked: \(authentication.explanation)", .caution)
    }
  }

  private static func contents(_ contents: ChipContents, on console: Console) -> String {
    var table = Table()
    func add<Value>(_ name: String, _ result: Result<Value, VerifyError>?, _ describe: (Value) -> [String]) {
      switch result {
      case nil: break
      case .success(let value):
        for (i, line) in describe(value).enumerated() { table.add(.init(i == 0 ? name : "", .faint), .init(line)) }
      case .failure(let error): table.add(.init(name, .faint), .init(error.message, .bad))
      }
    }
    add("EF.COM", contents.common) {
      ["LDS \($0.ldsVersion ?? "?"), data groups \($0.dataGroups.map(String.init).joined(separator: " "))"]
    }
    if case .failure(let error) = contents.dataGroup1 { table.add(.init("EF.DG1", .faint), .init(error.message, .bad)) }
    add("EF.DG2", contents.dataGroup2) { group in
      group.images.map { image in
        let size = image.record.width.flatMap { width in image.record.height.map { "\(width)×\($0)" } } ?? ""
        return "\(image.format.rawValue) \(size), \(image.bytes.count) bytes, \(image.standard.rawValue)"
      }
    }
    add("EF.DG11", contents.dataGroup11) { holder in
      [
        holder.fullName, holder.personalNumber, holder.dateOfBirth?.description,
        holder.placeOfBirth.isEmpty ? nil : holder.placeOfBirth.joined(separator: ", "),
        holder.address.isEmpty ? nil : holder.address.joined(separator: ", "), holder.profession, holder.title,
      ].compactMap { $0 }
    }
    add("EF.DG12", contents.dataGroup12) { document in
      [document.issuingAuthority, document.dateOfIssue.map { "issued \($0)" }, document.endorsements].compactMap { $0 }
    }
    add("EF.DG14", contents.dataGroup14) { $0.infos.map(\.name) }
    add("EF.DG15", contents.dataGroup15) { ["\($0.publicKey.algorithm), \($0.publicKey.bits) bits"] }
    add("EF.CardAccess", contents.cardAccess) { $0.infos.map(\.name) }
    add("EF.CardSecurity", contents.cardSecurity) { $0.infos.infos.map(\.name) }
    if let signer = contents.documentSecurity.flatMap({ try? $0.get() })?.signerCertificate {
      table.add(.init("signer", .faint), .init(signer.subject.description))
      table.add(
        .init("", .faint), .init("valid \(signer.validFrom.calendarDate) to \(signer.validTo.calendarDate)"))
    }
    return table.text(indent: 2, on: console)
  }
}
