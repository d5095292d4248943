extension Gallery {
  /// The outcome of ``enrol(_:policy:limits:progress:)`` for one photo.
  public enum Enrolment: Sendable {
    /// Embedded and added to the gallery, with its template or the reason why it has none.
    case embedded(EmbeddedPhoto)
    /// Already in the gallery; the identical file.
    case unchanged(path: String)
  }

  /// Embeds photos, as many concurrently as the engine has threads, and adds each under its path.
  ///
  /// Resumable: photos that are already in the gallery are skipped if the file's SHA-256 and the policy's name are
  /// unchanged. Photos are committed every 0.5 s or 200 photos; a killed process loses at most these.
  ///
  /// - Parameters:
  ///   - progress: called for each photo in order of the paths, on one thread at a time. An error that it throws ends
  ///     the work; photos embedded before are kept.
  /// - Throws: as ``add(_:name:)``; ``VerifyError/Code/wrongState`` if the gallery was opened without an engine; errors
  ///   of `progress`.
  public func enrol(
    _ paths: [String], policy: QualityPolicy = .selfie, limits: ImageLimits = .init(),
    progress: @escaping @Sendable (Enrolment) throws -> Void = { _ in }
  ) throws {
    let engine = try requireEngine()
    let known = try hashes(policy: policy.name)
    let pending = Lock((photos: [EmbeddedPhoto](), since: ContinuousClock.now))
    @Sendable func commit(force: Bool) throws {
      try pending.withLock { pending in
        guard force || pending.photos.count >= 200 || .now - pending.since >= .milliseconds(500) else { return }
        defer { pending = ([], .now) }
        if !pending.photos.isEmpty { try add(pending.photos) }
      }
    }
    do {
      try Batch.run(
        paths.count, threads: engine.configuration.threads,
        { i -> EmbeddedPhoto? in
          let photo = Result { try Photo(path: paths[i], limits: limits) }
          if let known = known[paths[i]], case .success(let photo) = photo, photo.sha256 == known { return nil }
          return engine.embed(paths[i], photo, policy: policy)
        },
        handOver: { i, photo in
          guard let photo else { return try progress(.unchanged(path: paths[i])) }
          pending.withLock { $0.photos.append(photo) }
          try commit(force: false)
          try progress(.embedded(photo))
        })
    } catch {
      // Keeps finished photos, unless committing itself has failed.
      try? commit(force: true)
      throw error
    }
    try commit(force: true)
  }

  /// Embeds one photo and adds it under its path, unless it is already there, like
  /// ``enrol(_:policy:limits:progress:)``.
  ///
  /// - Returns: the entry.
  /// - Throws: as ``add(_:name:)``; ``VerifyError/Code/wrongState`` if the gallery was opened without an engine;
  ///   ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``: then nothing was added.
  @discardableResult
  public func enrol(
    _ path: String, policy: QualityPolicy = .selfie, limits: ImageLimits = .init(), budget: Budget = .unlimited
  ) throws -> EmbeddedPhoto {
    let engine = try requireEngine()
    let photo = Result { try Photo(path: path, limits: limits) }
    if let known = try known(path, photo, policy: policy) { return known }
    let embedded = engine.embed(path, photo, policy: policy, budget: budget)
    try budget.check()  // The failure of a call that was ended is not one of the photo.
    try add([embedded])
    return embedded
  }

  /// Whether ``enrol(_:policy:limits:budget:)`` would skip a photo: the identical file, judged by a policy of the same name.
  public func isEnrolled(
    _ path: String, policy: QualityPolicy = .selfie, limits: ImageLimits = .init()
  ) throws -> Bool {
    try known(path, Result { try Photo(path: path, limits: limits) }, policy: policy) != nil
  }

  /// The entry of a photo that need not be embedded again; nil otherwise.
  private func known(
    _ path: String, _ photo: Result<Photo, any Error>, policy: QualityPolicy
  ) throws -> EmbeddedPhoto? {
    guard case .success(let photo) = photo, let known = try self.photo(at: path) else { return nil }
    return known.sha256 == photo.sha256 && known.policy == policy.name ? known : nil
  }
}
