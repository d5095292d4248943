import ArgumentParser
import FaceVerify

extension RecordCommand {
  struct Replay: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "replay",
      abstract: "Check a record, and run the evidence behind it again: it must say the same, byte for byte.",
      discussion: """
        EVIDENCE is a bundle, or the folder that `record open` made of it. --key names
        keys of two kinds: the private key that the bundle is encrypted to, and the
        public keys of signers that are trusted. Without one of a signer, nobody but
        the record vouches for who signed it.

        First the record itself is checked as by `record verify`, and the evidence
        must have its inputs and nothing else. The models must be those of the
        record: another set is chosen with --models. What was trusted must be given
        again with --trust.

        A processor with other vector units adds in another order: scores and
        signals may differ by 0.02. They are named, and nothing else may differ.

        Examples:
          faceverify record replay evidence.fvb --key auditor.pem --key signing.pub.pem
          faceverify record replay evidence/ --key signing.pub.pem --trust csca/ --json

        Exit codes:
          0  a trusted key signed it, and it is the same, byte for byte or but for rounding
          1  wrong or not the same: what is wrong, missing, added or differs is named
          2  wrong use of the command
          3  could not be done: unreadable file, another recipient's bundle, no record...
          4  the same, but no trusted key was named: the signer was not checked
        """)

    @Argument(help: "The bundle, or its folder.", completion: .file())
    var evidence: String
    @Option(
      help: ArgumentHelp(
        "The bundle's private key, or the public key of a signer that is trusted; may be repeated.", valueName: "file"),
      completion: .file())
    var key: [String] = []
    @OptionGroup var trust: TrustOption
    @OptionGroup var output: JSONOption
    @OptionGroup var engine: EngineOptions

    func run(on console: Console) throws -> ExitStatus {
      let keys = try key.map { (path: $0, key: try PublicKey(path: $0)) }
      let signers = keys.map(\.key).filter { $0.purpose == .signing }
      let (names, file) = try source(keys.first { $0.key.purpose == .encryption }?.path)
      guard let bytes = try file(EvidenceBundle.recordName) else {
        throw VerifyError(.unreadable, "\(evidence) has no \(EvidenceBundle.recordName)")
      }
      let record = try DecisionRecord(bytes: bytes)
      let count = record.body["inputs"]?.elements.count ?? 0
      var differences = JourneyReplay.differences(of: record, files: names)
      if differences.isEmpty {
        let progress = Progress(record.body["calls"]?.elements.count ?? 0, interval: .seconds(10), on: console)
        differences = try JourneyReplay.differences(
          of: record, trusting: signers, engine: engine.engine(), trust: trust.store(on: console),
          inputs: { try file(EvidenceBundle.inputName($0)) }, progress: { _, _ in progress.show("calls") })
        progress.end()
      }
      try console.write(
        output.json
          ? Self.json(record, differences, isSignerChecked: !signers.isEmpty).text
          : Self.text(record, differences, inputs: count, isSignerChecked: !signers.isEmpty, on: console))
      guard differences.allSatisfy(\.isRounding) else { return .noMatch }
      return signers.isEmpty ? .refused : .done
    }

    /// Returns the names and contents of the evidence files. Those of a bundle stay in memory and are never written to
    /// disk unencrypted.
    private func source(_ key: String?) throws -> (names: [String], file: (String) throws -> [UInt8]?) {
      if Folder.isFolder(evidence) {
        let start = evidence.hasSuffix("/") ? evidence : evidence + "/"
        return (try Folder.everything(in: start), { try RegularFile.read(path: start + $0, maximumBytes: 256 << 20) })
      }
      guard let key else {
        throw VerifyError(
          .badArgument,
          "\(evidence) is no folder of evidence; a bundle is opened with its recipient's private key: --key auditor.pem"
        )
      }
      var files: [String: [UInt8]] = [:]
      try EvidenceBundle.read(path: evidence, key: PrivateKey(path: key)) { files[$0] = $1 }
      return (files.keys.sorted(), { [files] in files[$0] })
    }

    private static func json(
      _ record: DecisionRecord, _ differences: [JourneyReplay.Difference], isSignerChecked: Bool
    ) -> JSONValue {
      [
        "same": .bool(differences.isEmpty),
        "sameButForRounding": .bool(differences.allSatisfy(\.isRounding)),
        "signer": record.signer.map { .string($0.fingerprint) } ?? .null,
        "isSignerChecked": .bool(isSignerChecked),
        "differences": .array(
          differences.map {
            ["path": .string($0.path), "text": .string($0.text), "isRounding": .bool($0.isRounding)]
          }),
      ]
    }

    private static func text(
      _ record: DecisionRecord, _ differences: [JourneyReplay.Difference], inputs: Int, isSignerChecked: Bool,
      on console: Console
    ) -> String {
      var table = Table()
      for difference in differences { table.add(.init(difference.path), .init(difference.text)) }
      let wrong = differences.count { !$0.isRounding }
      guard wrong == 0 else {
        return console.styled("not the same: \(wrong) difference\(wrong == 1 ? "" : "s")", .bad) + "\n"
          + table.text(indent: 2, on: console)
      }
      let title =
        differences.isEmpty
        ? "the same: \(inputs) inputs give the same record, byte for byte"
        : "the same but for rounding, as on a processor with other vector units"
      let signer = record.signer.map(\.fingerprint) ?? "none"
      let text =
        isSignerChecked
        ? console.styled("\(title); a trusted key signed it", .good)
        : console.styled("\(title); but the signer was not checked: name the key that you trust with --key", .caution)
      if !isSignerChecked { table.add(.init("key", .faint), .init(signer)) }
      return text + "\n" + table.text(indent: 2, on: console)
    }
  }
}
