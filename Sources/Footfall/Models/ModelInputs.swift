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
