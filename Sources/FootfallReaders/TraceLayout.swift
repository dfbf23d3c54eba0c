internal import Footfall
public import Foundation

/// How a trace is read: its format, columns, units and clock, each with its evidence.
public struct TraceLayout: Hashable, Sendable {
    /// The kind of file.
    public enum Format: String, CaseIterable, Sendable {
        /// Text: one sample per line, as delimited columns.
        case csv = "CSV"
        /// The recordings of Axivity AX3 and AX6, `.cwa`.
        case axivity = "Axivity CWA"
        /// The recordings of ActiGraph loggers, `.gt3x` and `.agdc`.
        case actiGraph = "ActiGraph GT3X"
        /// The recordings of GENEActiv loggers, `.bin`.
        case geneActiv = "GENEActiv"
        /// The recordings of GENEA loggers, the forerunner of GENEActiv, `.bin`.
        case genea = "GENEA"
        /// The recordings of Parmay Matrix loggers, `.bin`.
        case matrix = "Parmay Matrix"
        /// The JSON of Movesense sensors.
        case movesense = "Movesense JSON"
        /// Raw logs of wire protocols: MAVLink telemetry logs, x-IMU3 and WitMotion logs, dumps of serial lines.
        case wire = "raw log"
    }

    /// The source of a decision.
    public typealias Evidence = TableLayout.Evidence

    /// The details of a format.
    public enum Content: Hashable, Sendable {
        /// A table, whose columns, units and times are detected.
        case table(TableLayout)
        /// A recording in the format of a logger, which states most of them.
        case recording(RecordingLayout)
    }

    /// The kind of file.
    public var format: Format
    /// Whether the file is compressed with gzip.
    public var isCompressed: Bool
    /// The path of the table or recording inside a ZIP archive; nil for another file, and for a format that is itself a
    /// ZIP archive.
    public var member: String?
    /// The details of the format.
    public var content: Content

    /// How the columns are read, where the trace is a table.
    public var table: TableLayout? {
        guard case .table(let table) = content else { return nil }
        return table
    }

    /// The wearer's zone, where the recording or the date-times of the table state it; nil for other files.
    public var timeZone: TimeZone? {
        (recording?.statedOffset ?? table?.statedOffset).flatMap { TimeZone(secondsFromGMT: $0) }
    }

    /// The source of the unit. A logger's format states it.
    public var unitEvidence: Evidence { table?.unitEvidence ?? recording?.unitEvidence ?? .header }

    /// The details of the logger, where the trace is a recording in a logger's format.
    public var recording: RecordingLayout? {
        guard case .recording(let recording) = content else { return nil }
        return recording
    }
}

extension TraceLayout: CustomStringConvertible {
    /// The layout in one line.
    public var description: String {
        var kind = format.rawValue
        if let member { kind += " '\(member)' in ZIP" }
        if isCompressed { kind += " in gzip" }
        switch content {
        case .table(let table): return "\(kind); \(table)"
        case .recording(let recording): return "\(kind); \(recording)"
        }
    }
}

/// The details of a logger, and how its clock is read.
public struct RecordingLayout: Hashable, Sendable {
    /// The device, such as `AX3 39434`.
    public var device: String
    /// Samples per second as set; nil if the file does not state it. Times never rely on it alone.
    public var sampleRate: Double?
    /// The range of the sensor, in g; nil if the file does not state it.
    public var range: Double?
    /// How far the logger's clock is ahead of UTC, in seconds; nil if it counts from its start.
    public var utcOffset: Int?
    /// The source of that offset.
    public var utcOffsetEvidence: TraceLayout.Evidence
    /// How far the wearer's clock was ahead of UTC, in seconds, where the file states it.
    public var statedOffset: Int?
    /// The source of the unit: the format, or what lines of text show.
    public var unitEvidence = TraceLayout.Evidence.header
    /// The options that fix the reading; empty for a format that states all of it.
    package var options: [ParameterText.Parameter] = []
}

extension RecordingLayout: CustomStringConvertible {
    /// The layout in one line.
    public var description: String {
        var parts = [device]
        if let sampleRate { parts.append("\(sampleRate) Hz") }
        if let range { parts.append("±\(range) g") }
        guard let utcOffset else { return (parts + ["times since start"]).joined(separator: "; ") }
        let offset = utcOffset == 0 ? "" : Timestamp.offsetText(seconds: utcOffset)
        parts.append("clock at UTC\(offset) (\(utcOffsetEvidence.description))")
        return parts.joined(separator: "; ")
    }
}

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

    private func describe(_ column: Column) -> String { column.name.map { "'\($0)'" } ?? "column \(column.number)" }
}
