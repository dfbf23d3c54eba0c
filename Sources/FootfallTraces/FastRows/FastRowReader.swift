internal import Footfall
internal import FootfallWire

/// Reads the rows of a table in one pass over their bytes: a time, then x, y and z in any order, each as a ``PlainNumber`` or a
/// date-time of ``MinuteClock``, without blanks or quotes.
///
/// It reports no errors: it stops at every other row, which `RowParser` reads. Both read the same values. It sees whole lines only and
/// checks each access, so no row can make it read outside them.
struct FastRowReader: Sendable {
    /// How rows state their time.
    enum Time: Sendable {
        /// By their number: row 0 is at `start`, in steps of 1/`hertz` seconds.
        case rate(start: Timestamp, hertz: Double)
        /// A number in this column, one of which is 10^`power` nanoseconds; 0 is the moment `zero`, in nanoseconds since 1970.
        case number(column: Int, power: Int, zero: Int64)
        /// A date with the time of day in this column.
        case date(column: Int, MinuteClock)
    }

    /// How numbers of acceleration are stated.
    struct Axes: Sendable {
        /// The columns of x, y and z.
        var columns: [Int]
        /// How much 1 is in g.
        var scale: Float
        /// The largest plausible acceleration, in g.
        var limit: Float
    }

    /// The bytes between fields, before decimals and behind rows.
    struct Separators: Sendable {
        var field: UInt8
        var decimal: UInt8
        var row: UInt8
        /// The longest row, in bytes, without its separator.
        var longestRow: Int
    }

    private enum TimeField {
        case none
        case number
        case date
    }

    private let separators: Separators
    private let axes: Axes
    private let supported = Timestamp.supported
    /// How many columns to skip before the time and before each axis.
    private let skips: SIMD4<Int>
    /// The places of x, y and z among the three numbers of a row; nil for the usual order.
    private let order: SIMD4<Int>?
    private let timeField: TimeField
    private let time: Time
    private var power = 0
    private var zero: Int64 = 0
    private var dates: MinuteClock?
    private var times: PlainNumberReader
    private var first: PlainNumberReader
    private var second: PlainNumberReader
    private var third: PlainNumberReader

    /// Returns nil for a table whose time follows an axis.
    init?(_ time: Time, _ axes: Axes, _ separators: Separators) {
        let sorted = axes.columns.sorted()
        var next = 0
        var skips = SIMD4<Int>()
        switch time {
        case .rate:
            timeField = .none
        case .number(let column, let power, let zero):
            (timeField, self.power, self.zero, skips[0], next) = (.number, power, zero, column, column + 1)
        case .date(let column, let clock):
            (timeField, dates, skips[0], next) = (.date, clock, column, column + 1)
        }
        for (index, column) in sorted.enumerated() {
            guard column >= next else { return nil }
            skips[index + 1] = column - next
            next = column + 1
        }
        self.skips = skips
        let order = axes.columns.map { sorted.firstIndex(of: $0) ?? 0 }
        self.order = order == [0, 1, 2] ? nil : SIMD4(order[0], order[1], order[2], 0)
        (self.time, self.axes, self.separators) = (time, axes, separators)
        let numbers = PlainNumberReader(separator: separators.decimal)
        (times, first, second, third) = (numbers, numbers, numbers, numbers)
    }

    /// Reads rows up to one that `RowParser` has to read, or until the columns are full, and returns how many.
    ///
    /// - Parameters:
    ///   - lines: Whole lines. The last few rows are left to `RowParser`.
    ///   - position: The start of a row. Moves to the start of the first row that is not read.
    ///   - index: The number of the first row, counted from 0.
    ///   - previous: The time of the row above. Becomes the time of the last row; an earlier row is left to `RowParser`.
    mutating func read(
        _ lines: Span<UInt8>, _ position: inout Int, index: Int, after previous: inout Timestamp,
        into columns: inout SampleColumns
    ) -> Int {
        // Local copies stay in registers.
        var (reader, place, latest, index) = (self, position, previous, index)
        let count = columns.count
        columns.append(asLongAs: {
            guard let (sample, next) = reader.readRow(lines, at: place, index), sample.time >= latest,
                next &- place <= reader.separators.longestRow &+ 1
            else { return nil }
            (place, latest, index) = (next, sample.time, index &+ 1)
            return sample
        })
        (self, position, previous) = (reader, place, latest)
        return columns.count - count
    }

    /// Reads the row at `start`, the `index`th, and returns where the next one starts.
    @inline(__always)
    private mutating func readRow(
        _ lines: Span<UInt8>, at start: Int, _ index: Int
    ) -> (sample: AccelerationSample, next: Int)? {
        guard var position = skip(skips.x, lines, start) else { return nil }
        let moment: Timestamp
        switch timeField {
        case .none:
            guard case .rate(let start, let hertz) = time else { return nil }
            moment = start.advanced(bySeconds: Double(index) / hertz)
        case .number:
            guard let number = times.read(lines, at: position), let nanoseconds = number.times(tenToThe: power)
            else { return nil }
            let (sum, overflow) = nanoseconds.addingReportingOverflow(zero)
            guard !overflow, lines[number.end] == separators.field else { return nil }
            (moment, position) = (Timestamp(nanosecondsSince1970: sum), number.end &+ 1)
        case .date:
            guard let date = dates?.read(lines, at: position), lines[date.end] == separators.field else { return nil }
            (moment, position) = (Timestamp(nanosecondsSince1970: date.nanoseconds), date.end &+ 1)
        }
        guard let firstStart = skip(skips.y, lines, position), let first = first.read(lines, at: firstStart),
            lines[first.end] == separators.field, let secondStart = skip(skips.z, lines, first.end &+ 1),
            let second = second.read(lines, at: secondStart),
            lines[second.end] == separators.field, let thirdStart = skip(skips.w, lines, second.end &+ 1),
            let third = third.read(lines, at: thirdStart), let next = endOfRow(lines, third.end)
        else { return nil }
        let values = SIMD4(acceleration(first), acceleration(second), acceleration(third), 0)
        guard supported.contains(moment), abs(values.x) <= axes.limit, abs(values.y) <= axes.limit,
            abs(values.z) <= axes.limit
        else { return nil }
        var sample = AccelerationSample(time: moment, x: values.x, y: values.y, z: values.z)
        if let order { (sample.x, sample.y, sample.z) = (values[order.x], values[order.y], values[order.z]) }
        return (sample, next)
    }

    @inline(__always)
    private func acceleration(_ number: PlainNumber) -> Float { Float(number.double) * axes.scale }

    /// Returns where the field starts that comes `count` fields after the one at `start`; nil where the row ends before, or a field is
    /// quoted.
    @inline(__always)
    private func skip(_ count: Int, _ lines: Span<UInt8>, _ start: Int) -> Int? {
        var position = start
        var count = count
        while count > 0 {
            count &-= 1
            while position < lines.count, lines[position] != separators.field {
                guard lines[position] != separators.row, lines[position] != ASCII.quote else { return nil }
                position &+= 1
            }
            position &+= 1
        }
        return position
    }

    /// Skips the columns behind those to read, and the end of the row.
    @inline(__always)
    private func endOfRow(_ lines: Span<UInt8>, _ start: Int) -> Int? {
        var position = start
        if lines[position] == separators.field {
            while position < lines.count, lines[position] != separators.row { position &+= 1 }
        } else if lines[position] == UInt8(ascii: "\r"), separators.row == UInt8(ascii: "\n") {
            position &+= 1
        }
        guard position < lines.count, lines[position] == separators.row else { return nil }
        return position &+ 1
    }
}
