// Feeds arbitrary bytes to the parser of JSON, to the checks of records, as they are and as the body of a record that
// keeps its schema, and to the reader of archives. Any crash or leak is a finding, and so is a record that passes without
// a trusted key, or JSON that is not the same when it was written and read again.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecord(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  if let value = try? JSONValue(parsing: bytes) {
    let canonical = value.canonical
    precondition((try? JSONValue(parsing: canonical).canonical) == canonical)
    _ = value.text
    // What the schema would have stopped.
    for rule in RecordRules.all {
      if case .content(let check) = rule.check { _ = check(value["body"] ?? value) }
    }
  }
  if let record = try? DecisionRecord(bytes: bytes) {
    precondition(DecisionRecord.result(of: record.verify()) != .passed)
  }
  var archive = TarReader()
  try? archive.take(bytes) { name, bytes in precondition(Tar.isGood(name) && bytes.count <= size) }
  return 0
}
