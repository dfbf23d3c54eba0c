extension CSVTimeBase {
    /// Finds the column of dates before a column of times of day.
    mutating func findDate(_ text: Span<UInt8>, _ table: TableOpening, zone: String) {
        guard case .timeOfDay = time, let column else { return }
        let rows = table.rows.prefix(500).filter { $0.fields.count > column }
        for candidate in (0..<column).reversed() {
            // A date that does not begin with the year is ambiguous, unless one of its numbers is beyond 12.
            var orders = [order]
            if !CSVTimeBase.areDates(text, rows, candidate, order) {
                orders = [.monthFirst, .dayFirst].filter { CSVTimeBase.areDates(text, rows, candidate, $0) }
            }
            hasAmbiguousDates = orders.count > 1
            guard orders.count == 1 else { continue }
            dateColumn = candidate
            order = orders[0]
            let clock = rows.compactMap { CivilTimeParser().read(text.extracting($0.fields[column])) }.first
            setDateTime(clock?.offsetSeconds, zone)
            return
        }
    }

    /// Whether most rows have a date in this column.
    private static func areDates(
        _ text: Span<UInt8>, _ rows: [TableOpening.Row], _ column: Int, _ order: CivilDate.Order?
    ) -> Bool {
        let parser = CivilTimeParser(order: order)
        let count = rows.count { row in
            parser.readDate(text.extracting(row.fields[column]))?.isPossible ?? false
        }
        return count * 2 > rows.count
    }
}
