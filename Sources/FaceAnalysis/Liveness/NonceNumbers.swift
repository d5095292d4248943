/// Numbers drawn from a nonce as ``ChallengeScript`` documents it; other labels give other numbers.
struct NonceNumbers {
  private let prefix: [UInt8]
  private var block: UInt32 = 0
  private var numbers: ArraySlice<UInt32> = []

  init(_ label: String, nonce: [UInt8]) {
    prefix = Array(label.utf8) + Self.bytes(UInt32(nonce.count)) + nonce
  }

  mutating func below(_ count: Int) -> Int {
    let count = UInt32(count)
    // The largest multiple of `count` that has 32 bits, less one: without the rest, all remainders are equally likely.
    let last = UInt32.max - (UInt32.max % count + 1) % count
    while true {
      let number = next()
      if number <= last { return Int(number % count) }
    }
  }

  private mutating func next() -> UInt32 {
    if numbers.isEmpty {
      let hash = sha256Bytes(prefix + Self.bytes(block))
      block += 1
      numbers = stride(from: 0, to: 32, by: 4).map { i in hash[i..<i + 4].reduce(0) { $0 << 8 | UInt32($1) } }[...]
    }
    return numbers.removeFirst()
  }

  private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
