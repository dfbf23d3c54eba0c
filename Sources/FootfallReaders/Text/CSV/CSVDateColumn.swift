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

extension CSVTimeBase {
    /// Times in two columns: seconds since 1970, and the rest behind them in a smaller unit, such as `stamp.secs` and
    /// `stamp.nsecs`. Nil if no titles name such columns.
    static func split(
        _ text: Span<UInt8>, _ table: TableOpening, _ found: [CSVTimeBase], _ names: [ColumnName]
    ) -> CSVTimeBase? {
        for base in found {
            guard case .sinceEpoch(.seconds, _) = base.time, let column = base.column, column < names.count else {
                continue
            }
            for rest in names.indices where rest > column && names[rest].timeStem == names[column].timeStem {
                guard let unit = names[rest].timeUnit, unit != .seconds else { continue }
                let values = table.rows.compactMap { row in
                    row.fields.count > rest ? Field.number(text, row.fields[rest], table.dialect.decimalSeparator) : nil
                }
                guard Set(values).count > 1, values.allSatisfy({ (0..<1).contains($0 * unit.inSeconds) }) else {
                    continue
                }
                var split = base
                (split.dateColumn, split.column, split.time) = (column, rest, .sinceEpoch(unit, .header))
                return split
            }
        }
        return nil
    }
}
