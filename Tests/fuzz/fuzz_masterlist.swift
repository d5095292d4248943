// Feeds arbitrary bytes to the trust store: certificates, bundles, revocation lists, PEM, LDIF, pins and signed lists. The content of
// a list is also tried without its signature, which the search would not get past, and revocation with everything
// found. Any crash or leak is a finding, and so is a list that is trusted without a pin, or an
// anchor from a file of lists.

private let date = try? DateTime(year: 2026, month: 6, day: 1)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMasterList(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  var store = TrustStore()
  let source = store.add(bytes, name: "input")
  precondition(![.masterList, .deviationList].contains(source.kind))
  var others = TrustStore()
  for name in ["input.crl", "input.ml", "input.ldif", "input.txt"] { others.add(bytes, name: name) }
  precondition(others.anchors.isEmpty)
  if let pin = source.pin {
    try? store.pin(pin)
    store.add(bytes, name: "pinned")
  }
  try? store.pin(String(decoding: bytes, as: UTF8.self))
  if let list = try? SignedData(bytes) {
    _ = try? MasterList(list.content)
    _ = try? DeviationList(list.content)
  }
  _ = try? DeviationList(bytes)
  guard let date else { return 0 }
  for anchor in store.anchors.prefix(8) {
    _ = anchor.certificate.publicKeyInfo
    for path in CertificationPath.candidates(from: anchor.certificate, others: [], trust: store) {
      let context = PathContext(path: path, purpose: .documents, signingTime: date, date: date, documentCode: "P")
      for rule in PathRule.all { _ = rule.check(context) }
      _ = Revocation.step(path, trust: store, date: date, policy: .strict)
    }
    for list in store.revocationLists.prefix(8) { _ = anchor.certificate.signed(list) }
  }
  return 0
}
