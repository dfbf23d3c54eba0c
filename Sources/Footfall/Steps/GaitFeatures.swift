#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The cadences that a window of signal may be walked at, and what speaks for and against each.
struct GaitFeatures: Sendable {
    /// Seconds of signal behind one verdict: three strides of a slow walker.
    static let windowSeconds = 6
    /// Norm's standard deviation in the band, in g, below which nobody walks.
    static let stillness: Float = 0.008

    /// 45 to 252 steps a minute, in Hz.
    private static let cadences: ClosedRange<Float> = 0.75...4.2
    /// How many candidates are kept, and from how many peaks of each spectrum they are taken.
    private static let mostCandidates = 6
    private static let peaks = 4
    /// The least share of the band that makes a peak.
    private static let leastPeak: Float = 0.01
    /// Candidates closer than this, in log frequency, are one.
    private static let apart: Float = 0.07
    /// A body rises and falls by no more than twice this at each step, in metres; hands do.
    private static let mostRise: Float = 0.075
    /// Feet shake the norm. Where the axes swing more than this many times as much, an arm moves and nobody walks: of the
    /// seconds on foot 0.2 % are above it, of chores that otherwise look like gait a third.
    private static let mostSwing: Float = 3.5
    /// Standard gravity in m/s².
    private static let gravity: Float = 9.81

    /// The number of features of a candidate.
    static let count = 49

    /// Six seconds, and the three in their middle: is it still so there?
    private var long = GaitSpectrum(windowLength: 150, transformLength: 256, lags: 76, leastCorrelation: 0)
    private var short = GaitSpectrum(windowLength: 76, transformLength: 128, lags: 60, leastCorrelation: 0.05)
    /// What all candidates of a window share.
    private var common: [Float] = []

    /// Finds the candidates of the window around a sample.
    ///
    /// - Parameters:
    ///   - signal: The low-passed signal at ``GaitSpectrum/rate``.
    ///   - centre: The sample in the middle of the second.
    /// - Returns: The candidates' cadences in Hz, the most regular first; none when feet cannot have made the signal.
    mutating func candidates(in signal: Grid, around centre: Int64) -> [Float] {
        long.measure(signal, from: centre - Int64(long.windowLength / 2))
        let level = long.rms(of: long.norm)
        guard level > Self.stillness, long.rms(of: long.axes) <= Self.mostSwing * level else { return [] }
        let offered = peakFrequencies(long.norm) + peakFrequencies(long.axes)
        var ranked = offered.compactMap { cadence -> (cadence: Float, rank: Float)? in
            let angular = 2 * .pi * cadence
            let isPossible = Float(2).squareRoot() * level * Self.gravity <= Self.mostRise * angular * angular
            guard Self.cadences.contains(cadence), isPossible else { return nil }
            let step = GaitSpectrum.rate / cadence
            let rank =
                long.norm.correlation.interpolated(at: step) + long.axes.correlation.interpolated(at: 2 * step)
            return (cadence, rank)
        }
        var chosen: [Float] = []
        while chosen.count < Self.mostCandidates, let best = ranked.max(by: { $0.rank < $1.rank })?.cadence {
            chosen.append(best)
            ranked.removeAll { abs(log($0.cadence / best)) < Self.apart }
        }
        if !chosen.isEmpty {
            short.measure(signal, from: centre - Int64(short.windowLength / 2))
            measureCommon(signal, centre)
        }
        return chosen
    }

    /// The strongest spectral lines, each with its double and its half: a line may be a step, a stride or a harmonic.
    private func peakFrequencies(_ shape: GaitSpectrum.Shape) -> [Float] {
        let shares = shape.shares
        var peaks: [(bin: Int, share: Float)] = []
        for bin in 1..<(shares.count - 1)
        where shares[bin] > shares[bin - 1] && shares[bin] >= shares[bin + 1] && shares[bin] > Self.leastPeak {
            peaks.append((bin, shares[bin]))
        }
        peaks.sort { ($0.share, $1.bin) > ($1.share, $0.bin) }
        return peaks.prefix(Self.peaks).flatMap { peak -> [Float] in
            // The top of the parabola through the logarithms of three bins.
            let (before, at, after) = (
                log(shares[peak.bin - 1] + 1e-9), log(shares[peak.bin] + 1e-9), log(shares[peak.bin + 1] + 1e-9)
            )
            let curvature = before - 2 * at + after
            let offset = curvature < 0 ? min(max(0.5 * (before - after) / curvature, -0.5), 0.5) : 0
            let frequency = (Float(peak.bin) + offset) * long.binWidth
            return [frequency, 2 * frequency, frequency / 2]
        }
    }

    // MARK: Features

    /// What speaks for and against each of the candidates last found, ``count`` numbers each, in the order of the model.
    func features(of candidates: [Float]) -> [[Float]] {
        let own = candidates.map { Own(cadence: $0, long: long, short: short) }
        let best = (
            stepCorrelation: own.map { $0.longNorm.correlation[1] }.max() ?? 0,
            strideCorrelation: own.map { $0.longAxes.correlation[2] }.max() ?? 0,
            stepShare: own.map { $0.longNorm.roots[1] }.max() ?? 0, comb: own.map(\.comb).max() ?? 0
        )
        return zip(candidates, own).map { cadence, own in
            var features = own.longNorm.roots + own.longAxes.roots
            features += own.longNorm.correlation + own.longAxes.correlation
            features += [own.longNorm.even, own.longNorm.odd, own.longAxes.even, own.longAxes.odd]
            features += common[0..<3]
            let logCadence = log(cadence)
            features += [logCadence, (logCadence - 0.6) * (logCadence - 0.6)]
            features += [
                own.longNorm.correlation[1] - best.stepCorrelation,
                own.longAxes.correlation[2] - best.strideCorrelation, own.longNorm.roots[1] - best.stepShare,
                own.comb - best.comb,
            ]
            features += common[3..<12]
            features += own.short
            features += common[12..<14]
            return features
        }
    }

    /// What is a candidate's own: power and correlation at its step, its stride and their multiples.
    private struct Own {
        struct Series {
            /// Root shares at ½, 1, 1½, 2 and 3 times the cadence.
            var roots: [Float]
            /// Correlation at ½, 1 and 2 step periods.
            var correlation: [Float]
            /// Shares at the step's harmonics, and at the stride's odd ones.
            var even: Float
            var odd: Float
        }

        var longNorm: Series
        var longAxes: Series
        var short: [Float]
        /// The share of both spectra that stands on the comb.
        var comb: Float { longNorm.even + longAxes.even + longAxes.odd }

        init(cadence: Float, long: GaitSpectrum, short: GaitSpectrum) {
            let step = GaitSpectrum.rate / cadence
            longNorm = Self.series(long.norm, cadence / long.binWidth, step)
            longAxes = Self.series(long.axes, cadence / long.binWidth, step)
            let line = cadence / short.binWidth
            self.short = [short.norm, short.axes].flatMap { shape in
                [0.5, 1, 2].map { max(shape.spread.interpolated(at: $0 * line), 0).squareRoot() }
            }
            // Two steps of a slow walker do not fit in the short window.
            let stride = min(2 * step, 40)
            self.short += [
                short.norm.correlation.interpolated(at: step), short.axes.correlation.interpolated(at: step),
                short.axes.correlation.interpolated(at: stride),
            ]
        }

        private static func series(_ shape: GaitSpectrum.Shape, _ line: Float, _ step: Float) -> Series {
            let shares = [0.5, 1, 1.5, 2, 3].map { max(shape.spread.interpolated(at: $0 * line), 0) }
            return Series(
                roots: shares.map { $0.squareRoot() },
                correlation: [0.5, 1, 2].map { shape.correlation.interpolated(at: $0 * step) },
                even: shares[1] + shares[3] + shares[4], odd: shares[0] + shares[2])
        }
    }

    /// Measures what all candidates share: levels, entropies, how the power is spread over the window.
    private mutating func measureCommon(_ signal: Grid, _ centre: Int64) {
        let (normLevel, axesLevel) = (long.rms(of: long.norm), long.rms(of: long.axes))
        common = [
            log(normLevel + 1e-3), log(axesLevel + 1e-3), log(long.axes.powerBelow / long.axes.power + 1e-3),
            entropy(long.norm), entropy(long.axes),
        ]
        let (normThirds, axesThirds, crest) = thirds(signal, centre)
        common += normThirds + axesThirds
        common += [long.fill, log(crest / (normLevel + 1e-3) + 0.1), log(long.mean[3] + 0.1)]
        common += [
            0.5 * log((short.density(of: short.norm) + 1e-6) / (long.density(of: long.norm) + 1e-6)),
            0.5 * log((short.density(of: short.axes) + 1e-6) / (long.density(of: long.axes) + 1e-6)),
        ]
    }

    /// How evenly the power lies in the band: 0 for a line, 1 for noise.
    private func entropy(_ shape: GaitSpectrum.Shape) -> Float {
        -long.bins.reduce(0) { $0 + shape.shares[$1] * log(shape.shares[$1] + 1e-9) } / log(Float(long.bins.count))
    }

    /// For norm and axes: how the middle third of the window, and the stiller of the outer ones, compare with all of it, as
    /// logarithms of amplitude; and the norm's largest deviation in g.
    private func thirds(_ signal: Grid, _ centre: Int64) -> (norm: [Float], axes: [Float], crest: Float) {
        let start = centre - Int64(long.windowLength / 2)
        let third = Int64(long.windowLength / 3)
        var sums = [SIMD2<Float>](repeating: SIMD2(), count: 3)
        var counts = [Float](repeating: 0, count: 3)
        var crest: Float = 0
        for sample in (start..<start + 3 * third).clamped(to: signal.start..<signal.end) {
            let deviation = signal[sample] - long.mean
            let squares = deviation * deviation
            let part = Int((sample - start) / third)
            sums[part] += SIMD2(squares[3], squares[0] + squares[1] + squares[2])
            counts[part] += 1
            crest = max(crest, abs(deviation[3]))
        }
        let whole = (sums[0] + sums[1] + sums[2]) / max(counts.reduce(0, +), 1) + SIMD2(repeating: 1e-7)
        // A third with hardly a sample says nothing; it counts as the whole.
        let parts = zip(sums, counts).map { $1 > 5 ? $0 / $1 : whole }
        func compared(_ lane: Int) -> [Float] {
            let edge = min(parts[0][lane], parts[2][lane])
            return [parts[1][lane], edge].map { 0.5 * log(($0 + 1e-7) / whole[lane]) }
        }
        return (compared(0), compared(1), crest)
    }
}
