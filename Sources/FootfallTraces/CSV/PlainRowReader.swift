internal import Footfall

/// Reads the rows that most rows are, in one pass over their bytes: numbers of at most 18 digits, without blanks, quotes
/// or exponents, and dates as `2013-10-21 10:00:08.000`.
///
/// It knows no errors. Whatever is not plain, it leaves to ``RowParser``, which gives the same values for what is.
struct PlainRowReader: Sendable {
    private enum Field: UInt8, Sendable {
        case ignored
        case time
        case x
        case y
        case z
    }

    private let delimiter: UInt8
    private let separator: UInt8
    private let lineEnd: UInt8
    private let fields: [Field]
    private let isTimeCivil: Bool
    private let timePower: Int
    private let scale: Float
    private let powers: [Double] = (0..<19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
    private let integerPowers: [Int64] = (0..<19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    /// What a row holds.
    struct Row {
        /// Nanoseconds on the clock of the file; of the day, if the row has a date.
        var nanoseconds: Int64 = 0
        var date = CivilDate(year: 0, month: 0, day: 0)
        var x: Float = 0
        var y: Float = 0
        var z: Float = 0
    }

    /// Creates a reader; nil for tables in which no row is plain.
    init?(_ dialect: CSVDialect, _ layout: TableLayout, lineEnd: UInt8) {
        guard dialect.rowEnd == nil, dialect.delimiter != ASCII.space, dialect.delimiter != dialect.decimalSeparator,
            layout.gravityColumns.isEmpty
        else { return nil }
        delimiter = dialect.delimiter
        separator = dialect.decimalSeparator
        self.lineEnd = lineEnd
        scale = layout.unit.inG
        switch layout.time {
        case .sinceEpoch(let unit, _), .sinceStart(let unit, _): (isTimeCivil, timePower) = (false, unit.powerOfTen)
        case .dateTime: (isTimeCivil, timePower) = (true, 0)
        case .sampleRate: (isTimeCivil, timePower) = (false, 0)
        case .sincePrevious, .timeOfDay: return nil
        }
        let axes = layout.axisColumns.map(\.index)
        let time = layout.timeColumn?.index
        var fields = [Field](repeating: .ignored, count: 1 + (axes + [time ?? 0]).reduce(0, max))
        for (axis, field) in zip(axes, [Field.x, .y, .z]) { fields[axis] = field }
        if let time { fields[time] = .time }
        self.fields = fields
    }

    /// Reads the row that starts at `start` and returns where the next one starts; nil when this one is not plain, or
    /// does not end within `text`.
    @inline(__always)
    func read(_ text: Span<UInt8>, from start: Int, into row: inout Row) -> Int? {
        var position = start
        for (index, field) in fields.enumerated() {
            if index > 0 {
                // A row that ends too soon must not go on in the next one.
                guard position < text.count, text[position] == delimiter else { return nil }
                position += 1
            }
            switch field {
            case .ignored:
                while position < text.count, text[position] != delimiter {
                    let byte = text[position]
                    guard byte != lineEnd, byte != ASCII.quote else { return nil }
                    position += 1
                }
            case .time:
                guard readTime(text, &position, into: &row) else { return nil }
            case .x:
                guard readValue(text, &position, into: &row.x) else { return nil }
            case .y:
                guard readValue(text, &position, into: &row.y) else { return nil }
            case .z:
                guard readValue(text, &position, into: &row.z) else { return nil }
            }
        }
        return endOfRow(text, position, start)
    }

    /// Steps over the end of the row, and over columns that nobody asked for.
    @inline(__always)
    private func endOfRow(_ text: Span<UInt8>, _ start: Int, _ rowStart: Int) -> Int? {
        var position = start
        if position < text.count, text[position] == delimiter {
            while position < text.count, text[position] != lineEnd { position += 1 }
        } else if position < text.count, text[position] == ASCII.carriageReturn, lineEnd == ASCII.newline {
            position += 1
        }
        guard position < text.count, text[position] == lineEnd, position - rowStart <= LineSource.longestLine
        else { return nil }
        return position + 1
    }

    @inline(__always)
    private func isFieldEnd(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == lineEnd || byte == ASCII.carriageReturn
    }

    /// Reads digits, and how many of them are decimals; false when they are not plain.
    @inline(__always)
    private func readDigits(
        _ text: Span<UInt8>, _ position: inout Int, _ mantissa: inout Int64, _ decimals: inout Int
    ) -> Bool {
        guard position < text.count else { return false }
        // Signs are as good as random, so the way over them must not be a branch.
        let sign: Int = text[position] == ASCII.minus ? 1 : 0
        position += sign
        let start = position
        var value: Int64 = 0
        while position < text.count, text[position].isDigit {
            value = value &* 10 &+ Int64(text[position].digit)
            position += 1
        }
        var digits = position - start
        if position < text.count, text[position] == separator {
            position += 1
            let fraction = position
            while position < text.count, text[position].isDigit {
                value = value &* 10 &+ Int64(text[position].digit)
                position += 1
            }
            decimals = position - fraction
            digits += decimals
        }
        mantissa = (value ^ Int64(0 &- sign)) &+ Int64(sign)
        return digits > 0 && digits <= 18 && position < text.count && isFieldEnd(text[position])
    }

    @inline(__always)
    private func readValue(_ text: Span<UInt8>, _ position: inout Int, into value: inout Float) -> Bool {
        var mantissa: Int64 = 0
        var decimals = 0
        guard readDigits(text, &position, &mantissa, &decimals) else { return false }
        value = Float(Double(mantissa) / powers[decimals]) * scale
        return abs(value) <= RowParser.mostG
    }

    @inline(__always)
    private func readTime(_ text: Span<UInt8>, _ position: inout Int, into row: inout Row) -> Bool {
        if isTimeCivil { return readCivilTime(text, &position, into: &row) }
        var mantissa: Int64 = 0
        var decimals = 0
        guard readDigits(text, &position, &mantissa, &decimals), decimals <= timePower else { return false }
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: integerPowers[timePower - decimals])
        row.nanoseconds = product
        return !overflow
    }

    /// Reads `2013-10-21 10:00:08` with up to nine decimals; false also for what has a zone.
    @inline(__always)
    private func readCivilTime(_ text: Span<UInt8>, _ position: inout Int, into row: inout Row) -> Bool {
        let start = position
        guard start + 20 < text.count, text[start + 4] == ASCII.minus, text[start + 7] == ASCII.minus,
            text[start + 10] == ASCII.space || text[start + 10] == UInt8(ascii: "T"),
            text[start + 13] == ASCII.colon, text[start + 16] == ASCII.colon
        else { return false }
        var isPlain = true
        func pair(_ offset: Int) -> Int {
            let tens = text[start + offset].digit
            let ones = text[start + offset + 1].digit
            isPlain = isPlain && tens < 10 && ones < 10
            return Int(tens) * 10 + Int(ones)
        }
        row.date = CivilDate(year: pair(0) * 100 + pair(2), month: pair(5), day: pair(8))
        let (hour, minute, second) = (pair(11), pair(14), pair(17))
        guard isPlain, hour < 24, minute < 60, second <= 60 else { return false }
        position = start + 19
        var fraction: Int64 = 0
        var digits = 0
        if text[position] == ASCII.point {
            position += 1
            while position < text.count, text[position].isDigit, digits < 9 {
                fraction = fraction * 10 + Int64(text[position].digit)
                digits += 1
                position += 1
            }
            guard digits > 0 else { return false }
        }
        row.nanoseconds =
            Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction * integerPowers[9 - digits]
        return position < text.count && isFieldEnd(text[position])
    }
}
