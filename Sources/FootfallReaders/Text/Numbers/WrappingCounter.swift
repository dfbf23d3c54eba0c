/// Unwraps a counter of 32 bits.
package struct WrappingCounter: Sendable {
    private var previous: UInt32?
    private var turns: Int64 = 0

    package init() {}

    /// The counter's value plus its full turns.
    ///
    /// A turn is a step from the last sixteenth of the range into the first. Any other step back is a restart of the
    /// device.
    package mutating func unwrap(_ value: UInt32) -> Int64 {
        if let previous, previous >= 0xF000_0000, value < 0x1000_0000 { turns &+= 1 }
        previous = value
        return turns << 32 | Int64(value)
    }
}
