internal import Footfall

extension TraceFigure {
    /// Draws a lane for each decision on steps that was made, from a bout down to no cadence.
    mutating func drawDecisions() {
        let lanes = StepDecision.allCases.enumerated().reversed().compactMap { index, decision in
            let seconds = columns.reduce(0) { $0 + Double($1.column.decisions[index]) }
            return seconds > 0 ? (index: index, decision: decision, seconds: seconds) : nil
        }
        guard !lanes.isEmpty else { return }
        for (lane, base) in zip(lanes, beginLanes(lanes.count)) {
            drawLane(lane.decision.label, lane.seconds, base: base)
            canvas.path(bars(base) { (0, $0.decisions[lane.index]) }, fill: Palette.signal)
        }
    }
}

extension StepDecision {
    fileprivate var label: String {
        switch self {
        case .noCadence: "no cadence"
        case .otherRhythm: "other rhythm"
        case .unconfirmed: "unconfirmed"
        case .bout: "bout"
        }
    }
}
