public import CFaceVerify
internal import FaceVerify

final class DocumentObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "document" }
  let reading: DocumentReading

  init(_ reading: DocumentReading) { self.reading = reading }

  func text(_ text: String?) -> UnsafePointer<CChar>? { text.map { self.text($0) } }
}

private func find(_ document: OpaquePointer?) -> DocumentObject? { Handles.find(document, DocumentObject.self) }

private func object(_ document: OpaquePointer?) throws -> DocumentObject {
  try Handles.object(document, DocumentObject.self)
}

/// A day as the program wrote it.
private func day(_ date: UnsafePointer<CChar>?) throws -> CalendarDate {
  guard let date else { throw VerifyError(.badArgument, "the date is NULL: say for which day the document is judged") }
  let text = try string(date, "date")
  guard let day = CalendarDate(text) else {
    throw VerifyError(.badArgument, "\"\(RegularFile.oneLine(text))\" is no date: write it as 2026-11-21")
  }
  return day
}

@c @implementation
public func fv_document_read(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ pages: UnsafePointer<OpaquePointer?>?,
  _ pageCount: Int, _ chip: OpaquePointer?, _ trust: OpaquePointer?, _ date: UnsafePointer<CChar>?,
  _ options: UnsafePointer<fv_document_options>?, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    guard (0...maximumPages).contains(pageCount), pages != nil || pageCount == 0 else {
      throw VerifyError(.badArgument, "pages is NULL, or more than \(maximumPages)")
    }
    let photos = try UnsafeBufferPointer(start: pages, count: pageCount).map {
      try Handles.object($0, ImageObject.self).photo
    }
    let files = try ChipObject.files(chip)
    let trust = try TrustObject.store(trust)
    let date = try day(date)
    let options = try DocumentOptions(options)
    return DocumentObject(
      try engine.readDocument(
        pages: photos, chip: options.readsChip == false ? nil : files, trust: trust, date: DateTime(date),
        chipExpected: options.readsChip ?? false, multipage: options.multipage))
  }
}

/// More than any document that is read from photos has.
private let maximumPages = 64

@c @implementation
public func fv_document_from_mrz(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ text: UnsafePointer<CChar>?, _ date: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    guard let text else { throw VerifyError(.badArgument, "the text is NULL") }
    let day = try day(date)
    return DocumentObject(DocumentReading(try MachineReadableZone(try string(text, "text"), on: day), on: day))
  }
}

@c @implementation
public func fv_document_free(_ document: OpaquePointer?) { Handles.free(document, DocumentObject.self) }

@c @implementation
public func fv_document_describe(
  _ out: UnsafeMutablePointer<fv_document_info>?, _ document: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try object(document)
    try Structs.write(out) {
      let (reading, report) = (object.reading, object.reading.report)
      var value = fv_document_info()
      value.type = object.text(report.data.type.rawValue)
      value.type_name = object.text(report.data.documentClass?.name)
      value.date = object.text(reading.date.description)
      value.photo_hash = object.text(report.portraitSHA256)
      value.data_hash = object.text(report.dataSHA256)
      value.portrait_problem = object.text(reading.portraitProblem)
      value.portrait_trust = PortraitTrust.number(of: reading)
      value.has_chip = report.data.hasChip ? 1 : 0
      value.rfid_status = rfidStatusNumbers.number(of: .init(rawValue: SpecificationNames.rfidStatus(of: report)))
      value.verdict = verdictNumbers.number(of: reading.chip?.authentication.verdict)
      return value
    }
  }
}

@c @implementation
public func fv_document_status_count(_ document: OpaquePointer?) -> Int {
  find(document).map { SpecificationNames.statuses(of: $0.reading.report).count } ?? 0
}

@c @implementation
public func fv_document_status(_ document: OpaquePointer?, _ index: Int) -> CInt {
  let name = find(document).flatMap { try? SpecificationNames.statuses(of: $0.reading.report).element(index) }
  return CInt(documentStatusNumbers.number(of: name.map { OldName($0) }))
}

@c @implementation
public func fv_document_field(
  _ out: UnsafeMutablePointer<fv_field>?, _ document: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ source: CInt
) -> fv_status {
  attempt {
    let object = try object(document)
    guard let name else { throw VerifyError(.badArgument, "the field's name is NULL") }
    let field = DocumentFieldName(rawValue: try string(name, "field's name"))
    guard DocumentFieldName.allCases.contains(field) else {
      throw VerifyError(.badArgument, "there is no field \"\(field)\"")
    }
    let report = object.reading.report
    let data: DocumentData?
    switch Int(source) {
    case FV_SOURCE_DOCUMENT: data = report.data
    case FV_SOURCE_PAGE: data = report.pageData
    case FV_SOURCE_CHIP: data = report.chipData
    default: throw VerifyError(.badArgument, "there is no source \(source)")
    }
    guard let found = data?[field] else { throw VerifyError(.absent, "nothing was read from this source") }
    try Structs.write(out) {
      var value = fv_field()
      value.value = object.text(found.value)
      value.reason = object.text(found.reason?.rawValue)
      value.status = fieldStatusNumbers.number(of: OldName(SpecificationNames.fieldStatus(found.status)))
      return value
    }
  }
}

@c @implementation
public func fv_document_mismatch_count(_ document: OpaquePointer?) -> Int {
  find(document)?.reading.report.mismatches.count ?? 0
}

@c @implementation
public func fv_document_mismatch(_ document: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  find(document).flatMap { object in
    (try? object.reading.report.mismatches.element(index)).map { object.text($0.name.rawValue) }
  }
}

@c @implementation
public func fv_document_check_count(_ document: OpaquePointer?) -> Int {
  find(document)?.reading.report.checks.count ?? 0
}

@c @implementation
public func fv_document_check(
  _ out: UnsafeMutablePointer<fv_finding>?, _ document: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(document)
    let check = try object.reading.report.checks.element(index)
    try Structs.write(out) {
      fv_finding(check.name.rawValue, check.status, check.reason?.rawValue, "", of: object)
    }
  }
}

@c @implementation
public func fv_document_step_count(_ document: OpaquePointer?) -> Int {
  find(document)?.reading.chip?.authentication.steps.count ?? 0
}

@c @implementation
public func fv_document_step(
  _ out: UnsafeMutablePointer<fv_finding>?, _ document: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(document)
    let step = try (object.reading.chip?.authentication.steps ?? []).element(index)
    try Structs.write(out) {
      fv_finding(step.name.rawValue, step.status, step.reason?.rawValue, step.text, of: object)
    }
  }
}

@c @implementation
public func fv_document_page_count(_ document: OpaquePointer?) -> Int { find(document)?.reading.pages.count ?? 0 }

@c @implementation
public func fv_document_page_check_count(_ document: OpaquePointer?, _ page: Int) -> Int {
  (try? find(document)?.reading.pages.element(page))?.checks.count ?? 0
}

@c @implementation
public func fv_document_page_check(
  _ out: UnsafeMutablePointer<fv_page_check>?, _ document: OpaquePointer?, _ page: Int, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(document)
    let check = try object.reading.pages.element(page).checks.element(index)
    try Structs.write(out) {
      var value = fv_page_check()
      value.reason = object.text(check.reason.rawValue)
      value.unit = object.text(check.unit)
      value.text = object.text(check.text)
      value.number = Int64(SpecificationNames.rejectionNumber(check.reason) ?? 0)
      value.status = check.status.number
      value.value = check.value ?? .nan
      value.limit = check.limit ?? .nan
      return value
    }
  }
}

@c @implementation
public func fv_document_portrait(
  _ document: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    guard let portrait = try object(document).reading.portrait else {
      throw VerifyError(.absent, "there is no portrait")
    }
    try fill(buffer?.assumingMemoryBound(to: UInt8.self), capacity, count, with: portrait.bytes)
  }
}

@c @implementation
public func fv_document_sample(_ document: OpaquePointer?) -> OpaquePointer? {
  find(document).flatMap { object in
    object.reading.portrait.map { portrait in object.handle("sample") { SampleObject(portrait.sample) } }
  }
}

@c @implementation
public func fv_document_data_json(_ document: OpaquePointer?) -> UnsafePointer<CChar>? {
  find(document).flatMap { object in
    let report = object.reading.report
    return report.dataSHA256 == nil ? nil : object.text("data") { report.data.canonicalJSON }
  }
}

@c @implementation
public func fv_document_json(_ document: OpaquePointer?) -> UnsafePointer<CChar>? {
  find(document).map { object in object.text("json") { object.reading.json } }
}

@c @implementation
public func fv_document_verify(
  _ out: UnsafeMutablePointer<fv_binding>?, _ photoHash: UnsafePointer<CChar>?, _ dataHash: UnsafePointer<CChar>?,
  _ photo: UnsafeRawPointer?, _ photoCount: Int, _ data: UnsafePointer<CChar>?
) -> fv_status {
  attempt {
    let photoHash = try hash(photoHash, "photo's hash")
    let dataHash = try hash(dataHash, "data's hash")
    let photo = try photo.map { sha256(try bytes($0, photoCount, "photo")) }
    let data = try data.map { sha256(try string($0, "data").utf8) }
    func status(_ hash: String?, _ other: String?) -> Int64 {
      guard let hash, let other else { return CheckStatus.notChecked.number }
      return (hash == other ? CheckStatus.passed : .failed).number
    }
    try Structs.write(out) {
      var value = fv_binding()
      value.photo = status(photoHash, photo)
      value.data = status(dataHash, data)
      return value
    }
  }
}

/// SHA-256, lower-case hexadecimal.
private func hash(_ text: UnsafePointer<CChar>?, _ name: String) throws -> String? {
  guard let text else { return nil }
  let hash = try string(text, name)
  guard hash.utf8.count == 64, hash.utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }) else {
    throw VerifyError(.badArgument, "the \(name) is no SHA-256 in lower-case hexadecimal")
  }
  return hash
}

extension fv_finding {
  /// - Parameter owner: what the texts live as long as.
  fileprivate init(
    _ name: String, _ status: CheckStatus, _ reason: String?, _ text: String, of owner: DocumentObject
  ) {
    self.init()
    self.name = owner.text(name) as UnsafePointer<CChar>
    self.reason = owner.text(reason)
    self.text = owner.text(text) as UnsafePointer<CChar>
    self.status = status.number
  }
}

/// What is asked for of a document.
private struct DocumentOptions {
  /// nil for what is given.
  let readsChip: Bool?
  let multipage: Bool

  init(_ pointer: UnsafePointer<fv_document_options>?) throws {
    let options = try Structs.read(pointer, defaults: fv_document_options())
    func choice(_ number: Int64, _ name: String) throws -> Bool? {
      switch Int(number) {
      case 0: nil
      case FV_YES: true
      case FV_NO: false
      default: throw VerifyError(.badArgument, "\(name) is FV_YES, FV_NO or 0, not \(number)")
      }
    }
    readsChip = try choice(options.read_rfid, "read_rfid")
    multipage = try choice(options.multipage, "multipage") ?? true
  }
}

/// How far a portrait is trusted: by where it comes from, and by the chip.
private enum PortraitTrust {
  static func number(of reading: DocumentReading) -> Int64 {
    guard let portrait = reading.portrait else { return 0 }
    guard portrait.source == .chip else { return Int64(FV_PORTRAIT_PAGE) }
    switch reading.chip?.authentication.verdict {
    case .authentic: return Int64(FV_PORTRAIT_AUTHENTIC)
    case .validWithoutAnchor: return Int64(FV_PORTRAIT_VALID_WITHOUT_ANCHOR)
    case .invalid: return Int64(FV_PORTRAIT_ALTERED)
    default: return Int64(FV_PORTRAIT_NOT_CHECKED)
    }
  }
}
