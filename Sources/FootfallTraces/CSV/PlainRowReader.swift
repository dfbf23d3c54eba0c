internal import Footfall
internal import FootfallWire

/// Reads the rows that most rows are, in one pass over their bytes: numbers as ``PlainNumber`` has them, without blanks, quotes
/// or exponents, and dates as `2013-10-21 10:00:08.000` or `2013-10-21T10:00:08.000Z`.
///
/// It knows no errors. Whatever is not plain, it leaves to ``RowParser``, which gives the same values for what is.
struct PlainRowReader: Sendable {
    private enum Field: UInt8, Sendable {
        case ignored
        case number
        case date
        case x
        case y
        case z
    }

    private let dialect: CSVDialect
    private let lineEnd: UInt8
    private let fields: [Field]
    /// Times that are numbers: one is 10^`timePower` nanoseconds, and 0 is `zero`.
    private let timePower: Int
    private let zero: Int64
    /// Times that are dates.
    private var minutes: MinuteClock
    private let supported = Timestamp.supported
    private let scale: Float

    /// What a row holds.
    struct Row {
        /// Nanoseconds since 1970; nothing of use where the table has no times.
        var nanoseconds: Int64 = 0
        /// Acceleration in g.
        var x: Float = 0
        var y: Float = 0
        var z: Float = 0
    }

    /// Creates a reader; nil for tables in which no row is plain.
    init?(_ dialect: CSVDialect, _ layout: TableLayout, lineEnd: UInt8, _ clock: RowClock) {
        guard dialect.rowEnd == nil, dialect.delimiter != ASCII.space, dialect.delimiter != dialect.decimalSeparator,
            layout.gravityColumns.isEmpty, layout.dateColumn == nil, let zero = clock.zero
        else { return nil }
        self.dialect = dialect
        self.lineEnd = lineEnd
        self.zero = zero
        minutes = clock.minutes
        scale = layout.unit.inG
        let time: Field
        switch layout.time {
        case .sinceEpoch(let unit, _), .sinceStart(let unit, _): (time, timePower) = (.number, unit.powerOfTen)
        case .dateTime: (time, timePower) = (.date, 0)
        case .sampleRate: (time, timePower) = (.ignored, 0)
        case .sincePrevious, .timeOfDay: return nil
        }
        let axes = layout.axisColumns.map(\.index)
        let timeColumn = layout.timeColumn?.index
        var fields = [Field](repeating: .ignored, count: 1 + (axes + [timeColumn ?? 0]).reduce(0, max))
        for (axis, field) in zip(axes, [Field.x, .y, .z]) { fields[axis] = field }
        if let timeColumn { fields[timeColumn] = time }
        self.fields = fields
    }

    /// How the plain row at `start` is written; nil when it is not as ``RowShape`` wants it.
    ///
    /// - Parameter text: As for reading.
    func shape(_ text: Span<UInt8>, at start: Int) -> RowShape? {
        guard fields.dropFirst() == [.x, .y, .z] else { return nil }
        var position = start
        let row: RowShape.Time
        if fields[0] == .number {
            guard let time = readTime(text, &position) else { return nil }
            row = RowShape.Time(
                place: start..<position, number: start, nanoseconds: time, power: timePower, limit: .max)
        } else {
            var minutes = minutes
            guard fields[0] == .date, let time = minutes.read(text, &position) else { return nil }
            row = RowShape.Time(
                place: start..<position, number: start + MinuteClock.lengthBeforeSeconds, nanoseconds: time, power: 9,
                limit: MinuteClock.minute)
        }
        return RowShape(text, row, dialect, lineEnd: lineEnd, scale: scale)
    }

    /// Reads the row that starts at `start` and returns where the next one starts; nil when this one is not plain.
    ///
    /// - Parameter text: A row must end in it, and ``LineSource/margin`` bytes must follow: no field goes on behind the end of
    ///   a row, so nothing has to look out for the end of the text.
    @inline(__always)
    mutating func read(_ text: Span<UInt8>, from start: Int, into row: inout Row) -> Int? {
        var position = start
        for index in 0..<fields.count {
            if index > 0 {
                // A row that ends too soon must not go on in the next one.
                guard text[position] == dialect.delimiter else { return nil }
                position &+= 1
            }
            switch fields[index] {
            case .ignored:
                guard passOver(text, &position) else { return nil }
            case .number:
                guard let time = readTime(text, &position) else { return nil }
                row.nanoseconds = time
            case .date:
                guard let time = minutes.read(text, &position) else { return nil }
                row.nanoseconds = time
            case .x:
                guard let value = readAcceleration(text, &position) else { return nil }
                row.x = value
            case .y:
                guard let value = readAcceleration(text, &position) else { return nil }
                row.y = value
            case .z:
                guard let value = readAcceleration(text, &position) else { return nil }
                row.z = value
            }
        }
        guard supported.contains(Timestamp(nanosecondsSince1970: row.nanoseconds)) else { return nil }
        return endOfRow(text, position, start)
    }

    /// Steps over a column that nobody asked for.
    @inline(__always)
    private func passOver(_ text: Span<UInt8>, _ position: inout Int) -> Bool {
        while text[position] != dialect.delimiter {
            let byte = text[position]
            guard byte != lineEnd, byte != ASCII.quote else { return false }
            position &+= 1
        }
        return true
    }

    @inline(__always)
    private func readTime(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
        guard let number = PlainNumber(text, &position, separator: dialect.decimalSeparator, isLarge: true),
            let nanoseconds = number.times(tenToThe: timePower)
        else { return nil }
        let (moment, overflow) = nanoseconds.addingReportingOverflow(zero)
        return overflow ? nil : moment
    }

    @inline(__always)
    private func readAcceleration(_ text: Span<UInt8>, _ position: inout Int) -> Float? {
        guard let number = PlainNumber(text, &position, separator: dialect.decimalSeparator, isLarge: false) else {
            return nil
        }
        let value = Float(number.double) * scale
        return abs(value) <= PlausibleAcceleration.limitG ? value : nil
    }

    /// Steps over the end of the row, and over columns behind those that somebody asked for.
    @inline(__always)
    private func endOfRow(_ text: Span<UInt8>, _ start: Int, _ rowStart: Int) -> Int? {
        var position = start
        if text[position] == dialect.delimiter {
            while text[position] != lineEnd { position &+= 1 }
        } else if text[position] == ASCII.carriageReturn, lineEnd == ASCII.newline {
            position &+= 1
        }
        guard text[position] == lineEnd, position &- rowStart <= LineSource.longestLine else { return nil }
        return position &+ 1
    }
}
