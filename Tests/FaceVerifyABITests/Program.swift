import CFaceVerify
import Glibc
import Testing

/// What a program does with the C interface, in the fewest lines. Models and samples are found as the other tests do.
enum Program {
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private static func folder(_ variable: String, _ standard: String) -> String {
    getenv(variable).map { String(cString: $0) } ?? root + "/" + standard
  }

  private static let models = folder("FACEVERIFY_MODELS", "models")
  private static let samples = folder("FACEVERIFY_SAMPLES", ".deps/samples")

  static let isReady =
    access(models + "/dlib_face_recognition_resnet_model_v1.bin", R_OK) == 0
    && access(samples + "/biden.jpg", R_OK) == 0

  /// One for all tests, which it serves at the same time.
  nonisolated(unsafe) static let engine: OpaquePointer? = {
    var engine: OpaquePointer?
    var options = fv_engine_options()
    options.struct_size = MemoryLayout<fv_engine_options>.size
    options.thread_count = 2
    models.withCString { folder in
      options.models_folder = folder
      #expect(fv_engine_create(&engine, UInt32(FV_VERSION_NUMBER), &options, nil, 0) == 0)
    }
    return engine
  }()

  static func image(_ name: String) throws -> OpaquePointer {
    var image: OpaquePointer?
    #expect(fv_image_from_file(&image, samples + "/" + name, nil, nil, 0) == 0)
    return try #require(image)
  }

  /// A grey picture, which shows nobody.
  static func plainImage(side: Int) throws -> OpaquePointer {
    let pixels = [UInt8](repeating: 120, count: side * side)
    var image: OpaquePointer?
    pixels.withUnsafeBytes { bytes in
      var view = fv_image_view()
      view.struct_size = MemoryLayout<fv_image_view>.size
      view.data = bytes.baseAddress
      view.byte_count = bytes.count
      view.width = Int64(side)
      view.height = Int64(side)
      view.pixel_format = Int64(FV_PIXEL_FORMAT_GRAY8)
      #expect(fv_image_from_pixels(&image, &view, nil, nil, 0) == 0)
    }
    return try #require(image)
  }

  /// Of a request that never expires, or of none.
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
  static func compare(_ selfie: OpaquePointer, _ portrait: OpaquePointer) -> String {
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

extension Trait where Self == ConditionTrait {
  static var needsProgram: Self {
    .enabled(
      if: Program.isReady, "no models or no sample photos: name them in FACEVERIFY_MODELS and FACEVERIFY_SAMPLES")
  }
}
