internal import COpenSSL
internal import COpenVINO
internal import CVision

/// A third-party library in use.
package struct LoadedLibrary: Sendable, Hashable {
  package let name: String
  package let version: String

  /// Returns all third-party libraries with the versions loaded.
  package static func all() -> [LoadedLibrary] {
    var libraries = [LoadedLibrary(name: "OpenVINO", version: InferenceRuntime.version)]
    var version = [CChar](repeating: 0, count: Int(CVISION_MESSAGE))
    var index = 0
    while let name = cvision_library(index, &version) {
      if version[0] != 0 { libraries.append(.init(name: String(cString: name), version: String(terminated: version))) }
      index += 1
    }
    return libraries + [LoadedLibrary(name: "OpenSSL", version: String(cString: copenssl_version()))]
  }
}
