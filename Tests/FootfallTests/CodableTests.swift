import Footfall
import Foundation
import Testing

/// Events as JSON and as text.
@Suite("An event")
struct CodableTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_795_161_600_123_456_789)
    private static let range = start..<start.advanced(bySeconds: 90)
    private static let events: [MotionEvent] = [
        .step(Step(time: start, quality: 0.75)),
        .segment(Segment(range: range, flags: [.automotive, .stationary], probability: 0.99, steps: 1)),
        .segment(Segment(range: range, flags: [], reason: .handled, probability: 0.5, steps: 2)),
        .gap(range), .nonWear(range),
    ]

    @Test("is the same after JSON, to the nanosecond", arguments: events)
    func roundTrip(event: MotionEvent) throws {
        let data = try JSONEncoder().encode(event)
        #expect(try JSONDecoder().decode(MotionEvent.self, from: data) == event)
        #expect(String(decoding: data, as: UTF8.self).contains("1795161600123456789"))
    }

    @Test("is refused from JSON of something else", arguments: ["{}", "{\"walk\":1}", "{\"gap\":[2,1]}", "3"])
    func refusal(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(MotionEvent.self, from: Data(text.utf8)) }
    }

    @Test("describes itself for a reader")
    func descriptions() {
        #expect(
            Self.events.map(\.description) == [
                "step at 2026-11-20T08:00:00.123Z",
                "automotive+stationary from 2026-11-20T08:00:00.123Z to 2026-11-20T08:01:30.123Z (high, 1 step)",
                "moving from 2026-11-20T08:00:00.123Z to 2026-11-20T08:01:30.123Z (low, 2 steps)",
                "no samples from 2026-11-20T08:00:00.123Z to 2026-11-20T08:01:30.123Z",
                "not worn from 2026-11-20T08:00:00.123Z to 2026-11-20T08:01:30.123Z",
            ])
    }
}
