internal import Glibc

/// What one call decodes of a photo, each size once. One thread at a time; its pictures go when the call ends.
///
/// Of JPEG and JPEG 2000 a small picture costs much less than all of it: first the small one that faces are looked for
/// in is decoded, and a finer one only where a face needs it. Of other formats every row has to be read whatever comes
/// out: they are decoded once, as finely as anything may need, and reduced from there.
package final class DecodedPhoto {
  package let photo: Photo
  private let budget: Budget
  private var pictures: [Int: PixelBuffer] = [:]

  package init(_ photo: Photo, budget: Budget = .unlimited) {
    self.photo = photo
    self.budget = budget
  }

  /// The most pixels of a picture that is searched for small faces, so that no photo takes more than 75 MB.
  private static let mostPixels = 25_000_000

  /// The reduction of the finest picture that is searched.
  var finestReduction: Int {
    [1, 2, 4].first { photo.width.dividedUp(by: $0) * photo.height.dividedUp(by: $0) <= Self.mostPixels } ?? 8
  }

  /// - Parameter reduction: 1, 2, 4 or 8.
  package func picture(reduction: Int) throws -> PixelBuffer {
    if let known = pictures[reduction] { return known }
    let source =
      pictures.keys.filter { $0 < reduction }.max()
      ?? (photo.decodesReducedFaster ? reduction : min(finestReduction, reduction))
    let picture =
      source == reduction
      ? try photo.pixels(reduction: reduction, budget: budget)
      : try self.picture(reduction: source).reduced(by: reduction / source)
    pictures[reduction] = picture
    return picture
  }
}
