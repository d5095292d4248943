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
      commandName: "serve",
      abstract: "A page for people before a camera, and a server for programs.",
      discussion: """
        Without options it serves this machine alone, keeps what it needs in a
        folder of its own, and prints the address of a page that works at once.
        For programs, make a key: faceverify serve key add --name NAME.

        Pictures are never written; results are signed and wiped after a day.

        Examples:
          faceverify serve
          faceverify serve --trust csca/ --host 0.0.0.0 --tls-cert c.pem --tls-key k.pem
          faceverify serve --behind-proxy --public-url https://verify.example.com
          faceverify serve --database postgres://fv@db/fv --node n2
          faceverify serve key add --name shop --callback https://shop.example/hook

        Stop it with Ctrl-C or SIGTERM: running attempts may finish (75 s at
        most); a second signal ends at once. Exit code 0 then.
        """,
      subcommands: [ServeKeyCommand.self, ServeAuditCommand.self, ServeCertificateCommand.self])

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("0 for any that is free.", valueName: "port"))
    var port = 8443

    @Option(
      help: ArgumentHelp("For /healthz, /readyz and /metrics on 127.0.0.1; 0 for any that is free.", valueName: "port"))
    var adminPort = 8444

    @OptionGroup var place: ServerPlace

    @Option(help: ArgumentHelp("This node's name in a cluster.", valueName: "name"))
    var node = "n1"

    @Option(help: ArgumentHelp("How people reach the server, if not by host and port.", valueName: "url"))
    var publicUrl: String?

    @Option(help: ArgumentHelp("A certificate chain in PEM.", valueName: "file"), completion: .file())
    var tlsCert: String?

    @Option(help: ArgumentHelp("Its key in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Flag(
      inversion: .prefixedNo, help: "A page at / that anybody may try; default: on 127.0.0.1 while there is no key.")
    var demo: Bool?

    @Option(
      help: ArgumentHelp(
        "A page of this origin may show ours in a frame and exchange messages with it.", valueName: "origin"))
    var allowEmbedding: [String] = []

    @Flag(help: "A proxy of yours is in front: it speaks HTTPS, and X-Forwarded-For names people's addresses.")
    var behindProxy = false

    @Option(
      help: ArgumentHelp(
        "Webhooks may go to this receiver although it is on this machine or network.", valueName: "host:port"))
    var allowCallback: [String] = []

    @Option(help: ArgumentHelp("on or off.", valueName: "on|off"))
    var rateLimits = Switch.on

    @Option(help: ArgumentHelp("Attempts at a face at a time, instead of what is measured.", valueName: "count"))
    var capacity: Int?

    @Option(help: ArgumentHelp("Serve the page's files from this folder: for a look of your own.", valueName: "folder"))
    var page: String?

    @Flag(help: "For tests: programs may say what is asked of people, so that recordings fit.")
    var allowFixedScripts = false

    @Flag(help: "For tests: a browser's camera may be a file.")
    var trustCameraLabel = false

    @OptionGroup var trust: TrustOption
    @OptionGroup var engine: EngineOptions

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
      configuration.trust = trust
      configuration.demonstration = demo.map { $0 ? .on : .off } ?? .automatic
      (configuration.embedding, configuration.isBehindProxy) = (allowEmbedding, behindProxy)
      (configuration.allowedCallbacks, configuration.hasRateLimits) = (allowCallback, rateLimits == .on)
      (configuration.capacity, configuration.pageFolder) = (capacity, page)
      (configuration.allowsScripts, configuration.trustsCameraLabels) = (allowFixedScripts, trustCameraLabel)
      return configuration
    }

    func run(on console: Console) throws -> ExitStatus {
      let configuration = options(in: try place.folder(), trust: try trust.store(on: console))
      let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      let server = try FaceServer(
        configuration, engine: engine.engine(threads: min(64, cores + HTTPServer.checkThreads(cores))),
        face: DrawnFace.photo().pixels(reduction: 2))
      if allowFixedScripts || trustCameraLabel {
        server.log(.warning, "made for tests: recordings can pass for people. Never serve people like this.")
      }
      Interruption.state.withLock { $0.handler = { server.signal() } }
      try wait {
        try await HTTPServer(server).run { page, admin in
          // The first line is the address.
          try? console.write("faceverify: \(page)/\nadmin: \(admin)/\n")
          guard (try? server.hasKey) == false else { return }
          try? console.write(
            "There is no key yet. For a program of yours: faceverify serve key add --name NAME\(place.options)\n")
        }
      }
      return .done
    }

    /// A network error is not a usage error of the command.
    private func explained(_ error: any Error) -> VerifyError {
      error as? VerifyError
        ?? VerifyError(
          .unwritable,
          "\(host), port \(port), or port \(adminPort) for the administration: \(error); is another program there? "
            + "--port 0 and --admin-port 0 take free ones")
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
          outcome.withLock { $0 = .failure(explained(error)) }
        }
        done.signal()
      }
      done.wait()
      try outcome.withLock { try $0?.get() }
    }
  }

  /// The persistent storage of a server.
  struct ServerPlace: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The server's folder; default: $XDG_DATA_HOME/faceverify-server or ~/.local/share/faceverify-server.",
        valueName: "folder"), completion: .directory)
    var data: String?

    @Option(
      help: ArgumentHelp("PostgreSQL in place of a file, as postgres://user:password@host/name.", valueName: "url"))
    var database: String?

    /// The options as given, to repeat them in messages.
    var options: String {
      [("data", data), ("database", database)].map { name, value in value.map { " --\(name) '\($0)'" } ?? "" }.joined()
    }

    func folder() throws -> String {
      if let data { return data }
      func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      }
      guard let base = variable("XDG_DATA_HOME") ?? variable("HOME").map({ $0 + "/.local/share" }) else {
        throw VerifyError(.badArgument, "there is no home folder: name one with --data")
      }
      return base + "/faceverify-server"
    }
  }
#endif
