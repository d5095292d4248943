public import CFaceVerify
internal import FaceVerifyJourney

final class DocumentObject: Box<DocumentReading>, @unchecked Sendable {
  override var json: String { value.json }
  var mismatches: [String] { value.report.mismatches.map(\.name.rawValue) }
  var checks: [DocumentCheck] { value.report.checks }
  var steps: [PassiveAuthentication.Step] { value.chip?.authentication.steps ?? [] }
  var pages: [DocumentPage] { value.pages }
  var sample: SampleObject? { value.portrait.map { SampleObject($0.sample) } }
  var specificationStatuses: [String] { SpecificationNames.statuses(of: value.report) }

  func pageChecks(_ page: Int) throws -> [DocumentImageCheck] { try pages.element(page).checks }
}

/// Maximum number of pages: more than any document has.
private let maximumPages = 64

@c @implementation public func fv_document_read(
  _ out: NewHandle, _ engine: Handle, _ input: In<fv_document_input>, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
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
    let readsText = try flag(input.reads_text, "reads_text")
    return DocumentObject(
      try engine.readDocument(
        pages: pages.map(\.value), chip: files, code: code, trust: trust,
        authentication: isStrict ? .strict : .standard,
        date: DateTime(date), chipExpected: isExpected, accepted: accepted, multipage: !isSingle, readsText: readsText,
        budget: budget))
  }
}

@c @implementation public func fv_document_from_mrz(
  _ out: NewHandle, _ text: Text, _ date: Text, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let text = try string(text, "text")
    let day = try day(date)
    return DocumentObject(DocumentReading(try MachineReadableZone(text, on: day), on: day))
  }
}

@c @implementation
public func fv_document_field_name_at(_ index: Int) -> Text { name(DocumentFieldName.allCases, index) }

@c @implementation public func fv_document_field_by_name(
  _ out: Out<fv_document_field>, _ document: Handle, _ source: fv_document_source, _ name: Text
) -> fv_status {
  DocumentObject.describe(out, document) { object in
    let field = DocumentFieldName(rawValue: try string(name, "field's name"))
    guard DocumentFieldName.allCases.contains(field) else {
      throw VerifyError(.badArgument, "there is no field \"\(field)\"")
    }
    let report = object.value.report
    let data: DocumentData?
    switch Int(source) {
    case FV_DOCUMENT_SOURCE_BEST: data = report.data
    case FV_DOCUMENT_SOURCE_PAGE: data = report.pageData
    case FV_DOCUMENT_SOURCE_CHIP: data = report.chipData
    case FV_DOCUMENT_SOURCE_PRINT: data = report.printData
    default: throw VerifyError(.badArgument, "there is no source \(source)")
    }
    guard let found = data?[field] else { throw VerifyError(.absent, "nothing was read from this source") }
    var value = fv_document_field()
    value.value = object.text(orNull: found.value)
    value.reason = object.text(orNull: found.reason?.rawValue)
    value.status = found.status.number
    return value
  }
}

@c @implementation public func fv_document_portrait(
  _ document: Handle, _ buffer: Buffer, _ capacityBytes: Int, _ byteCount: Count
) -> fv_status {
  attempt {
    guard let portrait = try DocumentObject.value(of: document).portrait else {
      throw VerifyError(.absent, "there is no portrait")
    }
    try fill(buffer, capacityBytes, byteCount, with: portrait.bytes)
  }
}

@c @implementation public func fv_document_data_json(_ document: Handle) -> Text {
  DocumentObject.find(document).flatMap { object in
    let report = object.value.report
    return report.dataSHA256 == nil ? nil : object.text("data") { report.data.canonicalJSON }
  }
}

@c @implementation public func fv_document_verify(
  _ out: Out<fv_document_binding>, _ copy: In<fv_document_copy>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let copy = try Structs.require(copy, fv_document_copy(), "copy")
    let reported = try (digest(copy.portrait_sha256, "portrait_sha256"), digest(copy.data_sha256, "data_sha256"))
    let portrait = try copy.portrait.map { sha256(try bytes($0, copy.portrait_bytes, "portrait")) }
    let data = try optionalString(copy.data, "data").map { sha256($0.utf8) }
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
private func digest(_ text: Text, _ name: String) throws -> String? {
  guard let digest = try optionalString(text, name) else { return nil }
  guard digest.utf8.count == 64, isLowerCaseHexadecimal(digest) else {
    throw VerifyError(.badArgument, "\(name) is not a SHA-256 in lower-case hexadecimal")
  }
  return digest
}

extension fv_document_info {
  init(_ object: DocumentObject) {
    self.init()
    let (reading, report) = (object.value, object.value.report)
    result = report.result.number
    type = report.data.type.number
    type_name = object.text(orNull: report.data.documentClass?.name)
    date = object.text(reading.date.description)
    portrait_sha256 = object.text(orNull: report.portraitSHA256)
    data_sha256 = object.text(orNull: report.dataSHA256)
    portrait_problem = object.text(orNull: reading.portraitProblem)
    if let source = reading.portrait?.source {
      portrait_source = fv_document_source(source == .chip ? FV_DOCUMENT_SOURCE_CHIP : FV_DOCUMENT_SOURCE_PAGE)
    }
    has_chip = fv_bool(report.data.hasChip)
    verdict = reading.chip?.authentication.verdict.number ?? 0
    validity = reading.chip?.authentication.validity.number ?? 0
    assurance = report.assurance.number
  }
}

extension fv_document_check {
  init(_ check: DocumentCheck, of owner: HandleObject) {
    self.init(check.name.rawValue, check.status, check.reason?.rawValue, "", of: owner)
  }

  init(_ step: PassiveAuthentication.Step, of owner: HandleObject) {
    self.init(step.name.rawValue, step.status, step.reason?.rawValue, step.text, of: owner)
  }

  init(_ step: ChipProof.Step, of owner: HandleObject) {
    self.init(step.name.rawValue, step.status, step.reason?.rawValue, step.text, of: owner)
  }

  private init(_ name: String, _ status: CheckStatus, _ reason: String?, _ text: String, of owner: HandleObject) {
    self.init()
    self.name = owner.text(name)
    self.reason = owner.text(orNull: reason)
    self.text = owner.text(text)
    self.status = status.number
  }
}

extension fv_page_check {
  init(_ check: DocumentImageCheck, of owner: HandleObject) {
    self.init()
    reason = owner.text(check.reason.rawValue)
    unit = owner.text(check.unit)
    text = owner.text(check.text)
    status = check.status.number
    value = check.value ?? .nan
    limit = check.limit ?? .nan
  }
}

// MARK: Chip

final class ChipObject: Box<Lock<ChipFiles>>, @unchecked Sendable {
  /// The current files of a handle; nil if it is NULL.
  static func files(_ handle: Handle) throws -> ChipFiles? {
    guard handle != nil else { return nil }
    let files = try value(of: handle).withLock { $0 }
    guard !files.files.isEmpty else { throw VerifyError(.badArgument, "the chip has no files: add some first") }
    return files
  }
}

@c @implementation
public func fv_chip_create(_ out: NewHandle, _ folder: Text, _ message: Message, _ messageBytes: Int) -> fv_status {
  create(out, message, messageBytes) {
    ChipObject(Lock(try optionalString(folder, "folder").map { try ChipFiles(folder: $0) } ?? ChipFiles()))
  }
}

@c @implementation public func fv_chip_add(
  _ chip: Handle, _ name: Text, _ start: Bytes, _ byteCount: Int, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let files = try ChipObject.value(of: chip)
    // As text, a byte takes up to three characters.
    let (name, content) = try file(name, start, byteCount, limit: 3 * ChipFiles.maximumFileBytes)
    try files.withLock { _ = try $0.add(content, name: name) }
  }
}

/// A file in the program's memory.
///
/// - Parameter limit: in bytes, checked before copying.
private func file(_ name: Text, _ start: Bytes, _ count: Int, limit: Int) throws -> (name: String, content: [UInt8]) {
  let name = try string(name, "file's name")
  let content = try bytes(start, count, "file")
  guard count <= limit else { throw VerifyError(.tooLarge, "\(name) has \(count) bytes, the limit is \(limit)") }
  return (name, Array(content))
}

// MARK: Trust store

final class TrustStoreObject: Box<Lock<TrustStore>>, @unchecked Sendable {
  /// A handle's current store, or an empty one if it is NULL.
  static func store(_ handle: Handle) throws -> TrustStore {
    handle == nil ? TrustStore() : try value(of: handle).withLock { $0 }
  }
}

@c @implementation public func fv_trust_store_create(
  _ out: NewHandle, _ folder: Text, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    TrustStoreObject(Lock(try optionalString(folder, "folder").map { try TrustStore(folder: $0) } ?? TrustStore()))
  }
}

@c @implementation public func fv_trust_store_add(
  _ store: Handle, _ name: Text, _ start: Bytes, _ byteCount: Int, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let store = try TrustStoreObject.value(of: store)
    let (name, content) = try file(name, start, byteCount, limit: TrustStore.maximumFileBytes)
    let source = store.withLock { $0.add(content, name: name) }
    guard ![.refused, .notPinned].contains(source.kind) else {
      throw VerifyError(source.signature == .failed ? .damaged : .unknownFormat, "\(name): \(source.text)")
    }
  }
}

@c @implementation
public func fv_trust_store_pin(_ store: Handle, _ sha256: Text, _ message: Message, _ messageBytes: Int) -> fv_status {
  attempt(message, messageBytes) {
    let store = try TrustStoreObject.value(of: store)
    let pin = try string(sha256, "fingerprint")
    try store.withLock { try $0.pin(pin) }
  }
}

@c @implementation public func fv_trust_store_anchor_count(_ store: Handle) -> Int {
  TrustStoreObject.find(store)?.value.withLock { $0.anchors.count } ?? 0
}

@c @implementation public func fv_trust_store_json(_ store: Handle) -> Text {
  TrustStoreObject.find(store).map { object in
    // Each added file changes the text; texts already returned remain valid.
    let store = object.value.withLock { $0 }
    return object.text("json \(store.sources.count)") { store.json }
  }
}
