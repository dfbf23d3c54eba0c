import FootfallReaders
import Testing

@Suite("A time as text")
struct TimeTextTests {
    private func read(_ text: String) -> CivilTime? {
        let bytes = Array(text.utf8)
        return CivilTimeParser().read(bytes.span)
    }

    private static let second: Int64 = 1_000_000_000

    @Test(
        "has the hours of a day in both halves",
        arguments: [
            ("12:30:00 AM", 0), ("1:30:00 am", 1), ("11:30:00 AM", 11), ("12:30:00 PM", 12), ("1:30:00 pm", 13),
            ("11:30:00 PM", 23), ("00:30", 0), ("12:30", 12), ("23:30", 23),
        ])
    func hours(text: String, hour: Int64) {
        #expect(read(text)?.nanosecondOfDay == (hour * 3600 + 1800) * Self.second)
    }

    @Test(
        "is rounded to the nearest nanosecond",
        arguments: [
            ("10:00:08.5", 500_000_000), ("10:00:08,25", 250_000_000), ("10:00:08:125", 125_000_000),
            ("10:00:08.123456789", 123_456_789), ("10:00:08.1234567894", 123_456_789),
            ("10:00:08.1234567895", 123_456_790), ("10:00:08.9999999996", 1_000_000_000),
        ])
    func fractions(text: String, nanoseconds: Int64) {
        #expect(read(text)?.nanosecondOfDay == 36008 * Self.second + nanoseconds)
    }

    @Test(
        "states how far its zone is ahead of UTC",
        arguments: [
            ("2026-01-02T03:04:05Z", 0), ("2026-01-02T03:04:05+01:00", 3600), ("2026-01-02 03:04:05 -0330", -12600),
            ("2026-01-02T03:04:05-08:00", -28800), ("2026-01-02 03:04:05 UTC", 0), ("2026-01-02 03:04:05", nil),
            ("2026-01-02 03:04:05 GMT+2", 7200), ("2026-01-02 03:04:05 UTC-03:30", -12600),
        ])
    func zones(text: String, offset: Int?) {
        #expect(read(text).map(\.offsetSeconds) == .some(offset))
    }

    @Test(
        "has its date in any usual form",
        arguments: [
            "2026-01-02 03:04:05", "20260102 03:04:05", "20260102-030405", "2026/01/02-03:04:05",
            "2-Jan-2026 03:04:05", "02 Jan 2026 03:04:05", "2 January 2026, 03:04:05", "02/Jan/2026:03:04:05",
            "Jan 2, 2026 03:04:05", "January 02 2026 03:04:05", "Fri, 2 Jan 2026 03:04:05 +0000",
            "Fri Jan 02 2026 03:04:05 GMT",
        ])
    func dates(text: String) {
        #expect(read(text)?.nanoseconds == 1_767_323_045 * Self.second)
    }

    @Test(
        "has no date, hour, minute or zone that does not exist",
        arguments: [
            "13:00:00 PM", "0:00:00 AM", "24:00", "1:60:00", "Jan 2026 03:04:05", "2 Jax 2026 03:04:05", "Jan 2, 2026",
            "2026-01-02T03:04:05Z+1", "Jan",
        ])
    func refused(text: String) {
        #expect(read(text) == nil)
    }
}
