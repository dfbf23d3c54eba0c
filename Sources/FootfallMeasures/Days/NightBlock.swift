public import Footfall

/// The night between two noons: the longest block of rest, by the angle of the sensor and by wear.
///
/// The rule is the heuristic of V. T. van Hees et al., Estimating sleep parameters using an accelerometer without sleep
/// diary, Scientific Reports 8, 12975, 2018: an epoch rests while the median change of angle z over five minutes is
/// below a threshold, 15 times the 10th percentile of the medians; blocks of rest longer than 30 min are joined over
/// breaks shorter than an hour, and the longest is the night. The threshold has the bounds of GGIR. The block tells the
/// night from the day; it says nothing about sleep.
///
/// Of epochs of 1 s every fifth counts. In epochs above 5 s the night is unclear.
///
/// A block contains no bout of steps above ``longestBout``: who walks is not in bed. The rule is validated at the
/// wrist, where its angle is that of the arm.
///
/// Deviations: an epoch without wear rests; a block below ``leastHours`` is no night; a recording of at most
/// ``leastRecordedHours`` may start or end in the night.
public enum NightBlock: Hashable, Sendable {
    /// The block.
    case found(Range<Timestamp>)
    /// Too little of the time between the noons is recorded to contain a night.
    case notRecorded
    /// The time is recorded, but no block is long enough.
    case unclear

    /// The least length of a night, in hours: 3.
    public static let leastHours = 3.0
    /// The recorded hours between two noons above which they contain a whole night: 12.
    public static let leastRecordedHours = 12.0

    /// The longest bout of steps in a night, in seconds: 60. A way to the bathroom is shorter.
    public static let longestBout = 60.0
    /// The placement at which the rule is validated.
    public static let placement = SensorPlacement.wrist

    /// The bounds of the threshold, in degrees, as in GGIR.
    private static let bounds: ClosedRange<Float> = 0.13...0.5
    private static let medianEpochs = 60
    private static let leastRest = 1800.0
    private static let longestBreak = 3600.0

    /// Finds the night.
    ///
    /// - Parameters:
    ///   - epochs: The epochs between two noons, worn or not, in ascending order, with angles.
    ///   - steps: The times of the steps between the noons, in ascending order.
    /// - Complexity: Linear in the number of epochs, times the epochs of five minutes.
    public init(in epochs: [EpochMeasures], steps: [Timestamp] = []) {
        guard epochs.allSatisfy({ $0.length.seconds <= EpochMeasures.seconds }) else {
            self = .unclear
            return
        }
        let epochs = epochs.filter { epoch in
            let seconds = epoch.start.seconds(since: .epoch).rounded()
            return epoch.length == .five || seconds.remainder(dividingBy: EpochMeasures.seconds) == 0
        }
        let changes = zip(epochs, epochs.dropFirst()).map { first, next -> Float in
            guard let angle = first.angleZDegrees, let nextAngle = next.angleZDegrees else { return 0 }
            return Float(abs(nextAngle - angle))
        }
        let medians = changes.rollingMedians(of: Self.medianEpochs)
        let percentile = zip(epochs, medians).filter(\.0.isWorn).map { Double($1) }.sorted().sortedQuantile(0.1) ?? 0
        let threshold = min(max(15 * Float(percentile), Self.bounds.lowerBound), Self.bounds.upperBound)
        let bouts = steps.reduce(into: [Bout]()) { $0.add($1) }.map(\.range).filter { $0.seconds > Self.longestBout }
        let rest = zip(epochs, medians).filter { !$0.isWorn || $1 < threshold }.map(\.0.range).removing(bouts)
        let blocks = rest.joined(over: EpochMeasures.seconds / 2).filter { $0.seconds > Self.leastRest }
            .joined(over: Self.longestBreak, unless: bouts)
        let isPart = Double(epochs.count) * EpochMeasures.seconds <= Self.leastRecordedHours * 3600
        let nights = blocks.filter { block in
            let isAtEdge = block.lowerBound == epochs.first?.start || block.upperBound == epochs.last?.range.upperBound
            return block.seconds >= Self.leastHours * 3600 || isPart && isAtEdge
        }
        if let longest = nights.max(by: { $0.seconds < $1.seconds }) {
            self = .found(longest)
        } else {
            self = isPart ? .notRecorded : .unclear
        }
    }
}

extension EpochMeasures {
    fileprivate var range: Range<Timestamp> { start..<start.advanced(bySeconds: Self.seconds) }
}

extension [Range<Timestamp>] {
    /// The ranges that overlap none of others. Both are in ascending order.
    fileprivate func removing(_ others: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var rest = others[...]
        return filter { range in
            while let first = rest.first, first.upperBound <= range.lowerBound { rest.removeFirst() }
            return rest.first.map { $0.lowerBound >= range.upperBound } ?? true
        }
    }

    /// The ranges with those joined that are less than some seconds apart, unless a bout lies between them.
    fileprivate func joined(over seconds: Double, unless bouts: [Range<Timestamp>] = []) -> [Range<Timestamp>] {
        reduce(into: []) { blocks, next in
            if let last = blocks.last, next.lowerBound.seconds(since: last.upperBound) < seconds,
                !bouts.contains(where: { last.upperBound <= $0.upperBound && $0.lowerBound <= next.lowerBound })
            {
                blocks[blocks.count - 1] = last.lowerBound..<next.upperBound
            } else {
                blocks.append(next)
            }
        }
    }
}

extension [Float] {
    /// The median of the values around each place, and one for the place after the last; fewer values at the ends.
    fileprivate func rollingMedians(of width: Int) -> [Float] {
        var sorted: [Float] = []
        for value in prefix(width / 2) { sorted.insert(value, at: sorted.position(of: value)) }
        return (0...count).map { index in
            let (added, removed) = (index + width / 2, index - width / 2 - 1)
            if added < count { sorted.insert(self[added], at: sorted.position(of: self[added])) }
            if removed >= 0 { sorted.remove(at: sorted.position(of: self[removed])) }
            guard !sorted.isEmpty else { return 0 }
            let middle = sorted.count / 2
            return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        }
    }
}
