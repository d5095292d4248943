/// Reads elementary files: SELECT and READ BINARY (ICAO Doc 9303-10, 3.6).
struct ChipFileReader {
  let channel: ChipChannel

  /// The application of the logical data structure (Doc 9303-10, 3.5).
  private static let application: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]
  /// The largest offset of READ BINARY with an even instruction has 15 bits (ISO/IEC 7816-4, 11.3.2).
  private static let largestEvenOffset = 0x7FFF
  /// Bytes of the header of a data object 53 with less than 65,536 bytes.
  private static let oddHeader = 4
  /// Bytes that contain tag and length of any file, and that all files have.
  private static let headerBytes = 8
  /// Maximum size of a file in bytes. The memory of chips has some 400 kB; the limit bounds the time at 424 kbit/s to
  /// half a minute.
  private static let maximumBytes = 1 << 20
  /// The same before access control, where anyone answers; real files have some 100 bytes.
  private static let maximumPlainBytes = 1 << 13

  /// Selects the application by its name (Doc 9303-10, 3.6.1).
  func selectApplication() throws -> ChipStatus {
    try select(0x04, Self.application)
  }

  /// Selects the master file, above the application. Some chips support it only implicitly, after a reset.
  func selectMasterFile() throws {
    _ = try select(0x00, [0x3F, 0x00])
  }

  /// Selects a file below the current one by its identifier (3.6.2).
  func select(_ identifier: UInt16) throws -> ChipStatus {
    try select(0x02, [UInt8(identifier >> 8), UInt8(identifier & 255)])
  }

  /// Sends SELECT without response data (P2 = 0C), as Doc 9303-10 prescribes, or with them if the chip accepts only that.
  private func select(_ p1: UInt8, _ data: [UInt8]) throws -> ChipStatus {
    func status(withData: Bool) throws -> ChipStatus {
      let (p2, expected): (UInt8, Int?) = withData ? (0x00, ChipCommand.largestShortResponse) : (0x0C, nil)
      let command = ChipCommand(instruction: ChipCommand.select, p1: p1, p2: p2, data: data, expected: expected)
      return try channel.send(command).status
    }
    let first = try status(withData: channel.selectsWithData)
    // Before access control, 6982 is the answer for most files.
    guard ![.success, .fileNotFound, .securityStatusNotSatisfied].contains(first) else { return first }
    let second = try status(withData: !channel.selectsWithData)
    guard second == .success || second == .fileNotFound else { return first }
    channel.selectsWithData.toggle()
    return second
  }

  /// Reads a file: the data object that it begins with, or, without a tag, all of it.
  ///
  /// - Parameters:
  ///   - tag: the tag of the file's data object; nil for EF.ATR/INFO, a list of data objects.
  ///   - progress: called with the part that was read, 0...1.
  /// - Returns: nil if there is no such file.
  /// - Throws: ``VerifyError/Code/unreadable`` if the chip refuses, ``VerifyError/Code/damaged``,
  ///   ``VerifyError/Code/tooLarge``, and what ``ChipChannel/send(_:)`` throws.
  func read(
    _ identifier: UInt16, name: String, tag: TLVTag?, progress: (Double) -> Void = { _ in }
  ) throws -> [UInt8]? {
    let selected = try select(identifier)
    if selected == .success { channel.hasSelectedFile = true }
    // Some chips know files only by their short identifier, the last five bits (3.6.3.2).
    let short = selected == .success ? nil : UInt8(identifier & 0x1F)
    let isKnownAbsent = channel.hasSelectedFile || tag == nil || identifier == ElementaryFile.cardAccessIdentifier
    if selected == .fileNotFound, isKnownAbsent { return nil }
    var file: [UInt8]
    do {
      let count = channel.readsHeaderFirst ? Self.headerBytes : channel.largestRead
      file = try block(at: 0, short, count: count, of: name) ?? []
    } catch is VerifyError where short != nil && !channel.isBroken {
      if selected == .fileNotFound { return nil }
      throw VerifyError(.unreadable, "the chip refuses to select \(name): status \(selected)")
    }
    guard let tag else { return file }
    var total = try Self.size(file, name, tag)
    // A header that the first block cut off.
    while total == nil, file.count < 8, let more = try block(at: file.count, count: 8, of: name) {
      file += more
      total = try Self.size(file, name, tag)
    }
    guard let total else { throw VerifyError(.damaged, "\(name) is empty or its length is missing") }
    let limit = identifier == ElementaryFile.cardAccessIdentifier ? Self.maximumPlainBytes : Self.maximumBytes
    guard total <= limit else {
      throw VerifyError(.tooLarge, "\(name) states \(total) bytes, the limit is \(limit)")
    }
    while file.count < total {
      progress(Double(file.count) / Double(total))
      let count = min(channel.largestRead, total - file.count)
      guard let more = try block(at: file.count, count: count, of: name) else {
        throw VerifyError(.damaged, "\(name) ends after \(file.count) of \(total) bytes")
      }
      file += more
    }
    progress(1)
    return Array(file.prefix(total))
  }

  /// The size in bytes that the header of a file states; nil if the header is incomplete.
  private static func size(_ file: [UInt8], _ name: String, _ tag: TLVTag) throws -> Int? {
    guard !file.isEmpty else { return nil }
    guard let header = try? TLVReader(file).header() else {
      // A tag has one byte here, and a length at most five.
      guard file.count < 6 else { throw VerifyError(.damaged, "\(name) does not begin with a tag and a length") }
      return nil
    }
    guard header.tag == tag else {
      throw VerifyError(.damaged, "\(name) begins with the tag \(header.tag), not \(tag)")
    }
    return header.byteCount
  }

  /// Returns at least one byte at an offset; nil at the end of the file. After a refusal fewer bytes are requested, in
  /// this file and all later ones: the header at the start of a file, elsewhere half of them each time.
  private func block(at offset: Int, _ short: UInt8? = nil, count: Int, of name: String) throws -> [UInt8]? {
    let limit = channel.readLimit
    var count = count
    while true {
      do {
        if let data = try read(at: offset, short, count: count, of: name) { return data }
      } catch  where channel.isBroken && error is VerifyError {
        channel.readsLess(than: count, atStart: offset == 0, least: Self.headerBytes)
        throw error
      }
      guard count > Self.headerBytes else { break }
      count = offset == 0 ? Self.headerBytes : count / 2
      if offset == 0 { channel.readsHeaderFirst = true } else { channel.readLimit = count }
    }
    // The end of the file, which says nothing about lengths.
    channel.readLimit = limit
    return nil
  }

  private func read(at offset: Int, _ short: UInt8?, count: Int, of name: String) throws -> [UInt8]? {
    let isEven = offset <= Self.largestEvenOffset
    let count = isEven ? count : min(count, max(1, channel.largestRead - Self.oddHeader))
    var command = ChipCommand(
      instruction: ChipCommand.readBinary, p1: short.map { 0x80 | $0 } ?? UInt8(offset >> 8 & 0x7F),
      p2: UInt8(offset & 255), expected: count)
    if !isEven {
      // An offset data object, and in the response a data object 53 around the data (11.3.3).
      let bytes = withUnsafeBytes(of: UInt32(offset).bigEndian) { Array($0.drop { $0 == 0 }) }
      command = ChipCommand(
        instruction: ChipCommand.readBinaryOdd, p1: 0, p2: 0, data: BER.object([0x54], bytes),
        expected: count + (count < 0x80 ? 2 : count < 0x100 ? 3 : 4))
    }
    let response = try channel.send(command)
    switch response.status {
    case .success, .endOfFile: break
    case let status where status.refusesLength: return nil
    default: throw VerifyError(.unreadable, "the chip refuses to read \(name): status \(response.status)")
    }
    var data = response.data
    if !isEven, !data.isEmpty {
      var reader = TLVReader(data)
      data = Array(try reader.next(0x53).value)
    }
    guard data.count <= count else {
      throw VerifyError(.damaged, "the chip answered with \(data.count) bytes of \(name), not \(count)")
    }
    return data.isEmpty ? nil : data
  }
}

extension ElementaryFile {
  /// The file identifier (Doc 9303-10, table 39), and the tag of the data object that the file consists of.
  var address: (identifier: UInt16, tag: TLVTag)? {
    switch self {
    case .common: (0x011E, 0x60)
    case .documentSecurity: (0x011D, 0x77)
    case .cardAccess: (Self.cardAccessIdentifier, .set)
    // Below the master file, where EF.SOD's identifier is free.
    case .cardSecurity: (0x011D, .sequence)
    default: dataGroupNumber.map { (0x0100 | UInt16($0), Self.dataGroupTags[$0 - 1]) }
    }
  }

  static let cardAccessIdentifier: UInt16 = 0x011C
  /// EF.ATR/INFO (Doc 9303-10, 3.11.4).
  static let answerToReset: UInt16 = 0x2F01
}
