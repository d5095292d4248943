import CFaceVerify
import FaceVerify
import Testing

@Suite("C interface: numbers and names")
struct NumberTests {
  private func names(_ name: (Int64) -> UnsafePointer<CChar>?) -> [String] {
    var names: [String] = []
    while let text = name(Int64(names.count + 1)), String(cString: text) != "unknown" {
      names.append(String(cString: text))
    }
    return names
  }

  // For enumerations, the compiler reports a case without a number.
  @Test("all extensible Swift types have their numbers in the header")
  func complete() {
    #expect(names(fv_challenge_name) == Challenge.allCases.map(\.rawValue))
    #expect(names(fv_retry_reason_name) == RetryReason.allCases.map(\.rawValue))
    #expect(names(fv_liveness_hint_name) == LivenessHint.allCases.map(\.rawValue))
    #expect(names(fv_verdict_name) == ["authentic", "valid-without-anchor", "invalid", "not-checked"])
    #expect(names(fv_document_type_name) == DocumentType.allCases.map(\.rawValue).filter { $0 != "unknown" })
    #expect(names(fv_document_variant_name) == DocumentVariant.allCases.map(\.rawValue))
    #expect(names(fv_journey_part_name) == JourneyPart.allCases.map(\.rawValue))
    #expect(names(fv_journey_state_name) == JourneyState.allCases.map(\.rawValue))
    #expect(names(fv_logical_error_name) == LogicalError.allCases.map(\.rawValue))
    #expect(names(fv_scan_mode_name) == ScanMode.allCases.map(\.rawValue))
    let withContent: Set<JourneyCall.Kind> = [
      .consent, .startCredential, .configure, .startPart, .frame, .attach, .attachChip, .attachCode, .report,
    ]
    // In the order of their introduction.
    #expect(
      Set(names(fv_journey_call_name))
        == Set(JourneyCall.Kind.allCases.filter { !withContent.contains($0) }.map(\.rawValue)))
    for (number, hint) in LivenessHint.allCases.enumerated() {
      #expect(String(cString: fv_liveness_hint_text(Int64(number + 1))) == hint.text)
    }
  }

  @Test("a number outside of its list is unknown, and 0 is none")
  func outside() {
    for number in [-1, 13, .max, .min] as [Int64] { #expect(String(cString: fv_challenge_name(number)) == "unknown") }
    for number in [1, -19, .max, .min] as [Int32] { #expect(String(cString: fv_status_name(number)) == "unknown") }
    #expect(String(cString: fv_challenge_name(0)) == "none" && String(cString: fv_status_name(0)) == "ok")
    #expect(String(cString: fv_status_name(-18)) == "cancelled")
  }
}
