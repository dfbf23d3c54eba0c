import Footfall
import FootfallHistory
import FootfallReaders
import Foundation
import Testing

@Suite("The wearer's calendar")
struct CalendarTests {
    private func moment(_ text: String) throws -> Timestamp {
        Timestamp(try Date(text, strategy: .iso8601))
    }

    /// A history with a step every minute of a range.
    private func history(from start: Timestamp, days: Int64, zone: String) throws -> MotionHistory {
        let history = try MotionHistory.inMemory(retention: .forever)
        let first = start.nanosecondsSince1970 / 1_000_000_000
        var events: [MotionEvent] = []
        for minute in 0..<days * 1440 {
            events.append(.step(Step(time: .second(first + minute * 60))))
        }
        let range = Range<Timestamp>.seconds(first..<first + days * 86400)
        events.append(.segment(Segment(range: range, flags: .walking, probability: 1, steps: events.count)))
        try history.record(events, from: "wrist", timeZone: TimeZone(identifier: zone))
        return history
    }

    @Test("has days of 23 and 25 hours when the clocks are changed")
    func daylightSaving() throws {
        for (start, hours) in [("2026-03-28T23:00:00Z", 23), ("2026-10-24T22:00:00Z", 25)] {
            let start = try moment(start)
            let history = try history(from: start.advanced(bySeconds: -2 * 86400), days: 5, zone: "Europe/Berlin")
            let range = start..<start.advanced(bySeconds: 2 * 86400)
            let days = try history.steps(in: range, by: .day)
            #expect(days.map(\.count) == (hours == 23 ? [1380, 1440, 60] : [1500, 1380]))
            #expect(days.first?.coverage == Double(hours) * 3600)
            let hourly = try history.steps(in: start..<start.advanced(bySeconds: Double(hours) * 3600), by: .hour)
            #expect(hourly.count == hours)
            #expect(hourly.allSatisfy { $0.count == 60 })
        }
    }

    @Test("has buckets that follow the clock again once it was set back")
    func repeatedHour() throws {
        // In Berlin, from 02:00 to 03:00 twice.
        let start = try moment("2026-10-24T22:00:00Z")
        let history = try history(from: start, days: 1, zone: "Europe/Berlin")
        let buckets = try history.steps(in: start..<start.advanced(bySeconds: 8 * 3600), by: .minutes(120))
        #expect(buckets.map { $0.range.seconds / 3600 } == [2, 1, 2, 2, 1])
    }

    @Test("has the old offset to the last nanosecond, also before 1970")
    func lastNanosecond() throws {
        for (change, zone, local) in [
            ("2026-03-29T01:00:00Z", "Europe/Berlin", "01:59:59"),
            ("1966-04-24T07:00:00Z", "America/New_York", "01:59:59"),
        ] {
            let last = Timestamp(nanosecondsSince1970: try moment(change).nanosecondsSince1970 - 1)
            #expect(LocalTime(last, in: try #require(TimeZone(identifier: zone))).second == local)
        }
    }

    @Test("has hours of 30 minutes where the clock changes by half an hour")
    func lordHowe() throws {
        // 2026-04-05, 02:00 → 01:30.
        let start = try moment("2026-04-04T13:00:00Z")
        let history = try history(from: start, days: 2, zone: "Australia/Lord_Howe")
        let hourly = try history.steps(in: start..<start.advanced(bySeconds: 24.5 * 3600), by: .hour)
        #expect(hourly.map(\.count) == [60, 60, 30] + Array(repeating: 60, count: 22))
        #expect(
            try history.steps(in: hourly[0].range.lowerBound..<start.advanced(bySeconds: 1.2e5), by: .day)[0].count
                == 1470)
    }

    @Test("starts weeks on Monday or on the first weekday of the given calendar")
    func weeks() throws {
        let start = try moment("2026-11-04T00:00:00Z")  // A Wednesday.
        let history = try history(from: start, days: 14, zone: "GMT")
        let range = start..<start.advanced(bySeconds: 14 * 86400)
        #expect(try history.steps(in: range, by: .week).map { $0.count / 1440 } == [5, 7, 2])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.firstWeekday = 1
        #expect(try history.steps(in: range, by: .week, calendar: calendar).map { $0.count / 1440 } == [4, 7, 3])
    }

    @Test("follows the wearer to another time zone")
    func travel() throws {
        let history = try MotionHistory.inMemory()
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let newYork = try #require(TimeZone(identifier: "America/New_York"))
        let monday = try moment("2026-06-01T00:00:00+02:00")
        let first = monday.nanosecondsSince1970 / 1_000_000_000
        try history.record(Recordings.rest(first..<first + 36 * 3600), from: "wrist", timeZone: berlin)
        // The wearer lands on Tuesday at noon, Berlin time. That day is six hours longer.
        try history.record(Recordings.rest(first + 36 * 3600..<first + 80 * 3600), from: "wrist", timeZone: newYork)
        let days = try history.steps(in: monday..<monday.advanced(bySeconds: 78 * 3600), by: .day)
        #expect(days.map { $0.range.seconds / 3600 } == [24, 30, 24])
        // Recording the first part again changes nothing.
        try history.record(Recordings.rest(first..<first + 36 * 3600), from: "wrist", timeZone: berlin)
        #expect(try history.steps(in: monday..<monday.advanced(bySeconds: 78 * 3600), by: .day) == days)
        #expect(try history.sources().first?.timeZone == newYork)
    }

    @Test("gives the day of arrival a row of its own where the clock of the new zone has a later date")
    func eastward() throws {
        let history = try MotionHistory.inMemory()
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let singapore = try #require(TimeZone(identifier: "Asia/Singapore"))
        let friday = try moment("2026-11-27T00:00:00+01:00")
        let first = friday.nanosecondsSince1970 / 1_000_000_000
        // At 23:30 in Berlin it is Saturday, 06:30, in Singapore.
        let arrival = first + 23 * 3600 + 1800
        try history.record(Recordings.rest(first..<arrival), from: "wrist", timeZone: berlin)
        try history.record(Recordings.rest(arrival..<first + 30 * 3600), from: "wrist", timeZone: singapore)
        let days = try history.steps(in: friday..<friday.advanced(bySeconds: 30 * 3600), by: .day)
        #expect(days.map { $0.range.seconds / 3600 } == [23.5, 6.5])
    }

    @Test("has a zone that begins with the first supported time, before another one")
    func firstTime() throws {
        let history = try MotionHistory.inMemory(retention: .forever)
        let kathmandu = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        try history.record(Recordings.rest(0..<60), from: "wrist", timeZone: .gmt)
        let first = Timestamp.supported.lowerBound.nanosecondsSince1970 / 1_000_000_000
        for zone in [kathmandu, kathmandu, .gmt, kathmandu] {
            try history.record(Recordings.rest(first..<first + 60), from: "wrist", timeZone: zone)
        }
        let zones = try history.timeZones().map(\.timeZone)
        #expect(try zones == [kathmandu, .gmt] && history.check().problem == nil)
    }

    @Test("refuses more than a million buckets, and counts them")
    func tooMany() throws {
        let history = try MotionHistory.inMemory()
        try history.record(Recordings.walk(0..<600), from: "wrist", timeZone: .gmt)
        let million = Range<Timestamp>.seconds(0..<60_000_000)
        #expect(try history.steps(in: million, by: .minutes(1)).count == 1_000_000)
        for (bucket, days, count) in [
            (CalendarBucket.minutes(1), 1000.0, 1_440_000), (.minutes(0), 1000, 1_440_000),
            (.minutes(7), 5000, 1_030_000), (.hour, 50_000, 1_200_000),
        ] {
            let range = Timestamp.second(0)..<Timestamp.second(0).advanced(bySeconds: days * 86400)
            #expect(throws: HistoryError(.tooManyBuckets(count), at: nil)) { try history.steps(in: range, by: bucket) }
        }
        // All of the time that a timestamp holds.
        #expect(try history.steps(in: Timestamp.supported, by: .day).map(\.count).reduce(0, +) == 1200)
    }

    @Test("includes empty buckets and distinguishes them from uncovered buckets")
    func emptyBuckets() throws {
        let history = try MotionHistory.inMemory()
        try history.record(Recordings.walk(0..<600) + Recordings.rest(600..<3600), from: "wrist", timeZone: .gmt)
        let buckets = try history.steps(in: Range.seconds(0..<5400), by: .minutes(15))
        #expect(buckets.map(\.count) == [1200, 0, 0, 0, 0, 0])
        #expect(buckets.map(\.coverage) == [900, 900, 900, 900, 0, 0])
    }

    @Test(
        "has buckets without gaps or overlaps in any zone and of any length",
        arguments: [
            "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Africa/Casablanca", "Asia/Beirut",
        ],
        [CalendarBucket.minutes(15), .minutes(7), .minutes(90), .hour, .day, .week])
    func tiling(zone: String, bucket: CalendarBucket) throws {
        let history = try MotionHistory.inMemory()
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        for year in [2011, 2026] {
            let start = try #require(Timestamp(year: year, month: 12, day: 20, hour: 5, minute: 3))
            for offset in [0.0, 97, 310] {
                let from = start.advanced(bySeconds: offset * 86400)
                let range = from..<from.advanced(bySeconds: 20 * 86400)
                let buckets = try history.steps(in: range, by: bucket, calendar: calendar)
                #expect(buckets.first?.range.lowerBound == range.lowerBound)
                #expect(buckets.last?.range.upperBound == range.upperBound)
                #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
                #expect(buckets.allSatisfy { !$0.range.isEmpty })
            }
        }
    }
}
