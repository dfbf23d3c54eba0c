/// Filters samples at an even rate to the values, ten a second, whose sum over an epoch is its activity counts.
///
/// The steps and all constants are those of A. Neishabouri et al., Quantification of acceleration as activity counts in
/// ActiGraph wearable, Scientific Reports 12, 2022: the rate becomes 30 Hz, a band-pass keeps 0.29 to 1.63 Hz, small
/// values are cut off and large ones limited, and three values in a row have one mean. The three axes are the lanes of
/// a vector.
struct CountFilter: Sendable {
    typealias Axes = SIMD4<Double>

    /// The rates that the filter takes, in Hz: multiples of 10 in this range.
    static let rates = 30...100
    /// The number of results in a second.
    static let resultsPerSecond = 10

    /// Whether a low-pass of the first order follows the samples. Rates that 30 Hz divides have none.
    private let isSmoothed: Bool
    /// The factor of upsampling. Each sample becomes this many values, itself and zeros; the low-pass filters them all.
    private let up: Int
    /// The factor of downsampling. Of this many values, the first is kept.
    private let down: Int
    /// The shares of the last value of the low-pass, and of the sample, in each of the values of the sample.
    private let shares: (Share, Share, Share)
    private typealias Share = (last: Double, sample: Double)

    private var smoothed = Axes.zero
    /// The values until the next one that is kept.
    private var skipped = 0
    private var bandPass = CountBandPass()
    private var sum = Axes.zero
    private var summed = 0

    /// - Parameter rate: The rate of the samples in Hz, a multiple of 10 in ``rates``.
    init(rate: Int) {
        isSmoothed = !rate.isMultiple(of: 30)
        (up, down) = isSmoothed ? (3, rate / 10) : (1, rate / 30)
        // The low-pass adds a value and the one before it, times `input`, to its last value, times `last`.
        let input = .pi / (.pi + 2 * Double(up)) * Double(up)
        let last = (2 * Double(up) - .pi) / (.pi + 2 * Double(up))
        shares = ((last, input), (last * last, (last + 1) * input), (last * last * last, (last * last + last) * input))
    }

    /// Adds the next sample, in g.
    ///
    /// - Returns: The next result; nil if it needs more samples.
    @inline(__always)
    mutating func add(_ sample: Axes) -> Axes? {
        let last = smoothed
        if isSmoothed { smoothed = last * shares.2.last + sample * shares.2.sample }
        guard skipped < up else {
            skipped -= up
            return nil
        }
        let share = skipped == 0 ? shares.0 : skipped == 1 ? shares.1 : shares.2
        skipped += down - up
        return keep(isSmoothed ? last * share.last + sample * share.sample : sample)
    }

    private mutating func keep(_ value: Axes) -> Axes? {
        // Counts for 1 g: the steps of a converter of 3 V in 12 bits over those of one of 2.6 V in 8 bits, times 237.5.
        let gain = (3.0 / 4096.0) / (2.6 / 256.0) * 237.5
        let (least, most) = (4.0, 128.0)
        let filtered = bandPass.filter((value * 1000).roundedToWhole / 1000) * gain
        let size = filtered.replacing(with: -filtered, where: filtered .< 0)
        sum += size.replacing(with: 0, where: size .< least).replacing(with: most, where: size .> most).roundedDown
        summed += 1
        guard summed == 3 else { return nil }
        defer { (sum, summed) = (.zero, 0) }
        return (sum / 3).roundedDown
    }
}

extension CountFilter.Axes {
    /// The nearest whole numbers, and of two the even one, for values below 2⁵¹. The sum has no bits for a fraction.
    @inline(__always) fileprivate var roundedToWhole: Self { (self + 0x1.8p52) - 0x1.8p52 }

    @inline(__always) fileprivate var roundedDown: Self {
        let whole = roundedToWhole
        return whole.replacing(with: whole - 1, where: whole .> self)
    }
}
