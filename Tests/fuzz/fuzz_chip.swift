// Feeds arbitrary bytes to the reader of live chips: as EF.CardAccess, as a response under secure messaging, and as the
// responses of a chip to each command. Any crash or leak is a finding, and so is a chip that proves that it is no copy.

/// Responses of the input, each preceded by its size in a byte.
private final class InputTransport: ChipTransport {
  private var rest: ArraySlice<UInt8>
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func transmit(_ command: [UInt8]) throws -> [UInt8] {
    precondition(command.count >= 4 && command.count <= 65_536 + 9)
    guard let size = rest.popFirst() else { throw VerifyError(.unreadable, "the input has ended") }
    let response = Array(rest.prefix(Int(size)))
    rest = rest.dropFirst(Int(size))
    return response
  }
}

private let date = try? DateTime(year: 2026, month: 6, day: 1)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChip(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let date else { return 0 }
  if let infos = try? SecurityInfos(bytes).infos { _ = ChipPACE.Variant.preferred(of: infos) }
  _ = try? ChipResponse(bytes)
  for cipher in ChipCipher.allCases {
    var secret = [UInt8](repeating: 7, count: 32)
    guard let messaging = try? ChipSecureMessaging(cipher, secret: SecretBytes(moving: &secret)),
      let response = try? ChipResponse(bytes)
    else { continue }
    // Without the key nobody makes a code that is right.
    precondition((try? messaging.open(response)) == nil || response.data.isEmpty)
  }
  for password in [
    nil, try? ChipPassword(documentNumber: "L898902C3", dateOfBirth: "740812", dateOfExpiry: "120415"),
    try? ChipPassword(cardAccessNumber: "123456"),
  ] {
    let session = ChipSession(InputTransport(bytes))
    guard case .opened = try? session.open(with: password) else { continue }
    // Only a chip without access control opens without the password's key.
    precondition(password == nil)
    guard let chip = try? session.read() else { continue }
    precondition(ChipReading(chip, trust: TrustStore(), date: date).proof?.verdict != .notCloned)
  }
  return 0
}
