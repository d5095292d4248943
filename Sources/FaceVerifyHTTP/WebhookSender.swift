#if Server
  internal import AsyncHTTPClient
  internal import FaceVerifyServer
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  internal import ServiceLifecycle

  /// Sends the webhooks of the outbox: over HTTPS to public addresses, or to receivers that the operator listed.
  /// Redirects are not followed, and the connection uses the address that was checked (no second DNS lookup).
  struct WebhookSender: Service {
    private let server: FaceServer
    /// For name resolution, which may be slow, and the database.
    private let pool: NIOThreadPool

    init(_ server: FaceServer) {
      self.server = server
      pool = NIOThreadPool(numberOfThreads: 16)
    }

    func run() async throws {
      pool.start()
      await withDiscardingTaskGroup { group in
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
          // Receivers do not delay each other: the number of deliveries is limited per receiver.
          let due = (try? await pool.runIfActive { server.dueWebhooks() }) ?? []
          for webhook in due { group.addTask { await deliver(webhook) } }
          let pause = due.isEmpty ? Duration.seconds(1) : .milliseconds(100)
          try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        // Cancelled deliveries are repeated after the next start.
        group.cancelAll()
      }
      try await pool.shutdownGracefully()
    }

    private func deliver(_ webhook: Webhook) async {
      let attempt: Webhook.Attempt
      do {
        attempt = Webhook.Attempt(status: try await send(webhook))
      } catch {
        if Task.isCancelled { return }
        server.log(.warning, "webhook not delivered: \(Self.text(error))", ["webhook": webhook.id])
        attempt = (error as? Refusal)?.attempt ?? Webhook.Attempt(fault: .noResponse)
      }
      try? await pool.runIfActive { server.delivered(webhook, attempt) }
    }

    private struct Refusal: Error, CustomStringConvertible {
      let attempt: Webhook.Attempt
      let description: String

      init(_ fault: Webhook.Attempt.Fault, status: Int? = nil, _ description: String) {
        (attempt, self.description) = (Webhook.Attempt(status: status, fault: fault), description)
      }
    }

    /// Without the types and members by which the libraries describe errors.
    private static func text(_ error: any Error) -> String {
      (error as? Refusal)?.description ?? (error as? HTTPClientError)?.shortDescription.lowercased()
        ?? "no connection; over HTTPS, the certificate must be valid for the host"
    }

    private static let timeout = TimeAmount.seconds(10)

    /// - Returns: the receiver's status, which is 2xx.
    private func send(_ webhook: Webhook) async throws -> Int {
      guard let signature = webhook.signature else {
        throw Refusal(.noKey, "no valid key of its tenant allows this address")
      }
      let request = try HTTPClient.Request(url: webhook.url)
      let isListed = server.configuration.allowedCallbacks.contains("\(request.host):\(request.port)")
      guard request.useTLS || isListed else { throw Refusal(.addressRefused, "the address is not HTTPS") }
      let host = request.host
      let address = try await pool.runIfActive {
        try SocketAddress.makeAddressResolvingHost(host, port: request.port)
      }
      guard let text = address.ipAddress, isListed || PublicAddress.isPublic(text) else {
        throw Refusal(
          .addressRefused, "the host is on this machine or a private network: allow it with --allow-callback")
      }
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: Self.timeout, read: Self.timeout), decompression: .disabled)
      configuration.dnsOverride = [host: text]
      configuration.httpVersion = .http1Only
      let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
      do {
        var message = HTTPClientRequest(url: webhook.url)
        message.method = .POST
        message.headers.add(name: "Content-Type", value: "application/json")
        message.headers.add(name: "FV-Signature", value: signature)
        message.body = .bytes(Array(webhook.body.utf8))
        let response = try await client.execute(message, timeout: Self.timeout)
        try await client.shutdown()
        let status = Int(response.status.code)
        guard (200..<300).contains(status) else {
          throw Refusal(.refused, status: status, "the receiver responded with \(status)")
        }
        return status
      } catch {
        try? await client.shutdown()
        throw error
      }
    }
  }
#endif
