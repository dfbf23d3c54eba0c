/// The first stage: puts the times of samples in order, checks the sensor and puts back values that left its range,
/// once for all stages that follow.
///
/// ```swift
/// var intake = SampleIntake()
/// for batch in batches {
///     let samples = intake.add(batch)
///     record(analyzer.analyze(samples), epochs.add(samples))
/// }
/// let rest = intake.finish()
/// record(analyzer.analyze(rest), epochs.add(rest) + epochs.finish())
/// ```
///
/// ``MotionAnalyzer`` has an intake of its own for samples that no other stage needs. How the samples are cut into
/// batches changes no result.
public struct SampleIntake: Sendable {
    private var repair = TimestampRepair()
    private var overflow = OverflowRepair()
    private var check = SensorCheck()

    /// The check of the sensor, from the values that it measured so far.
    public var sensor: SensorCheck {
        var sensor = check
        sensor.overflowed = overflow.count
        return sensor
    }

    /// Creates a stage for one series of samples.
    public init() {}

    /// Counts of the samples so far, and of those that were dropped. ``MotionAnalyzer`` adds coverage and gaps.
    var quality: SignalQuality { repair.quality }

    /// Adds the next samples, and returns those that are settled.
    ///
    /// - Complexity: Linear in the number of samples. Samples in order are not copied.
    public mutating func add(_ batch: SampleBatch) -> RepairedSamples {
        var (settled, findings) = (SampleBatch(), SensorFindings())
        var next = batch.startIndex
        var run = 0..<0
        while next < batch.endIndex {
            settled.append(contentsOf: batch, in: run)
            run = addRun(of: batch, from: &next, to: &settled, &findings)
        }
        return RepairedSamples(
            settled: settled, batch: batch, run: run, findings: findings, quality: quality, endsSignal: false)
    }

    /// Returns all waiting samples at the end of a series, or at a long pause. Later samples start a new contiguous
    /// signal.
    public mutating func finish() -> RepairedSamples {
        var (settled, findings) = (SampleBatch(), SensorFindings())
        finish(to: &settled, &findings)
        return RepairedSamples(
            settled: settled, batch: SampleBatch(), run: 0..<0, findings: findings, quality: quality, endsSignal: true)
    }

    /// Adds the samples of a batch up to the end of the next run that needs no repair and no copy, see
    /// ``TimestampRepair/addRun(of:from:to:)``.
    mutating func addRun(
        of batch: SampleBatch, from next: inout Int, to settled: inout SampleBatch, _ findings: inout SensorFindings
    ) -> Range<Int> {
        let first = settled.count
        let run = repair.addRun(of: batch, from: &next, to: &settled)
        return checked(&settled, from: first, batch, run, &findings)
    }

    mutating func finish(to settled: inout SampleBatch, _ findings: inout SensorFindings) {
        let first = settled.count
        repair.finish(to: &settled)
        _ = checked(&settled, from: first, SampleBatch(), 0..<0, &findings)
        check.endSignal(to: &findings)
    }

    /// Checks the sensor, and then puts values back into its range. Returns the positions in the batch that remain.
    private mutating func checked(
        _ settled: inout SampleBatch, from first: Int, _ batch: SampleBatch, _ run: Range<Int>,
        _ findings: inout SensorFindings
    ) -> Range<Int> {
        let fullScale = check.fullScale
        check.add(settled, first..<settled.count, to: &findings)
        check.add(batch, run, to: &findings)
        return overflow.repair(
            &settled, from: first, batch, run, fullScale: fullScale, mayLeap: findings.mayHaveImpulses)
    }
}

/// Samples in strictly increasing order of time from a ``SampleIntake``, and its settled findings about the sensor.
public struct RepairedSamples: Sendable {
    /// The used samples before those of `run`.
    fileprivate let settled: SampleBatch
    /// The samples as they were added, the dropped ones included.
    public let batch: SampleBatch
    /// The positions of the used samples of the batch that are not in `settled`.
    fileprivate let run: Range<Int>
    fileprivate let findings: SensorFindings
    /// Counts of all samples so far.
    let quality: SignalQuality
    /// Whether the contiguous signal ends after these samples.
    let endsSignal: Bool

    /// The used samples, as positions in one or two batches.
    package var parts: [(samples: SampleBatch, positions: Range<Int>)] {
        [(settled, settled.indices), (batch, run)].filter { !$0.1.isEmpty }
    }

    /// Spans of non-wear that the samples settle.
    package var nonWear: [Range<Timestamp>] { findings.nonWear }

    /// Whether two consecutive samples differ by as much as an impulse does.
    var mayHaveImpulses: Bool { findings.mayHaveImpulses }

    /// The clipped values among the samples, in order of time, and the values that extend the range.
    package var clippedValues: [ClippedValue] { findings.clipping }
}

extension RepairedSamples {
    /// No samples.
    package init() {
        self.init(
            settled: SampleBatch(), batch: SampleBatch(), run: 0..<0, findings: SensorFindings(),
            quality: SignalQuality(), endsSignal: false)
    }
}
