package import Footfall

/// Two walks on consecutive days that share 300 steps, divided differently from one recording to the next. An answer
/// that mixes two recordings has another total.
package enum ShiftingWalks {
    /// The steps of both days together.
    package static let steps = 300

    /// A recording of both days: 100 or 200 steps at 8 o'clock on the first day, and the others on the second.
    package static func events(of call: Int, from start: Timestamp) -> [MotionEvent] {
        let first = call % 2 == 0 ? 100 : 200
        return [first, steps - first].enumerated().flatMap { day, steps -> [MotionEvent] in
            let walk = start.advanced(bySeconds: Double(day) * 86400 + 8 * 3600)
            let times = (0..<steps).map { walk.advanced(bySeconds: Double($0) / 2) }
            let segment = Segment(
                range: walk..<walk.advanced(bySeconds: 120), flags: .walking, probability: 0.9, steps: steps)
            return times.map { .step(Step(time: $0)) } + [.segment(segment)]
        }
    }
}
