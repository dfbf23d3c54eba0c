import Footfall
import FootfallHistory
import Foundation
import TestSupport

extension Timestamp {
    static func second(_ seconds: Int64) -> Timestamp { Timestamp(nanosecondsSince1970: seconds * 1_000_000_000) }
}

extension Range where Bound == Timestamp {
    init(_ range: Range<Int64>) {
        self = Timestamp(nanosecondsSince1970: range.lowerBound)..<Timestamp(nanosecondsSince1970: range.upperBound)
    }

    var bounds: Range<Int64> { lowerBound.nanosecondsSince1970..<upperBound.nanosecondsSince1970 }

    static func seconds(_ range: Range<Int64>) -> Range<Timestamp> {
        Timestamp.second(range.lowerBound)..<Timestamp.second(range.upperBound)
    }
}

/// Events in the order of an analyzer.
enum Recordings {
    /// A walk with two steps per second, in pieces of five seconds.
    static func walk(_ range: Range<Int64>, _ flags: ActivityFlags = .walking, pieces: Int64 = 5) -> [MotionEvent] {
        stride(from: range.lowerBound, to: range.upperBound, by: Int(pieces)).flatMap { start -> [MotionEvent] in
            let end = min(start + pieces, range.upperBound)
            let steps: [Int64] = (2 * start..<2 * end).map { $0 * 500_000_000 }
            let segment = Segment(
                range: .seconds(start..<end), flags: flags, probability: start % 2 == 0 ? 0.9 : 0.8, steps: steps.count)
            return steps.map { .step(Step(time: Timestamp(nanosecondsSince1970: $0))) } + [.segment(segment)]
        }
    }

    /// A period of rest.
    static func rest(_ range: Range<Int64>, _ flags: ActivityFlags = .stationary) -> [MotionEvent] {
        [.segment(Segment(range: .seconds(range), flags: flags, probability: 1, steps: 0))]
    }

    /// A random recording: pieces with and without gaps between them, and steps at random times.
    static func random(in span: Range<Int64>, using generator: inout SeededGenerator) -> [MotionEvent] {
        let flags: [ActivityFlags] = [.walking, .stationary, .automotive, [.automotive, .stationary], [], .unknown]
        var events: [MotionEvent] = []
        var time = Int64.random(in: span, using: &generator)
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            if Int.random(in: 0..<4, using: &generator) == 0 {
                time += Int64.random(in: 1...Int64(span.count / 20), using: &generator)
            }
            let grid: Int64 = Bool.random(using: &generator) ? 60_000_000_000 : 1
            let length = Int64.random(in: 1...Int64(span.count / 40), using: &generator) / grid * grid + grid
            let count = Int.random(in: 0...6, using: &generator)
            // Half of the pieces have their steps within 30 s, so that bouts have several.
            let spread = Bool.random(using: &generator) ? length : min(length, 30_000_000_000)
            let steps = Set((0..<count).map { _ in Int64.random(in: time..<time + spread, using: &generator) })
            events += steps.sorted().map { .step(Step(time: Timestamp(nanosecondsSince1970: $0))) }
            let probability = Float.random(in: 0.4...1, using: &generator)
            let chosen = flags.randomElement(using: &generator) ?? []
            let reason = UnknownReason.allCases.first { $0.flags == chosen && Bool.random(using: &generator) }
            events.append(
                .segment(
                    Segment(
                        range: Range(time..<time + length), flags: chosen, reason: reason,
                        probability: probability, steps: steps.count)))
            time += length
        }
        return events
    }
}
