internal import CFaceVerify
internal import FaceVerifyJourney

/// The term for a value, with the lifetime of the process; nil for a number without a value or a term.
func term<Value: Numbered>(_ number: Value.Number, _ name: (Value) -> String?) -> Text {
  Value(number: number).flatMap(name).flatMap { constant($0) }
}

/// The number of the value with a term; 0 without one.
func number<Value: Numbered>(ofTerm text: Text, _ name: (Value) -> String?) -> Value.Number {
  guard let text = try? string(text, "name") else { return 0 }
  return Value.names.all.lazy.compactMap { Value(rawValue: $0) }.first { name($0) == text }?.number ?? 0
}

/// The term for a text of a list; nil for another text.
private func term<Value: RawRepresentable<String> & Hashable>(
  _ text: Text, in all: [Value], _ name: (Value) -> String?
) -> Text {
  guard let text = try? string(text, "text"), let value = Value(rawValue: text), all.contains(value) else { return nil }
  return name(value).flatMap { constant($0) }
}

@c @implementation public func fv_specification_field_name(_ name: Text) -> Text {
  term(name, in: DocumentFieldName.allCases, SpecificationNames.field)
}

@c @implementation public func fv_specification_document_hint(_ hint: Text) -> Text {
  term(hint, in: DocumentHint.allCases, SpecificationNames.hint)
}

@c @implementation public func fv_specification_older_error_code(_ code: Text) -> Text {
  guard let text = try? string(code, "code"), text.utf8.count == 7 else { return nil }
  return SpecificationNames.olderCode(JourneyError.Code(rawValue: text)).flatMap { constant($0) }
}

@c @implementation public func fv_specification_event_name(_ name: Text) -> Text {
  // Bounded, since the term is kept.
  guard let text = try? string(name, "name"), (1...40).contains(text.utf8.count) else { return nil }
  return constant(SpecificationNames.event(named: text))
}

@c @implementation public func fv_specification_rejection_number(_ reason: Text) -> Int64 {
  guard let text = try? string(reason, "reason") else { return 0 }
  return Int64(SpecificationNames.rejectionNumber(DocumentImageCheck.Reason(rawValue: text)) ?? 0)
}

@c @implementation public func fv_document_specification_chip_status(_ document: Handle) -> Text {
  DocumentObject.text(document) { SpecificationNames.rfidStatus(of: $0.value.report) }
}
