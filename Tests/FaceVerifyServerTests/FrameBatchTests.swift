import FaceVerifyBase
import Foundation
import Testing

@testable import FaceVerify
@testable import FaceVerifyServer

private func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

@Suite("Batches of frames") struct FrameBatchTests {
  /// - Parameters:
  ///   - hidden: indices of the frames whose flag says that the page was hidden.
  ///   - light: the index of the colour that all frames claim.
  static func batch(
    _ frames: [(sequence: UInt32, seconds: Double, picture: [UInt8])], count: UInt8? = nil, hidden: Set<Int> = [],
    light: UInt8 = 255
  ) -> [UInt8] {
    var bytes = Array("FVF1".utf8)
    bytes.append(count ?? UInt8(frames.count))
    for (index, frame) in frames.enumerated() {
      bytes += big(frame.sequence)
      bytes += big(frame.seconds.bitPattern)
      bytes += [light, hidden.contains(index) ? 1 : 0]
      bytes += big(UInt32(frame.picture.count))
      bytes += frame.picture
    }
    return bytes
  }

  static let lies: [(String, [UInt8])] = {
    var tooLong = Array("FVF1".utf8) + [1, 0, 0, 0, 1]
    tooLong += [UInt8](repeating: 0, count: 10)
    tooLong += [255, 255, 255, 255]
    var lies: [(String, [UInt8])] = [("no magic", [UInt8]("FVF2".utf8) + [1]), ("nothing", [])]
    lies.append(("no frames", batch([], count: 0)))
    lies.append(("too many", batch([], count: 17)))
    lies.append(("cut off in a head", Array(batch([(1, 0, [])]).dropLast())))
    lies.append(("cut off in a picture", Array(batch([(1, 0, [1, 2])]).dropLast())))
    lies.append(("more behind it", batch([(1, 0, [])]) + [0]))
    lies.append(("fewer than it says", batch([(1, 0, [])], count: 2)))
    lies.append(("a frame twice", batch([(1, 0, []), (1, 1, [])])))
    lies.append(("a gap", batch([(1, 0, []), (3, 1, [])])))
    lies.append(("time goes back", batch([(1, 1, []), (2, 0.5, [])])))
    lies.append(("no time", batch([(1, .nan, [])])))
    lies.append(("endless", batch([(1, .infinity, [])])))
    lies.append(("longer than allowed", tooLong))
    return lies
  }()

  @Test("a page's batch is parsed") func read() throws {
    let bytes = Self.batch([(7, 1.5, [1, 2, 3]), (8, 1.6, [])])
    let frames = try FrameBatch(bytes, limits: .face).frames
    #expect(frames.map(\.sequence) == [7, 8] && frames.map(\.seconds) == [1.5, 1.6])
    #expect(Array(frames[0].picture) == [1, 2, 3] && frames[1].picture.isEmpty && frames[0].light == nil)
  }

  @Test("a malformed batch is rejected", arguments: lies) func refuse(_ what: String, _ bytes: [UInt8]) {
    #expect(throws: VerifyError.self, "\(what)") { try FrameBatch(bytes, limits: .face) }
  }

  @Test("no mutation causes a crash") func mutations() throws {
    var random = SystemRandomNumberGenerator()
    let good = Self.batch([(1, 0.5, Array(0..<40)), (2, 0.6, Array(0..<20))])
    var taken = 0
    for _ in 0..<100_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        case 1: bytes.removeLast(.random(in: 0..<bytes.count, using: &random))
        default: bytes.insert(.random(in: 0...255, using: &random), at: .random(in: 0...bytes.count, using: &random))
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if (try? FrameBatch(bytes, limits: .face)) != nil { taken += 1 }
    }
    #expect(taken > 0 && taken < 60_000)
  }
}

@Suite("StreamClock") struct StreamClockTests {
  private func run(_ frames: [(seconds: Double, received: Double)]) -> StreamClock.Fault? {
    var clock = StreamClock()
    for frame in frames {
      if let fault = clock.add(frame.seconds, received: frame.received) { return fault }
    }
    return nil
  }

  private func stream(_ count: Int = 180, rate: Double = 12, delay: (Int) -> Double = { _ in 0.1 }) -> [(
    Double, Double
  )] {
    (0..<count).map { (Double($0) / rate, 1000 + Double($0) / rate + delay($0)) }
  }

  @Test("a live stream passes, also over a bad network") func right() {
    #expect(run(stream()) == nil)
    // Batches of five, and delays of 0.1 to 0.9 s.
    #expect(run(stream(delay: { 0.1 + 0.8 * abs(sin(Double($0 / 5))) })) == nil)
    // A clock that is off by a thousandth.
    #expect(run(stream().map { ($0.0 * 1.001, $0.1) }) == nil)
  }

  @Test("a stream that is not live is rejected") func wrong() {
    #expect(run(stream().map { ($0.0 / 2, $0.1) }) == .lag || run(stream().map { ($0.0 / 2, $0.1) }) == .rate)
    #expect(run(stream().map { ($0.0 * 2, $0.1) }) == .rate)
    #expect(run(stream(delay: { $0 < 60 ? 0.1 : 3.1 })) == .lag)
    #expect(run(stream().enumerated().filter { !(60..<75).contains($0.offset) }.map(\.element)) == .gap)
    #expect(run(stream().map { ($0.0 * 1.1, $0.1) }) == .rate)
  }

  /// A page that sends its camera's frames as soon as the previous batch is answered.
  ///
  /// - Parameters:
  ///   - wait: seconds to the response to a batch that arrives at the given time.
  ///   - late: seconds of delay by the page itself.
  private func page(_ seconds: Double, wait: (Double) -> Double, late: (Double) -> Double = { _ in 0 }) -> (
    fault: StreamClock.Fault?, clock: StreamClock, isForward: Bool
  ) {
    var clock = StreamClock()
    var (time, sent, last, isForward) = (0.25, 0, 0.0, true)
    while time < seconds {
      let ready = min(sent + 16, Int((time - late(time)) * 12))
      if ready <= sent {
        time += 0.05
        continue
      }
      for frame in sent..<ready {
        let before = clock.received
        if let fault = clock.add(Double(frame) / 12, received: 1000 + time + 0.05) { return (fault, clock, isForward) }
        isForward = isForward && clock.received >= before
      }
      clock.answered(after: wait(time), span: Double(ready - 1) / 12 - last)
      (last, sent) = (Double(ready - 1) / 12, ready)
      time += 0.1 + wait(time)
    }
    return (nil, clock, isForward)
  }

  @Test("delays by the server are not faults of the person", arguments: [0.07, 1, 2, 3.5]) func held(_ wait: Double) {
    // Once; at the very beginning; repeatedly.
    for slow in [5.0..<5.3, 0..<0.5, 0..<20] {
      let found = page(20, wait: { slow.contains($0) ? min(wait, slow == 0..<20 ? 0.6 : 9) : 0.07 })
      #expect(found.fault == nil && found.isForward, "\(wait) s in \(slow)")
      #expect(found.clock.worstLag < 1)
      if wait > 3, slow.upperBound < 20 { #expect(found.clock.worstBacklog > 2) }
    }
  }

  @Test("a busy server does not excuse other delays") func notForgiven() {
    #expect(page(20, wait: { _ in 0.07 }, late: { $0 < 4 ? 0 : 3 }).fault == .lag)
    #expect(page(20, wait: { (5..<5.3).contains($0) ? 1 : 0.07 }, late: { $0 < 8 ? 0 : 3 }).fault == .lag)
    // Rendered slower than real time.
    #expect([.lag, .rate].contains(page(20, wait: { _ in 0.07 }, late: { $0 * 0.2 }).fault))
  }
}

@Suite("Multipart forms") struct MultipartTests {
  private let type = "multipart/form-data; boundary=\"x y\""

  @Test("files and fields are parsed") func read() throws {
    let text =
      "--x y\r\nContent-Disposition: form-data; name=\"fmr\"\r\n\r\n1e-3\r\n"
      + "--x y\r\nContent-Type: image/jpeg\r\nContent-Disposition: form-data; name=photo; filename=\"a \\\"b\\\".jpg\"\r\n\r\n\r\n--x\r\n"
      + "\r\n--x y--\r\n"
    let form = try Multipart(Array(text.utf8), contentType: type)
    #expect(form.parts.map(\.name) == ["fmr", "photo"] && form.parts[0].text == "1e-3")
    #expect(form.parts[1].fileName == "a \"b\".jpg" && form.parts[1].text == "\r\n--x\r\n")
    #expect(throws: VerifyError.self) { try form.require("fmr") }
  }

  @Test(
    "malformed forms are rejected",
    arguments: [
      "", "--x y", "--x y\r\n", "--x y\r\n\r\n", "--x y\r\nContent-Disposition: form-data; name=a\r\n\r\nb",
      "--x y\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x y--",
    ]) func refused(_ text: String)
  {
    #expect(throws: VerifyError.self) { try Multipart(Array(text.utf8), contentType: type) }
    #expect(throws: VerifyError.self) { try Multipart(Array(text.utf8), contentType: "multipart/form-data") }
  }
}

@Suite("Limits") struct LimitTests {
  @Test("admission control queues attempts beyond the capacity, and places become free") func admission() {
    #expect(Admission(cores: 2, cost: 0.15, capacity: nil).capacity == 9)
    var admission = Admission(cores: 2, cost: 0.15, capacity: 9)
    for index in 0..<9 { #expect(admission.enter("\(index)", at: 0) == nil) }
    #expect(
      admission.enter("a", at: 0) == 1 && admission.enter("b", at: 0.1) == 2 && admission.enter("a", at: 0.2) == 1)
    #expect(admission.enter("3", at: 0.3) == nil && admission.pace(at: 0.3) == 8)
    admission.leave("3")
    // A waiting page precedes a new one, as long as it polls.
    #expect(admission.enter("b", at: 0.4) == 2 && admission.enter("c", at: 0.4) == 3)
    #expect(admission.enter("a", at: 0.5) == nil)
    admission.leave("4")
    #expect(admission.enter("c", at: 9) == 2 && admission.enter("b", at: 9) == nil)
    // No frames arrived for ten seconds.
    #expect(admission.count(at: 20) == 0 && admission.pace(at: 20) == 12)
    #expect(admission.enter("d", at: 20) == nil)
  }

  /// A machine on which attempts come and go, with other work; its cores serve the attempts' answers in turn.
  ///
  /// - Parameter other: cores that the other work takes at a time.
  /// - Returns: the 95th percentile of the latencies after the first ten seconds, and the most attempts at once.
  private func simulate(_ admission: inout Admission, seconds: Int, other: (Double) -> Double) -> (Double, Int) {
    let (cores, cost) = (2.0, 0.15)
    var queue: [String] = []
    var (backlog, latencies, most) = (0.0, [Double](), 0)
    var ends: [String: Double] = [:]
    for step in 0..<seconds * 10 {
      let now = Double(step) / 10
      for (id, end) in ends where end < now {
        ends[id] = nil
        admission.leave(id)
      }
      // There are always three who wait; each asks once a second.
      if step % 5 == 0, queue.count < 3 { queue.append("\(step)") }
      for id in step % 10 == 0 ? queue : [] where admission.enter(id, at: now) == nil {
        ends[id] = now + 8
        queue.removeAll { $0 == id }
      }
      for id in ends.keys { _ = admission.enter(id, at: now) }
      most = max(most, ends.count)
      // Each attempt brings frames ten times a second.
      let (free, load) = (max(0.1, cores - other(now)), cost * Double(admission.pace(at: now)) / 12)
      backlog = max(0, backlog + Double(ends.count) * load / 10 - free / 10)
      let latency = load / 10 + backlog / free
      for _ in ends {
        admission.answered(after: latency, at: now)
        if now > 10 { latencies.append(latency) }
      }
    }
    return (latencies.sorted()[Int(0.95 * Double(latencies.count - 1))], most)
  }

  @Test("admission follows the latency: on an idle machine to the capacity, beside other work as far as it goes")
  func latency() {
    var idle = Admission(cores: 2, cost: 0.15, capacity: nil)
    #expect(idle.places == 2)
    let (quick, most) = simulate(&idle, seconds: 120) { _ in 0 }
    #expect(quick < 0.15 && most == 9 && idle.places == 9)
    // Other work takes three quarters of the machine, always or from second 60 on: three attempts fill the rest.
    for begin in [0.0, 60] {
      var busy = Admission(cores: 2, cost: 0.15, capacity: nil)
      let (late, _) = simulate(&busy, seconds: 600) { $0 < begin ? 0 : 1.5 }
      #expect(late <= 0.5 && (2...5).contains(busy.places), "\(late) \(busy.places)")
    }
    // Given, the capacity is taken at once, and still follows the latency.
    var given = Admission(cores: 2, cost: 0.15, capacity: 9)
    #expect((0..<10).map { given.enter("\($0)", at: 0) == nil }.count { $0 } == 9)
    for step in 0..<50 { given.answered(after: 1, at: Double(step) / 10) }
    #expect(given.places < 9)
  }

  @Test("token buckets refill") func buckets() {
    var limit = RateLimit(burst: 2, perSecond: 0.5)
    #expect(limit.take("a", at: 0).isAllowed && limit.take("a", at: 0).isAllowed)
    let refused = limit.take("a", at: 0)
    #expect(!refused.isAllowed && refused.reset == 2 && limit.take("b", at: 0).isAllowed)
    #expect(limit.take("a", at: 2.1).isAllowed && !limit.take("a", at: 2.2).isAllowed)
  }

  @Test("an owner with much work waits for its own work only") func turns() {
    var queue = FairQueue<Int>(running: 2, waiting: 4, total: 16)
    for number in 0..<5 { #expect(queue.add(number, of: "a") == (number < 4)) }
    for number in 10..<12 { #expect(queue.add(number, of: "b") == true) }
    #expect(queue.add(20, of: "c") == true)
    #expect((0..<5).map { _ in queue.next()?.work } == [0, 10, 20, 1, 11])
    // Two of `a` are running.
    #expect(queue.next() == nil)
    queue.done("a")
    #expect(queue.next()?.work == 2 && queue.next() == nil)
    for owner in ["a", "a", "b", "b", "c"] { queue.done(owner) }
    #expect(queue.next()?.work == 3 && queue.next() == nil && queue.add(30, of: "a") == true)
  }

  @Test("one owner has at most a quarter of the queue") func quarter() {
    var queue = FairQueue<Int>(running: 1, waiting: 16, total: 8)
    for owner in ["a", "b", "c", "d"] {
      let taken = (0..<3).map { queue.add($0, of: owner) }
      #expect(taken == [true, true, false])
    }
    #expect(queue.add(0, of: "e") == false)
  }

  @Test("bodies are limited per owner and in total") func bytes() {
    var budget = ByteBudget(total: 100)
    func own(_ name: String, _ party: String? = nil) -> [ByteBudget.Share] {
      [.init(owner: name, bytes: 40)] + (party.map { [.init(owner: $0, bytes: .max)] } ?? [])
    }
    #expect(budget.take(30, of: own("a")) == nil && budget.take(30, of: own("a")) == true)
    #expect(budget.take(40, of: own("b")) == nil && budget.take(40, of: own("c")) == false)
    budget.give(30, of: own("a"))
    #expect(budget.take(40, of: own("c")) == nil && budget.take(30, of: own("a")) == false)
    budget.give(40, of: own("b"))
    budget.give(40, of: own("c"))
    // A tenant has at most half, even through many pages.
    #expect(budget.take(60, of: [.init(owner: "x", bytes: 80)]) == true)
    #expect(budget.take(30, of: own("p", "x")) == nil && budget.take(30, of: own("q", "x")) == true)
    #expect(budget.take(20, of: own("q", "x")) == nil && budget.take(40, of: own("r", "y")) == nil)
  }

  @Test("a session's body that brings a portrait is a check, however its name is written") func portraits() throws {
    let route = try #require(Route.all.first { $0.method == "POST" && $0.path == "/v1/sessions" })
    func has(_ text: String, _ route: Route) -> Bool { route.hasPortrait(Array(text.utf8)) }
    #expect(has(#"{"portrait": "AAAA"}"#, route) && has(#"{"\u0070ortrait": "AAAA"}"#, route))
    #expect(has(#"{"portr\u0061it": "AAAA"}"#, route))
    #expect(!has(#"{"requests": [], "consents": [{"text": "f\u00fcr\n"}]}"#, route))
    let calls = try #require(Route.all.first { $0.path == "/v1/page/calls" })
    #expect(!has(#"{"portrait": 1}"#, calls))
    let checks = ["/v1/audit", "/v1/sessions/{}/selfie"]
    #expect(Route.all.filter { checks.contains($0.path) }.allSatisfy { $0.work == .check })
  }

  @Test("a session's description has no data of the server") func members() {
    for member in ["trust", "nonce", "script"] {
      #expect(throws: Problem.self) {
        try SessionRequest(
          .object(["requests": [["category": "face"]], member: "x"]), trust: TrustStore(), allowsScripts: false,
          isTest: false)
      }
    }
  }

  @Test("a proxy's address may have a port") func ports() {
    #expect(
      FaceServer.withoutPort("192.0.2.1:4711") == "192.0.2.1" && FaceServer.withoutPort("192.0.2.1") == "192.0.2.1")
    #expect(FaceServer.withoutPort("[2001:db8::1]:4711") == "2001:db8::1")
    #expect(FaceServer.withoutPort("2001:db8::1") == "2001:db8::1")
  }

  @Test("an IPv6 subscriber counts as one, for any number of addresses") func networks() {
    #expect(FaceServer.network("2001:db8:1:2::1") == FaceServer.network("2001:db8:1:2:ffff:1:2:3"))
    #expect(FaceServer.network("2001:db8:1:2::1") != FaceServer.network("2001:db8:1:3::1"))
    #expect(FaceServer.network("fe80::1%eth0") == FaceServer.network("fe80::2"))
    #expect(FaceServer.network("192.0.2.1") == "192.0.2.1" && FaceServer.network("::ffff:192.0.2.1") == "192.0.2.1")
    #expect(FaceServer.network("192.0.2.2") != FaceServer.network("192.0.2.1") && FaceServer.network("x") == "x")
  }

  // RFC 4231, 4.3 and 4.7.
  @Test("HMAC equals the test vectors") func hmac() {
    #expect(
      hexadecimal(hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hexadecimal(
        hmacSHA256(
          key: [UInt8](repeating: 0xAA, count: 131),
          Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}

@Suite("The page's files") struct PageFileTests {
  @Test("all files of the page are embedded") func complete() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Sources/FaceVerifyServer/Resources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { !["i18n"].contains($0) }
    #expect(Set(files) == Set(PageFiles.all.keys))
    for file in files {
      #expect(try Array(Data(contentsOf: folder.appendingPathComponent(file))) == PageFiles.all[file], "\(file)")
    }
    #expect(!PageFiles.openAPI.isEmpty)
  }
}

@Suite("Routes") struct RouteTests {
  private func security(_ route: Route) -> JSONValue {
    switch route.caller {
    case .anybody: []
    case .key: [["key": []]]
    case .page, .interrupted: [["session": []]]
    }
  }

  @Test("the OpenAPI description has every route, with its caller and media types, and no other") func described()
    throws
  {
    guard case .object(let paths) = try JSONValue(parsing: PageFiles.openAPI)["paths"] ?? .null else {
      throw VerifyError(.damaged, "no paths")
    }
    var described: Set<String> = []
    for case (let path, .object(let operations)) in paths {
      for (method, operation) in operations where method != "parameters" {
        let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }
        let name = "\(method.uppercased()) /\(segments.joined(separator: "/"))"
        described.insert(name)
        let route = try #require(Route.all.first { "\($0.method) \($0.path)" == name }, "\(name)")
        #expect(operation["security"] == security(route), "\(name)")
        guard case .object(let types) = operation["requestBody"]?["content"] ?? [:] else { continue }
        #expect(Set(types.keys) == Set(route.types) && types.isEmpty == (route.maximumBody == 0), "\(name)")
      }
    }
    #expect(described == Set(Route.all.map { "\($0.method) \($0.path)" }))
  }
}
