/// A server's permission for a program to run a journey, if the configuration requires one: the server's signature of
/// an account and an expiry time. The server must ensure that it is used only once.
///
/// Its text is base64url (RFC 4648, 5) of canonical JSON, a full stop, and base64url of the Ed25519 signature of the
/// text before the full stop.
public enum JourneyToken {
  static let product = "faceverify-journey-1"

  /// - Parameters:
  ///   - accountID: the account it is valid for; nil for any.
  ///   - expires: seconds since 1970 at which it expires.
  public static func make(accountID: String?, expires: Double, signedBy key: SigningKey) throws -> String {
    let content: JSONValue = [
      "product": .string(product), "account": .optional(accountID), "expires": .number(expires),
    ]
    let text = Base64.url.encode(content.canonical)
    return text + "." + Base64.url.encode(try key.signature(of: Array(text.utf8)))
  }

  /// - Throws: ``LogicalError/tokenValidationFailed`` for a token that is missing, altered, expired, of another
  ///   product, or for another account.
  static func check(_ token: String?, key: PublicKey, accountID: String?, at now: Double) throws {
    let parts = (token ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let signature = Base64.url.decode(parts[1]),
      let content = Base64.url.decode(parts[0]),
      key.verifies(signature, of: Array(parts[0].utf8)), let json = try? JSONValue(parsing: content),
      json["product"]?.string == product, let expires = json["expires"]?.double, now < expires,
      json["account"]?.string == nil || json["account"]?.string == accountID
    else { throw LogicalError.tokenValidationFailed }
  }
}
