public import CFaceVerify
internal import FaceVerify

final class EngineObject: HandleObject, @unchecked Sendable {
  // Sendable: FaceEngine is.
  override class var name: String { "engine" }
  let engine: FaceEngine

  init(_ engine: FaceEngine) { self.engine = engine }
}

/// A pointer of the program, which guarantees that it may be used on any thread.
struct UserPointer: @unchecked Sendable {
  let address: UnsafeMutableRawPointer?
}

@c @implementation
public func fv_engine_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ headerVersion: UInt32, _ options: UnsafePointer<fv_engine_options>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let library = fv_version_number()
    guard headerVersion > 0 else {
      throw VerifyError(.badArgument, "the header's version is 0; pass FV_VERSION_NUMBER")
    }
    guard headerVersion / 10000 == library / 10000, headerVersion / 100 <= library / 100 else {
      throw VerifyError(
        .version,
        "the program was compiled with the header of \(headerVersion / 10000).\(headerVersion / 100 % 100), the library "
          + "is \(FaceVerifyVersion.string): install a library of the same major and at least the same minor version")
    }
    let options = try Structs.read(options, defaults: fv_engine_options())
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = try options.models_folder.map { try string($0, "models folder") }
    configuration.cacheFolder = try options.cache_folder.map { try string($0, "cache folder") }
    if let set = options.model_set { configuration.modelSet = ModelSet(rawValue: try string(set, "model set")) }
    if let name = try options.precision.map({ try string($0, "precision") }) {
      guard let precision = FaceEngine.Precision(rawValue: name) else {
        throw VerifyError(.badArgument, "there is no precision \"\(name)\"; there are: f32, auto")
      }
      configuration.precision = precision
    }
    if options.thread_count != 0 { configuration.threads = Int(options.thread_count) }
    if let log = options.log {
      let user = UserPointer(address: options.log_user)
      configuration.log = { entry in
        entry.text.withCString { log(entry.level.number, $0, user.address) }
      }
    }
    return EngineObject(try FaceEngine(configuration))
  }
}

@c @implementation
public func fv_engine_free(_ engine: OpaquePointer?) { Handles.free(engine, EngineObject.self) }

@c @implementation
public func fv_engine_preload(
  _ engine: OpaquePointer?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) { try Handles.object(engine, EngineObject.self).engine.preload() }
}

@c @implementation
public func fv_engine_threshold(
  _ out: UnsafeMutablePointer<fv_threshold>?, _ engine: OpaquePointer?, _ falseMatchRate: Double,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let rate = try FalseMatchRate(checking: falseMatchRate)
    try Structs.write(out) {
      let threshold = try engine.threshold(at: rate)
      var value = fv_threshold()
      value.false_match_rate = rate.value
      let point = threshold.point
      value.score = point.score
      value.false_matches = Double(point.falseMatches)
      value.false_match_rate_lower = point.falseMatchRateBounds[0]
      value.false_match_rate_upper = point.falseMatchRateBounds[1]
      value.overall_false_match_rate = point.overallFalseMatchRate
      value.false_non_match_rate = point.falseNonMatchRate
      value.false_non_match_rate_lower = point.falseNonMatchRateBounds[0]
      value.false_non_match_rate_upper = point.falseNonMatchRateBounds[1]
      return value
    }
  }
}

@c @implementation
public func fv_engine_json(_ engine: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(engine, EngineObject.self).map { object in object.text("json") { object.engine.json } }
}
