internal import FaceVerify
internal import FaceVerifyBase

/// A request to a receiver. It is attempted up to 8 times within a day.
package struct Webhook: Sendable {
  package let id: String
  package let url: String
  package let body: String
  /// The header FV-Signature; nil if no valid key of the tenant allows this address any more.
  package let signature: String?
  let receiver: String
  private let tries: Int

  /// The outcome of an attempt.
  package struct Attempt: Sendable {
    /// Why a webhook was not delivered.
    package enum Fault: String, Sendable {
      /// No valid key of the tenant allows the address any more.
      case noKey = "no-key"
      /// The address is not HTTPS, or on this machine or a private network.
      case addressRefused = "address-refused"
      case noResponse = "no-response"
      /// The receiver's status is not 2xx.
      case refused
    }

    /// The receiver's; nil if it did not respond.
    let status: Int?
    /// nil if the receiver accepted the webhook.
    let fault: Fault?

    package init(status: Int? = nil, fault: Fault? = nil) { (self.status, self.fault) = (status, fault) }
  }

  private static let pauses: [Double] = [60, 300, 900, 3600, 7200, 21600, 43200]

  /// - Parameter secrets: each produces one signature.
  init(_ event: ServerStore.Event, to url: String, secrets: [String], at now: Double) {
    (id, self.url, tries) = (event.id, url, event.tries)
    body = JSONValue.object(event.members).text
    receiver = event.receiver
    let time = Int(now)
    let signed = Array("\(time).\(body)".utf8)
    let signatures = secrets.map { ",v1=" + hexadecimal(hmacSHA256(key: Array($0.utf8), signed)) }
    signature = secrets.isEmpty ? nil : "t=\(time)" + signatures.joined()
  }

  var isLast: Bool { signature == nil || tries > Self.pauses.count }
  var patience: Double { Self.pauses[min(max(tries - 1, 0), Self.pauses.count - 1)] }
}

extension FaceServer {
  /// Maximum number of concurrent deliveries per receiver.
  private static let deliveriesEach = 4

  /// Returns the webhooks that are due. The caller must report each with ``delivered(_:_:)``.
  package func dueWebhooks() -> [Webhook] {
    let now = clock.wall
    do {
      let due = try store.takeDue(
        at: now, again: now + 120, busy: deliveries.withLock { $0 }, each: Self.deliveriesEach)
      guard !due.isEmpty else { return [] }
      let keys = try store.keys().filter { $0.revoked == nil && $0.expires ?? .infinity > now }
      let webhooks = due.compactMap { event -> Webhook? in
        guard let url = event.url else { return nil }
        let secrets = keys.compactMap { key -> String? in
          guard key.tenant == event.tenant, key.callbacks.contains(where: { PlainURL.allows($0, url) })
          else { return nil }
          do { return try self.secrets.open(key.secret, for: key.id) } catch {
            log(.error, "\(error)")
            return nil
          }
        }
        return Webhook(event, to: url, secrets: secrets, at: now)
      }
      deliveries.withLock { open in for webhook in webhooks { open[webhook.receiver, default: 0] += 1 } }
      return webhooks
    } catch {
      log(.error, "cannot read the outbox: \(error)")
      return []
    }
  }

  package func delivered(_ webhook: Webhook, _ attempt: Webhook.Attempt) {
    deliveries.withLock { $0.take(1, from: webhook.receiver) }
    let (isTaken, now) = (attempt.fault == nil, clock.wall)
    do {
      try store.settle(webhook.id, attempt, due: isTaken || webhook.isLast ? nil : now + webhook.patience, at: now)
      metrics.count("fv_webhook_total", "outcome=\"\(isTaken ? "taken" : webhook.isLast ? "given-up" : "put-off")\"")
    } catch {
      log(.error, "cannot update the outbox: \(error)")
    }
  }
}

/// HTTP URLs that are unambiguous to all parsers.
enum PlainURL {
  /// Whether a URL equals the allowed one or is below it.
  static func allows(_ allowed: String, _ url: String) -> Bool {
    guard isPlain(url) else { return false }
    return url == allowed || url.hasPrefix(allowed.hasSuffix("/") ? allowed : allowed + "/")
      || url.hasPrefix(allowed + "?")
  }

  /// Whether a URL has only scheme, host and port.
  static func isOrigin(_ url: String) -> Bool {
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    return isPlain(url) && rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
  }

  /// Whether an origin is HTTPS, or on this machine.
  static func isSafe(_ origin: String) -> Bool {
    let host = origin.dropFirst("http://".count)
    return origin.hasPrefix("https://")
      || ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix($0 + ":") }
  }

  /// Whether a URL has no user, fragment, dot segments (RFC 3986, 5.2.4) or characters that must be encoded.
  static func isPlain(_ url: String) -> Bool {
    guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= 2000,
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains(where: { "\\\"<>^`{|}#".contains($0) })
    else { return false }
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count).prefix { $0 != "?" }.lowercased()
    let segments = path.split(separator: "/").map {
      $0.split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
    }
    return !authority.isEmpty && !authority.contains("@") && !segments.contains(".") && !segments.contains("..")
      && !path.contains("%2f") && !path.contains("%5c")
  }
}
