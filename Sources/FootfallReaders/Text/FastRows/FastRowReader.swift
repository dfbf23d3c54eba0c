internal import Footfall

/// Reads the rows of a table in one pass over their bytes: a time, then x, y and z in any order, each as a
/// ``PlainNumber`` or a date-time of ``LocalClock``, without blanks or quotes. It reads most rows by the
/// ``RowPattern`` of the rows above, and each other row number by number. It reports no errors: it stops at every row
/// that is not plain, which `RowParser` reads. All read the same values. Its input is whole lines. ``RowPattern`` loads
/// without a check, within the bounds that one check for each row ensures; every other access is checked.
struct FastRowReader: Sendable {
    /// How rows state their time.
    enum Time: Sendable {
        /// By their number.
        case rate(Rate)
        /// A number, one of which is 10^`power` nanoseconds; 0 is the moment `zero`, in nanoseconds since 1970.
        case number(power: Int, zero: Int64)
        /// A date with the time of day.
        case date(LocalClock)
    }

    /// Row 0 is at `start`, and rows follow in steps of 1/`hertz` seconds.
    struct Rate: Sendable {
        var start: Timestamp
        var hertz: Double

        func moment(_ index: Int) -> Timestamp { start.advanced(bySeconds: Double(index) / hertz) }
    }

    private let layout: RowLayout
    /// The acceleration of the number 1, in g.
    private let scale: Float
    private var rate: Rate?
    private var dates: LocalClock?
    /// The order of the rows; nil for times without a date.
    var order: RowOrder? { dates?.order }
    /// The unit of numbers and their zero, in nanoseconds.
    private var power = 0
    private var zero: Int64 = 0
    private var pattern = RowPattern()
    /// The shape of the last row without that pattern, and how many such rows in succession had it.
    private var shape = SIMD8<Int>()
    private var shapeCount = 0

    /// The number of rows in succession with the same shape before their pattern is learned, which costs as much as
    /// twenty rows.
    private static let equalRows = 8

    init(_ time: Time, _ layout: RowLayout, scale: Float) {
        (self.layout, self.scale) = (layout, scale)
        switch time {
        case .rate(let rate): self.rate = rate
        case .number(let power, let zero): (self.power, self.zero) = (power, zero)
        case .date(let clock): dates = clock
        }
    }

    /// Takes over what the rows above tell about local times.
    mutating func follow(_ order: RowOrder) { dates?.order = order }

    /// Reads rows of whole lines up to one that `RowParser` has to read, or until the columns are full, and returns how
    /// many. `position` moves from the start of a row, number `index` from 0, to that of the first one that is not
    /// read. `previous` moves from the time of the row above to that of the last row; an earlier row is left to
    /// `RowParser`.
    mutating func read(
        _ lines: Span<UInt8>, _ position: inout Int, index: Int, after previous: inout Timestamp,
        into columns: inout SampleColumns
    ) -> Int {
        var index = index
        let count = columns.count
        while columns.room > 0 {
            readPatternRows(lines, &position, &index, after: &previous, into: &columns)
            guard columns.room > 0, let row = readRow(lines, at: position, index, after: previous) else { break }
            columns.append(row.sample)
            (position, previous, index) = (row.next, row.sample.time, index &+ 1)
        }
        return columns.count - count
    }

    /// Reads rows up to one with another pattern. It is not inlined: its loop needs all registers.
    @inline(never)
    private func readPatternRows(
        _ lines: Span<UInt8>, _ position: inout Int, _ index: inout Int, after previous: inout Timestamp,
        into columns: inout SampleColumns
    ) {
        var state = (place: position, latest: previous, number: index)
        let (pattern, layout, rate, end) = (pattern, layout, rate, Timestamp.supported.upperBound)
        columns.append(&state) { state in
            guard let row = pattern.read(lines, at: state.place, layout),
                let next = layout.nextRow(lines, behind: row.end, start: state.place),
                case let moment = rate?.moment(state.number) ?? Timestamp(nanosecondsSince1970: row.moment),
                moment >= state.latest, moment <= end
            else { return nil }
            state = (next, moment, state.number &+ 1)
            return layout.sample(moment, row.values)
        }
        (position, previous, index) = state
    }

    /// Reads the row at `start` number by number, and keeps its pattern.
    @inline(never)
    private mutating func readRow(
        _ lines: Span<UInt8>, at start: Int, _ index: Int, after previous: Timestamp
    ) -> (sample: AccelerationSample, next: Int)? {
        guard let row = plainRow(lines, at: start, after: previous),
            let moment = row.time.map({ Timestamp(nanosecondsSince1970: $0.moment) }) ?? rate?.moment(index),
            moment >= previous, moment <= Timestamp.supported.upperBound
        else { return nil }
        let values = SIMD3(row.x.double, row.y.double, row.z.double)
        let acceleration = SIMD3<Float>(values) * scale
        guard PlausibleAcceleration.contains(acceleration) else { return nil }
        if layout.hasAdjacentAxes { learn(lines, row) }
        return (layout.sample(moment, SIMD4(acceleration, 0)), row.next)
    }

    /// Learns the pattern of rows that have the same shape several times in succession.
    private mutating func learn(_ lines: Span<UInt8>, _ row: PlainRow) {
        let shape = row.shape
        if shape == pattern.shape {
            if let time = row.time { pattern.follow(lines, time) }
        } else {
            shapeCount = shape == self.shape ? shapeCount + 1 : 1
            self.shape = shape
            guard shapeCount == FastRowReader.equalRows else { return }
            shapeCount = 0
            pattern = RowPattern(lines, row, layout, scale: scale)
        }
    }

    @inline(__always)
    private mutating func plainRow(_ lines: Span<UInt8>, at start: Int, after previous: Timestamp) -> PlainRow? {
        let (skips, separators) = (layout.skips, layout.separators)
        guard var position = layout.skip(skips.x, lines, start) else { return nil }
        var rowTime: PlainRow.Time?
        if layout.hasTime {
            guard let time = readTime(lines, at: position, after: previous), lines[time.end] == separators.field else {
                return nil
            }
            (rowTime, position) = (time, time.end + 1)
        }
        guard let xStart = layout.skip(skips.y, lines, position),
            let x = PlainNumber(lines, at: xStart, separator: separators.decimal), lines[x.end] == separators.field,
            let yStart = layout.skip(skips.z, lines, x.end + 1),
            let y = PlainNumber(lines, at: yStart, separator: separators.decimal), lines[y.end] == separators.field,
            let zStart = layout.skip(skips.w, lines, y.end + 1),
            let z = PlainNumber(lines, at: zStart, separator: separators.decimal),
            let next = layout.nextRow(lines, behind: z.end, start: start)
        else { return nil }
        return PlainRow(time: rowTime, x: x, y: y, z: z, next: next)
    }

    @inline(__always)
    private mutating func readTime(
        _ lines: Span<UInt8>, at position: Int, after previous: Timestamp
    ) -> PlainRow.Time? {
        guard dates == nil else { return dates?.plainTime(lines, at: position, after: previous) }
        guard let number = PlainNumber(lines, at: position, separator: layout.separators.decimal),
            let nanoseconds = number.times(tenToThe: power)
        else { return nil }
        let (moment, overflow) = nanoseconds.addingReportingOverflow(zero)
        guard !overflow else { return nil }
        return PlainRow.Time(
            start: position, end: number.end, number: number, unit: Int64(PowersOfTen.integers[power]), moment: moment,
            limit: .max)
    }
}

/// Date-times written as `2013-10-21 10:00:08.000` or `2013-10-21T10:00:08.000Z`. Everything before the seconds is the
/// same for a minute of rows, so it is parsed once a minute and compared after that. `CivilTimeParser` reads other
/// forms, and the same times for these.
extension LocalClock {
    /// Reads the date-time at `position`, given the time of the row above; returns nil for another form.
    mutating func plainTime(_ text: Span<UInt8>, at position: Int, after previous: Timestamp) -> PlainRow.Time? {
        let colon = position &+ Minute.length
        guard colon &+ 4 <= text.count else { return nil }
        let characters = SIMD2(
            text.littleEndian(UInt64.self, at: position), text.littleEndian(UInt64.self, at: position &+ 8))
        if characters != minute.characters {
            guard readMinute(text.extracting(position..<colon), after: previous) else { return nil }
            minute.characters = characters
        }
        guard text[colon] == ASCII.colon, let seconds = PlainNumber(text, at: colon &+ 1, separator: ASCII.point),
            seconds.sign == 0, seconds.count - seconds.decimals == 2, text[seconds.end &- 1].isDigit,
            let nanoseconds = seconds.times(tenToThe: 9), nanoseconds < Minute.nanoseconds,
            let zone = readOffset(text, at: seconds.end)
        else { return nil }
        return PlainRow.Time(
            start: position, end: zone.end, number: seconds, unit: 1_000_000_000,
            moment: minute.start &+ nanoseconds &- zone.offset, limit: Minute.nanoseconds)
    }

    /// Parses a date with hour and minute. Leaves the row from which on the clock keeps its offset to `RowParser`.
    @inline(never)
    private mutating func readMinute(_ text: Span<UInt8>, after previous: Timestamp) -> Bool {
        guard text[10] == ASCII.space || text[10] == UInt8(ascii: "T"), text[13] == ASCII.colon,
            var time = parser.read(text), time.offsetSeconds == nil
        else { return false }
        var clock = self
        clock.order.previous = previous
        guard let moment = clock.timestamp(of: time), clock.order.keptOffset == order.keptOffset else { return false }
        time.offsetSeconds = 0
        guard let start = clock.timestamp(of: time) else { return false }
        self = clock
        minute.start = start.nanosecondsSince1970
        minute.offset = minute.start - moment.nanosecondsSince1970
        return true
    }

    /// Reads `Z`, `+01:00` or nothing, as nanoseconds ahead of UTC.
    @inline(__always)
    private func readOffset(_ text: Span<UInt8>, at position: Int) -> (offset: Int64, end: Int)? {
        guard position &+ 6 < text.count else { return nil }
        let sign = text[position]
        if sign == UInt8(ascii: "Z") { return (0, position &+ 1) }
        guard sign == ASCII.plus || sign == ASCII.minus else { return (minute.offset, position) }
        guard text[position + 3] == ASCII.colon, let hours = LocalClock.pair(text, position + 1), hours <= 18,
            let minutes = LocalClock.pair(text, position + 4), minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * Minute.nanoseconds
        return (sign == ASCII.minus ? -offset : offset, position + 6)
    }

    /// The number of two digits.
    private static func pair(_ text: Span<UInt8>, _ position: Int) -> Int64? {
        let (tens, ones) = (text[position].digit, text[position + 1].digit)
        return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }
}
