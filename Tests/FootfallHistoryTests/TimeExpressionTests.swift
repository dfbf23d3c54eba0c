import Footfall
import FootfallReaders
import Foundation
import Testing

@testable import FootfallHistory

@Suite("Times on the command line")
struct TimeExpressionTests {
    /// Friday, 20 November 2026, 15:30:45 in Berlin.
    private func time(from text: String) throws -> Timestamp {
        try TimeExpression(text).time(
            in: TimeZone(identifier: "Europe/Berlin") ?? .gmt, now: Date(timeIntervalSince1970: 1_795_185_045))
    }

    @Test(
        "have the same meaning as in journalctl",
        arguments: [
            ("now", "2026-11-20T14:30:45Z"), ("today", "2026-11-19T23:00:00Z"), ("yesterday", "2026-11-18T23:00:00Z"),
            ("tomorrow", "2026-11-20T23:00:00Z"), ("-2h", "2026-11-20T12:30:45Z"), ("+30min", "2026-11-20T15:00:45Z"),
            ("2 hours ago", "2026-11-20T12:30:45Z"), ("-1h 30min", "2026-11-20T13:00:45Z"),
            ("1 week ago", "2026-11-13T14:30:45Z"), ("-90s", "2026-11-20T14:29:15Z"),
            ("@1732060800", "2024-11-20T00:00:00Z"), ("14:30", "2026-11-20T13:30:00Z"),
            ("08:00:05", "2026-11-20T07:00:05Z"), ("2026-11-20", "2026-11-19T23:00:00Z"),
            ("2026-07-01", "2026-06-30T22:00:00Z"), ("2026-11-20 08:00", "2026-11-20T07:00:00Z"),
            ("2026-11-20 08:00 UTC", "2026-11-20T08:00:00Z"),
            ("2026-11-20 08:00:30 Asia/Tokyo", "2026-11-19T23:00:30Z"),
            ("2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"), ("2026-11-20T08:00:00+02:00", "2026-11-20T06:00:00Z"),
            ("2026-11-20T08:00:00 02:00", "2026-11-20T06:00:00Z"),
            ("2026-11-20T08:00-0330", "2026-11-20T11:30:00Z"), ("2026-11-20 UTC", "2026-11-20T00:00:00Z"),
            ("2026-11-20 08:00:05.Z", "2026-11-20T08:00:05Z"), ("2026-11-20 08:00 +02", "2026-11-20T06:00:00Z"),
        ])
    func meanings(text: String, moment: String) throws {
        #expect(try Date(time(from: text)).ISO8601Format() == moment)
    }

    @Test(
        "can have fractions of a second, which are exact",
        arguments: [
            ("2026-11-20T08:00:00.250Z", 250_000_000), ("2026-11-20 08:00:00.123456789 UTC", 123_456_789),
            ("2026-11-20T08:00:00.1234567899Z", 123_456_789), ("@1795161600.000000001", 1),
            ("@1795161600.5", 500_000_000),
        ])
    func fractions(text: String, nanoseconds: Int64) throws {
        #expect(try time(from: text).nanosecondsSince1970 == 1_795_161_600_000_000_000 + nanoseconds)
    }

    @Test(
        "are rejected if they are not in the grammar",
        arguments: [
            "", " ", "garbagetime", "tomorow", "2 hours", "-2", "-2parsecs", "25:00", "14:60", "8:00", "2026-13-01",
            "2026-02-30", "2026-11-20T", "2026-11-20 25:00", "2026-11-20 08:00 Mars/Olympus", "20.11.2026", "@abc",
            "@1e300", "2026-11-20T08:00:00+99:00", "ago", "-1h30", "２０２６-11-20", "2026-11-2\u{302}0", "08:00:5",
            "08:00:05x", "2026-11-20x08:00", "2026-11-20 08:00+1",
            "1²:00", "9223372036854775808",
            "2026-11-20\u{0}", "-99999999999999999999y",
        ])
    func refusals(text: String) {
        #expect(throws: TimeExpression.Invalid.self) { try TimeExpression(text) }
    }
}
