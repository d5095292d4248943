internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Writes one JSON object per line to standard error, without tokens, names, pictures or camera labels.
package struct ServerLog: Sendable {
  package enum Level: String, Sendable { case debug, info, warning, error }

  package init() {}

  package func callAsFunction(_ level: Level, _ message: String, _ members: [String: String] = [:]) {
    var line: [String: JSONValue] = members.mapValues(JSONValue.string)
    line["at"] = .string(timestamp(wallClock()))
    line["level"] = .string(level.rawValue)
    line["message"] = .string(message)
    let bytes = JSONValue.object(line).canonical + [10]
    // A failure to write the log must not stop the server.
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
