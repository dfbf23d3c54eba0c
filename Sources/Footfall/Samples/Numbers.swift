extension Collection where Element: Comparable {
    /// The upper median, in O(*n* log *n*): the middle value by size, or the larger of the two middle values. Nil for
    /// an empty collection.
    package func upperMedian() -> Element? { isEmpty ? nil : sorted()[count / 2] }
}

extension Array where Element: BinaryFloatingPoint {
    /// The median, in O(*n* log *n*): the middle value by size, or the mean of the two middle values. Nil for an empty
    /// array.
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

extension FixedWidthInteger {
    /// The number without its fraction; the nearest integer of this type for a number outside its range, and 0 for one
    /// that is not a number.
    @inlinable
    package init(clamping value: Double) {
        guard value.magnitude < 0x1p63 else {
            self = value > 0 ? .max : value < 0 ? .min : 0
            return
        }
        let magnitude = Int64(bitPattern: UInt64(UInt(value.magnitude)))
        self.init(clamping: value < 0 ? -magnitude : magnitude)
    }

    /// As ``init(clamping:)`` for a `Double`.
    @inlinable
    package init(clamping value: Float) { self.init(clamping: Double(value)) }
}

// The initializers of the standard library end the process for an infinite value, for one that is not a number and for
// one outside the range of the type. Logs, histories and requests can lead to such values, so these declarations take
// their place: to use one is a warning, and warnings are errors. `UInt` has none, because the conversion above uses it.

extension Int {
    @available(*, deprecated, message: "use Int(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use Int(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension Int64 {
    @available(*, deprecated, message: "use Int64(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use Int64(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension Int32 {
    @available(*, deprecated, message: "use Int32(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use Int32(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension Int16 {
    @available(*, deprecated, message: "use Int16(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use Int16(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt64 {
    @available(*, deprecated, message: "use UInt64(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use UInt64(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt32 {
    @available(*, deprecated, message: "use UInt32(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use UInt32(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt16 {
    @available(*, deprecated, message: "use UInt16(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use UInt16(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt8 {
    @available(*, deprecated, message: "use UInt8(clamping:)")
    package init(_ value: Double) { self.init(clamping: value) }
    @available(*, deprecated, message: "use UInt8(clamping:)")
    package init(_ value: Float) { self.init(clamping: value) }
}
