import FaceVerify
import Glibc

/// Shows instructions to the person on the terminal: in one line that is rewritten, or in one line per change.
struct LiveGuidance {
  private let console: Console
  private let isTerminal = isatty(2) == 1
  private var last = ""

  init(on console: Console) { self.console = console }

  mutating func show(_ state: LivenessFeedback) {
    let text = Self.text(state, counts: isTerminal)
    guard text != last, !console.isQuiet else { return }
    last = text
    if isTerminal {
      console.message("\r\u{1B}[K\(Self.bar(state.progress)) \(text)", newline: false)
    } else {
      console.message("\(Text.number(state.time, 2)) s  \(text)")
    }
  }

  func end() {
    if isTerminal && !last.isEmpty { console.message("\r\u{1B}[K", newline: false) }
  }

  /// - Parameter counts: whether to include the remaining seconds of a hold.
  static func text(_ state: LivenessFeedback, counts: Bool = true) -> String {
    if let hint = state.hint, hint != .holdStill { return hint.text }
    if state.phase == .holding, let left = state.secondsLeft {
      return counts ? "Hold still, \(Text.number(left, 1)) s" : "Hold still."
    }
    if state.phase == .returning { return "Look ahead again." }
    return state.challenge.map(prompt) ?? "Look into the camera."
  }

  private static func bar(_ progress: Double) -> String {
    let full = Int((progress * 10).rounded())
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: 10 - full) + "]"
  }

  static func prompt(_ challenge: Challenge) -> String {
    switch challenge {
    case .blink: "Blink."
    case .turnLeft: "Turn your head to your left."
    case .turnRight: "Turn your head to your right."
    case .lookUp: "Look up."
    case .lookDown: "Look down."
    case .tiltLeft: "Tilt your head to your left shoulder."
    case .tiltRight: "Tilt your head to your right shoulder."
    case .smile: "Smile."
    case .openMouth: "Open your mouth."
    case .moveCloser: "Come closer."
    case .moveBack: "Move back."
    case .holdStill: "Hold still."
    default: challenge.rawValue
    }
  }
}
