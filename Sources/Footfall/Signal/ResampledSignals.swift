/// Divides samples at gaps and resamples each contiguous signal as a whole, for the training of the models.
///
/// Up to the resampling, the samples pass the same stages as in a ``MotionAnalyzer``.
struct ResampledSignals: Sendable {
    /// A contiguous signal on the analysis grid, and its sample rate second by second.
    struct Signal: Sendable {
        fileprivate var resampler: Resampler
        fileprivate(set) var cells: SignalBuffer
        fileprivate(set) var rates: RateMeter

        fileprivate init(_ sample: AccelerationSample) {
            resampler = Resampler(sample)
            cells = SignalBuffer(start: resampler.nextCell)
            rates = RateMeter(firstSecond: AnalysisGrid.cells.second(of: cells.start))
            count(sample)
        }

        /// Adds samples up to the first gap. Returns the position of the first sample after it, or the end of
        /// `positions`.
        fileprivate mutating func add(_ samples: SampleBatch, _ positions: Range<Int>) -> Int {
            var next = positions.lowerBound
            while next < positions.upperBound {
                let start = next
                let end = AnalysisGrid.cells.start(of: AnalysisGrid.cells.second(of: cells.end) + 1)
                next = resampler.add(samples, start..<positions.upperBound, until: end, to: &cells)
                guard next > start else { break }
                for position in start..<next { count(samples[position]) }
            }
            return next
        }

        private mutating func count(_ sample: AccelerationSample) {
            let cell = AnalysisGrid.cells.index(at: sample.time.nanosecondsSince1970)
            rates.count(at: AnalysisGrid.cells.second(of: cell))
        }
    }

    private var intake = SampleIntake()
    private var impulses = ImpulseFilter()
    private var current: Signal?

    /// Adds the next samples. Returns the signals that end at a gap.
    mutating func add(_ batch: SampleBatch) -> [Signal] {
        var signals: [Signal] = []
        add(intake.add(batch), &signals)
        return signals
    }

    /// Ends the samples. Returns the last signals.
    mutating func finish() -> [Signal] {
        var signals: [Signal] = []
        add(intake.finish(), &signals)
        var settled = SampleBatch()
        impulses.finish(to: &settled)
        resample(settled, settled.indices, &signals)
        if let last = current.take() { signals.append(last) }
        return signals
    }

    private mutating func add(_ samples: RepairedSamples, _ signals: inout [Signal]) {
        for (batch, positions) in samples.parts {
            var settled = SampleBatch()
            let rest = impulses.add(batch, positions, mayHaveImpulses: samples.mayHaveImpulses, to: &settled)
            resample(settled, settled.indices, &signals)
            resample(batch, rest, &signals)
        }
    }

    private mutating func resample(_ samples: SampleBatch, _ positions: Range<Int>, _ signals: inout [Signal]) {
        var left = positions
        while !left.isEmpty {
            var signal = current.take() ?? Signal(samples[left.removeFirst()])
            left = signal.add(samples, left)..<left.upperBound
            if left.isEmpty { current = signal } else { signals.append(signal) }
        }
    }
}
