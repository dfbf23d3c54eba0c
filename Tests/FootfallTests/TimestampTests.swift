import Footfall
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "print and parse as UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_551_178_506_999_999_999, "2019-02-26T10:55:06.999Z"),
            (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000Z"),
        ])
    func description(nanoseconds: Int64, text: String) {
        #expect(Timestamp(nanosecondsSince1970: nanoseconds).description == text)
    }

    @Test("every day of 250 years round-trips through the calendar")
    func calendar() throws {
        let day: Int64 = 86400 * 1_000_000_000
        var moment = Timestamp.supported.lowerBound
        while Timestamp.supported.contains(moment) {
            let parts = moment.description.prefix(10).split(separator: "-").compactMap { Int($0) }
            let again = try #require(Timestamp(year: parts[0], month: parts[1], day: parts[2]))
            #expect(again == moment)
            moment.nanosecondsSince1970 += day
        }
    }

    @Test(
        "dates that do not exist have no timestamp",
        arguments: [
            (2026, 2, 29, 0), (2100, 2, 29, 0), (2026, 13, 1, 0), (2026, 0, 1, 0), (2026, 4, 31, 0), (2026, 1, 1, 24),
            (1899, 12, 31, 0), (2150, 1, 1, 0),
        ])
    func impossibleDates(year: Int, month: Int, day: Int, hour: Int) {
        #expect(Timestamp(year: year, month: month, day: day, hour: hour) == nil)
    }

    @Test("seconds keep their precision")
    func seconds() {
        for (seconds, nanoseconds) in [(1_382_349_608.25, Int64(1_382_349_608_250_000_000)), (-0.25, -250_000_000)] {
            #expect(Timestamp(secondsSince1970: seconds)?.nanosecondsSince1970 == nanoseconds)
        }
    }

    @Test("arithmetic saturates instead of trapping")
    func extremes() {
        let first = Timestamp(nanosecondsSince1970: .min)
        let last = Timestamp(nanosecondsSince1970: .max)
        #expect(last.seconds(since: first) > 1.8e10)
        #expect(last.advanced(bySeconds: 1e300) == last)
        #expect(first.advanced(bySeconds: -.infinity) == first)
        #expect(Timestamp(secondsSince1970: .nan) == nil)
        #expect(Timestamp(secondsSince1970: 1e19) == nil)
    }
}
