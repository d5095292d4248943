internal import CSQLite
internal import Glibc

/// Whether this machine can compare faces, and what prevents it.
package struct Diagnosis: Sendable {
  package let findings: [Finding]
  /// Whether no finding prevents comparing.
  package var isReady: Bool { !findings.contains { $0.status == .problem } }

  /// - Parameters:
  ///   - modelsFolder: nil for ``ModelStore/defaultFolder``.
  ///   - cacheFolder: nil for the user's default.
  package init(modelsFolder: String? = nil, cacheFolder: String? = nil) {
    let folder = modelsFolder ?? ModelStore.defaultFolder
    let cache = CompiledModelCache(folder: cacheFolder).folder
    findings =
      Self.machine() + Self.libraries() + Self.models(folder) + Self.cache(cache)
      + Self.space([("models", folder), ("cache", cache)]) + Self.cameras()
  }

  private static func libraries() -> [Finding] {
    LoadedLibrary.all().map { Finding($0.name, $0.version) } + [
      Finding("SQLite", String(cString: sqlite3_libversion()))
    ]
  }

  private static func models(_ folder: String?) -> [Finding] {
    modelFindings(folder).map(\.aboutModels)
  }

  private static func modelFindings(_ folder: String?) -> [Finding] {
    guard let folder else {
      return [
        Finding(
          "models", .problem, "no models folder is known", remedy: "set FACEVERIFY_MODELS to it, or name the folder")
      ]
    }
    let installation: ModelInstallation
    do {
      installation = try ModelInstallation(folder: folder)
    } catch {
      return [
        Finding("models", .problem, "\(error)", remedy: "name the folder that has manifest.json, then run this again")
      ]
    }
    // Missing optional files are reported per set, not per file.
    let items = installation.check().filter { $0.state == .ok || $0.isProblem }
    let used = installation.bestSet
    var findings: [Finding] = []
    for item in items where item.state != .ok {
      let value: String
      if case .mismatch(let hash) = item.state {
        value = "\(item.path): SHA-256 \(hash), expected \(item.model.sha256)"
      } else {
        value = "\(item.path) is missing"
      }
      let stops = item.sets.contains(used.rawValue)
      findings.append(Finding("model \(item.model.id)", stops ? .problem : .warning, value, remedy: item.remedy))
    }
    let needed = items.filter { $0.sets.contains(used.rawValue) }
    for role in ["score normalisation", "calibration"] where !needed.contains(where: { $0.model.role == role }) {
      findings.append(
        Finding(
          "model set \(used)", .problem, "the manifest in \(folder) names no \(role)",
          remedy: "use the models folder of version \(FaceVerifyVersion.string)"))
    }
    for (set, isInstalled, isOptional) in installation.sets where isOptional && !isInstalled {
      let gain = installation.gain(of: set).map { ": \($0)" } ?? ""
      findings.append(
        Finding(
          "model set \(set)", .warning, "not installed\(gain)",
          remedy: "install the model set \(set); all works without it"))
    }
    let good = items.count { $0.state == .ok }
    let installed = installation.sets.filter(\.isInstalled).map(\.set.rawValue).joined(separator: ", ")
    return [
      Finding(
        "models", "\(good) of \(items.count) files are right in \(folder)", isGood: good == items.count,
        remedy: "install the models"),
      Finding("model set", "\(used) is used; installed: \(installed.isEmpty ? "none" : installed)"),
    ] + findings
  }

  private static func cache(_ folder: String?) -> [Finding] {
    let cost = "models are compiled at every start, which takes seconds"
    guard let folder else {
      return [Finding("cache folder", .warning, "none: \(cost)", remedy: "set HOME or XDG_CACHE_HOME")]
    }
    do {
      try RegularFile.makeFolder(folder)
      _ = try TemporaryFile(for: folder + "/doctor")
      return [Finding("cache folder", folder)]
    } catch {
      let remedy = "make it writable, or set XDG_CACHE_HOME to another"
      return [Finding("cache folder", .warning, "\(error): \(cost)", remedy: remedy)]
    }
  }
}

/// The result of one check of this machine.
package struct Finding: Sendable {
  package enum Status: String, Sendable {
    case ok
    /// Works, but with limitations.
    case warning
    /// Prevents comparing.
    case problem
  }

  package let name: String
  package let status: Status
  package let value: String
  /// How to fix it; nil if nothing needs fixing.
  package let remedy: String?
  /// Whether it is about the models that are installed.
  package private(set) var isAboutModels = false

  /// A warning unless all is well.
  init(_ name: String, _ value: String, isGood: Bool = true, remedy: String? = nil) {
    self.init(name, isGood ? .ok : .warning, value, remedy: isGood ? nil : remedy)
  }

  init(_ name: String, _ status: Status, _ value: String, remedy: String?) {
    (self.name, self.status, self.value, self.remedy) = (name, status, value, remedy)
  }

  fileprivate var aboutModels: Finding {
    var finding = self
    finding.isAboutModels = true
    return finding
  }
}

extension Finding: JSONConvertible {
  package var jsonValue: JSONValue {
    ["name": .string(name), "status": .string(status.rawValue), "value": .string(value), "remedy": .optional(remedy)]
  }
}

extension Diagnosis: JSONConvertible {
  package var jsonValue: JSONValue {
    ["version": .string(FaceVerifyVersion.string), "ready": .bool(isReady), "findings": findings.jsonValue]
  }
}
