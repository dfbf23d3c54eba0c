public import Foundation

/// The steps that another program or a watch reports for the recordings of a manifest, read from a CSV file.
///
/// Each row names its recording: in the column `recording` as `<dataset>/<name>`, or in `dataset` and `recording`. The
/// other columns decide what a row is:
///
/// - `steps` without `time`: the number of steps of the recording.
/// - `time` without `steps`: the time of one step, in seconds since 1970. A row with an empty time says that no step is
///   found.
/// - `time` and `steps`: the start of a second or minute, and its steps, which are added up.
///
/// A recording without a row has no result.
public struct CounterResults: Sendable {
    /// The name of the program: that of the file without its ending.
    public let name: String
    private let records: [String: StepRecord]

    /// Reads a file.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read, lacks a column, or has a value that is no number or
    ///   out of range, or steps without a time.
    public init(contentsOf url: URL) throws(EvaluationError) {
        name = url.deletingPathExtension().lastPathComponent
        let (recording, dataset, time, steps) = (0, 1, 2, 3)
        let table = try TruthTable(
            contentsOf: url, columns: ["recording"], optional: ["dataset", "time", "steps"], use: Self.remedy)
        let (hasTime, hasSteps) = (table.has(time), table.has(steps))
        guard hasTime || hasSteps else {
            throw EvaluationError(.malformed, url, "neither a column “time” nor “steps”. \(Self.remedy)")
        }
        var rows: [String: [(time: Double?, steps: Double?)]] = [:]
        while try table.next() {
            let name = table.text(recording)
            let id = table.has(dataset) ? "\(table.text(dataset))/\(name)" : name
            let row = (
                time: try Self.number(table.text(time), .time, of: id, in: url),
                steps: try Self.number(table.text(steps), .steps, of: id, in: url)
            )
            if hasTime, row.time == nil, let count = row.steps, count != 0 {
                throw EvaluationError(
                    .malformed, url,
                    "“\(table.text(steps))” steps of “\(id)” have no time. Leave out the column time, or fill it.")
            }
            rows[id, default: []].append(row)
        }
        var records: [String: StepRecord] = [:]
        for (id, rows) in rows {
            if hasTime, hasSteps {
                records[id] = StepRecord(adding: rows.compactMap { row in row.time.map { _ in row.steps ?? 0 } })
            } else if hasTime {
                records[id] = .times(rows.compactMap(\.time).sorted())
            } else {
                guard rows.count == 1, let count = rows[0].steps.flatMap({ Int(exactly: $0.rounded()) }) else {
                    let found = rows.count == 1 ? "an empty one" : "\(rows.count) rows"
                    throw EvaluationError(
                        .malformed, url, "“\(id)” needs exactly one row with its number of steps, and has \(found)")
                }
                records[id] = .count(count)
            }
        }
        self.records = records
    }

    private static let remedy =
        "Results are a CSV with the columns recording (<dataset>/<name>) and steps, time, or both."

    private enum Quantity: String {
        case time, steps

        /// No recording has a thousand million steps.
        var range: Range<Double> { self == .time ? -1e15..<1e15 : 0..<1e9 }
        var remedy: String { self == .time ? "Times are seconds since 1970." : "Steps are counted from 0." }
    }

    private static func number(
        _ text: String, _ quantity: Quantity, of id: String, in url: URL
    ) throws(EvaluationError) -> Double? {
        if text.isEmpty { return nil }
        guard let number = Double(text), quantity.range.contains(number) else {
            throw EvaluationError(
                .malformed, url, "“\(text)” of “\(id)” is no number of the column \(quantity). \(quantity.remedy)")
        }
        return number
    }

    /// The steps of a recording; nil if the file has no row of it.
    public func steps(of recording: Manifest.Recording) -> StepRecord? { records[recording.id] }

    /// The names of the recordings of the file that a manifest does not have, in order.
    public func unknown(in recordings: [Manifest.Recording]) -> [String] {
        Set(records.keys).subtracting(recordings.map(\.id)).sorted()
    }
}
