/// The features of the seals of one kind of document.
struct SealProfile: Sendable, Hashable {
  let name: String
  /// The document feature definition reference and the document type category.
  let definition: Int
  let category: Int
  let minimumVersion: Int
  let features: [Feature]

  struct Feature: Sendable, Hashable {
    let tag: Int
    let name: String
    /// The sizes allowed, in bytes.
    let sizes: ClosedRange<Int>
    let kind: Kind
    var isMandatory = false

    enum Kind: Sendable, Hashable {
      /// The first line, and the second one up to this number of characters. The value has both lines.
      case zone(MRZFormat, second: Int)
      case text
      /// The value is a number, or `unlimited`.
      case entries
      /// The value is a period of ISO 8601, or one of the reserved cases.
      case stay
      /// The value is hexadecimal.
      case binary
    }

    /// nil if it is not a zone.
    var zoneFormat: MRZFormat? { if case .zone(let format, _) = kind { format } else { nil } }

    /// - Throws: ``VerifyError/Code/damaged`` if the profile does not allow the bytes.
    func value(of bytes: [UInt8]) throws -> String {
      guard sizes.contains(bytes.count) else {
        throw VerifyError(.damaged, "the feature \(name) has \(bytes.count) bytes")
      }
      switch kind {
      case .zone(let format, let second):
        let text = try C40.decoded(bytes[...]).map { $0 == " " ? "<" : $0 }
        guard text.count == format.lineLength + second else {
          throw VerifyError(.damaged, "the zone in the seal has \(text.count) characters")
        }
        let rest = String(repeating: "<", count: format.lineLength - second)
        return String(text.prefix(format.lineLength)) + "\n" + String(text.dropFirst(format.lineLength)) + rest
      case .text:
        var text = try C40.decoded(bytes[...])
        while text.last == " " { text.removeLast() }
        guard !text.isEmpty else { throw VerifyError(.damaged, "the feature \(name) is empty") }
        return text
      case .entries: return bytes[0] == 0 ? "unlimited" : String(bytes[0])
      case .stay:
        // Doc 9303-7, table 1.
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, 0, 0): return "until-expiry"
        case (255, 255, 255): return "decided-at-border"
        case (254, 254, 254): return "transit"
        case (let days, let months, let years):
          let parts = zip([years, months, days], ["Y", "M", "D"]).filter { $0.0 > 0 }
          return "P" + parts.map { "\($0)\($1)" }.joined()
        }
      case .binary: return hexadecimal(bytes)
      }
    }
  }

  static let all = [
    // ICAO Doc 9303-7, 9.1.
    SealProfile(
      name: "visa", definition: 0x5D, category: 1, minimumVersion: 3,
      features: [
        Feature(tag: 1, name: "mrz-mrv-a", sizes: 48...48, kind: .zone(.mrvA, second: 28)),
        Feature(tag: 2, name: "mrz-mrv-b", sizes: 44...44, kind: .zone(.mrvB, second: 28)),
        Feature(tag: 3, name: "number-of-entries", sizes: 1...1, kind: .entries),
        Feature(tag: 4, name: "duration-of-stay", sizes: 3...3, kind: .stay, isMandatory: true),
        Feature(tag: 5, name: "passport-number", sizes: 6...6, kind: .text, isMandatory: true),
        Feature(tag: 6, name: "visa-type", sizes: 1...4, kind: .binary),
        Feature(tag: 7, name: "additional-feature", sizes: 0...254, kind: .binary),
      ]),
    // ICAO Doc 9303-8, 6.1; the version: 9303-13, 2.3.
    SealProfile(
      name: "emergency-travel-document", definition: 0x5E, category: 3, minimumVersion: 4,
      features: [Feature(tag: 2, name: "mrz-td2", sizes: 48...48, kind: .zone(.td2, second: 36))]),
  ]
}
