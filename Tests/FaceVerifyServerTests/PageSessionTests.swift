import FaceVerifyBase
import ScriptedModels
import Testing

@testable import FaceVerify
@testable import FaceVerifyServer

@Suite("Sessions of pages") struct PageSessionTests {
  private static let start = 1_763_800_000.0

  private func session() throws -> PageSession {
    installScriptedModels()
    var configuration = FaceEngine.Configuration()
    configuration.modelSet = .scripted
    let asked: JSONValue = ["requests": [["category": "face"]], "comparesFace": false, "faceModes": ["passive"]]
    let request = try SessionRequest(asked, trust: TrustStore(), allowsScripts: false)
    return try PageSession(
      id: "one", tenant: "test", account: "00000000-0000-4000-8000-000000000000", request: request,
      expires: Self.start + 900, at: Self.start,
      .init(
        engine: FaceEngine(configuration), enter: { _ in nil }, leave: { _ in }, pace: { 12 }, metrics: Metrics(),
        trustsCameraLabels: false, embedding: [], audit: { _, _ in }, began: {}, ended: { _, _, _ in }))
  }

  @Test("a call that waited while the server's clock was read again, or was set back, is made")
  func times() throws {
    let session = try session()
    _ = try session.perform([["call": "start"]], at: Self.start + 1)
    session.tick(at: Self.start + 2.001)
    _ = try session.perform([["call": "start-credential", "credential": 0]], at: Self.start + 2)
    let view = try session.perform([["call": "start-part", "part": "face"]], at: Self.start - 60)
    #expect(session.state == .scanning && view["state"]?.string == "scanning")
    // Setting it back gives nobody more time.
    session.tick(at: Self.start + 901)
    #expect(session.isFinished)
  }
}
