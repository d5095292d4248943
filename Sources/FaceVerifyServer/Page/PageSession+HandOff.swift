internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyJourney

// The person continues on another device, such as a phone.

extension PageSession {
  /// Seconds for which a link for another device is valid.
  static let offerSeconds = 600.0
  private static let maximumOffers = 20

  /// Offers the session to another device, once; an earlier offer is void.
  ///
  /// - Throws: ``Problem``, with the current view.
  func offer(_ digest: String) throws {
    let now = now
    let isOffered = try page.withLock { page in
      guard !page.isOver else { throw Problem.ended }
      guard server.mayHandOff else {
        throw Problem(409, "Only this machine reaches the server: start it with --public-url for other devices.")
      }
      guard page.isBetweenParts, page.offers < Self.maximumOffers else { return false }
      page.offers += 1
      page.offer = (digest, now + Self.offerSeconds)
      return true
    }
    guard isOffered else { throw problem(Problem(409, "The session cannot continue on another device now.")) }
  }

  /// Accepts an offer: the other device has the session from now on.
  ///
  /// - Parameter change: stores the new device; false if it may not.
  /// - Returns: the view.
  func takeOver(_ digest: String, _ change: () throws -> Bool) throws -> JSONValue {
    // Taken at once: of several devices, one succeeds.
    let offer = try page.withLock { page in
      guard let offer = page.offer, offer.digest == digest, page.isBetweenParts else {
        throw Problem(409, "The link was used, or the first device continued: show a new code.")
      }
      guard now <= offer.until else { throw Problem.over("The link has expired: show a new code.") }
      guard turns.tryTake() else {
        throw Problem(503, "The first device is being answered: try again.", code: .transport, retryAfter: 1)
      }
      page.offer = nil
      return offer
    }
    defer { turns.give() }
    var isTaken = false
    defer { if !isTaken { page.withLock { $0.offer = offer } } }
    isTaken = try change()
    guard isTaken else { throw Problem.ended }
    page.withLock { $0.transport.handOffs += 1 }
    return view()
  }
}
