#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The cadences that a window of signal may be walked at, and what speaks for and against each.
struct GaitFeatures: Sendable {
    typealias Pair = GaitSpectrum.Pair

    /// Seconds of signal behind one verdict: three strides of a slow walker.
    static let windowSeconds = 6
    /// Norm's standard deviation in the band, in g, below which nobody walks.
    static let stillness: Float = 0.008

    /// 45 to 252 steps a minute, in Hz.
    private static let cadences: ClosedRange<Float> = 0.75...4.2
    /// How many candidates are kept.
    static let mostCandidates = 6
    /// From how many peaks of each spectrum they are taken.
    private static let peaks = 4
    /// The least share of the band that makes a peak.
    private static let leastPeak: Float = 0.01
    /// Candidates whose cadences differ by less than this factor are one.
    private static let apart: Float = exp(0.07)
    /// A body rises and falls by no more than twice this at each step, in metres; hands do.
    private static let mostRise: Float = 0.075
    /// Feet shake the norm. Where the axes swing more than this many times as much, an arm moves and nobody walks: of the
    /// seconds on foot 0.2 % are above it, of chores that otherwise look like gait a third.
    private static let mostSwing: Float = 3.5
    /// The longest stride, in samples, that is looked for in the short window; any step is shorter.
    private static let longestShortStride: Float = 40
    /// Standard gravity in m/s².
    private static let gravity: Float = 9.81

    /// What speaks for and against a candidate, in the order of the model.
    typealias Inputs = InlineArray<49, Float>

    /// A cadence that may become a candidate, and how regular the signal is at it.
    private struct Offer {
        var cadence: Float
        var rank: Float = 0
    }

    /// Six seconds, and the three in their middle: is it still so there?
    private var long = GaitSpectrum(windowLength: 150, exponent: 8, lags: 76, leastCorrelation: 0)
    private var short = GaitSpectrum(windowLength: 76, exponent: 7, lags: 60, leastCorrelation: 0.05)
    private var offers: [Offer] = []
    private var lines: [(bin: Int, share: Float)] = []
    /// The cadences of the candidates, and what is a candidate's own.
    private var chosen: [Float] = []
    private var owns: [Own] = []

    /// Finds the candidates of the window around a sample; none when feet cannot have made the signal.
    ///
    /// - Parameters:
    ///   - signal: The low-passed signal at ``GaitSpectrum/rate``.
    ///   - centre: The sample in the middle of the second.
    ///   - take: Takes each candidate's cadence in Hz with what speaks for and against it, the most regular first.
    mutating func measure(_ signal: Grid, around centre: Int64, to take: (Float, Inputs) -> Void) {
        long.takeIn(signal, from: centre - Int64(long.windowLength / 2))
        guard long.mostLevel > Self.stillness else { return }
        long.measure()
        let level = long.rms.x
        guard level > Self.stillness, long.rms.y <= Self.mostSwing * level else { return }
        offers.removeAll(keepingCapacity: true)
        offerLines(level) { $0.x }
        offerLines(level) { $0.y }
        guard let slowest = offers.min(by: { $0.cadence < $1.cadence }) else { return }
        long.correlate(upTo: 2 * (GaitSpectrum.rate / slowest.cadence))
        choose()
        short.takeIn(signal, from: centre - Int64(short.windowLength / 2))
        short.measure()
        short.correlate(upTo: Self.longestShortStride)
        measureCandidates(signal, centre, to: take)
    }

    /// Chooses the most regular of the cadences on offer.
    private mutating func choose() {
        for index in offers.indices {
            let step = GaitSpectrum.rate / offers[index].cadence
            offers[index].rank =
                long.correlation.interpolated(at: step).x + long.correlation.interpolated(at: 2 * step).y
        }
        chosen.removeAll(keepingCapacity: true)
        var left = offers.count
        while left > 0, chosen.count < Self.mostCandidates {
            var best = offers[0]
            for index in 1..<left where offers[index].rank > best.rank { best = offers[index] }
            chosen.append(best.cadence)
            // What is too near to it goes.
            var kept = 0
            for index in 0..<left {
                let (one, other) = (offers[index].cadence, best.cadence)
                if one < other * Self.apart && other < one * Self.apart { continue }
                offers[kept] = offers[index]
                kept += 1
            }
            left = kept
        }
    }

    /// Offers the strongest spectral lines of the norm or of the axes, each with its double and its half: a line may be a step,
    /// a stride or a harmonic.
    @inline(__always)
    private mutating func offerLines(_ level: Float, of share: (Pair) -> Float) {
        let shares = long.shares
        lines.removeAll(keepingCapacity: true)
        var (before, at) = (share(shares[long.bins.lowerBound - 1]), share(shares[long.bins.lowerBound]))
        for bin in long.bins {
            let after = share(shares[bin + 1])
            defer { (before, at) = (at, after) }
            guard at > Self.leastPeak, at > before, at >= after else { continue }
            // The strongest first; a weaker one than four others is of no use.
            let place = lines.firstIndex { $0.share < at } ?? lines.count
            guard place < Self.peaks else { continue }
            lines.insert((bin, at), at: place)
            if lines.count > Self.peaks { lines.removeLast() }
        }
        for line in lines {
            // The top of the parabola through the logarithms of three bins.
            let (before, at, after) = (
                log(share(shares[line.bin - 1]) + 1e-9), log(line.share + 1e-9),
                log(share(shares[line.bin + 1]) + 1e-9)
            )
            let curvature = before - 2 * at + after
            let offset = curvature < 0 ? min(max(0.5 * (before - after) / curvature, -0.5), 0.5) : 0
            let frequency = (Float(line.bin) + offset) * long.binWidth
            offer(frequency, level)
            offer(2 * frequency, level)
            offer(frequency / 2, level)
        }
    }

    private mutating func offer(_ cadence: Float, _ level: Float) {
        let angular = 2 * .pi * cadence
        let isPossible = Float(2).squareRoot() * level * Self.gravity <= Self.mostRise * angular * angular
        guard Self.cadences.contains(cadence), isPossible else { return }
        offers.append(Offer(cadence: cadence))
    }

    // MARK: Features

    private mutating func measureCandidates(_ signal: Grid, _ centre: Int64, to take: (Float, Inputs) -> Void) {
        let common = Common(signal, centre, long, short)
        owns.removeAll(keepingCapacity: true)
        var best = Own.Best()
        for cadence in chosen {
            let own = Own(cadence: cadence, long: long, short: short)
            best.take(own)
            owns.append(own)
        }
        for own in owns { take(own.cadence, Self.inputs(own, best, common)) }
    }

    /// What speaks for and against a candidate, in the order of the model.
    private static func inputs(_ own: Own, _ best: Own.Best, _ common: Common) -> Inputs {
        var row = Row()
        for lane in 0..<2 { for index in own.roots.indices { row.append(own.roots[index][lane]) } }
        for lane in 0..<2 { for index in own.correlation.indices { row.append(own.correlation[index][lane]) } }
        for lane in 0..<2 {
            row.append(own.even[lane])
            row.append(own.odd[lane])
        }
        row.append(common.logLevel)
        row.append(common.logBelow)
        let logCadence = log(own.cadence)
        row.append(logCadence)
        row.append((logCadence - 0.6) * (logCadence - 0.6))
        row.append(own.correlation[1].x - best.stepCorrelation)
        row.append(own.correlation[2].y - best.strideCorrelation)
        row.append(own.roots[1].x - best.stepRoot)
        row.append(own.comb - best.comb)
        row.append(common.entropy)
        for lane in 0..<2 {
            row.append(common.middle[lane])
            row.append(common.edge[lane])
        }
        row.append(common.fill)
        row.append(common.logCrest)
        row.append(common.logMean)
        for lane in 0..<2 { for index in own.shortRoots.indices { row.append(own.shortRoots[index][lane]) } }
        row.append(own.shortStep)
        row.append(own.shortStride)
        row.append(common.logShortDensity)
        return row.inputs
    }

    /// The inputs, filled one after the other.
    private struct Row {
        private(set) var inputs = Inputs(repeating: 0)
        private var count = 0

        mutating func append(_ value: Float) {
            inputs[count] = value
            count += 1
        }

        mutating func append(_ pair: Pair) {
            append(pair.x)
            append(pair.y)
        }
    }

    /// What is a candidate's own: power and correlation at its step, its stride and their multiples.
    private struct Own {
        var cadence: Float
        /// Root shares at ½, 1, 1½, 2 and 3 times the cadence.
        var roots = InlineArray<5, Pair>(repeating: Pair())
        /// Correlation at ½, 1 and 2 step periods.
        var correlation = InlineArray<3, Pair>(repeating: Pair())
        /// Shares at the step's harmonics, and at the stride's odd ones.
        var even: Pair
        var odd: Pair
        /// Of the short window: root shares at ½, 1 and 2 times the cadence; correlation at a step, for norm and axes;
        /// and at a stride, for the axes.
        var shortRoots = InlineArray<3, Pair>(repeating: Pair())
        var shortStep: Pair
        var shortStride: Float

        /// The share of both spectra that stands on the comb.
        var comb: Float { even.x + even.y + odd.y }

        init(cadence: Float, long: borrowing GaitSpectrum, short: borrowing GaitSpectrum) {
            self.cadence = cadence
            let step = GaitSpectrum.rate / cadence
            let line = cadence / long.binWidth
            let multiples: InlineArray<5, Float> = [0.5, 1, 1.5, 2, 3]
            var shares = InlineArray<5, Pair>(repeating: Pair())
            for index in multiples.indices {
                shares[index] = pointwiseMax(long.spread.interpolated(at: multiples[index] * line), Pair())
                roots[index] = shares[index].squareRoot()
            }
            even = shares[1] + shares[3] + shares[4]
            odd = shares[0] + shares[2]
            let shortLine = cadence / short.binWidth
            let periods: InlineArray<3, Float> = [0.5, 1, 2]
            for index in periods.indices {
                correlation[index] = long.correlation.interpolated(at: periods[index] * step)
                let share = short.spread.interpolated(at: periods[index] * shortLine)
                shortRoots[index] = pointwiseMax(share, Pair()).squareRoot()
            }
            shortStep = short.correlation.interpolated(at: step)
            // Two steps of a slow walker do not fit in the short window.
            shortStride = short.correlation.interpolated(at: min(2 * step, longestShortStride)).y
        }

        /// The best that any candidate of a window has.
        struct Best {
            private(set) var stepCorrelation = -Float.infinity
            private(set) var strideCorrelation = -Float.infinity
            private(set) var stepRoot = -Float.infinity
            private(set) var comb = -Float.infinity

            mutating func take(_ own: Own) {
                stepCorrelation = max(stepCorrelation, own.correlation[1].x)
                strideCorrelation = max(strideCorrelation, own.correlation[2].y)
                stepRoot = max(stepRoot, own.roots[1].x)
                comb = max(comb, own.comb)
            }
        }
    }

    /// What all candidates of a window share: levels, entropies, how the power is spread over the window. Pairs are of the
    /// norm and the axes, logarithms are natural ones.
    private struct Common {
        var logLevel: Pair
        /// The axes' power below the band against that within.
        var logBelow: Float
        /// How evenly the power lies in the band: 0 for a line, 1 for noise.
        var entropy: Pair
        /// How the middle third of the window, and the stiller of the outer ones, compare with all of it, as logarithms
        /// of amplitude.
        var middle = Pair()
        var edge = Pair()
        var fill: Float
        /// The norm's largest deviation against its level.
        var logCrest: Float
        var logMean: Float
        /// How the short window compares with the long one.
        var logShortDensity: Pair

        init(
            _ signal: borrowing Grid, _ centre: Int64, _ long: borrowing GaitSpectrum, _ short: borrowing GaitSpectrum
        ) {
            let level = long.rms
            logLevel = logarithm(level + 1e-3)
            logBelow = log(long.powerBelow.y / long.power.y + 1e-3)
            fill = long.fill
            entropy = Self.entropy(of: long)
            logMean = log(long.mean[3] + 0.1)
            logShortDensity = 0.5 * logarithm((short.density + 1e-6) / (long.density + 1e-6))
            logCrest = 0
            let crest = measureThirds(signal, centre - Int64(long.windowLength / 2), long)
            logCrest = log(crest / (level.x + 1e-3) + 0.1)
        }

        /// Of each spectrum, divided by the most it can be.
        private static func entropy(of spectrum: borrowing GaitSpectrum) -> Pair {
            // The norm in the even lanes, the axes in the odd ones. Lanes without a bin add nothing.
            var sum = SIMD8<Float>()
            let shares = spectrum.shares.span
            for first in stride(from: spectrum.bins.lowerBound, through: spectrum.bins.upperBound, by: 4) {
                var four = SIMD8<Float>()
                for lane in 0..<min(4, spectrum.bins.upperBound + 1 - first) {
                    four[2 * lane] = shares[first + lane].x
                    four[2 * lane + 1] = shares[first + lane].y
                }
                sum -= four * logarithm(four + 1e-9)
            }
            let entropy = Pair(sum.evenHalf.sum(), sum.oddHalf.sum())
            return entropy / log(Float(spectrum.bins.count))
        }

        /// Measures ``middle`` and ``edge``.
        ///
        /// - Returns: The norm's largest deviation in g.
        private mutating func measureThirds(
            _ signal: borrowing Grid, _ start: Int64, _ long: borrowing GaitSpectrum
        ) -> Float {
            let third = Int64(long.windowLength / 3)
            var sums = InlineArray<3, Pair>(repeating: Pair())
            var counts = InlineArray<3, Float>(repeating: 0)
            var crest: Float = 0
            for part in sums.indices {
                let first = start + Int64(part) * third
                let samples = signal.slice((first..<first + third).clamped(to: signal.start..<signal.end))
                var squares = SIMD4<Float>()
                for sample in samples {
                    let deviation = sample - long.mean
                    squares += deviation * deviation
                    crest = max(crest, deviation[3] * deviation[3])
                }
                sums[part] = Pair(squares[3], squares[0] + squares[1] + squares[2])
                counts[part] = Float(samples.count)
            }
            let whole =
                (sums[0] + sums[1] + sums[2]) / max(counts[0] + counts[1] + counts[2], 1) + Pair(repeating: 1e-7)
            // A third with hardly a sample says nothing; it counts as the whole.
            for part in sums.indices { sums[part] = counts[part] > 5 ? sums[part] / counts[part] : whole }
            middle = 0.5 * logarithm((sums[1] + 1e-7) / whole)
            edge = 0.5 * logarithm((pointwiseMin(sums[0], sums[2]) + 1e-7) / whole)
            return crest.squareRoot()
        }
    }
}
