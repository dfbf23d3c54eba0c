internal import Footfall
public import Foundation

/// The steps of an hour of the clock on one day.
public struct HourlySteps: Hashable, Sendable {
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
        var offset: Int64 = 0
        for (index, minute) in minutes.enumerated() {
            let time = range.lowerBound.advanced(bySeconds: 60 * Double(index))
            // Clocks change at multiples of 15 min.
            if index.isMultiple(of: 15) { offset = zone.offset(at: time) }
            guard let minute else { continue }
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
