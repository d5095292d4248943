// Feeds arbitrary bytes to the JSON parser, to the checks of records and to the archive reader. Any crash or leak is a
// finding, and so is a record that passes without a trusted key, or JSON that a round trip changes.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecord(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  if let value = try? JSONValue(parsing: bytes) {
    let canonical = value.canonical
    precondition((try? JSONValue(parsing: canonical).canonical) == canonical)
    _ = value.text
  }
  if let record = try? DecisionRecord(bytes: bytes) {
    precondition(DecisionRecord.result(of: record.verify()) != .passed)
  }
  var archive = TarReader()
  try? archive.take(bytes) { name, bytes in precondition(Tar.isGood(name) && bytes.count <= size) }
  return 0
}
