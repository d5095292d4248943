package import FaceVerify

package struct ServerConfiguration: Sendable {
  package enum Demonstration: Sendable {
    /// Allowed on a loopback address while there is no key.
    case automatic
    case on, off
  }

  package var host = "127.0.0.1"
  /// 0 for any free port.
  package var port = 8443
  package var adminPort = 8444
  /// Folder of the database, the keys, and results that could not be stored yet.
  package var dataFolder: String
  /// "postgres://…"; nil for SQLite in the data folder.
  package var database: String?
  package var node = "n1"
  /// The origin under which clients reach the server; nil for host and port.
  package var publicURL: String?
  /// PEM files; nil for plain HTTP.
  package var certificate: String?
  package var certificateKey: String?
  package var trust = TrustStore()
  /// The smart card reader of this machine at which pages may read a chip: its name or a part of it, empty for the only
  /// one with a card; nil for none.
  package var reader: String?
  package var demonstration = Demonstration.automatic
  /// Origins of pages that may embed this one and exchange messages with it.
  package var embedding: [String] = []
  /// Origins to which a page may lead the person at the end.
  package var returns: [String] = []
  /// Whether requests come from a trusted proxy, which reports client addresses.
  package var isBehindProxy = false
  /// For tests: an operator may choose the challenges.
  package var allowsScripts = false
  /// For tests: a camera label that names a file is not suspicious.
  package var trustsCameraLabels = false
  package var hasRateLimits = true
  /// "host:port" of webhook receivers that may be on this machine or its network.
  package var allowedCallbacks: [String] = []
  /// Folder with the page's files; nil for the embedded ones.
  package var pageFolder: String?
  /// Maximum number of concurrent attempts; nil to measure it.
  package var capacity: Int?

  package init(dataFolder: String) { self.dataFolder = dataFolder }

  package var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }
  /// Whether only programs of this machine reach the server.
  var isLocal: Bool { isLoopback && !isBehindProxy && publicURL == nil }
  package var isSecure: Bool { certificate != nil }

  /// - Throws: ``VerifyError/Code/badArgument``.
  package func check() throws {
    guard (certificate == nil) == (certificateKey == nil) else {
      throw VerifyError(.badArgument, "--tls-cert and --tls-key must be given together")
    }
    guard isLoopback || isSecure || isBehindProxy else {
      throw VerifyError(
        .badArgument,
        "on \(host) the page has no camera access: browsers require HTTPS. Give --tls-cert and --tls-key "
          + "(`faceverify serve certificate` makes both for a local network), or --behind-proxy if a proxy provides HTTPS"
      )
    }
    guard reader == nil || isLocal else {
      throw VerifyError(
        .badArgument,
        "--reader is for a page on this machine: anyone else who opens one could read the document on the reader. Omit "
          + "--host, --behind-proxy and --public-url, and run a server at each desk")
    }
    guard [port, adminPort].allSatisfy((0...65535).contains) else {
      throw VerifyError(.badArgument, "a port must be 0 to 65535")
    }
    guard !node.isEmpty, node.count <= 16, node.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      throw VerifyError(.badArgument, "--node must have 1 to 16 letters and digits, not \"\(node)\"")
    }
    if let publicURL {
      guard PlainURL.isOrigin(publicURL) else {
        throw VerifyError(
          .badArgument,
          "--public-url must be such as https://verify.example.com, without a path, not \"\(publicURL.printable)\"")
      }
    }
    for origin in embedding where !origin.hasPrefix("https://") && !origin.hasPrefix("http://") || origin.hasSuffix("/")
    {
      throw VerifyError(
        .badArgument, "--allow-embedding must be such as https://example.com, without a path, not \"\(origin)\"")
    }
    for origin in returns where !PlainURL.isOrigin(origin) || !PlainURL.isSafe(origin) {
      throw VerifyError(
        .badArgument,
        "--allow-return must be such as https://shop.example, without a path (http on this machine only), not "
          + "\"\(origin.printable)\"")
    }
  }
}
