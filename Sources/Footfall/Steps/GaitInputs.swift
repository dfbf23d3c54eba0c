/// What the walking gate and its check read from samples, second by second. They are trained on it.
///
/// The samples pass the same stages as those of a ``MotionAnalyzer``. Each second is measured, also the ones that an
/// analyzer skips because they are still, follow a quiet one or have too low a rate.
package struct GaitInputs: Sendable {
    /// The number of cadences of a second, and the number of inputs of each.
    package static let cadences = GaitFeatures.mostCandidates
    package static let inputs = GaitFeatures.Inputs.count

    /// A contiguous signal. Value n of the half-rate grid belongs to n · 40 ms since 1970.
    package struct Signal: Sendable {
        /// The number of the first value.
        package let start: Int64
        /// x, y, z and magnitude of each value below 5 Hz, in g, and the magnitude of the rest.
        package fileprivate(set) var values: [Float] = []
        /// The first second with a cadence.
        package let firstSecond: Int64
        /// For each second its cadences in Hz, the most regular first; 0 for none.
        package fileprivate(set) var cadences: [Float] = []
        /// For each cadence the inputs of the gate, and those that only the check has; 0 for none.
        package fileprivate(set) var inputs: [Float] = []
    }

    /// The numbers of a value in ``Signal/values``.
    package static let lanes = 5

    private var intake = SampleIntake()
    private var impulses = ImpulseFilter()
    private var gate = WalkingGate()
    /// The cells of the contiguous signal so far.
    private var current: (resampler: Resampler, cells: SignalBuffer)?
    private var signals: [Signal] = []

    package init() {}

    /// Adds the next samples.
    package mutating func add(_ batch: SampleBatch) { add(intake.add(batch)) }

    /// The contiguous signals of all samples, in order of time.
    package mutating func finish() -> [Signal] {
        add(intake.finish())
        var settled = SampleBatch()
        impulses.finish(to: &settled)
        resample(settled, settled.indices)
        endSignal()
        return signals
    }

    private mutating func add(_ samples: RepairedSamples) {
        for (batch, positions) in samples.parts {
            var settled = SampleBatch()
            let rest = impulses.add(batch, positions, to: &settled)
            resample(settled, settled.indices)
            resample(batch, rest)
        }
    }

    private mutating func resample(_ samples: SampleBatch, _ positions: Range<Int>) {
        var left = positions
        while !left.isEmpty {
            var (resampler, cells) = current.take() ?? Self.begin(with: samples[left.removeFirst()])
            var hasGap = false
            while !left.isEmpty, !hasGap {
                let end = AnalysisGrid.cells.start(of: AnalysisGrid.cells.second(of: cells.end) + 1)
                let next = resampler.add(samples, left, until: end, to: &cells)
                hasGap = next == left.lowerBound
                left = next..<left.upperBound
            }
            current = (resampler, cells)
            if hasGap { endSignal() }
        }
    }

    private static func begin(with sample: AccelerationSample) -> (Resampler, SignalBuffer) {
        let resampler = Resampler(sample)
        return (resampler, SignalBuffer(start: resampler.nextCell))
    }

    private mutating func endSignal() {
        guard let (_, cells) = current.take() else { return }
        var parts = SplitSignal(firstCell: cells.start)
        let end = AnalysisGrid.halfRate(of: cells.range).upperBound
        parts.extend(cells, from: parts.start, to: end)
        var second = StepDetector.firstScored(in: parts)
        var signal = Signal(start: parts.start, firstSecond: second)
        for (smooth, rough) in zip(parts.lowPassed.slice(parts.lowPassed.range), parts.rough.slice(parts.rough.range)) {
            signal.values += [smooth.x, smooth.y, smooth.z, smooth.w, rough.w]
        }
        while StepDetector.isScored(second, in: parts, endingAt: end) {
            let rows = gate.inputs(in: parts, around: AnalysisGrid.halfRate.middle(of: second))
            for index in 0..<Self.cadences {
                let row = index < rows.count ? rows[index] : (0, GaitFeatures.Inputs(repeating: 0))
                signal.cadences.append(row.0)
                for input in row.1.indices { signal.inputs.append(row.1[input]) }
            }
            second += 1
        }
        if !signal.cadences.isEmpty { signals.append(signal) }
    }
}
