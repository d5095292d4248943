import ArgumentParser
import FaceVerify

extension RecordCommand {
  struct Replay: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "replay", abstract: "Verify a record and run its evidence again: the result must be the same.",
      discussion: """
        EVIDENCE is a bundle, which needs --decryption-key, or the folder that
        `record open` made of it. Without --trusted-key, only the record itself
        attests who signed it.

        First the record is checked as by `record verify`, and the evidence must have
        its inputs and nothing else. The models must be those of the record: --set
        selects another set. --trust must name the same trust anchors.

        On a processor with other vector units, summation order differs: scores and
        signals may differ by 0.02. They are listed, and nothing else may differ.

        Examples:
          faceverify record replay evidence.fvb --decryption-key auditor.pem \\
            --trusted-key signing.pub.pem
          faceverify record replay evidence/ --trusted-key signing.pub.pem --trust csca/

        Exit codes:
          0  signed by a trusted key, and the same, byte for byte or except rounding
          1  invalid or not the same: the differences are listed
          2  usage error
          3  runtime error: unreadable file, another recipient's bundle, no record...
          4  the same, but without --trusted-key: the signer was not checked
        """)

    @Argument(help: "The bundle, or its folder.", completion: .file()) var evidence: String
    @Option(help: .init("The private key of the recipient of the bundle.", "file"), completion: .file())
    var decryptionKey: String?
    @OptionGroup var trusted: TrustedKeyOption
    @OptionGroup var trust: TrustOption
    @OptionGroup var output: OutputOptions
    @OptionGroup var engine: EngineOptions

    func run(on console: Console) throws -> ExitStatus {
      let signers = try trusted.keys()
      let (names, file) = try source()
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
      try console.show(
        Self.json(record, differences, isSignerChecked: !signers.isEmpty),
        Self.text(record, differences, inputs: count, isSignerChecked: !signers.isEmpty, on: console))
      guard differences.allSatisfy(\.isRounding) else { return .noMatch }
      return signers.isEmpty ? .refused : .done
    }

    /// Returns the names and contents of the evidence files. Those of a bundle stay in memory and are never written to
    /// disk unencrypted.
    private func source() throws -> (names: [String], file: (String) throws -> [UInt8]?) {
      if Folder.isFolder(evidence) {
        let start = evidence.hasSuffix("/") ? evidence : evidence + "/"
        return (try Folder.everything(in: start), { try RegularFile.read(path: start + $0, maximumBytes: 256 << 20) })
      }
      guard let decryptionKey else {
        guard try RegularFile.beginning(path: evidence, bytes: 4) == Array("FVB1".utf8) else {
          throw VerifyError(.unknownFormat, "\(evidence) is neither an evidence bundle nor a folder")
        }
        throw VerifyError(
          .badArgument, "\(evidence) is encrypted; name its recipient's private key with --decryption-key FILE")
      }
      var files: [String: [UInt8]] = [:]
      try EvidenceBundle.read(path: evidence, key: PrivateKey(path: decryptionKey)) { files[$0] = $1 }
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
        return console.styled("not the same: \(Text.counted(wrong, "difference"))", .bad) + "\n"
          + table.text(indent: 2, on: console)
      }
      let title =
        differences.isEmpty
        ? "the same: \(inputs) inputs give the same record, byte for byte"
        : "the same except rounding, as on a processor with other vector units"
      let signer = record.signer.map(\.fingerprint) ?? "none"
      let text =
        isSignerChecked
        ? console.styled("\(title); signed by a trusted key", .good)
        : console.styled("\(title); the signer was not checked: name the trusted key with --trusted-key", .caution)
      if !isSignerChecked { table.add("key", signer) }
      return text + "\n" + table.text(indent: 2, on: console)
    }
  }
}
