internal import COpenSSL
internal import COpenVINO
internal import CVision

/// A library of others that the work is done with.
package struct LoadedLibrary: Sendable, Hashable {
  package let name: String
  package let version: String
  /// The file it was loaded from, links followed; empty if that is not known.
  package let path: String

  package static let openVINO = "OpenVINO"
  package static let blas = "BLAS"

  /// All of them, as they are loaded now.
  package static func all() -> [LoadedLibrary] {
    var found = [LoadedLibrary(name: openVINO, version: InferenceRuntime.version, path: "")]
    let others: [(String, cvision_library)] = [
      ("OpenCV", CVISION_OPENCV), ("dlib", CVISION_DLIB), (blas, CVISION_BLAS), ("libjpeg-turbo", CVISION_TURBOJPEG),
      ("libpng", CVISION_PNG_LIBRARY), ("OpenJPEG", CVISION_OPENJPEG), ("libwebp", CVISION_LIBWEBP),
      ("Little CMS", CVISION_LCMS), ("libheif", CVISION_LIBHEIF),
    ]
    for (name, library) in others {
      var version = [CChar](repeating: 0, count: Int(CVISION_MESSAGE))
      var path = version
      guard cvision_library_version(library, &version, &path) == 1 else { continue }
      found.append(LoadedLibrary(name: name, version: text(version), path: text(path)))
    }
    found.append(LoadedLibrary(name: "OpenSSL", version: String(cString: copenssl_version()), path: ""))
    return found
  }

  private static func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
