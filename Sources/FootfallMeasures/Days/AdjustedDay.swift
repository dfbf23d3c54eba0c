public import Footfall
public import Foundation

/// The minutes of a day, with the time of the clock that each has.
///
/// On a day of a clock change the minutes after the change have the time of the clock, not the time since midnight.
public struct AdjustedDay: Sendable {
    /// The five minutes of the clock in a day.
    static let slots = 288
    /// The kinds of days: Monday to Sunday, and a day without a date.
    static let kinds = 8
    static let allKinds = Array(0..<kinds)
    /// Monday to Friday, Saturday and Sunday, and days without a date.
    static let partsOfWeek = [[0, 1, 2, 3, 4], [5, 6], [7]]

    /// The minutes, from the start of the day; nil for a minute that is not present.
    public let minutes: [DayMinute?]
    /// The five minutes of the clock of each minute, from midnight.
    let clock: [Int]
    /// 0 for Monday to 6 for Sunday; 7 for a day without a date.
    let kind: Int

    /// Finds the time of the clock of each minute.
    ///
    /// - Parameters:
    ///   - day: The measures of the day.
    ///   - zone: The zone of the wearer.
    ///   - isDated: Whether the log has a date. Without one, the day of the week is unknown.
    public init(_ day: DayMeasures, in zone: TimeZone, isDated: Bool = true) {
        self.init(minutes: day.minutes, from: day.range.lowerBound, in: zone, isDated: isDated)
    }

    /// Finds the time of the clock of each minute.
    ///
    /// - Parameters:
    ///   - minutes: The minutes, from the start of the day; nil for a minute that is not present.
    ///   - start: Midnight in the zone of the wearer.
    ///   - zone: The zone of the wearer.
    ///   - isDated: Whether the log has a date. Without one, the day of the week is unknown.
    public init(minutes: [DayMinute?], from start: Timestamp, in zone: TimeZone, isDated: Bool = true) {
        self.minutes = minutes
        // The clock changes at multiples of 5 min, so one offset holds for five minutes.
        var offset: Int64 = 0
        clock = minutes.indices.map { index in
            let time = start.advanced(bySeconds: 60 * Double(index))
            if index.isMultiple(of: 5) { offset = zone.offset(at: time) }
            let minute = (time.minute + offset / 60).flooredQuotientAndRemainder(by: 1440).remainder
            return Int(minute / 5)
        }
        let noon = start.advanced(bySeconds: 43_200)
        let day = (noon.minute + zone.offset(at: noon) / 60).flooredQuotientAndRemainder(by: 1440).quotient
        // 1970 started on a Thursday.
        kind = isDated ? Int((day + 3).flooredQuotientAndRemainder(by: 7).remainder) : 7
    }
}

extension TimeZone {
    /// The seconds east of UTC.
    func offset(at time: Timestamp) -> Int64 {
        Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.nanosecondsSince1970) * 1e-9)))
    }
}
