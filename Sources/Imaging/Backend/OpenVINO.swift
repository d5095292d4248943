internal import COpenVINO
internal import Glibc

/// The OpenVINO inference runtime on the CPU. Each request runs on the thread that calls it.
package final class InferenceRuntime: Sendable {
  // OpenVINO's core is documented as thread-safe, and is immutable after creation.
  fileprivate nonisolated(unsafe) let core: OpaquePointer

  /// The number format in which its networks compute.
  package let precision: ModelVersion.Precision

  package init(_ precision: ModelVersion.Precision) throws {
    self.precision = precision
    core = try created { copenvino_core_create(&$0, precision.rawValue, $1) }
  }

  deinit { copenvino_core_free(core) }

  /// The runtime's build number.
  package static let version: String = {
    var text = [CChar](repeating: 0, count: 128)
    return copenvino_version(&text, text.count) == 1 ? String(terminated: text) : "unknown"
  }()

  package func compile(path: String) throws -> CompiledModel {
    CompiledModel(try created { copenvino_model_compile(core, path, &$0, $1) }, runtime: self)
  }

  /// - Parameters:
  ///   - bytes: Output of ``CompiledModel/exported()``; anything after `count` bytes is ignored.
  ///   - copies: The number of models to make.
  package func load(compiled bytes: [UInt8], count: Int, copies: Int) throws -> [CompiledModel] {
    let memory = CompiledBytes(bytes[..<count])
    return try (0..<copies).map { _ in
      let model = try created(.damaged) {
        copenvino_model_import(core, memory.bytes.baseAddress, memory.bytes.count, &$0, $1)
      }
      return CompiledModel(model, runtime: self, memory: memory)
    }
  }
}

/// The memory of imported models, which remain backed by it for their weights.
private final class CompiledBytes: Sendable {
  // Written in init only.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = .allocate(byteCount: bytes.count, alignment: 64)
    RegularFile.useLargePages(self.bytes)
    bytes.withUnsafeBytes { self.bytes.copyMemory(from: $0) }
  }

  deinit { bytes.deallocate() }
}

/// A compiled network. Thread-safe: its requests run one after the other.
package final class CompiledModel: Sendable {
  // Immutable after creation; OpenVINO allows creating requests on any thread.
  fileprivate nonisolated(unsafe) let model: OpaquePointer
  private let runtime: InferenceRuntime
  private let memory: CompiledBytes?

  fileprivate init(_ model: OpaquePointer, runtime: InferenceRuntime, memory: CompiledBytes? = nil) {
    (self.model, self.runtime, self.memory) = (model, runtime, memory)
  }

  deinit { copenvino_model_free(model) }

  /// Returns the serialised model for ``InferenceRuntime/load(compiled:count:copies:)``.
  package func exported() throws -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    try called { copenvino_model_export(model, &bytes, &count, $0) }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// The input and output tensors of a ``CompiledModel``, for one inference at a time. Not thread-safe.
package final class InferenceRequest {
  private let request: OpaquePointer
  private let model: CompiledModel
  /// Fill before each ``run()``.
  package private(set) var input: UnsafeMutableBufferPointer<Float>

  package init(_ model: CompiledModel) throws {
    let request = try created { copenvino_request_create(model.model, &$0, $1) }
    do { input = try Self.input(of: request) } catch {
      copenvino_request_free(request)
      throw error
    }
    self.model = model
    self.request = request
  }

  private static func input(of request: OpaquePointer) throws -> UnsafeMutableBufferPointer<Float> {
    var data: UnsafeMutablePointer<Float>?
    var count = 0
    try called { copenvino_request_input(request, &data, &count, $0) }
    return UnsafeMutableBufferPointer(start: data, count: count)
  }

  /// Replaces ``input`` by one of another shape, for a network whose input has dimensions that vary. The first run with
  /// a shape takes longer.
  package func reshape(_ shape: [Int]) throws {
    let dimensions = shape.map(Int64.init)
    try called { copenvino_request_reshape(request, dimensions, Int64(dimensions.count), $0) }
    input = try Self.input(of: request)
  }

  /// - Throws: ``VerifyError/Code/modelMismatch``, naming the network, if its input does not have `count` numbers.
  package convenience init(_ model: CompiledModel, of name: String, inputs count: Int) throws {
    try self.init(model)
    guard input.count == count else { throw VerifyError(.modelMismatch, "\(name)'s input has \(input.count) numbers") }
  }

  deinit { copenvino_request_free(request) }

  package func run() throws { try called { copenvino_request_run(request, $0) } }

  /// Returns output `index`, which must have `count` floats; valid until the next ``run()``.
  package func output(_ index: Int, count: Int) throws -> UnsafeBufferPointer<Float> {
    let numbers = try output(index)
    guard numbers.count == count else {
      throw VerifyError(.modelMismatch, "a model's output \(index) has \(numbers.count) numbers, not \(count)")
    }
    return numbers
  }

  /// Returns output `index`, of any length; valid until the next ``run()``.
  package func output(_ index: Int) throws -> UnsafeBufferPointer<Float> {
    var data: UnsafePointer<Float>?
    var found = 0
    try called { copenvino_request_output(request, index, &data, &found, $0) }
    return UnsafeBufferPointer(start: data, count: found)
  }
}

/// Calls a C function that returns 1 or writes an error message.
private func called(
  _ code: VerifyError.Code = .internalFailure, _ body: (UnsafeMutablePointer<CChar>?) -> Int32
) throws {
  var message = [CChar](repeating: 0, count: Int(COPENVINO_MESSAGE))
  let status = message.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  guard status == 1 else { throw VerifyError(code, String(terminated: message)) }
}

private func created(
  _ code: VerifyError.Code = .internalFailure,
  _ make: (inout OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int32
) throws -> OpaquePointer {
  var made: OpaquePointer?
  try called(code) { make(&made, $0) }
  guard let made else { throw VerifyError(code, "") }
  return made
}
