internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallReaders
internal import FootfallTables
package import Foundation

/// The logs of study files, joined by person.
package struct ResultSummary {
    /// A log of a study file. There may be a hundred thousand, so the rest of it is read when it is needed.
    private struct Entry {
        let id: Int64
        /// The name of the log in the study file, which is the folder of its tables.
        let log: String
        /// The name among the logs of all folders.
        var name: String
        /// Why it cannot be read any more.
        let problem: String?
        /// The folder of the study file.
        let folder: URL
    }

    private let entries: [Entry]
    private let people: PersonTable?
    private let rules: DayRules
    /// The file that was read last.
    private var latest: (folder: URL, file: StudyFile)?
    /// Logs that cannot be read.
    package private(set) var failures: [FileError] = []
    /// The names that have their folder before them.
    private var shared: [String] = []
    /// The names of logs that look like copies of one recording, and count each.
    private var copies: [[String]] = []

    /// Reads the lists of logs in folders of results. A folder with several names is read once. Of logs with one name
    /// in several folders, each has its folder before its name, unless a row of `people` is for all of them. `people`
    /// wore the sensors; nil if each log has a person of its own. Rules without cut points have those of each analysis.
    /// Throws `FileError` for a folder without results.
    package init(of folders: [URL], _ people: PersonTable?, by rules: DayRules) throws(FileError) {
        (self.people, self.rules) = (people, rules)
        var entries: [Entry] = []
        var known: Set<String> = []
        let folders = folders.filter { known.insert($0.resolvingSymlinksInPath().standardizedFileURL.path).inserted }
        for folder in folders {
            let file = try StudyFile(in: folder)
            let logs = try file.folders()
            guard !logs.isEmpty else { throw StudyFile.missing(in: folder) }
            // Logs of a person that overlap count once, but those without a date follow each other.
            let end = people == nil ? Timestamp.supported.upperBound : .endOfUndated
            copies += try file.copies(before: end.nanosecondsSince1970).filter { people?.row(of: $0[0])?.start == nil }
            entries += logs.map {
                Entry(id: $0.id, log: $0.folder, name: $0.folder, problem: $0.problem, folder: folder)
            }
        }
        let counts = Dictionary(entries.map { ($0.log, 1) }, uniquingKeysWith: +)
        let isShort = Set(folders.map(\.lastPathComponent)).count == folders.count
        for index in entries.indices where counts[entries[index].log] != 1 {
            let (folder, log) = (entries[index].folder, entries[index].log)
            let name = "\(isShort ? folder.lastPathComponent : folder.relativePath)/\(log)"
            guard people?.person(of: log) == nil || people?.person(of: name) != nil else { continue }
            entries[index].name = name
            shared.append(name)
        }
        self.entries = entries
    }

    /// The tables of the logs that the joint tables must not replace.
    package var files: [String] {
        entries.map { $0.folder.appending(path: "\($0.log)/\(TableDescription.days.name)").relativePath }
    }

    /// Lines for the user: the copies of one recording, the unused nights of the table of persons, its rows without a
    /// log, and the logs without a row.
    package var remarks: [String] {
        let copies = copies.map {
            "\($0.joined(separator: ", ")) look like copies of one recording, and each counts; analyze only one of them into a "
                + "new folder"
        }
        guard let people else {
            guard !shared.isEmpty else { return copies }
            return copies + ["\(shared.joined(separator: ", ")): each is a person; --persons joins the logs of one"]
        }
        let names = entries.map(\.name)
        let unknown = names.filter { people.person(of: $0) == nil }
        return copies + people.remarks
            + people.missing(besides: names).map {
                "\(people.path):\($0.line): there are no results of \($0.trace), a trace of \($0.person); "
                    + "analyze it too, or remove the row"
            }
            + (unknown.isEmpty
                ? [] : ["\(people.path) has no row for \(unknown.joined(separator: ", ")); each is a person"])
    }

    /// Computes the persons one by one, in the order of the table of persons or of their names.
    package mutating func forEachPerson(_ body: (PersonRow) throws -> Void) throws {
        let owned = Dictionary(grouping: entries) { people?.person(of: $0.name) ?? $0.name }
        let listed = people?.persons ?? []
        for person in listed + Set(owned.keys).subtracting(listed).sorted() {
            try body(row(of: person, owned[person] ?? []))
        }
    }

    /// Passes on the logs one by one, at the times and in the zones that the table of persons states.
    package mutating func forEachLog(_ body: (PlacedLog) throws -> Void) throws {
        for entry in entries where entry.problem == nil {
            try placed([log(entry)].compactMap(\.self)).forEach(body)
        }
    }

    private mutating func log(_ entry: Entry) throws(FileError) -> PlacedLog? {
        let file = try file(in: entry.folder)
        return try file.log(entry.id).map { PlacedLog($0, named: entry.name, in: file) }
    }

    private mutating func file(in folder: URL) throws(FileError) -> StudyFile {
        if let latest, latest.folder == folder { return latest.file }
        let file = try StudyFile(in: folder)
        latest = (folder, file)
        return file
    }

    /// A file that cannot be read costs its logs only.
    private mutating func row(of person: String, _ entries: [Entry]) throws -> PersonRow {
        var remarks = entries.compactMap { entry in
            entry.problem.map { "\(entry.name), of \(person), cannot be read any more: \($0)" }
        }
        func row(_ days: [DayRow], logs: Int) -> PersonRow {
            PersonRow(
                person: person, logs: logs, unreadableLogs: entries.count - logs, days: days, remarks: remarks,
                leastWear: rules.leastWear)
        }
        do {
            let readable = entries.filter { $0.problem == nil }
            if readable.count == 1, let entry = readable.first, !(people?.moves(entry.name) ?? false) {
                var days = try ownDays(of: entry)
                for index in days.indices { days[index].person = person }
                return row(days, logs: 1)
            }
            let logs = try placed(readable.compactMap { try log($0) })
            let night = people?.night(of: person)
            return row(try logs.days(of: person, night: night, by: rules) { remarks.append($0) }, logs: logs.count)
        } catch let error as FileError {
            failures.append(error)
            return row([], logs: 0)
        }
    }

    /// The days of a log whose wearer is a person of its own. They are stored in its file if they are not there.
    private mutating func ownDays(of entry: Entry) throws -> [DayRow] {
        let file = try file(in: entry.folder)
        if let rows = try file.days(of: entry.id, by: rules.text) {
            return try JSONDecoder().decode([DayRow].self, from: rows)
        }
        let days = try [log(entry)].compactMap(\.self).days(of: entry.name, by: rules) { _ in }
        // A file that cannot be written can still be read.
        try? file.store(days.stored(), of: entry.id, by: rules.text)
        return days
    }

    /// The pause between logs without a date, in seconds: longer than any in a bout, and a whole minute, as the rows of
    /// tables are.
    private static let pause = 60.0

    /// The logs at the times and in the zones that the table of persons states. Logs without a date follow each other.
    private func placed(_ logs: [PlacedLog]) -> [PlacedLog] {
        var next: Timestamp?
        for log in logs {
            let row = people?.row(of: log.name)
            if let start = row?.start, !log.isDated {
                log.move(to: start, by: row?.clock)
            } else {
                if let clock = row?.clock { log.move(to: log.range.lowerBound, by: clock) }
                guard !log.isDated else { continue }
                if let next, next > log.range.lowerBound {
                    let shift = (next.seconds(since: log.range.lowerBound) / Self.pause).rounded(.up) * Self.pause
                    log.move(to: log.range.lowerBound.advanced(bySeconds: shift))
                }
                next = log.range.upperBound.advanced(bySeconds: Self.pause)
            }
        }
        return logs
    }
}

extension PersonTable {
    /// Whether the table gives a log another start, zone or night, and so other days.
    fileprivate func moves(_ log: String) -> Bool {
        guard let row = row(of: log) else { return false }
        return row.start != nil || row.clock != nil || night(of: row.person) != nil
    }
}

extension [DayRow] {
    /// The rows as a study file stores them.
    func stored() throws -> Data { try JSONEncoder().encode(self) }
}

extension DayRules {
    /// The rules as text: equal for equal rules.
    var text: String { "\(self)" }
}
