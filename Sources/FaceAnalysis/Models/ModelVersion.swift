/// Which models were used: part of every decision and report.
public struct ModelVersion: Sendable, Hashable {
  public let set: ModelSet
  /// Names the models that templates are made with, those that see the face included: templates of another identifier
  /// cannot be compared. The start of the hash over their hashes; 16 hexadecimal digits.
  public let identifier: String
  /// The same over all models of the set, those that only judge scores or frames included: what was measured with one
  /// revision says nothing certain of another.
  public let revision: String

  /// The roles of models that only judge.
  private static let judges = ["calibration", "presentation attack detection", "weights of presentation-attack"]

  package init(set: ModelSet, identifier: String, revision: String) {
    self.set = set
    self.identifier = identifier
    self.revision = revision
  }

  init(set: ModelSet, models: [ModelManifest.Model]) {
    func name(_ models: [ModelManifest.Model]) -> String {
      String(sha256(Array(models.map(\.sha256).joined().utf8)).prefix(16))
    }
    self.init(
      set: set, identifier: name(models.filter { !Self.judges.contains($0.role) }), revision: name(models))
  }
}
