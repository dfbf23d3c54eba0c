internal import Footfall
internal import FootfallAnswers
internal import FootfallTables
internal import Foundation

/// A day that has a place in the pictures of several days, with data or without.
struct DayPlace {
    /// From midnight to midnight.
    let range: Range<Timestamp>
    let start: LocalTime
    /// Nil for a day without data.
    let data: ReportDay?

    init(_ day: ReportDay) {
        (range, start, data) = (day.whole, day.total.start, day)
    }

    /// A day around a moment, with its data among those of a report.
    init(around moment: Timestamp, in report: HistoryReport) {
        let zone = report.clock.zone(at: moment)
        let day = zone.day(of: moment)
        range = day
        start = LocalTime(day.lowerBound, in: zone)
        data = report.days.first { $0.whole.contains(moment) }
    }

    /// `Mon 16 November 2026: 15,206 steps, 100 % covered`
    var heading: String { data?.heading ?? "\(start.fullDay): no data" }

    /// `stationary 22 h 30 min, walking 1 h 10 min`; empty without data.
    var activities: String { data.map { NumberText.activities($0.total.durations) } ?? "" }
}

extension HistoryReport {
    /// The longest time, in days, of which each day has a place.
    private static let mostPlaces = 31.0

    /// The days from the first to the last one with data. Of a longer time, only those with data.
    var places: [DayPlace] {
        let isShort = (known?.seconds ?? 0) <= Self.mostPlaces * 86400
        return days.reduce(into: []) { places, day in
            while isShort, let last = places.last {
                let noon = last.range.upperBound.advanced(bySeconds: 43200)
                guard noon < day.whole.lowerBound else { break }
                places.append(DayPlace(around: noon, in: self))
            }
            places.append(DayPlace(day))
        }
    }
}
