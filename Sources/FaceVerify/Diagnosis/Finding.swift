/// One thing that was looked at on this machine.
package struct Finding: Sendable {
  package enum Status: String, Sendable {
    case ok
    /// Works, but not as well as it could.
    case warning
    /// Stops comparing.
    case problem
  }

  package let name: String
  package let status: Status
  package let value: String
  /// How to mend it; nil if there is nothing to mend.
  package let remedy: String?

  init(_ name: String, _ value: String) {
    self.init(name, .ok, value, remedy: nil)
  }

  init(_ name: String, _ status: Status, _ value: String, remedy: String?) {
    self.name = name
    self.status = status
    self.value = value
    self.remedy = remedy
  }
}

extension Finding: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "name": .string(name), "status": .string(status.rawValue), "value": .string(value),
      "remedy": .optional(remedy),
    ]
  }
}
