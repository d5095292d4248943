// Feeds arbitrary bytes to the parsers of a chip's smaller files, unmodified and within each file's tag. Any crash or
// leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTLV(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  walk(TLVReader(bytes))
  for name in ["EF.DG1", "011E.hex"] {
    if let files = try? ChipFiles(files: [name: bytes]) {
      _ = ChipContents(files)
      for content in files.files.values { precondition(content.count <= bytes.count) }
    }
  }
  for tag in [0x60, 0x61, 0x6B, 0x6C, 0x6E, 0x6F] as [UInt8] {
    guard size < 0x10000 else { break }
    let wrapped = [tag, 0x82, UInt8(size >> 8), UInt8(size & 255)] + bytes
    if let files = try? ChipFiles(files: ["": wrapped]) { _ = ChipContents(files) }
  }
  return 0
}

/// Visits every value of every data object.
private func walk(_ reader: TLVReader) {
  var reader = reader
  while let object = try? reader.next() {
    precondition(object.encoded.count > object.value.count)
    _ = try? object.integer()
    _ = try? object.objectIdentifier()
    _ = try? object.time()
    _ = object.text
    if object.tag.isConstructed, let children = try? object.children() { walk(children) }
  }
}
