import FaceVerify

/// A plot of eyes, head and mouth over time, with the challenges and their thresholds.
struct LivenessPlot {
  private var history = MotionHistory()
  private var blinks = BlinkFinder()
  /// The start of the challenge that is not answered yet.
  private var open: (challenge: Challenge, since: Double)?

  mutating func add(_ state: LivenessFeedback) {
    history.add(state.motion, at: state.time, hasFace: state.face != nil)
    if let motion = state.motion { blinks.add(motion) }
    if state.challenge != open?.challenge { open = state.challenge.map { ($0, state.time) } }
  }

  /// - Parameter neutral: the neutral pose of the session's script; nil for the one found without a script.
  func picture(_ decision: LivenessDecision, neutral: NeutralPose?, name: String) throws -> PixelBuffer {
    let pose = (neutral ?? blinks.neutral)?.motion
    let reference = MotionHistory.Quantity.allCases.map { quantity in
      pose.map(quantity.value) ?? history.median(quantity) ?? 0
    }
    var sheet = try Drawing(history, reference)
    sheet.title(decision, name: name, blinks: blinks.count, isPose: pose != nil)
    sheet.panels()
    sheet.spans(decision.answers, open: open)
    sheet.curves()
    sheet.marks(blinks.blinks)
    return sheet.canvas
  }
}

extension LivenessPlot {
  private struct Drawing {
    private(set) var canvas: PixelBuffer
    private let history: MotionHistory
    /// The neutral value of each quantity.
    private let reference: [Double]
    private let ranges: [ClosedRange<Double>]
    private let start: Double
    private let seconds: Double

    private static let size = (width: 1600, height: 1120)
    private static let left = 100.0
    private static let right = 1530.0
    /// Two rows of challenge labels are above the panels.
    private static let labels = 128.0
    private static let top = 200.0
    private static let height = 250.0
    private static let gap = 48.0

    private struct Panel: Sendable {
      let title: String
      let curves: [(quantity: MotionHistory.Quantity, name: String, colour: UInt32)]
      /// The value shown, from a measurement and its reference.
      let value: @Sendable (Double, Double) -> Double
      /// The minimum range shown.
      let range: ClosedRange<Double>
      let thresholds: [Double]
      /// The meaning of values beyond them.
      let beyond: String
      let decimals: Int
    }

    private static let all: [Panel] = [
      Panel(
        title: "Eyes: openness, as a share of the neutral one",
        curves: [(.leftEye, "left", Palette.blue), (.rightEye, "right", Palette.orange)],
        value: { $1 > 0 ? $0 / $1 : 0 }, range: 0...1.4,
        thresholds: [1 - BlinkSearch.fall], beyond: "both below for a moment: a blink", decimals: 1),
      Panel(
        title: "Head: degrees from the neutral pose",
        curves: [
          (.yaw, "yaw (+ to their left)", Palette.blue), (.pitch, "pitch (+ down)", Palette.orange),
          (.roll, "roll (+ to their right shoulder)", Palette.white),
        ], value: { $0 - $1 }, range: -25...25,
        thresholds: [ChallengeProgress.turn, -ChallengeProgress.turn], beyond: "beyond: turned", decimals: 0),
      Panel(
        title: "Mouth: opening above the neutral one, as a share of the face's height",
        curves: [(.mouth, "opening", Palette.blue)], value: { $0 - $1 },
        range: -0.04...0.16, thresholds: [ChallengeProgress.opening], beyond: "above: open", decimals: 2),
    ]

    init(_ history: MotionHistory, _ reference: [Double]) throws {
      (self.history, self.reference) = (history, reference)
      ranges = Self.all.map { Self.range($0, history, reference) }
      (start, seconds) = (history.start ?? 0, max(history.end, 0.1))
      canvas = try PixelBuffer(width: Self.size.width, height: Self.size.height, colour: Palette.paper)
    }

    private func x(_ time: Double) -> Double { Self.left + (Self.right - Self.left) * max(0, min(1, time / seconds)) }
    private func top(_ panel: Int) -> Double { Self.top + Double(panel) * (Self.height + Self.gap) }
    private func y(_ value: Double, _ panel: Int) -> Double {
      let range = ranges[panel]
      let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
      return top(panel) + Self.height * (1 - max(0, min(1, share)))
    }

    /// The range of a panel: at least its minimum range, and all values.
    private static func range(
      _ panel: Panel, _ history: MotionHistory, _ reference: [Double]
    ) -> ClosedRange<Double> {
      var (low, high) = (panel.range.lowerBound, panel.range.upperBound)
      for curve in panel.curves {
        let i = curve.quantity.rawValue
        for column in history.columns where column.count > 0 {
          low = min(low, panel.value(column.lows[i], reference[i]))
          high = max(high, panel.value(column.highs[i], reference[i]))
        }
      }
      // A margin, so that no curve touches the edge.
      let margin = 0.04 * (high - low)
      if low < panel.range.lowerBound { low -= margin }
      if high > panel.range.upperBound { high += margin }
      return low...high
    }

    /// Draws a line down a panel.
    private mutating func vertical(_ x: Double, _ panel: Int, from offset: Double = 0, _ colour: UInt32) {
      let top = top(panel)
      canvas.line(from: Point(x: x, y: top + offset), to: Point(x: x, y: top + Self.height), colour)
    }

    mutating func title(_ decision: LivenessDecision, name: String, blinks: Int, isPose: Bool) {
      let colour = LivenessFilm.word(decision.result).colour
      canvas.write(
        Text.fitting(name, size: 22, width: Self.right - Self.left), at: Self.left, 48, size: 22, colour: Palette.text)
      canvas.write(LivenessText.title(decision), at: Self.left, 82, size: 13, colour: colour)
      let from = isPose ? "the neutral pose" : "their medians, for want of a neutral pose"
      canvas.write(
        "\(blinks) blink\(blinks == 1 ? "" : "s"); values are against \(from)", at: Self.right, 82, size: 13,
        colour: Palette.faint, align: .right)
    }

    mutating func panels() {
      for (i, panel) in Self.all.enumerated() {
        canvas.fill(Self.left, top(i), Self.right - Self.left, Self.height, Palette.panel)
        for tick in Self.ticks(ranges[i], about: 5) {
          let y = y(tick, i)
          canvas.line(from: Point(x: Self.left, y: y), to: Point(x: Self.right, y: y), Palette.line)
          canvas.write(
            Text.number(tick, panel.decimals), at: Self.left - 12, y + 5, size: 11, colour: Palette.faint,
            align: .right)
        }
        canvas.write(panel.title, at: Self.left, top(i) - 12, size: 13, colour: Palette.text)
        legend(panel, y: top(i) - 12)
        for value in panel.thresholds {
          let y = y(value, i)
          canvas.dashes(from: Point(x: Self.left, y: y), to: Point(x: Self.right, y: y), Palette.purple)
          canvas.write(Text.limit(value), at: Self.right + 10, y + 5, size: 11, colour: Palette.purple)
        }
      }
      let bottom = top(Self.all.count - 1) + Self.height
      for tick in Self.ticks(0...seconds, about: 12) {
        let x = x(tick)
        for i in Self.all.indices { vertical(x, i, Palette.line) }
        canvas.write(Text.limit(tick), at: x, bottom + 24, size: 12, colour: Palette.faint, align: .middle)
      }
      canvas.write(
        "seconds from the first frame", at: (Self.left + Self.right) / 2, bottom + 52, size: 13, colour: Palette.faint,
        align: .middle)
    }

    private mutating func legend(_ panel: Panel, y: Double) {
      var x = Self.right
      for (name, colour) in [(panel.beyond, nil)] + panel.curves.reversed().map({ ($0.name, $0.colour) }) {
        x -= PixelBuffer.widthOfText(name, size: 12)
        canvas.write(name, at: x, y, size: 12, colour: colour ?? Palette.purple)
        x -= 40
        let (a, b) = (Point(x: x, y: y - 5), Point(x: x + 30, y: y - 5))
        if let colour {
          canvas.line(from: a, to: b, colour, thickness: 3)
        } else {
          canvas.dashes(from: a, to: b, Palette.purple)
        }
        x -= 24
      }
    }

    /// The period of each challenge, from its prompt to its end.
    mutating func spans(_ answers: [ScriptProgress.Answer], open: (challenge: Challenge, since: Double)?) {
      var spans = answers.map { answer in
        (
          from: (answer.asked ?? answer.ended) - start, to: answer.ended - start,
          colour: answer.outcome == .passed ? Palette.passed : Palette.failed,
          text: "\(answer.challenge.rawValue): \(answer.outcome.rawValue)"
            + (answer.movement.map { " (\($0.rawValue))" } ?? "")
        )
      }
      if let open {
        spans.append((open.since - start, seconds, Palette.faint, "\(open.challenge.rawValue): no answer"))
      }
      // Labels of short spans would overlap: they alternate between two rows, and end where the next one begins.
      var free = [Self.left, Self.left]
      for (i, span) in spans.enumerated() {
        let (from, to) = (x(span.from), max(x(span.to), x(span.from) + 2))
        for panel in Self.all.indices {
          canvas.fill(from, top(panel), to - from, Self.height, span.colour, opacity: 0.2)
          for edge in [from, to] { vertical(edge, panel, span.colour) }
        }
        let width = PixelBuffer.widthOfText(span.text.printable, size: 12)
        let wanted = max(Self.left, min(from, Self.right - width))
        let row = free[0] <= wanted ? 0 : free[1] <= wanted ? 1 : i % 2
        let place = max(wanted, free[row])
        let text = Text.fitting(span.text, size: 12, width: Self.right - place)
        let y = Self.labels + 22 * Double(row)
        if !text.isEmpty {
          canvas.write(text, at: place, y, size: 12, colour: span.colour)
          canvas.line(
            from: Point(x: place, y: y + 5), to: Point(x: place + min(width, to - from), y: y + 5), span.colour)
        }
        free[row] = place + width + 20
      }
    }

    mutating func curves() {
      for (i, panel) in Self.all.enumerated() {
        for curve in panel.curves { draw(curve.quantity, curve.colour, panel, i) }
      }
    }

    private mutating func draw(_ quantity: MotionHistory.Quantity, _ colour: UInt32, _ panel: Panel, _ i: Int) {
      var last: Point?
      for (n, column) in history.columns.enumerated() {
        if column.gaps > 0, column.count == 0 { last = nil }
        guard column.count > 0 else { continue }
        let x = x(history.time(of: n))
        func place(_ value: Double) -> Point { Point(x: x, y: y(panel.value(value, reference[quantity.rawValue]), i)) }
        let (low, high) = (place(column.lows[quantity.rawValue]), place(column.highs[quantity.rawValue]))
        if column.count > 1 { canvas.line(from: low, to: high, colour) }
        let point = place(column.mean(quantity))
        if let last { canvas.line(from: last, to: point, colour, thickness: 2) }
        last = point
      }
    }

    mutating func marks(_ blinks: [Double]) {
      for blink in blinks {
        let x = x(blink - start)
        canvas.drawDisc(centre: Point(x: x, y: top(0) + 12), radius: 5, colour: Palette.purple)
        vertical(x, 0, from: 12, Palette.purple)
      }
      guard let first = blinks.first else { return }
      // Next to the first mark, on the side with space.
      let x = x(first - start)
      let isLeft = x > (Self.left + Self.right) / 2
      canvas.write(
        "blink", at: isLeft ? x - 12 : x + 12, top(0) + 17, size: 12, colour: Palette.purple,
        align: isLeft ? .right : .left, isPlated: true)
    }

    private static func ticks(_ range: ClosedRange<Double>, about count: Int) -> [Double] {
      let rough = (range.upperBound - range.lowerBound) / Double(count)
      let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]
      let step = steps.first { $0 >= rough } ?? 600
      let first = Int((range.lowerBound / step).rounded(.up))
      let last = Int((range.upperBound / step).rounded(.down))
      return first <= last ? (first...last).map { Double($0) * step } : []
    }
  }
}
