/// Converts the device's time to the time of reception without its jitter: intervals are those of the device's clock.
struct ReceiverClock: Sendable {
    /// In nanoseconds. A larger difference is a restart of the device or a pause of the log.
    private static let leap: UInt64 = 2_000_000_000
    /// Each reading corrects this fraction of the difference, 1/256, so that the offset follows the drift of two
    /// clocks.
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
