import CFaceVerify
import FaceAnalysis
import ScriptedModels
import TestSupport
import Testing

/// A minimal program with the C interface.
enum Program {
  /// A scripted engine, shared by all tests concurrently.
  nonisolated(unsafe) static let engine: OpaquePointer? = {
    installScriptedModels()
    return make(set: "scripted")
  }()

  /// The same with the installed models.
  nonisolated(unsafe) static let installed = make(set: "default")

  private static func make(set: String) -> OpaquePointer? {
    var engine: OpaquePointer?
    var options = fv_engine_options()
    options.struct_size = MemoryLayout<fv_engine_options>.size
    options.thread_count = 2
    Installed.models.withCString { folder in
      set.withCString { name in
        options.models_folder = folder
        options.model_set = name
        #expect(fv_engine_create(&engine, fv_version_number(), &options, nil, 0) == 0)
      }
    }
    return engine
  }

  static func image(_ name: String) throws -> OpaquePointer {
    var image: OpaquePointer?
    #expect(fv_image_from_file(&image, Installed.sample(name), nil, nil, 0) == 0)
    return try #require(image)
  }

  /// A grey picture without a face.
  static func plainImage(side: Int) throws -> OpaquePointer {
    try image([UInt8](repeating: 120, count: side * side), side, side, Int64(FV_PIXEL_FORMAT_GRAY8))
  }

  static func image(_ picture: ScriptedPicture) throws -> OpaquePointer {
    let pixels = try picture.pixels()
    return try image(pixels.rgb, pixels.width, pixels.height, Int64(FV_PIXEL_FORMAT_RGB8))
  }

  private static func image(_ pixels: [UInt8], _ width: Int, _ height: Int, _ format: Int64) throws -> OpaquePointer {
    var image: OpaquePointer?
    pixels.withUnsafeBytes { bytes in
      var view = fv_image_view()
      view.struct_size = MemoryLayout<fv_image_view>.size
      view.data = bytes.baseAddress
      view.byte_count = bytes.count
      view.width = Int64(width)
      view.height = Int64(height)
      view.pixel_format = format
      #expect(fv_image_from_pixels(&image, &view, nil, nil, 0) == 0)
    }
    return try #require(image)
  }

  /// A session for a request that does not expire, or for none.
  static func session(_ request: OpaquePointer? = nil) throws -> OpaquePointer {
    var session: OpaquePointer?
    #expect(fv_liveness_session_create(&session, engine, request, 0, nil, nil, 0) == 0)
    return try #require(session)
  }

  static func add(_ image: OpaquePointer, to session: OpaquePointer, at time: Double) -> fv_status {
    var frame = fv_liveness_frame()
    frame.struct_size = MemoryLayout<fv_liveness_frame>.size
    frame.image = image
    frame.time = time
    var feedback = fv_liveness_feedback()
    feedback.struct_size = MemoryLayout<fv_liveness_feedback>.size
    return fv_liveness_session_add(&feedback, session, &frame, nil, nil, 0)
  }

  /// The decision record, or the status as text.
  static func compare(
    _ selfie: OpaquePointer, _ portrait: OpaquePointer, by engine: OpaquePointer? = engine
  ) -> String {
    func input(_ image: OpaquePointer) -> fv_input {
      fv_input(struct_size: MemoryLayout<fv_input>.size, path: nil, image: image, face_template: nil)
    }
    var (one, other) = (input(selfie), input(portrait))
    var decision: OpaquePointer?
    let status = fv_engine_compare(&decision, engine, &one, &other, nil, nil, nil, 0)
    defer { fv_decision_free(decision) }
    return status == 0 ? String(cString: fv_decision_json(decision)) : String(cString: fv_status_name(status))
  }
}
