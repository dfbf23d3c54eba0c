internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
package import FootfallReaders
package import Foundation

/// The results of many traces, joined by person.
package struct ResultSummary {
    private let traces: [(url: URL, name: String)]
    private let people: PersonTable?
    private let rules: DayRules
    /// Tables that cannot be used. Their traces are left out.
    package private(set) var failures: [TraceError] = []

    /// Finds the traces of folders of results.
    ///
    /// - Parameters:
    ///   - people: Who wore the sensors; nil if each trace has a person of its own.
    ///   - rules: The rules of the measures of days. Without cut points, those of each analysis apply.
    /// - Throws: `FileError` for a folder without results.
    package init(of folders: [URL], _ people: PersonTable?, by rules: DayRules) throws {
        (self.people, self.rules) = (people, rules)
        traces = try folders.flatMap(TraceResults.folders)
    }

    /// The files of all traces.
    package var files: [String] { traces.flatMap { TraceResults.files(in: $0.url) } }

    /// Lines for the user: the unused nights of the table of persons, its rows without a trace, and the
    /// traces without a row.
    package var remarks: [String] {
        guard let people else { return [] }
        let names = traces.map(\.name)
        let unknown = names.filter { people.person(of: $0) == nil }
        return people.remarks
            + people.missing(besides: names).map {
                "\(people.path):\($0.line): there are no results of \($0.trace), a trace of \($0.person); "
                    + "analyze it too, or remove the row"
            }
            + (unknown.isEmpty
                ? [] : ["\(people.path) has no row for \(unknown.joined(separator: ", ")); each is a person"])
    }

    /// Computes the persons one by one, in the order of the table of persons or of their names.
    package mutating func forEachPerson(_ body: (PersonRow) throws -> Void) throws {
        let owned = Dictionary(grouping: traces) { people?.person(of: $0.name) ?? $0.name }
        let listed = people?.persons ?? []
        for person in listed + owned.keys.filter({ !listed.contains($0) }).sorted() {
            try body(row(of: person, owned[person] ?? []))
        }
    }

    /// Opens the traces one by one, at the times and in the zones that the table of persons states. A broken table
    /// costs its trace only.
    package mutating func forEachTrace(_ body: (TraceResults) throws -> Void) throws {
        for trace in traces {
            do {
                try placed([TraceResults(in: trace.url, name: trace.name)]).forEach(body)
            } catch let error as TraceError {
                if !failures.contains(where: { $0.path == error.path }) { failures.append(error) }
            }
        }
    }

    /// A broken table costs its trace only.
    private mutating func row(of person: String, _ traces: [(url: URL, name: String)]) throws -> PersonRow {
        let all = traces.count
        var traces = traces
        while true {
            do {
                let results = try placed(traces.map { try TraceResults(in: $0.url, name: $0.name) })
                var remarks: [String] = []
                let night = people?.night(of: person)
                let days = try results.days(of: person, night: night, by: rules) { remarks.append($0) }
                return PersonRow(
                    person, logs: results.count, unreadable: all - results.count, days, leastWear: rules.leastWear,
                    remarks: remarks)
            } catch let error as TraceError {
                failures.append(error)
                let count = traces.count
                traces.removeAll { FilePath.folder(of: error.path) == $0.url.relativePath + "/" }
                guard traces.count < count else { throw error }
            }
        }
    }

    /// The pause between logs without a date, in seconds. Longer than any of a bout, and whole minutes, like the rows
    /// of tables.
    private static let pause = 60.0

    /// The traces at the times and in the zones that the table of persons states. Traces without a date follow each
    /// other.
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
}
