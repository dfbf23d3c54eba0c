extension Collection where Element: Comparable {
    /// The upper median: the middle value by size, or the larger of the two middle values. Nil for an empty collection.
    ///
    /// - Complexity: O(*n* log *n*).
    package func upperMedian() -> Element? {
        isEmpty ? nil : sorted()[count / 2]
    }
}

extension Array where Element: BinaryFloatingPoint {
    /// The median: the middle value by size, or the mean of the two middle values. Nil for an empty array.
    ///
    /// - Complexity: O(*n* log *n*).
    @inlinable
    package var median: Element? {
        let ordered = sorted()
        return isEmpty ? nil : (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
    }
}

// Loads of several values of a column at once. Positions are not checked; callers check them before.

extension Span<Float> {
    /// Four values from a position on.
    @inlinable @inline(__always)
    package func four(unchecked position: Int) -> SIMD4<Float> {
        let offset = position &* MemoryLayout<Float>.stride
        return bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD4<Float>.self)
    }

    @inline(__always)
    func eight(unchecked position: Int) -> SIMD8<Float> {
        SIMD8(lowHalf: four(unchecked: position), highHalf: four(unchecked: position &+ 4))
    }
}

extension Span<SIMD2<Float>> {
    /// Four pairs from a position on.
    @inline(__always)
    func four(unchecked position: Int) -> SIMD8<Float> {
        let offset = position &* MemoryLayout<SIMD2<Float>>.stride
        return bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD8<Float>.self)
    }
}

extension Span<Timestamp> {
    /// Four times from a position on, in nanoseconds since 1970.
    @inline(__always)
    func four(unchecked position: Int) -> SIMD4<Int64> {
        let offset = position &* MemoryLayout<Timestamp>.stride
        return bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD4<Int64>.self)
    }

    /// The intervals before four times from a position on, in nanoseconds, less one.
    @inline(__always)
    func intervals(unchecked position: Int) -> SIMD4<Int64> {
        four(unchecked: position) &- four(unchecked: position &- 1) &- 1
    }
}

extension SIMD4<Int64> {
    /// Whether all are from 0 to about 10⁹. A union of vectors is so only if each of them is.
    @inline(__always)
    var areShort: Bool { UInt64(bitPattern: self[0] | self[1] | self[2] | self[3]) < 1 << 30 }
}
