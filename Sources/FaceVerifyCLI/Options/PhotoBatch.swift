import FaceVerify

/// Several photos, worked on by several threads, answered in their order.
enum PhotoBatch {
  /// The result of `work` on each file, or why there is none; the messages name the file.
  static func run<Value: Sendable>(
    _ paths: [String], limits: ImageLimits, threads: Int, _ work: @escaping @Sendable (Photo) throws -> Value
  ) -> [Result<Value, VerifyError>] {
    Batch.run(paths.count, threads: threads) { one(paths[$0], limits: limits, work) }
  }

  private static func one<Value>(
    _ path: String, limits: ImageLimits, _ work: (Photo) throws -> Value
  ) -> Result<Value, VerifyError> {
    do {
      return .success(try work(Photo(path: path, limits: limits)))
    } catch let error as VerifyError {
      let name = path.printable
      return .failure(error.message.contains(name) ? error : VerifyError(error.code, "\(name): \(error.message)"))
    } catch {
      return .failure(VerifyError(.internalFailure, "\(path): \(error)"))
    }
  }
}
