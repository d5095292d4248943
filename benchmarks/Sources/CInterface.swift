import Foundation

/// The installed library, called like from a C program, in the same process as the Swift module: alternating
/// measurements run under the same conditions.
struct CInterface {
  private typealias Create = @convention(c) (
    UnsafeMutablePointer<OpaquePointer?>, UInt32, UnsafeRawPointer?, UnsafeMutablePointer<CChar>?, Int
  ) -> Int32
  private typealias FromBytes = @convention(c) (
    UnsafeMutablePointer<OpaquePointer?>, UnsafeRawPointer?, Int, UnsafeRawPointer?, UnsafeMutablePointer<CChar>?, Int
  ) -> Int32
  private typealias Compare = @convention(c) (
    UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer?,
    UnsafeRawPointer?, UnsafeMutablePointer<CChar>?, Int
  ) -> Int32
  private typealias Result = @convention(c) (OpaquePointer?) -> Int64
  private typealias Free = @convention(c) (OpaquePointer?) -> Void

  private let engine: OpaquePointer?
  private let fromBytes: FromBytes
  private let compareInputs: Compare
  private let result: Result
  private let freeImage: Free
  private let freeDecision: Free

  init(library path: String) throws {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure(dlerror().map { String(cString: $0) } ?? "\(path) cannot be loaded")
    }
    func function<Type>(_ name: String, _ type: Type.Type) throws -> Type {
      guard let address = dlsym(library, name) else { throw Failure("\(path) has no \(name)") }
      return unsafeBitCast(address, to: type)
    }
    fromBytes = try function("fv_image_from_bytes", FromBytes.self)
    compareInputs = try function("fv_engine_compare", Compare.self)
    result = try function("fv_decision_result", Result.self)
    freeImage = try function("fv_image_free", Free.self)
    freeDecision = try function("fv_decision_free", Free.self)
    let version = try function("fv_version_number", (@convention(c) () -> UInt32).self)()
    var engine: OpaquePointer?
    guard try function("fv_engine_create", Create.self)(&engine, version, nil, nil, 0) == 0 else {
      throw Failure("\(path): no engine could be made")
    }
    self.engine = engine
  }

  /// One comparison, from bytes to decision, including everything that a program creates and frees for it.
  func compare(_ photos: Photos) throws {
    var (selfie, portrait): (OpaquePointer?, OpaquePointer?)
    var decision: OpaquePointer?
    defer {
      freeDecision(decision)
      freeImage(selfie)
      freeImage(portrait)
    }
    // fv_input: its size, path, image, template.
    func input(_ image: OpaquePointer?) -> [UInt] { [32, 0, UInt(bitPattern: image), 0] }
    guard fromBytes(&selfie, photos.selfie, photos.selfie.count, nil, nil, 0) == 0,
      fromBytes(&portrait, photos.portrait, photos.portrait.count, nil, nil, 0) == 0,
      compareInputs(&decision, engine, input(selfie), input(portrait), nil, nil, nil, 0) == 0, result(decision) == 1
    else { throw Failure("the C interface: the same person does not match") }
  }
}
