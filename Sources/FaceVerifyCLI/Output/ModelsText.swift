import FaceVerify

/// The state of the models in words.
enum ModelsText {
  static func state(_ item: ModelInstallation.Item) -> Table.Cell {
    switch item.state {
    case .ok: .init("ok", .good)
    case .missing: .init("missing", .bad)
    case .mismatch: .init("wrong", .bad)
    }
  }

  /// What is wrong with a file and how to mend it; nil if it is right.
  static func problem(_ item: ModelInstallation.Item) -> String? {
    let remedy = item.remedy.map { "; \($0)" } ?? ""
    return switch item.state {
    case .ok: nil
    case .missing: "\(item.path) is missing\(remedy)"
    case .mismatch(let hash):
      "\(item.path) is not the model it should be: its SHA-256 is \(hash), expected \(item.model.sha256)\(remedy)"
    }
  }
}
