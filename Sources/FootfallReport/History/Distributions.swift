internal import Footfall
internal import FootfallHistory

/// The steps of a range by cadence, in bins of five steps per minute.
struct CadenceDistribution {
    /// The width of a bin in steps per minute.
    static let binWidth = 5
    /// The least range of the axis: the cadences of walking.
    private static let usual = 80...140
    /// The ends of the axis are multiples of this.
    static let labelWidth = 20

    struct Bin {
        var cadence: Int
        var walking = 0
        var running = 0
        /// Steps outside walking and running.
        var other = 0

        var steps: Int { walking + running + other }
        /// `100 to 105`
        var name: String { "\(cadence) to \(cadence + CadenceDistribution.binWidth)" }
    }

    private(set) var bins: [Bin] = []
    /// The upper median of the cadence; nil without cadences.
    private(set) var median: Int?
    /// The number of steps without a cadence, because no other step is close.
    private(set) var isolated: Int

    /// Counts the steps of segments, both in order.
    init(_ stepTimes: [Timestamp], _ segments: [RecordedSegment]) {
        let cadences = stepTimes.map { Step(time: $0) }.cadences()
        isolated = stepTimes.count - cadences.count
        guard !cadences.isEmpty else { return }
        func bin(_ cadence: Double) -> Int { Int(clamping: min(cadence, 1000) / Double(Self.binWidth)) }
        let values = cadences.map(\.stepsPerMinute).sorted()
        median = values.upperMedian().map { Int(clamping: $0.rounded()) }
        let lowest = min(bin(values[0]), Self.usual.lowerBound / Self.binWidth)
        let highest = max(bin(values[values.count - 1]), Self.usual.upperBound / Self.binWidth - 1)
        bins = (lowest...highest).map { Bin(cadence: $0 * Self.binWidth) }
        var rest = segments[...]
        for cadence in cadences {
            rest = rest.drop { $0.clippedRange.upperBound <= cadence.time }
            let segment = rest.first.flatMap { $0.clippedRange.contains(cadence.time) ? $0 : nil }
            let index = bin(cadence.stepsPerMinute) - lowest
            switch segment?.activity {
            case .walking: bins[index].walking += 1
            case .running: bins[index].running += 1
            default: bins[index].other += 1
            }
        }
    }

    /// The cadences of the axis, from one label to another.
    var range: Range<Int> {
        let low = bins.first?.cadence ?? Self.usual.lowerBound
        let high = (bins.last?.cadence ?? Self.usual.upperBound) + Self.binWidth
        return low / Self.labelWidth * Self.labelWidth..<(high + Self.labelWidth - 1) / Self.labelWidth
            * Self.labelWidth
    }
}

/// The bouts within a range of lengths.
struct BoutClass {
    /// The range of lengths in seconds.
    let seconds: Range<Double>
    private(set) var bouts = 0
    private(set) var steps = 0
    private(set) var time = 0.0

    /// The limits of the classes in seconds.
    private static let bounds: [Double] = [0, 10, 30, 60, 120, 300, 600, 1800, .infinity]

    static func classes(_ bouts: [Bout]) -> [BoutClass] {
        var classes = zip(bounds, bounds.dropFirst()).map { BoutClass(seconds: $0..<$1) }
        for bout in bouts {
            guard let index = classes.firstIndex(where: { $0.seconds.contains(bout.duration) }) else { continue }
            classes[index].bouts += 1
            classes[index].steps += bout.steps
            classes[index].time += bout.duration
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
        seconds < 60 ? "\(Int(clamping: seconds)) s" : "\(Int(clamping: seconds / 60)) min"
    }
}
