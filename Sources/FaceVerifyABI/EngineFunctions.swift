public import CFaceVerify
internal import FaceVerify

final class EngineObject: Box<FaceEngine>, @unchecked Sendable {
  override var json: String { value.json }
}

/// A pointer of the program, which guarantees that it may be used on any thread.
struct UserPointer: @unchecked Sendable {
  let address: UnsafeMutableRawPointer?
}

@c @implementation public func fv_engine_create(
  _ out: NewHandle, _ headerVersion: UInt32, _ options: In<fv_engine_options>, _ message: Message, _ messageBytes: Int
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
    configuration.modelsFolder = try optionalString(options.models_folder, "models folder")
    configuration.cacheFolder = try optionalString(options.cache_folder, "cache folder")
    configuration.modelSet = try optionalString(options.model_set, "model set").map(ModelSet.init(rawValue:))
    if let name = try optionalString(options.precision, "precision") {
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
public func fv_engine_preload(_ engine: Handle, _ message: Message, _ messageBytes: Int) -> fv_status {
  attempt(message, messageBytes) { try EngineObject.value(of: engine).preload() }
}

@c @implementation public func fv_engine_threshold(
  _ out: Out<fv_threshold>, _ engine: Handle, _ falseMatchRate: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  fv_engine_threshold_among(out, engine, falseMatchRate, nil, message, messageBytes)
}

@c @implementation public func fv_engine_threshold_among(
  _ out: Out<fv_threshold>, _ engine: Handle, _ falseMatchRate: Double, _ among: Text, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let rate = try FalseMatchRate(checking: falseMatchRate).among(FalseMatchRate.Population(among))
    try Structs.write(out) {
      let point = try engine.threshold(at: rate).point
      var value = fv_threshold()
      value.false_match_rate = rate.value
      value.score = point.score
      value.false_matches = Double(point.falseMatches)
      value.false_match_rate_lower = point.falseMatchRateBounds[0]
      value.false_match_rate_upper = point.falseMatchRateBounds[1]
      value.overall_false_match_rate = point.overallFalseMatchRate
      value.overall_false_match_rate_lower = point.overallFalseMatchRateBounds[0]
      value.overall_false_match_rate_upper = point.overallFalseMatchRateBounds[1]
      value.false_non_match_rate = point.falseNonMatchRate
      value.false_non_match_rate_lower = point.falseNonMatchRateBounds[0]
      value.false_non_match_rate_upper = point.falseNonMatchRateBounds[1]
      return value
    }
  }
}

// MARK: Budget

final class CancellationObject: Box<Cancellation>, @unchecked Sendable {}

@c @implementation
public func fv_cancellation_create(_ out: NewHandle, _ message: Message, _ messageBytes: Int) -> fv_status {
  create(out, message, messageBytes) { CancellationObject(Cancellation()) }
}

@c @implementation public func fv_cancellation_cancel(_ cancellation: Handle) {
  CancellationObject.find(cancellation)?.value.cancel()
}

extension Budget {
  /// Starts its time now.
  init(_ pointer: In<fv_budget>) throws {
    let budget = try Structs.read(pointer, defaults: fv_budget())
    guard budget.seconds >= 0 else {
      throw VerifyError(.badArgument, "a budget has a number of seconds, or 0: unlimited; not \(budget.seconds)")
    }
    let cancellation = budget.cancellation == nil ? nil : try CancellationObject.value(of: budget.cancellation)
    self.init(seconds: budget.seconds == 0 ? nil : budget.seconds, cancellation: cancellation)
  }
}

// MARK: Models

final class ModelsObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  private let installation: ModelInstallation
  let elements: [ModelInstallation.Item]

  init(_ installation: ModelInstallation) {
    self.installation = installation
    elements = installation.check()
  }

  override var json: String { installation.jsonValue(of: elements).text }
}

@c @implementation
public func fv_models_check(_ out: NewHandle, _ folder: Text, _ message: Message, _ messageBytes: Int) -> fv_status {
  create(out, message, messageBytes) {
    let folder = try ModelStore.folder(try optionalString(folder, "models folder"))
    return ModelsObject(try ModelInstallation(folder: folder))
  }
}

extension fv_model {
  init(_ item: ModelInstallation.Item, of owner: HandleObject) {
    self.init()
    id = owner.text(item.model.id)
    role = owner.text(item.model.role)
    version = owner.text(item.model.version)
    licence = owner.text(item.model.licence)
    path = owner.text(item.path)
    remedy = owner.text(item.remedy ?? "")
    switch item.state {
    case .ok: state = fv_model_state(FV_MODEL_STATE_OK)
    case .missing: state = fv_model_state(FV_MODEL_STATE_MISSING)
    case .mismatch: state = fv_model_state(FV_MODEL_STATE_MISMATCH)
    }
    byte_count = Int64(item.model.size)
    is_optional = fv_bool(item.isOptional)
  }
}
