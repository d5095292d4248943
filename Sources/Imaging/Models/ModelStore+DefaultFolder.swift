internal import Glibc

extension ModelStore {
  /// The folder in `FACEVERIFY_MODELS`, or else `share/faceverify/models` in the installation prefix, if it exists. The
  /// prefix is up to three folders above the program or library (`bin`, `lib`, `lib/x86_64-linux-gnu`).
  public static var defaultFolder: String? {
    if let named = getenv("FACEVERIFY_MODELS").map({ String(cString: $0) }), !named.isEmpty { return named }
    var folder = codeFile?.split(separator: "/").dropLast() ?? []
    for _ in 0..<3 where !folder.isEmpty {
      folder.removeLast()
      let models = folder.map { "/" + $0 }.joined() + "/share/faceverify/models"
      if access(models + "/manifest.json", F_OK) == 0 { return models }
    }
    return nil
  }

  /// Returns the folder to use; `named` is nil for ``defaultFolder``.
  ///
  /// - Throws: ``VerifyError/Code/modelMissing`` if there is no default folder.
  package static func folder(_ named: String?) throws -> String {
    guard let folder = named ?? defaultFolder else {
      throw VerifyError(
        .modelMissing,
        "no models folder found next to \(codeFile ?? "the program"): name the folder, or set FACEVERIFY_MODELS")
    }
    return folder
  }

  /// The file that this code was loaded from, program or library, with links resolved. The loader only has the name
  /// that it was given, which need not be a path; the kernel has the file.
  private static let codeFile: String? = {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    let here = UInt(bitPattern: #dsohandle)
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let line {
      // "start-end permissions offset device inode path"
      let fields = String(cString: line).dropLast().split(separator: " ", maxSplits: 5)
      let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard range.count == 2, range[0]..<range[1] ~= here else { continue }
      let path = fields.count == 6 ? fields[5].drop { $0 == " " } : ""
      return path.first == "/" ? String(path) : nil
    }
    return nil
  }()
}
