#if Server
  internal import FaceVerifyBase
  internal import FaceVerifyServer
  internal import Glibc
  internal import NIOConcurrencyHelpers
  internal import NIOCore
  internal import NIOSSL

  /// The server's own certificate, loaded again when its files change: new connections use it, open ones continue.
  final class ServerCertificate: Sendable {
    private struct State {
      var override: NIOSSLContextConfigurationOverride
      var stamps: [Stamp?]
    }

    /// Identifies a version of a file.
    private struct Stamp: Equatable {
      let file: UInt
      let bytes: Int
      let seconds: Int
      let nanoseconds: Int

      /// nil if the file is missing.
      init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (file, bytes) = (status.st_ino, status.st_size)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      }
    }

    let configuration: TLSConfiguration
    private let paths: (certificate: String, key: String)
    private let server: FaceServer
    private let state: NIOLockedValueBox<State>

    /// - Throws: ``VerifyError/Code/unreadable`` if the files are missing, damaged, or do not belong together.
    init(_ certificate: String, key: String, of server: FaceServer) throws {
      (paths, self.server) = ((certificate, key), server)
      let stamps = [Stamp(certificate), Stamp(key)]
      var (tls, override): (TLSConfiguration, NIOSSLContextConfigurationOverride)
      do { (tls, override) = try Self.load(certificate, key, server) } catch {
        throw VerifyError(.unreadable, "cannot load the certificate \(certificate) with the key \(key): \(Self.fault)")
      }
      let state = NIOLockedValueBox(State(override: override, stamps: stamps))
      tls.sslContextCallback = { _, promise in promise.succeed(state.withLockedValue(\.override)) }
      (configuration, self.state) = (tls, state)
    }

    private static let fault = "both must be readable PEM files of one pair"

    private static func load(_ certificate: String, _ key: String, _ server: FaceServer) throws -> (
      TLSConfiguration, NIOSSLContextConfigurationOverride
    ) {
      var override = NIOSSLContextConfigurationOverride()
      let certificates = try NIOSSLCertificate.fromPEMFile(certificate)
      let chain = certificates.map(NIOSSLCertificateSource.certificate)
      let privateKey = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
      (override.certificateChain, override.privateKey) = (chain, privateKey)
      var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: privateKey)
      tls.minimumTLSVersion = .tlsv12
      // Throws if the key is not the certificate's.
      _ = try NIOSSLContext(configuration: tls)
      server.certificateExpiry.withLock { $0 = certificates.first.map { Double($0.notValidAfter) } }
      return (tls, override)
    }

    /// Loads the files if they have changed; must be called periodically, on one thread. While they are incomplete, such as
    /// between the writing of the two, the present certificate is kept.
    func refresh() {
      let stamps = [Stamp(paths.certificate), Stamp(paths.key)]
      guard stamps != state.withLockedValue(\.stamps) else { return }
      state.withLockedValue { $0.stamps = stamps }
      do {
        let override = try Self.load(paths.certificate, paths.key, server).1
        state.withLockedValue { $0.override = override }
        server.log(.info, "the certificate was loaded again", ["file": paths.certificate])
      } catch {
        server.log(
          .warning, "cannot load the changed certificate, the present one is kept: \(Self.fault)",
          ["file": paths.certificate])
      }
    }
  }
#endif
