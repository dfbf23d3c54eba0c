#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds the strikes of the feet within a bout: the crests of the magnitude around the cadence.
struct StrikeFinder: Sendable {
    /// Steps are only counted where the amplitude is at least this share of the bout's: people pause within a bout.
    private static let liveliness: Float = 0.5
    /// Half the time over which the amplitude at a strike is taken, in cells: 0.9 s in all.
    private static let amplitudeReach: Int64 = 22
    /// Seconds before and after a strike whose median amplitude stands for the bout's.
    private static let boutMemory: (before: Int64, after: Int64) = (12, 4)
    /// No other crest within this share of a step period may be higher.
    private static let dominance: Float = 0.35
    /// Faster and harder than this, in Hz and g, and it is running (Cappellini et al., J Neurophysiol 2006: the change
    /// of gait lies near 2 m/s, 150 steps a minute).
    private static let running: (cadence: Float, amplitude: Float) = (2.3, 0.42)

    /// The first second of the bout.
    private var boutStart: Int64?

    /// Forgets the bout; the next second with a cadence begins another one.
    mutating func endBout() {
        boutStart = nil
    }

    /// The strikes in a second of a confirmed bout.
    mutating func find(in second: Int64, _ verdict: CadenceTracker.Verdict, _ smooth: Grid) -> StepDetector.Second {
        guard let cadence = verdict.cadence.map({ WalkingGate.cadences[$0] }) else {
            return StepDetector.Second(second: second)
        }
        let start = boutStart ?? second
        boutStart = start
        let hertz = Int64(Resampler.hertz)
        let usual = boutAmplitude(around: second, boutStart: start, in: smooth)
        let gait: StepDetector.Gait =
            cadence >= Self.running.cadence && usual >= Self.running.amplitude ? .running : .walking
        var result = StepDetector.Second(second: second, gait: gait, evidence: verdict.evidence)
        for cell in crests(in: second * hertz..<(second + 1) * hertz, cadence: cadence, smooth)
        where amplitude(around: cell, in: smooth) >= Self.liveliness * usual {
            result.steps.append(Timestamp(nanosecondsSince1970: cell * Resampler.period + Resampler.period / 2))
        }
        return result
    }

    /// The cells where the magnitude, band-passed around the cadence, has its crests.
    private func crests(in cells: Range<Int64>, cadence: Float, _ smooth: Grid) -> [Int64] {
        let period = Float(Resampler.hertz) / cadence
        let reach = Int64(max(1, Self.dominance * period))
        let band = BandPass(period: period)
        let needed = cells.lowerBound - reach - 1..<cells.upperBound + reach + 1
        let values = band.values(of: smooth, in: needed)
        return cells.filter { cell in
            let centre = Int(cell - needed.lowerBound)
            let value = values[centre]
            guard value > 0, cell >= smooth.start, cell < smooth.end else { return false }
            let before = values[(centre - Int(reach))..<centre]
            let after = values[(centre + 1)...(centre + Int(reach))]
            return before.allSatisfy { $0 < value } && after.allSatisfy { $0 <= value }
        }
    }

    /// The standard deviation of the magnitude around a cell, in g.
    private func amplitude(around cell: Int64, in smooth: Grid) -> Float {
        let range = max(smooth.start, cell - Self.amplitudeReach)..<min(smooth.end, cell + Self.amplitudeReach + 1)
        var sum: Float = 0
        var squares: Float = 0
        for value in smooth.slice(range) {
            sum += value[3]
            squares += value[3] * value[3]
        }
        let count = Float(range.upperBound - range.lowerBound)
        return max(squares / count - (sum / count) * (sum / count), 0).squareRoot()
    }

    /// The median amplitude of the bout around a second, in g.
    private func boutAmplitude(around second: Int64, boutStart: Int64, in smooth: Grid) -> Float {
        let hertz = Int64(Resampler.hertz)
        let first = max(boutStart, second - Self.boutMemory.before)
        let amplitudes = (first...(second + Self.boutMemory.after)).compactMap { second -> Float? in
            let middle = second * hertz + hertz / 2
            guard middle >= smooth.start, middle < smooth.end else { return nil }
            return amplitude(around: middle, in: smooth)
        }
        return amplitudes.isEmpty ? 0 : amplitudes.sorted()[amplitudes.count / 2]
    }
}

/// A band-pass around one cadence: the difference of two raised-cosine averages, one and two step periods long.
///
/// The first is blind to the second harmonic, the second to everything from the cadence upwards.
private struct BandPass {
    private let kernel: [Float]
    private let reach: Int64

    /// Designs the filter for a step period in cells.
    init(period: Float) {
        let reach = Int(period)
        let narrow = Self.raisedCosine(halfLength: period / 2, reach: reach)
        let wide = Self.raisedCosine(halfLength: period, reach: reach)
        kernel = zip(narrow, wide).map(-)
        self.reach = Int64(reach)
    }

    private static func raisedCosine(halfLength: Float, reach: Int) -> [Float] {
        let weights = (-reach...reach).map { offset -> Float in
            abs(Float(offset)) >= halfLength ? 0 : 1 + cos(.pi * Float(offset) / halfLength)
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    /// The filtered magnitude in the given cells; beyond the ends of the signal its end values go on.
    func values(of smooth: Grid, in cells: Range<Int64>) -> [Float] {
        let source = (cells.lowerBound - reach..<cells.upperBound + reach).map { cell in
            smooth[min(max(cell, smooth.start), smooth.end - 1)][3]
        }
        return (0..<Int(cells.upperBound - cells.lowerBound)).map { index in
            var sum: Float = 0
            for tap in kernel.indices { sum += kernel[tap] * source[index + tap] }
            return sum
        }
    }
}
