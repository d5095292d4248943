/// One side of a comparison: a photo, or a template that was made from one earlier.
public enum FaceInput: Sendable {
  case photo(Photo)
  case template(FaceTemplate)

  /// Reads a file, which is a template or a photo by its content, whatever its name.
  ///
  /// - Throws: as ``Photo/init(path:limits:)`` and ``FaceTemplate/init(serialised:)``; the message names the file.
  public init(path: String, limits: ImageLimits = .init()) throws {
    let bytes = try RegularFile.read(path: path, maximumBytes: limits.maximumBytes)
    let name = RegularFile.oneLine(path)
    guard FaceTemplate.isTemplate(bytes) else {
      self = .photo(try Photo(bytes: bytes, limits: limits, name: name))
      return
    }
    do {
      self = .template(try FaceTemplate(serialised: bytes))
    } catch let error as VerifyError {
      throw VerifyError(error.code, "\(name): \(error.message)")
    }
  }
}
