import CFaceVerify
import FaceVerify
import Testing

@Suite("C interface: numbers and names")
struct NumberTests {
  private func names(_ name: (CInt) -> UnsafePointer<CChar>?) -> [String] {
    var names: [String] = []
    while let text = name(CInt(names.count + 1)), String(cString: text) != "none" {
      names.append(String(cString: text))
    }
    return names
  }

  @Test("all that may grow in Swift has its number in the header")
  func complete() {
    #expect(names(fv_challenge_name) == Challenge.allCases.map(\.rawValue))
    #expect(names(fv_retry_name) == RetryReason.allCases.map(\.rawValue))
    #expect(Set(names(fv_hint_name)) == Set(LivenessHint.allCases.map(\.rawValue)))
    #expect(names(fv_rfid_status_name) == ["UNDEFINED", "SUCCESS", "ERROR"])
    #expect(names(fv_field_status_name) == ["OK", "ERROR", "NOT_CHECKED"])
    for hint in LivenessHint.allCases {
      let number = names(fv_hint_name).firstIndex(of: hint.rawValue).map { CInt($0 + 1) } ?? 0
      #expect(String(cString: fv_hint_text(number)) == hint.text)
    }
  }
}
