// Feeds arbitrary bytes to the trust store: certificates, revocation lists, PEM and master lists. The content of a
// master list is tried without its signature too, which the search would not come past. Any crash or leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMasterList(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  var store = TrustStore()
  let source = store.add(bytes, name: "input")
  precondition(source.kind != .masterList || source.signature == .passed)
  if let list = try? SignedData(bytes) { _ = try? MasterList(list) }
  for anchor in store.anchors {
    _ = anchor.certificate.publicKeyInfo
    for other in store.issuers(of: anchor.certificate) { _ = other.certificate.signed(anchor.certificate) }
    for list in store.revocationLists { _ = anchor.certificate.signed(list) }
  }
  return 0
}
