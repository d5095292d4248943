extension ElementaryFile {
  /// The data object that is the whole of a file; bytes behind it are allowed.
  static func object(in bytes: [UInt8], tag: TLVTag, name: String) throws -> TLV {
    var reader = TLVReader(bytes)
    guard let object = try reader.next() else { throw VerifyError(.damaged, "\(name) is empty") }
    guard object.tag == tag else {
      throw VerifyError(.unknownFormat, "\(name) begins with the tag \(object.tag), not \(tag)")
    }
    return object
  }
}
