internal import FootfallTables
package import Foundation

/// `persons.csv`, `days.csv`, `dayparts.csv` and `columns.json` in a folder of results, and the tables under the names
/// of other programs.
package struct SummaryTables {
    private let folder: URL
    private let rule: OutputRule
    private let persons: OutputTable
    private let days: OutputTable
    private let dayParts: OutputTable
    private let columns: [String]
    private var named: [(days: OutputTable, persons: OutputTable, program: NamingProgram)] = []

    /// `allColumns` states whether `persons.csv` has all columns. `programs` are those whose names additional tables
    /// have.
    package init(
        in folder: URL, allColumns: Bool, names programs: [NamingProgram] = [], _ rule: OutputRule
    ) throws(FileError) {
        (self.folder, self.rule, columns) = (folder, rule, TableDescription.personColumns(all: allColumns))
        try OutputTable.make(folder)
        persons = try OutputTable(.persons, columns: columns, in: folder, rule)
        days = try OutputTable(.days, in: folder, rule)
        dayParts = try OutputTable(.dayParts, in: folder, rule)
        for program in programs {
            let days = try OutputTable(.days(named: program), in: folder, rule)
            named.append((days, try OutputTable(.persons(named: program), in: folder, rule), program))
        }
    }

    /// Writes the tables, and calls `body` with each person.
    package func write(_ summary: inout ResultSummary, _ body: (PersonRow) -> Void = { _ in }) throws {
        try summary.forEachPerson { person in
            persons.write(person.record(of: columns))
            for day in person.days {
                days.write(day.record)
                for part in day.parts { dayParts.write(DayPartRow.table.record(of: part)) }
            }
            writeNamed(person)
            body(person)
        }
        for table in [days, dayParts, persons] + named.flatMap({ [$0.days, $0.persons] }) { try table.finish() }
        try writeColumns()
    }

    private func writeNamed(_ person: PersonRow) {
        for (days, persons, program) in named {
            for day in person.days {
                days.write(NamedColumn.record(NamedColumn.days(of: program), of: day.record, isWhole: day.isWhole))
            }
            let columns = NamedColumn.persons(of: program)
            persons.write(
                NamedColumn.record(
                    columns, of: person.record(of: columns.map(\.column)), isWhole: person.days.allSatisfy(\.isValid)))
        }
    }

    private func writeColumns() throws(FileError) {
        let file = try OutputFile(folder.appending(path: "columns.json").relativePath, marker: "[{\"table\":", rule)
        var writer = RecordWriter(format: .json, columns: []) { file.add($0) }
        for entry in TableDescription.results.flatMap(\.entries) {
            writer.write(DictionaryEntry.table.record(of: entry))
        }
        writer.finish()
        try file.finish()
    }
}
