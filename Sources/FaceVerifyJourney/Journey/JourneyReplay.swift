/// Replays the evidence behind a record: the same models, calls and inputs must give the same record, byte for byte.
public enum JourneyReplay {
  /// A difference between record and replay.
  public struct Difference: Sendable, Hashable {
    /// The location: "inputs[17]", "models.revision", "body.credentials[0].comparison.comparison.score"…
    public let path: String
    /// The recorded and the replayed value, or what is wrong.
    public let text: String
    /// Small enough to be explained by SIMD summation order: a score, a signal or a similarity by at most
    /// ``JourneyReplay/tolerance``, a rate by at most 1 %, or, together with one of these, the hash of a template.
    /// Never set for a status, threshold or result.
    public var isRounding = false
  }

  /// For scores and signals: AVX2 instead of AVX-512 changed the scores of a clip of 199 frames by 0.002 and 0.003
  /// (2026-11).
  public static let tolerance = 0.02

  /// Returns the files missing from the evidence, and those that the record does not reference.
  ///
  /// - Parameter files: the names of all files of a bundle.
  public static func differences(of record: DecisionRecord, files: [String]) -> [Difference] {
    let inputs = (record.body["inputs"]?.elements ?? []).enumerated().compactMap { try? JourneyInput($1, index: $0) }
    let expected = Set(inputs.map(EvidenceBundle.inputName) + [EvidenceBundle.recordName])
    return expected.subtracting(files).sorted().map { Difference(path: $0, text: "it is missing from the evidence") }
      + Set(files).subtracting(expected).sorted().map {
        Difference(path: $0, text: "it is in the evidence, but not an input of the record")
      }
  }

  /// Verifies the record (``DecisionRecord/verify(trusting:)``), and replays it unless its form or its signature is
  /// invalid. All that the record says is compared with what the replay gives, byte for byte, except what the program
  /// states: identifiers, times, and a policy or a capture that the configuration describes.
  ///
  /// - Parameters:
  ///   - keys: of trusted signers. If empty, the signature is verified, but the signer is unknown.
  ///   - trust: the trust store of the journey, whose hash is recorded.
  ///   - inputs: returns the bytes of an input: a PNG file of a frame's pixels, or the file itself; nil if missing.
  ///   - progress: called after each call with the number of replayed calls and of all calls.
  /// - Returns: the differences; empty if record and evidence agree.
  /// - Throws: ``VerifyError`` if the engine fails, and errors of `inputs`.
  public static func differences(
    of record: DecisionRecord, trusting keys: [PublicKey] = [], engine: FaceEngine, trust: TrustStore = .init(),
    inputs: @escaping (JourneyInput) throws -> [UInt8]?, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> [Difference] {
    let body = record.body
    let wrong = record.verify(trusting: keys).filter { $0.status == .failed }
    guard wrong.isEmpty else { return wrong.map { Difference(path: "record.\($0.name)", text: $0.text) } }
    var differences = found(body["models"], engine.recordedModels, at: "models")
    differences += found(body["library"], .string(FaceVerifyVersion.string), at: "library")
    var supply = Supply(
      all: try body["inputs"]?.elements.enumerated().map { try JourneyInput($1, index: $0) } ?? [], read: inputs)
    let calls = body["calls"]?.elements ?? []
    // The start call has the portrait; a journey that ended before did not use it.
    let start = calls.first { $0["call"] == "start" }
    let journey: JourneyController
    do {
      var configuration = try JourneyConfiguration(recorded: body["configuration"] ?? .null)
      (configuration.id, configuration.accountID) = (body["id"]?.string, body["account"]?.string)
      configuration.sessionID = body["session"]?["id"]?.string
      configuration.customerInternalReference = body["identifiers"]?["customerInternalReference"]?.string
      configuration.reportingCriteria = body["identifiers"]?["reportingCriteria"]?.string
      configuration.userReference = body["identifiers"]?["userReference"]?.string
      configuration.trust = trust
      if let start, let portrait = body["configuration"]?["portrait"], portrait != .null {
        let recorded = try supply.portrait(of: start)
        let isPhoto = portrait["kind"] == "photo-template"
        configuration.portrait = isPhoto ? recorded.template.map(FaceInput.photoTemplate) : recorded
      }
      journey = try JourneyController(engine: engine, configuration: configuration, at: body["created"]?.double ?? .nan)
    } catch {
      return differences + [try difference("body.configuration", error)]
    }
    for (position, call) in calls.enumerated() {
      do {
        for call in try supply.calls(call) {
          do {
            try journey.perform(call, at: calls[position]["at"]?.double ?? .nan)
          } catch let error as VerifyError where error.code == .badArgument && call.kind == .frame {
            // A frame that was refused in the journey is refused and counted in the replay, too.
          }
        }
      } catch {
        return differences + supply.differences + [try difference("body.calls[\(position)]", error)]
      }
      progress(position + 1, calls.count)
    }
    differences += supply.differences
    guard journey.state == .finished else {
      return differences + [.init(path: "body.calls", text: "the journey does not end")]
    }
    // Already reported: models, library, and inputs with other contents.
    let reported = Set(supply.differences.map { "body.\($0.path).sha256" })
    guard case .object(var recorded) = body, case .object(var made) = try journey.recordBody() else {
      return differences
    }
    for name in ["models", "library"] { (recorded[name], made[name]) = (nil, nil) }
    differences += found(.object(recorded), .object(made), at: "body").filter {
      !reported.contains($0.path) && !(start == nil && $0.path == "body.configuration.portrait")
    }
    // A template hash counts as rounding only if a measured value also differs by rounding, and if the template that was
    // compared is that of the living person.
    let isOfOnePerson = (body["credentials"]?.elements ?? []).allSatisfy { credential in
      let compared = credential["comparison"]?["selfie"]?["input"]?["sha256"]
      return compared == nil || compared == credential["liveness"]?["template"]?["sha256"]
    }
    let isRounded = isOfOnePerson && differences.contains { $0.isRounding && !$0.path.hasSuffix(".sha256") }
    return isRounded
      ? differences : differences.map { .init(path: $0.path, text: $0.text, isRounding: false) }
  }

  /// The difference for a call or configuration of the record that cannot be replayed.
  ///
  /// - Throws: the error, if the record did not cause it.
  private static func difference(_ path: String, _ error: any Error) throws -> Difference {
    if let error = error as? LogicalError { return .init(path: path, text: "it is impossible: \(error.rawValue)") }
    let own: [VerifyError.Code] = [
      .modelMissing, .modelMismatch, .internalFailure, .timeout, .cancelled, .unreadable, .unwritable,
    ]
    guard let error = error as? VerifyError, !own.contains(error.code) else { throw error }
    return .init(path: path, text: "it is impossible: \(error.message)")
  }

  /// Returns where two values differ: the topmost difference of each branch.
  ///
  /// - Parameter limits: of a measured value; across one of them, a difference is no rounding.
  static func found(
    _ recorded: JSONValue?, _ now: JSONValue?, at path: String, limits: [Double] = []
  ) -> [Difference] {
    switch (recorded, now) {
    case (let a?, let b?) where a.canonical == b.canonical: return []
    case (.object(let a)?, .object(let b)?):
      // A comparison's score has the limit of its decision, other values that of their own check.
      let own = [b["minimum"], b["maximum"], b["threshold"], b["threshold"]?["score"]]
      let limits = own.allSatisfy { $0 == nil } ? limits : own.compactMap { $0?.double }
      return Set(a.keys).union(b.keys).sorted().flatMap { found(a[$0], b[$0], at: "\(path).\($0)", limits: limits) }
    case (.array(let a)?, .array(let b)?) where a.count == b.count:
      return a.indices.flatMap { found(a[$0], b[$0], at: "\(path)[\($0)]") }
    default:
      func short(_ value: JSONValue?) -> String {
        let text = value.map { String(decoding: $0.canonical, as: UTF8.self) } ?? "nothing"
        return text.count > 60 ? text.prefix(60) + "…" : text
      }
      return [
        .init(
          path: path, text: "recorded \(short(recorded)), now \(short(now))",
          isRounding: isRounding(recorded, now, at: path, limits: limits))
      ]
    }
  }

  private static func isRounding(
    _ recorded: JSONValue?, _ now: JSONValue?, at path: String, limits: [Double]
  ) -> Bool {
    guard path.hasPrefix("body.credentials["), !path.contains(".threshold."), !path.contains(".policy.") else {
      return false
    }
    if let a = recorded?.double, let b = now?.double {
      if [".score", ".value", ".similarity"].contains(where: path.hasSuffix) {
        // A value this near to a limit may be on either side of it before it is written with three or four digits.
        let isSameSide = limits.allSatisfy { ($0 - a) * ($0 - b) > 0 || min(abs($0 - a), abs($0 - b)) <= 1e-3 }
        return isSameSide && abs(a - b) <= tolerance
      }
      let rates = [
        "falseMatchRate", "falseMatchRateUpperBound", "overallFalseMatchRate", "overallFalseMatchRateUpperBound",
      ]
      return rates.map { ".comparison." + $0 }.contains(where: path.hasSuffix)
        && abs(a - b) <= 0.01 * max(abs(a), abs(b))
    }
    return [".liveness.template.sha256", ".comparison.selfie.input.sha256"].contains { path.hasSuffix($0) }
  }

  private static func unusable(_ why: String) -> VerifyError {
    VerifyError(.damaged, "the record cannot be replayed: \(why)")
  }

  private struct Supply {
    let all: [JourneyInput]
    let read: (JourneyInput) throws -> [UInt8]?
    private(set) var differences: [Difference] = []

    init(all: [JourneyInput], read: @escaping (JourneyInput) throws -> [UInt8]?) { (self.all, self.read) = (all, read) }

    mutating func portrait(of start: JSONValue?) throws -> FaceInput {
      guard let index = start?["inputs"]?.elements.first?.integer, all.indices.contains(index) else {
        throw unusable("its portrait is not among the inputs")
      }
      if all[index].isPixels { return .photo(Photo(pixels: try picture(index))) }
      let bytes = try bytes(index)
      return all[index].kind == .template
        ? .template(try FaceTemplate(serialised: bytes)) : .photo(try Photo(bytes: bytes))
    }

    /// A photo that was taken from frames is replayed as a frame and a call.
    mutating func calls(_ call: JSONValue) throws -> [JourneyCall] {
      let inputs = call["inputs"]?.elements.compactMap(\.integer).filter(all.indices.contains) ?? []
      guard let kind = call["call"]?.string.flatMap(JourneyCall.Kind.init) else {
        throw unusable("there is no call \"\(call["call"]?.string ?? "")\"")
      }
      func input(_ what: String) throws -> Int {
        guard let index = inputs.first else { throw unusable("a \(what) is missing") }
        return index
      }
      switch kind {
      case .frame, .takePicture:
        let frame = JourneyCall.frame(try JourneyFrame(picture(input("frame")), call))
        return kind == .frame ? [frame] : [frame, .takePicture]
      case .attach:
        let index = try input("photo")
        return [.attach(all[index].isPixels ? Photo(pixels: try picture(index)) : try Photo(bytes: try bytes(index)))]
      case .attachChip:
        var files = ChipFiles()
        for index in inputs { try files.add(try bytes(index), name: all[index].name ?? "") }
        if let session = call["session"] { files.live = try LiveChip(recorded: session) }
        return [.attachChip(files)]
      case .attachCode: return [.attachCode(try bytes(input("code")))]
      default: return [try JourneyCall(kind, call)]
      }
    }

    private mutating func bytes(_ index: Int) throws -> [UInt8] {
      let bytes = try content(index)
      check(sha256(bytes), index)
      return bytes
    }

    private mutating func picture(_ index: Int) throws -> PixelBuffer {
      let bytes = try content(index)
      if EvidenceBundle.hasMore(thanPicture: bytes) {
        differences.append(
          .init(
            path: "inputs[\(index)]", text: "its PNG file contains more than a picture: other chunks, or trailing bytes"
          ))
      }
      let picture = try Photo(bytes: bytes).pixels()
      check(sha256(picture.rgb), index)
      return picture
    }

    private func content(_ index: Int) throws -> [UInt8] {
      guard let bytes = try read(all[index]) else { throw unusable("inputs[\(index)] is not in the evidence") }
      return bytes
    }

    private mutating func check(_ digest: String, _ index: Int) {
      guard digest != all[index].sha256 else { return }
      differences.append(
        .init(
          path: "inputs[\(index)]",
          text:
            "the \(all[index].kind.rawValue) is another one: \(digest.prefix(16))…, not \(all[index].sha256.prefix(16))…"
        ))
    }
  }
}

extension JourneyInput {
  fileprivate init(_ json: JSONValue, index: Int) throws {
    guard let kind = json["kind"]?.string.flatMap(Kind.init), let sha256 = json["sha256"]?.string else {
      throw VerifyError(.damaged, "the record cannot be replayed: inputs[\(index)] is none")
    }
    self.init(
      index: index, kind: kind, sha256: sha256, width: json["width"]?.integer, height: json["height"]?.integer,
      name: json["name"]?.string, isPixels: kind == .frame || json["isPixels"]?.bool == true)
  }
}
