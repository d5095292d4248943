import Glibc
import TestSupport
import Testing

@testable import EmulatedChip
@testable import IdentityDocuments

/// Chips that misbehave: each is refused with its reason, none is accepted, and no session hangs.
@Suite struct HostileChipTests {
  typealias Fault = EmulatedChip.Fault
  typealias Variant = EmulatedDocument.Variant

  /// What must come of a fault.
  enum Outcome {
    /// The chip is not opened.
    case notOpened(VerifyError.Code, String)
    /// Reading ends; what was read before is returned.
    case interrupted(String)
    /// A file is not read; the others are.
    case unread(VerifyError.Code, String)
    case cloneSuspected(ChipProof.StepName, String)
  }

  private static let generic = Variant(mapping: 2, cipher: 2, parameters: 13)

  /// The chip that has a fault, and what comes of it.
  private static func expected(_ fault: Fault) -> (EmulatedDocument, Outcome)? {
    func document(
      _ variants: [Variant] = [generic], signing: EmulatedDocument.Signing? = nil,
      agreement: EmulatedDocument.Agreement? = nil
    ) -> EmulatedDocument {
      ChipSessionTests.document { ($0.variants, $0.signing, $0.agreement) = (variants, signing, agreement) }
    }
    switch fault {
    case .none: return nil
    case .wrongMAC, .wrongCounter, .replayedResponse:
      return (document(), .interrupted("authentication code"))
    case .wrongStatusObject: return (document(), .interrupted("not the authenticated one"))
    case .missingMAC: return (document(), .interrupted("8E is missing"))
    case .missingStatus: return (document(), .interrupted("99 is missing"))
    case .dataBehindMAC: return (document(), .interrupted("follow the authentication code"))
    case .wrongPadding: return (document(), .interrupted("not padded"))
    case .wrongPaddingIndicator: return (document(), .interrupted("padding indicator"))
    case .truncatedResponse: return (document(), .interrupted("length"))
    case .emptyResponse, .oneByteResponse: return (document(), .interrupted("no response"))
    case .hugeResponse: return (document(), .interrupted("70002 bytes"))
    case .plainStatus: return (document(), .interrupted("ended secure messaging with the status 6A80"))
    case .endlessMoreData, .endlessMoreDataOfOneByte: return (document(), .interrupted("does not end"))
    case .endlessWrongLength: return (document(), .interrupted("6C10"))
    case .longerThanRequested: return (document(), .unread(.damaged, "bytes of EF."))
    case .hugeFile: return (document(), .unread(.tooLarge, "states 4294967301 bytes"))
    case .fileOfOtherTag: return (document(), .unread(.damaged, "begins with the tag 63"))
    case .fileWithoutLength: return (document(), .unread(.damaged, "does not begin with a tag and a length"))
    case .fileEndsEarly: return (document(), .unread(.damaged, "ends after"))
    case .emptyReads: return (document(), .unread(.damaged, "is empty"))
    case .wrongToken: return (document(), .notOpened(.damaged, "did not prove in PACE"))
    case .echoedMappingKey, .echoedAgreementKey: return (document(), .notOpened(.damaged, "repeated the key"))
    case .pointOffCurve, .shortPoint, .neutralElement:
      return (document(), .notOpened(.damaged, "not in the group"))
    case .shortNonce: return (document(), .notOpened(.damaged, "nonce has 8 bytes"))
    case .missingNonce: return (document(), .notOpened(.damaged, "lacks the data object 80"))
    case .repeatedField: return (document(), .notOpened(.damaged, "repeated"))
    case .wrongChipAuthenticationData:
      return (
        document([Variant(mapping: 6, cipher: 3, parameters: 12)]),
        .cloneSuspected(.chipAuthenticationMapping, "does not have the secret")
      )
    case .missingChipAuthenticationData:
      return (
        document([Variant(mapping: 6, cipher: 2, parameters: 12)]),
        .cloneSuspected(.chipAuthenticationMapping, "sent no data")
      )
    case .wrongAgreementSecret:
      return (
        document(agreement: .init(parameters: 12, cipher: 4)),
        .cloneSuspected(.chipAuthentication, "does not have the new keys")
      )
    case .refusedAgreement:
      return (
        document(agreement: .init(parameters: 0, cipher: 1)),
        .cloneSuspected(.chipAuthentication, "refuses chip authentication: status 6A80")
      )
    case .wrongSignature, .signatureOfOtherChallenge:
      return (
        document(signing: .ecdsa(curve: 12, digest: 3)),
        .cloneSuspected(.activeAuthentication, "signature of the challenge is wrong")
      )
    case .refusedSignature:
      return (
        document(signing: .rsa(bits: 1024, digest: "SHA256")),
        .cloneSuspected(.activeAuthentication, "did not sign the challenge: status 6985")
      )
    case .wrongBACMac: return (document([]), .notOpened(.damaged, "did not prove in BAC"))
    case .wrongBACChallenge, .otherBACChallenge: return (document([]), .notOpened(.damaged, "another challenge"))
    case .shortBACAnswer: return (document([]), .notOpened(.unreadable, "does not complete BAC"))
    }
  }

  @Test func `forty kinds of misbehaviour are tested`() {
    #expect(Fault.allCases.count > 40)
  }

  @Test(arguments: Fault.allCases.filter { $0 != .none })
  func `a chip that misbehaves is refused with the reason`(_ fault: Fault) throws {
    let (document, outcome) = try #require(Self.expected(fault))
    let chip = EmulatedChip(document)
    chip.fault = fault
    let session = ChipSession(chip)
    var access: ChipAccess?
    var failure: VerifyError?
    do { access = try session.open(with: EmulatedDocument.password()) } catch { failure = error as? VerifyError }
    if case .notOpened(let code, let text) = outcome {
      #expect(access == nil && failure?.code == code && failure?.message.contains(text) ?? false, "\(failure as Any)")
      #expect(code == .damaged || chip.passwordTries == 1)
      return
    }
    #expect(failure == nil, "\(failure as Any)")
    guard case .opened = access else {
      Issue.record("\(access as Any)")
      return
    }
    let result = try ChipSessionTests.judged(session.read())
    let (live, proof) = (result.chip, result.proof)
    #expect(proof.verdict != .notCloned)
    #expect(chip.passwordTries <= 2)
    switch outcome {
    case .notOpened: break
    case .interrupted(let text):
      #expect(live.interruption?.code == .damaged)
      #expect(live.interruption?.message.contains(text) ?? false, "\(live.interruption as Any)")
      #expect(proof.verdict == .notChecked && result.reading.authentication.verdict != .authentic)
    case .unread(let code, let text):
      #expect(live.interruption == nil)
      let errors = live.unread.values
      #expect(errors.contains { $0.code == code && $0.message.contains(text) }, "\(live.unread)")
      #expect(proof.verdict == .notChecked && result.reading.authentication.verdict != .authentic)
    case .cloneSuspected(let name, let text):
      #expect(proof.verdict == .cloneSuspected)
      let step = try #require(proof.step(name))
      #expect(step.status == .failed && step.text.contains(text), "\(step.text)")
      // The data are authentic: they were copied.
      #expect(live.interruption == nil && result.reading.authentication.verdict == .authentic)
    }
  }

  @Test(arguments: [Fault.pointOffCurve, .neutralElement, .echoedMappingKey, .echoedAgreementKey], [0, 1, 10, 18])
  func `no element outside of the group opens a chip`(_ fault: Fault, _ parameters: Int) throws {
    let chip = EmulatedChip(
      ChipSessionTests.document {
        $0.variants = [Variant(mapping: parameters < 8 ? 1 : 2, cipher: 3, parameters: parameters)]
        $0.isExtended = true
      })
    chip.fault = fault
    #expect(code { _ = try ChipSession(chip).open(with: EmulatedDocument.password()) } == .damaged)
    #expect(chip.passwordTries == 0)
  }

  /// As before, for every length of the exchange before the fault.
  @Test(
    arguments: [Fault.wrongMAC, .replayedResponse, .wrongCounter, .plainStatus, .truncatedResponse], [false, true])
  func `secure messaging that breaks at any command ends in a refusal`(_ fault: Fault, _ isBAC: Bool) throws {
    let document = ChipSessionTests.document {
      $0.variants = isBAC ? [] : [Variant(mapping: 6, cipher: 2, parameters: 13)]
      ($0.signing, $0.agreement) = (.ecdsa(curve: 12, digest: 3), .init(parameters: 13, cipher: 3))
    }
    let whole = EmulatedChip(document)
    #expect(try ChipSessionTests.read(whole).proof.verdict == .notCloned)
    for delay in 0..<whole.protectedCount {
      let chip = EmulatedChip(document)
      (chip.fault, chip.faultDelay) = (fault, delay)
      let session = ChipSession(chip)
      guard case .opened? = try? session.open(with: EmulatedDocument.password()) else { continue }
      let result = try ChipSessionTests.judged(session.read())
      #expect(result.chip.interruption != nil || result.proof.verdict == .cloneSuspected, "\(delay)")
      #expect(result.proof.verdict != .notCloned || result.chip.interruption != nil, "\(delay)")
    }
  }

  // MARK: Copies and changed data

  @Test func `a copy without the keys is suspected, and its data are authentic`() throws {
    let document = ChipSessionTests.document {
      ($0.signing, $0.agreement) = (.rsa(bits: 2048, digest: "SHA256"), .init(parameters: 15, cipher: 3))
    }
    for fault in [Fault.wrongSignature, .wrongAgreementSecret, .refusedSignature, .refusedAgreement] {
      let chip = EmulatedChip(document)
      chip.fault = fault
      let session = ChipSession(chip)
      #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
      let result = try ChipSessionTests.judged(session.read())
      #expect(result.proof.verdict == .cloneSuspected)
      #expect(result.reading.authentication.verdict == .authentic)
      // One proof does not make up for the other.
      #expect(result.proof.steps.contains { $0.status == .passed })
    }
  }

  /// The proof of an original must not vouch for a copy that replaces it while the session is opened again.
  @Test func `a chip that is swapped during the session is suspected`() throws {
    final class Swap: ChipTransport {
      private let (original, copy): (EmulatedChip, EmulatedChip)
      var isArmed = false
      private(set) var isSwapped = false
      init(_ original: EmulatedChip, for copy: EmulatedChip) { (self.original, self.copy) = (original, copy) }
      func transmit(_ command: [UInt8]) throws -> [UInt8] {
        guard !isSwapped else { return try copy.transmit(command) }
        guard isArmed, EmulatedChip.Command(command)?.isExtended == true else { return try original.transmit(command) }
        isSwapped = true
        return [0x67, 0x00]
      }
    }
    let variants = [Variant(mapping: 6, cipher: 2, parameters: 12)]
    let original = EmulatedChip(ChipSessionTests.document { ($0.variants, $0.isExtended) = (variants, true) })
    // A copy of another document, whose signed data announce no protocol against copies.
    let copy = EmulatedChip(
      ChipSessionTests.document { ($0.variants, $0.announced, $0.portraitSize) = (variants, [], 700) })
    copy.fault = .wrongChipAuthenticationData
    let swap = Swap(original, for: copy)
    let session = ChipSession(swap)
    guard case .opened = try session.open(with: EmulatedDocument.password()) else { return #expect(Bool(false)) }
    swap.isArmed = true
    let result = try ChipSessionTests.judged(session.read())
    #expect(swap.isSwapped && result.reading.authentication.verdict == .authentic)
    #expect(result.proof.step(.chipAuthenticationMapping)?.status == .failed, "\(result.proof.steps)")
    #expect(result.proof.verdict == .cloneSuspected && result.reading.evidence.problem == .cloneSuspected)
  }

  private static func result(_ document: EmulatedDocument) throws -> ChipSessionTests.Result {
    let session = ChipSession(EmulatedChip(document))
    guard case .opened = try session.open(with: EmulatedDocument.password()) else {
      throw VerifyError(.wrongState, "not open")
    }
    return try ChipSessionTests.judged(session.read())
  }

  @Test(arguments: [1, 2, 14, 15]) func `a changed data group proves nothing`(_ number: Int) throws {
    var document = ChipSessionTests.document {
      ($0.signing, $0.agreement) = (.rsa(bits: 1024, digest: "SHA1"), .init(parameters: 12, cipher: 2))
    }
    let identifier = 0x0100 | UInt16(number)
    var file = try #require(document.application[identifier])
    // A byte of the content, which does not change the structure.
    file[file.count - 3] ^= 1
    document.replace(identifier, file)
    let result = try Self.result(document)
    #expect(result.reading.authentication.step(.hash(number))?.reason == .hashWrong)
    #expect(result.proof.verdict != .notCloned && result.proof.verdict != .notAnnounced)
    let step = number == 14 ? ChipProof.StepName.chipAuthentication : .activeAuthentication
    if number > 2 { #expect(result.proof.step(step)?.reason == .keyNotAuthenticated) }
  }

  @Test func `a key of the forger's own proves nothing`() throws {
    var document = ChipSessionTests.document { $0.signing = .rsa(bits: 1024, digest: "SHA256") }
    let other = ChipSessionTests.document { $0.signing = .rsa(bits: 2048, digest: "SHA256") }
    // The chip signs with the key of the new file, as a forger can.
    let copied = document.application
    document.signing = other.signing
    document.replace(0x010F, other.application[0x010F])
    document.replace(0x011D, copied[0x011D])
    let result = try Self.result(document)
    #expect(result.chip.activeAuthentication?.signature.count == 256)
    #expect(result.proof.step(.activeAuthentication)?.reason == .keyNotAuthenticated)
    #expect(result.proof.verdict == .notChecked)
  }

  @Test(arguments: [14, 15]) func `a withheld key is reported`(_ number: Int) throws {
    var document = ChipSessionTests.document {
      ($0.signing, $0.agreement) = (.rsa(bits: 1024, digest: "SHA1"), .init(parameters: 12, cipher: 2))
    }
    document.replace(0x0100 | UInt16(number), nil)
    let result = try Self.result(document)
    #expect(result.chip.unread[.dataGroup(number)]?.code == .unreadable)
    #expect(result.reading.contents.missing == [.dataGroup(number)])
    let name = number == 14 ? ChipProof.StepName.chipAuthentication : .activeAuthentication
    #expect(result.proof.step(name)?.reason == .keyMissing)
  }

  @Test func `a suppressed or weakened announcement of PACE is detected`() throws {
    let strong = Variant(mapping: 2, cipher: 4, parameters: 16)
    let weak = Variant(mapping: 2, cipher: 1, parameters: 8)
    let added = Variant(mapping: 6, cipher: 4, parameters: 13)
    for (shown, text) in [([], "suppressed"), ([weak], "suppressed"), ([strong, added], "added")] {
      let document = ChipSessionTests.document { ($0.variants, $0.announced) = (shown, [strong]) }
      let result = try Self.result(document)
      let step = try #require(result.proof.step(.announcement))
      #expect(step.reason == .announcementsDiffer && step.text.contains(text), "\(step.text)")
      #expect(result.proof.verdict == .cloneSuspected)
    }
    // An added variant that is not used changes nothing.
    let unused = ChipSessionTests.document { ($0.variants, $0.announced) = ([strong, weak], [strong]) }
    #expect(try Self.result(unused).proof.step(.announcement)?.status == .passed)
    // Old chips announce PACE in EF.CardAccess alone.
    let old = ChipSessionTests.document {
      ($0.variants, $0.announced, $0.agreement) = ([strong], [], .init(parameters: 12, cipher: 2))
    }
    let result = try Self.result(old)
    #expect(result.proof.step(.announcement)?.reason == .notAnnounced)
    #expect(result.proof.verdict == .notCloned)
  }

  @Test func `an EF_CardSecurity of others proves nothing`() throws {
    var document = ChipSessionTests.document { $0.variants = [Variant(mapping: 6, cipher: 2, parameters: 13)] }
    var file = try #require(document.master[0x011D])
    file[file.count - 1] ^= 1
    document.replaceMaster(0x011D, file)
    let changed = try Self.result(document)
    #expect(changed.proof.step(.chipAuthenticationMapping)?.reason == .keyNotAuthenticated)
    document.replaceMaster(0x011D, nil)
    let missing = try Self.result(document)
    #expect(missing.proof.step(.chipAuthenticationMapping)?.reason == .keyMissing)
    for result in [changed, missing] { #expect(result.proof.verdict == .notChecked) }
  }

  @Test func `the application of another card is refused`() {
    struct Other: ChipTransport {
      func transmit(_ command: [UInt8]) throws -> [UInt8] { [0x6A, 0x82] }
    }
    #expect(code { _ = try ChipSession(Other()).open(with: EmulatedDocument.password()) } == .unreadable)
  }

  @Test func `a removed chip interrupts reading, and what was read is returned`() throws {
    struct Removed: Error {}
    final class Removable: ChipTransport {
      let chip: EmulatedChip
      init(_ chip: EmulatedChip) { self.chip = chip }
      func transmit(_ command: [UInt8]) throws -> [UInt8] {
        if chip.protectedCount > 12 { throw Removed() }
        return try chip.transmit(command)
      }
    }
    let session = ChipSession(Removable(EmulatedChip(ChipSessionTests.document { $0.portraitSize = 9000 })))
    #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
    let files = try session.read()
    #expect(files.live?.interruption?.message.contains("Removed") ?? false)
    #expect(files[.common] != nil && files[.dataGroup(2)] == nil)
  }

  // MARK: Mutations

  /// Changes, cuts, lengthens, repeats or swaps responses at random.
  private final class Mutator: ChipTransport {
    let chip: EmulatedChip
    private var random: SplitMix
    private let rate: Int
    private var earlier: [[UInt8]] = []
    private(set) var hasMutated = false

    init(_ chip: EmulatedChip, seed: UInt64) {
      (self.chip, random) = (chip, SplitMix(state: seed))
      rate = Int.random(in: 4...60, using: &random)
    }

    func transmit(_ command: [UInt8]) throws -> [UInt8] {
      var response = try chip.transmit(command)
      defer { earlier.append(response) }
      guard Int.random(in: 0..<rate, using: &random) == 0 else { return response }
      let original = response
      defer { if response != original { hasMutated = true } }
      switch Int.random(in: 0..<7, using: &random) {
      case 0: response = Array(response.prefix(Int.random(in: 0...response.count, using: &random)))
      case 1:
        let index = Int.random(in: 0...response.count, using: &random)
        response.insert(UInt8.random(in: 0...255, using: &random), at: index)
      case 2: response = earlier.randomElement(using: &random) ?? []
      case 3: response = response.dropLast(2) + [UInt8.random(in: 0x60...0x6F, using: &random), 0]
      case 4: response = [0x7C, 0x80] + response
      default:
        guard !response.isEmpty else { return response }
        let index = Int.random(in: 0..<response.count, using: &random)
        response[index] ^= UInt8.random(in: 1...255, using: &random)
      }
      return response
    }
  }

  private static let mutations = getenv("FACEVERIFY_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 2000

  @Test(arguments: 0..<4) func `no mutated response changes what is read, or makes a proof`(_ kind: Int) throws {
    let document = ChipSessionTests.document {
      $0.variants =
        [
          [], [Variant(mapping: 2, cipher: 2, parameters: 12)], [Variant(mapping: 6, cipher: 3, parameters: 13)],
          [Variant(mapping: 3, cipher: 1, parameters: 0)],
        ][kind]
      ($0.signing, $0.agreement) = (.ecdsa(curve: 12, digest: 3), .init(parameters: 12, cipher: kind % 2 + 1))
      $0.isExtended = kind == 2
    }
    var (opened, proved, interrupted) = (0, 0, 0)
    let runs = Self.mutations / 8
    for run in 0..<runs {
      let mutator = Mutator(EmulatedChip(document), seed: UInt64(1000 * kind + run))
      let session = ChipSession(mutator)
      guard case .opened? = try? session.open(with: EmulatedDocument.password()) else { continue }
      opened += 1
      let result = try ChipSessionTests.judged(session.read())
      for (file, bytes) in result.reading.contents.files.files where file != .cardAccess {
        let identifier = try #require(file.address).identifier
        let original = file == .cardSecurity ? document.master[identifier] : document.application[identifier]
        #expect(bytes == original, "\(file), kind \(kind), run \(run)")
      }
      if result.chip.interruption != nil { interrupted += 1 }
      guard result.proof.verdict == .notCloned else { continue }
      proved += 1
      // Nothing was lost, and nothing was added: only plain responses without effect may have changed.
      #expect(result.reading.contents.files[.cardAccess] == document.master[0x011C] || document.variants.isEmpty)
    }
    #expect(20 * opened > runs && proved > 0 && 20 * interrupted > runs, "\(opened), \(proved), \(interrupted)")
  }

  @Test func `random responses never open a chip`() throws {
    final class Noise: ChipTransport {
      var random: SplitMix
      init(_ seed: UInt64) { random = SplitMix(state: seed) }
      func transmit(_ command: [UInt8]) throws -> [UInt8] {
        let count = Int.random(in: 0...300, using: &random)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        return Bool.random(using: &random) ? bytes + [0x90, 0x00] : bytes
      }
    }
    for seed in 0..<200 {
      let session = ChipSession(Noise(UInt64(seed)))
      if case .opened? = try? session.open(with: EmulatedDocument.password()) { Issue.record("opened: \(seed)") }
      if case .opened? = try? session.open(with: nil) { _ = try session.read() }
    }
  }
}
