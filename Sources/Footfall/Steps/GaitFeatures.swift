/// Finds the cadence candidates of a window of signal and measures the features of each.
struct GaitFeatures: Sendable {
    typealias Pair = GaitSpectrum.Pair

    /// The length of a window: three strides of a slow walker.
    static let windowSeconds = 6
    /// The standard deviation of the magnitude in the band, in g, below which the signal is not gait.
    static let stillness: Float = 0.008

    /// 45 to 252 steps a minute, in Hz.
    private static let cadences: ClosedRange<Float> = 0.75...4.2
    static let mostCandidates = 6
    /// The number of peaks of each spectrum that candidates come from.
    private static let peaks = 4
    /// The least share of the band's power in a peak.
    private static let leastPeak: Float = 0.01
    /// Cadences that differ by less than this factor are one candidate.
    private static let apart: Float = exponential(0.07)
    /// The largest amplitude of a walker's rise and fall at each step, in metres. Hands exceed it.
    private static let mostRise: Float = 0.075
    /// From this cadence on, in Hz, the hands and the flight of a runner may double it.
    private static let fast: Float = 2
    private static let mostFastRise: Float = 0.15
    /// Hops on one spot have no stride: the correlation of the axes after one step is at least the share `alike` of the
    /// one after two, which is at least `regular`.
    private static let hops: (alike: Float, regular: Float) = (0.75, 0.3)
    /// In hops, the sensor rises as the body does, because no arm or leg moves it. Runners rise and fall by 6 to 10 cm,
    /// hops by more. The least amplitude, in metres, and the log-odds against gait per metre above it (StepTrials.md).
    private static let hopRise: (least: Float, oddsPerMetre: Float) = (0.035, 200)
    /// From this standard deviation of the magnitude on, in g, a motion without gait may be an exercise. Pedals, hands
    /// and machines are seldom stronger (StepTrials.md).
    private static let vigor: Float = 0.5
    /// The largest ratio of the axes' deviation to that of the magnitude. Steps shake the magnitude; above this ratio
    /// only an arm moves. Of the seconds on foot 0.2 % exceed it, and a third of the chores that otherwise resemble
    /// gait.
    private static let mostAxesRatio: Float = 3.5
    /// The least deviation of the axes, in g, of a runner's arm, which exceeds the ratio, too. No hand at work has it.
    private static let runningArm: Float = 1.1
    /// The longest lag of the short window, in values. Every step is shorter. The stride of a slow walker is limited to
    /// it.
    private static let longestShortStride: Float = 40
    private static let gravity: Float = 9.81  // m/s²

    /// The number of features of a candidate.
    static let count = 49
    /// The features of a candidate, in the order of the model, and room for those of ``GaitRoughness``, ``GaitShape``
    /// and ``GaitDirection``.
    typealias Inputs = InlineArray<74, Float>

    /// A cadence candidate in Hz, and the regularity of the signal at it.
    private struct Candidate {
        var cadence: Float
        var regularity: Float = 0
    }

    /// The spectra of six seconds and of the three seconds in their middle.
    private var long = GaitSpectrum(windowLength: 150, exponent: 8, lags: 80, leastCorrelation: 0)
    private var short = GaitSpectrum(windowLength: 76, exponent: 7, lags: 64, leastCorrelation: 0.05)
    private var candidates: [Candidate] = []
    private var lines: [(bin: Int, share: Float)] = []
    /// The cadences of the chosen candidates, and the features that each has alone.
    private var chosen: [Float] = []
    private var ownFeatures: [OwnFeatures] = []

    /// The weighted deviations of the window that was measured last.
    var deviations: ArraySlice<SIMD4<Float>> { long.deviations }
    /// The mean of that window.
    var mean: SIMD4<Float> { long.mean }

    /// Whether that window is a tone that no body makes; `highPassPower` is the mean square above the low-pass, in g².
    func isPureTone(besides highPassPower: Float) -> Bool { long.isPureTone(besides: highPassPower) }

    /// Measures the candidates in the window around a value. `sink` receives the cadence of each in Hz and its
    /// features, the most regular one first. There are none if steps cannot cause the signal.
    mutating func measure(_ signal: SignalBuffer, around center: Int64, to sink: (Float, Inputs) -> Void) {
        long.load(signal, from: center - Int64(long.windowLength / 2))
        guard long.rmsBound > Self.stillness else { return }
        long.measure()
        let rms = long.rms
        let level = rms.x
        let isPossible = rms.y <= Self.mostAxesRatio * level || rms.y >= Self.runningArm
        guard level > Self.stillness, isPossible else { return }
        candidates.removeAll(keepingCapacity: true)
        addLines(level) { $0.x }
        addLines(level) { $0.y }
        guard let slowest = candidates.min(by: { $0.cadence < $1.cadence }) else { return }
        long.correlate(upTo: 2 * (GaitSpectrum.rate / slowest.cadence))
        chooseCandidates()
        short.load(signal, from: center - Int64(short.windowLength / 2))
        short.measure()
        short.correlate(upTo: Self.longestShortStride)
        measureFeatures(signal, center, to: sink)
    }

    private mutating func chooseCandidates() {
        for index in candidates.indices {
            let step = GaitSpectrum.rate / candidates[index].cadence
            candidates[index].regularity =
                long.correlation.interpolated(at: step).x + long.correlation.interpolated(at: 2 * step).y
        }
        chosen.removeAll(keepingCapacity: true)
        Self.choose(from: &candidates, into: &chosen)
    }

    /// Chooses the most regular candidates that are apart. No branch depends on the numbers, because the processor
    /// could not predict it.
    private static func choose(from candidates: inout [Candidate], into chosen: inout [Float]) {
        var left = candidates.count
        var candidates = candidates.mutableSpan
        let apart = apart
        while left > 0, chosen.count < mostCandidates {
            var best = candidates[0]
            for index in 1..<left {
                let candidate = candidates[index]
                let isBetter = candidate.regularity > best.regularity
                best.cadence = isBetter ? candidate.cadence : best.cadence
                best.regularity = isBetter ? candidate.regularity : best.regularity
            }
            chosen.append(best.cadence)
            // Candidates close to the chosen one are dropped.
            var kept = 0
            for index in 0..<left {
                let candidate = candidates[index]
                let (one, other) = (candidate.cadence, best.cadence)
                let isApart = max(one, other) >= min(one, other) * apart
                candidates[kept] = candidate
                kept += isApart ? 1 : 0
            }
            left = kept
        }
    }

    /// Adds the strongest spectral lines of the magnitude or of the axes, each with its double and its half. A line may
    /// be that of steps, of strides or of a harmonic.
    @inline(__always)
    private mutating func addLines(_ level: Float, of share: (Pair) -> Float) {
        let shares = long.shares
        lines.removeAll(keepingCapacity: true)
        var (before, at) = (share(shares[long.bins.lowerBound - 1]), share(shares[long.bins.lowerBound]))
        for bin in long.bins {
            let after = share(shares[bin + 1])
            defer { (before, at) = (at, after) }
            guard at > Self.leastPeak, at > before, at >= after else { continue }
            // The strongest line first; only the strongest four count.
            let place = lines.firstIndex { $0.share < at } ?? lines.count
            guard place < Self.peaks else { continue }
            lines.insert((bin, at), at: place)
            if lines.count > Self.peaks { lines.removeLast() }
        }
        for line in lines {
            // The vertex of the parabola through the logarithms of three bins.
            let (before, at, after) = (
                logarithm(share(shares[line.bin - 1]) + 1e-9), logarithm(line.share + 1e-9),
                logarithm(share(shares[line.bin + 1]) + 1e-9)
            )
            let curvature = before - 2 * at + after
            let offset = curvature < 0 ? min(max(0.5 * (before - after) / curvature, -0.5), 0.5) : 0
            let frequency = (Float(line.bin) + offset) * long.binWidth
            addCandidate(frequency, level)
            addCandidate(2 * frequency, level)
            addCandidate(frequency / 2, level)
        }
    }

    private mutating func addCandidate(_ cadence: Float, _ level: Float) {
        let mostRise = cadence < Self.fast ? Self.mostRise : Self.mostFastRise
        guard Self.cadences.contains(cadence), Self.rise(level, cadence) <= mostRise else { return }
        candidates.append(Candidate(cadence: cadence))
    }

    /// The amplitude in metres of a vertical sine with a standard deviation in g.
    private static func rise(_ level: Float, _ cadence: Float) -> Float {
        let angular = 2 * .pi * cadence
        return Float(2).squareRoot() * level * gravity / (angular * angular)
    }

    /// The log-odds against gait at a candidate of the window whose rhythm is that of hops on one spot, such as jumping
    /// jacks; otherwise 0.
    func hopOdds(at cadence: Float) -> Float {
        let step = GaitSpectrum.rate / cadence
        let stride = long.correlation.interpolated(at: 2 * step).y
        let isAlike = long.correlation.interpolated(at: step).y >= Self.hops.alike * stride
        guard stride >= Self.hops.regular, isAlike else { return 0 }
        return Self.hopRise.oddsPerMetre * max(0, Self.rise(long.rms.x, cadence) - Self.hopRise.least)
    }

    /// Whether the window that was measured last varies as much as an exercise.
    var isVigorous: Bool { long.rms.x >= Self.vigor }

    // MARK: Features

    private mutating func measureFeatures(_ signal: SignalBuffer, _ center: Int64, to sink: (Float, Inputs) -> Void) {
        let common = CommonFeatures(signal, center, long, short)
        ownFeatures.removeAll(keepingCapacity: true)
        var best = OwnFeatures.Best()
        for cadence in chosen {
            let own = OwnFeatures(cadence: cadence, long: long, short: short)
            best.add(own)
            ownFeatures.append(own)
        }
        var row = Row()
        for own in ownFeatures {
            Self.write(own, best, common, to: &row)
            sink(own.cadence, row.inputs)
        }
    }

    private static func write(
        _ own: OwnFeatures, _ best: OwnFeatures.Best, _ common: CommonFeatures, to row: inout Row
    ) {
        row.removeAll()
        for lane in 0..<2 { for index in own.roots.indices { row.append(own.roots[index][lane]) } }
        for lane in 0..<2 { for index in own.correlation.indices { row.append(own.correlation[index][lane]) } }
        for lane in 0..<2 {
            row.append(own.even[lane])
            row.append(own.odd[lane])
        }
        row.append(common.logLevel)
        row.append(common.logBelow)
        let logCadence = logarithm(own.cadence)
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
    }

    private struct Row {
        private(set) var inputs = Inputs(repeating: 0)
        private var count = 0

        mutating func removeAll() { count = 0 }

        mutating func append(_ value: Float) {
            inputs[count] = value
            count += 1
        }

        mutating func append(_ pair: Pair) {
            append(pair.x)
            append(pair.y)
        }
    }

    /// The features that each candidate has alone: power and correlation at its step, its stride and their multiples.
    private struct OwnFeatures {
        var cadence: Float
        /// Square roots of the shares at ½, 1, 1½, 2 and 3 times the cadence.
        var roots = InlineArray<5, Pair>(repeating: Pair())
        /// The correlation at ½, 1 and 2 step periods.
        var correlation = InlineArray<3, Pair>(repeating: Pair())
        /// The shares at the harmonics of the step, and at the odd harmonics of the stride.
        var even: Pair
        var odd: Pair
        /// For the short window: square roots of the shares at ½, 1 and 2 times the cadence, the correlation at a step,
        /// and that of the axes at a stride.
        var shortRoots = InlineArray<3, Pair>(repeating: Pair())
        var shortStep: Pair
        var shortStride: Float

        /// The share of both spectra at the harmonics of the step, and that of the axes at the odd harmonics of the
        /// stride.
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
            // Two steps of a slow walker do not fit into the short window.
            shortStride = short.correlation.interpolated(at: min(2 * step, longestShortStride)).y
        }

        struct Best {
            private(set) var stepCorrelation = -Float.infinity
            private(set) var strideCorrelation = -Float.infinity
            private(set) var stepRoot = -Float.infinity
            private(set) var comb = -Float.infinity

            mutating func add(_ own: OwnFeatures) {
                stepCorrelation = max(stepCorrelation, own.correlation[1].x)
                strideCorrelation = max(strideCorrelation, own.correlation[2].y)
                stepRoot = max(stepRoot, own.roots[1].x)
                comb = max(comb, own.comb)
            }
        }
    }

    /// The features that all candidates of a window share: levels, entropies, and the distribution of the power over
    /// the window. Pairs hold the magnitude and the axes. Logarithms are natural.
    private struct CommonFeatures {
        var logLevel: Pair
        /// The power of the axes below the band relative to the power within it.
        var logBelow: Float
        /// The normalized entropy of the spectrum: 0 for a line, 1 for noise.
        var entropy: Pair
        /// The amplitude of the middle third of the window and of the stiller outer third, relative to the whole
        /// window, as logarithms.
        var middle: Pair
        var edge: Pair
        var fill: Float
        /// The largest deviation of the magnitude relative to its standard deviation.
        var logCrest: Float
        var logMean: Float
        /// The amplitude of the short window relative to the long one.
        var logShortDensity: Pair

        init(
            _ signal: borrowing SignalBuffer, _ center: Int64, _ long: borrowing GaitSpectrum,
            _ short: borrowing GaitSpectrum
        ) {
            let level = long.rms
            let thirds = Self.thirds(of: signal, from: center - Int64(long.windowLength / 2), long)
            // Four pairs at once.
            let logs = logarithm(
                SIMD8(
                    lowHalf: SIMD4(
                        lowHalf: level + 1e-3, highHalf: (short.density + 1e-6) / (long.density + 1e-6)),
                    highHalf: SIMD4(lowHalf: thirds.middle, highHalf: thirds.edge)))
            logLevel = logs.lowHalf.lowHalf
            logShortDensity = 0.5 * logs.lowHalf.highHalf
            middle = 0.5 * logs.highHalf.lowHalf
            edge = 0.5 * logs.highHalf.highHalf
            logBelow = logarithm(long.powerBelow.y / long.power.y + 1e-3)
            fill = long.fill
            entropy = Self.entropy(of: long)
            logMean = logarithm(long.mean[3] + 0.1)
            logCrest = logarithm(thirds.crest / (level.x + 1e-3) + 0.1)
        }

        /// The entropy of each spectrum, divided by its largest possible value.
        private static func entropy(of spectrum: borrowing GaitSpectrum) -> Pair {
            // The magnitude in the even lanes, the axes in the odd ones. The shares above the band are 0 and add 0.
            var sum = SIMD8<Float>()
            let shares = spectrum.shares.span
            precondition(spectrum.bins.upperBound + 3 < shares.count)
            for first in stride(from: spectrum.bins.lowerBound, through: spectrum.bins.upperBound, by: 4) {
                let four = shares.four(unchecked: first)
                sum -= four * logarithm(four + 1e-9)
            }
            let entropy = Pair(sum.evenHalf.sum(), sum.oddHalf.sum())
            return entropy / logarithm(Float(spectrum.bins.count))
        }

        /// The power of the middle third of a window and of the stiller outer third, relative to the whole window, and
        /// the largest deviation of the magnitude, in g.
        private static func thirds(
            of signal: borrowing SignalBuffer, from start: Int64, _ long: borrowing GaitSpectrum
        ) -> (middle: Pair, edge: Pair, crest: Float) {
            let third = Int64(long.windowLength / 3)
            var sums = InlineArray<3, Pair>(repeating: Pair())
            var counts = InlineArray<3, Float>(repeating: 0)
            // The largest squares in all lanes: to take out one lane of each value takes longer.
            var largest = SIMD4<Float>()
            for part in sums.indices {
                let first = start + Int64(part) * third
                let samples = signal.slice((first..<first + third).clamped(to: signal.range))
                var squares = SIMD4<Float>()
                for sample in samples {
                    let deviation = sample - long.mean
                    let square = deviation * deviation
                    squares += square
                    largest.replace(with: square, where: square .> largest)
                }
                sums[part] = Pair(squares[3], squares[0] + squares[1] + squares[2])
                counts[part] = Float(samples.count)
            }
            let whole =
                (sums[0] + sums[1] + sums[2]) / max(counts[0] + counts[1] + counts[2], 1) + Pair(repeating: 1e-7)
            // A third with very few samples counts as the whole window.
            for part in sums.indices { sums[part] = counts[part] > 5 ? sums[part] / counts[part] : whole }
            let edge = pointwiseMin(sums[0], sums[2])
            return ((sums[1] + 1e-7) / whole, (edge + 1e-7) / whole, largest[3].squareRoot())
        }
    }
}
