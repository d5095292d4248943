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

/// Parses a date passed by the program.
func day(_ date: UnsafePointer<CChar>?) throws -> CalendarDate {
  guard let date else { throw VerifyError(.badArgument, "the date is NULL: say for which day the document is judged") }
  let text = try string(date, "date")
  guard let day = CalendarDate(text) else {
    throw VerifyError(.badArgument, "\"\(text)\" is no date: write it as 2026-11-21")
  }
  return day
}

@c @implementation
public func fv_document_read(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ input: UnsafePointer<fv_document_input>?,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let input = try Structs.require(input, fv_document_input(), "input")
    guard input.page_count <= maximumPages else {
      throw VerifyError(.badArgument, "a document has at most \(maximumPages) pages")
    }
    let pages = try handles(input.pages, input.page_count, "pages", ImageObject.self)
    let files = try ChipObject.files(input.chip)
    let code = try input.code.map { Array(try bytes($0, input.code_bytes, "code")) }
    let trust = try TrustStoreObject.store(input.trust)
    let budget = try Budget(budget)
    let date = try day(input.date)
    let isExpected = try flag(input.is_chip_expected, "is_chip_expected")
    let isSingle = try flag(input.is_single_page, "is_single_page")
    let isStrict = try flag(input.is_strict, "is_strict")
    var accepted: Set<UnauthenticatedDocument> = []
    if try flag(input.accepts_page_only, "accepts_page_only") { accepted.insert(.page) }
    if try flag(input.accepts_licence_code, "accepts_licence_code") { accepted.insert(.licence) }
    return DocumentObject(
      try engine.readDocument(
        pages: pages.map(\.photo), chip: files, code: code, trust: trust,
        authentication: isStrict ? .strict : .standard,
        date: DateTime(date), chipExpected: isExpected, accepted: accepted, multipage: !isSingle, budget: budget))
  }
}

/// Maximum number of pages: more than any document has.
private let maximumPages = 64

@c @implementation
public func fv_document_from_mrz(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ text: UnsafePointer<CChar>?, _ date: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
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
      value.result = report.result.number
      value.type = report.data.type.number
      value.type_name = object.text(report.data.documentClass?.name)
      value.date = object.text(reading.date.description)
      value.portrait_sha256 = object.text(report.portraitSHA256)
      value.data_sha256 = object.text(report.dataSHA256)
      value.portrait_problem = object.text(reading.portraitProblem)
      value.portrait_source = reading.portrait?.source.number ?? 0
      value.has_chip = report.data.hasChip ? 1 : 0
      value.verdict = reading.chip?.authentication.verdict.number ?? 0
      value.validity = reading.chip?.authentication.validity.number ?? 0
      value.assurance = report.assurance.number
      return value
    }
  }
}

@c @implementation
public func fv_document_field_name_at(_ index: Int) -> UnsafePointer<CChar>? {
  (try? DocumentFieldName.allCases.element(index)).map { HandleObject.constants.text($0.rawValue) }
}

@c @implementation
public func fv_document_field_by_name(
  _ out: UnsafeMutablePointer<fv_document_field>?, _ document: OpaquePointer?, _ source: fv_document_source,
  _ name: UnsafePointer<CChar>?
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
    case FV_DOCUMENT_SOURCE_BEST: data = report.data
    case FV_DOCUMENT_SOURCE_PAGE: data = report.pageData
    case FV_DOCUMENT_SOURCE_CHIP: data = report.chipData
    default: throw VerifyError(.badArgument, "there is no source \(source)")
    }
    guard let found = data?[field] else { throw VerifyError(.absent, "nothing was read from this source") }
    try Structs.write(out) {
      var value = fv_document_field()
      value.value = object.text(found.value)
      value.reason = object.text(found.reason?.rawValue)
      value.status = found.status.number
      return value
    }
  }
}

@c @implementation
public func fv_document_mismatch_count(_ document: OpaquePointer?) -> Int {
  find(document)?.reading.report.mismatches.count ?? 0
}

@c @implementation
public func fv_document_mismatch_at(_ document: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  find(document).flatMap { object in
    (try? object.reading.report.mismatches.element(index)).map { object.text($0.name.rawValue) }
  }
}

@c @implementation
public func fv_document_check_count(_ document: OpaquePointer?) -> Int {
  find(document)?.reading.report.checks.count ?? 0
}

@c @implementation
public func fv_document_check_at(
  _ out: UnsafeMutablePointer<fv_document_check>?, _ document: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(document)
    let check = try object.reading.report.checks.element(index)
    try Structs.write(out) {
      fv_document_check(check.name.rawValue, check.status, check.reason?.rawValue, "", of: object)
    }
  }
}

@c @implementation
public func fv_document_step_count(_ document: OpaquePointer?) -> Int {
  find(document)?.reading.chip?.authentication.steps.count ?? 0
}

@c @implementation
public func fv_document_step_at(
  _ out: UnsafeMutablePointer<fv_document_check>?, _ document: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try object(document)
    let step = try (object.reading.chip?.authentication.steps ?? []).element(index)
    try Structs.write(out) {
      fv_document_check(step.name.rawValue, step.status, step.reason?.rawValue, step.text, of: object)
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
public func fv_document_page_check_at(
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
      value.status = check.status.number
      value.value = check.value ?? .nan
      value.limit = check.limit ?? .nan
      return value
    }
  }
}

@c @implementation
public func fv_document_portrait(
  _ document: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ capacityBytes: Int,
  _ byteCount: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    guard let portrait = try object(document).reading.portrait else {
      throw VerifyError(.absent, "there is no portrait")
    }
    try fill(
      buffer?.assumingMemoryBound(to: UInt8.self), capacityBytes, byteCount, items: portrait.bytes.count
    ) { portrait.bytes }
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
  _ out: UnsafeMutablePointer<fv_document_binding>?, _ copy: UnsafePointer<fv_document_copy>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let copy = try Structs.require(copy, fv_document_copy(), "copy")
    let reported = try (digest(copy.portrait_sha256, "portrait_sha256"), digest(copy.data_sha256, "data_sha256"))
    let portrait = try copy.portrait.map { sha256(try bytes($0, copy.portrait_bytes, "portrait")) }
    let data = try copy.data.map { sha256(try string($0, "data").utf8) }
    func status(_ digest: String?, _ other: String?) -> fv_check_status {
      guard let digest, let other else { return CheckStatus.notChecked.number }
      return (digest == other ? CheckStatus.passed : .failed).number
    }
    try Structs.write(out) {
      var value = fv_document_binding()
      value.portrait = status(reported.0, portrait)
      value.data = status(reported.1, data)
      return value
    }
  }
}

/// Validates a SHA-256 in lower-case hexadecimal; nil for NULL.
private func digest(_ text: UnsafePointer<CChar>?, _ name: String) throws -> String? {
  guard let text else { return nil }
  let digest = try string(text, name)
  guard digest.utf8.count == 64, isLowerCaseHexadecimal(digest) else {
    throw VerifyError(.badArgument, "\(name) is no SHA-256 in lower-case hexadecimal")
  }
  return digest
}

extension fv_document_check {
  /// - Parameter owner: determines the lifetime of the texts.
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

extension DocumentPortrait.Source {
  fileprivate var number: fv_document_source {
    switch self {
    case .page: fv_document_source(FV_DOCUMENT_SOURCE_PAGE)
    case .chip: fv_document_source(FV_DOCUMENT_SOURCE_CHIP)
    }
  }
}
