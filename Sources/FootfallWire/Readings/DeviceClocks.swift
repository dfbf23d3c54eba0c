/// Unwraps a counter of 32 bits.
struct WrappingCounter: Sendable {
    private var previous: UInt32?
    private var turns: Int64 = 0

    /// The counter's value plus its full turns.
    ///
    /// A turn is a step from the last sixteenth of the range into the first. Any other step back is a restart of the device.
    mutating func unwrap(_ value: UInt32) -> Int64 {
        if let previous, previous >= 0xF000_0000, value < 0x1000_0000 { turns &+= 1 }
        previous = value
        return turns << 32 | Int64(value)
    }
}

/// Converts the device's time to the time of reception without its jitter: intervals are those of the device's clock.
struct ReceiverClock: Sendable {
    /// In nanoseconds. A larger difference is a restart of the device or a pause of the log.
    private static let leap: UInt64 = 2_000_000_000
    /// Each reading corrects this fraction of the difference, 1/256, so that the offset follows the drift of two clocks.
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
