import Footfall
import FootfallReport
import Foundation
import Testing

/// The labels below the panels.
@Suite("Time axis")
struct TimeAxisTests {
    private func words(from start: Timestamp, for seconds: Double, in zone: TimeZone?) -> [String] {
        var plot = TracePlot()
        plot.add([.gap(start..<start.advanced(bySeconds: seconds))])
        return Picture(plot.svg(title: "", timeZone: zone)).words
    }

    private func time(_ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Timestamp {
        try #require(Timestamp(year: 2026, month: 10, day: day, hour: hour, minute: minute))
    }

    /// Whether the words contain exactly these labels, in this order.
    private func contains(_ words: [String], _ labels: [String]) -> Bool {
        words.filter { labels.contains($0) } == labels
    }

    @Test(
        "elapsed time has round labels, including the last",
        arguments: [
            (0.9, "s", ["0", "0.1", "0.9"]), (119.98, "s", ["0", "15", "120"]),
            (600, "min:s", ["0:00", "2:00", "10:00"]),
            (7100, "min:s", ["15:00", "105:00"]), (86_399.99, "h:min", ["0:00", "3:00", "24:00"]),
            (7 * 86_400, "days", ["0", "1", "7"]), (1e9, "days", ["0"]),
        ] as [(Double, String, [String])])
    func elapsed(seconds: Double, unit: String, labels: [String]) throws {
        let words = words(from: try time(1, 7, 13), for: seconds, in: nil)
        #expect(words.contains("elapsed time (\(unit))"), "\(words)")
        #expect(labels.allSatisfy(words.contains), "\(words)")
    }

    @Test("the title names the zone, and the first label and midnight have a date")
    func clock() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let words = words(from: try time(3, 21, 50), for: 1200, in: zone)
        #expect(words.contains("time of day (Europe/Berlin)"))
        #expect(words.filter { $0.hasSuffix("\u{A0}2026") } == ["3\u{A0}Oct\u{A0}2026", "4\u{A0}Oct\u{A0}2026"])
        #expect(contains(words, ["23:50", "23:55", "00:00", "00:05", "00:10"]), "\(words)")
    }

    @Test("labels have the format of seconds, hours or days")
    func distances() throws {
        let seconds = words(from: try time(3, 8), for: 40, in: .gmt)
        #expect(contains(seconds, ["08:00:00", "08:00:05", "08:00:40"]) && seconds.contains("time of day (UTC)"))
        #expect(words(from: try time(3, 8), for: 0.5, in: .gmt).contains("08:00:00.1"))
        #expect(contains(words(from: try time(3, 0), for: 86_400, in: .gmt), ["00:00", "03:00", "21:00", "00:00"]))
        let week = words(from: try time(3, 0), for: 7 * 86_400, in: .gmt)
        #expect(contains(week, ["3", "4", "10"].map { "\($0)\u{A0}Oct\u{A0}2026" }), "\(week)")
        #expect(week.contains("date (UTC)"))
    }

    @Test("labels stay round when the clock changes")
    func daylightSaving() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let autumn = words(from: try time(24, 22), for: 25 * 3600, in: zone)
        #expect(contains(autumn, ["00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "00:00"]))
        let hours = words(from: try time(24, 23), for: 4 * 3600, in: zone)
        #expect(hours.filter { $0 == "02:00" }.count == 1 && hours.contains("04:00"), "\(hours)")
        let spring = try #require(Timestamp(year: 2026, month: 3, day: 29))
        let skipped = words(from: spring, for: 4 * 3600, in: zone)
        #expect(contains(skipped, ["01:00", "01:30", "03:00", "03:30"]), "\(skipped)")
        #expect(Set(skipped).isDisjoint(with: ["02:00", "02:30"]), "\(skipped)")
    }

    @Test("a range of any length has 3 to 30 labels", arguments: [0, 1e-9, 3, 77, 5e4, 3e6, 7e9], [nil, TimeZone.gmt])
    func handful(seconds: Double, zone: TimeZone?) throws {
        let start = try #require(Timestamp(year: 1900, month: 1, day: 1))
        #expect((3...30).contains(words(from: start, for: seconds, in: zone).count))
    }
}
