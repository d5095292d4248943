import IdentityDocuments
import TestSupport
import Testing

/// Chips and EF.SODs of real states, and the German master list of August 2024.
@Suite(.needsSpecimenChips) struct RealChipTests {
  /// The SHA-256 of the German CSCA's certificate in the list.
  static let pin = "66b09a816ff5c76d3d6ef10f035ded4a8ac4b961b75955f1d5926dc3c63ecb5b"

  static let masterList = Result {
    var store = TrustStore()
    try store.pin(pin)
    store.add(try TestData.bytes("csca/DE_ML_2024-08-07.ml"), name: "DE_ML_2024-08-07.ml")
    return store
  }

  private func authenticate(
    _ name: String, state: String? = nil, trust: TrustStore = TrustStore(), year: Int = 2024
  ) throws -> PassiveAuthentication {
    PassiveAuthentication(
      ChipContents(try ChipFiles(files: ["EF.SOD": TestData.bytes(name)])), trust: trust,
      date: try DateTime(year: year, month: 8, day: 7), issuingState: state)
  }

  @Test(arguments: [
    ("AT", "AUT", "ECDSA", "SHA-256"), ("DE", "D<<", "ECDSA", "SHA-384"), ("FI", "FIN", "ECDSA", "SHA-512"),
    ("FR", "FRA", "RSA PKCS#1 v1.5", "SHA-256"), ("MY", "MYS", "RSA-PSS", "SHA-256"),
    ("NZ", "NZL", "RSA PKCS#1 v1.5", "SHA-256"), ("UK", "GBR", "ECDSA", "SHA-256"),
    ("US", "USA", "RSA PKCS#1 v1.5", "SHA-256"),
  ])
  func `every state's signature is valid and chains to its CSCA`(
    _ file: String, _ state: String, _ signature: String, _ digest: String
  ) throws {
    let result = try authenticate("sod_real/\(file)_EF.SOD.bin", state: state, trust: Self.masterList.get())
    #expect(result.step(.signature)?.status == .passed)
    #expect(result.signatureAlgorithm == signature)
    #expect(result.digestAlgorithm == digest)
    #expect(result.step(.chain)?.status == .passed)
    #expect(result.anchor != nil)
    #expect(result.step(.signerValidity)?.status == .passed)
    #expect(result.step(.anchorValidity)?.status == .passed)
    #expect(result.step(.country)?.status == .passed)
    #expect(result.step(.revocation)?.reason == .noRevocationList)
    #expect(result.weaknesses.isEmpty)
    // There are no data groups, so nothing is shown to be genuine.
    #expect(result.step(.hash(1))?.reason == .dataGroupMissing)
    #expect(result.verdict == .notChecked)
  }

  @Test func `an invented data group is detected`() throws {
    let files = try ChipFiles(files: [
      "EF.SOD": TestData.bytes("sod_real/FR_EF.SOD.bin"), "EF.DG1": ChipFilesTests.dataGroup1,
    ])
    let result = PassiveAuthentication(
      ChipContents(files), trust: try Self.masterList.get(), date: try DateTime(year: 2024, month: 8, day: 7))
    #expect(result.step(.hash(1))?.reason == .hashWrong)
    #expect(result.step(.country)?.reason == .countryMismatch)
    #expect(result.verdict == .invalid)
  }

  @Test func `without trust anchors no state's chip is invalid`() throws {
    for state in ["AT", "DE", "FI", "FR", "MY", "NZ", "UK", "US"] {
      let result = try authenticate("sod_real/\(state)_EF.SOD.bin")
      #expect(result.step(.chain)?.status == .notChecked)
      #expect(result.step(.chain)?.reason == .noTrustAnchor)
      #expect(result.verdict == .notChecked)
    }
  }

  // Rows: DR25
  @Test func `expired certificates are distinguished from invalid ones`() throws {
    let result = try authenticate("sod_real/FR_EF.SOD.bin", state: "FRA", trust: Self.masterList.get(), year: 2040)
    #expect(result.step(.chain)?.status == .passed)
    #expect(result.step(.signerValidityAtSigning)?.status == .passed)
    #expect(result.step(.signerValidity)?.reason == .certificateExpired)
    #expect(result.validity == .failed)
    #expect(result.verdict == .notChecked)
  }

  @Test func `the order of a signer's issuer name is irrelevant`() throws {
    let sod = try DocumentSecurityObject(TestData.bytes("sod_real/MY_EF.SOD.bin"))
    #expect(!sod.isSignerIdentified)
    #expect(try DocumentSecurityObject(TestData.bytes("sod_real/FR_EF.SOD.bin")).isSignerIdentified)
  }

  @Test func `signed data with indefinite lengths are read`() throws {
    let result = try authenticate("misc/nz2013_EF.SOD.bin", state: "NZL", trust: Self.masterList.get())
    #expect(result.step(.signature)?.status == .passed)
    #expect(result.signingTime?.description == "2011-10-18T00:38:56Z")
    #expect(result.step(.signerValidityAtSigning)?.status == .passed)
    #expect(result.step(.signerValidity)?.reason == .certificateExpired)
  }

  @Test func `the specimen's unsigned data group is detected`() throws {
    let files = try ChipFiles(folder: TestData.shared + "de_bsi2008")
    let result = PassiveAuthentication(
      ChipContents(files), trust: TrustStore(), date: try DateTime(year: 2008, month: 6, day: 1))
    #expect(result.step(.signature)?.status == .passed)
    for number in [1, 2, 14] { #expect(result.step(.hash(number))?.status == .passed) }
    #expect(result.step(.hash(3))?.reason == .dataGroupMissing)
    #expect(result.step(.hash(15))?.status == .failed)
    #expect(result.step(.hash(15))?.reason == .dataGroupNotInSOD)
    #expect(result.verdict == .invalid)
    #expect(result.weaknesses == [.weakSignatureDigest, .weakHash])
    #expect(result.hashAlgorithm == "SHA-1")
    #expect(
      result.signer?.subject.description
        == "C=DE, O=BundesDruckerei GmbH, CN=DS, serialNumber=1.2.276.0.80.1.12.0.20.10.1.2")

    var files15 = files.files
    files15[.dataGroup(15)] = nil
    let without = try ChipFiles(files: Dictionary(uniqueKeysWithValues: files15.map { ($0.rawValue, $1) }))
    let rest = PassiveAuthentication(
      ChipContents(without), trust: TrustStore(), date: try DateTime(year: 2008, month: 6, day: 1))
    #expect(rest.verdict == .validWithoutAnchor)
  }

  @Test func `bare signed data are accepted as EF_SOD`() throws {
    let parts = try TestData.bytes("zkr_synthetic/john_sod_cms.der").split(separator: UInt8(ascii: "\""))
    let base64 = Array(try #require(parts.max(by: { $0.count < $1.count })))
    let files = try ChipFiles(files: ["john.txt": base64])
    let sod = try DocumentSecurityObject(#require(files[.documentSecurity]))
    #expect(sod.content.hashes.keys.sorted() == [1, 2])
    let result = PassiveAuthentication(
      ChipContents(files), trust: TrustStore(), date: try DateTime(year: 2024, month: 8, day: 7))
    #expect(result.step(.signature)?.status == .passed)
  }

  @Test func `the master list's signature is verified, and its certificates are read in time`() throws {
    let bytes = try TestData.bytes("csca/DE_ML_2024-08-07.ml")
    var store = TrustStore()
    try store.pin(Self.pin)
    let time = seconds { store.add(bytes, name: "list") }
    #expect(time < 1)
    let source = try #require(store.sources.first)
    #expect(source.kind == .masterList)
    #expect(source.signature == .passed)
    #expect(source.signer?.subject.country == "DE")
    #expect(source.signerChain == .passed)
    // All of them, including those whose extensions contradict each other.
    #expect(source.certificateCount == 541)
    #expect(Set(store.anchors.map(\.certificate.sha256)).count == store.anchors.count)
    #expect(store.anchors.allSatisfy { $0.source == "list" && $0.country?.count == 2 })
  }

  @Test func `all certificates of a list, each in a separate file, are read in time`() throws {
    let anchors = try Self.masterList.get().anchors
    var store = TrustStore()
    let time = seconds {
      for (index, anchor) in anchors.enumerated() { store.add(anchor.certificate.bytes, name: "\(index)") }
    }
    #expect(store.anchors.count == 541)
    #expect(time < 1)
  }

  @Test(arguments: ["DE", "FI"])
  func `the signature of a real EF_CardSecurity is valid, and its signer chains to its CSCA`(
    _ state: String
  ) throws {
    let files = try ChipFiles(files: [
      "EF.SOD": TestData.bytes("sod_real/\(state)_EF.SOD.bin"),
      "EF.CardSecurity": TestData.bytes("sod_real/\(state)_EF.CardSecurity.bin"),
    ])
    let date = try DateTime(year: 2024, month: 8, day: 7)
    for policy in [AuthenticationPolicy.standard, .strict] {
      let result = PassiveAuthentication(
        ChipContents(files), trust: try Self.masterList.get(), date: date, policy: policy)
      #expect(result.step(.cardSecurity)?.status == .passed)
    }
  }

  @Test(
    arguments: [
      ("AT", []), ("DE", []), ("FI", []), ("FR", []), ("UK", []), ("US", []), ("MY", [.signerNameDiffers]),
      ("NZ", [.documentTypesMissing]),
    ] as [(String, [PassiveAuthentication.Reason])])
  func `each leniency for a state's chip is named, and fails under the strict policy`(
    _ file: String, _ leniencies: [PassiveAuthentication.Reason]
  ) throws {
    let contents = ChipContents(try ChipFiles(files: ["EF.SOD": TestData.bytes("sod_real/\(file)_EF.SOD.bin")]))
    let (trust, date) = (try Self.masterList.get(), try DateTime(year: 2024, month: 8, day: 7))
    #expect(PassiveAuthentication(contents, trust: trust, date: date).leniencies == leniencies)
    let strict = PassiveAuthentication(contents, trust: trust, date: date, policy: .strict)
    #expect(strict.steps.filter { $0.status == .failed }.map(\.reason) == leniencies)
  }

  @Test(arguments: [1000, 400_000, 828_650]) func `a master list with one bit changed is not trusted`(_ position: Int)
    throws
  {
    var bytes = try TestData.bytes("csca/DE_ML_2024-08-07.ml")
    bytes[position] ^= 1
    var store = TrustStore()
    try store.pin(Self.pin)
    let source = store.add(bytes, name: "list")
    #expect(source.kind == .refused)
    #expect(store.anchors.isEmpty)
  }

  @Test func `certificates and revocation lists are read from files`() throws {
    var store = TrustStore()
    store.add(try TestData.bytes("csca/de_root_ca_csca07.cer"), name: "de")
    store.add(try TestData.bytes("csca/nl_csca_6.cer"), name: "nl")
    store.add(try TestData.bytes("csca/nl_col.crl"), name: "crl")
    #expect(store.sources.map(\.kind) == [.certificates, .certificates, .certificates])
    #expect(store.anchors.map(\.country) == ["DE", "NL"])
    #expect(store.anchors.first?.certificate.serialNumber == "04CD")
    #expect(store.anchors.first?.certificate.publicKeyInfo?.bits == 512)
    let list = try #require(store.revocationLists.first)
    #expect(list.issuer.country == "CO")
    #expect(list.thisUpdate.description == "2020-05-08T12:38:29Z")
    #expect(list.nextUpdate?.description == "2020-08-06T12:38:29Z")
    #expect(list.revoked["55780B03"]?.description == "2020-03-09T21:19:27Z")
  }

  @Test func `the newest certificate is read from its own file and from the folder`() throws {
    let alone = try TrustStore(folder: TestData.shared + "csca")
    #expect(alone.sources.map(\.kind).contains(.notPinned))
    #expect(alone.anchors.count == 2)
    let store = try TrustStore(folder: TestData.shared + "csca", pins: [Self.pin])
    #expect(store.sources.count == 4)
    #expect(store.sources.allSatisfy { $0.kind != .refused })
    #expect(store.anchors.count > 500)
  }
}
