internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyCapture
internal import Glibc

/// Single checks over HTTP, with the JSON of the corresponding commands.
struct OneShot {
  let engine: FaceEngine
  let trust: TrustStore
  let budget: Budget
  let today: CalendarDate

  func compare(_ form: Multipart) throws -> JSONValue {
    try form.require("selfie", "portrait", "chip", "document", "fmr", "date")
    var policy = ComparisonPolicy()
    if let rate = try form.one("fmr") {
      guard let known = FalseMatchRate(rate.text) else {
        throw VerifyError(.unsupportedRate, "fmr must be a rate such as 1e-3, not \"\(rate.text.prefix(32))\"")
      }
      policy.falseMatchRate = known
    }
    let selfie = try photo(needed("selfie", of: form))
    let (chips, pages) = (form.all("chip"), form.all("document"))
    guard !chips.isEmpty || !pages.isEmpty else {
      let portrait = try photo(needed("portrait", of: form))
      return try FaceServer.working(on: [selfie, portrait]) {
        try engine.compare(selfie: .photo(selfie), portrait: .photo(portrait), policy: policy, budget: budget).jsonValue
      }
    }
    guard form.all("portrait").isEmpty else {
      throw VerifyError(.badArgument, "give a portrait, or a document with \"chip\", \"document\" or both")
    }
    return try reading(pages, chips, of: form, with: [selfie]) {
      try engine.compare(selfie: .photo(selfie), portrait: .document($0), policy: policy, budget: budget).jsonValue
    }
  }

  private func reading(
    _ pages: [Multipart.Part], _ chips: [Multipart.Part], of form: Multipart, with others: [Photo] = [],
    accepted: Set<UnauthenticatedDocument> = [], readsText: Bool = false, _ body: (DocumentReading) throws -> JSONValue
  ) throws -> JSONValue {
    let (scans, files, day) = (try pages.map(photo), chips.isEmpty ? nil : try form.chip(chips), try date(form))
    return try FaceServer.working(on: scans + others) {
      try body(
        engine.readDocument(
          pages: scans, chip: files, trust: trust, authentication: .standard, date: day, accepted: accepted,
          readsText: readsText, budget: budget))
    }
  }

  private func photo(_ part: Multipart.Part) throws -> Photo { try Photo(bytes: Array(part.bytes), limits: .upload) }

  func document(_ form: Multipart) throws -> JSONValue {
    try form.require("page", "chip", "date", "accept", "text")
    let accepted = try form.all("accept").map { part in
      guard let kind = UnauthenticatedDocument(rawValue: part.text) else {
        throw VerifyError(.badArgument, "accept must be page-only or licence-code, not \"\(part.text.prefix(32))\"")
      }
      return kind
    }
    let text = try form.one("text")?.text ?? "false"
    guard let readsText = Bool(text) else {
      throw VerifyError(.badArgument, "text must be true or false, not \"\(text.prefix(32))\"")
    }
    let (pages, chips) = (form.all("page"), form.all("chip"))
    guard !pages.isEmpty || !chips.isEmpty else {
      throw VerifyError(.badArgument, "the form needs a file \"page\" for each page, files \"chip\", or both")
    }
    return try reading(pages, chips, of: form, accepted: Set(accepted), readsText: readsText, \.jsonValue)
  }

  private static let policies: [String: QualityPolicy] = [
    "selfie": .selfie, "document": .documentPortrait, "chip": .chipPortrait,
  ]

  func quality(_ form: Multipart) throws -> JSONValue {
    try form.require("photo", "policy")
    let name = try form.one("policy")?.text ?? "selfie"
    guard let policy = Self.policies[name] else {
      throw VerifyError(.badArgument, "policy must be selfie, document or chip, not \"\(name.prefix(32))\"")
    }
    let photos = form.all("photo")
    guard !photos.isEmpty else { throw VerifyError(.badArgument, "the form needs a file \"photo\" for each photo") }
    return PhotoRecord.all(
      photos.enumerated().map { index, part in
        let name = part.fileName ?? "photo \(index + 1)"
        do {
          let photo = try photo(part)
          let sample = try FaceServer.working(on: [photo]) {
            try engine.assess(photo, policy: policy, budget: budget)
          }
          return sample.jsonValue.with("file", .string(name))
        } catch {
          return PhotoRecord.failed(name, error as? VerifyError ?? VerifyError(.internalFailure, "\(error)"))
        }
      }, by: engine)
  }

  func video(_ form: Multipart) throws -> JSONValue {
    try form.require("video", "portrait", "policy")
    var configuration = LivenessSession.Configuration()
    configuration.timeout = LivenessSession.timeouts.upperBound
    let wanted = try form.one("policy")?.text ?? LivenessPolicy.passiveOnly.name
    guard let policy = LivenessPolicy.all.first(where: { $0.name == wanted }) else {
      throw VerifyError(.badArgument, "policy must be one of \(LivenessPolicy.all.map(\.name).joined(separator: ", "))")
    }
    configuration.policy = policy
    if let portrait = try form.one("portrait") {
      configuration.portrait = try engine.portraitTemplate(photo(portrait), budget: budget)
    }
    // Never written to disk: ffmpeg reads an unlinked file in memory.
    var name = Array("/dev/shm/faceverify.XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw VerifyError(.internalFailure, "/dev/shm: \(RegularFile.reason(errno))") }
    unlink(&name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    defer { close(file) }
    let path = "/proc/\(getpid())/fd/\(file)"
    try needed("video", of: form).bytes.withUnsafeBytes { try RegularFile.write($0, to: file, named: "the video") }
    let source = try FrameSource.video(path)
    let session = try LivenessSession(engine: engine, configuration: configuration)
    let run = try LivenessRun(
      session,
      next: {
        try budget.check()
        return try source.next()
      })
    return run.decision.jsonValue.with("interruption", run.interruption.map(JSONValue.string) ?? .null)
  }

  private func needed(_ name: String, of form: Multipart) throws -> Multipart.Part {
    guard let part = try form.one(name) else { throw VerifyError(.badArgument, "the form needs a file \"\(name)\"") }
    return part
  }

  private func date(_ form: Multipart) throws -> DateTime {
    guard let part = try form.one("date") else { return DateTime(today) }
    guard let day = CalendarDate(part.text) else {
      throw VerifyError(.badArgument, "date must be a day such as 2026-11-23, not \"\(part.text.prefix(32))\"")
    }
    return DateTime(day)
  }
}

extension Multipart {
  func chip(_ parts: [Part]) throws -> ChipFiles {
    var files = ChipFiles()
    for part in parts { _ = try files.add(Array(part.bytes), name: part.fileName ?? part.name) }
    return files
  }
}

extension FaceEngine {
  /// - Throws: ``VerifyError/Code/noFace`` with advice if the photo's quality is insufficient.
  func portraitTemplate(_ photo: Photo, budget: Budget) throws -> FaceTemplate {
    let sample = try FaceServer.working(on: [photo]) {
      try self.sample(photo, policy: .documentPortrait, budget: budget)
    }
    guard let template = sample.template else {
      throw VerifyError(
        .noFace, "the quality of the portrait is insufficient: \(sample.quality.refusals.first?.text ?? "")")
    }
    return template
  }
}

extension ImageLimits {
  /// For photos from the network: the sizes of phone cameras, 150 MB when decoded.
  static let upload = ImageLimits(maximumPixels: 50_000_000)
  /// For the portrait of a session: 4032 × 3024 pixels, as phone cameras have.
  static let portrait = ImageLimits(maximumPixels: 12_500_000)
}
