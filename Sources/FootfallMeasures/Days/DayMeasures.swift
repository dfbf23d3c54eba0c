public import Footfall
internal import FootfallTables
public import Foundation

/// The measures of one day of one person that follow from steps and segments.
///
/// They need no samples, so a history gives them as well as a trace:
///
/// ```swift
/// let day = DayMeasures(steps: steps, segments: segments, in: range)
/// print(day.steps, day.wear / 3600, "h of wear", day.isValid() ? "valid" : "not valid")
/// print(day.cadence.peakCadence(minutes: 30) ?? .nan, "steps/min")
/// ```
public struct DayMeasures: Hashable, Sendable {
    /// The wear in seconds of a valid day, by default: 10 h.
    ///
    /// R. P. Troiano et al., Physical activity in the United States measured by accelerometer, Medicine & Science in
    /// Sports & Exercise 40(1), 2008.
    public static let leastWear = 36_000.0

    /// The time range of the day.
    public let range: Range<Timestamp>
    /// The time that samples cover, in seconds.
    public let coverage: Double
    /// The time of each activity, in seconds. They add up to ``coverage`` where segments do not overlap.
    public let durations: [Activity: Double]
    /// The measures of cadence. Minutes count by their wear, so non-wear is not in the band of cadence 0.
    public let cadence: CadenceMeasures
    /// The minutes of the day, from its start; nil if ``AdjustedTotals/leastMinuteWear`` is not reached.
    public let minutes: [DayMinute?]

    /// Computes the measures of a day.
    ///
    /// - Parameters:
    ///   - steps: The times of the steps, in any order. Those outside the range do not count.
    ///   - segments: The segments, in any order. They may reach beyond the range. Those with the reason
    ///     `UnknownReason.notWorn` are covered, but not worn.
    ///   - range: From midnight to midnight in the zone of the wearer.
    /// - Complexity: O(*n* log *n*) in the number of steps and of segments, and linear in the covered minutes.
    public init(steps: some Sequence<Timestamp>, segments: some Sequence<Segment>, in range: Range<Timestamp>) {
        self.range = range
        let parts = segments.filter { $0.range.overlaps(range) }.map { ($0, $0.range.clamped(to: range)) }
        coverage = parts.map(\.1).union().reduce(0) { $0 + $1.seconds }
        durations = parts.reduce(into: [:]) { $0[$1.0.activity, default: 0] += $1.1.seconds }
        let worn = parts.filter { $0.0.reason != .notWorn }.map(\.1).union()
        cadence = CadenceMeasures(steps: steps, covered: worn, in: range)
        let walks = parts.filter { [.walking, .running].contains($0.0.activity) }.map(\.1)
        minutes = Self.minutes(of: range, worn.secondsByMinute(), cadence.stepTimes, walks.secondsByMinute())
    }

    /// The number of steps.
    public var steps: Int { cadence.steps }

    /// The time that samples cover and in which the sensor was worn, in seconds.
    public var wear: Double { cadence.coverage }

    /// Whether the day is valid: it has at least this wear, in seconds.
    public func isValid(leastWear: Double = leastWear) -> Bool { wear >= leastWear }

    private static func minutes(
        of range: Range<Timestamp>, _ wear: [Int64: Double], _ steps: [Timestamp], _ walking: [Int64: Double]
    ) -> [DayMinute?] {
        // A day has at most 25 hours; a longer range has the minutes of its first 25.
        let end = min(range.upperBound, range.lowerBound.advanced(bySeconds: 25 * 3600))
        guard !wear.isEmpty, range.lowerBound < end else { return [] }
        let counts = steps.reduce(into: [:]) { $0[$1.minute, default: 0] += 1 }
        return (range.lowerBound.minute...end.advanced(bySeconds: -1e-9).minute).map { minute in
            guard wear[minute] ?? 0 >= AdjustedTotals.leastMinuteWear else { return nil }
            return DayMinute(steps: Double(counts[minute] ?? 0), onFoot: walking[minute] ?? 0)
        }
    }
}

/// The totals of one minute.
public struct DayMinute: Codable, Hashable, Sendable {
    /// The number of steps. It has a fraction where it is a mean over days.
    public var steps: Double
    /// The time of walking and running, in seconds.
    public var onFoot: Double

    /// Creates the totals of a minute.
    public init(steps: Double, onFoot: Double) {
        self.steps = steps
        self.onFoot = onFoot
    }
}

/// The mean and the median of one measure over days. Days without a value do not count.
public struct DaySummary: Hashable, Sendable {
    /// The mean; nil without a value.
    public let mean: Double?
    /// The median; nil without a value.
    public let median: Double?

    /// Summarizes the values of a measure.
    ///
    /// - Parameter values: The value of each day; nil for a day without one.
    public init(of values: some Sequence<Double?>) {
        let values = values.compactMap(\.self).filter(\.isFinite).sorted()
        mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        median = values.sortedQuantile(0.5)
    }
}

/// The steps of an hour of the clock on one day.
public struct HourlySteps: Codable, Hashable, Sendable {
    /// The fewest minutes of the hour that must be present, as in stepcount: 50.
    public static let leastMinutes = 50

    /// The hour of the clock, 0…23.
    public let clockHour: Int
    /// The steps in the minutes that are present.
    public let steps: Double
}

extension DayMeasures {
    /// The steps of the hours of the clock with at least ``HourlySteps/leastMinutes`` minutes, in ascending order.
    ///
    /// An hour that the clock repeats is two hours; one that it skips is none.
    ///
    /// - Parameter zone: The zone of the wearer.
    public func hourlySteps(in zone: TimeZone) -> [HourlySteps] {
        var hours: [(hour: Int64, offset: Int64, present: Int, steps: Double)] = []
        var offsets = ZoneOffsets(of: zone)
        for (index, minute) in minutes.enumerated() {
            guard let minute else { continue }
            let time = range.lowerBound.advanced(bySeconds: 60 * Double(index))
            let offset = offsets.seconds(at: time)
            let hour = (time.minute + offset / 60).flooredQuotientAndRemainder(by: 60).quotient
            if hours.last?.hour != hour || hours.last?.offset != offset { hours.append((hour, offset, 0, 0)) }
            hours[hours.count - 1].present += 1
            hours[hours.count - 1].steps += minute.steps
        }
        return hours.filter { $0.present >= HourlySteps.leastMinutes }.map {
            HourlySteps(clockHour: Int($0.hour.flooredQuotientAndRemainder(by: 24).remainder), steps: $0.steps)
        }
    }
}
