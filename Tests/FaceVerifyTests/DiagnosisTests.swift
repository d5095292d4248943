import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

@Suite("Diagnosis")
struct DiagnosisTests {
  // Rows: J3 ST15
  @Test("a diagnosis reports processor, memory and libraries, and a remedy for every problem")
  func findings() throws {
    let diagnosis = Diagnosis(modelsFolder: "/nonexistent", cacheFolder: "/proc/none")
    for name in ["processor", "cores", "memory", "OpenVINO", "OpenCV", "dlib", "OpenBLAS", "libpng", "OpenSSL"] {
      #expect(diagnosis.findings.contains { $0.name == name && !$0.value.isEmpty }, "\(name)")
    }
    #expect(diagnosis.findings.allSatisfy { $0.status == .ok || $0.remedy != nil })
    #expect(!diagnosis.isReady)
    #expect(diagnosis.findings.contains { $0.name == "cache folder" && $0.status == .warning })
  }

  @Test("with the models installed, comparing is possible", .needsModels)
  func ready() throws {
    try withTemporaryFolder { folder in
      #expect(Diagnosis(modelsFolder: Installed.models, cacheFolder: folder).isReady)
      #expect(names(in: folder).isEmpty)
    }
  }
}
