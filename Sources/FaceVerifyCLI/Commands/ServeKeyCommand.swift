#if Server
  import ArgumentParser
  import FaceVerify
  import FaceVerifyServer

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

          Exit codes: 0 added, 2 usage error, 3 runtime error.
          """)

      @Option(help: .init("The client of the key.", "name")) var name: String
      @Option(help: .init("Permissions, separated by commas: sessions, check, audit.", "scopes"))
      var scope = "sessions,check"
      @Option(help: .init("A URL prefix that webhooks may call.", "url")) var callback: [String] = []
      @Option(help: .init("Days until it expires; default: never.", "days")) var days: Int?
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: OutputOptions

      func run(on console: Console) throws -> ExitStatus {
        let made = try place.administration().addKey(
          tenant: name, scopes: scope.split(separator: ",").map(String.init), callbacks: callback, days: days)
        try console.show(
          ["id": .string(made.id), "key": .string(made.key), "webhookSecret": .string(made.secret)],
          "key             \(made.key)\nwebhook secret  \(made.secret)\nid              \(made.id)\n"
            + "Key and secret cannot be shown again. Send the key as: Authorization: Bearer \(made.key.prefix(8))…\n")
        return .done
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
        let json = JSONValue.array(
          keys.map { key in
            [
              "id": .string(key.id), "name": .string(key.tenant), "scopes": .array(key.scopes.map(JSONValue.string)),
              "callbacks": .array(key.callbacks.map(JSONValue.string)), "created": .string(key.created),
              "expires": key.expires.map(JSONValue.string) ?? .null, "isRevoked": .bool(key.isRevoked),
            ]
          })
        var table = Table()
        for key in keys {
          table.add(
            .init(key.id), .init(key.tenant, .strong), .init(key.scopes.joined(separator: " ")), .init(key.created),
            .init(key.isRevoked ? "revoked" : key.expires.map { "until \($0)" } ?? "", .faint))
        }
        try console.show(
          json, keys.isEmpty ? "There is no key: faceverify serve key add --name NAME\n" : table.text(on: console))
        return .done
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
        try console.show(["revoked": .string(id)], "revoked\n")
        return .done
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
          [
            "entries": .integer(found.count), "head": .string(found.head),
            "problem": found.problem.map(JSONValue.string) ?? .null,
          ],
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

  extension ServerPlace {
    func administration() throws -> ServerAdministration {
      try ServerAdministration(dataFolder: folder(), database: database)
    }
  }
#endif
