internal import CFaceVerify
internal import FaceVerify

/// The term for a value, with the lifetime of the process; nil for a number without a value or a term.
func term<Value: Numbered>(_ number: Value.Number, _ name: (Value) -> String?) -> UnsafePointer<CChar>? {
  Value(number: number).flatMap(name).map { HandleObject.constants.text($0) }
}

/// The number of the value with a term; 0 without one.
func number<Value: Numbered>(
  ofTerm text: UnsafePointer<CChar>?, _ name: (Value) -> String?
) -> Value.Number {
  guard let text = text.flatMap({ String(validatingCString: $0) }) else { return 0 }
  return Value.names.all.lazy.compactMap { Value(rawValue: $0) }.first { name($0) == text }?.number ?? 0
}

/// The term for a text of a list; nil for another text.
private func term<Value: RawRepresentable<String> & Hashable>(
  _ text: UnsafePointer<CChar>?, in all: [Value], _ name: (Value) -> String?
) -> UnsafePointer<CChar>? {
  text.flatMap { String(validatingCString: $0) }.flatMap { Value(rawValue: $0) }.flatMap { value in
    all.contains(value) ? name(value).map { HandleObject.constants.text($0) } : nil
  }
}

@c @implementation
public func fv_specification_field_name(_ name: UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
  term(name, in: DocumentFieldName.allCases, SpecificationNames.field)
}

@c @implementation
public func fv_specification_document_hint(_ hint: UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
  term(hint, in: DocumentHint.allCases, SpecificationNames.hint)
}

@c @implementation
public func fv_specification_older_error_code(_ code: UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
  guard let text = code.flatMap({ String(validatingCString: $0) }), text.utf8.count == 7 else { return nil }
  return SpecificationNames.olderCode(JourneyError.Code(rawValue: text)).map { HandleObject.constants.text($0) }
}

@c @implementation
public func fv_specification_event_name(_ name: UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
  // Bounded, since the term is kept.
  guard let text = name.flatMap({ String(validatingCString: $0) }), (1...40).contains(text.utf8.count) else { return nil }
  return HandleObject.constants.text(SpecificationNames.event(named: text))
}

@c @implementation
public func fv_specification_rejection_number(_ reason: UnsafePointer<CChar>?) -> Int64 {
  let reason = reason.flatMap { String(validatingCString: $0) }.map(DocumentImageCheck.Reason.init)
  return Int64(reason.flatMap(SpecificationNames.rejectionNumber) ?? 0)
}

@c @implementation
public func fv_document_specification_chip_status(_ document: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(document, DocumentObject.self).map {
    HandleObject.constants.text(SpecificationNames.rfidStatus(of: $0.reading.report))
  }
}

@c @implementation
public func fv_document_specification_status_count(_ document: OpaquePointer?) -> Int {
  Handles.find(document, DocumentObject.self).map { SpecificationNames.statuses(of: $0.reading.report).count } ?? 0
}

@c @implementation
public func fv_document_specification_status_at(
  _ document: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  Handles.find(document, DocumentObject.self).flatMap {
    (try? SpecificationNames.statuses(of: $0.reading.report).element(index)).map(HandleObject.constants.text)
  }
}
