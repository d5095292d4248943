public import CFaceVerify
internal import FaceVerify

final class TemplateObject: HandleObject, @unchecked Sendable {
  // Sendable: FaceTemplate is.
  override class var name: String { "template" }
  let template: FaceTemplate

  init(_ template: FaceTemplate) { self.template = template }
}

@c @implementation
public func fv_template_from_bytes(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ start: UnsafeRawPointer?, _ byteCount: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    // One byte above the size is enough to detect an invalid template.
    let serialised = try bytes(start, byteCount, "template").prefix(FaceTemplate.size + 1)
    return TemplateObject(try FaceTemplate(serialised: Array(serialised)))
  }
}

@c @implementation
public func fv_template_serialise(
  _ template: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ capacityBytes: Int,
  _ byteCount: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let template = try Handles.object(template, TemplateObject.self).template
    var serialised = template.serialised()
    defer { serialised.withUnsafeMutableBytes { wipe($0) } }
    try fill(
      buffer?.assumingMemoryBound(to: UInt8.self), capacityBytes, byteCount, items: serialised.count
    ) { serialised }
  }
}

@c @implementation
public func fv_template_describe(
  _ out: UnsafeMutablePointer<fv_template_info>?, _ template: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try Handles.object(template, TemplateObject.self)
    try Structs.write(out) {
      var value = fv_template_info()
      value.model_identifier = object.text(object.template.modelIdentifier)
      value.sha256 = object.text("sha256") { object.template.sha256 }
      value.quality = object.template.quality.map(Double.init) ?? .nan
      return value
    }
  }
}

@c @implementation
public func fv_template_free(_ template: OpaquePointer?) { Handles.free(template, TemplateObject.self) }
