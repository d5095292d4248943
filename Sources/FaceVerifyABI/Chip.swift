public import CFaceVerify
internal import FaceVerify

final class ChipObject: HandleObject, @unchecked Sendable {
  // Sendable: the files are guarded by their lock.
  override class var name: String { "chip" }
  let files: Lock<ChipFiles>

  init(_ files: ChipFiles) { self.files = Lock(files) }

  /// The current files of a handle; nil if it is NULL.
  static func files(_ handle: OpaquePointer?) throws -> ChipFiles? {
    guard handle != nil else { return nil }
    let files = try Handles.object(handle, Self.self).files.withLock { $0 }
    guard !files.files.isEmpty else { throw VerifyError(.badArgument, "the chip has no files: add some first") }
    return files
  }
}

@c @implementation
public func fv_chip_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ folder: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    ChipObject(try folder.map { try ChipFiles(folder: try string($0, "folder")) } ?? ChipFiles())
  }
}

@c @implementation
public func fv_chip_free(_ chip: OpaquePointer?) { Handles.free(chip, ChipObject.self) }

@c @implementation
public func fv_chip_add(
  _ chip: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?, _ byteCount: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try Handles.object(chip, ChipObject.self)
    // As text, a byte takes up to three characters.
    let (name, content) = try file(name, start, byteCount, limit: 3 * ChipFiles.maximumFileBytes)
    try object.files.withLock { _ = try $0.add(content, name: name) }
  }
}
