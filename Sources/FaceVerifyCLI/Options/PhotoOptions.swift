import ArgumentParser
import FaceVerify

/// The size limits of photos.
struct PhotoOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Refuse pictures of more pixels.", valueName: "number"))
  var maxPixels: Int = ImageLimits().maximumPixels

  @Option(help: ArgumentHelp("Refuse files of more bytes.", valueName: "number"))
  var maxBytes: Int = ImageLimits().maximumBytes

  var limits: ImageLimits { ImageLimits(maximumPixels: maxPixels, maximumBytes: maxBytes) }

  func validate() throws {
    guard maxPixels > 0, maxBytes > 0 else { throw ValidationError("--max-pixels and --max-bytes must be above 0") }
  }
}

/// The time limit.
struct TimeoutOption: ParsableArguments {
  @Option(help: ArgumentHelp("End the work after this many seconds, with exit code 3.", valueName: "seconds"))
  var timeout: Double?

  /// Counted from now.
  func budget() -> Budget { Budget(seconds: timeout) }

  func validate() throws {
    guard timeout ?? 1 > 0 else { throw ValidationError("--timeout must be above 0 seconds") }
  }
}

/// The number of photos processed concurrently.
struct ThreadsOption: ParsableArguments {
  @Option(help: ArgumentHelp("How many photos to work on at the same time, 1 to 64.", valueName: "number"))
  var threads: Int = 1

  func validate() throws {
    guard (1...64).contains(threads) else { throw ValidationError("--threads must be 1 to 64") }
  }
}

struct JSONOption: ParsableArguments {
  @Flag(help: "Print the result as JSON.")
  var json = false
}
