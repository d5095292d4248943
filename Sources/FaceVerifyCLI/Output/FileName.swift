import FaceVerify

enum FileName {
  /// The last part of a path, in one line.
  static func last(_ path: String) -> String {
    RegularFile.oneLine(path.split(separator: "/").last.map(String.init) ?? path)
  }
}
