import CFaceVerify
import FaceVerifyJourney
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

  @Test("all Swift types have their numbers in the header")
  func complete() {
    func check<Value: CaseIterable & RawRepresentable<String>>(
      _ type: Value.Type, _ name: (Int64) -> UnsafePointer<CChar>?
    ) {
      #expect(Set(names(name)) == Set(type.allCases.map(\.rawValue)), "\(type)")
    }
    check(Assurance.Binding.self, fv_binding_name)
    check(Assurance.Presence.self, fv_presence_name)
    check(ChallengeProgress.Phase.self, fv_challenge_phase_name)
    check(CheckStatus.self, fv_check_status_name)
    check(CodeFrameState.self, fv_code_state_name)
    check(CodeReport.Kind.self, fv_code_report_name)
    check(DocumentAssurance.self, fv_document_assurance_name)
    check(FaceDecision.Result.self, fv_result_name)
    check(JourneyCategory.self, fv_credential_category_name)
    check(LivenessDecision.Result.self, fv_liveness_result_name)
    check(LivenessSessionState.self, fv_liveness_session_state_name)
    check(LogEntry.Level.self, fv_log_level_name)
    check(CheckConsequence.self, fv_consequence_name)
    check(ScriptProgress.Answer.Outcome.self, fv_challenge_outcome_name)
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
    for number in [-1, 14, .max, .min] as [Int64] { #expect(String(cString: fv_challenge_name(number)) == "unknown") }
    for number in [1, -21, .max, .min] as [Int32] { #expect(String(cString: fv_status_name(number)) == "unknown") }
    #expect(String(cString: fv_challenge_name(0)) == "none" && String(cString: fv_status_name(0)) == "ok")
    #expect(String(cString: fv_status_name(-20)) == "no-template")
  }
}
