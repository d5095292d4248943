#if Server
  import ArgumentParser
  import Dispatch
  import FaceVerify
  import FaceVerifyBase
  import FaceVerifyHTTP
  import FaceVerifyServer
  import Glibc
  import Synchronization

  struct ServeCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Run the server: a web page for end users, and an API for programs.",
      discussion: """
        Without options it serves this machine only, stores its data in a folder of
        its own, and prints the address of a page for trying it. Programs need a
        key: faceverify serve key add --name NAME.

        Pictures are never written; results are signed and deleted after a day.

        Examples:
          faceverify serve
          faceverify serve --trust csca/ --host 0.0.0.0 --tls-cert c.pem --tls-key k.pem
          faceverify serve --trust csca/ --reader
          faceverify serve --behind-proxy --public-url https://verify.example.com
          faceverify serve --database postgres://fv@db/fv --node n2
          faceverify serve key add --name shop --callback https://shop.example/hook

        Ctrl-C or SIGTERM stops it after running attempts (75 s at most), a second
        signal immediately.

        Exit codes: 0 stopped, 2 usage error, 3 runtime error.
        """,
      subcommands: [ServeKeyCommand.self, ServeAuditCommand.self, ServeCertificateCommand.self])

    @Option(help: .init("The address to listen on.", "address")) var host = "127.0.0.1"
    @Option(help: .init("The port; 0 for any free one.", "port")) var port = 8443
    @Option(help: .init("The port of /healthz, /readyz and /metrics on 127.0.0.1; 0 for any free one.", "port"))
    var adminPort = 8444
    @OptionGroup var place: ServerPlace
    @Option(help: .init("This node's name in a cluster.", "name")) var node = "n1"
    @Option(help: .init("The URL of the server for users, if not host and port.", "url")) var publicUrl: String?
    @Option(help: .init("A certificate chain in PEM.", "file"), completion: .file()) var tlsCert: String?
    @Option(help: .init("Its key in PEM.", "file"), completion: .file()) var tlsKey: String?
    @Flag(
      inversion: .prefixedNo, help: "A public page at / for trying it; default: on 127.0.0.1 while there is no key.")
    var demo: Bool?
    @Option(help: .init("Pages of this origin may embed the page in a frame and exchange messages with it.", "origin"))
    var allowEmbedding: [String] = []
    @Option(help: .init("At the end, the page may lead the person back to this origin (returnUrl).", "origin"))
    var allowReturn: [String] = []
    @Option(
      defaultAsFlag: "",
      help: .init(
        "Pages may read a document's chip on this smart card reader of this machine, named by a part of its name; without "
          + "a name: the only reader with a card.", "name"))
    var reader: String?
    @Flag(help: "A trusted proxy terminates HTTPS and sets X-Forwarded-For.") var behindProxy = false
    @Option(help: .init("Webhooks may call this receiver although it is on this machine or network.", "host:port"))
    var allowCallback: [String] = []
    @Option(help: .init("Rate limits: on or off.", "on|off")) var rateLimits = Switch.on
    @Option(help: .init("Maximum number of concurrent face attempts; default: measured.", "count")) var capacity: Int?
    @Option(help: .init("Serve the page's files from this folder, for custom styling.", "folder")) var page: String?
    @Flag(help: "For tests: programs may set challenges, so that recordings fit.") var allowFixedScripts = false
    @Flag(help: "For tests: the camera of a browser may be a file.") var trustCameraLabel = false
    @OptionGroup var trust: TrustOption
    @OptionGroup var engine: EngineOptions
    @OptionGroup var output: OutputOptions

    enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

    func validate() throws {
      do {
        try options(in: "", trust: TrustStore()).check()
      } catch let error as VerifyError {
        throw ValidationError(error.message)
      }
    }

    private func options(in folder: String, trust: TrustStore) -> ServerConfiguration {
      var configuration = ServerConfiguration(dataFolder: folder)
      (configuration.host, configuration.port, configuration.adminPort) = (host, port, adminPort)
      (configuration.database, configuration.node, configuration.publicURL) = (place.database, node, publicUrl)
      (configuration.certificate, configuration.certificateKey) = (tlsCert, tlsKey)
      (configuration.trust, configuration.reader) = (trust, reader)
      configuration.demonstration = demo.map { $0 ? .on : .off } ?? .automatic
      (configuration.embedding, configuration.returns) = (allowEmbedding, allowReturn)
      configuration.isBehindProxy = behindProxy
      (configuration.allowedCallbacks, configuration.hasRateLimits) = (allowCallback, rateLimits == .on)
      (configuration.capacity, configuration.pageFolder) = (capacity, page)
      (configuration.allowsScripts, configuration.trustsCameraLabels) = (allowFixedScripts, trustCameraLabel)
      return configuration
    }

    func run(on console: Console) throws -> ExitStatus {
      let configuration = options(in: try place.folder(), trust: try trust.store(on: console))
      let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      let engine = try self.engine.engine(threads: min(64, cores + HTTPServer.checkThreads(cores)))
      try engine.preload()
      let server = try FaceServer(configuration, engine: engine, face: DrawnFace.photo().pixels(reduction: 2))
      if allowFixedScripts || trustCameraLabel {
        server.log(
          .warning,
          "options for tests are set: recordings can pass as living people; do not use this server in production")
      }
      Interruption.state.withLock { $0.handler = { server.signal() } }
      try wait {
        try await HTTPServer(server).run { page, admin in
          // The first line is the address.
          let needsKey = (try? server.hasKey) == false
          _ = try? console.show(
            ["page": .string("\(page)/"), "admin": .string("\(admin)/"), "needsKey": .bool(needsKey)],
            "faceverify: \(page)/\nadmin: \(admin)/\n"
              + (needsKey ? "There is no key yet: faceverify serve key add --name NAME\(place.options)\n" : ""))
        }
      }
      return .done
    }

    /// Runs an asynchronous operation to completion: commands are synchronous.
    private func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
      let outcome = Lock<Result<Void, any Error>?>(nil)
      let done = DispatchSemaphore(value: 0)
      Task {
        do {
          try await body()
          outcome.withLock { $0 = .success(()) }
        } catch {
          outcome.withLock { $0 = .failure(error as? VerifyError ?? VerifyError(.internalFailure, "\(error)")) }
        }
        done.signal()
      }
      done.wait()
      try outcome.withLock { try $0?.get() }
    }
  }

  struct ServerPlace: ParsableArguments {
    @Option(
      help: .init(
        "The server's folder; default: $XDG_DATA_HOME/faceverify-server or ~/.local/share/faceverify-server.", "folder"),
      completion: .directory)
    var data: String?
    @Option(help: .init("A PostgreSQL database instead of a file: postgres://user:password@host/name.", "url"))
    var database: String?

    /// The options as given, to repeat them in messages.
    var options: String {
      [("data", data), ("database", database)].map { name, value in value.map { " --\(name) '\($0)'" } ?? "" }.joined()
    }

    func administration() throws -> ServerAdministration {
      try ServerAdministration(dataFolder: folder(), database: database)
    }

    func folder() throws -> String {
      if let data { return data }
      guard let base = environment("XDG_DATA_HOME") ?? environment("HOME").map({ $0 + "/.local/share" }) else {
        throw VerifyError(.badArgument, "HOME is not set; name a folder with --data")
      }
      return base + "/faceverify-server"
    }
  }
#endif
