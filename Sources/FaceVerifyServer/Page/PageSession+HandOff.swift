internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyJourney

// The person continues on another device, such as a phone.

extension PageSession {
  /// Seconds for which a link for another device is valid.
  static let offerSeconds = 600.0
  private static let maximumOffers = 20

  /// Whether no part is in progress: pictures of one part all come from one device.
  var isBetweenParts: Bool {
    [.created, .consenting, .ready, .configuring, .advising, .choosing].contains(journey.state)
  }

  /// Offers the session to another device, once; an earlier offer is void.
  ///
  /// - Throws: ``Problem``, with the current view.
  func offer(_ digest: String, at now: Double) throws {
    try lock.withLock { _ in
      guard !isOver else { throw Problem.ended }
      guard server.mayHandOff else {
        throw Problem(409, "Only this machine reaches the server: start it with --public-url for other devices.")
      }
      guard isBetweenParts, offers < Self.maximumOffers else {
        throw problem(Problem(409, "The session cannot continue on another device now."), at: now)
      }
      offers += 1
      offer = (digest, now + Self.offerSeconds)
    }
  }

  /// Accepts an offer: the other device has the session from now on.
  ///
  /// - Parameter change: stores the new device; false if it may not.
  /// - Returns: the view.
  func takeOver(_ digest: String, at now: Double, _ change: () throws -> Bool) throws -> JSONValue {
    try lock.withLock { _ in
      guard let offer, offer.digest == digest, isBetweenParts else {
        throw Problem(409, "The link was used, or the first device continued: show a new code.")
      }
      guard now <= offer.until else { throw Problem.over("The link has expired: show a new code.") }
      guard try change() else { throw Problem.ended }
      self.offer = nil
      transport.handOffs += 1
      return view(at: now)
    }
  }
}
