package import Footfall
internal import FootfallHistory
internal import Foundation

/// The steps and the covered seconds of a local day.
package struct DayTotal: Sendable {
    /// From midnight to midnight.
    package let range: Range<Timestamp>
    package var steps = 0
    package var coverage = 0.0
}

/// The totals of each local day, added up as the events come.
struct DayTotals: Sendable {
    private let zone: TimeZone
    /// The days with samples, in the order of time.
    private(set) var days: [DayTotal] = []

    init(in zone: TimeZone) { self.zone = zone }

    mutating func add(_ event: MotionEvent) {
        switch event {
        case .step(let step): days[day(of: step.time)].steps += 1
        case .segment(let segment):
            var rest = segment.range
            while !rest.isEmpty {
                let day = day(of: rest.lowerBound)
                let part = rest.clamped(to: days[day].range)
                days[day].coverage += part.seconds
                guard days[day].range.contains(rest.lowerBound) else { return }
                rest = part.upperBound..<rest.upperBound
            }
        case .gap, .nonWear: break
        }
    }

    /// The position of the day around a moment. Events come in order of time, so it is nearly always the last one.
    private mutating func day(of moment: Timestamp) -> Int {
        if let last = days.indices.last, days[last].range.contains(moment) { return last }
        let range = zone.day(of: moment)
        let next = days.firstIndex { range.lowerBound <= $0.range.lowerBound } ?? days.endIndex
        if next == days.endIndex || days[next].range != range { days.insert(DayTotal(range: range), at: next) }
        return next
    }
}
