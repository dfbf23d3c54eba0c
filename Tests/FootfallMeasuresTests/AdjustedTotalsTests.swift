import Footfall
import FootfallMeasures
import Foundation
import Testing

@Suite("Totals adjusted for missing time of day")
struct AdjustedTotalsTests {
    /// Monday, 3 November 2025.
    private static let monday = Timestamp(nanosecondsSince1970: 1_762_128_000_000_000_000)

    /// A day with `steps` in each minute, without wear in some minutes; days count from a Monday.
    private func day(
        _ steps: Double, _ number: Int = 0, missing: Range<Int> = 0..<0, isDated: Bool = true
    ) -> AdjustedDay {
        let minutes = (0..<1440).map { missing.contains($0) ? nil : DayMinute(steps: steps, onFoot: steps / 2) }
        let start = Self.monday.advanced(bySeconds: 86_400 * Double(number))
        return AdjustedDay(minutes: minutes, from: start, in: .gmt, isDated: isDated)
    }

    @Test("a missing minute takes the mean of the same time on the same day of the week, if there is one")
    func sameWeekday() {
        let days = [day(10), day(20, 7), day(100, 1), day(6, 14, missing: 600..<720)]
        let totals = AdjustedTotals(of: days)
        let (whole, filled) = (totals.totals(of: days[0]), totals.totals(of: days[3]))
        #expect(whole?.steps == 14_400 && whole?.onFoot == 7200)
        // 22 hours of 6 steps a minute, and 2 hours of the mean of 10 and 20.
        #expect(filled?.steps == 9720 && filled?.onFoot == 4860)
    }

    @Test("without one, weekdays fill weekdays and weekend days fill weekend days, then all days fill")
    func otherDays() {
        // Monday, Tuesday and Saturday; a gap on Wednesday, and on Sunday.
        let days = [
            day(10), day(20, 1), day(60, 5), day(0, 2, missing: 600..<720), day(0, 6, missing: 600..<720),
        ]
        let totals = AdjustedTotals(of: days)
        // The gap of 120 minutes has 15 or 60 steps in each.
        let steps: [Double?] = days.map { totals.totals(of: $0)?.steps }
        #expect(steps == [14_400, 28_800, 86_400, 1800, 7200])
        // Without another weekend day, the mean is that of all days, with the filled ones.
        let week = [day(10), day(20, 1), day(30, 2, missing: 600..<720), day(0, 6, missing: 600..<720)]
        #expect(AdjustedTotals(of: week).totals(of: week[3])?.steps.rounded() == 1800.0)
    }

    @Test("days of a log without a date fill each other")
    func undated() {
        let days = [day(10, isDated: false), day(0, 5, missing: 600..<720, isDated: false)]
        #expect(AdjustedTotals(of: days).totals(of: days[1])?.steps == 1200)
    }

    @Test("a minute that is missing on all days stays missing, and a day needs 21 hours")
    func threeHours() {
        let short = day(10, missing: 0..<180)
        #expect(AdjustedTotals(of: [short]).totals(of: short)?.steps == 12_600)
        let shorter = day(10, missing: 0..<185)
        #expect(AdjustedTotals(of: [shorter]).totals(of: shorter) == nil)
    }

    @Test("an hour needs 50 minutes")
    func fiftyMinutes() {
        let ten = day(10, missing: 0..<10)
        #expect(AdjustedTotals(of: [ten]).totals(of: ten)?.steps == 14_300)
        let fifteen = day(10, missing: 0..<15)
        #expect(AdjustedTotals(of: [fifteen]).totals(of: fifteen)?.steps == 13_800)
    }

    @Test(
        "days of 23 and 25 hours take the minutes of the same time of the clock",
        arguments: [
            ("2026-03-29", 23, 1.0), ("2026-10-25", 25, -1.0),
        ])
    func clockChange(date: String, hours: Int, shift: Double) throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let offset = hours == 23 ? "+01:00" : "+02:00"
        let start = try Date("\(date)T00:00:00\(offset)", strategy: .iso8601)
        let midnight = try #require(Timestamp(secondsSince1970: start.timeIntervalSince1970))
        // Each minute of the Sunday before has its hour of the clock as steps.
        let week = midnight.advanced(bySeconds: -7 * 86_400)
        let before = (0..<1440).map { DayMinute(steps: Double($0 / 60), onFoot: 0) }
        let other = AdjustedDay(minutes: before, from: week, in: berlin)
        // From 15:00 to 17:00 by the clock, the day has no wear.
        let first = Int(15 - shift) * 60
        let missing = first..<first + 120
        let minutes = (0..<hours * 60).map { missing.contains($0) ? nil : DayMinute(steps: 0, onFoot: 0) }
        let day = AdjustedDay(minutes: minutes, from: midnight, in: berlin)
        let steps = try #require(AdjustedTotals(of: [other, day]).totals(of: day)).steps
        #expect(abs(steps - (60 * 15 + 60 * 16)) < 1e-6)
    }
}
