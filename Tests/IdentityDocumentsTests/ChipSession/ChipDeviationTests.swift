import TestSupport
import Testing

@testable import EmulatedChip
@testable import IdentityDocuments

/// Genuine chips that deviate from the standard, as public reports describe them: all are read completely, and none is
/// suspected.
@Suite struct ChipDeviationTests {
  typealias Variant = EmulatedDocument.Variant

  private static let generic = Variant(mapping: 2, cipher: 2, parameters: 12)
  private static let mapping = Variant(mapping: 6, cipher: 2, parameters: 13)

  private static func chip(_ change: (inout EmulatedDocument) -> Void = { _ in }) -> EmulatedChip {
    EmulatedChip(ChipSessionTests.document(change))
  }

  // MARK: READ BINARY

  @Test(arguments: [0x6700, 0x6B00, 0x6C00, 0x6282] as [UInt16], [false, true])
  func `a chip that refuses many bytes is read in smaller blocks`(_ refusal: UInt16, _ endsSession: Bool) throws {
    let cases: [([Variant], Int, Bool)] = [
      ([], 192, false), ([], 256, true), ([Self.generic], 160, false), ([Self.generic], 100, true),
      ([Self.mapping], 192, true),
    ]
    for (variants, limit, refusesBeyondEnd) in cases {
      let chip = Self.chip { ($0.variants, $0.portraitSize) = (variants, 3000) }
      chip.reads.limit = limit
      chip.reads.refusesBeyondEnd = refusesBeyondEnd
      (chip.reads.refusal, chip.reads.endsSession) = (refusal, endsSession)
      let result = try ChipSessionTests.read(chip)
      #expect(result.proof.verdict == (variants == [Self.mapping] ? .notCloned : .notAnnounced))
      // What works is remembered: once for files that end early, twice for smaller blocks.
      #expect(chip.passwordTries <= (endsSession ? 4 : 1), "\(limit) \(chip.passwordTries)")
      #expect(chip.commandCount < 250, "\(chip.commandCount)")
    }
  }

  @Test func `extended length that is refused falls back to short blocks, and those to smaller ones`() throws {
    for endsSession in [false, true] {
      let chip = Self.chip { ($0.isExtended, $0.portraitSize, $0.variants) = (true, 5000, [Self.generic]) }
      (chip.reads.limit, chip.reads.endsSession) = (192, endsSession)
      _ = try ChipSessionTests.read(chip)
      #expect(chip.commandCount < 150)
    }
  }

  @Test(arguments: [7, 100, 222]) func `answers with fewer bytes than requested are completed`(_ count: Int) throws {
    let chip = Self.chip { ($0.variants, $0.portraitSize) = ([Self.generic], 40_000) }
    chip.reads.answer = count
    _ = try ChipSessionTests.read(chip)
  }

  @Test func `a chip that refuses every length is interrupted or unread, and reading ends`() throws {
    for endsSession in [false, true] {
      let chip = Self.chip()
      (chip.reads.limit, chip.reads.endsSession) = (0, endsSession)
      let session = ChipSession(chip)
      #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
      let result = try ChipSessionTests.judged(session.read())
      #expect(result.proof.verdict == .notChecked)
      #expect(endsSession ? result.chip.interruption != nil : !result.chip.unread.isEmpty)
      #expect(chip.passwordTries <= 12 && chip.commandCount < 400, "\(chip.passwordTries) \(chip.commandCount)")
    }
  }

  // MARK: SELECT

  @Test(
    arguments: [
      .withData, .shortOnly(0x6A86), .shortOnly(0x6D00), .shortOnly(0x6A81), .shortOnly(0x6700),
    ] as [EmulatedChip.Selection])
  func `files are selected as the chip accepts it`(_ selection: EmulatedChip.Selection) throws {
    for variants in [[], [Self.generic], [Self.mapping]] {
      let chip = Self.chip { ($0.variants, $0.signing) = (variants, .ecdsa(curve: 12, digest: 3)) }
      chip.selection = selection
      let result = try ChipSessionTests.read(chip)
      #expect(result.proof.verdict == .notCloned)
      #expect((result.chip.access == "BAC") == variants.isEmpty)
    }
  }

  @Test func `a chip without EF_COM, or whose files have only short identifiers, is read`() throws {
    var document = ChipSessionTests.document { $0.agreement = .init(parameters: 12, cipher: 2) }
    document.replace(0x011E, nil)
    for selection in [EmulatedChip.Selection.standard, .shortOnly(0x6A82)] {
      let chip = EmulatedChip(document)
      chip.selection = selection
      let session = ChipSession(chip)
      #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
      let result = try ChipSessionTests.judged(session.read())
      #expect(result.chip.interruption == nil && result.reading.authentication.verdict == .authentic)
      #expect(result.proof.verdict == .notCloned && Array(result.chip.unread.keys) == [.common])
      #expect(chip.violations.isEmpty)
    }
  }

  // MARK: PACE

  @Test(arguments: [0x6A80, 0x6A87, 0x6A88] as [UInt16])
  func `PACE is repeated with the domain parameters if the chip wants them`(_ status: UInt16) throws {
    for variant in [Self.generic, Self.mapping, Variant(mapping: 1, cipher: 1, parameters: 0)] {
      let chip = Self.chip { $0.variants = [variant] }
      chip.parametersMissing = status
      let result = try ChipSessionTests.read(chip)
      #expect(result.chip.access.hasPrefix("id-PACE") && chip.passwordTries == 1)
    }
  }

  @Test func `another announced variant is used if the chip refuses one, and never basic access control`() throws {
    let strong = Variant(mapping: 2, cipher: 4, parameters: 16)
    let chip = Self.chip { $0.variants = [strong, Self.generic] }
    chip.refusedParameters = [16]
    let result = try ChipSessionTests.read(chip)
    #expect(result.chip.access == "id-PACE-ECDH-GM-AES-CBC-CMAC-128")
    #expect(result.proof.step(.announcement)?.status == .passed)
    chip.refusedParameters = [12, 16]
    chip.reset()
    #expect(code { _ = try ChipSession(chip).open(with: EmulatedDocument.password()) } == .unreadable)
    // A copy that refuses the mapping that would expose it is not opened by another variant.
    let copy = Self.chip { $0.variants = [Self.mapping, Self.generic] }
    copy.refusedParameters = [13]
    #expect(code { _ = try ChipSession(copy).open(with: EmulatedDocument.password()) } == .unreadable)
    #expect(copy.passwordTries == 0 && chip.passwordTries == 1)
  }

  // MARK: Active authentication

  /// Object identifiers in EF.DG14: none, X9.62 with each digest, the key's own, another digest, and an unknown one.
  @Test(arguments: [
    "", "1.2.840.10045.4.1", "1.2.840.10045.4.3.1", "1.2.840.10045.4.3.2", "1.2.840.10045.4.3.4", "1.2.840.10045.2.1",
    "0.4.0.127.0.7.1.1.4.1.5", "1.2.3.4",
  ])
  func `any digest of ECDSA proves the chip, and the text says whether it was named`(_ algorithm: String) throws {
    for (curve, digest) in [(12, 3), (15, 3), (8, 1)] {
      let chip = Self.chip { ($0.signing, $0.signatureAlgorithm) = (.ecdsa(curve: curve, digest: digest), algorithm) }
      let result = try ChipSessionTests.read(chip)
      let step = try #require(result.proof.step(.activeAuthentication))
      #expect(step.status == .passed && result.proof.verdict == .notCloned, "\(step.text)")
      let x962 = digest == 1 ? "1.2.840.10045.4.1" : "1.2.840.10045.4.3.\(digest - 1)"
      let isNamed = [x962, "0.4.0.127.0.7.1.1.4.1.\(digest)"].contains(algorithm)
      #expect(step.text.contains("does not name") == !isNamed, "\(step.text)")
    }
  }

  @Test(
    arguments: [
      .der(redundantZeros: false), .der(redundantZeros: true), .withoutLeadingZeros,
    ] as [EmulatedChip.Signatures])
  func `a signature in any encoding proves the chip, and a wrong one does not`(
    _ signatures: EmulatedChip.Signatures
  ) throws {
    for curve in [8, 12, 15, 18] {
      let document = ChipSessionTests.document {
        ($0.signing, $0.signatureAlgorithm) = (.ecdsa(curve: curve, digest: 3), "")
      }
      for fault in [EmulatedChip.Fault.none, .wrongSignature, .signatureOfOtherChallenge] {
        let chip = EmulatedChip(document)
        (chip.signatures, chip.fault) = (signatures, fault)
        let result = try ChipSessionTests.read(chip)
        #expect(result.proof.verdict == (fault == .none ? .notCloned : .cloneSuspected), "\(curve) \(fault)")
      }
    }
  }

  @Test func `numbers of a signature may lack their leading zeros`() throws {
    let curve = Curve(12)
    let key = EmulatedState.publicKey(
      curve.encoded(curve.multiply(EmulatedDocument.signingSecret, curve.generator)))
    var seen: Set<Int> = []
    for number in 0..<2000 where seen.count < 2 {
      let challenge = withUnsafeBytes(of: UInt64(number), Array.init)
      let nonce = [1] + EmulatedState.hash(challenge).dropFirst()
      let plain = curve.sign(EmulatedState.hash(challenge), secret: EmulatedDocument.signingSecret, nonce: nonce)
      let stripped = plain[..<32].drop { $0 == 0 } + plain[32...].drop { $0 == 0 }
      guard stripped.count == 63 else { continue }
      seen.insert(plain[0] == 0 ? 0 : 32)
      func status(_ signature: [UInt8]) -> CheckStatus {
        ActiveAuthentication(challenge: challenge, signature: signature).verify(
          dataGroup15: tlv(0x6F, key), dataGroup14: nil
        ).status
      }
      #expect(status(plain) == .passed && status(Array(stripped)) == .passed)
      #expect(status(Array(stripped.dropLast())) == .failed && status(Array(stripped.reversed())) == .failed)
    }
    #expect(seen == [0, 32])
  }

  @Test(arguments: [1024, 2048], ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"])
  func `messages of RSA may be short, and have either trailer`(_ bits: Int, _ digest: String) throws {
    let key = EmulatedRSA.key(bits)
    let challenge: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    func verdict(_ representative: [UInt8], zeros: Int = 0) -> Check<ChipProof.StepName> {
      let signature = [UInt8](repeating: 0, count: zeros) + key.sign(representative)
      return ActiveAuthentication(challenge: challenge, signature: signature)
        .verify(dataGroup15: tlv(0x6F, key.publicKey), dataGroup14: nil)
    }
    let numbers: [String: UInt8] = ["SHA1": 0x33, "SHA256": 0x34, "SHA512": 0x35, "SHA384": 0x36, "SHA224": 0x38]
    let number = try #require(numbers[digest])
    for trailer in [[0xBC], [number, 0xCC]] {
      for missing in [0, 1, 8, 30] {
        let size = bits / 8 - 1 - missing - trailer.count - EmulatedState.hash([], digest).count
        let recoverable = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 3 + 7) }
        let representative = [0x6A] + recoverable + EmulatedState.hash(recoverable + challenge, digest) + trailer
        #expect(verdict(representative).status == .passed, "\(missing)")
        #expect(verdict(representative, zeros: 1).status == .passed)
        var wrong = representative
        wrong[5] ^= 1
        #expect(verdict(wrong).reason == .signatureWrong)
        // The header must be the first byte that is not zero.
        #expect(verdict([1] + representative.dropFirst()).reason == .signatureWrong)
      }
    }
  }

  @Test func `the length of a response to active authentication is found`() throws {
    // Norwegian, Dutch, Australian and Chinese passports: 6Cxx, 6700, a cut signature, nothing in extended length.
    let cases: [(EmulatedDocument.Signing, EmulatedChip.Signatures, Bool)] = [
      (.rsa(bits: 1024, digest: "SHA1"), .exactLength(0x6C00), false),
      (.rsa(bits: 1024, digest: "SHA256"), .exactLength(0x6700), false),
      (.ecdsa(curve: 12, digest: 3), .exactLength(0x6C00), false),
      (.ecdsa(curve: 15, digest: 4), .exactLength(0x6700), true),
      (.rsa(bits: 2048, digest: "SHA256"), .cut, true), (.rsa(bits: 2048, digest: "SHA256"), .shortOnly, true),
      (.rsa(bits: 2048, digest: "SHA256"), .shortOnly, false),
    ]
    for (signing, signatures, isExtended) in cases {
      for states in [false, true] {
        var document = ChipSessionTests.document {
          ($0.signing, $0.isExtended, $0.variants) = (signing, isExtended, states ? [] : [Self.generic])
        }
        if !states { document.replaceMaster(0x2F01, nil) }
        let chip = EmulatedChip(document)
        chip.signatures = signatures
        let result = try ChipSessionTests.read(chip)
        #expect(result.proof.verdict == .notCloned, "\(signing) \(signatures) \(result.proof.steps)")
      }
    }
  }

  @Test func `a signature that the reader cannot receive whole is incomplete, not suspected`() throws {
    let chip = Self.chip { $0.signing = .rsa(bits: 2048, digest: "SHA256") }
    chip.signatures = .cut
    let result = try ChipSessionTests.read(chip)
    #expect(result.proof.step(.activeAuthentication)?.reason == .notPerformed)
    #expect(result.proof.verdict == .notChecked && !result.proof.isComplete)
  }

  /// The chip's answer names the digest, and no state signed that.
  @Test func `a copy cannot escape by a digest that is not supported`() throws {
    var files = ChipSessionTests.document { $0.signing = .rsa(bits: 1024, digest: "SHA1") }
    files.isExtended = false
    let key = EmulatedRSA.key(1024)
    let signature = key.sign([0x6A] + [UInt8](repeating: 1, count: 125) + [0x31, 0xCC])
    let session = ChipSession(EmulatedChip(files))
    _ = try session.open(with: EmulatedDocument.password())
    var read = try session.read()
    read.live?.activeAuthentication = ActiveAuthentication(
      challenge: [UInt8](repeating: 0, count: 8), signature: signature)
    let result = try ChipSessionTests.judged(read)
    #expect(result.proof.step(.activeAuthentication)?.reason == .algorithmUnknown)
    #expect(!result.proof.isComplete && result.proof.verdict == .notChecked)
  }
}
