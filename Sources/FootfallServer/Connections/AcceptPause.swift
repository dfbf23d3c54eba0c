internal import NIOCore

/// Takes no connections for a second when the process cannot open more files.
///
/// The listener stays readable meanwhile, and without a pause its event loop would never rest.
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
