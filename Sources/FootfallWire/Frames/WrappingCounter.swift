/// Makes a time that keeps growing out of a counter of 32 bits that begins anew when it is full.
struct WrappingCounter: Sendable {
    private var previous: UInt32?
    private var turns: Int64 = 0

    /// The counter's value with its full turns added.
    ///
    /// A turn is a step from the last sixteenth of the range into the first: any other step back is a device that was
    /// started anew.
    mutating func unwrap(_ value: UInt32) -> Int64 {
        if let previous, previous >= 0xF000_0000, value < 0x1000_0000 { turns &+= 1 }
        previous = value
        return turns << 32 | Int64(value)
    }
}
