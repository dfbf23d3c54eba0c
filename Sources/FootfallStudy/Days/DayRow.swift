public import Footfall
internal import FootfallHistory
package import FootfallMeasures
internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// A row of `days.csv`: a day of a person, and the values of its measures.
public struct DayRow: Codable, Sendable {
    var person: String
    private let logs: Int
    /// From midnight to midnight, clipped to the samples.
    public let range: Range<Timestamp>
    /// The date, such as `2026-11-20`, and the day of the week; nil for logs without a date.
    public let date: String?
    private let weekday: String?
    /// The steps.
    public let steps: Int
    private let coverage: Double
    /// The worn time in seconds.
    public let wear: Double
    private let durations: [Activity: Double]
    /// Whether the wear is that of a valid day.
    public let isValid: Bool
    /// Whether the sensor was worn from midnight to midnight, to the second.
    let isWhole: Bool
    private let timeZone: TimeZone
    /// The name of the cut points; nil for none.
    package let cutPoints: String?
    private let epochLength: EpochLength
    /// Where the sensors were worn, as it is stated.
    private let placements: [String]
    /// The night that ends on the day; nil if none is found.
    private let night: Range<Timestamp>?
    /// The states of calibration of the logs.
    let calibrations: [String]
    /// The values of the measures of the day, of its intensity and of its sensors.
    private let values: [Double?]
    /// The parts of the day, as the rules name them.
    var parts: [DayPartRow] = []
    /// Nil in a stored row, whose totals are already computed.
    fileprivate private(set) var minutes: AdjustedDay?
    /// The hours of the clock, for the rhythm of the person.
    package let hours: [DailyRhythm.Hour]
    let hourlySteps: [HourlySteps]
    /// The totals with missing time of day filled; nil before they are computed, on days that are not valid, and where
    /// too much is missing.
    fileprivate var adjusted: DayMinute?

    /// Evaluates the measures of a day. `epochs` are the epochs of the day. Without any, the measures of intensity are
    /// nil. `nights` are the parts of the day that are nights; nil if they are unclear. `night` is the whole night that
    /// ends on the day. `calibrations` are the states of the logs with samples of the day. `part` is the part of the
    /// day between the first sample and the last.
    init(
        of person: String, logs: Int, _ day: DayMeasures, _ epochs: [EpochMeasures],
        nights: [Range<Timestamp>]?, night: Range<Timestamp>?, calibrations: [CalibrationState],
        placements: [SensorPlacement], _ part: Range<Timestamp>, by rules: DayRules, epochLength: EpochLength,
        in zone: TimeZone
    ) {
        let intensity = epochs.isEmpty ? nil : DayIntensity(epochs, in: day.range, nights: nights, by: rules)
        let sensors = DaySensors(calibrations: calibrations, clipped: epochs.map(\.clipped))
        let noon = LocalTime(day.range.middle, in: zone)
        let isDated = part.lowerBound >= .endOfUndated
        (self.person, self.logs, range) = (person, logs, part)
        (date, weekday) = isDated ? (noon.date, noon.weekday) : (nil, nil)
        (steps, coverage, wear, durations) = (day.steps, day.coverage, day.wear, day.durations)
        isValid = day.isValid(leastWear: rules.leastWear)
        isWhole = day.wear >= day.range.seconds - 1
        (timeZone, cutPoints, self.epochLength) = (zone, rules.cutPoints?.name, epochLength)
        values =
            Measure.ofDay.map { $0.value(day) } + Measure.ofIntensity.map { intensity.flatMap($0.value) }
            + Measure.ofSensors.map { $0.value(sensors) }
        self.calibrations = Set(calibrations.map(\.word)).sorted()
        self.placements = Set(placements.map(\.rawValue)).sorted()
        self.night = night
        minutes = AdjustedDay(day, in: zone, isDated: isDated)
        hourlySteps = day.hourlySteps(in: zone)
        hours = intensity?.measures.hours(in: zone) ?? []
    }

    private enum CodingKeys: CodingKey {
        case person, logs, range, date, weekday, steps, coverage, wear, durations, isValid, isWhole, timeZone, cutPoints
        case epochLength, placements, night, calibrations, values, parts, hours, hourlySteps, adjusted
    }

    /// Whether the day is of a weekend; nil for logs without a date.
    public var isWeekend: Bool? { weekday.map { ["Saturday", "Sunday"].contains($0) } }

    /// The value of a column of `days.csv`, such as `enmoMg`; nil without one, and for a column that has no numbers.
    public func value(of column: String) -> Double? {
        Measure.summarized.first { $0.column.name == column }?.value(self)
    }

    /// The values of ``Measure/summarized``.
    package var numbers: [Double?] { [Double(steps)] + values + [adjusted?.steps, adjusted.map { $0.onFoot / 60 }] }

    static let table = Table(
        "days.csv",
        row:
            "a day with samples, of a trace, or of all persons in the folder of results; it follows from steps.csv, epochs.csv "
            + "and activities.csv", bucket + ofDay + ofNight + measures + localTimes + localNight)

    /// The record with the columns of `days.csv`.
    var record: Record { Self.table.record(of: self) }

    static let bucket = TableField<DayRow>.bucket(
        { $0.range }, steps: { $0.steps }, coverage: { $0.coverage }, durations: { $0.durations },
        nonWear: { $0.coverage - $0.wear })

    static let ofDay: [TableField<DayRow>] = [
        .text("person", "The person: the name of the trace, or that of summarize --persons.") { $0.person },
        .count("logs", "The traces with samples of the day.") { $0.logs },
        TableField(Column("date", .date, "The date of the day in the wearer's zone; empty for a log without a date.")) {
            .text($0.date)
        },
        .text("weekday", "Monday to Sunday; empty for a log without a date.") { $0.weekday },
        .flag("valid", "Whether wearHours reaches --valid-day.") { $0.isValid },
        .text(
            "timeZone",
            "The wearer's zone, such as Europe/Berlin, or an offset such as -04:00: that of date, startLocal and endLocal."
        ) { $0.timeZone.statedName },
        .text("cutPoints", "The cut points of intensity; empty without --cut-points.") { $0.cutPoints },
        .text(
            "calibration",
            "applied, notAsked (without --calibrate), or why there is none: tooLittleStillness, tooFewOrientations or noGain."
        ) { $0.calibrations.isEmpty ? nil : $0.calibrations.joined(separator: "; ") },
        .count("epochSeconds", unit: "s", "The length of the epochs of the measures of intensity.") {
            $0.epochLength.rawValue
        },
        .text("placement", "The place of the sensor, by --placement; empty if it is not stated.") { day in
            day.placements.isEmpty ? nil : day.placements.joined(separator: "; ")
        },
    ]

    private static let ofNight: [TableField<DayRow>] = [
        .time("nightStart", "The start of the night that ends on the day: between the noon before and its noon.") {
            $0.night?.lowerBound
        },
        .time("nightEnd", "The end of that night.") { $0.night?.upperBound },
    ]

    static let localTimes: [TableField<DayRow>] = [
        .local(of: "start") { ($0.range.lowerBound, $0.timeZone) },
        .local(of: "end") { ($0.range.upperBound, $0.timeZone) },
    ]

    private static let localNight: [TableField<DayRow>] = [
        .local(of: "nightStart") { day in day.night.map { ($0.lowerBound, day.timeZone) } },
        .local(of: "nightEnd") { day in day.night.map { ($0.upperBound, day.timeZone) } },
    ]

    /// The measures. The steps are among the columns that hours have too.
    private static let measures = Measure<DayRow>.summarized.dropFirst().map(\.field)
}

extension [DayRow] {
    /// Fills the missing time of day of each valid day from the other days, which are of the same person.
    mutating func adjust() {
        let totals = AdjustedTotals(of: lazy.compactMap(\.minutes))
        for index in indices where self[index].isValid {
            self[index].adjusted = self[index].minutes.flatMap(totals.totals)
        }
    }
}

extension TableField<DayRow> {
    /// The column of a local time beside one of UTC.
    fileprivate static func local(
        of name: String, _ value: @escaping @Sendable (DayRow) -> (time: Timestamp, zone: TimeZone)?
    ) -> TableField {
        TableField(.local(of: .time(name, ""))) { row in .text(value(row).map { $0.time.localText(in: $0.zone) }) }
    }
}

/// The sensors of a day: how they were calibrated, and how much of their samples is clipped.
struct DaySensors: Sendable {
    /// Those of the traces with samples of the day.
    let calibrations: [CalibrationState]
    /// The share of clipped samples of each epoch, 0…1.
    let clipped: [Double]
}

extension Measure<DaySensors> {
    /// The numbers of a day. Of several traces, the largest error counts.
    static let ofSensors: [Measure] = [
        Measure(
            "calibrationErrorBeforeMg", "mg", decimals: 2, "The mean distance from 1 g at rest before the calibration."
        ) { $0.calibrations.compactMap(\.errorBeforeMg).max() },
        Measure(
            "calibrationErrorAfterMg", "mg", decimals: 2,
            "That of the samples in use: after the calibration, or without a gain, the one before."
        ) { $0.calibrations.compactMap(\.errorAfterMg).max() },
        Measure("clippedPercent", "%", decimals: 3, "The samples at the end of the sensor's range.") {
            $0.clipped.mean.map { 100 * $0 }
        },
    ]
}
