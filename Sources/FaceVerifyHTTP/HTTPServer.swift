#if Server
  package import FaceVerifyServer
  internal import HTTPTypes
  internal import Hummingbird
  internal import HummingbirdCore
  internal import HummingbirdTLS
  internal import Logging
  internal import NIOConcurrencyHelpers
  internal import NIOCore
  internal import NIOPosix
  internal import NIOSSL
  internal import ServiceLifecycle

  /// Binds a server to its addresses until it is told to stop.
  ///
  /// Network threads only move bytes: every request is carried out on a pool of as many threads as there are cores.
  package struct HTTPServer: Sendable {
    private let server: FaceServer
    private let pool: NIOThreadPool
    private let cores: Int

    package init(_ server: FaceServer) {
      self.server = server
      cores = max(1, System.coreCount)
      pool = NIOThreadPool(numberOfThreads: cores)
    }

    /// - Parameter listening: is told both addresses once people can be sent there.
    package func run(listening: @escaping @Sendable (_ address: String, _ admin: String) -> Void) async throws {
      pool.start()
      let configuration = server.configuration
      var logger = Logger(label: "faceverify") { _ in SwiftLogNoOpLogHandler() }
      logger.logLevel = .critical
      let addresses = Addresses(listening)
      let application = Application(
        responder: CallbackResponder { (request: Request, context: Context) in try await answer(request, context) },
        server: try transport(configuration),
        configuration: ApplicationConfiguration(
          address: .hostname(configuration.host, port: configuration.port), serverName: nil),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? configuration.port
          server.listens(on: port)
          addresses.set(page: server.publicAddress)
        }, logger: logger)
      let admin = Application(
        responder: CallbackResponder { (request: Request, _: Context) in administer(request) },
        configuration: ApplicationConfiguration(
          address: .hostname("127.0.0.1", port: configuration.adminPort), serverName: nil),
        onServerRunning: { channel in
          addresses.set(admin: "http://127.0.0.1:\(channel.localAddress?.port ?? configuration.adminPort)")
        }, logger: logger)
      let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(
          services: [
            .init(service: application), .init(service: admin),
            .init(service: Clock(server: server, pool: pool)), .init(service: WebhookSender(server)),
            .init(service: Drain(server: server), successTerminationBehavior: .gracefullyShutdownGroup),
          ], cancellationSignals: [], logger: logger))
      try await group.run()
      server.close()
      try await pool.shutdownGracefully()
    }

    private func transport(_ configuration: FaceVerifyServer.ServerConfiguration) throws -> HTTPServerBuilder {
      let plain = HTTPServerBuilder.http1(
        configuration: HTTP1Channel.Configuration(additionalChannelHandlers: [], idleTimeout: .seconds(60)))
      guard let certificate = configuration.certificate, let key = configuration.certificateKey else { return plain }
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      tls.minimumTLSVersion = .tlsv12
      return try .tls(plain, tlsConfiguration: tls)
    }

    private func answer(_ request: Request, _ context: Context) async throws -> Response {
      let id = randomIdentifier()
      var headers: [String: String] = [:]
      for field in request.headers {
        let name = field.name.canonicalName
        headers[name] = headers[name].map { $0 + "," + field.value } ?? field.value
      }
      headers["host"] = headers["host"] ?? request.head.authority
      let asked = ServerRequest(
        method: request.method.rawValue, target: request.uri.string, headers: headers, peer: context.peer)
      let admittance = try await pool.runIfActive { server.admit(asked, id: id) }
      switch admittance {
      case .refused(let response):
        // What the body would be is not read.
        return Response(response, closes: true)
      case .admitted(let admitted):
        var body: [UInt8] = []
        do {
          for try await var part in request.body {
            guard body.count + part.readableBytes <= admitted.maximumBody else {
              return Response(
                server.refuse(413, "The body is longer than \(admitted.maximumBody) bytes.", id: id), closes: true)
            }
            body += part.readBytes(length: part.readableBytes) ?? []
          }
        }
        let (received, whole) = (steadyClock(), body)
        return Response(
          try await pool.runIfActive {
            server.respond(admitted, asked, body: whole, received: received, id: id)
          })
      }
    }

    private func administer(_ request: Request) -> Response {
      func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
          status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
      }
      switch (request.method, request.uri.path) {
      case (.get, "/healthz"): return text(.ok, "alive\n")
      case (.get, "/readyz"):
        let reason = server.unreadiness
        return text(reason == nil ? .ok : .serviceUnavailable, "\(reason ?? "ready")\n")
      case (.get, "/metrics"): return text(.ok, server.metricsText())
      default: return text(.notFound, "there are /healthz, /readyz and /metrics\n")
      }
    }

    private func randomIdentifier() -> String {
      String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt32.random(in: .min ... .max), radix: 36)
    }
  }

  /// Of a request: who is connected.
  private struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: String

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      peer = source.channel.remoteAddress?.ipAddress ?? ""
    }
  }

  extension Response {
    fileprivate init(_ response: ServerResponse, closes: Bool = false) {
      var fields = HTTPFields()
      for (name, value) in response.headers where !value.isEmpty {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      if closes { fields[.connection] = "close" }
      self.init(
        status: .init(code: response.status), headers: fields,
        body: response.body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: response.body)))
    }
  }

  /// Both addresses, told once both are known.
  private final class Addresses: Sendable {
    private let known: NIOLockedValueBox<(page: String?, admin: String?)> = .init((nil, nil))
    private let tell: @Sendable (String, String) -> Void

    init(_ tell: @escaping @Sendable (String, String) -> Void) { self.tell = tell }

    func set(page: String? = nil, admin: String? = nil) {
      let both = known.withLockedValue { known in
        known = (page ?? known.page, admin ?? known.admin)
        return known
      }
      if let page = both.page, let admin = both.admin { tell(page, admin) }
    }
  }

  /// Each second, on a thread that may work.
  private struct Clock: Service {
    let server: FaceServer
    let pool: NIOThreadPool

    func run() async throws {
      while !Task.isShuttingDownGracefully && !Task.isCancelled {
        try? await pool.runIfActive { server.sweep() }
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
      }
    }
  }

  /// When the server is told to stop, what runs may finish.
  private struct Drain: Service {
    let server: FaceServer
    /// Longer than an attempt may take (LivenessSession: 60 s).
    private static let patience = 75.0

    func run() async throws {
      func wait(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
      while !server.isDraining && !Task.isCancelled { await wait(0.2) }
      let end = steadyClock() + Self.patience
      while server.runningAttempts > 0, steadyClock() < end, !server.isStopping, !Task.isCancelled { await wait(0.2) }
      // The pages' last questions.
      for _ in 0..<10 where !server.isStopping { await wait(0.2) }
    }
  }
#endif
