/// A hash chain that binds a decision to every frame that it rests on, in order.
///
/// Link 0 is SHA-256 over the ASCII letters "faceverify frames v1" and the nonce. Each frame's link is SHA-256 over the
/// previous link, the frame's time (64-bit float), width and height (32 bits each), all big-endian, and SHA-256 of its
/// RGB bytes as given.
public struct FrameChain: Sendable, Hashable {
  /// The last link: 32 bytes.
  public private(set) var head: [UInt8]
  public private(set) var count = 0
  /// SHA-256 of the last frame's RGB bytes; empty without one.
  private(set) var lastDigest: [UInt8] = []

  public init(nonce: [UInt8]) { head = sha256Bytes(Array("faceverify frames v1".utf8) + nonce) }

  public mutating func add(_ frame: PixelBuffer, at time: Double) {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    let header = bytes(time.bitPattern) + bytes(UInt32(frame.width)) + bytes(UInt32(frame.height))
    lastDigest = sha256Bytes(frame.rgb)
    head = sha256Bytes(head + header + lastDigest)
    count += 1
  }
}
