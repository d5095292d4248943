#if Server
  import ArgumentParser
  import FaceVerify
  import FaceVerifyBase
  import FaceVerifyServer
  import Glibc

  struct ServeKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key", abstract: "Add, list and revoke API keys.",
      discussion: """
        Examples:
          faceverify serve key add --name shop
          faceverify serve key add --name shop --scope sessions \\
            --callback https://shop.example/hook
          faceverify serve key list
          faceverify serve key revoke 0b0c9d5e-…
        """, subcommands: [Add.self, List.self, Revoke.self])

    struct Add: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an API key. It is printed once; only its hash is stored.",
        discussion: """
          Keys of one name share their sessions: to rotate a key, add the second
          before revoking the first.

          Examples:
            faceverify serve key add --name shop --days 365
            faceverify serve key add --name auditor --scope audit --json
            faceverify serve key add --name shop --test

          Exit codes: 0 added, 2 usage error, 3 runtime error.
          """)

      @Option(help: .init("The client of the key.", "name")) var name: String
      @Option(
        help: .init(
          "Permissions, separated by commas: sessions, check, audit; default: sessions,check, of a test key sessions.",
          "scopes"))
      var scope: String?
      @Flag(help: "Its sessions are tests: they end as their request says, and prove nothing.") var test = false
      @Option(help: .init("A URL prefix that webhooks may call.", "url")) var callback: [String] = []
      @Option(help: .init("Days until it expires; default: never.", "days")) var days: Int?
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: OutputOptions

      func run(on console: Console) throws -> ExitStatus {
        let made = try place.administration().addKey(
          name: name, isTest: test,
          scopes: (scope ?? (test ? "sessions" : "sessions,check")).split(separator: ",").map(String.init),
          callbacks: callback, days: days)
        return try console.show(
          ["id": .string(made.id), "key": .string(made.key), "webhookSecret": .string(made.secret)],
          "key             \(made.key)\nwebhook secret  \(made.secret)\nid              \(made.id)\n"
            + "Key and secret cannot be shown again. Send the key as: Authorization: Bearer \(made.key.prefix(8))…\n")
      }
    }

    struct List: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all keys, without their secrets.",
        discussion: """
          Examples:
            faceverify serve key list --json

          Exit codes: 0 listed, 2 usage error, 3 runtime error.
          """)
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: OutputOptions

      func run(on console: Console) throws -> ExitStatus {
        let keys = try place.administration().keys()
        let json = keys.map { key -> JSONValue in
          [
            "id": .string(key.id), "name": .string(key.name), "isTest": .bool(key.isTest),
            "scopes": .array(key.scopes.map(JSONValue.string)),
            "callbacks": .array(key.callbacks.map(JSONValue.string)), "created": .string(timestamp(key.created)),
            "expires": .optional(key.expires.map(timestamp)), "isRevoked": .bool(key.revoked != nil),
          ]
        }
        var table = Table()
        for key in keys {
          table.add(
            .init(key.id), .init(key.name, .strong), .init(key.isTest ? "test" : "live"),
            .init(key.scopes.joined(separator: " ")),
            .init(timestamp(key.created)),
            .init(key.revoked != nil ? "revoked" : key.expires.map { "until \(timestamp($0))" } ?? "", .faint))
        }
        return try console.show(
          .array(json),
          keys.isEmpty ? "There is no key: faceverify serve key add --name NAME\n" : table.text(on: console))
      }
    }

    struct Revoke: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a key immediately, also for a running server.",
        discussion: """
          Examples:
            faceverify serve key revoke 0b0c9d5e-6f0e-4c8e-9d53-0a8f3f0a2b11

          Exit codes: 0 revoked, 2 usage error, 3 runtime error.
          """)
      @Argument(help: "The key's id.") var id: String
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: OutputOptions

      func run(on console: Console) throws -> ExitStatus {
        try place.administration().revoke(id)
        return try console.show(["revoked": .string(id)], "revoked\n")
      }
    }
  }

  struct ServeAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "audit", abstract: "Verify or export the audit log, a hash chain.",
      discussion: """
        Examples:
          faceverify serve audit verify
          faceverify serve audit export > audit.ndjson
        """, subcommands: [Verify.self, Export.self])

    struct Verify: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify that no entry was changed, removed or inserted.",
        discussion: """
          Compare the head with one stored elsewhere: a writer of the database can
          replace the whole chain.

          Exit codes: 0 intact, 1 broken, 2 usage error, 3 runtime error.

          Examples:
            faceverify serve audit verify --json
          """)
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: OutputOptions

      func run(on console: Console) throws -> ExitStatus {
        let found = try place.administration().verifyAudit()
        try console.show(
          ["entries": .integer(found.count), "head": .string(found.head), "problem": .optional(found.problem)],
          found.problem.map { "the chain is broken: \($0.printable)\n" }
            ?? "intact: \(found.count) entries, head \(found.head)\n")
        return found.problem == nil ? .done : .noMatch
      }
    }

    struct Export: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export all entries, one JSON object per line.",
        discussion: """
          Examples:
            faceverify serve audit export --after 4711

          Exit codes: 0 exported, 2 usage error, 3 runtime error.
          """)
      @Option(help: .init("Only the entries after this one.", "number")) var after = 0
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: OutputOptions

      func run(on console: Console) throws -> ExitStatus {
        try place.administration().eachAuditEntry(after: after) { entry in
          try console.write(String(decoding: entry.canonical, as: UTF8.self) + "\n")
        }
        return .done
      }
    }
  }

  struct ServeCertificateCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "certificate", abstract: "Make a certificate for a local network, and its certificate authority.",
      discussion: """
        Writes ca.pem, which each device must trust (on iOS: install it, then
        trust it in the settings), and server.pem with server.key for the server.
        The key of the authority is not kept. For a public name, use a certificate
        that browsers trust already.

        Requires the program openssl (apt-get install openssl).

        Examples:
          faceverify serve certificate --name kiosk.lan --output tls
          faceverify serve --host 0.0.0.0 --tls-cert tls/server.pem \\
            --tls-key tls/server.key

        Exit codes: 0 written, 2 usage error, 3 runtime error.
        """)

    @Option(help: .init("A host name or an address of the server, as users type it.", "name")) var name: [String]
    @Option(
      name: .output,
      help: .init("The folder to write to; default: the current one.", "folder"),
      completion: .directory)
    var out = "."
    @Option(help: .init("Validity; browsers accept at most 825.", "days")) var days = 397
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try require((1...825).contains(days), "--days must be 1 to 825")
      for name in name
      where name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*".contains($0)) }) {
        throw ValidationError("--name takes a host name or an address, not \"\(name)\"")
      }
    }

    func run(on console: Console) throws -> ExitStatus {
      try RegularFile.makeFolder(out)
      for file in ["ca.pem", "server.pem", "server.key"] where RegularFile.exists("\(out)/\(file)") {
        throw VerifyError(.unwritable, "\(out)/\(file) exists already; choose another folder")
      }
      var template = Array("\(out)/.certificate.XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw VerifyError(.unwritable, "\(out): \(RegularFile.reason(errno))") }
      let work = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      defer {
        for file in ["ca.key", "server.csr", "names"] { unlink("\(work)/\(file)") }
        rmdir(work)
      }
      let names = name.map { name in
        (name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." } ? "IP:" : "DNS:") + name
      }
      let extensions = ["basicConstraints=critical,CA:FALSE", "extendedKeyUsage=serverAuth"]
      let lines = ["subjectAltName=\(names.joined(separator: ","))"] + extensions
      try RegularFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "\(work)/names")
      let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      try openssl(
        ["req", "-x509"] + curve + [
          "-keyout", "\(work)/ca.key", "-out", "\(out)/ca.pem", "-days", "\(days)", "-subj",
          "/CN=faceverify \(name[0])",
          "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0", "-addext", "keyUsage=critical,keyCertSign",
        ])
      try openssl(
        ["req"] + curve + ["-keyout", "\(out)/server.key", "-out", "\(work)/server.csr", "-subj", "/CN=\(name[0])"])
      try openssl([
        "x509", "-req", "-in", "\(work)/server.csr", "-CA", "\(out)/ca.pem", "-CAkey", "\(work)/ca.key", "-days",
        "\(days)", "-out", "\(out)/server.pem", "-extfile", "\(work)/names",
      ])
      chmod("\(out)/server.key", 0o600)
      let folder = out.printable
      return try console.show(
        [
          "authority": .string("\(out)/ca.pem"), "certificate": .string("\(out)/server.pem"),
          "key": .string("\(out)/server.key"),
        ],
        "\(folder)/ca.pem: for the devices\n\(folder)/server.pem, \(folder)/server.key: "
          + "faceverify serve --tls-cert \(folder)/server.pem --tls-key \(folder)/server.key\n")
    }

    private func openssl(_ arguments: [String]) throws {
      let status = try ChildProcess.run(["openssl"] + arguments)
      guard status == 0 else {
        throw VerifyError(.internalFailure, "openssl \(arguments[0]) failed with exit code \(status)")
      }
    }
  }

#endif
