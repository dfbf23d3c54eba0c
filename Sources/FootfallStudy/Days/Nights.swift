internal import Footfall
internal import FootfallMeasures
internal import FootfallReaders
internal import Foundation

/// The nights between the noons of the days of a person.
struct Nights {
    /// The nights that are found, and the times between two noons in which the night is unclear.
    private var nights: [Range<Timestamp>] = []
    private var unclear: [Range<Timestamp>] = []
    /// The end of the time in which nights were looked for.
    private var searched: Timestamp?

    /// Creates nights that are found day by day.
    init() {}

    /// Finds the nights before and after a day. Days are passed in the order of time.
    ///
    /// - Parameters:
    ///   - day: The day, from midnight to midnight.
    ///   - next: The day after it, if that has samples too.
    ///   - epochs: The epochs of a range. Ranges are asked for in the order of time.
    mutating func find(
        around day: Range<Timestamp>, before next: Range<Timestamp>?,
        epochs: (Range<Timestamp>) throws(TraceError) -> [EpochMeasures]
    ) throws(TraceError) {
        // Clocks change at night, so noon is 12 h before midnight.
        let noon = day.upperBound.advanced(bySeconds: -43_200)
        if searched != noon { try add(day.lowerBound.advanced(bySeconds: -43_200)..<noon, epochs) }
        let nextNoon = next?.upperBound.advanced(bySeconds: -43_200) ?? day.upperBound.advanced(bySeconds: 43_200)
        try add(noon..<nextNoon, epochs)
        searched = nextNoon
    }

    /// Takes the nights at the same times of the clock, as far as they are recorded.
    ///
    /// - Parameters:
    ///   - times: When the person goes to bed and gets up.
    ///   - days: The days, from midnight to midnight.
    ///   - recorded: The ranges with samples.
    init(at times: NightTimes, of days: [Range<Timestamp>], within recorded: [Range<Timestamp>], in zone: TimeZone) {
        // A night that ends on a day may start on the one before.
        let noons = days.flatMap { day in [-43_200, 43_200].map { day.lowerBound.advanced(bySeconds: $0) } }
        let all = Set(noons.compactMap { times.night(startingOnDayOf: $0, in: zone) })
        nights = all.flatMap { night in recorded.filter { $0.overlaps(night) }.map { night.clamped(to: $0) } }
    }

    private mutating func add(
        _ range: Range<Timestamp>, _ epochs: (Range<Timestamp>) throws(TraceError) -> [EpochMeasures]
    ) throws(TraceError) {
        switch NightBlock(in: try epochs(range)) {
        case .found(let night): nights.append(night)
        case .unclear: unclear.append(range)
        case .notRecorded: break
        }
    }

    /// The parts of a day that are nights; nil if one of its nights is unclear.
    func parts(of day: Range<Timestamp>) -> [Range<Timestamp>]? {
        guard !unclear.contains(where: { $0.overlaps(day) }) else { return nil }
        return nights.filter { $0.overlaps(day) }.map { $0.clamped(to: day) }
    }
}
