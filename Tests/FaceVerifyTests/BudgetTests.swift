import EngineTestSupport
import FaceVerify
import Foundation
import Glibc
import TestSupport
import Testing

/// 24 megapixels of noise without a face, which keeps the search busy everywhere.
private let noise: Photo = {
  var random = SplitMix(state: 11)
  let (width, height, block) = (6000, 4000, 16)
  let blocks = (0..<width * height / block / block).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  var rgb = [UInt8](repeating: 0, count: 3 * width * height)
  for y in 0..<height {
    for x in 0..<width {
      let value = blocks[y / block * (width / block) + x / block]
      for channel in 0..<3 { rgb[3 * (y * width + x) + channel] = value }
    }
  }
  return Photo(pixels: try! PixelBuffer(width: width, height: height, rgb: rgb))
}()

@Suite("Budget: limits of a call", .needsModels)
struct BudgetTests {
  private static let day = CalendarDate("2026-11-22")!
  private static let calls: [(name: String, call: @Sendable (FaceEngine, Photo, Budget) throws -> Void)] = [
    ("detect", { _ = try $0.detect($1, budget: $2) }),
    ("sample", { _ = try $0.sample($1, policy: .selfie, budget: $2) }),
    ("assess", { _ = try $0.assess($1, policy: .selfie, budget: $2) }),
    ("compare", { _ = try $0.compare(selfie: $1, portrait: $1, budget: $2) }),
    ("readPage", { _ = try $0.readPage($1, on: day, budget: $2) }),
    ("readPage with text", { _ = try $0.readPage($1, on: day, readsText: true, budget: $2) }),
    ("readZone", { _ = try $0.readZone($1, on: day, budget: $2) }),
    ("readLine", { _ = try $0.readLine($1, budget: $2) }),
    ("readDocument", { _ = try $0.readDocument(pages: [$1], date: DateTime(day), budget: $2) }),
    ("add", { _ = try LivenessSession(engine: $0).add(PixelBuffer.plain, at: 0, budget: $2) }),
  ]

  @Test("a call without time, or cancelled before its start, does nothing", arguments: calls.map(\.name))
  func before(name: String) throws {
    let call = try #require(Self.calls.first { $0.name == name }?.call)
    let engine = try Installed.engine.get()
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(code { try call(engine, noise, Budget(seconds: 0)) } == .timeout)
    #expect(code { try call(engine, noise, Budget(cancellation: cancellation)) } == .cancelled)
  }

  @Test(
    "a deadline ends a long call within 0.2 s of work and is reported",
    arguments: ["detect", "sample", "assess", "compare", "readPage", "readPage with text", "readDocument"])
  func deadline(name: String) throws {
    let call = try #require(Self.calls.first { $0.name == name }?.call)
    let engine = try Installed.engine.get()
    // The first call of a kind allocates tensors and loads the networks for documents.
    _ = try? call(engine, Photo(pixels: .plain), .unlimited)
    let time = seconds {
      let error = #expect(throws: VerifyError.self) { try call(engine, noise, Budget(seconds: 0.1)) }
      #expect(error?.code == .timeout && error?.message == "the call exceeded its budget of 0.1 s")
    }
    #expect(time < 0.3)
  }

  @Test("another thread cancels a call", arguments: ["detect", "compare", "readPage"])
  func cancel(name: String) throws {
    let call = try #require(Self.calls.first { $0.name == name }?.call)
    let engine = try Installed.engine.get()
    let cancellation = Cancellation()
    // A separate thread: a queue would wait for the other tests.
    Thread.detachNewThread {
      usleep(10_000)
      cancellation.cancel()
    }
    #expect(code { try call(engine, noise, Budget(cancellation: cancellation)) } == .cancelled)
  }

  @Test("a cancelled Swift task ends its calls")
  func task() async throws {
    let engine = try Installed.engine.get()
    // Other tests may delay this one until the first call is over.
    let task = Task { for _ in 0..<1000 { _ = try engine.detect(noise) } }
    try await Task.sleep(for: .milliseconds(1))
    task.cancel()
    let result = await task.result
    #expect(code { _ = try result.get() } == .cancelled)
  }

  @Test("a terminated call leaves no state: the next one has the same result", .needsSamples)
  func after() throws {
    let engine = try FaceEngine(Installed.configuration())
    let photo = try Installed.photo("obama.jpg")
    let expected = try engine.sample(photo, policy: .selfie).json
    for seconds in [0, 0.005, 0.02, 0.1] {
      _ = try? engine.detect(noise, budget: Budget(seconds: seconds))
      #expect(try engine.sample(photo, policy: .selfie).json == expected)
    }
  }

  @Test("a frame ended by a budget counts as not added", .needsSamples)
  func frame() throws {
    let session = try LivenessSession(engine: Installed.engine.get())
    let picture = try Installed.photo("obama.jpg").pixels(reduction: 2)
    #expect(code { try session.add(picture, at: 1, budget: Budget(seconds: 0)) } == .timeout)
    #expect(session.refusedFrames == 0 && session.state == .started)
    #expect(try session.add(picture, at: 1).face != nil)
  }

  @Test("the remaining time never changes a result", .needsSamples)
  func enough() throws {
    let engine = try Installed.engine.get()
    let photo = try Installed.photo("biden.jpg")
    let cancellation = Cancellation()
    let budget = Budget(seconds: 600, cancellation: cancellation)
    #expect(
      try engine.sample(photo, policy: .selfie, budget: budget).json == engine.sample(photo, policy: .selfie).json)
    #expect(!cancellation.isCancelled)
  }
}

extension PixelBuffer {
  fileprivate static let plain = try! PixelBuffer(
    width: 400, height: 300, rgb: [UInt8](repeating: 128, count: 3 * 400 * 300))
}
