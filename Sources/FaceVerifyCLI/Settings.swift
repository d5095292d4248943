import ArgumentParser
import FaceVerify
import Glibc

/// The configuration file: defaults for options, under their names.
/// An option precedes the environment, which precedes the file. Unknown names and values are usage errors.
struct Settings: Sendable {
  private(set) var policy: LivenessPolicy?
  private(set) var quality: Quality?
  private(set) var fmr: FalseMatchRate?
  private(set) var fpir: FalseMatchRate?
  private(set) var set: ModelSet?
  private(set) var precision: EngineOptions.Precision?
  private(set) var modelsFolder: String?
  private(set) var trust: String?
  private(set) var pins: [String] = []

  static let names = ["policy", "quality", "fmr", "fpir", "set", "precision", "models-folder", "trust", "pin"]

  private static let loaded = Lock(Settings())
  static var current: Settings { loaded.withLock { $0 } }

  /// - Parameter path: nil for the user's own file, which need not exist.
  static func load(_ path: String?) throws {
    let base = environment("XDG_CONFIG_HOME") ?? environment("HOME").map { $0 + "/.config" }
    let standard = base.map { $0 + "/faceverify/config.json" }.flatMap { RegularFile.exists($0) ? $0 : nil }
    guard let path = path ?? standard else { return }
    let settings = try Settings(parsing: Input.bytes(path, maximumBytes: 1 << 20), at: path)
    loaded.withLock { $0 = settings }
  }

  /// - Parameter path: of the file; folders that it names are relative to its own.
  init(parsing bytes: [UInt8], at path: String) throws {
    guard case .object(let members) = try VerifyError.naming(path, { try JSONValue(parsing: bytes) }) else {
      throw ValidationError("\(path): the configuration is no JSON object")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
        // A rate may also be a number.
        guard let text = value.string ?? value.double.map({ "\($0)" }), let parsed = parse(text) else {
          throw ValidationError("\(path): \(name) cannot be \(value.text.filter { !$0.isNewline })")
        }
        return parsed
      }
      switch name {
      case "policy": policy = try parsed(LivenessPolicy.init(argument:))
      case "quality": quality = try parsed(Quality.init(rawValue:))
      case "fmr": fmr = try parsed(FalseMatchRate.init(argument:))
      case "fpir": fpir = try parsed(FalseMatchRate.init(argument:))
      case "set":
        // The name of the folder precedes this one in the order of names.
        let models = environment("FACEVERIFY_MODELS") ?? modelsFolder
        set = try parsed { try? ModelSet(named: $0, in: models) }
      case "precision": precision = try parsed(EngineOptions.Precision.init(rawValue:))
      case "models-folder": modelsFolder = try parsed { $0.hasPrefix("/") ? $0 : folder + $0 }
      case "trust": trust = try parsed { $0.hasPrefix("/") ? $0 : folder + $0 }
      case "pin": pins = value.elements.isEmpty ? [try parsed { $0 }] : value.elements.compactMap(\.string)
      default:
        throw ValidationError("\(path): unknown name \"\(name)\"; known are \(Self.names.joined(separator: ", "))")
      }
    }
  }

  private init() {}
}

/// Returns a variable of the environment; nil if it is unset or empty.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
