import CPCSC
import EmulatedChip
import EngineTestSupport
import FaceVerifyBase
import Glibc

@testable import FaceVerify

/// The functions of PC/SC without a service: readers and cards as a test scripts them. One test at a time.
enum ScriptedReaders {
  struct Reader {
    let name: String
    var card: EmulatedChip?
    /// Whether the card does not answer.
    var isMute = false
  }

  nonisolated(unsafe) static var readers: [Reader] = []
  /// The results of the next calls, in place of a success.
  nonisolated(unsafe) static var contextResult: PCSC.Result = .success
  nonisolated(unsafe) static var connectResults: [PCSC.Result] = []
  /// Called before each command.
  nonisolated(unsafe) static var beforeCommand: (Int) -> PCSC.Result = { _ in .success }
  /// Called for each time that the service waits for a change, with its number.
  nonisolated(unsafe) static var onWait: (Int) -> Void = { _ in }
  /// The answers to control codes.
  nonisolated(unsafe) static var controls: [UInt: [UInt8]] = [:]
  nonisolated(unsafe) static var waits = 0
  nonisolated(unsafe) static var commands: [[UInt8]] = []
  nonisolated(unsafe) static var connected = 0

  static func reset(_ readers: [Reader]) {
    self.readers = readers
    (contextResult, connectResults, controls) = (.success, [], [:])
    (waits, commands, connected) = (0, [], 0)
    beforeCommand = { _ in .success }
    onWait = { _ in }
  }

  static func service() throws -> PCSC { try PCSC(functions: functions) }

  private static func index(_ name: UnsafePointer<CChar>?) -> Int? {
    guard let name else { return nil }
    return readers.firstIndex { $0.name == String(cString: name) }
  }

  private static let functions = cpcsc(
    establishContext: { _, _, _, context in
      context?.pointee = 7
      return Int(ScriptedReaders.contextResult.rawValue)
    },
    releaseContext: { _ in 0 },
    listReaders: { _, _, buffer, count in
      let names: [UInt8] = ScriptedReaders.readers.flatMap { Array($0.name.utf8) + [0] } + [0]
      guard !ScriptedReaders.readers.isEmpty else { return Int(PCSC.Result.noReadersAvailable.rawValue) }
      if let buffer { for (index, byte) in names.enumerated() { buffer[index] = CChar(truncatingIfNeeded: byte) } }
      count?.pointee = UInt(names.count)
      return 0
    },
    getStatusChange: { _, milliseconds, states, count in
      guard let states else { return Int(PCSC.Result.invalidHandle.rawValue) }
      if milliseconds > 0 {
        ScriptedReaders.waits += 1
        ScriptedReaders.onWait(ScriptedReaders.waits)
        usleep(20_000)
      }
      for place in 0..<Int(count) {
        guard let index = ScriptedReaders.index(states[place].reader) else {
          return Int(PCSC.Result.unknownReader.rawValue)
        }
        let reader = ScriptedReaders.readers[index]
        let state: UInt = reader.card == nil ? 0x0010 : reader.isMute ? 0x0220 : 0x0020
        states[place].event_state = state | 0x0002
        guard reader.card != nil, !reader.isMute else { continue }
        withUnsafeMutableBytes(of: &states[place].atr) { $0.copyBytes(from: [0x3B, 0x80, 0x80, 0x01, 0x01]) }
        states[place].atr_bytes = 5
      }
      return 0
    },
    connect: { _, name, sharing, protocols, card, active in
      guard sharing == 1, protocols == 2 else { return Int(PCSC.Result.protocolMismatch.rawValue) }
      if !ScriptedReaders.connectResults.isEmpty {
        let result = ScriptedReaders.connectResults.removeFirst()
        if result != .success { return Int(result.rawValue) }
      }
      guard let index = ScriptedReaders.index(name), ScriptedReaders.readers[index].card != nil else {
        return Int(PCSC.Result.noSmartCard.rawValue)
      }
      guard !ScriptedReaders.readers[index].isMute else { return Int(PCSC.Result.unresponsiveCard.rawValue) }
      card?.pointee = index
      active?.pointee = 2
      ScriptedReaders.connected += 1
      return 0
    },
    disconnect: { _, disposition in
      ScriptedReaders.connected -= 1
      return disposition == 1 ? 0 : Int(PCSC.Result.invalidHandle.rawValue)
    },
    transmit: { card, pci, command, count, _, response, responseCount in
      let command = Array(UnsafeBufferPointer(start: command, count: Int(count)))
      ScriptedReaders.commands.append(command)
      let result = ScriptedReaders.beforeCommand(ScriptedReaders.commands.count)
      guard result == .success else { return Int(result.rawValue) }
      guard pci?.pointee.protocol == 2, ScriptedReaders.readers.indices.contains(card),
        let chip = ScriptedReaders.readers[card].card, let bytes = try? chip.transmit(command), let response,
        let responseCount, bytes.count <= responseCount.pointee
      else { return Int(PCSC.Result.removedCard.rawValue) }
      for (index, byte) in bytes.enumerated() { response[index] = byte }
      responseCount.pointee = UInt(bytes.count)
      return 0
    },
    control: { _, code, _, _, output, capacity, count in
      guard let bytes = ScriptedReaders.controls[code], bytes.count <= capacity, let output else {
        return Int(PCSC.Result.invalidHandle.rawValue)
      }
      output.copyMemory(from: bytes, byteCount: bytes.count)
      count?.pointee = UInt(bytes.count)
      return 0
    })
}
