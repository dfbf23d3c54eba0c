import Footfall
import FootfallMeasures
import Foundation
import Testing

@Suite("The measures of a day")
struct DayMeasuresTests {
    private static let midnight = Timestamp(nanosecondsSince1970: 1_767_225_600_000_000_000)
    private static let day = midnight..<at(hours: 24)

    private static func at(hours: Double) -> Timestamp { midnight.advanced(bySeconds: hours * 3600) }

    private static func segment(
        _ hours: Range<Double>, _ flags: ActivityFlags, _ reason: UnknownReason? = nil
    ) -> Segment {
        Segment(
            range: at(hours: hours.lowerBound)..<at(hours: hours.upperBound), flags: flags, reason: reason,
            probability: 1, steps: 0)
    }

    @Test("wear is the covered time without non-wear, within the day")
    func wear() {
        let day = DayMeasures(
            steps: [],
            segments: [
                Self.segment(-3..<2, .stationary), Self.segment(2..<5, .unknown, .notWorn),
                Self.segment(8..<14.5, .stationary), Self.segment(23..<26, .walking),
            ], in: Self.day)
        #expect(abs(day.coverage - 12.5 * 3600) < 1e-6)
        #expect(abs(day.wear - 9.5 * 3600) < 1e-6)
        #expect(abs((day.durations[.walking] ?? 0) - 3600) < 1e-6)
        #expect(!day.isValid() && day.isValid(leastWear: 9.5 * 3600) && !day.isValid(leastWear: 16 * 3600))
    }

    @Test("the documentation's example prints a day")
    func example() {
        let (range, steps) = (Self.day, [Self.at(hours: 1), Self.at(hours: 1.5)])
        let segments = [Self.segment(0..<10, .stationary)]
        let day = DayMeasures(steps: steps, segments: segments, in: range)
        print(day.steps, day.wear / 3600, "h of wear", day.isValid() ? "valid" : "not valid")
        print(day.cadence.peakCadence(minutes: 30) ?? .nan, "steps/min")
        #expect(day.steps == 2 && day.isValid() && day.cadence.peakCadence(minutes: 30) == 2 / 30.0)
        let ranges = [range]
        let zone = TimeZone.gmt
        let days = ranges.map { AdjustedDay(DayMeasures(steps: steps, segments: segments, in: $0), in: zone) }
        let totals = AdjustedTotals(of: days)
        print(days.compactMap { totals.totals(of: $0)?.steps })
        #expect(days.compactMap { totals.totals(of: $0) }.isEmpty)
    }

    @Test("hours of the clock have their steps over both changes of the clock, and need 50 minutes")
    func hourlySteps() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        // 2026-03-29 and 2026-10-25, from midnight in Berlin; one step at the start of each minute.
        for (start, hours) in [(1_774_738_800.0, 23), (1_792_879_200.0, 25)] {
            let midnight = Timestamp(nanosecondsSince1970: Int64(start) * 1_000_000_000)
            let day = midnight..<midnight.advanced(bySeconds: Double(hours) * 3600)
            let worn = midnight..<midnight.advanced(bySeconds: Double(hours) * 3600 - 660)
            let steps = (0..<60 * hours).map { midnight.advanced(bySeconds: 60 * Double($0)) }
            let segment = Segment(range: worn, flags: .stationary, reason: nil, probability: 1, steps: 0)
            let found = DayMeasures(steps: steps, segments: [segment], in: day).hourlySteps(in: berlin)
            // The last hour has 49 minutes.
            let clock = hours == 23 ? [0, 1] + Array(3...22) : [0, 1, 2, 2] + Array(3...22)
            #expect(found.map(\.clockHour) == clock && found.allSatisfy { $0.steps == 60 })
        }
    }

    @Test("the minutes of non-wear are in no band of cadence")
    func bands() {
        let day = DayMeasures(
            steps: [Self.at(hours: 1)],
            segments: [Self.segment(0..<2, .stationary), Self.segment(2..<5, .unknown, .notWorn)], in: Self.day)
        #expect(day.steps == 1)
        #expect(day.cadence.minutes(in: .zero) == 119)
        #expect(day.cadence.minutes(in: .incidental) == 1)
    }

    @Test("a minute is present with 30 s of wear")
    func minutes() {
        let segments = [(0.0, 29.9), (60, 30.0), (120, 60)].map { start, seconds in
            Segment(
                range: Self.midnight.advanced(bySeconds: start)..<Self.midnight.advanced(bySeconds: start + seconds),
                flags: .walking, probability: 1, steps: 0)
        }
        let steps = [1.0, 61, 62, 119].map { Self.midnight.advanced(bySeconds: $0) }
        let day = DayMeasures(steps: steps, segments: segments, in: Self.day)
        #expect(day.minutes.count == 1440)
        let minutes = day.minutes.prefix(4)
        #expect(minutes.map { $0?.steps } == [nil, 3, 0, nil])
        #expect(minutes.map { $0?.onFoot.rounded() } == [nil, 30, 60, nil])
    }

    @Test("days of 23 and 25 hours have as many minutes", arguments: [23.0, 25])
    func clockChange(hours: Double) {
        let range = Self.midnight..<Self.at(hours: hours)
        let day = DayMeasures(steps: [], segments: [Self.segment(0..<hours, .stationary)], in: range)
        #expect(day.minutes.count == Int(hours) * 60 && day.minutes.allSatisfy { $0 != nil })
        #expect(day.wear == hours * 3600)
    }

    @Test("a day without wear, or an empty range, has no invented number")
    func empty() {
        for range in [Self.day, Self.midnight..<Self.midnight] {
            let day = DayMeasures(steps: [], segments: [], in: range)
            #expect(day.minutes.isEmpty && day.wear == 0 && day.cadence.peakCadence(minutes: 1) == nil)
            let minutes = AdjustedDay(day, in: .gmt)
            #expect(AdjustedTotals(of: [minutes]).totals(of: minutes) == nil)
        }
    }
}

@Suite("The mean and the median over days")
struct DaySummaryTests {
    @Test("leave out days without a value")
    func missing() {
        let summary = DaySummary(of: [4, nil, 1, .nan, 2, 9])
        #expect(summary.mean == 4 && summary.median == 3)
        #expect(DaySummary(of: [nil]).mean == nil && DaySummary(of: []).median == nil)
    }
}
