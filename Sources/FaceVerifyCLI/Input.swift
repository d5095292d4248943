import FaceVerifyCapture
import FaceVerifyStore
import Glibc

/// Files named by the user; `-` is standard input.
enum Input {
  /// Standard input, read once: all arguments `-` are the same bytes.
  private static let standard = Lock<[UInt8]?>(nil)

  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  static func bytes(_ path: String, maximumBytes: Int) throws -> [UInt8] {
    guard path == "-" else { return try RegularFile.read(path: path, maximumBytes: maximumBytes) }
    return try standard.withLock { kept in
      if let kept { return kept }
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(0, &part, part.count)
        if count == 0 { break }
        if count > 0 {
          bytes += part[..<count]
        } else if errno != EINTR {
          throw VerifyError(.unreadable, "standard input: \(RegularFile.reason(errno))")
        }
        guard bytes.count <= maximumBytes else {
          throw VerifyError(
            .tooLarge, "standard input has more than \(maximumBytes) bytes; shrink it, or raise the limit")
        }
      }
      kept = bytes
      return bytes
    }
  }

  static func photo(_ path: String, limits: ImageLimits = .init()) throws -> Photo {
    try Photo(bytes: bytes(path, maximumBytes: limits.maximumBytes), limits: limits, name: name(path))
  }

  /// Returns a template or a photo; the content determines which.
  static func face(_ path: String, limits: ImageLimits = .init()) throws -> FaceInput {
    let bytes = try bytes(path, maximumBytes: limits.maximumBytes)
    guard FaceTemplate.isTemplate(bytes) else {
      return .photo(try Photo(bytes: bytes, limits: limits, name: name(path)))
    }
    return .template(try VerifyError.naming(name(path)) { try FaceTemplate(serialised: bytes) })
  }

  static func isPhoto(_ path: String) -> Bool {
    guard path == "-" else { return FrameSource.isPhoto(path) }
    return (try? bytes(path, maximumBytes: ImageLimits().maximumBytes)).flatMap(PictureFormat.init(of:)) != nil
  }

  /// Returns the files, and in place of folders all photos in them.
  static func photos(_ paths: [String]) throws -> [String] {
    let files = try paths.flatMap { path -> [String] in
      guard Folder.isFolder(path) else { return [path] }
      return try Folder.files(in: path).filter(FrameSource.isPhoto)
    }
    guard !files.isEmpty else {
      throw VerifyError(.badArgument, "there is no photo in \(paths.joined(separator: ", "))")
    }
    return files
  }

  /// Returns the result of `work` for each photo, or the error, in the order of the files; messages name the file.
  static func each<Value: Sendable>(
    _ files: [String], limits: ImageLimits, threads: Int, keepsPictures: Bool,
    _ work: @escaping @Sendable (Photo) throws -> Value
  ) -> [Result<Value, VerifyError>] {
    Batch.run(files.count, threads: threads) { i in
      do { return .success(try work(photo(files[i], limits: limits).keepingPictures(if: keepsPictures))) } catch {
        let error = VerifyError(any: error)
        return .failure(VerifyError(error.code, error.message(naming: name(files[i]))).advised)
      }
    }
  }
}

extension FaceInput {
  /// The photo; an error, which names the file, for a template.
  func picture(_ path: String) throws -> Photo {
    guard case .photo(let photo) = self else { throw VerifyError(.badArgument, "\(Input.name(path)) is not a photo") }
    return photo
  }
}

extension VerifyError {
  /// An error of any kind; one that is not a ``VerifyError`` is a failure of the program.
  init(any error: any Error) { self = error as? VerifyError ?? VerifyError(.internalFailure, "\(error)") }

  /// The message, which begins with the name of a file unless it contains that.
  func message(naming file: String) -> String {
    message.contains(file.printable) ? message : "\(file.printable): \(message)"
  }
}

/// Folders given by the user. Hidden files are skipped.
enum Folder {
  /// Returns the path of every file in a folder and its subfolders, sorted by name.
  static func files(in folder: String, depth: Int = 0) throws -> [String] {
    // Links may form cycles.
    guard depth < 16 else { throw VerifyError(.unreadable, "\(folder): folders are too deep") }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    return try entries(of: folder).flatMap { entry in
      isFolder(start + entry) ? try files(in: start + entry, depth: depth + 1) : [start + entry]
    }
  }

  /// Every entry below a folder by its path in there, also hidden files. Whatever is no regular file and no folder with
  /// files is marked, so that it is not taken for a file.
  static func everything(in folder: String, below path: String = "", depth: Int = 0) throws -> [String] {
    guard depth < 16 else { throw VerifyError(.unreadable, "\(folder): folders are too deep") }
    return try entries(of: folder + path, areHidden: true).flatMap { entry -> [String] in
      let name = path + entry
      var status = stat()
      let kind = lstat(folder + name, &status) == 0 ? status.st_mode & S_IFMT : 0
      guard kind == S_IFDIR else { return [kind == S_IFREG ? name : name + " (no regular file)"] }
      let files = try everything(in: folder, below: name + "/", depth: depth + 1)
      return files.isEmpty ? [name + "/ (empty)"] : files
    }
  }

  static func entries(of folder: String, areHidden: Bool = false) throws -> [String] {
    try RegularFile.names(in: folder).map(\.name).filter { areHidden || !$0.hasPrefix(".") }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
