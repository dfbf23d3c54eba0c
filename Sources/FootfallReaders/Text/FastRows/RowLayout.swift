internal import Footfall

/// The positions of the time and the three numbers in the rows of a table, and the bytes between the fields.
struct RowLayout: Sendable {
    /// The bytes between fields, before decimals and after rows.
    struct Separators: Sendable {
        var field: UInt8
        var decimal: UInt8
        var row: UInt8
        /// The longest row, in bytes, without its separator.
        var longestRow: Int
    }

    let separators: Separators
    let hasTime: Bool
    /// The numbers of fields to skip before the time and before each number.
    let skips: SIMD4<Int>
    /// The places of x, y and z among the three numbers; nil for the usual order.
    private let order: SIMD4<Int>?

    /// Returns nil if the time follows an axis.
    ///
    /// - Parameter axes: The columns of x, y and z.
    init?(time: Int?, axes: [Int], _ separators: Separators) {
        let sorted = axes.sorted()
        var next = 0
        var skips = SIMD4<Int>()
        if let time { (skips[0], next) = (time, time + 1) }
        for (index, column) in sorted.enumerated() {
            guard column >= next else { return nil }
            skips[index + 1] = column - next
            next = column + 1
        }
        let order = axes.map { sorted.firstIndex(of: $0) ?? 0 }
        self.order = order == [0, 1, 2] ? nil : SIMD4(order[0], order[1], order[2], 0)
        hasAdjacentAxes = skips.z == 0 && skips.w == 0
        (self.separators, self.skips, hasTime) = (separators, skips, time != nil)
    }

    /// Whether the three numbers are neighbors.
    let hasAdjacentAxes: Bool

    /// The sample with the three numbers of a row, in g, in the order of the columns.
    @inline(__always)
    func sample(_ time: Timestamp, _ values: SIMD4<Float>) -> AccelerationSample {
        guard let order else { return AccelerationSample(time: time, x: values.x, y: values.y, z: values.z) }
        return AccelerationSample(time: time, x: values[order.x], y: values[order.y], z: values[order.z])
    }

    /// Returns the start of the field that is `count` fields after the one at `start`; nil if the row ends before it,
    /// or a field is quoted.
    @inline(__always)
    func skip(_ count: Int, _ text: Span<UInt8>, _ start: Int) -> Int? {
        var position = start
        var count = count
        while count > 0 {
            count &-= 1
            while position < text.count, text[position] != separators.field {
                guard text[position] != separators.row, text[position] != UInt8(ascii: "\"") else { return nil }
                position &+= 1
            }
            position &+= 1
        }
        return position
    }

    /// Returns the start of the next row; `end` is behind the last number of the row at `start`. Nil if another byte is
    /// there, or the row is too long.
    @inline(__always)
    func nextRow(_ text: Span<UInt8>, behind end: Int, start: Int) -> Int? {
        var position = end
        if position < text.count, text[position] != separators.row {
            if text[position] == separators.field {
                while position < text.count, text[position] != separators.row { position &+= 1 }
            } else if text[position] == UInt8(ascii: "\r"), separators.row == UInt8(ascii: "\n") {
                position &+= 1
            }
        }
        guard position < text.count, text[position] == separators.row, position &- start <= separators.longestRow
        else { return nil }
        return position &+ 1
    }
}
