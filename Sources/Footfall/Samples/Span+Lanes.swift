// Several values of a column at once. What lies outside is not checked for: whoever asks has seen that all are there.

extension Span<Float> {
    /// The four values from a position on.
    @inline(__always)
    func four(unchecked position: Int) -> SIMD4<Float> {
        let offset = position &* MemoryLayout<Float>.stride
        return bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD4<Float>.self)
    }

    /// The eight values from a position on.
    @inline(__always)
    func eight(unchecked position: Int) -> SIMD8<Float> {
        SIMD8(lowHalf: four(unchecked: position), highHalf: four(unchecked: position &+ 4))
    }
}

extension Span<Timestamp> {
    /// The four times from a position on, in nanoseconds since 1970.
    @inline(__always)
    func four(unchecked position: Int) -> SIMD4<Int64> {
        let offset = position &* MemoryLayout<Timestamp>.stride
        return bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD4<Int64>.self)
    }
}
