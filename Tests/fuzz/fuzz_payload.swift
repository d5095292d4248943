// Feeds arbitrary bytes to the interpretation of a code's payload. Any crash, leak or memory error is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPayload(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  _ = CodePayload.gs1(bytes)
  let marks = CodePayload.interpretations(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  _ = CodePayload.encoding(of: bytes, as: text, interpretations: marks)
  _ = CodePurpose(text: text)
  _ = CodeOwnership.pattern(text).owns(
    CodeReading(format: .qr, bytes: bytes, text: text, marked: bytes, identifier: "", isGS1: true))
  return 0
}
