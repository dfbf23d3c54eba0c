internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// Who wore the sensor of each trace: a CSV table with the columns `trace` and `person`, and if needed `start`, `tz`
/// and `night`.
package struct PersonTable {
    package let path: String
    /// The persons in the order of the table, also those without a trace.
    package private(set) var persons: [String] = []
    /// The nights that are not used, as lines for the user.
    private(set) var remarks: [String] = []
    private var nights: [String: NightTimes] = [:]
    /// The row of each trace, by its name without extensions.
    private var rows: [String: Row] = [:]

    /// A row of the table.
    package struct Row {
        let person: String
        /// The start of a log without a date.
        let start: Timestamp?
        /// The wearer's clock; nil for that of the analysis.
        let clock: WallClock?
        fileprivate let line: Int
    }

    /// Reads a table. Throws `TraceError` for a file that cannot be read, and for a table with a missing person, or
    /// with two persons of one trace.
    package init(contentsOf path: String) throws {
        self.path = path
        let table: TableReader
        do {
            table = try TableReader(path, columns: ["trace", "person"], optional: ["start", "tz", "night"])
        } catch {
            var error = error
            if error.kind == .badData { error.remedy = "write a CSV table with the columns trace and person" }
            throw error
        }
        var known: Set<String> = []
        while try table.next() {
            let line = table.line
            let (trace, person) = (table.text(0), table.text(1))
            func invalid(_ problem: ParameterText, _ remedy: ParameterText) -> TraceError {
                TraceError(.badData, path: path, line: line, problem: problem, remedy: remedy)
            }
            guard !person.isEmpty else { throw invalid("the row of '\(trace)' has no person", "name the person") }
            if known.insert(person).inserted { persons.append(person) }
            state(night: table.text(4), of: person, line)
            guard !trace.isEmpty else { continue }
            let name = trace.traceStem
            if let other = rows[name], other.person != person {
                throw invalid(
                    "'\(trace)' is of \(person), but of \(other.person) in row \(other.line)", "remove one of them")
            }
            let (start, tz) = (table.text(2), table.text(3))
            let clock = WallClock(tz)
            guard tz.isEmpty || clock != nil else {
                throw invalid(
                    "tz is '\(tz)'",
                    "write a time zone, such as Europe/Berlin, or 'Europe/Berlin; 2026-07-03 14:00 Asia/Tokyo', "
                        + "or leave it empty")
            }
            let moment =
                start.isEmpty
                ? nil : (try? TimeExpression(start))?.supportedTime(in: clock?.zone(at: .epoch) ?? .gmt, now: Date())
            guard start.isEmpty || moment != nil else {
                throw invalid("start is '\(start)'", "write a time such as 2026-11-20 08:00, or leave it empty")
            }
            rows[name] = Row(person: person, start: moment, clock: clock, line: line)
        }
    }

    /// Notes the night of a person. One that cannot be read, or that differs from an earlier row, costs that value
    /// only.
    private mutating func state(night text: String, of person: String, _ line: Int) {
        guard !text.isEmpty else { return }
        func remark(_ problem: String, _ remedy: String) {
            remarks.append("\(path):\(line): night is '\(text)', \(problem); \(remedy)")
        }
        guard let night = NightTimes(text) else {
            return remark("which is not used", "write two times, such as 22:30-06:30, or leave it empty")
        }
        if let other = nights[person], other != night {
            return remark(
                "but an earlier row of \(person) has another, which is used", "write the same, or leave it empty")
        }
        nights[person] = night
    }

    /// The night that the table states of a person; nil if it is to be found in the samples.
    func night(of person: String) -> NightTimes? { nights[person] }

    /// The row of a trace; nil if the table has none.
    package func row(of trace: String) -> Row? { rows[trace] ?? rows[trace.traceStem] }

    /// The person of a trace; nil if the table has no row for it.
    package func person(of trace: String) -> String? { row(of: trace)?.person }

    /// The rows whose traces are not among these.
    package func missing(besides traces: [String]) -> [(trace: String, person: String, line: Int)] {
        let known = Set(traces.flatMap { [$0, $0.traceStem] })
        return rows.filter { !known.contains($0.key) }.map { ($0.key, $0.value.person, $0.value.line) }
            .sorted { $0.line < $1.line }
    }
}

extension String {
    /// The name of a trace without its extensions, such as `.csv.gz`. A name of dots alone, such as `...csv`, keeps its
    /// extension: a folder `..` would be that above.
    package var traceStem: String {
        var parts = split(separator: "/").map(String.init)
        guard let last = parts.popLast() else { return self }
        let name = last.hasSuffix(".gz") ? String(last.dropLast(3)) : last
        let end = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
        let stem = String(name[..<end])
        return (parts + [stem.allSatisfy { $0 == "." } ? last : stem]).joined(separator: "/")
    }
}
