import Dispatch
import FaceVerify
import Synchronization

/// Several photos, worked on by several threads, answered in their order.
enum PhotoBatch {
  /// The result of `work` on each file, or why there is none; the messages name the file.
  static func run<Value: Sendable>(
    _ paths: [String], limits: ImageLimits, threads: Int, _ work: @escaping @Sendable (Photo) throws -> Value
  ) -> [Result<Value, VerifyError>] {
    let results = Mutex([Result<Value, VerifyError>?](repeating: nil, count: paths.count))
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: min(threads, paths.count)) { _ in
      while true {
        let i = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard i < paths.count else { return }
        let result = one(paths[i], limits: limits, work)
        results.withLock { $0[i] = result }
      }
    }
    return results.withLock { $0.compactMap { $0 } }
  }

  private static func one<Value>(
    _ path: String, limits: ImageLimits, _ work: (Photo) throws -> Value
  ) -> Result<Value, VerifyError> {
    do {
      return .success(try work(Photo(path: path, limits: limits)))
    } catch let error as VerifyError {
      let name = RegularFile.oneLine(path)
      return .failure(error.message.contains(name) ? error : VerifyError(error.code, "\(name): \(error.message)"))
    } catch {
      return .failure(VerifyError(.internalFailure, "\(path): \(error)"))
    }
  }
}
