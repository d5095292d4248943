/// Codes of licences and cards that are identified by their first bytes, and whose content has no public specification.
enum ForeignLicenceCode {
  /// South Africa's driving licence: 720 bytes, six with a version at their start, then blocks encrypted with a private
  /// RSA key. No authority has published format or keys.
  case southAfrica(version: Int)
  /// Colombia's identity card of 2000 to 2020, whose number its driving licences also use: fields of fixed width after
  /// a label, and binary fingerprints. The Registraduría has not published the format.
  case colombia
  /// The tracks of a magnetic stripe in a two-dimensional code, from before the standard of 2000.
  case magneticStripe

  init?(_ payload: [UInt8]) {
    if payload.count == 720, payload[4...].prefix(2).allSatisfy({ $0 == 0 }) {
      if payload.starts(with: [0x01, 0xE1, 0x02, 0x45]) {
        self = .southAfrica(version: 1)
        return
      }
      if payload.starts(with: [0x01, 0x9B, 0x09, 0x45]) {
        self = .southAfrica(version: 2)
        return
      }
    }
    // After the card's number, which is padded with zero bytes to 24.
    if payload.count >= 40, (22...26).contains(where: { payload[$0...].starts(with: "PubDSK_1".utf8) }) {
      self = .colombia
      return
    }
    // ISO/IEC 7811: track 1 begins with "%", tracks end with "?", track 2 begins with ";" and the issuer's number.
    if payload.first == UInt8(ascii: "%"), payload.contains(UInt8(ascii: "^")), payload.contains(UInt8(ascii: "?")) {
      self = .magneticStripe
      return
    }
    return nil
  }

  var explanation: String {
    switch self {
    case .southAfrica(let version):
      "this is the code of a South African driving licence, version \(version): it is encrypted, "
        + "and neither its format nor its keys are published, so that it is not read"
    case .colombia:
      "this is the code of a Colombian identity card: its format is not published, so that it is not read"
    case .magneticStripe: "these are the tracks of a magnetic stripe, from before the AAMVA standard: they are not read"
    }
  }
}
