public import CFaceVerify
internal import FaceVerify

final class GalleryObject: HandleObject, @unchecked Sendable {
  // Sendable: Gallery is.
  override class var name: String { "gallery" }
  let gallery: Gallery

  init(_ gallery: Gallery) { self.gallery = gallery }
}

final class CandidatesObject: HandleObject, @unchecked Sendable {
  // Sendable: GallerySearch is.
  override class var name: String { "fv_candidates" }
  let search: GallerySearch

  init(_ search: GallerySearch) { self.search = search }
}

@c @implementation
public func fv_gallery_open(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ key: UnsafeRawPointer?, _ keyBytes: Int, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    guard let path else { throw VerifyError(.badArgument, "the path is NULL") }
    return GalleryObject(
      try Gallery(path: try string(path, "path"), engine: engine, key: try galleryKey(key, keyBytes)))
  }
}

@c @implementation
public func fv_gallery_free(_ gallery: OpaquePointer?) { Handles.free(gallery, GalleryObject.self) }

@c @implementation
public func fv_gallery_describe(
  _ out: UnsafeMutablePointer<fv_gallery_info>?, _ gallery: OpaquePointer?
) -> fv_status {
  attempt {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    try Structs.write(out) {
      let information = try gallery.information
      var value = fv_gallery_info()
      value.template_count = Int64(information.templates)
      value.failure_count = Int64(information.failures)
      value.is_encrypted = information.isEncrypted ? 1 : 0
      return value
    }
  }
}

@c @implementation
public func fv_gallery_add(
  _ gallery: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ template: OpaquePointer?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    guard let name else { throw VerifyError(.badArgument, "the name is NULL") }
    let template = try Handles.object(template, TemplateObject.self).template
    try gallery.add(template, name: try string(name, "name"))
  }
}

@c @implementation
public func fv_gallery_enrol(
  _ gallery: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ policy: OpaquePointer?,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    guard let path else { throw VerifyError(.badArgument, "the path is NULL") }
    let policy = try QualityPolicyObject.policy(policy, else: .selfie)
    let entry = try gallery.enrol(try string(path, "path"), policy: policy, budget: try Budget(budget))
    if let failure = entry.failure { throw VerifyError(.noTemplate, failure.message) }
  }
}

@c @implementation
public func fv_gallery_is_enrolled(
  _ gallery: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ policy: OpaquePointer?
) -> fv_bool {
  var isEnrolled = false
  _ = attempt {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    guard let path else { return }
    let policy = try QualityPolicyObject.policy(policy, else: .selfie)
    isEnrolled = try gallery.isEnrolled(try string(path, "path"), policy: policy)
  }
  return isEnrolled ? 1 : 0
}

@c @implementation
public func fv_gallery_merge(
  _ gallery: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<fv_merge_options>?,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    guard let path else { throw VerifyError(.badArgument, "the path is NULL") }
    let options = try Structs.read(options, defaults: fv_merge_options())
    try gallery.merge(
      try string(path, "path"), key: try galleryKey(options.key, options.key_byte_count), first: options.first,
      count: options.count == 0 ? nil : options.count, budget: try Budget(budget))
  }
}

@c @implementation
public func fv_gallery_remove(
  _ gallery: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    guard let name else { throw VerifyError(.badArgument, "the name is NULL") }
    let text = try string(name, "name")
    guard try gallery.remove(text) else { throw VerifyError(.absent, "there is no entry \(text) in the gallery") }
  }
}

@c @implementation
public func fv_gallery_search(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ gallery: OpaquePointer?, _ probe: OpaquePointer?, _ count: Int,
  _ rate: Double, _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    let probe = try Handles.object(probe, TemplateObject.self).template
    return CandidatesObject(
      try gallery.search(
        probe, count: count == 0 ? 10 : count, at: try FalseMatchRate(ofSearch: rate), budget: try Budget(budget)))
  }
}

@c @implementation
public func fv_gallery_duplicates(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ gallery: OpaquePointer?, _ count: Int, _ rate: Double,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let gallery = try Handles.object(gallery, GalleryObject.self).gallery
    return CandidatesObject(
      try gallery.duplicates(
        count: count == 0 ? 100 : count, at: try FalseMatchRate(ofSearch: rate), budget: try Budget(budget)))
  }
}

@c @implementation
public func fv_candidates_count(_ candidates: OpaquePointer?) -> Int {
  Handles.find(candidates, CandidatesObject.self)?.search.candidates.count ?? 0
}

@c @implementation
public func fv_candidates_at(
  _ out: UnsafeMutablePointer<fv_candidate>?, _ candidates: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try Handles.object(candidates, CandidatesObject.self)
    let candidate = try object.search.candidates.element(index)
    try Structs.write(out) {
      var value = fv_candidate()
      value.name = object.text(candidate.path)
      value.other = object.text(candidate.other ?? "")
      value.score = candidate.score
      value.similarity = candidate.similarity
      value.is_match = candidate.isMatch ? 1 : 0
      return value
    }
  }
}

@c @implementation
public func fv_candidates_describe(
  _ out: UnsafeMutablePointer<fv_candidates_info>?, _ candidates: OpaquePointer?
) -> fv_status {
  attempt {
    let object = try Handles.object(candidates, CandidatesObject.self)
    try Structs.write(out) {
      var value = fv_candidates_info()
      value.template_count = Int64(object.search.size)
      value.comparison_count = Int64(object.search.comparisons)
      value.rate = object.search.rate.value
      value.comparison_rate = object.search.comparisonRate.value
      value.threshold = object.search.threshold?.score ?? .nan
      value.note = object.text(object.search.note ?? "")
      return value
    }
  }
}

@c @implementation
public func fv_candidates_json(_ candidates: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(candidates, CandidatesObject.self).map { object in object.text("json") { object.search.json } }
}

@c @implementation
public func fv_candidates_free(_ candidates: OpaquePointer?) { Handles.free(candidates, CandidatesObject.self) }

/// nil for NULL with 0 bytes; an empty key that is not NULL is an error.
private func galleryKey(_ key: UnsafeRawPointer?, _ keyBytes: Int) throws -> Gallery.Key? {
  key == nil && keyBytes == 0 ? nil : try Gallery.Key(try bytes(key, keyBytes, "key"))
}

extension FalseMatchRate {
  /// 0 selects the default, one in a hundred.
  fileprivate init(ofSearch rate: Double) throws {
    self = rate == 0 ? .oneIn100 : try FalseMatchRate(checking: rate)
  }
}
