/// A list of CSCA certificates that a state signed (ICAO Doc 9303-12, 9).
struct MasterList {
  /// id-icao-cscaMasterList.
  static let contentType = "2.23.136.1.1.2"
  /// The largest lists have some 600.
  private static let maximumCertificates = 10_000

  let certificates: [Certificate]
  /// Entries that are no certificates.
  let damagedCount: Int
  let signer: Certificate?
  let signature: SignatureCheck?

  init(_ data: borrowing SignedData) throws {
    signature = data.check()
    signer = data.signer?.certificate
    var reader = TLVReader(data.content)
    var fields = try reader.next(.sequence).children()
    _ = try fields.next(.integer)
    var members = try fields.next(.set).children()
    var certificates: [Certificate] = []
    var damaged = 0
    while let member = try members.next() {
      guard certificates.count + damaged < Self.maximumCertificates else {
        throw VerifyError(.tooLarge, "the master list has more than \(Self.maximumCertificates) certificates")
      }
      if let certificate = try? Certificate(member) { certificates.append(certificate) } else { damaged += 1 }
    }
    self.certificates = certificates
    damagedCount = damaged
  }
}
