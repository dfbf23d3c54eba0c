internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// The threads that read the history for answers.
struct AnswerThreads {
    /// The threads of each kind.
    private static let count = 2

    /// Those for short answers, which first see all requests.
    let short = NIOThreadPool(numberOfThreads: count)
    /// Those for long answers.
    let long = NIOThreadPool(numberOfThreads: count)

    func start() {
        short.start()
        long.start()
    }

    /// Waits for the answers that are being made.
    func stop() {
        try? short.syncShutdownGracefully()
        try? long.syncShutdownGracefully()
    }
}

/// The open connections of a server, up to a limit.
final class OpenConnections: Sendable {
    /// The most connections: fewer than the 1024 files that a process may open by default, or fewer if it may open
    /// less.
    private static let most: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 800 }
        return min(800, max(8, Int(clamping: limit.rlim_cur) - otherFiles))
    }()
    /// The files that stay free for the history, the listeners and the output.
    private static let otherFiles = 64

    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    /// The bytes of answers that clients have not taken yet.
    let unsentBytes = Atomic(0)

    /// Adds a connection until it closes. Returns false at the limit.
    func add(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let isAdded = channels.withLock { channels in
            guard channels.count < Self.most else { return false }
            channels[key] = channel
            return true
        }
        if isAdded { channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[key] = nil } } }
        return isAdded
    }

    var all: [any Channel] { channels.withLock { Array($0.values) } }
}

/// One connection: takes one request after the other, and ends when the client is slow, silent or wrong. One deadline
/// is always running. It bounds the time from a connection, or from an answer, to the end of the next request, and the
/// time in which the client takes an answer. Slow and silent clients therefore cost a connection for `timeLimit` at
/// most.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The longest address in bytes.
    private static let longestAddress = 4096
    /// The longest body in bytes: that of a mark, with a text of 3 kB.
    private static let longestBody = 4096

    /// The limits of the fields of a request: 64 fields, 8 kB each, 16 kB in all.
    static var fieldLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (8192, 16384, 64)
        return limits
    }
    /// The most bytes that wait for the parser: the fields, the address, and the largest read.
    static let mostUnparsedBytes = 131_072

    /// The bytes of answers that wait for their clients, beyond which long answers are refused.
    private static let mostUnsentBytes = 64 << 20
    /// Answers up to this length are never refused. Those of all connections are shorter than ``mostUnsentBytes``.
    private static let shortAnswer = 64 << 10

    private let service: Service
    private let connections: OpenConnections
    private let threads: AnswerThreads
    /// The time for a request, for an answer, and between requests.
    private let timeLimit: TimeAmount
    private var head: HTTPRequestHead?
    private var body = ""
    private var deadline: Scheduled<Void>?
    private var isAnswering = false
    /// The work for the answer that is being made.
    private var work: Work?
    private var stream: RepeatedTask?
    private var place: LiveFeed.Place?
    /// The intervals since the last update.
    private var silence = 0
    private var isStopping = false

    init(_ service: Service, _ connections: OpenConnections, _ threads: AnswerThreads, timeLimit: TimeAmount) {
        (self.service, self.connections) = (service, connections)
        (self.threads, self.timeLimit) = (threads, timeLimit)
    }

    func handlerAdded(context: ChannelHandlerContext) { restartDeadline(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        stream?.cancel()
        work?.abandon()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.uri.utf8.count <= Self.longestAddress else {
                return refuse(Problem(.uriTooLong, "The address is too long. Ask for less at a time."), head, context)
            }
            (self.head, body) = (head, "")
        case .body(let bytes):
            guard let head else { return }
            guard body.utf8.count + bytes.readableBytes <= Self.longestBody else {
                let detail = "The body is too long. A mark needs 4 kB at most, and no answer needs a body."
                return refuse(Problem(.payloadTooLarge, detail), head, context)
            }
            body += String(buffer: bytes)
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Stop {
            isStopping = true
            if stream != nil { context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
            if !isAnswering || stream != nil { context.close(promise: nil) }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// A request to end after the current answer.
    struct Stop: Sendable {}

    // MARK: Answers

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isAnswering = true
        deadline?.cancel()
        let work = Work(limit: .nanoseconds(timeLimit.nanoseconds))
        self.work = work
        makeAnswer(head, work, on: threads.short, context)
    }

    private func makeAnswer(
        _ head: HTTPRequestHead, _ work: Work, on pool: NIOThreadPool, _ context: ChannelHandlerContext
    ) {
        let (service, body, loop) = (service, body, context.eventLoop)
        let client = context.remoteAddress?.ipAddress ?? ""
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        pool.runIfActive(eventLoop: loop) { service.answer(head, body: body, from: client, work) }.whenComplete {
            let (handler, context) = bound.value
            switch $0 {
            case .success(let response?): handler.send(response, to: head, context)
            case .success(nil):
                work.acceptLong()
                handler.makeAnswer(head, work, on: handler.threads.long, context)
            case .failure: context.close(promise: nil)
            }
        }
    }

    /// Answers before the end of a request, and closes the connection.
    private func refuse(_ problem: Problem, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        self.head = nil
        (isAnswering, isStopping) = (true, true)
        send(problem.response, to: head, context)
    }

    private func send(_ response: Response, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        restartDeadline(context)
        if let place = response.stream, head.method != .HEAD {
            return startStream(after: place, response, head, context)
        }
        let length = head.method == .HEAD ? 0 : response.body.utf8.count
        let unsentBytes = connections.unsentBytes.load(ordering: .relaxed)
        guard length <= Self.shortAnswer || unsentBytes < Self.mostUnsentBytes else {
            return send(
                Problem(busy: "Other clients do not take their answers. Try again later.").response, to: head, context)
        }
        let isLast = isStopping || !head.isKeepAlive
        var answer = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
        if response.status != .notModified {
            answer.headers.replaceOrAdd(name: "Content-Length", value: String(response.body.utf8.count))
        }
        answer.headers.replaceOrAdd(name: "Connection", value: isLast ? "close" : "keep-alive")
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
        if length > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
        }
        connections.unsentBytes.add(length, ordering: .relaxed)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { [connections] _ in
            connections.unsentBytes.subtract(length, ordering: .relaxed)
            let (handler, context) = bound.value
            handler.isAnswering = false
            if isLast || handler.isStopping { return context.close(promise: nil) }
            handler.restartDeadline(context)
        }
    }

    // MARK: Live updates

    /// The number of intervals without an update after which a client gets a comment, so that both sides notice a lost
    /// connection.
    private static let heartbeat = 50

    private func startStream(
        after place: LiveFeed.Place, _ response: Response, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        guard !isStopping, service.feed.addStream() else {
            return refuse(Problem(busy: "There are too many streams. Try again later."), head, context)
        }
        let feed = service.feed
        context.channel.closeFuture.whenComplete { _ in feed.removeStream() }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: response.headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        self.place = place
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        stream = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: LiveFeed.interval) { _ in
            let (handler, context) = bound.value
            handler.sendUpdate(context)
        }
    }

    private func sendUpdate(_ context: ChannelHandlerContext) {
        // The deadline closes a client that takes nothing. The next update has what a slow one misses.
        guard context.channel.isWritable, let place else { return }
        restartDeadline(context)
        silence += 1
        var text = ": \n\n"
        if let (update, next) = service.feed.update(after: place) {
            (text, self.place) = (update, next)
        } else if silence < Self.heartbeat {
            return
        }
        silence = 0
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }

    private func restartDeadline(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: timeLimit) { bound.value.close(promise: nil) }
    }
}
