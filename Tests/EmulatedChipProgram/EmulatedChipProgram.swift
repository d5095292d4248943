import EmulatedChip
import FaceVerifyBase
import Glibc
import IdentityDocuments

/// Answers as the chip of a travel document, for tests of transports and interfaces:
///
///     emulated-chip [KIND] [--zone TEXT] [--portrait FILE] [--fault NAME] [--remove-after COMMANDS] [--connect PORT]
///     emulated-chip --authority FILE
///
/// KIND is bac, pace (generic mapping, with the card access number 123456; the default) or cam (chip authentication
/// mapping); all but bac also have keys of chip authentication and active authentication. TEXT are the lines of the zone,
/// and FILE is EF.DG2 or a JPEG. The second form writes the certificate of the CSCA.
///
/// The chip speaks the protocol of vpcd, vsmartcard's virtual reader (https://frankmorgner.github.io/vsmartcard): each
/// message is preceded by its size in two bytes; one of a single byte is 0 (power off), 1 (power on), 2 (reset) or 4 (send
/// the answer to reset), any other a command APDU, which a response APDU answers. It does so on standard input and
/// output, or with --connect over TCP, as a card in that reader.
@main struct EmulatedChipProgram {
  private var arguments = Array(CommandLine.arguments.dropFirst())
  private var (input, output): (Int32, Int32) = (0, 1)

  static func main() throws {
    var program = EmulatedChipProgram()
    try program.run()
  }

  private mutating func run() throws {
    if let path = option("--authority") { return try RegularFile.write(EmulatedState.shared.authority, to: path) }
    let removeAfter = option("--remove-after").flatMap { Int($0) } ?? .max
    if let port = option("--connect") { connect(port) }
    let chip = try chip()
    var commands = 0
    while let size = receive(2), let message = receive(Int(size[0]) << 8 | Int(size[1])) {
      switch message {
      case [0], [1], [2]: chip.reset()
      // As readers compose it for contactless cards without historical bytes (PC/SC part 3, 3.1.3.2.3.1).
      case [4]: send([0x3B, 0x80, 0x80, 0x01, 0x01])
      default:
        commands += 1
        guard commands <= removeAfter else { return }
        send(try chip.transmit(message))
      }
    }
  }

  private mutating func option(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...(index + 1)) }
    return arguments[index + 1]
  }

  private func fail(_ message: String) -> Never {
    _ = "emulated-chip: \(message)\n".withCString { write(2, $0, strlen($0)) }
    exit(2)
  }

  private mutating func chip() throws -> EmulatedChip {
    var document = EmulatedDocument()
    if let zone = option("--zone") { document.zone = zone }
    if let path = option("--portrait") {
      let file = try RegularFile.read(path: path, maximumBytes: 1 << 20)
      document.portrait = file.first == 0xFF ? EmulatedDocument.dataGroup2(file) : file
    }
    let fault = option("--fault")
    switch arguments.first ?? "pace" {
    case "bac": break
    case "pace", "cam":
      let mapping = arguments.first == "cam" ? 6 : 2
      document.variants = [EmulatedDocument.Variant(mapping: mapping, cipher: 2, parameters: 12)]
      document.agreement = EmulatedDocument.Agreement(parameters: 12, cipher: 2)
      document.signing = .ecdsa(curve: 12, digest: 3)
    case let kind: fail("unknown kind \(kind)")
    }
    document.issue()
    let chip = EmulatedChip(document)
    chip.attempts = 3
    if let fault {
      guard let fault = EmulatedChip.Fault(rawValue: fault) else { fail("unknown fault \(fault)") }
      chip.fault = fault
    }
    return chip
  }

  private mutating func connect(_ port: String) {
    guard let number = UInt16(port) else { fail("--connect takes a port") }
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { fail("nothing listens on port \(number)") }
    (input, output) = (socket, socket)
  }

  /// Returns nil at the end of the input.
  private func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let received = bytes.withUnsafeMutableBytes { read(input, $0.baseAddress?.advanced(by: done), count - done) }
      guard received > 0 else { return nil }
      done += received
    }
    return bytes
  }

  private func send(_ bytes: [UInt8]) {
    let message = [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    var done = 0
    while done < message.count {
      let sent = message.withUnsafeBytes { write(output, $0.baseAddress?.advanced(by: done), message.count - done) }
      guard sent > 0 else { exit(0) }
      done += sent
    }
  }
}
