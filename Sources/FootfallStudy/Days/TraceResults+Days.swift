internal import Footfall
internal import FootfallMeasures
internal import FootfallReaders
internal import Foundation

extension [TraceResults] {
    /// The days of the person who wore the sensor of these traces. Each `days.csv` has its rows from here, so they
    /// agree.
    ///
    /// - Parameters:
    ///   - person: The name.
    ///   - night: The night that the table of persons states; nil to find it in the samples.
    ///   - rules: The rules of the measures of days.
    ///   - note: Receives what is left out, as lines for the user.
    /// - Throws: `TraceError` for a broken table.
    func days(
        of person: String, night: NightTimes? = nil, by rules: DayRules, note: (String) -> Void
    ) throws -> [DayRow] {
        let traces = sorted { $0.range.lowerBound < $1.range.lowerBound }
        // Two sensors at once would count each step twice: the one that starts first counts.
        for (trace, next) in zip(traces, traces.dropFirst()) where next.range.lowerBound < trace.range.upperBound {
            note(
                "\(trace.name) and \(next.name), of \(person), overlap in time; "
                    + "the overlap is left out of \(next.name)")
            next.start(at: trace.range.upperBound)
        }
        let zones = Dictionary(grouping: traces, by: \.timeZone)
        var days = try zones.flatMap { zone, traces in
            let days = Set(traces.flatMap(\.days)).sorted { $0.lowerBound < $1.lowerBound }
            let ranges = traces.map(\.range)
            var nights = night.map { Nights(at: $0, of: days, within: ranges, in: zone) } ?? Nights()
            return try days.indices.compactMap { index in
                let day = days[index]
                if night == nil {
                    let next = days.dropFirst(index + 1).first { $0.lowerBound == day.upperBound }
                    try nights.find(around: day, before: next) { range throws(TraceError) in
                        var epochs: [EpochMeasures] = []
                        for trace in traces { epochs += try trace.epochs(of: range) }
                        return epochs
                    }
                }
                return try traces.filter { $0.range.overlaps(day) }
                    .row(of: person, day, nights, by: rules, in: zone)
            }
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
        days.adjust()
        return days
    }

    /// The row of a day; nil if other traces have all of it.
    private func row(
        of person: String, _ day: Range<Timestamp>, _ nights: Nights, by rules: DayRules,
        in zone: TimeZone
    ) throws -> DayRow? {
        guard let first, let last else { return nil }
        var rules = rules
        rules.cutPoints = rules.cutPoints ?? lazy.compactMap(\.cutPoints).first
        let measures = DayMeasures(
            steps: try flatMap { try $0.steps(of: day) }, segments: try flatMap { try $0.segments(of: day) }, in: day)
        let part = first.range.lowerBound..<Swift.max(first.range.lowerBound, last.range.upperBound)
        return DayRow(
            of: person, logs: count, measures, try flatMap { try $0.epochs(of: day) }, nights: nights.parts(of: day),
            calibrations: compactMap(\.calibration), part.clamped(to: day), by: rules, in: zone)
    }
}
