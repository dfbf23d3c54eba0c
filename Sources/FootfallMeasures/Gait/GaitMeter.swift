public import Footfall

/// Computes the gait measures of each gait bout, beside the analysis.
///
/// ```swift
/// var intake = SampleIntake()
/// var meter = GaitMeter(placement: .lowerBack)
/// for batch in batches {
///     let samples = intake.add(batch)
///     meter.add(samples)
///     record(meter.add(analyzer.analyze(samples)))
/// }
/// let rest = intake.finish()
/// meter.add(rest)
/// record(meter.add(analyzer.analyze(rest)) + meter.finish())
/// ```
///
/// A gait bout is a series of steps without a missing or an additional one: no step time differs from the mean of the
/// bout by more than ``largestDeviation``. How even its steps are is a measure of the bout,
/// ``GaitMeasures/cadenceVariation``. After ``longestSeconds`` the next bout starts, so that long and short walks are
/// comparable and the state is bounded: the samples of five minutes. How the samples are cut into batches changes no
/// result.
public struct GaitMeter: Sendable {
    /// The least duration of a bout, in seconds, unless another is given: 3.
    ///
    /// A walking bout has at least two strides of each foot, five steps, in F. Kluge et al., Consensus based framework
    /// for digital mobility monitoring, PLoS ONE 16(8), 2021. Slow steps of 0.75 s make them in 3 s. Give 10 for
    /// sustained harmonic walking as in J. K. Urbanek et al., Physiological Measurement 39, 2018.
    public static let leastSeconds = 3.0
    /// The fewest steps of a bout: two strides of each foot.
    public static let fewestSteps = 5
    /// The longest duration of a bout, in seconds.
    public static let longestSeconds = 60.0
    /// The largest difference of a step time from the mean of its bout, as a share of the mean: 0.5. Beyond it, a step
    /// is missing or additional.
    public static let largestDeviation = 0.5

    /// The time in seconds after which the analyzer has settled all events: a minute, and a margin.
    private static let settlingSeconds = 90.0
    /// The longest interval between two samples of a bout, in intervals of the mean rate.
    private static let longestInterval = 5.0

    /// The place of the sensor; nil if it is unknown.
    package let placement: SensorPlacement?
    /// The least duration of a bout, in seconds.
    package let leastSeconds: Double
    private var samples = SampleBatch()
    private var bout: [Timestamp] = []

    /// Creates a stage for one series of samples.
    ///
    /// - Parameters:
    ///   - placement: The place of the sensor; nil if it is unknown.
    ///   - leastSeconds: The least duration of a bout, in seconds.
    public init(placement: SensorPlacement? = nil, leastSeconds: Double = leastSeconds) {
        self.placement = placement
        self.leastSeconds = leastSeconds
    }

    /// Adds the next samples. Pass their events afterwards.
    ///
    /// - Parameter new: Samples of any rate, in g, gravity included.
    /// - Complexity: Linear in the number of samples.
    public mutating func add(_ new: RepairedSamples) {
        // Other placements have no measure that needs samples.
        guard placementObstacle == nil else { return }
        removeOldSamples()
        for (batch, positions) in new.parts { samples.append(contentsOf: batch, in: positions) }
    }

    /// Adds the next events of the analyzer.
    ///
    /// - Returns: The measures of the bouts that are now complete, in ascending order.
    public mutating func add(_ events: [MotionEvent]) -> [GaitMeasures] {
        events.compactMap { event in
            switch event {
            case .step(let step): add(step.time)
            case .segment(let segment): close(before: segment.range.upperBound)
            case .gap(let gap): close(before: gap.upperBound)
            case .nonWear: nil
            }
        }
    }

    /// Ends the series, after its last events.
    ///
    /// - Returns: The measures of the last bout.
    public mutating func finish() -> [GaitMeasures] { [closeBout()].compactMap(\.self) }

    private mutating func add(_ step: Timestamp) -> GaitMeasures? {
        guard let first = bout.first, let last = bout.last else {
            bout = [step]
            return nil
        }
        let interval = step.seconds(since: last)
        let mean = bout.count > 1 ? last.seconds(since: first) / Double(bout.count - 1) : interval
        let continues =
            interval > 0 && interval <= CadenceMeasures.longestStepInterval
            && abs(interval - mean) <= Self.largestDeviation * mean
        if continues, step.seconds(since: first) <= Self.longestSeconds {
            bout.append(step)
            return nil
        }
        let measures = closeBout()
        bout = continues ? [last, step] : [step]
        return measures
    }

    /// Ends the bout if all steps up to a time are known and none of them continues it.
    private mutating func close(before time: Timestamp) -> GaitMeasures? {
        guard let last = bout.last, time.seconds(since: last) > CadenceMeasures.longestStepInterval else { return nil }
        return closeBout()
    }

    private mutating func closeBout() -> GaitMeasures? {
        defer { bout = [] }
        guard let first = bout.first, let last = bout.last, bout.count >= Self.fewestSteps,
            last.seconds(since: first) >= leastSeconds
        else { return nil }
        var measures = GaitMeasures(steps: bout, in: first..<last)
        fill(&measures)
        return measures
    }

    /// Adds the measures that need samples, or the reasons against them.
    private func fill(_ measures: inout GaitMeasures) {
        if let placementObstacle {
            measures.withheld = [GaitMeasures.Withheld(measures: GaitMeasure.allCases, reason: placementObstacle)]
            return
        }
        let part = samples(around: measures.range)
        let rate =
            part.count > 1 ? Double(part.count - 1) / part.times[part.count - 1].seconds(since: part.times[0]) : 0
        let signal = self.signal(of: part, steps: bout, rate: rate)
        for measure in GaitMeasure.allCases {
            let least = measure.leastRate(strideTime: measures.strideTime)
            if rate < least {
                measures.withhold(measure, .rateTooLow(rate, least: least))
            } else {
                switch signal {
                case .success(let signal): measures.set(measure, from: signal)
                case .failure(let reason): measures.withhold(measure, reason)
                }
            }
        }
    }

    private var placementObstacle: GaitMeasures.Reason? {
        guard let placement else { return .placementUnknown }
        return GaitMeasure.placements.contains(placement) ? nil : .placementNotValidated(placement)
    }

    private func signal(
        of part: SampleBatch, steps: [Timestamp], rate: Double
    ) -> Result<GaitSignal, GaitMeasures.Reason> {
        guard let first = steps.first, let last = steps.last, let start = part.times.first, let end = part.times.last
        else { return .failure(.samplesMissing) }
        let times = part.times.map { $0.seconds(since: first) }
        let longest = zip(times, times.dropFirst()).lazy.map { $1 - $0 }.max() ?? .infinity
        guard start <= first, end >= last, longest * rate <= Self.longestInterval else {
            return .failure(.samplesMissing)
        }
        // The mean acceleration of a walk is that of gravity.
        let axes = [part.x, part.y, part.z].map { $0.map(Double.init) }
        let gravity = axes.map { $0.reduce(0, +) }
        let length = gravity.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let vertical = part.x.indices.map { index in
            (axes[0][index] * gravity[0] + axes[1][index] * gravity[1] + axes[2][index] * gravity[2]) / length
        }
        let signal = GaitSignal(
            times: times, axes: axes, vertical: vertical, steps: steps.map { $0.seconds(since: first) })
        guard let signal, signal.isClear else { return .failure(.contactsUnclear) }
        return .success(signal)
    }

    /// The samples from shortly before to shortly after a range.
    private func samples(around range: Range<Timestamp>) -> SampleBatch {
        let start = range.lowerBound.advanced(bySeconds: -GaitSignal.margin)
        let end = range.upperBound.advanced(bySeconds: GaitSignal.margin)
        return samples.part(samples.times.position(of: start)..<samples.times.position(of: end))
    }

    /// Removes the samples that no bout needs any more. It runs before new samples are added, when the events of all
    /// samples so far are known.
    private mutating func removeOldSamples() {
        guard let last = samples.times.last else { return }
        let settled = last.advanced(bySeconds: -Self.settlingSeconds)
        let start = min(bout.first ?? settled, settled).advanced(bySeconds: -GaitSignal.margin)
        let count = samples.times.position(of: start)
        // Moving the rest costs time, so it waits until it is at most the smaller half.
        if count > samples.count / 2 { samples = samples.part(count..<samples.count) }
    }
}

extension GaitMeasures {
    fileprivate mutating func withhold(_ measure: GaitMeasure, _ reason: Reason) {
        if let index = withheld.firstIndex(where: { $0.reason == reason }) {
            withheld[index] = Withheld(measures: withheld[index].measures + [measure], reason: reason)
        } else {
            withheld.append(Withheld(measures: [measure], reason: reason))
        }
    }

    fileprivate mutating func set(_ measure: GaitMeasure, from signal: GaitSignal) {
        switch measure {
        case .variability:
            stepTimeDeviation = signal.times(over: 1).standardDeviation
            strideTimeDeviation = signal.times(over: 2).standardDeviation
        case .asymmetry:
            if let even = signal.times(over: 1, parity: 0).mean, let odd = signal.times(over: 1, parity: 1).mean {
                stepTimeAsymmetry = abs(even - odd)
            }
        case .regularity:
            stepRegularity = signal.regularity(steps: 1)
            strideRegularity = signal.regularity(steps: 2)
        case .harmonicRatio: harmonicRatio = signal.harmonicRatio
        case .spectralArcLength: spectralArcLength = signal.spectralArcLength
        case .rms: rms = signal.rms
        case .verticalExcursion: verticalExcursion = signal.verticalExcursion
        }
    }
}
