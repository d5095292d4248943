import FaceVerify
import TestSupport
import Testing

@Suite("Diagnosis")
struct DiagnosisTests {
  // Rows: J3
  @Test("processor, memory and libraries are known, and everything that is not right has a remedy")
  func findings() throws {
    let diagnosis = Diagnosis(modelsFolder: "/nonexistent", cacheFolder: "/proc/none")
    for name in ["processor", "cores", "memory", "OpenVINO", "OpenCV", "dlib", "OpenBLAS", "libpng", "OpenSSL"] {
      #expect(diagnosis.findings.contains { $0.name == name && !$0.value.isEmpty }, "\(name)")
    }
    #expect(diagnosis.findings.allSatisfy { $0.status == .ok || $0.remedy != nil })
    #expect(!diagnosis.isReady)
    #expect(diagnosis.findings.contains { $0.name == "cache folder" && $0.status == .warning })
  }

  @Test("with the models, nothing stops comparing", .needsModels)
  func ready() throws {
    try withTemporaryFolder { folder in
      #expect(Diagnosis(modelsFolder: Installed.models, cacheFolder: folder).isReady)
      #expect(names(in: folder).isEmpty)
    }
  }
}
