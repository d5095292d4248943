// liveness FRAME...: liveness of a person who turns left and blinks, from pictures taken at ten per second.
//
// Exit codes: 0 live, 1 presentation attack, 2 usage error, 3 runtime error, 4 undecided.
import FaceVerify
import Foundation

func watch(_ frames: some Sequence<String>) throws -> Int32 {
  let script = try ChallengeScript(prompts: [.init(.turnLeft), .init(.blink)])
  let session = try LivenessSession(engine: try FaceEngine(), script: script, nonce: [])
  for (number, path) in frames.enumerated() where !session.isComplete {
    let feedback = try session.add(try Photo(path: path).pixels(), at: Double(number) / 10)
    print(String(format: "%.1f s:", feedback.time), feedback.challenge?.rawValue ?? "look ahead")
  }
  let decision = try session.finish()
  print(decision.result.rawValue)
  for reason in decision.reasons { print(reason.text) }
  switch decision.result {
  case .live: return 0
  case .presentationAttack: return 1
  case .undecided: return 4
  }
}

func fail(_ text: String, _ code: Int32) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(code)
}

guard CommandLine.arguments.count > 1 else { fail("usage: liveness FRAME...", 2) }
do {
  exit(try watch(CommandLine.arguments.dropFirst()))
} catch {
  fail("liveness: \(error)", 3)
}
