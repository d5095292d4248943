// compare SELFIE PORTRAIT: compares a selfie with a portrait.
//
// Either file is an image or a template. Exit codes: 0 match, 1 no match, 2 usage error, 3 runtime error, 4 refused: a
// photo is not good enough.
import FaceVerify
import Foundation

func compare(_ selfie: String, _ portrait: String) throws -> Int32 {
  let decision = try FaceEngine().compare(selfie: FaceInput(path: selfie), portrait: FaceInput(path: portrait))
  print(decision.result.rawValue)
  if let comparison = decision.comparison {
    print(
      String(format: "score %.2f, threshold %.2f (lower is closer)", comparison.score, comparison.threshold.score))
    print(String(format: "similarity %.0f of 100", comparison.similarity))
  }
  for reason in decision.reasons { print(reason.text) }
  switch decision.result {
  case .match: return 0
  case .noMatch: return 1
  case .refused: return 4
  }
}

func fail(_ text: String, _ code: Int32) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(code)
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fail("usage: compare SELFIE PORTRAIT", 2) }
do {
  exit(try compare(arguments[1], arguments[2]))
} catch {
  fail("compare: \(error)", 3)
}
