extension GallerySearch: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "size": .integer(size),
      "comparisons": .integer(comparisons),
      "rate": .string(rate.description),
      "comparisonRate": .significant(comparisonRate.value, 3),
      "threshold": threshold?.jsonValue ?? .null,
      "note": .optional(note),
      "candidates": candidates.jsonValue,
    ]
  }
}

extension GallerySearch.Candidate: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "path": .string(path), "other": .optional(other), "score": .rounded(score, 4),
      "similarity": .rounded(similarity, 1), "match": .bool(isMatch),
    ]
  }
}

extension Gallery.Information: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": ["set": .string(models.set.rawValue), "identifier": .string(models.identifier)],
      "path": .string(path), "encrypted": .bool(isEncrypted), "templates": .integer(templates),
      "failures": .integer(failures),
    ]
  }
}

extension EmbeddedPhoto: JSONConvertible {
  /// Without the template.
  public var jsonValue: JSONValue {
    [
      "path": .string(path), "sha256": .optional(sha256), "quality": .optional(quality),
      "failure": failure.map { ["code": .string($0.code), "message": .string($0.message)] } ?? .null,
    ]
  }
}
