internal import Footfall
internal import FootfallWire

/// Reads the rows that most rows are, in one pass over their bytes: numbers of at most 18 digits, without blanks, quotes
/// or exponents, and dates as `2013-10-21 10:00:08.000` or `2013-10-21T10:00:08.000Z`.
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
        /// What is to be subtracted to come to UTC, if the row says.
        var offsetSeconds: Int?
        /// x, y and z in g.
        var acceleration = SIMD4<Float>()
    }

    /// A number as it is written: digits, and how many of them are decimals.
    private struct Decimal {
        var mantissa: Int64 = 0
        var decimals = 0
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

    /// Reads the row that starts at `start` and returns where the next one starts; nil when this one is not plain.
    ///
    /// - Parameter text: A row must end in it, and ``LineSource/margin`` bytes must follow: no field goes on behind the end of
    ///   a row, so nothing has to look out for the end of the text.
    @inline(__always)
    func read(_ text: Span<UInt8>, from start: Int, into row: inout Row) -> Int? {
        var position = start
        var (x, y, z) = (Decimal(), Decimal(), Decimal())
        for index in 0..<fields.count {
            if index > 0 {
                // A row that ends too soon must not go on in the next one.
                guard text[position] == delimiter else { return nil }
                position += 1
            }
            switch fields[index] {
            case .ignored:
                while text[position] != delimiter {
                    let byte = text[position]
                    guard byte != lineEnd, byte != ASCII.quote else { return nil }
                    position += 1
                }
            case .time:
                guard readTime(text, &position, into: &row) else { return nil }
            case .x:
                guard readDigits(text, &position, &x) else { return nil }
            case .y:
                guard readDigits(text, &position, &y) else { return nil }
            case .z:
                guard readDigits(text, &position, &z) else { return nil }
            }
        }
        // All at once, since a division takes as long as reading a number. Exact numbers give the nearest quotient.
        let mantissas = SIMD4(Double(x.mantissa), Double(y.mantissa), Double(z.mantissa), 0)
        let divisors = SIMD4(powers[x.decimals], powers[y.decimals], powers[z.decimals], 1)
        row.acceleration = SIMD4<Float>(mantissas / divisors) * scale
        guard all(row.acceleration .<= RowParser.mostG), all(row.acceleration .>= -RowParser.mostG) else { return nil }
        return endOfRow(text, position, start)
    }

    /// Steps over the end of the row, and over columns that nobody asked for.
    @inline(__always)
    private func endOfRow(_ text: Span<UInt8>, _ start: Int, _ rowStart: Int) -> Int? {
        var position = start
        if text[position] == delimiter {
            while text[position] != lineEnd { position += 1 }
        } else if text[position] == ASCII.carriageReturn, lineEnd == ASCII.newline {
            position += 1
        }
        guard text[position] == lineEnd, position - rowStart <= LineSource.longestLine else { return nil }
        return position + 1
    }

    @inline(__always)
    private func isFieldEnd(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == lineEnd || byte == ASCII.carriageReturn
    }

    /// Reads a number; false when it is not plain.
    @inline(__always)
    private func readDigits(_ text: Span<UInt8>, _ position: inout Int, _ number: inout Decimal) -> Bool {
        // Signs are as good as random, so the way over them must not be a branch.
        let sign: Int = text[position] == ASCII.minus ? 1 : 0
        position += sign
        var value: UInt64 = 0
        var digits = 0
        if let short = DigitWord(text, at: position).decimal(separator) {
            // As almost all accelerations are.
            (value, number.decimals, digits) = (short.mantissa, short.decimals, short.length - 1)
            position += short.length
        } else {
            digits = readRun(text, &position, &value)
            if text[position] == separator {
                position += 1
                number.decimals = readRun(text, &position, &value)
                digits += number.decimals
            }
        }
        number.mantissa = (Int64(truncatingIfNeeded: value) ^ Int64(0 &- sign)) &+ Int64(sign)
        return digits > 0 && digits <= 18 && isFieldEnd(text[position])
    }

    /// Reads digits behind those that `value` has; returns how many.
    @inline(__always)
    private func readRun(_ text: Span<UInt8>, _ position: inout Int, _ value: inout UInt64) -> Int {
        var digits = 0
        while true {
            let word = DigitWord(text, at: position)
            value = value &* UInt64(truncatingIfNeeded: integerPowers[word.count]) &+ word.number
            position += word.count
            digits += word.count
            if word.count < 8 { return digits }
        }
    }

    @inline(__always)
    private func readTime(_ text: Span<UInt8>, _ position: inout Int, into row: inout Row) -> Bool {
        if isTimeCivil { return readCivilTime(text, &position, into: &row) }
        var number = Decimal()
        guard readDigits(text, &position, &number), number.decimals <= timePower else { return false }
        let power = integerPowers[timePower - number.decimals]
        let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: power)
        row.nanoseconds = product
        return !overflow
    }

    /// Reads `2013-10-21 10:00:08` with up to nine decimals, and with a zone such as `Z` or `+01:00` or none.
    @inline(__always)
    private func readCivilTime(_ text: Span<UInt8>, _ position: inout Int, into row: inout Row) -> Bool {
        let start = position
        guard start + 20 < text.count, text[start + 4] == ASCII.minus, text[start + 7] == ASCII.minus,
            text[start + 10] == ASCII.space || text[start + 10] == UInt8(ascii: "T"),
            text[start + 13] == ASCII.colon, text[start + 16] == ASCII.colon
        else { return false }
        var isPlain = true
        func pair(_ offset: Int) -> Int { PlainRowReader.pair(text, start + offset, &isPlain) }
        row.date = CivilDate(year: pair(0) * 100 + pair(2), month: pair(5), day: pair(8))
        let (hour, minute, second) = (pair(11), pair(14), pair(17))
        guard isPlain, hour < 24, minute < 60, second <= 60 else { return false }
        position = start + 19
        var fraction: Int64 = 0
        var digits = 0
        if text[position] == ASCII.point {
            position += 1
            while text[position].isDigit, digits < 9 {
                fraction = fraction * 10 + Int64(text[position].digit)
                digits += 1
                position += 1
            }
            guard digits > 0 else { return false }
        }
        row.nanoseconds =
            Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction * integerPowers[9 - digits]
        return readZone(text, &position, into: &row) && isFieldEnd(text[position])
    }

    /// Reads `Z`, `+01:00` or nothing.
    @inline(__always)
    private func readZone(_ text: Span<UInt8>, _ position: inout Int, into row: inout Row) -> Bool {
        let sign = text[position]
        row.offsetSeconds = nil
        if sign == UInt8(ascii: "Z") {
            row.offsetSeconds = 0
            position += 1
        } else if sign == ASCII.plus || sign == ASCII.minus {
            guard position + 6 < text.count, text[position + 3] == ASCII.colon else { return false }
            var isPlain = true
            let hours = PlainRowReader.pair(text, position + 1, &isPlain)
            let minutes = PlainRowReader.pair(text, position + 4, &isPlain)
            guard isPlain, hours <= 18, minutes < 60 else { return false }
            let seconds = (hours * 60 + minutes) * 60
            row.offsetSeconds = sign == ASCII.minus ? -seconds : seconds
            position += 6
        }
        return true
    }

    /// The number that two digits make.
    @inline(__always)
    private static func pair(_ text: Span<UInt8>, _ position: Int, _ isPlain: inout Bool) -> Int {
        let tens = text[position].digit
        let ones = text[position + 1].digit
        isPlain = isPlain && tens < 10 && ones < 10
        return Int(tens) * 10 + Int(ones)
    }
}
