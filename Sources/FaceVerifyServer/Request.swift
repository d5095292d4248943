internal import FaceVerify

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
        return (String(name), String(pair.dropFirst(name.count + 1)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The bearer token of the Authorization header; empty if there is none.
  var token: String {
    let value = headers["authorization"] ?? ""
    return value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : ""
  }

  /// The media type of the body, without parameters.
  var contentType: String {
    (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased().trimmed
  }
}

extension StringProtocol {
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

package struct ServerResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(_ status: Int, _ type: String, _ body: [UInt8]) {
    self.status = status
    headers = [("Content-Type", type)]
    self.body = body
  }

  static func json(_ value: JSONValue, status: Int = 200) -> Self {
    Self(status, "application/json", value.canonical)
  }

  static var empty: Self {
    var response = Self(204, "", [])
    response.headers = []
    return response
  }

  func with(_ name: String, _ value: String) -> Self {
    var response = self
    response.headers.append((name, value))
    return response
  }
}

/// An error response (RFC 9457).
package struct Problem: Error, Sendable {
  let status: Int
  /// The ``JourneyError``, if the error is one.
  var code: JourneyError.Code?
  var logicalError: LogicalError?
  /// One sentence: the fault and its remedy.
  let detail: String
  /// Seconds.
  var retryAfter: Int?
  var headers: [(name: String, value: String)] = []
  /// Additional members that a program needs to continue.
  var members: [String: JSONValue] = [:]

  init(_ status: Int, _ detail: String, code: JourneyError.Code? = nil, retryAfter: Int? = nil) {
    (self.status, self.detail, self.code, self.retryAfter) = (status, detail, code, retryAfter)
  }

  init(_ error: LogicalError) {
    self.init(409, error.text)
    logicalError = error
  }

  /// Maps errors of the library to client errors and server errors.
  init(_ error: VerifyError) {
    let (status, code): (Int, JourneyError.Code?) =
      switch error.code {
      case .badArgument: (400, nil)
      case .tooLarge: (413, nil)
      case .unknownFormat, .damaged, .unreadable, .noFace, .incompatibleTemplate, .unsupportedRate: (422, nil)
      case .wrongState, .busy: (409, nil)
      case .timeout, .cancelled: (503, nil)
      default: (500, .resources)
      }
    self.init(status, status == 500 ? "The server could not do it; its log has the reason." : error.message, code: code)
    members["error"] = .string(error.code.rawValue)
  }

  static func of(_ error: any Error) -> Problem {
    switch error {
    case let error as Problem: error
    case let error as VerifyError: Problem(error)
    case let error as LogicalError: Problem(error)
    case is StoreFailure:
      Problem(503, "The server's database cannot be used now: try again.", code: .transport, retryAfter: 5)
    default: Problem(500, "The server could not do it; its log has the reason.", code: .resources)
    }
  }

  static func over(_ detail: String) -> Self { Problem(410, detail, code: .sessionOver) }
  static let unknown = Problem(404, "There is no such thing here.")

  private var title: String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 503: "Service Unavailable"
    default: "Internal Server Error"
    }
  }

  func response(_ requestID: String) -> ServerResponse {
    var members = members
    members["type"] = "about:blank"
    members["title"] = .string(title)
    members["status"] = .integer(status)
    members["code"] = code.map { .string($0.rawValue) } ?? .null
    members["logicalError"] = logicalError.map { .string($0.rawValue) } ?? .null
    members["retryable"] = .bool([408, 429, 503].contains(status) || code?.isRetryable == true)
    members["detail"] = .string(detail)
    members["requestId"] = .string(requestID)
    var response = ServerResponse(status, "application/problem+json", JSONValue.object(members).canonical)
    for (name, value) in headers { response = response.with(name, value) }
    if status == 401 { response = response.with("WWW-Authenticate", "Bearer") }
    if let retryAfter { response = response.with("Retry-After", "\(retryAfter)") }
    return response
  }
}
