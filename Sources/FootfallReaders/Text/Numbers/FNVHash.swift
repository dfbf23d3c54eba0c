/// The hash FNV-1a of 64 bits (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/). Equal bytes have the same
/// hash in every process and on every machine.
package struct FNVHash: Sendable {
    /// The hash of the bytes so far.
    package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Starts without a byte.
    @inlinable
    package init() {}

    /// Adds a byte.
    @inlinable @inline(__always)
    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// Adds bytes.
    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }
}
