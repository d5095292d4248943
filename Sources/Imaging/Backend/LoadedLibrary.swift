internal import COpenSSL
internal import COpenVINO
internal import CVision

/// A third-party library in use.
package struct LoadedLibrary: Sendable, Hashable {
  package let name: String
  package let version: String

  /// Returns all third-party libraries with the versions loaded.
  package static func all() -> [LoadedLibrary] {
    let others: [(String, cvision_library)] = [
      ("OpenCV", CVISION_OPENCV), ("dlib", CVISION_DLIB), ("OpenBLAS", CVISION_OPENBLAS),
      ("libjpeg-turbo", CVISION_LIBJPEG), ("libpng", CVISION_PNG_LIBRARY), ("OpenJPEG", CVISION_OPENJPEG),
      ("libwebp", CVISION_LIBWEBP), ("Little CMS", CVISION_LCMS), ("libheif", CVISION_LIBHEIF),
    ]
    return [LoadedLibrary(name: "OpenVINO", version: InferenceRuntime.version)]
      + others.compactMap { name, library in
        var version = [CChar](repeating: 0, count: Int(CVISION_MESSAGE))
        guard cvision_library_version(library, &version) == 1 else { return nil }
        return LoadedLibrary(name: name, version: String(terminated: version))
      }
      + [LoadedLibrary(name: "OpenSSL", version: String(cString: copenssl_version()))]
  }
}
