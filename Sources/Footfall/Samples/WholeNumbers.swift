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
