#if Server
  internal import FaceVerifyBase
  package import FaceVerifyServer
  internal import Glibc
  internal import HTTPTypes
  internal import Hummingbird
  internal import HummingbirdCore
  internal import HummingbirdTLS
  internal import Logging
  internal import NIOConcurrencyHelpers
  internal import NIOCore
  internal import NIOPosix
  internal import ServiceLifecycle

  /// Binds a server to its addresses and runs it until a termination signal.
  ///
  /// Network threads only move bytes; each kind of work has its own thread pool. Attempts have one thread per core.
  /// Checks have lower priority, and no owner may use all of their threads.
  package struct HTTPServer: Sendable {
    private let server: FaceServer
    /// Answers from memory, which never wait for the database.
    private let memory: WorkPool
    private let questions: WorkPool
    private let attempts: WorkPool
    private let checks: WorkPool
    /// For periodic work, and for health checks, which must not wait for it.
    private let house = NIOThreadPool(numberOfThreads: 4)
    private let probes = NIOThreadPool(numberOfThreads: 1)
    /// The last arrival time of bytes per connection, recorded on its network thread.
    private let arrivals = Arrivals([:])

    /// - Parameter cores: number of cores of the machine.
    package static func checkThreads(_ cores: Int) -> Int { max(2, cores / 2) }

    package init(_ server: FaceServer) {
      self.server = server
      let cores = max(1, System.coreCount)
      let checking = Self.checkThreads(cores)
      memory = WorkPool(threads: 2, nice: 0, FairQueue(running: 2, waiting: 128, total: 1024))
      questions = WorkPool(threads: 4, nice: 0, FairQueue(running: 3, waiting: 128, total: 1024))
      // One request per page at a time.
      attempts = WorkPool(threads: cores, nice: 5, FairQueue(running: 1, waiting: 16, total: 1024))
      checks = WorkPool(threads: checking, nice: 10, FairQueue(running: checking - 1, waiting: 32, total: 128))
    }

    /// - Parameter listening: called with both addresses when the server accepts connections on them.
    package func run(listening: @escaping @Sendable (_ address: String, _ admin: String) -> Void) async throws {
      house.start()
      probes.start()
      let configuration = server.configuration
      var logger = Logger(label: "faceverify") { _ in SwiftLogNoOpLogHandler() }
      logger.logLevel = .critical
      let known = NIOLockedValueBox<(page: String?, admin: String?)>((nil, nil))
      /// Reports both addresses as soon as both are known.
      @Sendable func listens(page: String? = nil, admin: String? = nil) {
        let both = known.withLockedValue { known in
          known = (page ?? known.page, admin ?? known.admin)
          return known
        }
        if let page = both.page, let admin = both.admin { listening(page, admin) }
      }
      var certificate: ServerCertificate?
      if let file = configuration.certificate, let key = configuration.certificateKey {
        certificate = try ServerCertificate(file, key: key, of: server)
      }
      let application = Application(
        responder: CallbackResponder { (request: Request, context: Context) in
          try await answer(request, context).to(request)
        },
        server: try transport(certificate),
        configuration: ApplicationConfiguration(
          address: .hostname(configuration.host, port: configuration.port), serverName: nil),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? configuration.port
          server.listens(on: port)
          listens(page: server.publicAddress)
        }, logger: logger)
      let admin = Application(
        responder: CallbackResponder { (request: Request, _: Context) in try await administer(request).to(request) },
        configuration: ApplicationConfiguration(
          address: .hostname("127.0.0.1", port: configuration.adminPort), serverName: nil),
        onServerRunning: { channel in
          listens(admin: "http://127.0.0.1:\(channel.localAddress?.port ?? configuration.adminPort)")
        }, logger: logger)
      let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(
          services: [
            .init(service: application), .init(service: admin),
            .init(service: Periodic(house, seconds: 1) { server.tick() }),
            .init(service: Periodic(house, seconds: 1) { server.storePending() }),
            .init(service: Periodic(house, seconds: 5) { server.sweep() }),
            .init(service: Periodic(house, seconds: 5) { [certificate] in certificate?.refresh() }),
            .init(service: WebhookSender(server)),
            .init(service: Drain(server: server), successTerminationBehavior: .gracefullyShutdownGroup),
          ], cancellationSignals: [], logger: logger))
      do { try await group.run() } catch let error as IOError {
        let (host, port, adminPort) = (configuration.host, configuration.port, configuration.adminPort)
        throw VerifyError(
          .unwritable,
          "\(host), port \(port) or admin port \(adminPort): \(String(cString: strerror(error.errnoCode))); if another "
            + "program uses one, --port 0 and --admin-port 0 select free ones")
      }
      for pool in [memory, questions, attempts, checks] { try await pool.stop() }
      try await house.shutdownGracefully()
      try await probes.shutdownGracefully()
      try server.close()
    }

    private func transport(_ certificate: ServerCertificate?) throws -> HTTPServerBuilder {
      let plain = HTTPServerBuilder.http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ArrivalHandler(arrivals, server.clock)], idleTimeout: .seconds(60)))
      return try certificate.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain
    }

    private func answer(_ request: Request, _ context: Context) async throws -> Response {
      let id = String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt32.random(in: .min ... .max), radix: 36)
      var headers: [String: String] = [:]
      for field in request.headers {
        let name = field.name.canonicalName
        headers[name] = headers[name].map { $0 + "," + field.value } ?? field.value
      }
      headers["host"] = headers["host"] ?? request.head.authority
      let asked = ServerRequest(
        method: request.method.rawValue, target: request.uri.string, headers: headers, peer: context.peer)
      // Pages and their frames do not wait for the database.
      let admittance =
        server.knows(asked)
        ? server.admit(asked, id: id)
        : await questions.run(of: server.address(of: asked)) { server.admit(asked, id: id) }
      switch admittance {
      case nil: return Response(server.busy(id), closes: true)
      case .refused(let response):
        // The body is not read.
        return Response(response, closes: true)
      case .admitted(let admitted):
        defer { server.leave(admitted) }
        return try await answer(admitted, asked, request, context, id: id)
      }
    }

    private func answer(
      _ admitted: FaceServer.Admitted, _ asked: ServerRequest, _ request: Request, _ context: Context, id: String
    ) async throws -> Response {
      guard let body = try await read(request.body, of: admitted) else {
        return Response(
          server.refuse(408, "The body did not arrive within \(Int(admitted.patience)) s.", id: id), closes: true)
      }
      guard body.count <= admitted.maximumBody else {
        return Response(server.refuse(413, "The body exceeds \(admitted.maximumBody) bytes.", id: id), closes: true)
      }
      let received = arrivals.withLockedValue { $0[ObjectIdentifier(context.channel)] } ?? server.clock.monotonic
      let (work, owner) = admitted.turn(body)
      let pool =
        switch work {
        case .memory: memory
        case .question: questions
        case .attempt: attempts
        case .check: checks
        }
      let response = await admitted.inTurn(work) {
        await pool.run(of: owner) {
          server.waited(server.clock.monotonic - received, for: work)
          return server.respond(admitted, asked, body: body, received: received, id: id)
        }
      }
      return Response(response ?? server.busy(id))
    }

    /// nil if the body is late. Reading ends with the first bytes beyond the maximum.
    private func read(_ parts: RequestBody, of admitted: FaceServer.Admitted) async throws -> [UInt8]? {
      try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          var body: [UInt8] = []
          body.reserveCapacity(admitted.room)
          for try await var part in parts {
            body += part.readBytes(length: part.readableBytes) ?? []
            if body.count > admitted.maximumBody { break }
          }
          return body
        }
        group.addTask {
          try await Task.sleep(for: .seconds(admitted.patience))
          return nil
        }
        return try await group.next() ?? nil
      }
    }

    private func administer(_ request: Request) async throws -> Response {
      func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
          status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
          body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
      }
      switch (request.method == .head ? .get : request.method, request.uri.path) {
      case (.get, "/healthz"): return text(.ok, "alive\n")
      case (.get, "/readyz"):
        let reason = try await probes.runIfActive { server.unreadiness }
        return text(reason == nil ? .ok : .serviceUnavailable, "\(reason ?? "ready")\n")
      case (.get, "/metrics"): return text(.ok, server.metricsText())
      default: return text(.notFound, "not found; there are /healthz, /readyz and /metrics\n")
      }
    }
  }

  /// Context of a request, with the address of the client's connection.
  private struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    let peer: String

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      channel = source.channel
      peer = source.channel.remoteAddress?.ipAddress ?? ""
    }
  }

  extension Response {
    fileprivate func to(_ request: Request) -> Response { request.method == .head ? createHeadResponse() : self }

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

  private typealias Arrivals = NIOLockedValueBox<[ObjectIdentifier: Double]>

  private final class ArrivalHandler: ChannelInboundHandler, RemovableChannelHandler {
    // Messages are forwarded unread.
    typealias InboundIn = Never
    private let arrivals: Arrivals
    private let clock: any FaceVerifyBase.Clock

    init(_ arrivals: Arrivals, _ clock: any FaceVerifyBase.Clock) { (self.arrivals, self.clock) = (arrivals, clock) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let now = clock.monotonic
      arrivals.withLockedValue { $0[ObjectIdentifier(context.channel)] = now }
      context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
      arrivals.withLockedValue { $0[ObjectIdentifier(context.channel)] = nil }
      context.fireChannelInactive()
    }
  }

  /// Calls `work` periodically, on a thread that may block.
  private struct Periodic: Service {
    private let pool: NIOThreadPool
    private let seconds: Int
    private let work: @Sendable () -> Void

    init(_ pool: NIOThreadPool, seconds: Int, _ work: @escaping @Sendable () -> Void) {
      (self.pool, self.seconds, self.work) = (pool, seconds, work)
    }

    func run() async throws {
      while !Task.isShuttingDownGracefully && !Task.isCancelled {
        try? await pool.runIfActive { work() }
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(seconds)) }
      }
    }
  }

  /// On a termination signal, waits for running attempts to finish.
  private struct Drain: Service {
    let server: FaceServer
    /// Seconds; longer than the limit of an attempt (LivenessSession: 60 s).
    private static let patience = 75.0

    func run() async throws {
      func wait(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
      while !server.isDraining && !Task.isCancelled { await wait(0.2) }
      let clock = server.clock
      let end = clock.monotonic + Self.patience
      while server.runningAttempts > 0, clock.monotonic < end, !server.isStopping, !Task.isCancelled { await wait(0.2) }
      // The pages' last requests.
      for _ in 0..<10 where !server.isStopping { await wait(0.2) }
    }
  }
#endif
