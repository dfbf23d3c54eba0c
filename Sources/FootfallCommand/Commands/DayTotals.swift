import Footfall
import FootfallReport
import Foundation

/// The steps and the covered seconds of a local day.
struct DayTotal: Sendable {
    /// From midnight to midnight.
    let range: Range<Timestamp>
    var steps = 0
    var coverage = 0.0
}

/// The totals of each local day, added up as the events come.
struct DayTotals: Sendable {
    private let zone: TimeZone
    private var totals: [Timestamp: DayTotal] = [:]
    private var day: Range<Timestamp>?

    init(in zone: TimeZone) { self.zone = zone }

    /// The days with samples, in the order of time.
    var days: [DayTotal] { totals.values.sorted { $0.range.lowerBound < $1.range.lowerBound } }

    mutating func add(_ event: MotionEvent) {
        switch event {
        case .step(let step): update(day(of: step.time)) { $0.steps += 1 }
        case .segment(let segment):
            var rest = segment.range
            while !rest.isEmpty {
                let day = day(of: rest.lowerBound)
                let part = rest.clamped(to: day)
                update(day) { $0.coverage += part.seconds }
                guard day.contains(rest.lowerBound) else { return }
                rest = part.upperBound..<rest.upperBound
            }
        case .gap: break
        }
    }

    private mutating func day(of moment: Timestamp) -> Range<Timestamp> {
        if let day, day.contains(moment) { return day }
        let found = zone.day(of: moment)
        day = found
        return found
    }

    private mutating func update(_ day: Range<Timestamp>, _ change: (inout DayTotal) -> Void) {
        change(&totals[day.lowerBound, default: DayTotal(range: day)])
    }
}
