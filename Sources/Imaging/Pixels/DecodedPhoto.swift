internal import Glibc

/// The decoded pictures of a photo during one call, each size decoded once. Not thread-safe; the pictures are freed
/// when the call ends.
///
/// For JPEG and JPEG 2000, decoding a reduced picture costs much less than full size: the small one for face detection
/// is decoded first, a finer one only if a face needs it. Other formats require reading every row in any case: they are
/// decoded once, at the finest size that may be needed, and reduced from there.
package final class DecodedPhoto {
  package let photo: Photo
  private let budget: Budget
  private var pictures: [Int: PixelBuffer] = [:]

  package init(_ photo: Photo, budget: Budget = .unlimited) {
    self.photo = photo
    self.budget = budget
  }

  /// The most pixels of a picture that is searched for small faces; limits a photo to 75 MB.
  private static let mostPixels = 25_000_000

  /// The reduction of the finest picture that is searched.
  package var finestReduction: Int {
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

extension Photo {
  /// Returns the largest reduction that leaves the longer side at least `longSide` pixels.
  package func reduction(longSideAtLeast longSide: Int) -> Int {
    Self.reduction(of: Double(max(width, height)), atLeast: longSide)
  }

  /// Returns the largest reduction that leaves a length at least `least` pixels.
  package static func reduction(of length: Double, atLeast least: Int) -> Int {
    [8, 4, 2].first { length / Double($0) >= Double(least) } ?? 1
  }
}
