import Footfall

/// Events like those of an analyzer.
enum Workload {
    static let day: Int64 = 86400

    /// The start of every recording, in seconds since 1970: months ago, because events of the future are set aside.
    static let start: Int64 = 1_760_000_400

    /// 25 steps a minute on average: ten minutes of walking at 50 steps a minute and ten of rest, in turn.
    ///
    /// Adjacent segments differ in their probability, so that the history does not join them.
    ///
    /// - Parameters:
    ///   - seconds: The range in seconds since 1970.
    ///   - rest: The duration of a segment of rest in seconds; one of walking lasts a second.
    static func allDay(_ seconds: Range<Int64>, rest: Int64 = 5) -> [MotionEvent] {
        var events: [MotionEvent] = []
        var second = seconds.lowerBound
        while second < seconds.upperBound {
            let walks = second / 600 % 2 == 0
            // Five steps in six seconds are 50 a minute.
            let steps = walks && second % 6 != 5 ? 1 : 0
            if steps > 0 { events.append(step(at: second * 1_000_000_000 + 123_456_789)) }
            let end = second + (walks ? 1 : rest)
            events.append(segment(second..<end, walks ? .walking : .stationary, steps: steps))
            second = end
        }
        return events
    }

    /// A walk with two steps a second, in segments of 50 s.
    static func dense(_ seconds: Range<Int64>) -> [MotionEvent] {
        stride(from: seconds.lowerBound, to: seconds.upperBound, by: 50).flatMap { start -> [MotionEvent] in
            let steps = (0..<100).map { step(at: start * 1_000_000_000 + $0 * 500_000_000) }
            return steps + [segment(start..<start + 50, .walking, steps: steps.count, probability: 0.9)]
        }
    }

    /// One segment a second without steps.
    static func pieces(_ seconds: Range<Int64>) -> [MotionEvent] {
        seconds.map { segment($0..<$0 + 1, .stationary, steps: 0) }
    }

    /// Ten seconds with samples in every half minute.
    static func gaps(_ seconds: Range<Int64>) -> [MotionEvent] {
        stride(from: seconds.lowerBound, to: seconds.upperBound, by: 30).map {
            segment($0..<$0 + 10, .stationary, steps: 0)
        }
    }

    static func range(_ seconds: Range<Int64>) -> Range<Timestamp> {
        let (start, end) = (seconds.lowerBound * 1_000_000_000, seconds.upperBound * 1_000_000_000)
        return Timestamp(nanosecondsSince1970: start)..<Timestamp(nanosecondsSince1970: end)
    }

    private static func step(at nanoseconds: Int64) -> MotionEvent {
        .step(Step(time: Timestamp(nanosecondsSince1970: nanoseconds)))
    }

    private static func segment(
        _ seconds: Range<Int64>, _ flags: ActivityFlags, steps: Int, probability: Float? = nil
    ) -> MotionEvent {
        let varied = Float(900 + seconds.lowerBound * 7919 % 97) / 1000
        return .segment(
            Segment(range: range(seconds), flags: flags, probability: probability ?? varied, steps: steps))
    }
}
