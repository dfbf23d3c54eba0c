import Footfall
import FootfallMeasures
import FootfallReport
import FootfallTraces
import Foundation

/// The results of many traces, joined by person.
struct ResultSummary {
    private let traces: [(url: URL, name: String)]
    private let people: PersonTable?
    private let rules: DayRules
    /// Tables that cannot be used. Their traces are left out.
    private(set) var failures: [TraceError] = []

    /// Finds the traces of folders of results.
    ///
    /// - Parameters:
    ///   - people: Who wore the sensors; nil if each trace has a person of its own.
    ///   - rules: The rules of the measures of days. Without cut points, those of each analysis apply.
    /// - Throws: `FileError` for a folder without results.
    init(of folders: [URL], _ people: PersonTable?, by rules: DayRules) throws {
        (self.people, self.rules) = (people, rules)
        traces = try folders.flatMap(TraceResults.folders)
    }

    /// The files of all traces.
    var files: [String] { traces.flatMap { TraceResults.files(in: $0.url) } }

    /// The rows of `--persons` without a trace, and the traces without a row, as lines for the user.
    var remarks: [String] {
        guard let people else { return [] }
        let names = traces.map(\.name)
        let unknown = names.filter { people.person(of: $0) == nil }
        return people.missing(besides: names).map {
            "\(people.path):\($0.line): there are no results of \($0.trace), a trace of \($0.person); "
                + "analyze it with --tables, or remove the row"
        }
            + (unknown.isEmpty
                ? [] : ["\(people.path) has no row for \(unknown.joined(separator: ", ")); each is a person"])
    }

    /// Computes the persons one by one, in the order of `--persons` or of their names.
    mutating func forEachPerson(_ body: (PersonRow) throws -> Void) throws {
        let owned = Dictionary(grouping: traces) { people?.person(of: $0.name) ?? $0.name }
        let listed = people?.persons ?? []
        for person in listed + owned.keys.filter({ !listed.contains($0) }).sorted() {
            try body(row(of: person, owned[person] ?? []))
        }
    }

    /// A broken table costs its trace only.
    private mutating func row(of person: String, _ traces: [(url: URL, name: String)]) throws -> PersonRow {
        let all = traces.count
        var traces = traces
        while true {
            do {
                let results = try placed(traces.map { try TraceResults(in: $0.url, name: $0.name) })
                return PersonRow(
                    person, logs: results.count, unreadable: all - results.count, try days(of: person, results),
                    leastWear: rules.leastWear)
            } catch let error as TraceError {
                failures.append(error)
                let count = traces.count
                traces.removeAll { FilePath.folder(of: error.path) == $0.url.relativePath + "/" }
                guard traces.count < count else { throw error }
            }
        }
    }

    /// The pause between logs without a date, in seconds. Longer than any of a bout, and whole minutes, like the rows of tables.
    private static let pause = 60.0

    /// The traces at the times and in the zones that the table of persons states. Traces without a date follow each other.
    private func placed(_ traces: [TraceResults]) -> [TraceResults] {
        var next: Timestamp?
        for trace in traces {
            let row = people?.row(of: trace.name)
            if let start = row?.start, !trace.isDated {
                trace.move(to: start, in: row?.zone)
            } else {
                if let zone = row?.zone { trace.move(to: trace.range.lowerBound, in: zone) }
                guard !trace.isDated else { continue }
                if let next, next > trace.range.lowerBound {
                    let shift = (next.seconds(since: trace.range.lowerBound) / Self.pause).rounded(.up) * Self.pause
                    trace.move(to: trace.range.lowerBound.advanced(bySeconds: shift))
                }
                next = trace.range.upperBound.advanced(bySeconds: Self.pause)
            }
        }
        return traces
    }

    private func days(of person: String, _ traces: [TraceResults]) throws -> [DayRow] {
        let traces = traces.sorted { $0.range.lowerBound < $1.range.lowerBound }
        // Two sensors at once would count each step twice: the one that starts first counts.
        for (trace, next) in zip(traces, traces.dropFirst()) where next.range.lowerBound < trace.range.upperBound {
            Terminal.note(
                "footfall: \(trace.name) and \(next.name), of \(person), overlap in time; "
                    + "the overlap is left out of \(next.name)")
            next.start(at: trace.range.upperBound)
        }
        let zones = Dictionary(grouping: traces, by: \.timeZone)
        return try zones.flatMap { zone, traces in
            try Set(traces.flatMap(\.days)).sorted { $0.lowerBound < $1.lowerBound }.compactMap { day in
                try row(of: person, day, traces.filter { $0.range.overlaps(day) }, in: zone)
            }
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The row of a day; nil if other traces have all of it.
    private func row(
        of person: String, _ day: Range<Timestamp>, _ traces: [TraceResults], in zone: TimeZone
    ) throws -> DayRow? {
        guard let first = traces.first, let last = traces.last else { return nil }
        var rules = rules
        rules.cutPoints = rules.cutPoints ?? traces.lazy.compactMap(\.cutPoints).first
        let epochs = try traces.flatMap { try $0.epochs(of: day) }
        let intensity = DayIntensity(measures: IntensityMeasures(epochs: epochs, in: day), cutPoints: rules.cutPoints)
        let measures = DayMeasures(
            steps: try traces.flatMap { try $0.steps(of: day) },
            segments: try traces.flatMap { try $0.segments(of: day) }, in: day)
        let part = first.range.lowerBound..<max(first.range.lowerBound, last.range.upperBound)
        return DayRow(
            of: person, logs: traces.count, measures,
            epochs.isEmpty ? nil : Measure.ofIntensity.map { $0.value(intensity) },
            part.clamped(to: day), by: rules, in: zone)
    }
}
