internal import Glibc

/// The addresses to which webhooks may be sent: those of other networks.
package enum PublicAddress {
  /// Blocks that are not reachable over the internet, and multicast: IANA IPv4 Special-Purpose Address Registry.
  private static let special4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/3",
  ].compactMap(Block.init)
  /// The likes of IPv6 within 2000::/3, which alone has global unicast addresses (RFC 4291; the IANA IPv6 registry):
  /// protocol assignments with Teredo, documentation, and 6to4, which leads to any IPv4 address.
  private static let special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap(Block.init)
  /// IPv4-mapped, and NAT64 of the well-known prefix (RFC 6052): as the IPv4 address that they embed.
  private static let embedding = ["::ffff:0:0/96", "64:ff9b::/96"].compactMap(Block.init)
  private static let global = Block("2000::/3")

  /// - Parameter address: an IPv4 or IPv6 address; anything else is not public.
  package static func isPublic(_ address: String) -> Bool {
    guard let bytes = bytes(address) else { return false }
    if bytes.count == 4 { return isPublic(bytes) }
    if embedding.contains(where: { $0.contains(bytes) }) { return isPublic(Array(bytes[12...])) }
    return global?.contains(bytes) == true && !special6.contains { $0.contains(bytes) }
  }

  private static func isPublic(_ v4: [UInt8]) -> Bool { !special4.contains { $0.contains(v4) } }

  private static func bytes(_ address: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes[..<4]) }
    return inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : nil
  }

  private struct Block: Sendable {
    let prefix: [UInt8]
    let bits: Int

    /// - Parameter text: such as "10.0.0.0/8".
    init?(_ text: String) {
      let parts = text.split(separator: "/")
      guard parts.count == 2, let bytes = bytes(String(parts[0])), let bits = Int(parts[1]) else { return nil }
      (prefix, self.bits) = (bytes, bits)
    }

    func contains(_ address: [UInt8]) -> Bool {
      zip(prefix, address).enumerated().allSatisfy { index, pair in
        let free = max(0, min(8, 8 * (index + 1) - bits))
        return pair.0 >> free == pair.1 >> free
      }
    }
  }
}
