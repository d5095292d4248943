public import CFaceVerify
internal import FaceVerify

final class ModelsObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "fv_models" }
  let installation: ModelInstallation
  let items: [ModelInstallation.Item]

  init(_ installation: ModelInstallation) {
    self.installation = installation
    items = installation.check()
  }
}

@c @implementation
public func fv_models_check(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ folder: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let named = try folder.map { try string($0, "models folder") }
    return ModelsObject(try ModelInstallation(folder: try FaceEngine.modelsFolder(named)))
  }
}

@c @implementation
public func fv_models_free(_ models: OpaquePointer?) { Handles.free(models, ModelsObject.self) }

@c @implementation
public func fv_models_count(_ models: OpaquePointer?) -> Int {
  Handles.find(models, ModelsObject.self)?.items.count ?? 0
}

@c @implementation
public func fv_models_at(
  _ out: UnsafeMutablePointer<fv_model>?, _ models: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try Handles.object(models, ModelsObject.self)
    let item = try object.items.element(index)
    try Structs.write(out) {
      var value = fv_model()
      value.id = object.text(item.model.id)
      value.role = object.text(item.model.role)
      value.version = object.text(item.model.version)
      value.licence = object.text(item.model.licence)
      value.path = object.text(item.path)
      value.remedy = object.text(item.remedy ?? "")
      value.state = item.state.number
      value.byte_count = Int64(item.model.size)
      value.is_optional = item.isOptional ? 1 : 0
      return value
    }
  }
}

@c @implementation
public func fv_models_json(_ models: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(models, ModelsObject.self).map { object in
    object.text("json") { object.installation.jsonValue(of: object.items).text }
  }
}

extension ModelStore.State {
  fileprivate var number: fv_model_state {
    switch self {
    case .ok: fv_model_state(FV_MODEL_STATE_OK)
    case .missing: fv_model_state(FV_MODEL_STATE_MISSING)
    case .mismatch: fv_model_state(FV_MODEL_STATE_MISMATCH)
    }
  }
}

extension Array {
  /// - Throws: ``VerifyError/Code/absent`` if there is no such element.
  func element(_ index: Int) throws -> Element {
    guard indices.contains(index) else { throw VerifyError(.absent, "there are \(count), and none is \(index)") }
    return self[index]
  }
}
