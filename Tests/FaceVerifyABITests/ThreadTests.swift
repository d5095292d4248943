import CFaceVerify
import Dispatch
import Synchronization
import Testing

/// What the header promises of threads. Meant to run under the thread sanitizer as well.
@Suite("C interface: threads")
struct ThreadTests {
  @Test("eight threads on one engine, with the same images, get right answers", .needsProgram)
  func sharedEngine() throws {
    let photos = try ["obama.jpg", "obama2.jpg", "biden.jpg"].map(Program.image)
    nonisolated(unsafe) let shared = photos
    let pairs = [(0, 1), (0, 2), (1, 2), (1, 0)]
    @Sendable func answer(_ thread: Int) -> String {
      guard let credential = try? Program.credential() else { return "no credential" }
      defer { fv_credential_free(credential) }
      return Program.compare(credential, shared[pairs[thread % 4].0], shared[pairs[thread % 4].1])
    }
    let expected = (0..<4).map(answer)
    #expect(expected[0].contains("\"result\" : \"match\"") && expected[1].contains("\"result\" : \"no-match\""))
    let answers = Mutex([String?](repeating: nil, count: 8))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let found = answer(thread)
      answers.withLock { $0[thread] = found }
    }
    answers.withLock { found in
      for thread in 0..<8 { #expect(found[thread] == expected[thread % 4]) }
    }
    for photo in photos { fv_image_free(photo) }
  }

  @Test("a second thread on one credential is told that it is busy, and disturbs nothing", .needsProgram)
  func busy() throws {
    nonisolated(unsafe) let credential = try Program.credential()
    nonisolated(unsafe) let photo = try Program.image("obama.jpg")
    let expected = Program.compare(credential, photo, photo)
    let answers = Mutex<[String: Int]>([:])
    // A call takes some ten milliseconds: of eight threads that begin together, some must meet.
    for _ in 0..<50 where answers.withLock({ $0["busy"] ?? 0 }) == 0 {
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let found = Program.compare(credential, photo, photo)
        answers.withLock { $0[found, default: 0] += 1 }
      }
    }
    answers.withLock { #expect(Set($0.keys) == [expected, "busy"]) }
    #expect(String(cString: fv_credential_message(credential)) == "")
    fv_credential_free(credential)
    fv_image_free(photo)
  }

  @Test("threads ask one decision for the same texts and parts", .needsProgram)
  func sharedDecision() throws {
    let credential = try Program.credential()
    let photo = try Program.image("obama.jpg")
    var sample: OpaquePointer?
    #expect(fv_credential_sample(&sample, credential, photo, nil) == 0)
    nonisolated(unsafe) let shared = sample
    let seen = Mutex<Set<UInt>>([])
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      let (text, faces) = (fv_sample_json(shared), fv_sample_faces(shared))
      var check = fv_check()
      check.struct_size = MemoryLayout<fv_check>.size
      #expect(fv_sample_check(&check, shared, 3) == 0)
      let found = [UInt(bitPattern: text), UInt(bitPattern: faces), UInt(bitPattern: check.measure)]
      seen.withLock { $0.formUnion(found) }
    }
    seen.withLock { #expect($0.count == 3) }
    fv_sample_free(sample)
    fv_credential_free(credential)
    fv_image_free(photo)
  }

  @Test("freed by one thread while others use it, a handle answers or is refused")
  func freedMeanwhile() throws {
    for _ in 0..<200 {
      nonisolated(unsafe) let image = try Program.plainImage(side: 32)
      let statuses = Mutex<Set<fv_status>>([])
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        guard thread > 0 else { return fv_image_free(image) }
        var info = fv_image_info()
        info.struct_size = MemoryLayout<fv_image_info>.size
        let status = fv_image_describe(&info, image)
        statuses.withLock { _ = $0.insert(status) }
      }
      statuses.withLock { #expect($0.isSubset(of: [fv_status(FV_OK), fv_status(FV_E_BAD_ARGUMENT)])) }
    }
  }
}
