/// The fields of EF.DG11 and EF.DG12: a list of tags, then the data objects, some of them in a set A0.
struct DetailFields {
  private var objects: [TLV] = []
  /// More than the standard names; a chip that repeats a field without end is not read on.
  private static let maximumFields = 1000

  init(_ bytes: [UInt8], tag: TLVTag, name: String) throws {
    let object = try ElementaryFile.object(in: bytes, tag: tag, name: name)
    var children = try object.children()
    while let child = try children.next() {
      if child.tag == 0xA0 {
        var members = try child.children()
        while let member = try members.next() { try add(member, name) }
      } else {
        try add(child, name)
      }
    }
  }

  private mutating func add(_ object: TLV, _ name: String) throws {
    guard objects.count < Self.maximumFields else { throw VerifyError(.tooLarge, "\(name) has too many fields") }
    objects.append(object)
  }

  func value(_ tag: TLVTag) -> ArraySlice<UInt8>? { objects.first { $0.tag == tag && !$0.value.isEmpty }?.value }
  func text(_ tag: TLVTag) -> String? { objects.first { $0.tag == tag && !$0.value.isEmpty }?.text }
  func repeated(_ tag: TLVTag) -> [String] { objects.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.text) }

  /// Parts that `<` separates.
  func parts(_ tag: TLVTag) -> [String] { (text(tag) ?? "").split(separator: "<").map(String.init) }
}
