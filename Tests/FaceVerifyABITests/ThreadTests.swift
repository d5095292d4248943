import CFaceVerify
import Dispatch
import ScriptedModels
import TestSupport
import Testing

/// The header's guarantees of thread safety. Also run under the thread sanitizer.
@Suite("C interface: threads")
struct ThreadTests {
  @Test("eight threads share an engine and images, with correct results")
  func sharedEngine() throws {
    try answers(
      of: Program.engine,
      [1, 1, 2].enumerated().map {
        try Program.image(ScriptedPicture(person: $0.element, frame: $0.offset))
      })
  }

  @Test("eight threads share an engine and images with networks, too", .needsModels, .needsSamples)
  func sharedNetworks() throws {
    try answers(of: Program.installed, ["obama.jpg", "obama2.jpg", "biden.jpg"].map(Program.image))
  }

  /// - Parameter photos: two of one person and one of another.
  private func answers(of engine: OpaquePointer?, _ photos: [OpaquePointer]) throws {
    nonisolated(unsafe) let (engine, shared) = (engine, photos)
    let pairs = [(0, 1), (0, 2), (1, 2), (1, 0)]
    @Sendable func answer(_ thread: Int) -> String {
      Program.compare(shared[pairs[thread % 4].0], shared[pairs[thread % 4].1], by: engine)
    }
    let expected = (0..<4).map(answer)
    #expect(expected[0].contains("\"result\" : \"match\"") && expected[1].contains("\"result\" : \"no-match\""))
    let found = concurrently(8, answer)
    for thread in 0..<8 { #expect(found[thread] == expected[thread % 4]) }
    for photo in photos { fv_image_free(photo) }
  }

  // Rows: V4.15-a
  @Test("another thread cancels a call, and no other call is affected")
  func cancelled() throws {
    nonisolated(unsafe) let photo = try Program.image(ScriptedPicture(person: 1))
    let expected = Program.compare(photo, photo)
    var made: OpaquePointer?
    #expect(fv_cancellation_create(&made, nil, 0) == FV_OK)
    nonisolated(unsafe) let cancellation = made
    let answers = concurrently(8) { thread -> String in
      if thread == 0 { fv_cancellation_cancel(cancellation) }
      guard thread % 2 == 1 else { return Program.compare(photo, photo) }
      var budget = fv_budget(struct_size: MemoryLayout<fv_budget>.size, seconds: 0, cancellation: cancellation)
      var (sample, status): (OpaquePointer?, fv_status) = (nil, fv_status(FV_OK))
      // Calls before the cancellation succeed.
      while status == FV_OK {
        fv_sample_free(sample)
        status = fv_engine_sample(&sample, Program.engine, photo, nil, &budget, nil, 0)
      }
      return String(cString: fv_status_name(status))
    }
    #expect(Set(answers) == [expected, "cancelled"])
    fv_cancellation_free(cancellation)
    fv_image_free(photo)
  }

  @Test("eight threads share a session: each frame is accepted, out of order, or concurrent with another")
  func sharedSession() throws {
    nonisolated(unsafe) let session = try Program.session()
    nonisolated(unsafe) let photo = try Program.image(ScriptedPicture(person: 1))
    let statuses = concurrently(8) { thread in
      (0..<3).map { round -> fv_status in
        _ = fv_liveness_session_is_complete(session)
        return Program.add(photo, to: session, at: Double(8 * round + thread))
      }
    }.joined()
    #expect(statuses.contains(fv_status(FV_OK)))
    #expect(Set(statuses).isSubset(of: [FV_OK, FV_E_BUSY, FV_E_BAD_ARGUMENT].map { fv_status($0) }))
    var decision: OpaquePointer?
    #expect(fv_liveness_session_finish(&decision, session, nil, 0) == FV_OK)
    #expect(fv_liveness_session_is_complete(session) == 1)
    nonisolated(unsafe) let shared = decision
    let seen = concurrently(8) { _ in
      let (text, selfie) = (fv_liveness_decision_json(shared), fv_liveness_decision_selfie(shared))
      let template = fv_liveness_decision_template(shared)
      return [UInt(bitPattern: text), UInt(bitPattern: selfie), UInt(bitPattern: template)]
    }
    #expect(Set(seen.joined()).count == 3)
    fv_liveness_decision_free(decision)
    fv_liveness_session_free(session)
    fv_image_free(photo)
  }

  @Test("threads issue and accept requests of one store, each once")
  func sharedStore() throws {
    var made: OpaquePointer?
    #expect(fv_liveness_request_store_create(&made, nil, 0) == FV_OK)
    nonisolated(unsafe) let store = made
    let statuses = concurrently(16) { _ -> [fv_status] in
      var (request, decision): (OpaquePointer?, OpaquePointer?)
      let issued = fv_liveness_request_store_issue(&request, store, nil, 0, 0, nil, 0)
      guard let session = try? Program.session(request) else { return [] }
      let finished = fv_liveness_session_finish(&decision, session, nil, 0)
      defer {
        fv_liveness_decision_free(decision)
        fv_liveness_session_free(session)
        fv_liveness_request_free(request)
      }
      return [issued, finished]
        + (0..<2).map { _ in fv_liveness_request_store_accept(store, decision, 0, nil, 0) }
    }
    for found in statuses { #expect(found == [FV_OK, FV_OK, FV_OK, FV_E_WRONG_STATE].map { fv_status($0) }) }
    fv_liveness_request_store_free(store)
  }

  // Rows: V4.15-e
  @Test("threads read the same texts and parts of one decision")
  func sharedDecision() throws {
    let photo = try Program.image(ScriptedPicture(person: 1))
    var sample: OpaquePointer?
    #expect(fv_engine_sample(&sample, Program.engine, photo, nil, nil, nil, 0) == 0)
    nonisolated(unsafe) let shared = sample
    let seen = concurrently(64) { _ in
      let (text, faces) = (fv_sample_json(shared), fv_sample_faces(shared))
      var check = fv_quality_check()
      check.struct_size = MemoryLayout<fv_quality_check>.size
      #expect(fv_sample_check_at(&check, shared, 3) == 0)
      return [UInt(bitPattern: text), UInt(bitPattern: faces), UInt(bitPattern: check.measure)]
    }
    #expect(Set(seen.joined()).count == 3)
    fv_sample_free(sample)
    fv_image_free(photo)
  }

  @Test("threads read documents while others add to the shared chip and trust store")
  func sharedChipAndTrust() throws {
    var made: (chip: OpaquePointer?, trust: OpaquePointer?)
    #expect(fv_chip_create(&made.chip, nil, nil, 0) == FV_OK)
    #expect(fv_trust_store_create(&made.trust, nil, nil, 0) == FV_OK)
    nonisolated(unsafe) let (chip, trust) = made
    let file: [UInt8] = [0x61, 0x00]
    #expect(fv_chip_add(chip, "EF.DG1", file, file.count, nil, 0) == FV_OK)
    let statuses = concurrently(16) { thread -> fv_status in
      if thread % 4 == 0 { return fv_chip_add(chip, "EF.DG\(thread / 4 + 3)", [0, 0, 0, 1], 4, nil, 0) }
      if thread % 4 == 1 {
        let status = fv_trust_store_add(trust, "file \(thread)", file, file.count, nil, 0)
        return fv_trust_store_json(trust) == nil || status != FV_E_UNKNOWN_FORMAT ? status : fv_status(FV_OK)
      }
      var document: OpaquePointer?
      defer { fv_document_free(document) }
      return "2026-06-01".withCString { date in
        var input = fv_document_input()
        input.struct_size = MemoryLayout<fv_document_input>.size
        (input.chip, input.trust, input.date) = (chip, trust, date)
        return fv_document_read(&document, Program.engine, &input, nil, nil, 0)
      }
    }
    #expect(statuses == Array(repeating: fv_status(FV_OK), count: 16))
    fv_trust_store_free(trust)
    fv_chip_free(chip)
  }

  @Test("threads read the same texts and parts of one document")
  func sharedDocument() throws {
    var document: OpaquePointer?
    let zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10"
    #expect(fv_document_from_mrz(&document, zone, "2010-01-01", nil, 0) == FV_OK)
    nonisolated(unsafe) let shared = document
    let seen = concurrently(64) { _ in
      var field = fv_document_field()
      field.struct_size = MemoryLayout<fv_document_field>.size
      let source = fv_document_source(FV_DOCUMENT_SOURCE_PAGE)
      #expect(fv_document_field_by_name(&field, shared, source, "surname") == FV_OK)
      return [fv_document_json(shared), fv_document_data_json(shared), field.value].map { UInt(bitPattern: $0) }
    }
    #expect(Set(seen.joined()).count == 3)
    fv_document_free(document)
  }

  @Test("a handle freed during its use by other threads works or is rejected")
  func freedMeanwhile() throws {
    for _ in 0..<200 {
      nonisolated(unsafe) let image = try Program.plainImage(side: 32)
      let statuses = concurrently(4) { thread -> fv_status in
        guard thread > 0 else {
          fv_image_free(image)
          return fv_status(FV_OK)
        }
        var info = fv_image_info()
        info.struct_size = MemoryLayout<fv_image_info>.size
        return fv_image_describe(&info, image)
      }
      #expect(Set(statuses).isSubset(of: [fv_status(FV_OK), fv_status(FV_E_BAD_ARGUMENT)]))
    }
  }
}

/// Results of `body` on several threads, in separate locations: the sanitizer does not always see Swift's mutex.
private func concurrently<Value>(_ count: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
  [Value](unsafeUninitializedCapacity: count) { places, made in
    nonisolated(unsafe) let start = places.baseAddress!
    DispatchQueue.concurrentPerform(iterations: count) { i in (start + i).initialize(to: body(i)) }
    made = count
  }
}
