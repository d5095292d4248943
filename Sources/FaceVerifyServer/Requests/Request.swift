internal import FaceVerifyBase
internal import FaceVerifyJourney

/// An HTTP request without its body.
package struct ServerRequest: Sendable {
  package let method: String
  /// Without the query.
  package let path: String
  package let query: [String: String]
  /// By lower-case name.
  package let headers: [String: String]
  /// Address of the client's connection.
  package let peer: String

  package init(method: String, target: String, headers: [String: String], peer: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    self.method = method
    path = parts.first ?? ""
    self.headers = headers
    self.peer = peer
    query = Dictionary(
      (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
        let name = pair.prefix { $0 != "=" }
        return (Self.decoded(name), Self.decoded(pair.dropFirst(name.count + 1)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Decodes application/x-www-form-urlencoded; an invalid sequence stands for itself.
  private static func decoded(_ text: Substring) -> String {
    var (bytes, rest) = ([UInt8](), text.utf8)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let digits = decodedHexadecimal(String(decoding: rest.prefix(2), as: UTF8.self)),
        digits.count == 1
      {
        bytes.append(digits[0])
        rest.removeFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bearer token of the Authorization header; empty if there is none.
  var token: String {
    let value = headers["authorization"] ?? ""
    return value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : ""
  }

  /// The digest of the bearer token; nil if it is not of this kind.
  func digest(of kind: Token.Kind) -> String? {
    token.hasPrefix(kind.rawValue) && token.utf8.count <= 64 ? Token.digest(token) : nil
  }

  var acceptsGzip: Bool {
    (headers["accept-encoding"] ?? "").split(separator: ",").contains {
      $0.trimmed.hasPrefix("gzip") && !$0.trimmed.hasSuffix("q=0")
    }
  }

  /// The media type of the body, without parameters.
  var contentType: String { (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased().trimmed }
}

extension StringProtocol {
  var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}

package struct ServerResponse: Sendable {
  package typealias Headers = [(name: String, value: String)]

  package var status: Int
  package var headers: Headers
  package var body: [UInt8]

  /// - Parameter type: the media type of the body; nil without one.
  package init(_ status: Int, _ type: String? = nil, _ body: [UInt8] = []) {
    (self.status, self.body, headers) = (status, body, type.map { [("Content-Type", $0)] } ?? [])
  }

  static func json(_ value: JSONValue, status: Int = 200) -> Self { Self(status, "application/json", value.canonical) }
}

/// An error response (RFC 9457).
package struct Problem: Error, Sendable, CustomStringConvertible {
  let status: Int
  let code: JourneyError.Code?
  let logicalError: LogicalError?
  /// One sentence: the error and its remedy.
  let detail: String
  /// Seconds.
  let retryAfter: Int?
  let headers: ServerResponse.Headers
  /// Additional members that a program needs to continue.
  var members: [String: JSONValue]
  package var description: String { "\(status): \(detail)" }

  init(
    _ status: Int, _ detail: String, code: JourneyError.Code? = nil, logicalError: LogicalError? = nil,
    retryAfter: Int? = nil, headers: ServerResponse.Headers = [], members: [String: JSONValue] = [:]
  ) {
    (self.status, self.detail, self.code, self.logicalError) = (status, detail, code, logicalError)
    (self.retryAfter, self.headers, self.members) = (retryAfter, headers, members)
  }

  init(_ error: LogicalError) { self.init(409, error.text, logicalError: error) }

  /// Maps an error of the library to a client or server error.
  static func of(_ error: any Error) -> Problem {
    switch error {
    case let error as Problem: return error
    case let error as LogicalError: return Problem(error)
    case is StoreFailure:
      return Problem(503, "The server's database is unavailable: try again.", code: .transport, retryAfter: 5)
    case let error as VerifyError:
      let status: Int? =
        switch error.code {
        case .badArgument: 400
        case .tooLarge: 413
        case .unknownFormat, .damaged, .unreadable, .noFace, .incompatibleTemplate, .unsupportedRate: 422
        case .wrongState, .busy: 409
        case .timeout, .cancelled: 503
        default: nil
        }
      var problem = status.map { Problem($0, error.message, retryAfter: $0 == 503 ? 5 : nil) } ?? .internalError
      problem.members["error"] = .string(error.code.rawValue)
      return problem
    default: return .internalError
    }
  }

  static func over(_ detail: String) -> Self { Problem(410, detail, code: .sessionOver) }
  static let ended = over("The session has ended: create a new one.")
  static let testSession = Problem(409, "A test session has no page: it ends as its request says.")
  static let unknown = Problem(404, "Not found.")
  static let portrait = Problem(400, "portrait must be a photo's file or a template, in base64.")
  static let internalError = Problem(500, "Internal error: see the server's log.", code: .resources)

  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 413: "Content Too Large",
    415: "Unsupported Media Type", 421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests",
    503: "Service Unavailable",
  ]

  func response(_ requestID: String) -> ServerResponse {
    let json = members.merging([
      "type": "about:blank", "title": .string(Self.titles[status] ?? "Internal Server Error"),
      "status": .integer(status), "code": .optional(code?.rawValue), "logicalError": .optional(logicalError?.rawValue),
      "retryable": .bool([408, 429, 503].contains(status) || code?.isRetryable == true), "detail": .string(detail),
      "requestId": .string(requestID),
    ]) { $1 }
    var response = ServerResponse(status, "application/problem+json", JSONValue.object(json).canonical)
    response.headers += headers
    if status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
    if let retryAfter { response.headers.append(("Retry-After", "\(retryAfter)")) }
    return response
  }
}
