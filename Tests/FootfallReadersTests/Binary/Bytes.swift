extension Array where Element == UInt8 {
    /// The bytes of an integer, the least first.
    static func little<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Writes an integer, its least byte first, over what is at `offset`.
    mutating func put<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
        replaceSubrange(offset..<offset + Integer.bitWidth / 8, with: [UInt8].little(value))
    }
}
