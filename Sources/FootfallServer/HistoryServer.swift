public import FootfallHistory
public import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// A history over HTTP.
///
/// ```swift
/// let server = try HistoryServer(of: file, at: addresses)
/// defer { server.stop() }
/// ```
///
/// The server answers the queries of the history below `/api/v1/`. It never waits for the recorder of the history to
/// answer. Clients change nothing, except that they add marks to a history where ``ServerAccess`` permits it.
public final class HistoryServer: Sendable {
    /// The time for a request, for an answer, and between requests.
    private static let timeLimit = Duration.seconds(15)
    /// The time in which ``stop()`` waits for open answers.
    private static let drainTime = DispatchTimeInterval.seconds(3)
    /// The number of connections that wait for the server.
    private static let backlog: Int32 = 256

    private let feed: LiveFeed
    private let watch: Mutex<RepeatedTask?> = Mutex(nil)
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let threads = AnswerThreads()
    private let connections = OpenConnections()
    private let listeners: Mutex<[any Channel]> = Mutex([])
    /// The files of Unix sockets.
    private let sockets: Mutex<[SocketFile]> = Mutex([])

    /// Starts a server over a file. Another process may record into it meanwhile.
    ///
    /// - Parameters:
    ///   - url: The history.
    ///   - addresses: Where the server listens.
    ///   - access: Who may read.
    ///   - feed: The motion of a device that is being recorded; nil for none.
    ///   - goal: The steps of a day on the page that the wearer aims at, more than 0; nil, the default, for none.
    /// - Throws: ``ServerError`` if an address is not free, or needs a token; `HistoryError`.
    public convenience init(
        of url: URL, at addresses: [ServerAddress] = [.local], access: ServerAccess = ServerAccess(),
        feed: LiveFeed? = nil, goal: Int? = nil
    ) throws {
        try self.init(ServedHistory(reading: url), addresses, access, feed, goal, timeLimit: Self.timeLimit)
    }

    /// Starts a server over an open history, such as that of a recorder.
    ///
    /// - Throws: ``ServerError`` if an address is not free, or needs a token.
    public convenience init(
        of history: MotionHistory, at addresses: [ServerAddress] = [.local], access: ServerAccess = ServerAccess(),
        feed: LiveFeed? = nil, goal: Int? = nil
    ) throws {
        try self.init(ServedHistory(history), addresses, access, feed, goal, timeLimit: Self.timeLimit)
    }

    /// Starts a server. It waits for a request, and for an answer, as long as `timeLimit`, which tests choose.
    package init(
        _ history: ServedHistory, _ addresses: [ServerAddress], _ access: ServerAccess = ServerAccess(),
        _ feed: LiveFeed? = nil, _ goal: Int? = nil, timeLimit: Duration
    ) throws {
        let feed = feed ?? LiveFeed()
        self.feed = feed
        for address in addresses where !address.isLocal && access.token == nil && !access.isOpen {
            stop()
            throw ServerError(.needsToken, at: "\(address)")
        }
        threads.start()
        let bootstrap = bootstrap(Service(history: history, access: access, feed: feed, goal: goal), timeLimit)
        for address in addresses {
            do {
                try listen(bootstrap, at: address)
            } catch let error as ServerError {
                stop()
                throw error
            } catch {
                stop()
                let code = (error as? IOError)?.errnoCode
                let reason = code.map { String(cString: strerror($0)) } ?? "\(error)"
                throw ServerError(code == EADDRINUSE ? .addressInUse : .cannotListen(reason), at: "\(address)")
            }
        }
        watchRevisions(of: history)
    }

    /// Reports new revisions of the history to the feed while it has readers.
    private func watchRevisions(of history: ServedHistory) {
        let (feed, threads) = (feed, threads)
        let task = group.next().scheduleRepeatedAsyncTask(initialDelay: .zero, delay: LiveFeed.interval) { [group] _ in
            let loop = group.next()
            guard feed.hasStreams else { return loop.makeSucceededVoidFuture() }
            return threads.short.runIfActive(eventLoop: loop) {
                if let revision = try? history.revision { feed.set(revision: revision) }
            }
        }
        watch.withLock { $0 = task }
    }

    /// The addresses at which the server listens, with their ports.
    public var addresses: [ServerAddress] {
        listeners.withLock { $0 }.compactMap { channel in
            guard let address = channel.localAddress else { return nil }
            if let path = address.pathname, !path.isEmpty { return .unix(path: path) }
            return address.ipAddress.map { .internet(host: $0, port: address.port ?? 0) }
        }
    }

    /// Serves until the task is cancelled or another one calls ``stop()``, then stops.
    public func run() async {
        let listeners = listeners.withLock(\.self)
        await withTaskCancellationHandler {
            for listener in listeners { try? await listener.closeFuture.get() }
        } onCancel: {
            for listener in listeners { listener.close(promise: nil) }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.stop()
                continuation.resume()
            }
        }
    }

    /// Stops the server: it takes no more connections, ends open answers, and closes all connections.
    public func stop() {
        let listeners = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        for listener in listeners { try? listener.close().wait() }
        for socket in sockets.withLock({ $0 }) { socket.remove() }
        watch.withLock { $0?.cancel() }
        let ended = DispatchGroup()
        for channel in connections.all {
            ended.enter()
            channel.closeFuture.whenComplete { _ in ended.leave() }
            channel.pipeline.fireUserInboundEventTriggered(RequestHandler.Stop())
        }
        _ = ended.wait(timeout: .now() + Self.drainTime)
        for channel in connections.all { channel.close(promise: nil) }
        // The threads end first: what they read goes to the loops of the group.
        threads.stop()
        try? group.syncShutdownGracefully()
    }

    // MARK: Listening

    private func bootstrap(_ service: Service, _ timeLimit: Duration) -> ServerBootstrap {
        let (connections, threads, timeLimit) = (connections, threads, TimeAmount(timeLimit))
        return ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
            }
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                guard connections.add(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let decoder = HTTPRequestDecoder(limitConfiguration: RequestHandler.fieldLimits)
                    try pipeline.addHandlers([
                        HTTPResponseEncoder(),
                        ByteToMessageHandler(decoder, maximumBufferSize: RequestHandler.mostUnparsedBytes),
                        HTTPServerPipelineHandler(), HTTPServerProtocolErrorHandler(),
                        RequestHandler(service, connections, threads, timeLimit: timeLimit),
                    ])
                }
            }
    }

    private func listen(_ bootstrap: ServerBootstrap, at address: ServerAddress) throws {
        let channel: any Channel
        switch address {
        case .internet(let host, let port): channel = try bootstrap.bind(host: host, port: port).wait()
        case .unix(let path):
            try SocketFile.removeAbandoned(at: path)
            channel = try bootstrap.bind(unixDomainSocketPath: path).wait()
            // The owner and the group, such as that of a web server in front.
            chmod(path, 0o660)
            if let socket = SocketFile(at: path) { sockets.withLock { $0.append(socket) } }
        }
        listeners.withLock { $0.append(channel) }
    }
}

/// Takes no connections for a second when the process cannot open more files. The listener stays readable meanwhile,
/// and without a pause its event loop would never rest.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let length = TimeAmount.seconds(1)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError {
            let channel = context.channel
            channel.setOption(.autoRead, value: false).assumeIsolated().whenComplete { _ in
                channel.eventLoop.scheduleTask(in: Self.length) { channel.setOption(.autoRead, value: true) }
            }
        }
        context.fireErrorCaught(error)
    }
}

/// The file of a Unix socket on which a server listens.
struct SocketFile: Sendable {
    private let path: String
    private let identity: FileIdentity

    /// The socket at a path; nil if there is none.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        (self.path, identity) = (path, FileIdentity(status))
    }

    /// Removes the file, unless another one has taken its place.
    func remove() {
        if SocketFile(at: path)?.identity == identity { unlink(path) }
    }

    /// Removes the socket of a killed server, which does not answer. Another kind of file stays. Throws ``ServerError``
    /// if a program listens on the socket.
    static func removeAbandoned(at path: String) throws {
        guard let socket = SocketFile(at: path) else { return }
        guard connectionError(at: path) == ECONNREFUSED else {
            throw ServerError(.socketInUse, at: "unix:\(path)")
        }
        socket.remove()
    }

    /// The error of a connection to a socket; 0 if a program takes it.
    private static func connectionError(at path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}
