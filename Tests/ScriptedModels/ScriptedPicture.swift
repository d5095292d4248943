package import FaceAnalysis

/// A picture that encodes its contents: black and white cells along its upper edge, from left to right and top to
/// bottom, contain the faces; below them the faces are drawn, so that measurements on pixels use pixels.
///
/// The cells survive JPEG and video encoding. A picture without them, such as a photo, shows nobody.
package struct ScriptedPicture: Sendable {
  package var width = 320
  package var height = 320
  package var faces: [ScriptedFace]
  /// Factor for everything except the cells.
  package var light = 1.0
  /// Factor for the faces, except the forehead, which identifies the person: a screen's light.
  package var faceLight = SIMD3(1.0, 1, 1)
  /// Amplitude of the camera's noise in levels, and the frame number, which determines the noise.
  package var noise = 16
  package var frame = 0
  package var wearsSunglasses = false
  package var wearsMask = false

  package init(_ faces: [ScriptedFace] = [.init()], _ change: (inout Self) -> Void = { _ in }) {
    self.faces = faces
    change(&self)
  }

  /// One person's face, modified.
  package init(person: Int, frame: Int = 0, _ change: (inout ScriptedFace) -> Void = { _ in }) {
    var face = ScriptedFace()
    face.person = person
    change(&face)
    faces = [face]
    self.frame = frame
  }

  package func pixels() throws -> PixelBuffer {
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    rgb.withUnsafeMutableBufferPointer { rgb in
      for i in stride(from: 0, to: rgb.count, by: 3) { paint(rgb, i, SIMD3(120, 140, 160)) }
      for face in faces { draw(face, rgb) }
      if noise > 0 {
        Self.randomBytes.withUnsafeBufferPointer { random in
          let start = frame &* 7919 &* 101
          for i in rgb.indices {
            let level = Int(rgb[i]) + Int(random[(start &+ i) & (random.count - 1)]) * (2 * noise + 1) / 256 - noise
            rgb[i] = UInt8(max(0, min(255, level)))
          }
        }
      }
      write(rgb)
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }

  // ---- The cells

  private static let cell = 4
  private static let magic: UInt8 = 0x5C

  private func write(_ rgb: UnsafeMutableBufferPointer<UInt8>) {
    let payload = [Self.magic, UInt8(faces.count)] + faces.flatMap(\.bytes)
    let bytes = payload + Self.checksum(payload[...])
    let columns = width / Self.cell
    precondition(8 * bytes.count <= columns * (height / Self.cell), "the picture is too small for what it should say")
    for bit in 0..<8 * bytes.count {
      let value: UInt8 = bytes[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1 ? 255 : 0
      let (left, top) = (bit % columns * Self.cell, bit / columns * Self.cell)
      for y in top..<top + Self.cell {
        for i in 3 * (y * width + left)..<3 * (y * width + left + Self.cell) { rgb[i] = value }
      }
    }
  }

  /// The decoded faces; nil if there are no cells.
  package static func faces(in picture: PixelBuffer) -> [ScriptedFace]? {
    let columns = picture.width / cell
    let room = columns * (picture.height / cell) / 8
    func byte(_ index: Int) -> UInt8 {
      (8 * index..<8 * index + 8).reduce(0) { byte, bit in
        let (x, y) = (bit % columns * cell + 1, bit / columns * cell + 1)
        func level(_ x: Int, _ y: Int) -> Int { Int(picture.rgb[3 * (y * picture.width + x) + 1]) }
        let sum = level(x, y) + level(x + 1, y) + level(x, y + 1) + level(x + 1, y + 1)
        return byte << 1 | (sum > 4 * 127 ? 1 : 0)
      }
    }
    guard room >= 4, byte(0) == magic else { return nil }
    let size = 2 + Int(byte(1)) * ScriptedFace.byteCount
    guard size + 2 <= room else { return nil }
    let bytes = (0..<size + 2).map(byte)
    guard checksum(bytes[..<size]) == Array(bytes[size...]) else { return nil }
    return (0..<Int(bytes[1])).map { ScriptedFace(bytes: bytes[(2 + $0 * ScriptedFace.byteCount)...]) }
  }

  /// Fletcher-16.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (a, b) = (0, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 255
      b = (b + a) % 255
    }
    return [UInt8(b), UInt8(a)]
  }

  // ---- The face

  /// The forehead's colour, which survives crops and rotations, identifies the person: 27 colours. The embedder uses
  /// it.
  static let levels = [48.0, 128, 208]
  static func colour(of person: Int) -> SIMD3<Double> {
    SIMD3(levels[person / 9 % 3], levels[person / 3 % 3], levels[person % 3])
  }

  private func paint(_ rgb: UnsafeMutableBufferPointer<UInt8>, _ i: Int, _ colour: SIMD3<Double>) {
    let lit = colour * light
    for channel in 0..<3 { rgb[i + channel] = UInt8(max(0, min(255, lit[channel]))) }
  }

  private func draw(_ face: ScriptedFace, _ rgb: UnsafeMutableBufferPointer<UInt8>) {
    let (map, reach) = (face.planeMap, 2.2 * face.eyes)
    func clamped(_ value: Double, _ limit: Int) -> Int { Int(max(0, min(Double(limit), value))) }
    let person = Self.colour(of: face.person)
    Self.skin.withUnsafeBufferPointer { skin in
      for y in clamped(face.y - reach, height)..<clamped(face.y + reach, height) {
        for x in clamped(face.x - reach, width)..<clamped(face.x + reach, width) {
          let (dx, dy) = (Double(x) + 0.5 - face.x, Double(y) + 0.5 - face.y)
          let (u, v) = (map.a * dx + map.b * dy, map.c * dx + map.d * dy)
          let i = 3 * (y * width + x)
          if abs(u) < 0.35, v > -0.8, v < -0.35 {
            paint(rgb, i, person)
          } else if u * u / 1.1 + (v - 0.65) * (v - 0.65) / 1.6 < 1 {
            if wearsSunglasses, abs(v) < 0.3, abs(u) < 0.9 {
              paint(rgb, i, SIMD3(25, 25, 30))
            } else if wearsMask, v > 0.5 {
              paint(rgb, i, SIMD3(120, 160, 220))
            } else {
              let place = min(Self.rows - 1, Int((v + 1) * 100)) * Self.columns + Int((u + 1.28) * 100)
              paint(rgb, i, faceLight * SIMD3(190, 145, 120) * Double(skin[place]))
            }
          }
        }
      }
    }
  }

  private static let columns = 256
  private static let rows = 300

  /// The brightness of skin, in steps of a hundredth of the inter-eye distance: random detail at all scales, fainter at
  /// smaller ones, as in photos. No waves: they would be the pattern of displays.
  private static let skin: [Float] = {
    var sum = [Float](repeating: 1, count: columns * rows)
    for (octave, step) in [40, 20, 10, 5, 2].enumerated() {
      func lattice(_ x: Int, _ y: Int) -> Float {
        Float(randomBytes[(octave * 65_537 + y * 613 + x) & (randomBytes.count - 1)]) / 128 - 1
      }
      for y in 0..<rows {
        for x in 0..<columns {
          let (i, j) = (x / step, y / step)
          let (s, t) = (Float(x % step) / Float(step), Float(y % step) / Float(step))
          let upper = lattice(i, j) * (1 - s) + lattice(i + 1, j) * s
          let lower = lattice(i, j + 1) * (1 - s) + lattice(i + 1, j + 1) * s
          sum[y * columns + x] += (upper * (1 - t) + lower * t) * Float(step) / 40 * 0.15
        }
      }
    }
    return sum
  }()

  /// A million bytes of SplitMix64 (Steele, Lea & Flood, 2014).
  static let randomBytes: [UInt8] = {
    var state: UInt64 = 1
    return (0..<1 << 17).flatMap { _ in withUnsafeBytes(of: splitMix(&state)) { Array($0) } }
  }()

  static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
