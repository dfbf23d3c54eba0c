internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

extension Measure<DayIntensity> {
    /// The ENMO of the most active minutes, and the relative amplitude.
    static let mostActive =
        [30, 60].map { minutes in
            Measure(
                "m\(minutes)MinutesEnmoMg", "mg", decimals: 2,
                "The least ENMO of the most active \(minutes) min, which need not be in a row (M\(minutes))."
            ) { $0.measures.mostActiveMinutes(Double(minutes)) }
        } + [
            Measure("relativeAmplitude", nil, decimals: 4, "(M10 - L5) / (M10 + L5), 0 to 1.") {
                $0.measures.relativeAmplitude
            }
        ]

    /// The measures of the day without the night. They are nil if the night is unclear.
    static let ofWakingDay = night + wakingIntensity + sedentaryBouts + fragmentation

    private static let night = [
        Measure(
            "nightHours", "h", decimals: 3,
            "The time of the day in the night. The night is that of --persons. Without one, it is the longest block of rest "
                + "between two noons, by angle, wear and steps. That rule is validated at the wrist, so without --placement "
                + "wrist it finds none."
        ) { $0.nights.map { $0.reduce(0) { $0 + $1.seconds } / 3600 } },
        Measure("wornHoursWaking", "h", decimals: 3, "The worn time outside the night, in epochs.") {
            $0.waking.map { $0.wornMinutes / 60 }
        },
    ]

    private static let wakingIntensity =
        [
            Measure("enmoMgWaking", "mg", decimals: 2, "The mean ENMO of the worn epochs outside the night.") {
                $0.waking?.meanEnmoMg
            }
        ]
        + [IntensityLevel.sedentary, .light].map { level in
            Measure(
                "\(level.rawValue)MinutesWaking", "min", decimals: 2,
                "The worn time of \(level.rawValue) intensity outside the night, by --cut-points."
            ) { day in
                day.rules.cutPoints.flatMap { points in day.waking?.minutes(in: level, by: points) }
            }
        }

    private static let sedentaryBouts = [30, 60].flatMap { minutes in
        [
            Measure(
                .count(
                    "sedentaryBouts\(minutes)CountWaking",
                    "The bouts of at least \(minutes) sedentary minutes in a row, outside the night.")
            ) { $0.sedentaryBouts(minutes).map { Double($0.count) } },
            Measure(
                "sedentaryBouts\(minutes)MinutesWaking", "min", decimals: 0, "The time of these bouts."
            ) { $0.sedentaryBouts(minutes).map { Double($0.reduce(0, +)) } },
        ]
    }

    private static let fragmentation = [
        Measure(
            .count("sedentaryBreaksWaking", "The sedentary minutes that an active minute follows, outside the night.")
        ) { $0.fragmentation.map { Double($0.sedentaryBreaks) } },
        Measure(
            "sedentaryToActiveWaking", nil, decimals: 4,
            "The probability that an active minute follows a sedentary one, outside the night."
        ) { $0.fragmentation?.sedentaryToActive },
        Measure(
            "activeToSedentaryWaking", nil, decimals: 4,
            "The probability that a sedentary minute follows an active one, outside the night."
        ) { $0.fragmentation?.activeToSedentary },
        Measure(
            "sedentaryGiniWaking", nil, decimals: 4,
            "The Gini index of the lengths of the sedentary bouts outside the night, 0 for equal lengths."
        ) { $0.fragmentation?.sedentaryGini },
        Measure("activeGiniWaking", nil, decimals: 4, "That of the active bouts.") { $0.fragmentation?.activeGini },
    ]
}

extension DayIntensity {
    fileprivate func sedentaryBouts(_ minutes: Int) -> [Int]? {
        fragmentation.map { $0.sedentaryBouts.filter { $0 >= minutes } }
    }
}

extension TableField<DailyRhythm> {
    /// The columns of a person.
    static let ofRhythm: [TableField] = [
        .number(
            "interdailyStability", nil, decimals: 4,
            "The share of the variance of hourly ENMO that the hour of the clock explains, 0 to 1, over all days."
        ) { $0.interdailyStability },
        .number(
            "intradailyVariability", nil, decimals: 4,
            "The mean square of the change of ENMO from hour to hour, by its variance, over all days."
        ) { $0.intradailyVariability },
        .number("cosineMesorMg", "mg", decimals: 2, "The mesor of the cosine of 24 h that fits hourly ENMO best.") {
            $0.cosine?.mesorMg
        },
        .number("cosineAmplitudeMg", "mg", decimals: 2, "The amplitude of that cosine.") { $0.cosine?.amplitudeMg },
        .number(
            "cosineAcrophaseHours", "h", decimals: 3,
            "The time of the clock at which that cosine is highest, since midnight."
        ) { $0.cosine?.acrophaseHours },
        .number(
            "cosineRSquared", nil, decimals: 4,
            "The share of the variance of hourly ENMO that the cosine explains, 0 to 1."
        ) { $0.cosine?.rSquared },
    ]
}

/// The times of the clock at which a person goes to bed and gets up.
struct NightTimes: Hashable, Sendable {
    /// The times, in minutes after midnight.
    private let bed, rise: Int

    /// Reads times such as `22:30-06:30`; nil for anything else, and for two equal times.
    init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
        guard times.count == 2, let bed = times[0], let rise = times[1], bed != rise else { return nil }
        (self.bed, self.rise) = (bed, rise)
    }

    /// The minutes after midnight of a time such as `22:30`.
    static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }), let hour = Int(parts[0]), hour < 24,
            let minute = Int(parts[1]), minute < 60
        else { return nil }
        return 60 * hour + minute
    }

    /// The night that starts on the date of a moment, in the wearer's zone.
    func night(startingOnDayOf moment: Timestamp, in zone: TimeZone) -> Range<Timestamp>? {
        guard let start = zone.time(bed, onDayOf: moment),
            let end = zone.time(rise, days: rise < bed ? 1 : 0, onDayOf: moment), start < end
        else { return nil }
        return start..<end
    }
}

extension TimeZone {
    /// The moment of a clock time, in minutes after midnight, some days after the date of a moment. The first time
    /// after a skipped one replaces it. Of a repeated time, the first one counts.
    func time(_ minutes: Int, days: Int = 0, onDayOf moment: Timestamp) -> Timestamp? {
        let calendar = Calendar(.gregorian, in: self)
        let date = Date(timeIntervalSince1970: moment.seconds(since: .epoch))
        let day = calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: date))
        return day.flatMap { day in
            calendar.date(
                bySettingHour: minutes / 60, minute: minutes % 60, second: 0, of: day, matchingPolicy: .nextTime,
                repeatedTimePolicy: .first)
        }.flatMap { Timestamp(secondsSince1970: $0.timeIntervalSince1970) }
    }
}
