internal import FootfallAnswers
package import Foundation

/// `persons.csv`, `days.csv` and `columns.json` in a folder of results.
package struct SummaryTables {
    private let folder: URL
    private let rule: OutputRule
    private let persons: OutputTable
    private let days: OutputTable
    private let columns: [String]

    /// - Parameter allColumns: Whether `persons.csv` has all columns.
    package init(in folder: URL, allColumns: Bool, _ rule: OutputRule) throws(FileError) {
        (self.folder, self.rule, columns) = (folder, rule, TableDescription.personColumns(all: allColumns))
        try OutputTable.make(folder)
        persons = try OutputTable(.persons, columns: columns, in: folder, rule)
        days = try OutputTable(.days, in: folder, rule)
    }

    /// Writes the tables, and passes on the persons.
    package func write(_ summary: inout ResultSummary, _ body: (PersonRow) -> Void = { _ in }) throws {
        try summary.forEachPerson { person in
            persons.write(person.record(of: columns))
            for day in person.days { days.write(day.record) }
            body(person)
        }
        try days.finish()
        try persons.finish()
        try describe()
    }

    private func describe() throws(FileError) {
        let file = try OutputFile(
            folder.appending(path: "columns.json").relativePath, marker: "[{\"table\":", rule)
        var writer = RecordWriter(format: .json, columns: []) { file.add($0) }
        for record in TableDescription.results.flatMap(\.records) { writer.write(record) }
        writer.finish()
        try file.finish()
    }
}
