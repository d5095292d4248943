package import FaceVerify
internal import Glibc
package import TestSupport
package import Testing

extension Installed {
  package static func photo(_ name: String) throws -> Photo { try Photo(path: sample(name)) }

  package static func configuration() -> FaceEngine.Configuration {
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = models
    configuration.modelSet = set
    return configuration
  }

  /// Shared by all tests, concurrently.
  package static let engine = Swift.Result { try FaceEngine(configuration()) }
}

/// The code of the error thrown by `body`, or nil.
package func code(_ body: () throws -> Void) -> VerifyError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? VerifyError)?.code
  }
}

/// A picture of one colour, without a face.
package func plainPhoto(width: Int = 320, height: Int = 240) throws -> Photo {
  let pixels = [UInt8](repeating: 120, count: width * height)
  return try pixels.withUnsafeBytes { try Photo(pixels: $0, width: width, height: height, format: .gray8) }
}
