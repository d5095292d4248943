#if canImport(Glibc)
  import Glibc
#endif

/// The folder of test data that are not part of the product: `FACEVERIFY_SHARED`, or `shared` beside the repository.
enum SharedFolder {
  static let path: String = {
    if let named = getenv("FACEVERIFY_SHARED") { return String(cString: named) }
    let repository = #filePath.split(separator: "/").dropLast(3)
    return "/" + repository.dropLast().joined(separator: "/") + "/shared"
  }()
}
