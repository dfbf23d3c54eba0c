internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallReaders
internal import Foundation

extension [PlacedLog] {
    /// The days of the person who wore the sensor of these logs. Each `days.csv` has its rows from here, so they agree.
    /// `night` is the night that the table of persons states; nil to find it in the samples. `rules` are the rules of
    /// the measures of days. `note` receives what is left out, as lines for the user.
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
        // A measure has one length of epochs: that of the first log.
        if let first = traces.first {
            for trace in traces where trace.epochLength != first.epochLength {
                trace.hasEpochs = false
                note(
                    "\(trace.name), of \(person), has epochs of \(trace.epochLength.rawValue) s, but \(first.name) of "
                        + "\(first.epochLength.rawValue) s; those of \(trace.name) are left out")
            }
        }
        var rows = [DayRow]()
        for (clock, traces) in Dictionary(grouping: traces, by: \.clock) {
            let days = try Set(traces.flatMap { try $0.days() }).sorted { $0.lowerBound < $1.lowerBound }
            var nights = night.map { Nights(at: $0, of: days, within: traces.map(\.range), by: clock) } ?? Nights()
            for (index, day) in days.enumerated() {
                if night == nil {
                    let next = days.dropFirst(index + 1).first { $0.lowerBound == day.upperBound }
                    try nights.find(around: day, before: next) { range in try traces.night(in: range) }
                }
                let worn = traces.filter { $0.range.overlaps(day) }
                if let row = try worn.row(of: person, day, nights, by: rules, clock) { rows.append(row) }
            }
        }
        rows.sort { $0.range.lowerBound < $1.range.lowerBound }
        rows.adjust()
        return rows
    }

    /// The night that the samples of a range show. At another placement, or at one that is not stated, the rule is not
    /// validated.
    private func night(in range: Range<Timestamp>) throws -> NightBlock {
        let recorded = filter { $0.range.overlaps(range) }
        guard recorded.allSatisfy({ $0.placement == NightBlock.placement }) else { return .unclear }
        var (epochs, steps): ([EpochMeasures], [Timestamp]) = ([], [])
        for trace in self {
            epochs += try trace.epochs(of: range)
            steps += try trace.steps(of: range).map(\.time)
        }
        return NightBlock(in: epochs, steps: steps)
    }

    /// The row of a day; nil if other traces have all of it.
    private func row(
        of person: String, _ day: Range<Timestamp>, _ nights: Nights, by rules: DayRules, _ clock: WallClock
    ) throws -> DayRow? {
        guard let first, let last else { return nil }
        let zone = clock.zone(at: day.middle)
        var rules = rules
        rules.cutPoints = rules.cutPoints ?? lazy.compactMap(\.cutPoints).first
        let steps = try flatMap { try $0.steps(of: day).map(\.time) }
        let segments = try flatMap { try $0.segments(of: day) }
        let epochs = try flatMap { try $0.epochs(of: day) }
        let sampled = first.range.lowerBound..<Swift.max(first.range.lowerBound, last.range.upperBound)
        func row(_ range: Range<Timestamp>) -> DayRow {
            DayRow(
                of: person, logs: count, DayMeasures(steps: steps, segments: segments, in: range),
                epochs.filter { range == day || range.contains($0.start) }, nights: nights.parts(of: range),
                night: nights.night(endingOn: day), calibrations: compactMap(\.calibration),
                placements: compactMap(\.placement), sampled.clamped(to: range), by: rules,
                epochLength: first.epochLength, in: zone)
        }
        var whole = row(day)
        // Without a date, the time since the first sample is no time of the clock.
        for part in rules.parts where whole.date != nil {
            guard let range = part.range(of: day, in: zone), sampled.overlaps(range) else { continue }
            whole.parts.append(DayPartRow(part: part, isOfValidDay: whole.isValid, row: row(range)))
        }
        return whole
    }
}

/// The nights between the noons of the days of a person.
struct Nights {
    /// The nights that are found, and the times between two noons in which the night is unclear.
    private var nights: [Range<Timestamp>] = []
    private var unclear: [Range<Timestamp>] = []
    /// The end of the time in which nights were looked for.
    private var searched: Timestamp?

    /// Creates nights that are found day by day.
    init() {}

    /// Finds the nights before and after a day. Days are passed in the order of time. `day` is the day, from midnight
    /// to midnight. `next` is the day after it, if that has samples too. `block` is the night of a range. Ranges are
    /// asked for in the order of time.
    mutating func find(
        around day: Range<Timestamp>, before next: Range<Timestamp>?,
        block: (Range<Timestamp>) throws -> NightBlock
    ) rethrows {
        // Clocks change at night, so noon is 12 h before midnight.
        let noon = day.upperBound.advanced(bySeconds: -43_200)
        if searched != noon { try add(day.lowerBound.advanced(bySeconds: -43_200)..<noon, block) }
        let nextNoon = next?.upperBound.advanced(bySeconds: -43_200) ?? day.upperBound.advanced(bySeconds: 43_200)
        try add(noon..<nextNoon, block)
        searched = nextNoon
    }

    /// Takes the nights at the same times of the clock, as far as they are recorded. `times` states when the person
    /// goes to bed and gets up. `days` are the days, from midnight to midnight. `recorded` are the ranges with samples.
    init(at times: NightTimes, of days: [Range<Timestamp>], within recorded: [Range<Timestamp>], by clock: WallClock) {
        // A night that ends on a day may start on the one before.
        let noons = days.flatMap { day in [-43_200, 43_200].map { day.lowerBound.advanced(bySeconds: $0) } }
        let all = Set(noons.compactMap { times.night(startingOnDayOf: $0, in: clock.zone(at: $0)) })
        nights = all.flatMap { night in recorded.filter { $0.overlaps(night) }.map { night.clamped(to: $0) } }
    }

    private mutating func add(
        _ range: Range<Timestamp>, _ block: (Range<Timestamp>) throws -> NightBlock
    ) rethrows {
        switch try block(range) {
        case .found(let night): nights.append(night)
        case .unclear: unclear.append(range)
        case .notRecorded: break
        }
    }

    /// The night whose middle is between the noon before a day and the noon of the day; nil without one. Of a night in
    /// several logs it is the time from the first part to the last one.
    func night(endingOn day: Range<Timestamp>) -> Range<Timestamp>? {
        let noons = [day.lowerBound, day.upperBound].map { $0.advanced(bySeconds: -43_200) }
        let parts = nights.filter { night in
            let middle = night.middle
            return noons[0] <= middle && middle < noons[1]
        }
        guard let start = parts.map(\.lowerBound).min(), let end = parts.map(\.upperBound).max() else { return nil }
        return start..<end
    }

    /// The parts of a day that are nights; nil if one of its nights is unclear.
    func parts(of day: Range<Timestamp>) -> [Range<Timestamp>]? {
        guard !unclear.contains(where: { $0.overlaps(day) }) else { return nil }
        return nights.filter { $0.overlaps(day) }.map { $0.clamped(to: day) }
    }
}
