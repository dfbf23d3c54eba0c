internal import Footfall
internal import FootfallHistory
public import FootfallMeasures
package import FootfallTables
internal import Foundation

/// The rules of the measures of days.
public struct DayRules: Sendable {
    /// The wear of a valid day, in seconds.
    public var leastWear: Double
    /// Nil for none: no set suits all wearers and placements.
    public var cutPoints: IntensityCutPoints?
    /// The rule of bouts of moderate to vigorous activity.
    public var bouts: BoutRule
    /// The parts of the day that have measures of their own.
    public var parts: [DayPart]

    /// Creates rules. The parameters are the properties of the same names.
    public init(
        leastWear: Double = DayMeasures.leastWear, cutPoints: IntensityCutPoints? = nil, bouts: BoutRule = .whole,
        parts: [DayPart] = []
    ) {
        (self.leastWear, self.cutPoints, self.bouts, self.parts) = (leastWear, cutPoints, bouts, parts)
    }
}

/// A part of each day by the wearer's clock, such as `school 08:00-13:00`, as in the `qwindow` of GGIR.
public struct DayPart: Codable, Hashable, Sendable {
    /// The name.
    public let name: String
    /// Minutes after midnight, up to 1440.
    private let first: Int
    private let last: Int

    /// Reads a name and two times of one day; the second may be `24:00`. Nil for anything else.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        let times = words.last.map { $0.split(separator: "-", omittingEmptySubsequences: false) } ?? []
        guard words.count > 1, times.count == 2, let first = NightTimes.minutes(times[0]),
            let last = times[1] == "24:00" ? 1440 : NightTimes.minutes(times[1]), first < last
        else { return nil }
        (name, self.first, self.last) = (words.dropLast().joined(separator: " "), first, last)
    }

    /// The part of a day, from midnight to midnight; nil if the clock skips all of it.
    func range(of day: Range<Timestamp>, in zone: TimeZone) -> Range<Timestamp>? {
        let noon = day.middle
        guard let start = zone.time(first, onDayOf: noon),
            let end = last == 1440 ? day.upperBound : zone.time(last, onDayOf: noon), start < end
        else { return nil }
        return start..<end
    }
}

/// A row of `dayparts.csv`: a part of a day of a person.
struct DayPartRow: Codable, Sendable {
    let part: DayPart
    let isOfValidDay: Bool
    /// The measures of the part.
    let row: DayRow

    static let table = Table<DayPartRow>(
        "dayparts.csv", row: "a part of a day with samples, by --part, of all persons in the folder of results",
        [
            DayRow.bucket.of { $0.row }, .text("part", "The name of the part.") { $0.part.name },
            .flag("valid", "Whether the wear of the whole day reaches --valid-day.") { $0.isOfValidDay },
            DayRow.ofDay.filter { $0.column.name != "valid" }.of { $0.row },
            Measure<DayRow>.summarized.dropFirst().filter { !Measure.ofWholeDays.contains($0.column.name) }
                .map(\.field).of { $0.row },
            DayRow.localTimes.of { $0.row },
        ])
}

extension Measure<DayRow> {
    /// The names of the measures that a part of a day does not have.
    fileprivate static let ofWholeDays = Set(
        adjusted.map(\.column.name) + Measure<DayIntensity>.ofWakingDay.map(\.column.name)
            + summarized.map(\.column.name).filter { $0.hasSuffix("AtHours") }
            + [
                "m10EnmoMg", "m10StartHours", "m10Coverage", "l5EnmoMg", "l5StartHours", "l5Coverage",
                "relativeAmplitude",
            ])
}

extension TableDescription {
    package static let dayParts = DayPartRow.table.description
}
