/// How a trace is read: what was decided before the first sample, and on what evidence.
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
        /// What came over a wire, as it was: MAVLink telemetry logs, x-IMU3 and WitMotion logs, dumps of serial lines.
        case wire = "raw log"
    }

    /// How something was decided.
    public enum Evidence: String, Sendable {
        /// The caller said so in ``TraceOptions``.
        case option = "option"
        /// The header or the preamble of the file says so.
        case header = "header"
        /// The values leave no other reading.
        case values = "values"
        /// Nothing tells; the most common is assumed.
        case assumption = "assumption"
    }

    /// What there was to decide.
    public enum Content: Hashable, Sendable {
        /// A table, which hardly says what it holds.
        case table(TableLayout)
        /// A recording in the format of a logger, which says most by itself.
        case recording(RecordingLayout)
    }

    /// The kind of file.
    public var format: Format
    /// Whether the file is compressed with gzip.
    public var isCompressed: Bool
    /// The path of the table or recording inside a ZIP archive; nil where the file is none, or the format itself is one.
    public var member: String?
    /// What there was to decide.
    public var content: Content

    /// How the columns are read, where the trace is a table.
    public var table: TableLayout? {
        guard case .table(let table) = content else { return nil }
        return table
    }

    /// What the logger says of itself, where the trace is a recording in its own format.
    public var recording: RecordingLayout? {
        guard case .recording(let recording) = content else { return nil }
        return recording
    }
}

extension TraceLayout {
    /// The layout of what a source holds.
    init(_ format: Format, of source: borrowing LineSource, _ content: Content) {
        self.init(format: format, isCompressed: source.isCompressed, member: source.member, content: content)
    }
}

extension TraceLayout: CustomStringConvertible {
    /// The layout in one line, for a person.
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

/// What a logger says of itself, and how its clock is read.
public struct RecordingLayout: Hashable, Sendable {
    /// The device, such as `AX3 39434`.
    public var device: String
    /// Samples per second as set; nil where the file does not say. Times never rely on it alone.
    public var sampleRate: Double?
    /// The largest acceleration the sensor was set to measure, in g; nil where the file does not say.
    public var range: Double?
    /// What the logger's clock is ahead of UTC, in seconds; nil where it only knows the time since its start.
    public var utcOffset: Int?
    /// How that was decided.
    public var utcOffsetEvidence: TraceLayout.Evidence
}

extension RecordingLayout: CustomStringConvertible {
    /// The layout in one line, for a person.
    public var description: String {
        var parts = [device]
        if let sampleRate { parts.append("\(sampleRate) Hz") }
        if let range { parts.append("±\(range) g") }
        guard let utcOffset else { return (parts + ["times since start"]).joined(separator: "; ") }
        let minutes = abs(utcOffset) / 60
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let offset = utcOffset == 0 ? "" : "\(utcOffset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
        parts.append("clock at UTC\(offset) (told by \(utcOffsetEvidence.rawValue))")
        return parts.joined(separator: "; ")
    }
}
