/// Gives readings the time of their reception, without its jitter: the distance between them is that of the device's clock.
struct ReceiverClock: Sendable {
    /// A difference beyond this, in nanoseconds, is a device that was started anew, or a pause of the log.
    private static let leap: UInt64 = 2_000_000_000
    /// The share of the difference that is made good with each reading, so that two clocks that drift stay together.
    private static let correction: Int64 = 256

    private var offset: Int64?

    /// The wall time of a reading, in nanoseconds since 1970; nil when neither clock is known.
    mutating func wallTime(device: Int64?, received: Int64?) -> Int64? {
        guard let device else { return received }
        guard let received else { return offset.map { device &+ $0 } }
        if let offset {
            let difference = received &- (device &+ offset)
            if difference.magnitude <= Self.leap {
                self.offset = offset &+ difference / Self.correction
                return device &+ offset
            }
        }
        offset = received &- device
        return received
    }
}
