extension TableOpening {
    /// The fewest rows that show the direction of time, and the share of steps between them that go back.
    private static let (fewestRows, backward) = (16, 0.98)

    /// Whether the newest row is the first, as in exports of databases.
    ///
    /// A time runs backwards then: a column of date-times, one with the title of a time, or in a table without titles
    /// one whose numbers fall from row to row.
    func isNewestFirst(_ text: Span<UInt8>, _ names: [String]) -> Bool {
        guard rows.count >= Self.fewestRows, let first = rows.first, let last = rows.last else { return false }
        let titled = ColumnName.times(names.map(ColumnName.init))
        for column in 0..<min(64, first.fields.count, last.fields.count) {
            let isDate = Field.isDateOrTime(text, first.fields[column])
            guard isDate || names.isEmpty || titled.contains(column),
                let start = moment(text, first.fields[column]), let end = moment(text, last.fields[column])
            else { continue }
            if end > start, isDate || titled.contains(column) { return false }
            guard end < start else { continue }
            let moments = rows.compactMap { $0.fields.count > column ? moment(text, $0.fields[column]) : nil }
            let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }
            let falling = steps.count { isDate || titled.contains(column) ? $0 <= 0 : $0 < 0 }
            if Double(falling) >= Self.backward * Double(rows.count - 1), Set(moments).count >= 3 { return true }
        }
        return false
    }

    /// The number or the date-time in a field, on a scale of its own.
    private func moment(_ text: Span<UInt8>, _ field: Range<Int>) -> Double? {
        for order in [CivilDate.Order.dayFirst, .monthFirst] {
            guard let time = CivilTimeParser(order: order).read(text.extracting(field)) else { continue }
            guard time.date != nil else { return Double(time.nanosecondOfDay) }
            if let nanoseconds = time.nanoseconds { return Double(nanoseconds) }
        }
        return Field.number(text, field, dialect.decimalSeparator)
    }
}
