internal import Glibc
package import Testing

/// A requirement of a test besides the sources; without it the test is skipped, with a remedy.
///
/// Each test that runs or is skipped for it is recorded in the file `FACEVERIFY_TEST_NEEDS`, from which
/// `scripts/test` makes its closing table.
package struct Need: TestTrait, SuiteTrait {
  /// As in the table.
  let name: String
  let isMet: @Sendable () -> Bool
  let advice: String

  package init(_ name: String, _ advice: String, isMet: @autoclosure @escaping @Sendable () -> Bool) {
    self.name = name
    self.advice = advice
    self.isMet = isMet
  }

  package var isRecursive: Bool { true }

  package func prepare(for test: Test) async throws {
    // Those of a suite are inherited.
    guard !test.isSuite else { return }
    let isMet = isMet()
    Self.note("\(isMet ? "met" : "missing")\t\(name)\t\(test.id)\t\(advice)\n")
    try await ConditionTrait.enabled(if: isMet, "needs \(name): \(advice)").prepare(for: test)
  }

  private static func note(_ line: String) {
    guard let path = getenv("FACEVERIFY_TEST_NEEDS") else { return }
    // One system call per line, because tests run concurrently.
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    var bytes = Array(line.utf8)
    _ = write(file, &bytes, bytes.count)
    close(file)
  }
}
