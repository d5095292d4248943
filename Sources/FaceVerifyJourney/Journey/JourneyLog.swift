/// The full history of a journey: calls with their inputs, and the resulting events.
struct JourneyLog {
  struct Call {
    let at: Double
    let kind: JourneyCall.Kind
    /// The call's arguments, except inputs.
    var members: [String: JSONValue]
    var inputs: [Int] = []
  }

  typealias Mark = (calls: Int, inputs: Int, events: Int)

  private(set) var calls: [Call] = []
  private(set) var inputs: [JourneyInput] = []
  private(set) var events: [JourneyEvent] = []
  /// Inputs that were not yet handed to the evidence handler.
  private(set) var pending: [(JourneyInput, JourneyInput.Content)] = []

  var mark: Mark { (calls.count, inputs.count, events.count) }

  mutating func forget(to mark: Mark) {
    calls.removeSubrange(mark.calls...)
    inputs.removeSubrange(mark.inputs...)
    events.removeSubrange(mark.events...)
    pending.removeAll { $0.0.index >= mark.inputs }
  }

  mutating func dropLast() { calls.removeLast() }

  mutating func takePending() -> [(JourneyInput, JourneyInput.Content)] {
    defer { pending = [] }
    return pending
  }

  mutating func add(_ call: JourneyCall, at time: Double) {
    calls.append(Call(at: time, kind: call.kind, members: call.members))
  }

  mutating func add(_ event: JourneyEvent) { events.append(event) }

  /// - Parameter digest: SHA-256 of the pixels, if already computed.
  mutating func frame(_ frame: JourneyFrame, digest: [UInt8]?) {
    let sha256 = hexadecimal(digest ?? sha256Bytes(frame.picture.rgb))
    add(.frame, sha256, frame.picture.width, frame.picture.height, name: nil, .picture(frame.picture))
    calls[calls.count - 1].members.merge(frame.members) { $1 }
  }

  mutating func photo(_ photo: Photo) throws {
    add(
      .photo, photo.sha256, photo.width, photo.height, name: nil,
      try photo.encoded.map(JourneyInput.Content.bytes) ?? .picture(photo.pixels()))
  }

  mutating func template(_ template: FaceTemplate) { add(.template, template.serialised()) }

  mutating func chip(_ files: ChipFiles) {
    if let live = files.live { calls[calls.count - 1].members["session"] = live.recordValue }
    for (file, bytes) in files.files.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      add(.chip, bytes, name: file.rawValue)
    }
  }

  mutating func code(_ payload: [UInt8]) { add(.code, payload) }

  private mutating func add(_ kind: JourneyInput.Kind, _ bytes: [UInt8], name: String? = nil) {
    add(kind, FaceVerifyBase.sha256(bytes), nil, nil, name: name, .bytes(bytes))
  }

  private mutating func add(
    _ kind: JourneyInput.Kind, _ sha256: String, _ width: Int?, _ height: Int?, name: String?,
    _ content: JourneyInput.Content
  ) {
    var isPixels = false
    if case .picture = content { isPixels = true }
    let input = JourneyInput(
      index: inputs.count, kind: kind, sha256: sha256, width: width, height: height, name: name, isPixels: isPixels)
    inputs.append(input)
    pending.append((input, content))
    calls[calls.count - 1].inputs.append(input.index)
  }
}

/// A picture or file that a journey's result rests on.
public struct JourneyInput: Sendable, Hashable {
  public enum Kind: String, Sendable, Codable {
    case frame, photo, template
    /// A file of a chip.
    case chip
    /// The decoded code of a licence.
    case code
  }

  public enum Content: Sendable {
    case picture(PixelBuffer)
    /// A file as given.
    case bytes([UInt8])
  }

  /// Its index among all inputs of the journey.
  public let index: Int
  public let kind: Kind
  /// SHA-256 of the file; for a frame or a photo given as pixels, of the RGB bytes.
  public let sha256: String
  /// In pixels; nil for chip files and codes.
  public let width: Int?
  public let height: Int?
  /// The name of a chip file, such as "EF.DG2".
  public let name: String?
  /// Whether the input is pixels without a file.
  public let isPixels: Bool
}

extension DocumentChoice: JSONConvertible {
  public var jsonValue: JSONValue {
    ["country": .string(country), "type": .string(type.rawValue), "variant": .string(variant.rawValue)]
  }
}
