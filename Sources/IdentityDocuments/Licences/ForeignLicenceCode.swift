/// Codes of licences and cards that are identified by their first bytes, and whose content has no public specification.
enum ForeignLicenceCode {
  /// Returns what the code is and why it is not read; nil for any other code.
  static func explanation(_ payload: [UInt8]) -> String? {
    // South Africa's driving licence: 720 bytes, six with a version at their start, then blocks encrypted with a private
    // RSA key. No authority has published format or keys.
    let versions: [[UInt8]] = [[0x01, 0xE1, 0x02, 0x45, 0, 0], [0x01, 0x9B, 0x09, 0x45, 0, 0]]
    if payload.count == 720, let version = versions.firstIndex(where: { payload.starts(with: $0) }) {
      return "this is the code of a South African driving licence, version \(version + 1): it is encrypted, and its "
        + "format and keys are not published, so it cannot be read"
    }
    // Colombia's identity card of 2000 to 2020, whose number its driving licences also use: fields of fixed width after
    // a label, and binary fingerprints. The Registraduría has not published the format. The label follows the card's
    // number, which is padded with zero bytes to 24.
    if payload.count >= 40, (22...26).contains(where: { payload[$0...].starts(with: "PubDSK_1".utf8) }) {
      return "this is the code of a Colombian identity card: its format is not published, so it cannot be read"
    }
    // The tracks of a magnetic stripe in a two-dimensional code, from before the standard of 2000. ISO/IEC 7811: track 1
    // begins with "%", tracks end with "?", track 2 begins with ";" and the issuer's number.
    if payload.first == UInt8(ascii: "%"), payload.contains(UInt8(ascii: "^")), payload.contains(UInt8(ascii: "?")) {
      return "these are the tracks of a magnetic stripe, from before the AAMVA standard, which cannot be read"
    }
    return nil
  }
}
