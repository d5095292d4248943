import EngineTestSupport
import Foundation
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Records of earlier versions", .needsModels)
struct StoredRecordTests {
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
    -----END PRIVATE KEY-----
    """

  /// The records in Tests/records are never written anew; a new one is written to the folder FACEVERIFY_RECORDS.
  @Test("a stored record is valid, and its journey still gives it, byte for byte", arguments: RecordedJourney.allCases)
  func stored(_ journey: RecordedJourney) throws {
    let key = try PrivateKey(pem: Self.key)
    let made = try DecisionRecord(body: journey.play().journey.recordBody(), signedBy: SigningKey(key))
    if let folder = ProcessInfo.processInfo.environment["FACEVERIFY_RECORDS"] {
      try RegularFile.write(made.bytes, to: "\(folder)/\(journey.rawValue).json")
    }
    let stored = try journey.stored()
    #expect(DecisionRecord.result(of: stored.verify(trusting: [key.publicKey])) == .passed)
    // Only the version may differ, and scores on a processor with other vector units.
    let version = try #require(stored.body["library"]?.string)
    let text = String(decoding: made.body.canonical, as: UTF8.self)
      .replacing("\"\(FaceVerifyVersion.string)\"", with: "\"\(version)\"")
    let differences = JourneyReplay.found(stored.body, try JSONValue(parsing: Array(text.utf8)), at: "body")
      .filter { !$0.isRounding }
    #expect(differences.isEmpty, "\(differences)")
  }
}
