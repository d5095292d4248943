import ArgumentParser
import FaceVerifyJourney

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Verify signed decision records, and open or replay their evidence.",
    discussion: """
      Examples:
        faceverify record verify record.json --trusted-key signing.pub.pem
        faceverify record open evidence.fvb --decryption-key auditor.pem -o evidence
        faceverify record replay evidence.fvb --decryption-key auditor.pem
      """,
    subcommands: [Verify.self, Replay.self, Open.self, Schema.self])

  struct Verify: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Verify the form and the signature of a record.",
      discussion: """
        Without --trusted-key, only the record itself attests the key that signed it.
        Ask the signer for the public key, and compare its fingerprint over another
        channel.

        The signature proves who made the record, and that nobody changed it since.
        Only `record replay` proves that its outcome follows from the evidence.

        The output has the requests and policies with the outcome: a valid record
        may prove little. It warns of policies that are not this version's, of
        another date than the record's, and of lower assurance than by default.

        Examples:
          faceverify record verify record.json --trusted-key signing.pub.pem
          faceverify record verify record.json --trusted-key old.pub.pem \\
            --trusted-key new.pub.pem --json
          faceverify record verify - --trusted-key signing.pub.pem < record.json

        Exit codes:
          0  valid: everything was checked, and nothing is wrong
          1  invalid: the output says what is wrong
          2  usage error
          3  runtime error: unreadable file, no record...
          4  nothing is wrong, but not everything was checked: no trusted key
        """)

    @Argument(help: "The record.", completion: .file()) var record: String
    @OptionGroup var trusted: TrustedKeyOption
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let limits = JSONValue.Limits()
      let bytes = try Input.bytes(record, maximumBytes: limits.maximumBytes)
      let record = try VerifyError.naming(record) { try DecisionRecord(bytes: bytes, limits: limits) }
      let checks = record.verify(trusting: try trusted.keys())
      let result = DecisionRecord.result(of: checks)
      try console.show(record.json(of: checks), Self.text(record, checks, result, on: console))
      return result.exit
    }

    private static func text(
      _ record: DecisionRecord, _ checks: [RecordCheck], _ result: CheckStatus, on console: Console
    ) -> String {
      let decision = record.body["result"]?["result"]?.string ?? "nothing"
      let title =
        switch result {
        case .passed: "valid, signed by a trusted key; its outcome is \(decision) by this policy:"
        case .notChecked: "nothing is wrong, but not everything was checked; its outcome is \(decision) by this policy:"
        case .failed: "invalid: do not rely on this record"
        }
      var (policies, table) = (Table(), Table())
      for (name, value) in policy(record) { policies.add(name, value) }
      for warning in record.warnings { policies.add(.init("warning", .caution), .init(warning)) }
      for check in checks { table.add(check.name.rawValue, check.status, check.text) }
      if let signer = record.signer { table.add(.init("key", .faint), .init(""), .init(signer.fingerprint)) }
      return console.styled(title, result.style) + "\n" + policies.text(indent: 2, on: console)
        + table.text(indent: 2, on: console)
    }

    private static func policy(_ record: DecisionRecord) -> [(String, String)] {
      let policy = record.policy
      func text(_ name: String) -> String { policy[name]?.string ?? "not stated" }
      func texts(_ json: JSONValue?) -> String { (json?.elements ?? []).compactMap(\.string).joined(separator: ", ") }
      let requests = (policy["requests"]?.elements ?? []).map { request -> String in
        let limits: [String] = ["countries", "types", "variants"].map { texts(request[$0]) }.filter { !$0.isEmpty }
        let category = request["category"]?.string ?? ""
        return limits.isEmpty ? category : "\(category) (\(limits.joined(separator: "; ")))"
      }
      let presence = (policy["presence"]?.elements ?? []).map { entry -> String in
        let (mode, name) = (entry["mode"]?.string ?? "", entry["policy"]?.string ?? "not stated")
        return "\(mode) by the policy \(name)"
      }
      func levels(_ assurance: JSONValue?) -> String {
        ["presence", "document", "binding"].map { "\($0) \(assurance?[$0]?.string ?? "not stated")" }
          .joined(separator: ", ")
      }
      let isCompared = policy["comparesFace"]?.bool == true
      let portrait: String = policy["portrait"]?.string.map { "the \($0) supplied" } ?? "the portrait of the document"
      let quality: String = "selfie by \(text("selfieQuality")), portrait by \(text("portraitQuality"))"
      let compared: String = "with \(portrait), at a false-match rate of \(text("falseMatchRate")); quality: \(quality)"
      let anchors: Int = policy["trust"]?["anchors"]?.integer ?? 0
      let isTrustGiven = policy["trust"]?["isGiven"]?.bool == true
      let trust: String = isTrustGiven ? "trusted certificates: \(anchors)" : "no trust anchors"
      let required: String = policy["requiresChip"]?.bool == true ? "required" : "not required"
      let day: String = policy["date"]?.string.map { "\($0), from the configuration" } ?? "the day of each call"
      let chip: String = "\(required), authentication \(text("authentication")), \(trust)"
      var lines: [(String, String)] = [
        ("requested", requests.joined(separator: ", ")), ("presence", presence.joined(separator: ", ")),
        ("compared", isCompared ? compared : "not compared"), ("chip", chip), ("checked for", day),
        ("required", levels(policy["assurance"])), ("proved", levels(record.body["result"]?["assurance"])),
      ]
      if let error = record.body["result"]?["error"]?["message"]?.string { lines.append(("error", error)) }
      return lines
    }
  }

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
      try console.show(json(record, differences), text(record, differences, inputs: count, on: console))
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

    private var isSignerChecked: Bool { !trusted.trustedKey.isEmpty }

    private func json(_ record: DecisionRecord, _ differences: [JourneyReplay.Difference]) -> JSONValue {
      let list = differences.map { difference -> JSONValue in
        [
          "path": .string(difference.path), "text": .string(difference.text),
          "isRounding": .bool(difference.isRounding),
        ]
      }
      return [
        "same": .bool(differences.isEmpty), "sameButForRounding": .bool(differences.allSatisfy(\.isRounding)),
        "signer": .optional(record.signer?.fingerprint), "isSignerChecked": .bool(isSignerChecked),
        "differences": .array(list),
      ]
    }

    private func text(
      _ record: DecisionRecord, _ differences: [JourneyReplay.Difference], inputs: Int, on console: Console
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
      if !isSignerChecked { table.add("key", record.signer?.fingerprint ?? "none") }
      let signer =
        isSignerChecked
        ? "signed by a trusted key" : "the signer was not checked: name the trusted key with --trusted-key"
      return console.styled("\(title); \(signer)", isSignerChecked ? .good : .caution) + "\n"
        + table.text(indent: 2, on: console)
    }
  }

  struct Open: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "open", abstract: "Decrypt evidence into a new folder.",
      discussion: """
        The folder has record.json and, in inputs/, every frame as PNG and every
        file unchanged. It is complete or does not exist. It has pictures of people:
        delete it after use.

        Examples:
          faceverify record open evidence.fvb --decryption-key auditor.pem -o evidence
          faceverify record verify evidence/record.json --trusted-key signing.pub.pem

        Exit codes: 0 decrypted, 2 usage error, 3 runtime error.
        """)

    @Argument(help: "The bundle.", completion: .file()) var bundle: String
    @Option(help: .init("The private key of the recipient of the evidence.", "file"), completion: .file())
    var decryptionKey: String
    @Option(name: .output, help: .init("The folder, which must not exist.", "folder"))
    var target: String
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let names = try EvidenceBundle.extract(path: bundle, key: PrivateKey(path: decryptionKey), to: target)
      return try console.show(
        ["folder": .string(target), "files": .array(names.map(JSONValue.string))],
        "\(target.printable): \(Text.counted(names.count, "file"))\n")
    }
  }

  struct Schema: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print the JSON Schema of records.",
      discussion: """
        examples/record/verify.py needs it.

        Example:
          faceverify record schema > record.schema.json

        Exit codes: 0 printed, 2 usage error, 3 runtime error.
        """)

    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      try console.write(DecisionRecord.jsonSchema.text)
      return .done
    }
  }
}

struct TrustedKeyOption: ParsableArguments {
  @Option(help: .init("The public key of a trusted signer; may be repeated.", "file"), completion: .file())
  var trustedKey: [String] = []

  func keys() throws -> [PublicKey] {
    try trustedKey.map { path in
      let key = try PublicKey(path: path)
      guard key.purpose == .signing else {
        throw VerifyError(.badArgument, "\(path) is a key for encryption, not for signing; see --decryption-key")
      }
      return key
    }
  }
}
