internal import Footfall

/// Computes the time of each row.
struct RowClock: Sendable {
    private enum Kind {
        /// Numbers in units of 10^`power` nanoseconds.
        case number(power: Int)
        /// Times since the row above, in units of 10^`power` nanoseconds.
        case interval(power: Int)
        /// Seconds in another column, and the rest in units of 10^`power` nanoseconds.
        case rest(power: Int)
        case dateTime
        /// Days, of which `zero` is 1970-01-01.
        case serialDate(zero: Double)
        case timeOfDay
        case rate(FastRowReader.Rate)
    }

    private let kind: Kind
    private let separator: UInt8
    /// The number of the start, in nanoseconds. A numeric time minus `origin` plus `start` is a moment.
    private var origin: Int64
    private let start: Timestamp
    private var clock: LocalClock
    /// The order of the rows, which date-times without a zone need.
    var order: RowOrder {
        get { clock.order }
        set { clock.order = newValue }
    }
    private let supportedTimes = Timestamp.supported
    private var rowIndex = -1
    /// The date of the row, in a table with a column of dates; the date of the first time of day, where it is known.
    private var date: CivilDate?
    private var dayClock = DayClock()
    /// The seconds since 1970 in the other column of the row.
    private var seconds: DecimalNumber?
    /// The sum of all intervals after the first row.
    private var elapsed: Int64?
    /// The time after which a counter of 32 bits begins again at zero, in nanoseconds; nil for other numbers. An
    /// Arduino counts milliseconds for 49.7 days, and microseconds for 71.6 minutes.
    private let turn: Int64?
    /// How often the counter began again.
    private(set) var turns = 0

    init(_ base: CSVTimeBase, separator: UInt8, start: Timestamp, zone: LocalZone) {
        self.separator = separator
        self.start = start
        origin = base.origin
        clock = LocalClock(CivilTimeParser(order: base.order), zone: zone)
        date = base.firstDate
        turn = base.isCounter ? base.numericUnit.map { Int64(PowersOfTen.integers[$0.powerOfTen]) << 32 } : nil
        switch base.time {
        case .sinceEpoch(let unit, _), .sinceStart(let unit, _):
            kind = base.dateColumn == nil ? .number(power: unit.powerOfTen) : .rest(power: unit.powerOfTen)
        case .serialDate: kind = .serialDate(zero: base.dayZero)
        case .sincePrevious(let unit, _): kind = .interval(power: unit.powerOfTen)
        case .dateTime: kind = .dateTime
        case .timeOfDay: kind = .timeOfDay
        case .sampleRate(let hertz, _): kind = .rate(FastRowReader.Rate(start: start, hertz: hertz))
        }
    }

    /// The way in which the fast reader gives rows the same times; nil if only this clock can.
    var fastTime: FastRowReader.Time? {
        switch kind {
        case .rate(let rate):
            return .rate(rate)
        case .number(let power):
            let (zero, overflow) = start.nanosecondsSince1970.subtractingReportingOverflow(origin)
            return overflow ? nil : .number(power: power, zero: zero)
        case .dateTime:
            return .date(clock)
        case .interval, .rest, .serialDate, .timeOfDay:
            return nil
        }
    }

    /// The time of a row, or the reason why it has none.
    enum Reading {
        case time(Timestamp)
        case bad(TraceWarning.Kind)
    }

    /// The number of the next row, counted from 0.
    var nextRow: Int { rowIndex + 1 }

    /// Counts all rows, also bad ones, because a row without a column of times takes its time from its number.
    mutating func beginRows(_ count: Int = 1) { rowIndex &+= count }

    /// The time of the row from the sample rate.
    func timeByRate() -> Reading {
        guard case .rate(let rate) = kind else { return .bad(.unreadableTime) }
        return supported(rate.moment(rowIndex))
    }

    /// Reads the date of the row, or its whole seconds, which precede the rest of its time.
    mutating func readDate(_ text: Span<UInt8>, _ field: Range<Int>) {
        if case .rest = kind {
            seconds = DecimalNumber(text, field, separator: separator)
        } else {
            date = clock.parser.readDate(text.extracting(field))
        }
    }

    /// Adds the interval of a row that is bad otherwise.
    mutating func pass(_ text: Span<UInt8>, _ field: Range<Int>?) {
        if case .interval(let power) = kind, let field { _ = interval(text, field, power) }
    }

    /// Reads the time in `field`.
    @inline(__always)
    mutating func time(_ text: Span<UInt8>, _ field: Range<Int>) -> Reading {
        switch kind {
        case .number(let power): return number(text, field, power)
        case .interval(let power): return interval(text, field, power)
        case .rest(let power): return rest(text, field, power)
        case .serialDate(let zero): return serialDate(text, field, zero)
        case .dateTime, .timeOfDay: return civil(text, field)
        case .rate: return timeByRate()
        }
    }

    @inline(__always)
    private mutating func number(_ text: Span<UInt8>, _ field: Range<Int>, _ power: Int) -> Reading {
        guard let number = DecimalNumber(text, field, separator: separator) else { return .bad(.unreadableTime) }
        guard number.isFinite else { return .bad(.notFinite) }
        guard let nanoseconds = number.nanoseconds(power: power) else { return .bad(.timeOutOfRange) }
        if let turn, begins(again: nanoseconds, turn) { (origin, turns) = (origin - turn, turns + 1) }
        let (elapsed, underflow) = nanoseconds.subtractingReportingOverflow(origin)
        let (moment, overflow) = elapsed.addingReportingOverflow(start.nanosecondsSince1970)
        guard !underflow, !overflow else { return .bad(.timeOutOfRange) }
        return supported(Timestamp(nanosecondsSince1970: moment))
    }

    /// Whether a counter began again before this number: the row above has one near its end, this row one near zero.
    private func begins(again nanoseconds: Int64, _ turn: Int64) -> Bool {
        let margin = min(turn / Self.partOfTurn, Self.longestPause)
        guard (0..<margin).contains(nanoseconds), order.previous > supportedTimes.lowerBound else { return false }
        let above = order.previous.nanosecondsSince1970 &- start.nanosecondsSince1970 &+ origin
        return (turn - margin..<turn).contains(above)
    }

    /// The longest pause over the end of a counter, in nanoseconds: an hour. A counter of microseconds, which begins
    /// again after 72 minutes, has a part of that, as a late row and a time of 0 are no turn.
    private static let (longestPause, partOfTurn): (Int64, Int64) = (3_600_000_000_000, 64)

    private mutating func interval(_ text: Span<UInt8>, _ field: Range<Int>, _ power: Int) -> Reading {
        guard let number = DecimalNumber(text, field, separator: separator), number.isFinite else {
            return .bad(.unreadableTime)
        }
        guard let nanoseconds = number.nanoseconds(power: power), (0...RowClock.longestInterval).contains(nanoseconds)
        else { return .bad(.timeOutOfRange) }
        let sum = elapsed.map { $0 &+ nanoseconds } ?? 0
        elapsed = sum
        return supported(Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 &+ sum))
    }

    private func rest(_ text: Span<UInt8>, _ field: Range<Int>, _ power: Int) -> Reading {
        guard let whole = seconds?.nanoseconds(power: TimeUnit.seconds.powerOfTen),
            let rest = DecimalNumber(text, field, separator: separator)?.nanoseconds(power: power)
        else { return .bad(.unreadableTime) }
        let (sum, overflow) = whole.addingReportingOverflow(rest)
        return overflow ? .bad(.timeOutOfRange) : supported(Timestamp(nanosecondsSince1970: sum))
    }

    private mutating func serialDate(_ text: Span<UInt8>, _ field: Range<Int>, _ zero: Double) -> Reading {
        guard let number = DecimalNumber(text, field, separator: separator), number.isFinite else {
            return .bad(.unreadableTime)
        }
        guard let local = Int64(exactly: ((number.double - zero) * Double(Self.longestInterval)).rounded()),
            let moment = clock.timestamp(atLocal: local)
        else { return .bad(.timeOutOfRange) }
        return .time(moment)
    }

    /// A day, in nanoseconds.
    private static let longestInterval: Int64 = 86_400_000_000_000

    private mutating func civil(_ text: Span<UInt8>, _ field: Range<Int>) -> Reading {
        if field.count > LocalClock.Minute.length + 2, let time = plainTime(text, field) { return .time(time) }
        guard var time = clock.parser.read(text.extracting(field)) else { return .bad(.unreadableTime) }
        if case .timeOfDay = kind {
            let now = dayClock.unwrap(time)
            guard let date else {
                let elapsed = now - (dayClock.first ?? now)
                return supported(Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 + elapsed))
            }
            time = CivilTime(date: date, nanosecondOfDay: now)
        }
        time.date = time.date ?? date
        guard time.date != nil else { return .bad(.unreadableTime) }
        return clock.timestamp(of: time).map { .time($0) } ?? .bad(.timeOutOfRange)
    }

    /// The moment of a date-time in the usual form. A time before the row above may be in another minute with the same
    /// name, an hour earlier.
    private mutating func plainTime(_ text: Span<UInt8>, _ field: Range<Int>) -> Timestamp? {
        guard case .dateTime = kind,
            let time = clock.plainTime(text, at: field.lowerBound, after: order.previous), time.end == field.upperBound
        else { return nil }
        let moment = Timestamp(nanosecondsSince1970: time.moment)
        return moment >= order.previous && moment <= supportedTimes.upperBound ? moment : nil
    }

    @inline(__always)
    private func supported(_ time: Timestamp) -> Reading {
        supportedTimes.contains(time) ? .time(time) : .bad(.timeOutOfRange)
    }
}

extension RowClock {
    /// The times of rows, read with a copy of this clock; nil if a row has none.
    func times(
        _ text: Span<UInt8>, _ rows: ArraySlice<TableOpening.Row>, _ base: CSVTimeBase
    ) -> [Timestamp?] {
        var clock = self
        return rows.map { row in
            clock.beginRows()
            if let date = base.dateColumn.flatMap({ row[$0] }) { clock.readDate(text, date) }
            let reading = base.column.map { row[$0].map { clock.time(text, $0) } ?? .bad(.tooFewFields) }
            guard case .time(let time) = reading ?? clock.timeByRate() else { return nil }
            clock.order.previous = time
            return time
        }
    }
}
