import Foundation
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify

@Suite("Records of journeys")
struct JourneyRecordTests {
  private func finished(
    _ kept: JourneyPlay.Kept? = nil, _ change: (inout JourneyConfiguration) -> Void = { _ in }
  ) throws -> JourneyPlay {
    let play = try JourneyPlay(evidence: kept) {
      $0.portrait = .photo(try! Photo(bytes: Scripted.photo(.one).pixels().encodedAsPNG()))
      $0.consents = [.init("Your face is compared.", isActive: true)]
      $0.userReference = "case-17"
      change(&$0)
    }
    try play.call(.start, .consent(item: 0, isGiven: true))
    try play.passFace()
    try play.call(.finish)
    return play
  }

  private func record(_ play: JourneyPlay, key: PrivateKey? = nil) throws -> DecisionRecord {
    try DecisionRecord(
      body: play.journey.recordBody(), signedBy: SigningKey(try key ?? PrivateKey(for: .signing)))
  }

  private func bytes(_ kept: JourneyPlay.Kept) -> [Int: [UInt8]] {
    kept.all.withLock { all in
      all.reduce(into: [:]) { bytes, input in
        switch input.1 {
        case .picture(let picture): bytes[input.0.index] = bitmap(picture)
        case .bytes(let file): bytes[input.0.index] = file
        }
      }
    }
  }

  /// As a BMP file, which costs nothing to write and to read.
  private func bitmap(_ picture: PixelBuffer) -> [UInt8] {
    func little(_ number: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let (row, stride) = (3 * picture.width, (3 * picture.width + 3) / 4 * 4)
    var rows = [UInt8](repeating: 0, count: stride * picture.height)
    for y in 0..<picture.height {
      let line = (picture.height - 1 - y) * stride
      for i in Swift.stride(from: 0, to: row, by: 3) {
        for k in 0..<3 { rows[line + i + k] = picture.rgb[y * row + i + 2 - k] }
      }
    }
    let head = little(picture.width) + little(picture.height) + little(1, 2) + little(24, 2)
    return Array("BM".utf8) + little(54 + rows.count) + little(0) + little(54) + little(40) + head
      + [UInt8](repeating: 0, count: 24) + rows
  }

  // Rows: J32 J36 DR12 IMG
  @Test("the record of a journey is signed, keeps its own rules, and tells nothing personal")
  func made() throws {
    let key = try PrivateKey(for: .signing)
    let play = try finished()
    let record = try DecisionRecord(bytes: record(play, key: key).bytes)
    let checks = record.verify(trusting: [key.publicKey])
    #expect(DecisionRecord.result(of: checks) == .passed, "\(checks.filter { $0.status != .passed })")
    #expect(record.body["result"]?["result"] == "passed" && record.body["id"]?.string == play.journey.configuration.id)
    #expect(record.body["events"]?.elements.last?["event"] == "finished")
    for ended in [JourneyState.created, .scanning, .captured, .failed, .halted] {
      let play = try JourneyPlay.inState(ended)
      try play.call(.cancel)
      let checks = try self.record(play, key: key).verify(trusting: [key.publicKey])
      #expect(DecisionRecord.result(of: checks) == .passed, "\(ended): \(checks.filter { $0.status != .passed })")
    }
  }

  @Test("evidence that is run again says the same, in 100 journeys at random")
  func replayed() throws {
    for number in 0..<100 {
      let kept = JourneyPlay.Kept()
      let play = try JourneyPlay(evidence: kept) {
        $0.nonce = (0..<16).map { UInt8(truncatingIfNeeded: number * 31 + $0) }
        $0.challenges = ChallengeScript.standardChallenges
        if number % 3 == 0 { $0.portrait = .photo(try! Scripted.photo(number % 2 == 0 ? .one : .other)) }
        if number % 5 == 0 { $0.requests = [.init(.document), .init(.face)] }
        $0.documentModes = [.manual, .file]
        $0.maximumTries = 2
      }
      try play.call(.start)
      if number % 5 == 0 {
        try play.call(.startCredential(0), .startPart(.document, mode: .manual))
        try play.call(
          .frame(JourneyFrame(JourneyPlay.grey(UInt8(number)), time: 1)), .takePicture, .finishPart, .finishCredential)
      }
      let face = number % 5 == 0 ? 1 : 0
      try play.call(.startCredential(face), .startPart(.face, mode: nil))
      if number % 4 == 1 { try play.call(.pause, .resume) }
      if number % 7 == 3 { try play.call(.report(.offline), .retry) }
      try play.show(number % 4 == 2 ? DrawnPerson { $0.stubborn = .openMouth } : DrawnPerson())
      if number % 11 == 5 || play.state != .captured {
        try play.call(.cancel)
      } else {
        try play.call(.finishPart, .finishCredential, .finish)
      }
      let inputs = bytes(kept)
      let differences = try JourneyReplay.differences(
        of: record(play), engine: Scripted.engine.get(), inputs: { inputs[$0.index] })
      #expect(differences.isEmpty, "\(number): \(differences.prefix(3))")
    }
  }

  @Test("a changed pixel, model, threshold, portrait or order of frames is named")
  func tampered() throws {
    let kept = JourneyPlay.Kept()
    let play = try finished(kept)
    let body = try play.journey.recordBody()
    let inputs = bytes(kept)
    let key = SigningKeyBox.key
    func differences(
      _ change: (inout JSONValue) -> Void = { _ in }, inputs: [Int: [UInt8]], engine: FaceEngine? = nil
    ) throws -> [String] {
      var body = body
      change(&body)
      return try JourneyReplay.differences(
        of: try DecisionRecord(body: body, signedBy: try SigningKey(key.get())),
        engine: try engine ?? Scripted.engine.get(), inputs: { inputs[$0.index] }
      ).map(\.path)
    }
    #expect(try differences(inputs: inputs).isEmpty)
    var pixel = inputs
    let picture = try Photo(bytes: try #require(inputs[20])).pixels()
    var rgb = picture.rgb
    rgb[rgb.count - 1] ^= 1
    pixel[20] = try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb).encodedAsPNG()
    #expect(try differences(inputs: pixel).contains("inputs[20]"))
    var portrait = inputs
    portrait[0] = try Scripted.photo(.other).pixels().encodedAsPNG()
    #expect(try differences(inputs: portrait).contains("inputs[0]"))
    var order = inputs
    (order[10], order[11]) = (inputs[11], inputs[10])
    #expect(try differences(inputs: order).filter { $0.hasPrefix("inputs") } == ["inputs[10]", "inputs[11]"])
    #expect(
      try differences({ $0.set(["credentials", 0, "comparison", "threshold", "score"], 9) }, inputs: inputs)
        == ["body.credentials[0].comparison.threshold.score"])
    // What other vector units may do is told from what nobody may.
    func rounding(_ path: [any Sendable], _ value: JSONValue) throws -> [Bool] {
      var changed = body
      changed.set(path, value)
      return try JourneyReplay.differences(
        of: try DecisionRecord(body: changed, signedBy: try SigningKey(key.get())), engine: try Scripted.engine.get(),
        inputs: { inputs[$0.index] }
      ).map(\.isRounding)
    }
    let comparison: [any Sendable] = ["credentials", 0, "comparison"]
    let score = try #require(body["credentials"]?.elements[0]["comparison"]?["comparison"]?["score"]?.double)
    let limit = try #require(body["credentials"]?.elements[0]["comparison"]?["threshold"]?["score"]?.double)
    #expect(try rounding(comparison + ["comparison", "score"], .number(score + 0.01)) == [true])
    #expect(try rounding(comparison + ["comparison", "score"], .number(score + 0.03)) == [false])
    #expect(try rounding(comparison + ["threshold", "score"], .number(limit + 0.01)) == [false])
    #expect(try rounding(comparison + ["comparison", "falseMatchRate"], 0.5) == [false])
    #expect(try rounding(comparison + ["result"], "refused") == [false])
    #expect(try rounding(["configuration", "timeout"], .number(900.01)).allSatisfy { !$0 })
    #expect(
      try differences({ $0.set(["models", "revision"], "0123456789abcdef") }, inputs: inputs) == ["models.revision"])
    #expect(try differences({ $0.set(["library"], "9.9.9") }, inputs: inputs) == ["library"])
    #expect(
      try differences({ $0.set(["configuration", "comparison", "falseMatchRate"], "1e-2") }, inputs: inputs)
        .contains { $0.hasPrefix("body.credentials[0].comparison.threshold") })
    #expect(try differences({ $0.set(["result", "result"], "failed") }, inputs: inputs) == ["body.result.result"])
    #expect(throws: VerifyError.self) { try differences(inputs: [:]) }
    installScriptedModels(as: ModelSet(rawValue: "scripted-2"))
    var other = FaceEngine.Configuration()
    other.modelSet = ModelSet(rawValue: "scripted-2")
    #expect(try differences(inputs: inputs, engine: FaceEngine(other)).first == "models.set")
  }

  // Rows: NV23 J82
  @Test("what a result held is overwritten when it is cleared, and no record can be made any more")
  func cleared() throws {
    // Noise that nobody else has in memory; small enough to be kept by the allocator, and larger.
    func noise(_ side: Int, inverted: Bool = false) -> [UInt8] {
      var state = UInt64(side) &* 0x9E37_79B9_7F4A_7C15
      return (0..<3 * side * side).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56) ^ (inverted ? 0xFF : 0)
      }
    }
    let play = try JourneyPlay {
      $0.requests = [.init(.document), .init(.document)]
      $0.documentModes = [.file]
      $0.keepsPictures = true
    }
    try play.call(.start)
    for (index, side) in [16, 100].enumerated() {
      try play.call(
        .startCredential(index), .startPart(.document, mode: nil),
        .attach(Photo(pixels: PixelBuffer(width: side, height: side, rgb: noise(side)))), .finishPart, .finishCredential
      )
    }
    try play.call(.finish)
    func copies(_ side: Int) throws -> Int { try Memory.count(inverted: Array(noise(side, inverted: true)[96..<160])) }
    #expect(try copies(16) > 0 && copies(100) > 0)
    #expect(throws: LogicalError.self) { try JourneyPlay().journey.clear() }
    try play.journey.clear()
    let found = try [copies(16), copies(100)]
    withKnownIssue("beside tests that allocate much on other threads a copy stays now and then", isIntermittent: true) {
      #expect(found == [0, 0])
    }
    let left = try #require(play.journey.result)
    #expect(left.isCleared && left.credentials.isEmpty && left.id == play.journey.configuration.id)
    #expect(throws: LogicalError.self) { _ = try play.journey.recordBody() }
  }

  // Rows: J81 NV16
  @Test("a record and its evidence travel encrypted, and come back the same")
  func bundle() throws {
    let kept = JourneyPlay.Kept()
    let play = try finished(kept)
    let recipient = try PrivateKey(for: .encryption)
    try withTemporaryFolder { folder in
      let path = folder + "/evidence.fvb"
      let writer = try EvidenceBundleWriter(path: path, recipient: recipient.publicKey)
      let inputs = bytes(kept)
      for (index, bytes) in inputs.sorted(by: { $0.key < $1.key }) {
        try writer.add(bytes, as: EvidenceBundle.inputName(index, suffix: "bin"))
      }
      let record = try record(play)
      try writer.add(record.bytes, as: EvidenceBundle.recordName)
      try writer.finish()
      var files: [String: [UInt8]] = [:]
      try EvidenceBundle.read(path: path, key: recipient) { files[$0] = $1 }
      let again = try DecisionRecord(bytes: try #require(files[EvidenceBundle.recordName]))
      #expect(again.bytes == record.bytes)
      #expect(
        try JourneyReplay.differences(
          of: again, engine: Scripted.engine.get(),
          inputs: { files[EvidenceBundle.inputName($0.index, suffix: "bin")] }
        ).isEmpty)
    }
  }
}

/// The memory of this process.
enum Memory {
  /// How often bytes lie in it, which are given inverted so that the search does not find itself.
  static func count(inverted needle: [UInt8]) throws -> Int {
    let maps = String(
      decoding: FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
    let memory = open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    let size = 1 << 20
    // What is searched with, and what is read, lie in one block, which is left out.
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096 + size, alignment: 4096)
    defer { block.deallocate() }
    let own = UInt(bitPattern: block.baseAddress)..<UInt(bitPattern: block.baseAddress) + UInt(block.count)
    for (i, byte) in needle.enumerated() { block[i] = byte ^ 0xFF }
    let (pattern, buffer) = (block.baseAddress!, block.baseAddress! + 4096)
    var count = 0
    for line in maps.split(separator: "\n") where line.contains(" rw") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      var address = ends[0]
      while address + UInt(needle.count) <= ends[1] {
        let got = pread(memory, buffer, Int(min(UInt(size), ends[1] - address)), off_t(address))
        guard got >= needle.count else { break }
        let last = buffer + (got - needle.count)
        var start = buffer
        while start <= last, let found = memchr(start, Int32(needle[0] ^ 0xFF), last - start + 1) {
          if memcmp(found, pattern, needle.count) == 0, !own.contains(address + UInt(found - buffer)) { count += 1 }
          start = found + 1
        }
        address += UInt(got - needle.count + 1)
      }
    }
    return count
  }
}

enum SigningKeyBox {
  static let key = Swift.Result { try PrivateKey(for: .signing) }
}

extension JSONValue {
  /// Puts a value somewhere; names and places in lists lead there.
  mutating func set(_ path: [any Sendable], _ value: JSONValue) {
    guard let first = path.first else {
      self = value
      return
    }
    let rest = Array(path.dropFirst())
    switch (self, first) {
    case (.object(var members), let name as String):
      var member = members[name] ?? .null
      member.set(rest, value)
      members[name] = member
      self = .object(members)
    case (.array(var elements), let place as Int) where elements.indices.contains(place):
      elements[place].set(rest, value)
      self = .array(elements)
    default: break
    }
  }
}
