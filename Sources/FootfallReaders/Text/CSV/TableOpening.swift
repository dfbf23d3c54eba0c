internal import Footfall

/// The opening of a table: the lines above it, its header, its first rows.
struct TableOpening {
    /// The positions of the fields of a row.
    struct Row {
        var line: Int
        var fields: [Range<Int>]
    }

    private(set) var dialect: CSVDialect
    /// The lines above the table.
    private(set) var preamble: [CSVOpening.Line] = []
    /// The row of titles; nil when the table has none.
    private(set) var header: Row?
    /// The row of units below the titles, if any.
    private(set) var units: Row?
    /// The row above the titles, if it names the sensors of several columns each, as merged cells of a spreadsheet do.
    private(set) var groups: Row?
    /// The first rows of numbers.
    private(set) var rows: [Row] = []
    /// The position and the line number of the first row.
    private(set) var firstRowOffset: Int
    private(set) var firstRowLine: Int

    /// The start in seconds since 1970 and the rate in Hz, if the first two rows give them, as in `ACC.csv` of the
    /// Empatica E4.
    private(set) var empatica: (start: Double, rate: Double)?

    /// The most rows to examine.
    static let rowCount = 2000

    /// Finds the table in the opening of a file. Throws ``Refusal`` when no line has three numbers.
    init(_ text: Span<UInt8>, _ opening: CSVOpening) throws(Refusal) {
        let lines = opening.lines
        guard let dialect = TableOpening.dialect(text, lines) else { throw TableOpening.refusal(text, lines) }
        self.dialect = dialect
        self.dialect.lineEnd = opening.lineEnd
        var first: Int?
        for (index, line) in lines.enumerated() {
            let found = TableOpening.rows(text, line, dialect).filter { TableOpening.isData(text, $0.fields, dialect) }
            if first == nil, !found.isEmpty { first = index }
            rows += found
            if rows.count >= TableOpening.rowCount { break }
        }
        var start = first ?? 0
        if start == 0, let found = TableOpening.empatica(text, rows, dialect), lines.count > 2 {
            empatica = found
            rows.removeFirst(2)
            start = 2
        }
        firstRowOffset = lines[start].range.lowerBound
        firstRowLine = lines[start].number
        findHeader(text, lines[..<start])
    }

    /// The Empatica E4 repeats the start and the rate in each of the three columns.
    private static func empatica(
        _ text: Span<UInt8>, _ rows: [Row], _ dialect: CSVDialect
    ) -> (start: Double, rate: Double)? {
        func only(_ row: Row) -> Double? {
            let numbers = row.fields.map { Field.number(text, $0, dialect.decimalSeparator) }
            return numbers.count == 3 && Set(numbers).count == 1 ? numbers[0] : nil
        }
        guard rows.count > 2, let start = only(rows[0]), let rate = only(rows[1]),
            CSVTimeBase.epochSeconds.contains(start), (1...1000).contains(rate)
        else { return nil }
        return (start, rate)
    }

    /// Finds the titles: the line above the rows, if it has three words or more. Further up, a line must name x, y and
    /// z.
    private mutating func findHeader(_ text: Span<UInt8>, _ above: ArraySlice<CSVOpening.Line>) {
        preamble = Array(above)
        for (index, line) in zip(above.indices, above).reversed() {
            let fields = dialect.fields(text, line.range)
            let words = fields.count { !$0.isEmpty && !Field.isNumber(text, $0, dialect.decimalSeparator) }
            let isAdjacent = index + 1 == (units == nil ? above.endIndex : above.endIndex - 1)
            if isAdjacent, units == nil, fields.contains(where: { ColumnName.isUnit(text.string($0)) }),
                index > above.startIndex, CSVColumns.hasAxes(titles(text, above[index - 1]))
            {
                units = Row(line: line.number, fields: fields)
                continue
            }
            // Titles of columns that hold several numbers each name none of them.
            let isWide = fields.count * 2 > rows.first?.fields.count ?? 0
            let hasNumber = fields.contains { Field.isNumber(text, $0, dialect.decimalSeparator) }
            // A line of words before numbers between blanks may be a message.
            let isTimed = fields.contains { ColumnName(text.string($0)).timeRank != nil }
            guard words >= 3,
                isAdjacent && isWide && !hasNumber && (dialect.delimiter != ASCII.space || isTimed)
                    || CSVColumns.hasAxes(fields.map { text.string($0) })
            else { continue }
            header = Row(line: line.number, fields: fields)
            preamble = Array(above[..<index])
            if let last = preamble.last {
                let row = Row(line: last.number, fields: dialect.fields(text, last.range))
                let isOfSensors = row.fields.contains { SensorKind(title: text.string($0)) != nil }
                if row.fields.count == fields.count, isOfSensors { groups = row }
            }
            // The lines between the titles and the first valid row are bad rows and are counted.
            if !isAdjacent {
                firstRowOffset = above[index + 1].range.lowerBound
                firstRowLine = above[index + 1].number
            }
            return
        }
    }

    private func titles(_ text: Span<UInt8>, _ line: CSVOpening.Line) -> [String] {
        dialect.fields(text, line.range).map { text.string($0) }
    }

    /// Whether each row has one column more than titles, before the others: a time, or the names of rows that R writes.
    private func isFirstUntitled(_ text: Span<UInt8>, _ names: [String]) -> Bool {
        let rows = rows.prefix(200)
        guard !names.isEmpty, rows.allSatisfy({ $0.fields.count == names.count + 1 }) else { return false }
        let first = rows.compactMap { Field.number(text, $0.fields[0], dialect.decimalSeparator) }
        let steps = first.differences
        let hasTime = names.contains { ColumnName($0).timeRank != nil }
        // A separator at the end of each row is no column.
        return first.count == rows.count && steps.allSatisfy { hasTime ? $0 == 1 : $0 > 0 }
            && rows.contains { !($0.fields.last?.isEmpty ?? true) }
    }

    /// Whether commas divide most rows below fewer titles at decimals: each number is two cells, or a time such as
    /// `09:30:00,020`.
    func hasDividedDecimals(_ text: Span<UInt8>, under titles: Int) -> Bool {
        guard dialect.delimiter == ASCII.comma, titles >= 3 else { return false }
        let divided = rows.count { row in
            let cells = row.fields.filter { !$0.isEmpty }
            guard cells.count > titles else { return false }
            if cells.count >= 2 * titles - 1, !cells.contains(where: { $0.contains { text[$0] == ASCII.point } }) {
                return true
            }
            return zip(cells, cells.dropFirst()).contains { time, rest in
                time.count >= 5 && time.count { text[$0] == ASCII.colon } == 2
                    && time.suffix(2).allSatisfy { text[$0].isDigit } && [3, 6].contains(rest.count)
                    && rest.allSatisfy { text[$0].isDigit }
            }
        }
        return divided * 2 > rows.count
    }

    /// The titles of the columns with their units; empty when there are none.
    func names(_ text: Span<UInt8>) -> [String] {
        var names = header.map { $0.fields.map { text.string($0) } } ?? []
        if let mark = names.first?.first, "#%;".contains(mark) {
            names[0] = String(names[0].dropFirst().drop { $0 == " " })
            // The mark of a comment, or the word behind it, is no title: `# t x y z`, `;Headers, time, x, y, z`.
            // A separator at the end is a title without a column too.
            let width = rows.first?.fields.count ?? 0
            if names.count == width + 1, names.last?.isEmpty == false { names.removeFirst() }
        }
        // A separator of another kind between two titles is a slip.
        let parts = names.flatMap { $0.split(whereSeparator: { ",;\t".contains($0) }).map(\.trimmed) }
        if let width = rows.first?.fields.count, names.count < width, parts.count == width { names = parts }
        addGroups(text, &names)
        addTitleOfClock(text, &names)
        if isFirstUntitled(text, names) { names.insert("", at: 0) }
        for (index, unit) in (units?.fields ?? []).enumerated() where index < names.count {
            let unit = text.string(unit).filter { !"()[]".contains($0) }
            if !unit.isEmpty { names[index] += " (\(unit))" }
        }
        return names
    }

    /// Adds the name of the sensor to titles that occur twice, such as `x` of two sensors.
    private func addGroups(_ text: Span<UInt8>, _ names: inout [String]) {
        guard let groups, groups.fields.count == names.count else { return }
        let titles = names
        var group = ""
        for (index, field) in groups.fields.enumerated() {
            if !field.isEmpty { group = text.string(field) }
            if titles.count(where: { $0 == titles[index] }) > 1 { names[index] = group + " " + names[index] }
        }
    }

    /// Adds a title for the times of day in a table whose columns are separated by blanks. A date and a time without
    /// quotes are two columns there, but have one title. R and pandas write another column or no title before them.
    private func addTitleOfClock(_ text: Span<UInt8>, _ names: inout [String]) {
        guard dialect.delimiter == ASCII.space, let fields = rows.first?.fields, !names.isEmpty,
            (1...2).contains(fields.count - names.count),
            let date = fields.indices.dropLast().first(where: { column in
                CivilTimeParser(order: .monthFirst).readDate(text.extracting(fields[column])) != nil
                    && Field.isDateOrTime(text, fields[column + 1])
            })
        else { return }
        let title = date - (fields.count - names.count - 1)
        if title < 0 {
            names.insert(contentsOf: ["", "time"], at: 0)
        } else if title == 0 || !names[title - 1].lowercased().contains("date") {
            names.insert(names[title], at: title)
        }
    }

    private static func rows(_ text: Span<UInt8>, _ line: CSVOpening.Line, _ dialect: CSVDialect) -> [Row] {
        dialect.rows(text, line.range).map { Row(line: line.number, fields: dialect.fields(text, $0)) }
    }

    /// Whether at least three fields are numbers.
    private static func isData(_ text: Span<UInt8>, _ fields: [Range<Int>], _ dialect: CSVDialect) -> Bool {
        var numbers = 0
        for field in fields where Field.isNumber(text, field, dialect.decimalSeparator) {
            numbers += 1
            if numbers == 3 { return true }
        }
        return false
    }

    /// The dialect in which most of the first lines are rows of numbers; nil when none are.
    private static func dialect(_ text: Span<UInt8>, _ lines: [CSVOpening.Line]) -> CSVDialect? {
        var best: (dialect: CSVDialect, rows: Int, share: Double)?
        for dialect in CSVDialect.known {
            var (rowCount, fieldCount, known) = (0, 0, 0)
            for line in lines.prefix(400) {
                for row in rows(text, line, dialect) where isData(text, row.fields, dialect) {
                    rowCount += 1
                    let cells = row.fields.filter { !$0.isEmpty }
                    fieldCount += cells.count
                    known += cells.count {
                        Field.isNumber(text, $0, dialect.decimalSeparator) || Field.isDateOrTime(text, $0)
                    }
                }
            }
            guard rowCount > 0 else { continue }
            let share = Double(known) / Double(fieldCount)
            if best.map({ (rowCount, share) > ($0.rows, $0.share) }) ?? true { best = (dialect, rowCount, share) }
        }
        return best?.dialect
    }

    /// The reason why a text without rows of numbers is refused.
    private static func refusal(_ text: Span<UInt8>, _ lines: [CSVOpening.Line]) -> Refusal {
        let first = lines.first.map { text.string($0.range).lowercased() } ?? ""
        if first.contains("acceleration (mg) -") { return EpochSummary.biobankRefusal }
        if EpochSummary.isNamed(in: first) { return EpochSummary.refusal }
        if lines.count == 1, first.split(whereSeparator: { ",;\t".contains($0) }).count >= 3 {
            return Refusal("a header and no rows below it", remedy: Refusal.expectation)
        }
        let axes = ["x", "y", "z"]
        let named = lines.prefix(16).flatMap { line in
            text.string(line.range).lowercased().split { ",;\t ".contains($0) }.filter { axes.contains(String($0)) }
        }
        let isInTurn = axes.allSatisfy { axis in named.contains { $0 == axis } }
        if named.count > axes.count, isInTurn || Set(named).count == 1, let row = lines.dropFirst().first {
            let marks: [Character] = [",", ";", "\t"]
            let mark = marks.first { text.string(row.range).contains($0) } ?? " "
            let cells = text.string(row.range).split(separator: mark, omittingEmptySubsequences: false)
            let titles = first.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
            let time = ColumnName.times(titles.map { ColumnName($0) }).first ?? 0
            let isNumber = cells.indices.contains(time) && Double(cells[time]) != nil
            let key = "-k\(time + 1),\(time + 1)" + (isNumber ? " -g" : "")
            let sort = "sort -s -t '\(mark)' \(key)"
            return Refusal(
                "each row has one axis",
                remedy: "sort the rows by their times, such as with "
                    + "{ head -n 1 LOG; tail -n +2 LOG | \(sort); } > sorted.csv")
        }
        return Refusal("no line has three numbers in it", remedy: Refusal.expectation)
    }
}

extension TableOpening {
    /// The largest number of columns of a row.
    var width: Int { rows.map(\.fields.count).max() ?? 0 }

    /// The finite numbers in a column.
    func numbers(_ text: Span<UInt8>, _ column: Int) -> [Double] {
        rows.compactMap { $0.number(text, column, dialect) }
    }
}

extension TableOpening.Row {
    /// The field in a column; nil if the row ends before it.
    subscript(column: Int) -> Range<Int>? { fields.count > column ? fields[column] : nil }

    /// The finite number in a column; nil if there is none.
    func number(_ text: Span<UInt8>, _ column: Int, _ dialect: CSVDialect) -> Double? {
        self[column].flatMap { Field.number(text, $0, dialect.decimalSeparator) }
    }

    /// The vector in three columns; nil if a number is missing.
    func vector(_ text: Span<UInt8>, _ columns: [Int], _ dialect: CSVDialect) -> SIMD3<Float>? {
        let values = columns.compactMap { number(text, $0, dialect) }
        guard values.count == 3 else { return nil }
        let vector = SIMD3(Float(values[0]), Float(values[1]), Float(values[2]))
        return vector.lengthSquared.isFinite ? vector : nil
    }
}

/// Tests and conversions of a field of a table.
enum Field {
    static func isNumber(_ text: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8) -> Bool {
        DecimalNumber(text, range, separator: separator) != nil
    }

    /// The number in the field, if it is finite.
    static func number(_ text: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8) -> Double? {
        decimal(text, range, separator)?.double
    }

    /// The number in the field as written, if it is finite.
    static func decimal(_ text: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8) -> DecimalNumber? {
        guard let number = DecimalNumber(text, range, separator: separator), number.double.isFinite else { return nil }
        return number
    }

    /// The order of day and month does not matter here.
    static func isDateOrTime(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        CivilTimeParser(order: .monthFirst).read(text.extracting(range)) != nil
    }

    static func isDateTime(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        [CivilDate.Order.monthFirst, .dayFirst].contains { order in
            CivilTimeParser(order: order).read(text.extracting(range))?.date?.isPossible ?? false
        }
    }
}

/// Files of sums or means over epochs of seconds, as exported by the software of wearables. They contain no steps.
enum EpochSummary {
    static let actiGraphRefusal = Refusal(
        "an ActiGraph table of counts over epochs, not raw samples",
        remedy: "export the raw data in ActiLife, or name the .gt3x file")
    static let biobankRefusal = Refusal(
        "a UK Biobank table of mean acceleration over epochs, not raw samples",
        remedy: "name the .cwa file it was made from")
    static let refusal = Refusal(
        "summaries over epochs of seconds (counts, ENMO), not raw samples", remedy: "export the raw acceleration")

    static let featureRefusal = Refusal(
        "a table of features (means, deviations, energies), not raw samples", remedy: "name the log of raw acceleration"
    )

    /// Whether a header in lower case names such summaries.
    static func isNamed(in header: String) -> Bool {
        ["acceleration (mg) -", "samplerate =", "enmo", "axis1", "vector magnitude", "counts"]
            .contains { header.contains($0) }
    }
}
