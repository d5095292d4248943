public import CFaceVerify
internal import FaceVerifyStore

final class GalleryObject: Box<Gallery>, @unchecked Sendable {}

@c @implementation public func fv_gallery_open(
  _ out: NewHandle, _ engine: Handle, _ path: Text, _ key: Bytes, _ keyBytes: Int, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    return GalleryObject(
      try Gallery(path: try string(path, "path"), engine: engine, key: try galleryKey(key, keyBytes)))
  }
}

@c @implementation public func fv_gallery_describe(_ out: Out<fv_gallery_info>, _ gallery: Handle) -> fv_status {
  GalleryObject.describe(out, gallery) { object in
    let information = try object.value.information
    var value = fv_gallery_info()
    value.template_count = Int64(information.templates)
    value.failure_count = Int64(information.failures)
    value.is_encrypted = fv_bool(information.isEncrypted)
    return value
  }
}

@c @implementation public func fv_gallery_add(
  _ gallery: Handle, _ name: Text, _ template: Handle, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try GalleryObject.value(of: gallery)
    let name = try string(name, "name")
    try gallery.add(try TemplateObject.value(of: template), name: name)
  }
}

@c @implementation public func fv_gallery_enrol(
  _ gallery: Handle, _ path: Text, _ policy: Handle, _ budget: In<fv_budget>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let entry = try GalleryObject.value(of: gallery).enrol(
      try string(path, "path"), policy: try QualityPolicyObject.policy(policy, else: .selfie),
      budget: try Budget(budget))
    if let failure = entry.failure { throw VerifyError(.noTemplate, failure.message) }
  }
}

@c @implementation public func fv_gallery_is_enrolled(_ gallery: Handle, _ path: Text, _ policy: Handle) -> fv_bool {
  var isEnrolled = false
  _ = attempt {
    let gallery = try GalleryObject.value(of: gallery)
    let policy = try QualityPolicyObject.policy(policy, else: .selfie)
    isEnrolled = try gallery.isEnrolled(try string(path, "path"), policy: policy)
  }
  return fv_bool(isEnrolled)
}

@c @implementation public func fv_gallery_merge(
  _ gallery: Handle, _ path: Text, _ options: In<fv_merge_options>, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try GalleryObject.value(of: gallery)
    let path = try string(path, "path")
    let options = try Structs.read(options, defaults: fv_merge_options())
    try gallery.merge(
      path, key: try galleryKey(options.key, options.key_byte_count), first: options.first,
      count: options.count == 0 ? nil : options.count, budget: try Budget(budget))
  }
}

@c @implementation
public func fv_gallery_remove(_ gallery: Handle, _ name: Text, _ message: Message, _ messageBytes: Int) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try GalleryObject.value(of: gallery)
    let name = try string(name, "name")
    guard try gallery.remove(name) else { throw VerifyError(.absent, "there is no entry \(name) in the gallery") }
  }
}

@c @implementation public func fv_gallery_search(
  _ out: NewHandle, _ gallery: Handle, _ probe: Handle, _ count: Int, _ rate: Double, _ budget: In<fv_budget>,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    CandidatesObject(
      try GalleryObject.value(of: gallery).search(
        try TemplateObject.value(of: probe), count: count == 0 ? 10 : count,
        at: try FalseMatchRate(orDefault: rate, .oneIn100), budget: try Budget(budget)))
  }
}

@c @implementation public func fv_gallery_duplicates(
  _ out: NewHandle, _ gallery: Handle, _ count: Int, _ rate: Double, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    CandidatesObject(
      try GalleryObject.value(of: gallery).duplicates(
        count: count == 0 ? 100 : count, at: try FalseMatchRate(orDefault: rate, .oneIn100), budget: try Budget(budget))
    )
  }
}

/// nil for NULL with 0 bytes; an empty key that is not NULL is an error.
private func galleryKey(_ key: Bytes, _ keyBytes: Int) throws -> SealingKey? {
  key == nil && keyBytes == 0 ? nil : try SealingKey(try bytes(key, keyBytes, "key"))
}

// MARK: Candidates

final class CandidatesObject: Box<GallerySearch>, @unchecked Sendable {
  override var json: String { value.json }
  var elements: [GallerySearch.Candidate] { value.candidates }
}

extension fv_candidate {
  init(_ candidate: GallerySearch.Candidate, of owner: HandleObject) {
    self.init()
    name = owner.text(candidate.path)
    other = owner.text(candidate.other ?? "")
    score = candidate.score
    similarity = candidate.similarity
    is_match = fv_bool(candidate.isMatch)
  }
}

extension fv_candidates_info {
  init(_ object: CandidatesObject) {
    self.init()
    template_count = Int64(object.value.size)
    comparison_count = Int64(object.value.comparisons)
    rate = object.value.rate.value
    comparison_rate = object.value.comparisonRate.value
    threshold = object.value.threshold?.score ?? .nan
    note = object.text(object.value.note ?? "")
  }
}
