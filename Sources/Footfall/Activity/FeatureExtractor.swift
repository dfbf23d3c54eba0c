/// The features of a window of about five seconds, independent of the orientation of the device.
///
/// | features | meaning | distinguish |
/// |---|---|---|
/// | 0–5 | log₁₀ of the energy in six bands, 0.2 to 6.2 Hz | strength and speed |
/// | 6–8 | log₁₀ of the share along gravity, in a low, middle and high band | roads shake up and down, bodies tilt |
/// | 9–11 | log₁₀ of the linearity of the motion, in the same bands | pedalling moves along a line |
/// | 12 | normalized entropy of the spectrum from 0.6 Hz | gait has harmonics, a road is noise |
/// | 13, 14 | strongest and calmest eighth against the mean, as log₁₀ | roads are steady, hands are not |
/// | 15 | log₁₀ of the squared turn of gravity within the window | posture |
struct WindowFeatures: Sendable {
    /// The root mean square of the axes together, in g, below which a window is quiet.
    private static let quiet: Float = 5e-3
    /// log₁₀ of the largest share of the power of 4.5 to 6.2 Hz that a sprung window has below and above: one half.
    private static let sprung: Float = -0.30103

    /// The root mean square of the axes together without their means, in g.
    var rms: Float
    /// Whether single values have most of the energy, see ``WhiteNoise/isImpulsive(_:meanSquare:)``.
    var isImpulsive = false
    /// Whether the mean acceleration of the window is below half of gravity.
    var isWeightless = false
    /// Whether the window is a tone that no body or vehicle makes, see ``PureTone``.
    var isPureTone = false
    /// The sixteen features.
    var values = SIMD16<Float>()
    /// log₁₀ of the energy from 8.0 to 10.5 Hz, for ``CarSuspension``. A slow sensor does not measure it.
    var fast: Float = 0
    /// Whether the ten seconds up to the end of the window have a ``PedalLine``. Only looked for in a window
    /// that is sprung.
    var hasPedals = false

    /// Whether the window has so little motion that the classifier does not need its features.
    var isQuiet: Bool { rms < Self.quiet }

    /// Whether springs attenuate the fast band, and no crank shows at 0.6 to 1.2 Hz. `attenuated` is what a slow sensor
    /// takes from the fast band, as log₁₀.
    func isSprung(attenuated: Float = 0) -> Bool {
        max(values[1], fast + attenuated) < values[5] + Self.sprung
    }
}

/// Measures ``WindowFeatures`` on a window of 5.12 s at 25 Hz. The sixteen features end at 6.2 Hz, the limit of a
/// sensor at 12.5 Hz. A slow sensor has less power in the upper bands, because linear interpolation attenuates it.
struct FeatureExtractor: Sendable {
    /// The number of values in a window. 5.12 s at 25 Hz resolve the two seconds of a slow stride and the body motion
    /// of a car.
    static let windowLength = 128
    /// The square of half a g: a mean below it has no gravity, as noise without a sensor has none and a tumbling hand
    /// little.
    private static let weightless: Float = 0.25
    /// The noise of an average sensor (2 mg), in g² per axis over 0…12.5 Hz. It bounds logarithms and shares.
    private static let floor: Float = 4e-6
    /// The noise of all three axes in one spectral bin.
    private static let binNoise = 3 * floor * 2 / Float(windowLength)
    /// The bands as spectral bins of 0.195 Hz: 0.2–0.6–1.2–2.0–3.0–4.5–6.2 Hz.
    private static let bands: [Range<Int>] = [2..<4, 4..<7, 7..<11, 11..<16, 16..<24, 24..<32]
    /// Converts squares of the transform to powers of the window, in g².
    private static let powerScale = 2 / Float(windowLength * windowLength)
    /// The bins of the fast band: 8.0–10.5 Hz.
    private static let fastBins = 41..<54
    private static let decimal: Float = 0.434_294_48  // from natural to decimal logarithms
    /// The bins of the spectral entropy: 0.6–6.2 Hz.
    private static let entropyBins = 4..<32

    private let taper = hannWindow(windowLength)
    private var halved = SignalBuffer(start: .min)
    private var values = [SIMD4<Float>](repeating: SIMD4(), count: windowLength)
    /// The power of each lane in each bin.
    private var squares = [SIMD4<Float>](repeating: SIMD4(), count: entropyBins.upperBound)
    private var transform = FourChannelFFT(exponent: 7)
    private var pedals = PedalLine()

    /// Measures the window around a grid cell; nil if the signal is shorter than a window. At the ends of the signal,
    /// the window is moved inside. Without `measuresQuiet`, a quiet window has no features but the level.
    mutating func features(
        of signal: SignalBuffer, around cell: Int64, measuresQuiet: Bool = false
    ) -> WindowFeatures? {
        let length = Int64(Self.windowLength)
        let available = AnalysisGrid.halfRate(of: signal.range)
        let latest = available.upperBound - length
        guard latest >= available.lowerBound else { return nil }
        let start = max(available.lowerBound, min((cell >> 1) - length / 2, latest))
        let end = start + length
        // The pedals need earlier values.
        let earliest = max(available.lowerBound, end - Int64(PedalLine.windowLength))
        extendHalved(signal, from: earliest, to: end)

        let (turn, mean, energy) = load(halved.slice(start..<end))
        halved.removeValues(before: earliest)
        let quiet = WindowFeatures(rms: (Self.xyz(energy).sum() / Float(Self.windowLength)).squareRoot())
        guard measuresQuiet || !quiet.isQuiet else { return quiet }

        let isImpulsive = WhiteNoise.isImpulsive(values, meanSquare: quiet.rms * quiet.rms)
        let steadiness = steadiness()
        for index in taper.indices { values[index] *= taper[index] }
        transform.transform(values)
        // In memory, where access to a lane chosen at run time is cheap. The other lanes hold 1 while all logarithms
        // are computed at once.
        var lanes = InlineArray<16, Float>(repeating: 1)
        measureSpectrum(&lanes)
        // Lane 12 is free until the entropy is known.
        lanes[12] = fastEnergy()
        lanes[15] = turn + Self.floor
        var features = unsafeBitCast(lanes, to: SIMD16<Float>.self)
        features.lowHalf = logarithm(features.lowHalf) * Self.decimal
        features.highHalf = logarithm(features.highHalf) * Self.decimal
        let fast = features[12]
        (features[12], features[13], features[14]) = (entropy(), steadiness.burst, steadiness.calm)
        var window = WindowFeatures(
            rms: quiet.rms, isImpulsive: isImpulsive, isWeightless: mean < Self.weightless, isPureTone: isPureTone,
            values: features, fast: fast)
        if window.isSprung(), end - earliest == Int64(PedalLine.windowLength) {
            window.hasPedals = pedals.isPresent(in: halved.slice(earliest..<end))
        }
        return window
    }

    /// Appends every second value after a half-band filter, up to the value before `end`. If values before `start` are
    /// missing, it restarts at `start`. The filter (−1, 0, 9, 16, 9, 0, −1)/32 is flat within 2 % to 6 Hz and
    /// attenuates aliases below 6 Hz by 30 dB.
    private mutating func extendHalved(_ signal: SignalBuffer, from start: Int64, to end: Int64) {
        if halved.end < start { halved.restart(at: start) }
        guard halved.end < end else { return }
        let reach: Int64 = 3
        let values = signal.padded(2 * halved.end - reach..<2 * (end - 1) + reach + 1)
        let missing = Int(end - halved.end)
        halved.append(atMost: missing) { results, first in
            let values = values.span.extracting(0..<2 * missing + 5)
            precondition(first >= 0 && first + missing <= results.count)
            for index in 0..<missing {
                // In bounds: positions from 0 to 2 missing + 4, and results up to first + missing.
                let cell = 2 &* index &+ Int(reach)
                var value = (values[unchecked: cell &- 1] + values[unchecked: cell &+ 1]) * (9 / 32)
                value += values[unchecked: cell] * 0.5
                value -= (values[unchecked: cell &- 3] + values[unchecked: cell &+ 3]) * (1 / 32)
                results[unchecked: first &+ index] = value
            }
            return first + missing
        }
    }

    /// Loads a window without the mean of each lane. Returns the squared distance, in g², between the mean
    /// accelerations of the two halves, the square of the mean acceleration, and the sum of the squares of each lane.
    private mutating func load(
        _ window: ArraySlice<SIMD4<Float>>
    ) -> (turn: Float, mean: Float, squares: SIMD4<Float>) {
        let window = window.span
        let (one, other) = Self.halves(of: window)
        let mean = (one + other) / Float(Self.windowLength)
        let turn = Self.xyz(other - one) / Float(Self.windowLength / 2)
        let gravity = Self.xyz(mean)
        return ((turn * turn).sum(), (gravity * gravity).sum(), Self.subtract(mean, from: window, into: &values))
    }

    /// The sums of the two halves of a window. Never inlined, so that the compiler keeps whole vectors.
    @inline(never)
    private static func halves(of window: Span<SIMD4<Float>>) -> (SIMD4<Float>, SIMD4<Float>) {
        // Four independent sums run in parallel.
        let quarter = windowLength / 4
        let window = window.extracting(0..<4 * quarter)
        var quarters = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
        for index in 0..<quarter {
            // In bounds: four quarters.
            quarters.0 += window[unchecked: index]
            quarters.1 += window[unchecked: index &+ quarter]
            quarters.2 += window[unchecked: index &+ 2 &* quarter]
            quarters.3 += window[unchecked: index &+ 3 &* quarter]
        }
        return (quarters.0 + quarters.1, quarters.2 + quarters.3)
    }

    /// Subtracts the mean from the values of a window; returns the sums of their squares. Never inlined, as above.
    @inline(never)
    private static func subtract(
        _ mean: SIMD4<Float>, from window: Span<SIMD4<Float>>, into values: inout [SIMD4<Float>]
    ) -> SIMD4<Float> {
        let quarter = windowLength / 4
        let window = window.extracting(0..<4 * quarter)
        precondition(values.count == window.count)
        var values = values.mutableSpan
        var squares = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
        for index in 0..<quarter {
            // In bounds: four quarters.
            let (second, third, fourth) = (index &+ quarter, index &+ 2 &* quarter, index &+ 3 &* quarter)
            values[unchecked: index] = window[unchecked: index] - mean
            values[unchecked: second] = window[unchecked: second] - mean
            values[unchecked: third] = window[unchecked: third] - mean
            values[unchecked: fourth] = window[unchecked: fourth] - mean
            squares.0 += values[unchecked: index] * values[unchecked: index]
            squares.1 += values[unchecked: second] * values[unchecked: second]
            squares.2 += values[unchecked: third] * values[unchecked: third]
            squares.3 += values[unchecked: fourth] * values[unchecked: fourth]
        }
        return (squares.0 + squares.1) + (squares.2 + squares.3)
    }

    /// The strongest and the calmest eighth of the window relative to the mean of all eighths, as log₁₀ of the squared
    /// differences.
    private func steadiness() -> (burst: Float, calm: Float) {
        let length = Self.windowLength / 8
        let blocks = InlineArray<8, Float> { block in
            let end = min((block + 1) * length, Self.windowLength - 1)
            var sum = Self.squaredDifferences(values.span, block * length..<end)
            // The last value has no successor; the difference before it counts twice.
            if block == 7 { sum += Self.squaredDifferences(values.span, end - 1..<end) }
            return Self.xyz(sum).sum() / Float(length) + 3 * Self.floor
        }
        let levels = logarithm(unsafeBitCast(blocks, to: SIMD8<Float>.self)) * Self.decimal
        let mean = levels.sum() / 8
        return (levels.max() - mean, levels.min() - mean)
    }

    /// The sum of the squared differences between each value of a range and the next. Never inlined, as above.
    @inline(never)
    private static func squaredDifferences(_ values: Span<SIMD4<Float>>, _ range: Range<Int>) -> SIMD4<Float> {
        let values = values.extracting(range.lowerBound..<range.upperBound + 1)
        var sum = SIMD4<Float>()
        for index in 0..<range.count {
            // In bounds: one value more than differences.
            let difference = values[unchecked: index &+ 1] - values[unchecked: index]
            sum += difference * difference
        }
        return sum
    }

    /// Whether ``squares`` are those of a tone that no body makes.
    private var isPureTone: Bool {
        let squares = squares.span
        // A line of a Hann window is four bins wide.
        return PureTone.isAll(of: Self.bands[0].lowerBound..<squares.count, leastReach: 2) {
            Self.xyz(squares[$0]).sum()
        }
    }

    /// Measures ``squares``, and features 0 to 11 without their logarithms.
    private mutating func measureSpectrum(_ features: inout InlineArray<16, Float>) {
        var sums = SIMD4<Float>()
        var products = SIMD4<Float>()
        var bins: Float = 0
        for (index, band) in Self.bands.enumerated() {
            let (bandSums, bandProducts) = measure(band, after: products)
            let noise = Self.binNoise * Float(band.count)
            features[index] = Self.xyz(bandSums).sum() + noise
            sums += bandSums
            products = bandProducts
            bins += Float(band.count)
            guard index % 2 == 1 else { continue }
            // Two bands form one of the three bands of features 6 to 11.
            (features[6 + index / 2], features[9 + index / 2]) = direction(sums, products, Self.binNoise * bins)
            (sums, products, bins) = (SIMD4(), SIMD4(), 0)
        }
    }

    /// Measures ``squares`` in a band, and returns their sum, and the sum of `products` and the products of each axis
    /// with the next. Never inlined, so that the compiler keeps whole vectors.
    @inline(never)
    private mutating func measure(
        _ band: Range<Int>, after products: SIMD4<Float>
    ) -> (sums: SIMD4<Float>, products: SIMD4<Float>) {
        let scale = Self.powerScale
        var sums = SIMD4<Float>()
        var products = products
        for bin in band {
            let (real, imaginary) = transform.bin(bin)
            let squares = (real * real + imaginary * imaginary) * scale
            self.squares[bin] = squares
            sums += squares
            products += (real * Self.rotated(real) + imaginary * Self.rotated(imaginary)) * scale
        }
        return (sums, products)
    }

    /// The energy in ``fastBins``, in g².
    private func fastEnergy() -> Float {
        var sum = SIMD4<Float>()
        for bin in Self.fastBins {
            let (real, imaginary) = transform.bin(bin)
            sum += real * real + imaginary * imaginary
        }
        return Self.xyz(sum).sum() * Self.powerScale + Self.binNoise * Float(Self.fastBins.count)
    }

    /// The share along gravity, and the linearity of the motion (1: along a line, ⅓: in all directions).
    private func direction(
        _ sums: SIMD4<Float>, _ products: SIMD4<Float>, _ noise: Float
    ) -> (vertical: Float, linearity: Float) {
        // For small motion, changes of the magnitude are the acceleration along gravity.
        let vertical = (sums[3] + noise / 3) / (Self.xyz(sums).sum() + noise)
        // The trace of the 3 × 3 matrix of co-spectra, and the sum of its squared elements.
        let diagonal = Self.xyz(sums + noise / 3)
        let trace = diagonal.sum()
        let squares = (diagonal * diagonal).sum() + 2 * (Self.xyz(products) * Self.xyz(products)).sum()
        return (vertical, squares / (trace * trace))
    }

    /// The normalized entropy of the spectrum, 1 if all bins are equal.
    private func entropy() -> Float {
        let bins = Self.entropyBins
        // The power of the axes together, and the noise.
        let powers = InlineArray<28, Float> { Self.xyz(squares[bins.lowerBound + $0]).sum() + Self.binNoise }
        let power = powers.span
        precondition(power.count == bins.count)
        var sum: Float = 0
        for index in power.indices { sum += power[index] }
        var entropy: Float = 0
        for first in stride(from: 0, to: power.count, by: 8) {
            // Lanes without a bin add 0, the logarithm of 1.
            var shares = SIMD8<Float>(repeating: 1)
            // In bounds: 28 is a multiple of four.
            shares.lowHalf = power.four(unchecked: first) / sum
            if first + 4 < power.count { shares.highHalf = power.four(unchecked: first + 4) / sum }
            entropy -= (shares * logarithm(shares)).sum()
        }
        return entropy / logarithm(Float(bins.count))
    }

    @inline(__always)
    private static func xyz(_ value: SIMD4<Float>) -> SIMD4<Float> { SIMD4(value.x, value.y, value.z, 0) }

    /// y, z, x: the product with x, y, z is xy, yz, zx.
    @inline(__always)
    private static func rotated(_ value: SIMD4<Float>) -> SIMD4<Float> { SIMD4(value.y, value.z, value.x, 0) }
}

/// White noise, as from a loose cable or a broken sensor. Steady noise has a flat spectrum and is alike in all
/// directions and at all times. Between its bands and its directions a body or a vehicle differs by more than chance.
/// Of recorded seconds, at most 0.034 in any data set are taken for steady noise. Impulses of a sensor at rest are
/// single samples with nearly all energy. Of recorded seconds, at most 0.004 in any data set are taken for impulses.
/// Both shares, and the constants without another source, are those of the recordings and of ten minutes of each kind
/// of noise at 12.5, 25, 50 and 100 Hz.
enum WhiteNoise {
    /// Mean and standard deviation of the first fifteen features of noise, the bands relative to their mean. The
    /// training notebook measures them at 50 Hz.
    private static let mean = SIMD16<Float>(
        -0.351, -0.164, -0.027, 0.066, 0.262, 0.215, -0.545, -0.522, -0.503, -0.307, -0.369, -0.407, 0.955, 0.138,
        -0.150, 0)
    private static let spread = SIMD16<Float>(
        0.186, 0.164, 0.145, 0.142, 0.115, 0.125, 0.221, 0.162, 0.123, 0.072, 0.054, 0.039, 0.013, 0.045, 0.056, 1)
    /// How the mean of noise changes with (12.5 Hz / r)² for a sensor of rate r. Linear interpolation attenuates a
    /// frequency f by about (f/r)².
    private static let slowShift = SIMD16<Float>(
        0.174, 0.155, 0.117, 0.052, -0.106, -0.393, 0, 0, 0, 0, 0, 0, -0.033, 0.035, -0.042, 0)
    private static let (slowRate, meanRate): (Float, Float) = (12.5, 50)
    /// The limit of the mean square deviation, which is 1 for noise.
    private static let limit: Float = 2
    /// The least mean of the bands. Noise below 25 mg rms may be that of a sensor at rest.
    private static let level: Float = -4.3

    /// One in the lanes of the bands.
    private static let bands = SIMD16<Float>(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    private static let compared = SIMD16<Float>(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0)

    /// The logarithm of the probability of each class. Noise is none of the activities.
    static let logProbabilities: ByClass = {
        var logs = ByClass(SIMD8(repeating: -.infinity))
        for activity in ActivityClass.allCases { logs[activity] = logarithm(activity == .handled ? 0.95 : 0.01) }
        return logs
    }()

    /// Whether the features of a window are those of noise. `rate` is the sample rate in Hz.
    static func contains(_ features: WindowFeatures, rate: Float) -> Bool {
        let level = (features.values * bands).sum() / bands.sum()
        guard level > Self.level else { return false }
        if features.isImpulsive { return true }
        let rate = min(rate, meanRate)
        let slowness = (slowRate / rate) * (slowRate / rate) - (slowRate / meanRate) * (slowRate / meanRate)
        let deviation = (features.values - bands * level - mean - slowShift * slowness) / spread * compared
        return (deviation * deviation).sum() < limit * compared.sum()
    }

    /// A value is calm if its square is below this share of the mean: a quarter of the root mean square.
    private static let calm: Float = 1 / 16
    /// The least share of calm values. Steady noise has 0.02, and 0.98 of the recorded windows have less.
    private static let calmShare = 0.25
    /// The distance of two values, 0.16 s: an impulse of a sensor at 12.5 Hz is shorter, and a movement is longer.
    private static let distance = 4
    /// The limit of the mean product of the sizes of two values at that distance, relative to the mean square. Steady
    /// noise has 0.8, impulses in a tenth of the samples 0.2 to 0.5, and 0.98 of the recorded windows more than 0.6.
    private static let companion: Float = 0.55

    /// Whether single values have most of the energy of a window without its mean: most values are calm, and few of the
    /// others have another near them.
    static func isImpulsive(_ window: [SIMD4<Float>], meanSquare: Float) -> Bool {
        let calmCount = window.count { energy($0) < calm * meanSquare }
        guard Double(calmCount) >= calmShare * Double(window.count) else { return false }
        let pairs = zip(window, window.dropFirst(distance))
        let products = pairs.reduce(0) { $0 + (energy($1.0) * energy($1.1)).squareRoot() }
        return products < companion * meanSquare * Float(window.count)
    }

    /// The sum of the squares of the three axes.
    private static func energy(_ value: SIMD4<Float>) -> Float {
        value.x * value.x + value.y * value.y + value.z * value.z
    }
}
