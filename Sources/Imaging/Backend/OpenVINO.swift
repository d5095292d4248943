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
    core = try created(.internalFailure) { copenvino_core_create(&$0, precision.rawValue, $1) }
  }

  deinit { copenvino_core_free(core) }

  /// The runtime's build number.
  package static let version: String = {
    var text = [CChar](repeating: 0, count: 128)
    return copenvino_version(&text, text.count) == 1 ? string(text) : "unknown"
  }()

  package func compile(path: String) throws -> CompiledModel {
    CompiledModel(
      try created(.internalFailure) { copenvino_model_compile(core, path, &$0, $1) }, runtime: self)
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
    self.model = model
    self.runtime = runtime
    self.memory = memory
  }

  deinit { copenvino_model_free(model) }

  /// Returns the serialised model for ``InferenceRuntime/load(compiled:count:copies:)``.
  package func exported() throws -> [UInt8] {
    var message = Message()
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard copenvino_model_export(model, &bytes, &count, &message.text) == 1 else {
      throw VerifyError(.internalFailure, message.line)
    }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// The input and output tensors of a ``CompiledModel``, for one inference at a time. Not thread-safe.
package final class InferenceRequest {
  private let request: OpaquePointer
  private let model: CompiledModel
  /// Fill before each ``run()``.
  package let input: UnsafeMutableBufferPointer<Float>

  package init(_ model: CompiledModel) throws {
    let request = try created(.internalFailure) { copenvino_request_create(model.model, &$0, $1) }
    var message = Message()
    var data: UnsafeMutablePointer<Float>?
    var count = 0
    guard copenvino_request_input(request, &data, &count, &message.text) == 1 else {
      copenvino_request_free(request)
      throw VerifyError(.internalFailure, message.line)
    }
    self.model = model
    self.request = request
    input = UnsafeMutableBufferPointer(start: data, count: count)
  }

  deinit { copenvino_request_free(request) }

  package func run() throws {
    var message = Message()
    guard copenvino_request_run(request, &message.text) == 1 else { throw VerifyError(.internalFailure, message.line) }
  }

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
    var message = Message()
    var data: UnsafePointer<Float>?
    var found = 0
    guard copenvino_request_output(request, index, &data, &found, &message.text) == 1 else {
      throw VerifyError(.internalFailure, message.line)
    }
    return UnsafeBufferPointer(start: data, count: found)
  }
}

private struct Message {
  var text = [CChar](repeating: 0, count: Int(COPENVINO_MESSAGE))
  var line: String { string(text) }
}

private func string(_ text: [CChar]) -> String {
  String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

private func created(
  _ code: VerifyError.Code, _ make: (inout OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int32
) throws -> OpaquePointer {
  var message = Message()
  var made: OpaquePointer?
  let ok = message.text.withUnsafeMutableBufferPointer { make(&made, $0.baseAddress) }
  guard ok == 1, let made else { throw VerifyError(code, message.line) }
  return made
}
