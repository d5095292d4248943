import TestSupport
import Testing

@testable import EmulatedChip
@testable import IdentityDocuments

/// Reads emulated chips: every protocol with every curve, group and cipher.
@Suite struct ChipSessionTests {
  typealias Variant = EmulatedDocument.Variant

  static func document(_ change: (inout EmulatedDocument) -> Void = { _ in }) -> EmulatedDocument {
    var document = EmulatedDocument()
    change(&document)
    document.issue()
    return document
  }

  struct Result {
    let chip: LiveChip
    let reading: ChipReading
    let proof: ChipProof
  }

  static func judged(_ files: ChipFiles) throws -> Result {
    let date = try DateTime(year: 2026, month: 6, day: 1)
    let reading = ChipReading(files, trust: EmulatedState.shared.trust(), date: date)
    return Result(chip: try #require(files.live), reading: reading, proof: try #require(reading.proof))
  }

  /// Opens a chip with the zone, reads it, and expects that all was read as it was written.
  static func read(_ chip: EmulatedChip, _ password: ChipPassword? = nil) throws -> Result {
    let session = ChipSession(chip)
    let access = try session.open(with: try password ?? EmulatedDocument.password())
    guard case .opened = access else {
      Issue.record("\(access)")
      throw VerifyError(.wrongState, "not open")
    }
    let result = try judged(session.read())
    #expect(result.chip.interruption == nil)
    #expect(result.chip.unread.isEmpty)
    for (identifier, file) in chip.document.application {
      let name = identifier == 0x011E ? "EF.COM" : identifier == 0x011D ? "EF.SOD" : "EF.DG\(identifier & 255)"
      #expect(result.reading.contents.files[ElementaryFile(rawValue: name)] == file, "\(name)")
    }
    #expect(result.reading.authentication.verdict == .authentic, "\(result.reading.authentication.explanation)")
    #expect(chip.violations.isEmpty)
    #expect(result.chip.commandCount == chip.commandCount)
    return result
  }

  static let curves = Array(8...18)
  static let ciphers = Array(1...4)

  static let variants: [Variant] = {
    var variants: [Variant] = []
    for cipher in ciphers {
      for curve in curves {
        variants.append(Variant(mapping: 2, cipher: cipher, parameters: curve))
        // The prime of NIST P-224 is 1 modulo 4.
        if curve != 10 { variants.append(Variant(mapping: 4, cipher: cipher, parameters: curve)) }
        if cipher > 1 { variants.append(Variant(mapping: 6, cipher: cipher, parameters: curve)) }
      }
      for group in 0...2 {
        for mapping in [1, 3] { variants.append(Variant(mapping: mapping, cipher: cipher, parameters: group)) }
      }
    }
    return variants
  }()

  @Test func `all combinations of PACE are tested`() {
    #expect(Self.variants.count == 44 + 40 + 33 + 24)
  }

  @Test(arguments: variants) func `PACE opens the chip`(_ variant: Variant) throws {
    let chip = EmulatedChip(
      Self.document {
        $0.variants = [variant]
        // A group of 2048 bits does not fit short commands.
        $0.isExtended = (1...2).contains(variant.parameters)
      })
    let result = try Self.read(chip)
    #expect(result.chip.access.hasPrefix("id-PACE-"))
    #expect(chip.passwordTries == 1)
    #expect(result.proof.step(.announcement)?.status == .passed)
    #expect(result.proof.verdict == (variant.mapping == 6 ? .notCloned : .notAnnounced))
    #expect(result.proof.step(.chipAuthenticationMapping)?.status == (variant.mapping == 6 ? .passed : .notChecked))
  }

  @Test func `the mapping that authenticates the chip is preferred, then the longest key`() throws {
    func access(_ variants: [Variant]) throws -> String {
      try Self.read(EmulatedChip(Self.document { $0.variants = variants })).chip.access
    }
    let generic = [1, 4, 2].map { Variant(mapping: 2, cipher: $0, parameters: 13) }
    #expect(try access(generic) == "id-PACE-ECDH-GM-AES-CBC-CMAC-256")
    #expect(
      try access(generic + [Variant(mapping: 6, cipher: 2, parameters: 12)]) == "id-PACE-ECDH-CAM-AES-CBC-CMAC-128")
    // Integrated mapping on NIST P-224 is impossible; proprietary domain parameters are unknown.
    let unusable = [Variant(mapping: 4, cipher: 4, parameters: 10), Variant(mapping: 2, cipher: 4, parameters: 32)]
    #expect(try access(unusable + generic.prefix(1)) == "id-PACE-ECDH-GM-3DES-CBC-CBC")
    #expect(try access(unusable) == "BAC")
  }

  @Test func `several domain parameters of one protocol are told apart`() throws {
    let variants = [12, 13].map { Variant(mapping: 2, cipher: 2, parameters: $0) }
    let chip = EmulatedChip(Self.document { $0.variants = variants })
    #expect(try Self.read(chip).chip.access == "id-PACE-ECDH-GM-AES-CBC-CMAC-128")
  }

  @Test func `a chip without PACE is opened by basic access control`() throws {
    let chip = EmulatedChip(Self.document())
    let result = try Self.read(chip)
    #expect(result.chip.access == "BAC")
    #expect(chip.passwordTries == 1)
    #expect(result.proof.verdict == .notAnnounced)
    #expect(result.proof.steps.count == 4)
    #expect(result.chip.transcriptSHA256.count == 64)
  }

  @Test func `a chip without access control is read`() throws {
    let chip = EmulatedChip(Self.document { $0.signing = .rsa(bits: 1024, digest: "SHA256") })
    chip.hasAccessControl = false
    let session = ChipSession(chip)
    #expect(try session.open(with: nil) == .opened("none"))
    #expect(try Self.judged(session.read()).proof.verdict == .notCloned)
  }

  @Test func `the card access number opens the chip`() throws {
    let chip = EmulatedChip(Self.document { $0.variants = [Variant(mapping: 2, cipher: 3, parameters: 15)] })
    #expect(try Self.read(chip, ChipPassword(cardAccessNumber: "123456")).proof.verdict == .notAnnounced)
  }

  @Test func `the zone of a page gives the password`() throws {
    let zone = try MachineReadableZone(EmulatedDocument.zone, on: try #require(CalendarDate("2026-06-01")))
    let chip = EmulatedChip(Self.document())
    _ = try Self.read(chip, ChipPassword(zone))
  }

  @Test func `passwords are checked before a chip is touched`() {
    for number in ["", "12345a", "1", "12345678901234567"] {
      #expect(code { _ = try ChipPassword(cardAccessNumber: number) } == .badArgument)
    }
    for (number, birth, expiry) in [
      ("", "740812", "120415"), ("L898902C3", "74081", "120415"), ("L898902C3", "740812", "1204155"),
      ("l898902c3", "740812", "120415"), ("L898 02C3", "740812", "120415"),
    ] {
      #expect(
        code { _ = try ChipPassword(documentNumber: number, dateOfBirth: birth, dateOfExpiry: expiry) } == .badArgument)
    }
  }

  @Test func `a password is read from the text of a zone, or from its three values`() throws {
    let zone = EmulatedDocument.zone
    for text in [zone, zone.prefix(44) + "\n" + zone.suffix(44), "L898902C3,740812,120415"] {
      let chip = EmulatedChip(Self.document())
      #expect(try Self.read(chip, ChipPassword(mrz: text)).chip.access == "BAC", "\(text)")
    }
    for (text, expected) in [
      ("", VerifyError.Code.unknownFormat), ("L898902C3,740812", .badArgument),
      ("L898902C3,740812,120415,", .badArgument),
      (",,", .badArgument), ("l898902c3,740812,120415", .badArgument), (zone.lowercased(), .damaged),
      // A wrong check digit of the number, of the birth, of the expiry.
      (zone.replacing("L898902C36", with: "L898902C37"), .badArgument),
      (zone.replacing("7408122", with: "7408123"), .badArgument),
      (zone.replacing("1204159", with: "1204150"), .badArgument),
    ] {
      #expect(code { _ = try ChipPassword(mrz: text) } == expected, "\(text)")
    }
    // Other check digits are not part of the password.
    _ = try ChipPassword(mrz: String(zone.dropLast(2)) + "11")
  }

  @Test func `a reader without extended length is not sent any`() throws {
    struct ShortReader: ChipTransport {
      let chip: EmulatedChip
      var maximumDataBytes: Int? { 0 }
      func transmit(_ command: [UInt8]) throws -> [UInt8] {
        #expect(EmulatedChip.Command(command)?.isExtended == false)
        return try chip.transmit(command)
      }
    }
    // Chain for chip authentication, GET RESPONSE for the signature.
    let chip = EmulatedChip(
      Self.document {
        $0.isExtended = true
        $0.agreement = .init(parameters: 1, cipher: 2)
        $0.signing = .rsa(bits: 3072, digest: "SHA256")
      })
    let session = ChipSession(ShortReader(chip: chip))
    _ = try session.open(with: EmulatedDocument.password())
    let result = try Self.judged(session.read())
    #expect(result.chip.interruption == nil && result.proof.verdict == .notCloned)
  }

  // MARK: Chip authentication

  static let agreements: [EmulatedDocument.Agreement] = {
    var agreements: [EmulatedDocument.Agreement] = []
    for cipher in ciphers {
      for parameters in [0, 1, 2] + curves {
        agreements.append(
          .init(
            parameters: parameters, cipher: cipher, keyIdentifier: cipher == 2 ? 7 : nil,
            form: [.named, .standardised, .explicit][cipher % 3]))
      }
    }
    return agreements + [0, 12].map { .init(parameters: $0, cipher: 1, hasInfo: false) }
  }()

  @Test(arguments: agreements) func `chip authentication changes the keys`(
    _ agreement: EmulatedDocument.Agreement
  ) throws {
    for variants in [[], [Variant(mapping: 2, cipher: 2, parameters: 13)]] {
      let result = try Self.read(
        EmulatedChip(
          Self.document {
            ($0.variants, $0.agreement) = (variants, agreement)
            $0.isExtended = (1...2).contains(agreement.parameters)
          }))
      #expect(result.proof.step(.chipAuthentication)?.status == .passed)
      #expect(result.proof.verdict == .notCloned)
    }
  }

  @Test(arguments: [1, 2], [true, false]) func `without extended length a long key is sent in a chain`(
    _ cipher: Int, _ isStated: Bool
  ) throws {
    var document = Self.document { $0.agreement = .init(parameters: 1, cipher: cipher) }
    // EF.ATR/INFO states that there is no extended length, or does not exist.
    if isStated { document.replaceMaster(0x2F01, [0x47, 3, 0, 0, 0]) }
    #expect(try Self.read(EmulatedChip(document)).proof.verdict == .notCloned)
  }

  // MARK: Active authentication

  static let signings: [EmulatedDocument.Signing] =
    [1024, 1536, 2048, 3072].flatMap { bits in
      ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"].map { .rsa(bits: bits, digest: $0) }
    }
    + curves.flatMap { curve in (1...5).map { .ecdsa(curve: curve, digest: $0) } }

  @Test(arguments: signings) func `active authentication proves the chip, now and from the record`(
    _ signing: EmulatedDocument.Signing
  ) throws {
    for variants in [[], [Variant(mapping: 2, cipher: 4, parameters: 12)]] {
      let chip = EmulatedChip(Self.document { ($0.variants, $0.signing, $0.isExtended) = (variants, signing, true) })
      let result = try Self.read(chip)
      #expect(result.proof.step(.activeAuthentication)?.status == .passed)
      #expect(result.proof.verdict == .notCloned)
      // Somebody else checks it again, with the files, the challenge and the signature alone.
      let record = try #require(result.chip.activeAuthentication)
      let again = ActiveAuthentication(challenge: record.challenge, signature: record.signature)
      let file = try #require(result.reading.contents.files[.dataGroup(15)])
      let infos = try result.reading.contents.files[.dataGroup(14)].map(SecurityInfos.init)
      #expect(again.verify(dataGroup15: file, dataGroup14: infos).status == .passed)
      var other = record.signature
      other[other.count / 3] ^= 0x10
      #expect(
        ActiveAuthentication(challenge: record.challenge, signature: other)
          .verify(dataGroup15: file, dataGroup14: infos).status == .failed)
    }
  }

  @Test func `a signature with another form is wrong, and one with an unsupported digest is not checked`() throws {
    let key = EmulatedRSA.key(1024)
    let file = tlv(0x6F, key.publicKey)
    let challenge = [UInt8](repeating: 9, count: 8)
    func reason(_ header: [UInt8], _ trailer: [UInt8]) -> ChipProof.Reason? {
      let recoverable = [UInt8](repeating: 3, count: 128 - header.count - 20 - trailer.count)
      let hash = EmulatedState.hash(recoverable + challenge, "SHA1")
      let step = ActiveAuthentication(challenge: challenge, signature: key.sign(header + recoverable + hash + trailer))
        .verify(dataGroup15: file, dataGroup14: nil)
      #expect((step.status == .passed) == (step.reason == nil))
      return step.reason
    }
    for header: [UInt8] in [[0x6A], [0x6B, 0xBA], [0x6B, 0xBB, 0xBB, 0xBA]] {
      #expect(reason(header, [0xBC]) == nil)
      #expect(reason(header, [0x33, 0xCC]) == nil)
      #expect(reason(header, [0x34, 0xCC]) == .signatureWrong)
      #expect(reason(header, [0x39, 0xCC]) == .signatureWrong)
      #expect(reason(header, [0x31, 0xCC]) == .algorithmUnknown)
    }
    for header: [UInt8] in [[0x4A], [0x6C], [0x6B, 0xBB, 0xAA], [0x00]] {
      #expect(reason(header, [0xBC]) == .signatureWrong)
      #expect(reason(header, [0x31, 0xCC]) == .signatureWrong)
    }
    for signature: [UInt8] in [[], [0], key.modulus, [UInt8](repeating: 0xFF, count: 600)] {
      let step = ActiveAuthentication(challenge: challenge, signature: signature)
        .verify(dataGroup15: file, dataGroup14: nil)
      #expect(step.reason == .signatureWrong)
    }
  }

  @Test func `two readings have different challenges`() throws {
    let document = Self.document { $0.signing = .ecdsa(curve: 12, digest: 3) }
    let challenges = try (0..<2).map { _ in try Self.read(EmulatedChip(document)).chip.activeAuthentication?.challenge }
    #expect(challenges[0] != nil && challenges[0] != challenges[1])
  }

  // MARK: Transport

  /// Of bytes to read, the number of commands: one to select, then as many as the length demands.
  @Test(arguments: [(20_000, false), (20_000, true), (33_000, false), (70_000, false), (70_000, true)])
  func `files of any size are read in as few commands as possible`(_ size: Int, _ isExtended: Bool) throws {
    let chip = EmulatedChip(
      Self.document {
        ($0.portraitSize, $0.isExtended) = (size, isExtended)
        $0.variants = [Variant(mapping: 2, cipher: 2, parameters: 12)]
      })
    let session = ChipSession(chip)
    guard case .opened = try session.open(with: EmulatedDocument.password()) else { return }
    var counts: [ElementaryFile: Int] = [:]
    var parts: [Double] = []
    var before = chip.commandCount
    let files = try session.read { file, part in
      if file == .dataGroup(2) { parts.append(part) }
      if part == 1 { (counts[file], before) = (chip.commandCount - before, chip.commandCount) }
    }
    #expect(files.live?.interruption == nil && files[.dataGroup(2)] == chip.document.application[0x0102])
    let bytes = try #require(files[.dataGroup(2)]).count
    let block = isExtended ? (4096 - 20) / 16 * 16 - 1 : 223
    // Beyond 32,767 bytes a header takes four bytes of each block.
    let least = (bytes + block - 1) / block
    #expect(try #require(counts[.dataGroup(2)]) <= 1 + least + (bytes > 32_767 ? least / 32 + 1 : 0))
    #expect(parts == parts.sorted() && parts.last == 1 && parts.count >= least)
  }

  @Test(arguments: [10, 100, 255]) func `remaining response data are fetched`(_ block: Int) throws {
    let chip = EmulatedChip(
      Self.document {
        $0.variants = [Variant(mapping: 2, cipher: 2, parameters: 18)]
        $0.signing = .rsa(bits: 3072, digest: "SHA256")
      })
    chip.responseBlock = block
    #expect(try Self.read(chip).proof.verdict == .notCloned)
  }

  /// A chip that states no capabilities, supports extended length, and does not return the rest of short responses.
  @Test func `a long signature is asked for in extended length if a short response does not suffice`() throws {
    var document = Self.document {
      ($0.isExtended, $0.signing) = (true, .rsa(bits: 2048, digest: "SHA256"))
      $0.variants = [Variant(mapping: 2, cipher: 2, parameters: 12)]
    }
    document.replaceMaster(0x2F01, nil)
    let chip = EmulatedChip(document)
    chip.refusesGetResponse = true
    #expect(try Self.read(chip).proof.verdict == .notCloned)
    #expect(chip.passwordTries == 2)
  }

  @Test func `a group of 2048 bits needs extended length for PACE`() throws {
    var document = Self.document { $0.variants = [Variant(mapping: 1, cipher: 2, parameters: 1)] }
    let short = EmulatedChip(document)
    #expect(code { _ = try ChipSession(short).open(with: EmulatedDocument.password()) } == .unreadable)
    document.isExtended = true
    document.replaceMaster(0x2F01, nil)
    // It is tried if the chip states nothing.
    #expect(try Self.read(EmulatedChip(document)).proof.verdict == .notAnnounced)
  }

  @Test func `a wrong expected length is corrected`() throws {
    let chip = EmulatedChip(Self.document { $0.variants = [Variant(mapping: 2, cipher: 2, parameters: 12)] })
    chip.correctsLength = true
    _ = try Self.read(chip)
  }

  @Test func `a reader without extended length makes the session fall back`() throws {
    let document = Self.document {
      ($0.isExtended, $0.portraitSize) = (true, 5000)
      $0.agreement = .init(parameters: 12, cipher: 2)
    }
    let chip = EmulatedChip(document)
    chip.refusesExtended = true
    let session = ChipSession(chip)
    #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
    let result = try Self.judged(session.read())
    #expect(result.chip.interruption == nil)
    #expect(result.proof.verdict == .notCloned)
    // Once to open it, once more after the fall-back.
    #expect(chip.passwordTries == 2)
  }

  // MARK: Passwords

  @Test(arguments: [
    [], [Variant(mapping: 2, cipher: 2, parameters: 13)], [Variant(mapping: 3, cipher: 1, parameters: 0)],
  ])
  func `a wrong zone is refused after one attempt, and the right one opens the chip`(_ variants: [Variant]) throws {
    let chip = EmulatedChip(Self.document { $0.variants = variants })
    let session = ChipSession(chip)
    let wrong = try ChipPassword(documentNumber: "L898902C4", dateOfBirth: "740812", dateOfExpiry: "120415")
    #expect(try session.open(with: wrong) == .passwordRefused(attemptsLeft: nil))
    #expect(chip.passwordTries == 1)
    #expect(code { _ = try session.read() } == .wrongState)
    guard case .opened = try session.open(with: EmulatedDocument.password()) else {
      Issue.record("not open")
      return
    }
    #expect(chip.passwordTries == 2)
  }

  @Test func `a second card access number is tried only after confirmation`() throws {
    let chip = EmulatedChip(Self.document { $0.variants = [Variant(mapping: 2, cipher: 2, parameters: 13)] })
    chip.attempts = 3
    let session = ChipSession(chip)
    let (wrong, right) = (try ChipPassword(cardAccessNumber: "654321"), try ChipPassword(cardAccessNumber: "123456"))
    #expect(try session.open(with: wrong) == .passwordRefused(attemptsLeft: 2))
    let count = chip.commandCount
    #expect(try session.open(with: right) == .confirmationNeeded(attemptsLeft: nil))
    #expect(chip.commandCount == count && chip.passwordTries == 1)
    guard case .opened = try session.open(with: right, isConfirmed: true) else {
      Issue.record("not open")
      return
    }
    #expect(chip.attempts == 3)
  }

  @Test func `the last attempt is not used without confirmation, and a blocked chip is left alone`() throws {
    let chip = EmulatedChip(Self.document { $0.variants = [Variant(mapping: 2, cipher: 2, parameters: 13)] })
    chip.attempts = 1
    let right = try ChipPassword(cardAccessNumber: "123456")
    #expect(try ChipSession(chip).open(with: right) == .confirmationNeeded(attemptsLeft: 1))
    #expect(chip.passwordTries == 0)
    guard case .opened = try ChipSession(chip).open(with: right, isConfirmed: true) else {
      Issue.record("not open")
      return
    }
    chip.attempts = 0
    chip.reset()
    #expect(try ChipSession(chip).open(with: right, isConfirmed: true) == .passwordRefused(attemptsLeft: 0))
    #expect(chip.passwordTries == 1)
  }

  @Test func `a card access number does not open a chip without PACE`() throws {
    let chip = EmulatedChip(Self.document())
    let number = try ChipPassword(cardAccessNumber: "123456")
    #expect(code { _ = try ChipSession(chip).open(with: number) } == .badArgument)
    #expect(chip.passwordTries == 0)
  }

  @Test func `a call ends at its deadline`() throws {
    let chip = EmulatedChip(Self.document())
    #expect(code { _ = try ChipSession(chip, budget: Budget(seconds: 0)).open(with: nil) } == .timeout)
    let cancellation = Cancellation()
    let session = ChipSession(chip, budget: Budget(cancellation: cancellation))
    #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
    #expect(code { _ = try session.read { _, _ in cancellation.cancel() } } == .cancelled)
  }

  @Test func `the budget's error and the transport's reach the caller`() {
    struct Lost: ChipTransport {
      func transmit(_ command: [UInt8]) throws -> [UInt8] { throw VerifyError(.busy, "the reader is in use") }
    }
    #expect(code { _ = try ChipSession(Lost()).open(with: EmulatedDocument.password()) } == .busy)
  }
}
