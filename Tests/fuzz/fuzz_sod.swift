// Feeds arbitrary bytes to passive authentication as EF.SOD, with one data group. Any crash or leak is a finding, and
// so is a chip that is authentic without a trust anchor.

private let date = try? DateTime(year: 2026, month: 6, day: 1)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSOD(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let date, let files = try? ChipFiles(files: ["EF.SOD": bytes, "EF.DG1": [0x61, 0x00]]) else { return 0 }
  var trust = TrustStore()
  // Certificates in the file itself may be anchors: the whole path is then part of the input.
  for certificate in (try? DocumentSecurityObject(bytes))?.certificates ?? [] {
    trust.add(certificate.bytes, name: "input")
  }
  precondition(PassiveAuthentication(ChipContents(files), trust: TrustStore(), date: date).verdict != .authentic)
  _ = PassiveAuthentication(ChipContents(files), trust: trust, date: date, issuingState: "UTO")
  _ = try? CardSecurity(bytes)
  return 0
}
