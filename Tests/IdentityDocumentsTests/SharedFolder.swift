import Glibc

/// The folder of test data that are not part of the product: `FACEVERIFY_SHARED`, or `shared` beside the repository.
enum SharedFolder {
  /// Links are followed: a package may link to these tests.
  static let repository = {
    guard let resolved = realpath(#filePath, nil) else { return "" }
    defer { free(resolved) }
    return "/" + String(cString: resolved).split(separator: "/").dropLast(3).joined(separator: "/")
  }()

  static let path = getenv("FACEVERIFY_SHARED").map { String(cString: $0) } ?? repository + "/../shared"
}
