import FaceVerify

/// A trust store as text.
enum TrustText {
  static func count(_ store: TrustStore) -> String {
    let countries = Set(store.anchors.compactMap(\.country)).count
    return
      "\(store.anchors.count) certificates of \(countries) countries, \(store.revocationLists.count) revocation lists\n"
  }
}
