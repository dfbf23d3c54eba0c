/// A problem with rows or records of a trace: its kind, count and first place.
public struct TraceWarning: Hashable, Sendable {
    /// The kind of problem.
    public enum Kind: String, CaseIterable, Sendable {
        /// Rows dropped: a value is no number.
        case notANumber = "not a number"
        /// Rows dropped: a value is NaN or infinite.
        case notFinite = "NaN or infinite"
        /// Rows dropped: the row ends before the last column that is needed.
        case tooFewFields = "too few fields"
        /// Rows dropped: the time cannot be read.
        case unreadableTime = "unreadable time"
        /// Rows dropped: the time lies outside `Timestamp.supported`.
        case timeOutOfRange = "time out of range"
        /// Rows dropped: the acceleration is above 1000 g.
        case implausibleAcceleration = "more than 1000 g"
        /// Rows dropped: the line is longer than 64 KiB.
        case lineTooLong = "line longer than 64 KiB"
        /// Rows dropped: the first rows of the file belong to an earlier recording.
        case staleTime = "time far from that of the rows that follow"
        /// Rows dropped: the separate table of gravity has no row for their time.
        case gravityMissing = "no gravity beside them"
        /// Records dropped: the checksum or a field is wrong.
        case damaged = "damaged"
        /// Lines of a program that hold no sample: messages, and damaged lines.
        case foreignLine
        /// Bytes between records.
        case strayBytes
        /// Rows whose time is before that of the row above. They are returned.
        case timeStepsBack
        /// The clock continues where local time changes, in spring or in autumn. The times that follow have the offset
        /// before the change.
        case clockNotSet
        /// The file ends in the middle of a record. All whole samples were read.
        case cutShort
        /// The compressed data end early. Everything before the end was read.
        case compressionCutShort
        /// The compressed data are damaged. Everything before the damage was read.
        case compressionDamaged
        /// Bytes behind the compressed data, which were ignored.
        case bytesAfterCompression
    }

    /// A place in a file.
    public enum Place: Hashable, Sendable {
        /// A line of a text, counted from 1.
        case line(Int)
        /// A byte of the data, decompressed, counted from 0.
        case byte(Int)
    }

    /// The kind of problem.
    public var kind: Kind
    /// The number of rows of a table, or of records of a recording; 1 for a problem of the whole file.
    public var count: Int
    /// The start of the first of them; nil for a problem of the whole file.
    public var first: Place?
}

extension TraceWarning: CustomStringConvertible {
    /// The warning in one line, such as `3 rows dropped: not a number (first at line 812)`.
    public var description: String {
        var (place, noun) = ("", kind == .damaged ? "record" : "row")
        switch first {
        case .line(let line): place = " (first at line \(line))"
        case .byte(let byte): (place, noun) = (" (first at byte \(byte))", "record")
        case .none: break
        }
        let rows = count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        switch kind {
        case .timeStepsBack: return "\(rows) \(count == 1 ? "steps" : "step") back in time\(place)"
        case .clockNotSet:
            return
                "the clock was not set when local time changed\(place); later times have the offset before the change"
        case .foreignLine: return "\(count == 1 ? "1 line holds" : "\(count) lines hold") no sample"
        case .strayBytes: return "\(count == 1 ? "1 byte belongs" : "\(count) bytes belong") to no record"
        case .cutShort: return "the file ends in the middle of a record; what is whole of it was read"
        case .compressionCutShort: return "the compressed data end early; what could be read was read"
        case .compressionDamaged: return "the compressed data are damaged; nothing behind the damage could be read"
        case .bytesAfterCompression: return "bytes after the compressed data were ignored"
        default: return "\(rows) dropped: \(kind.rawValue)\(place)"
        }
    }
}

extension TraceWarning {
    /// The number of dropped rows of a table; 0 for another problem.
    public var droppedRows: Int {
        switch kind {
        case .notANumber, .notFinite, .tooFewFields, .unreadableTime, .timeOutOfRange, .implausibleAcceleration,
            .lineTooLong, .staleTime, .gravityMissing:
            count
        case .damaged, .foreignLine, .strayBytes, .timeStepsBack, .clockNotSet, .cutShort, .compressionCutShort,
            .compressionDamaged, .bytesAfterCompression:
            0
        }
    }
}

extension Sequence<TraceWarning> {
    /// The warnings as lines. If rows are dropped for several reasons, they are one line:
    /// `5 rows dropped: 3 not a number, 2 too few fields (first at line 812)`.
    package var lines: [String] {
        let dropped = filter { $0.droppedRows > 0 }
        guard dropped.count > 1 else { return map(\.description) }
        let first = dropped.compactMap { if case .line(let line) = $0.first { line } else { nil } }.min()
        let reasons = dropped.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
        return [
            "\(dropped.reduce(0) { $0 + $1.count }) rows dropped: \(reasons)"
                + (first.map { " (first at line \($0))" } ?? "")
        ]
            + filter { $0.droppedRows == 0 }.map(\.description)
    }
}

/// Counts the problems of a trace by kind.
struct WarningCounts: Sendable {
    private var findings: [TraceWarning.Kind: TraceWarning] = [:]

    mutating func note(_ kind: TraceWarning.Kind, _ place: TraceWarning.Place?) {
        findings[kind, default: TraceWarning(kind: kind, count: 0, first: place)].count += 1
    }

    /// The warnings, in the order of their kinds.
    var warnings: [TraceWarning] { TraceWarning.Kind.allCases.compactMap { findings[$0] } }
}
