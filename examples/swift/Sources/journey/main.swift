// journey PORTRAIT FRAME...: whether a recording at ten pictures per second shows the living person of the portrait.
//
// Exit codes: 0 passed, 1 failed, 2 usage error, 3 runtime error, 4 not checked.
import FaceVerifyJourney
import Foundation

func verify(_ portrait: String, _ frames: [String]) throws -> Int32 {
  let engine = try FaceEngine()
  // A recording without challenges.
  var configuration = JourneyConfiguration()
  configuration.requests = [.init(.face)]
  configuration.faceModes = [.passive]
  configuration.consents = [.init("May your face be analysed?", isActive: true)]
  configuration.portrait = try engine.sample(Photo(path: portrait), policy: .selfie).template.map { .template($0) }
  // Each call has its time, here that of the recording; a program with a camera uses a clock.
  let journey = try JourneyController(engine: engine, configuration: configuration, at: 0)
  func printEvents() {
    while let event = journey.nextEvent() { print(String(format: "%.1f s:", event.at), event.name) }
  }
  for call in [.start, .consent(item: 0, isGiven: true), .startCredential(0), .startPart(.face, mode: nil)]
    as [JourneyCall]
  {
    try journey.perform(call, at: 0)
  }
  for (number, path) in frames.enumerated() {
    let time = Double(number) / 10
    try journey.perform(.frame(JourneyFrame(Photo(path: path).pixels(), time: time)), at: time)
    printEvents()
  }
  for call in [.finishPart, .finishCredential, .finish] as [JourneyCall] {
    try journey.perform(call, at: Double(frames.count) / 10)
  }
  printEvents()
  guard let result = journey.result, let face = result.credentials.first?.face else { return 3 }
  print("liveness: \(face.liveness.result.rawValue)")
  print("comparison: \(face.match?.result.rawValue ?? "none")")
  print(result.result.rawValue)
  switch result.result {
  case .passed: return 0
  case .failed: return 1
  case .notChecked: return 4
  }
}

func fail(_ text: String, _ code: Int32) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(code)
}

guard CommandLine.arguments.count > 2 else { fail("usage: journey PORTRAIT FRAME...", 2) }
do {
  exit(try verify(CommandLine.arguments[1], Array(CommandLine.arguments.dropFirst(2))))
} catch {
  fail("journey: \(error)", 3)
}
