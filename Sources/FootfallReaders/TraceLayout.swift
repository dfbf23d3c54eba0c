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

extension TraceLayout {
    init(_ format: Format, of source: borrowing LineSource, _ content: Content) {
        self.init(format: format, isCompressed: source.isCompressed, member: source.member, content: content)
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
