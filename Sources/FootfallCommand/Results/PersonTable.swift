import FootfallReport
import FootfallTraces
import Foundation

/// Who wore the sensor of each trace: a CSV table with the columns `trace` and `person`.
struct PersonTable {
    let path: String
    /// The persons in the order of the table, also those without a trace.
    private(set) var persons: [String] = []
    /// The person of each trace, by its name without extensions, and the row in the table.
    private var owners: [String: (person: String, line: Int)] = [:]

    /// Reads a table.
    ///
    /// - Throws: `TraceError` for a file that cannot be read, and for a table with a missing person, or with two persons of one trace.
    init(contentsOf path: String) throws {
        self.path = path
        let table: TableReader
        do {
            table = try TableReader(path, columns: ["trace", "person"])
        } catch {
            var error = error
            if error.kind == .badData { error.remedy = "write a CSV table with the columns trace and person" }
            throw error
        }
        var line = 1
        while try table.next() {
            line += 1
            let (trace, person) = (table.text(0), table.text(1))
            func invalid(_ problem: String, _ remedy: String) -> TraceError {
                TraceError(.badData, path: path, line: line, problem: problem, remedy: remedy)
            }
            guard !person.isEmpty else { throw invalid("the row of '\(trace)' has no person", "name the person") }
            if !persons.contains(person) { persons.append(person) }
            guard !trace.isEmpty else { continue }
            let name = trace.traceStem
            if let other = owners[name], other.person != person {
                throw invalid(
                    "'\(trace)' is of \(person), but of \(other.person) in row \(other.line)", "remove one of them")
            }
            owners[name] = (person, line)
        }
    }

    /// The person of a trace; nil if the table has no row for it.
    func person(of trace: String) -> String? {
        (owners[trace] ?? owners[trace.traceStem])?.person
    }

    /// The rows whose traces are not among these.
    func missing(besides traces: [String]) -> [(trace: String, person: String, line: Int)] {
        let known = Set(traces.flatMap { [$0, $0.traceStem] })
        return owners.filter { !known.contains($0.key) }.map { ($0.key, $0.value.person, $0.value.line) }
            .sorted { $0.line < $1.line }
    }
}

extension String {
    /// The name of a trace without its extensions, such as `.csv.gz`.
    var traceStem: String {
        var parts = split(separator: "/").map(String.init)
        guard let last = parts.popLast() else { return self }
        let stem = last.hasSuffix(".gz") ? String(last.dropLast(3)) : last
        let end = stem.lastIndex(of: ".").flatMap { $0 > stem.startIndex ? $0 : nil } ?? stem.endIndex
        return (parts + [String(stem[..<end])]).joined(separator: "/")
    }
}
