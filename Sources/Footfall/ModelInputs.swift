/// What the activity classifier reads from samples, second by second. It is trained on it. The samples pass the same
/// stages as those of a ``MotionAnalyzer``. Each whole second has a window of its own, also a second of a bout, of a
/// quiet window or of too low a rate. An analyzer has one window for two seconds.
package struct ActivityInputs: Sendable {
    /// The window around the middle of a second.
    package struct Window: Sendable {
        /// The number of the second since 1970.
        package let second: Int64
        /// The sixteen features.
        package let features: [Float]
        /// The root mean square of the axes together without their means, in g.
        package let rms: Float
        /// The sample rate over half a minute, in Hz.
        package let rate: Float
        /// Whether the classifier classifies the window as noise.
        package let isNoise: Bool
        /// Whether the window cannot be that of a bicycle.
        package let isSprung: Bool
    }

    private var resampled = ResampledSignals()
    private let extractor = FeatureExtractor()
    private var windows: [Window] = []

    package init() {}

    package mutating func add(_ batch: SampleBatch) {
        for signal in resampled.add(batch) { measure(signal) }
    }

    /// The windows of all samples, in order of time. The seconds of a contiguous signal are consecutive.
    package mutating func finish() -> [Window] {
        for signal in resampled.finish() { measure(signal) }
        return windows
    }

    private mutating func measure(_ signal: ResampledSignals.Signal) {
        let grid = AnalysisGrid.cells
        var extractor = extractor
        // The whole seconds; a signal within one second has none.
        let first = grid.second(of: signal.cells.start - 1) + 1
        for second in stride(from: first, to: grid.second(of: signal.cells.end), by: 1) {
            let middle = grid.middle(of: second)
            guard let features = extractor.features(of: signal.cells, around: middle, measuresQuiet: true) else {
                return
            }
            let rate = signal.rates.rate(around: second, reach: ContiguousSignal.rateReach)
            windows.append(
                Window(
                    second: second, features: (0..<16).map { features.values[$0] }, rms: features.rms, rate: rate,
                    isNoise: ActivityClassifier.isNoise(features, rate: rate),
                    isSprung: CarSuspension.excludesBicycle(features, rate: rate)))
        }
    }
}

/// What the walking gate and its check read from samples, second by second. They are trained on it. The samples pass
/// the same stages as those of a ``MotionAnalyzer``. Each second is measured, also the ones that an analyzer skips
/// because they are still, follow a quiet one or have too low a rate.
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

    private var resampled = ResampledSignals()
    private var gate = WalkingGate()
    private var signals: [Signal] = []

    package init() {}

    package mutating func add(_ batch: SampleBatch) {
        for signal in resampled.add(batch) { measure(signal.cells, signal.rates) }
    }

    /// The contiguous signals of all samples, in order of time.
    package mutating func finish() -> [Signal] {
        for signal in resampled.finish() { measure(signal.cells, signal.rates) }
        return signals
    }

    private mutating func measure(_ cells: SignalBuffer, _ rates: RateMeter) {
        var parts = SplitSignal(firstCell: cells.start)
        let seconds = Int64(cells.range.count) / AnalysisGrid.cells.hertz
        parts.sampleRate = rates.rate(around: AnalysisGrid.cells.second(of: cells.start) + seconds / 2, reach: seconds)
        let end = AnalysisGrid.halfRate(of: cells.range).upperBound
        parts.extend(cells, from: parts.start, to: end)
        var second = StepDetector.firstScored(in: parts)
        var signal = Signal(start: parts.start, firstSecond: second)
        for (smooth, difference) in zip(
            parts.lowPassed.slice(parts.lowPassed.range), parts.highPassed.slice(parts.highPassed.range))
        {
            signal.values += [smooth.x, smooth.y, smooth.z, smooth.w, difference.w]
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
