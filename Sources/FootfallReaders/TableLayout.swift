/// The layout of a table of numbers: its columns, its units, the origin of its times.
public struct TableLayout: Hashable, Sendable {
    /// The source of the time of a sample.
    public enum Time: Hashable, Sendable {
        /// Numbers since 1970-01-01T00:00:00Z.
        case sinceEpoch(TimeUnit, Evidence)
        /// Numbers since another moment, such as the start of the recording or of the device.
        case sinceStart(TimeUnit, Evidence)
        /// Numbers since the row above.
        case sincePrevious(TimeUnit, Evidence)
        /// Dates with a time of day. `zone` is the identifier of the assumed zone; nil when the dates state theirs.
        case dateTime(zone: String?)
        /// Days since 1899-12-30, as in spreadsheets, or since the year 0, as in MATLAB, in an assumed zone.
        case serialDate(zone: String)
        /// Times of day without a date.
        case timeOfDay
        /// No times, but a constant rate in hertz.
        case sampleRate(Double, Evidence)
    }

    /// The source of a decision.
    public enum Evidence: String, Sendable {
        /// An option of the caller.
        case option = "option"
        /// The header or the preamble of the file.
        case header = "header"
        /// The values.
        case values = "values"
        /// No evidence; the most common choice is assumed.
        case assumption = "assumption"

        package var description: String { self == .assumption ? "assumed" : "from the \(rawValue)" }
    }

    /// A column of the table.
    public struct Column: Hashable, Sendable {
        /// The number, counted from 1.
        public var number: Int
        /// The title; nil without a header.
        public var name: String?

        /// The position, counted from 0.
        package var index: Int { number - 1 }
    }

    /// The separator of columns.
    public var delimiter: Character
    /// The separator of decimals.
    public var decimalSeparator: Character
    /// The line of the header, counted from 1; nil when there is none.
    public var headerLine: Int?
    /// The column of times; nil when there is none.
    public var timeColumn: Column?
    /// The column of dates, in a table with times of day in another column; nil elsewhere.
    public var dateColumn: Column?
    /// The columns of acceleration along x, y and z.
    public var axisColumns: [Column]
    /// The columns of gravity along x, y and z, which is added to the acceleration; empty in most tables.
    public var gravityColumns: [Column]
    /// The source of times.
    public var time: Time
    /// How far the clock of the first date-time is ahead of UTC, in seconds; nil if it states none, or UTC itself,
    /// which loggers anywhere may write.
    public var statedOffset: Int?
    /// The unit of acceleration.
    public var unit: AccelerationScale
    /// The evidence for the unit.
    public var unitEvidence: Evidence
    /// How the numbers stand for multiples of the unit.
    public var coding = CountCoding()
}

extension TableLayout: CustomStringConvertible {
    /// The layout in one line, for a person.
    public var description: String {
        var parts: [String] = []
        switch delimiter {
        case "\t": parts.append("tab-separated")
        case " ": parts.append("space-separated")
        case ";": parts.append("semicolon-separated")
        case "|": parts.append("bar-separated")
        default: parts.append("comma-separated")
        }
        if decimalSeparator != "." { parts.append("decimal comma") }
        if let timeColumn {
            let columns = [dateColumn, timeColumn].compactMap { $0.map(describe) }.joined(separator: " and ")
            parts.append("time in \(columns) as \(timeDescription)")
        }
        if timeColumn == nil { parts.append(timeDescription) }
        parts.append("axes in " + axisColumns.map(describe).joined(separator: ", "))
        if !gravityColumns.isEmpty {
            parts.append("plus gravity in " + gravityColumns.map(describe).joined(separator: ", "))
        }
        parts.append("in \(unit)\(coding.isPlain ? "" : " \(coding)") (\(unitEvidence.description))")
        return parts.joined(separator: "; ")
    }

    private var timeDescription: String {
        switch time {
        case .sinceEpoch(let unit, let evidence): "\(unit.rawValue) since 1970 (\(evidence.description))"
        case .sinceStart(let unit, let evidence): "\(unit.rawValue) since start (\(evidence.description))"
        case .sincePrevious(let unit, let evidence):
            "\(unit.rawValue) since the row above (\(evidence.description))"
        case .dateTime(.none): "date and time with zone"
        case .dateTime(.some(let zone)): "date and time in \(zone)"
        case .serialDate(let zone): "serial date in \(zone)"
        case .timeOfDay: "time of day"
        case .sampleRate(let hertz, let evidence): "\(hertz) samples per second (\(evidence.description))"
        }
    }

    private func describe(_ column: Column) -> String {
        column.name.map { "'\($0)'" } ?? "column \(column.number)"
    }
}
