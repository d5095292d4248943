import ScriptedModels
import Testing

@testable import FaceVerify

extension ModelSet {
  fileprivate static let cancelling = ModelSet(rawValue: "cancelling")
}

/// Cancels the calling task, and detects something that is not a face.
private final class CancellingDetector: FaceDetector, LandmarkEstimator, FaceEmbedder {
  let sureScore = 0.5

  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace] {
    withUnsafeCurrentTask { $0?.cancel() }
    return [DetectedFace(box: Rectangle(x: 0, y: 0, width: 50, height: 50), score: 1, points: [], turn: 0)]
  }

  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks? { nil }
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks? { nil }
  func embed(_ chips: FaceChips) throws -> [Float] { [] }
}

@Suite("Cancelling a session's task")
struct SessionCancellationTests {
  @Test("a cancellation during a frame adds the frame completely or rejects it")
  func middle() async throws {
    LoadedModels.scripted.withLock { sets in
      sets[.cancelling] = {
        LoadedModels(
          version: ModelVersion(set: .cancelling, identifier: "cancelling", revision: "1"), normalisation: nil,
          calibration: nil
        ) { models in
          let all = CancellingDetector()
          return FacePipeline(models: models, detector: all, landmarks: all, embedder: all)
        }
      }
    }
    var configuration = FaceEngine.Configuration()
    configuration.modelSet = .cancelling
    let engine = try FaceEngine(configuration)
    let picture = try JourneyPlay.grey()
    let task = Task {
      let session = try LivenessSession(engine: engine)
      let feedback = try? session.add(picture, at: 0)
      return (isTaken: feedback != nil, frames: session.frameCount, isCancelled: Task.isCancelled)
    }
    let (isTaken, frames, isCancelled) = try await task.value
    #expect(isCancelled && frames == (isTaken ? 1 : 0))
  }
}
