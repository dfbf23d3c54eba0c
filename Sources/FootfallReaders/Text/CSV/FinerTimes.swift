internal import Footfall

extension CSVTimeBase {
    /// Takes the times from a finer column that agrees with this one, such as milliseconds since the start beside dates
    /// in whole seconds. The finer times then count from the moment that the coarser ones give.
    ///
    /// - Parameters:
    ///   - found: The time bases of columns with titles.
    ///   - columns: All columns that may hold times.
    mutating func refine(
        _ text: Span<UInt8>, _ table: TableOpening, _ found: [CSVTimeBase], _ columns: [Int], _ zone: LocalZone
    ) {
        let separator = table.dialect.decimalSeparator
        let rows = table.rows[...]
        let clock = RowClock(self, separator: separator, start: .epoch, zone: zone)
        let coarse = clock.times(text, rows, self)
        let distinct = Set(coarse.compactMap(\.self)).count
        guard let own = column, distinct >= 2, distinct * 2 <= rows.count else { return }
        for column in columns where column != own && column != dateColumn {
            let numbers = rows.map { row in
                row.fields.count > column ? Field.number(text, row.fields[column], separator) : nil
            }
            guard Set(numbers.compactMap(\.self)).count >= distinct * 2 else { continue }
            let starts = TimeUnit.allCases.map { (unit: $0, first: CSVTimeBase.start(coarse, numbers, $0)) }
                .filter { $0.first != nil }
            let known = numbers.compactMap(\.self)
            let likeliest = TimeUnit.likeliest(step: ((known.last ?? 0) - known[0]) / Double(known.count))
            guard let (unit, first) = starts.count == 1 ? starts[0] : starts.first(where: { $0.unit == likeliest })
            else { continue }
            if let absolute = found.first(where: { $0.column == column && $0.isAbsolute }) {
                self = absolute
            } else {
                start = isAbsolute ? first : nil
                self.column = column
                dateColumn = nil
                time = .sinceStart(unit, .values)
            }
            coarser = own
            return
        }
    }

    /// The moment of the first row, if numbers in a unit agree with the coarse times; nil otherwise.
    ///
    /// Coarse times are cut to the last second or minute, so they lag behind by less than that.
    private static func start(_ coarse: [Timestamp?], _ numbers: [Double?], _ unit: TimeUnit) -> Timestamp? {
        let both = zip(coarse, numbers).compactMap { time, number in
            time.flatMap { time in number.map { (time: time, number: $0) } }
        }
        guard let first = both.first, both.count * 10 >= coarse.count * 9 else { return nil }
        let steps = zip(both.dropFirst(), both).map { $0.time.seconds(since: $1.time) }.filter { $0 > 0 }
        let leads = both.map { $0.time.seconds(since: first.time) - ($0.number - first.number) * unit.inSeconds }
        guard let least = leads.min(), let most = leads.max(), let step = steps.min(), step <= 60,
            most - least <= step * 1.02
        else { return nil }
        return first.time.advanced(bySeconds: most)
    }
}
