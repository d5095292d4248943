extension FaceTemplate {
  /// SHA-256 of the binary form, in lower-case hexadecimal: names a template without telling anything of the face.
  public var sha256: String { FaceVerifyBase.sha256(serialised()) }
}
