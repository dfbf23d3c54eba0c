internal import Footfall

/// How many steps were taken at which cadence.
struct CadenceDistribution {
    /// The width of a bin in steps a minute.
    static let binWidth = 5
    /// Cadences that are shown in any case: those of walking.
    private static let usual = 80...140
    /// The axis begins and ends at multiples of this.
    static let labelWidth = 20

    struct Bin {
        /// Its lowest cadence.
        var cadence: Int
        var walking = 0
        var running = 0
        /// Steps that nothing more is known of.
        var other = 0

        var steps: Int { walking + running + other }
        /// `100 to 105`
        var name: String { "\(cadence) to \(cadence + CadenceDistribution.binWidth)" }
    }

    /// From the lowest to the highest cadence, without holes.
    private(set) var bins: [Bin] = []
    /// Half of the steps are at this cadence or at a higher one; nil without steps.
    private(set) var median: Int?
    /// How many steps have no other close enough to tell a cadence.
    private(set) var lone: Int

    /// Works out the cadence at each step.
    ///
    /// - Parameter spans: What was done when, in order.
    init(_ stepTimes: [Timestamp], _ spans: [ReportDay.Span]) {
        let cadences = stepTimes.map { Step(time: $0) }.cadences()
        lone = stepTimes.count - cadences.count
        guard !cadences.isEmpty else { return }
        func bin(_ cadence: Double) -> Int { Int(min(cadence, 1000) / Double(Self.binWidth)) }
        let values = cadences.map(\.stepsPerMinute).sorted()
        median = Int(values[values.count / 2].rounded())
        let lowest = min(bin(values[0]), Self.usual.lowerBound / Self.binWidth)
        let highest = max(bin(values[values.count - 1]), Self.usual.upperBound / Self.binWidth - 1)
        bins = (lowest...highest).map { Bin(cadence: $0 * Self.binWidth) }
        var next = 0
        for cadence in cadences {
            while next < spans.count, spans[next].range.upperBound <= cadence.time { next += 1 }
            let isInside = next < spans.count && spans[next].range.contains(cadence.time)
            let index = bin(cadence.stepsPerMinute) - lowest
            switch isInside ? spans[next].activity : .unknown {
            case .walking: bins[index].walking += 1
            case .running: bins[index].running += 1
            default: bins[index].other += 1
            }
        }
    }

    /// From the lowest to the highest cadence of the axis.
    var range: Range<Int> {
        let low = bins.first?.cadence ?? Self.usual.lowerBound
        let high = (bins.last?.cadence ?? Self.usual.upperBound) + Self.binWidth
        return low / Self.labelWidth * Self.labelWidth..<(high + Self.labelWidth - 1) / Self.labelWidth
            * Self.labelWidth
    }
}

/// The bouts whose length lies between two others.
struct BoutClass {
    /// Seconds from the first to the last step.
    let seconds: Range<Double>
    private(set) var bouts = 0
    private(set) var steps = 0
    private(set) var time = 0.0

    /// Lengths that tell bouts apart, in seconds: from a few steps to a walk worth its name.
    private static let bounds: [Double] = [0, 10, 30, 60, 120, 300, 600, 1800, .infinity]

    /// Sorts bouts by their length.
    static func classes(_ bouts: [ReportBout]) -> [BoutClass] {
        var classes = zip(bounds, bounds.dropFirst()).map { BoutClass(seconds: $0..<$1) }
        for bout in bouts {
            guard let index = classes.firstIndex(where: { $0.seconds.contains(bout.range.seconds) }) else { continue }
            classes[index].bouts += 1
            classes[index].steps += bout.steps
            classes[index].time += bout.range.seconds
        }
        return classes
    }

    private init(seconds: Range<Double>) { self.seconds = seconds }

    /// `under 10 s`, `10 s to 30 s`, `30 min and more`
    var name: String {
        if seconds.lowerBound == 0 { return "under \(Self.short(seconds.upperBound))" }
        if seconds.upperBound == .infinity { return "\(Self.short(seconds.lowerBound)) and more" }
        return "\(Self.short(seconds.lowerBound)) to \(Self.short(seconds.upperBound))"
    }

    /// `10 s`, `5 min`
    static func short(_ seconds: Double) -> String {
        seconds < 60 ? "\(Int(seconds)) s" : "\(Int(seconds / 60)) min"
    }
}
