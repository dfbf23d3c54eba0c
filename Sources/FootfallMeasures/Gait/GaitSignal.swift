internal import CGSL
internal import Footfall
internal import Foundation

/// The acceleration around a gait bout, and the measures that follow from it.
struct GaitSignal {
    /// The harmonics of the stride in the harmonic ratio: 20, as in Bellanca 2013.
    static let harmonics = 20
    /// The upper bound of the spectral arc length, in Hz, as in Balasubramanian 2015.
    static let highestHertz = 10.0
    /// The signal before the first and after the last step, in seconds, that a crest may need.
    static let margin = 0.5

    /// The rate of the even grid, in Hz.
    private static let rate = 100.0
    /// The standard deviation, in seconds, of the Gaussian that smooths the signal before the search for crests.
    private static let smoothing = 0.05
    /// The largest distance of a crest from its step, as a share of the step time.
    private static let crestReach = 0.4
    /// The share of the steps that need a crest.
    private static let leastCrests = 0.8
    /// The search for a peak of the autocorrelation: this share of the lag to either side.
    private static let lagReach = 0.25
    /// The points of a stride in the harmonic ratio: more than two for each harmonic.
    private static let pointsOfStride = 128
    /// The share of the largest amplitude below which the spectral arc length ignores the end of the spectrum.
    private static let amplitudeThreshold = 0.05
    /// The rate of the signal in the spectral arc length, in Hz: more than twice the upper bound.
    private static let arcRate = 50.0
    /// The factor of the zero-padding for the spectral arc length, as in the paper's own code.
    private static let padding = 16
    /// The metres per second squared of 1 g.
    private static let standardGravity = 9.80665

    private let spline: CubicSpline
    private let stepTime: Double
    /// The time of the first and the last step, in seconds.
    private let bout: ClosedRange<Double>
    /// The vertical acceleration in g on the grid, the margins included.
    private let values: [Double]
    /// The crest of each step, in seconds; nil if there is none.
    private let crests: [Double?]
    /// The root mean square along each axis around its mean, in g.
    let rms: SIMD3<Double>

    /// Interpolates the acceleration in g, along the axes of the sensor and upwards. The times of the samples strictly
    /// increase, those of the at least two steps ascend; both are in seconds.
    init?(times: [Double], axes: [[Double]], vertical: [Double], steps: [Double]) {
        guard let first = steps.first, let last = steps.last, first < last,
            let spline = CubicSpline(x: times, y: vertical)
        else { return nil }
        self.spline = spline
        bout = first...last
        let isInBout = times.map((first...last).contains)
        let deviations = axes.map { axis in zip(axis, isInBout).filter(\.1).map(\.0).standardDeviation ?? 0 }
        rms = SIMD3(deviations[0], deviations[1], deviations[2])
        stepTime = (last - first) / Double(steps.count - 1)
        let start = first - Self.margin
        let count = Int(clamping: (last + Self.margin - start) * Self.rate) + 1
        values = spline.values(from: start, every: 1 / Self.rate, count: count)
        crests = Self.crests(
            values, steps.map { ($0 - start) * Self.rate }, reach: Self.crestReach * stepTime * Self.rate
        )
        .map { $0.map { start + $0 / Self.rate } }
    }

    /// Whether the signal has a crest at most steps.
    var isClear: Bool { Double(crests.count { $0 != nil }) >= Self.leastCrests * Double(crests.count) }

    /// The times between two crests that are `count` steps apart: 1 for step times, 2 for stride times. With a parity,
    /// 0 or 1, only those after every second step.
    func times(over count: Int, parity: Int? = nil) -> [Double] {
        crests.indices.dropLast(count).compactMap { index in
            guard parity == nil || index % 2 == parity, let start = crests[index], let end = crests[index + count]
            else { return nil }
            return end - start
        }
    }

    /// The unbiased autocorrelation at its peak around a number of steps, as a share of the one at 0.
    func regularity(steps: Int) -> Double? {
        let first = Int(clamping: Self.margin * Self.rate)
        let signal = Array(values[first...(first + Int(clamping: (bout.upperBound - bout.lowerBound) * Self.rate))])
        guard let mean = signal.mean else { return nil }
        let centered = signal.map { $0 - mean }
        func covariance(_ lag: Int) -> Double { centered.sumOfProducts(lag: lag) / Double(centered.count - lag) }
        let lag = Double(steps) * stepTime * Self.rate
        let lags = Int(clamping: lag * (1 - Self.lagReach))...Int(clamping: lag * (1 + Self.lagReach))
        let variance = covariance(0)
        guard variance > 0, lags.upperBound < centered.count else { return nil }
        return lags.map(covariance).max().map { $0 / variance }
    }

    /// The mean over the strides of Σ amplitudes of even harmonics / Σ amplitudes of odd harmonics.
    var harmonicRatio: Double? {
        strides.compactMap { start, end in
            let step = (end - start) / Double(Self.pointsOfStride)
            let amplitudes = spline.values(from: start, every: step, count: Self.pointsOfStride)
                .amplitudes(length: Self.pointsOfStride)
            guard amplitudes.count > Self.harmonics else { return nil }
            let odd = stride(from: 1, to: Self.harmonics, by: 2).reduce(0) { $0 + amplitudes[$1] }
            let even = stride(from: 2, through: Self.harmonics, by: 2).reduce(0) { $0 + amplitudes[$1] }
            return odd > 0 ? even / odd : nil
        }.mean
    }

    /// The mean over the strides of the spectral arc length. The spectrum is divided by its largest value, because an
    /// acceleration has no component at frequency 0.
    var spectralArcLength: Double? {
        strides.compactMap { start, end in
            let signal = spline.values(
                from: start, every: 1 / Self.arcRate, count: Int(clamping: ((end - start) * Self.arcRate).rounded()))
            guard let mean = signal.mean else { return nil }
            var length = Self.padding
            while length < signal.count * Self.padding { length *= 2 }
            let amplitudes = signal.map { $0 - mean }.amplitudes(length: length)
            let band = amplitudes.prefix(Int(clamping: Self.highestHertz / Self.arcRate * Double(length)) + 1)
            guard let most = band.max(), most > 0,
                let first = band.firstIndex(where: { $0 >= Self.amplitudeThreshold * most }),
                let last = band.lastIndex(where: { $0 >= Self.amplitudeThreshold * most }), first < last
            else { return nil }
            let run = 1 / Double(last - first)
            return (first..<last).reduce(0) { sum, index in
                let rise = (band[index + 1] - band[index]) / most
                return sum - (run * run + rise * rise).squareRoot()
            }
        }.mean
    }

    /// The mean over the steps of the difference between the highest and the lowest position, in metres; nil for a bout
    /// that is too short. The position is the second integral of the acceleration. Each integral is taken less its
    /// moving mean over a step, which removes the drift and leaves the motion of equal steps as it is. Zijlstra 2003
    /// has a high-pass filter of 0.1 Hz there, which settles in more time than a short bout has.
    var verticalExcursion: Double? {
        guard let mean = values.mean else { return nil }
        let width = max(1, Int(clamping: (stepTime * Self.rate).rounded()))
        let acceleration = values.map { ($0 - mean) * Self.standardGravity }
        let velocity = acceleration.integral(every: 1 / Self.rate).lessMovingMean(over: width)
        let position = velocity.integral(every: 1 / Self.rate).lessMovingMean(over: width)
        // A moving mean shifts positions by half of its width.
        let first = max(0, Int(clamping: Self.margin * Self.rate) - 2 * (width / 2))
        return stride(from: first, to: position.count - width, by: width).compactMap { start in
            let step = position[start...(start + width)]
            guard let low = step.min(), let high = step.max() else { return nil }
            return high - low
        }.mean
    }

    /// The start and the end of each stride, from every second step on.
    private var strides: [(start: Double, end: Double)] {
        stride(from: 0, to: max(0, crests.count - 2), by: 2).compactMap { index in
            guard let start = crests[index], let end = crests[index + 2], start < end else { return nil }
            return (start, end)
        }
    }

    /// The crest of the smoothed signal nearest to the highest value around each place, in grid positions.
    private static func crests(_ values: [Double], _ places: [Double], reach: Double) -> [Double?] {
        let width = Int(clamping: (3 * smoothing * rate).rounded())
        let weights = (-width...width).map { exp(-0.5 * pow(Double($0) / (smoothing * rate), 2)) }
        let total = weights.reduce(0, +)
        func smooth(_ center: Int) -> Double {
            weights.enumerated().reduce(0) { sum, weight in
                let index = min(max(center + weight.offset - width, 0), values.count - 1)
                return sum + weight.element * values[index]
            } / total
        }
        let smoothed = values.indices.map(smooth)
        return places.map { place in
            let range =
                max(
                    1, Int(clamping: (place - reach).rounded(.up)))...max(
                    1, min(Int(clamping: place + reach), values.count - 2))
            guard let top = range.max(by: { smoothed[$0] < smoothed[$1] }) else { return nil }
            let (left, middle, right) = (smoothed[top - 1], smoothed[top], smoothed[top + 1])
            guard middle >= left, middle >= right, 2 * middle > left + right else { return nil }
            // The top of the parabola through the three values.
            return Double(top) + 0.5 * (left - right) / (left - 2 * middle + right)
        }
    }
}

extension [Double] {
    /// The integral from the first value to each, by trapezoids.
    fileprivate func integral(every step: Double) -> [Double] {
        var (sum, last) = (0.0, first ?? 0)
        return map { value in
            sum += (last + value) / 2 * step
            last = value
            return sum
        }
    }

    /// The values less the mean of a window around each. Those without a whole window are left out.
    fileprivate func lessMovingMean(over width: Int) -> [Double] {
        guard count > width else { return [] }
        let sums = integral(every: 1)
        return (0..<(count - width)).map { start in
            self[start + width / 2] - (sums[start + width] - sums[start]) / Double(width)
        }
    }
}

/// A natural cubic spline through points.
final class CubicSpline {
    private let x: [Double]
    private let y: [Double]
    private let interpolation: UnsafeMutablePointer<gsl_interp>

    /// Computes the spline through at least three points with strictly increasing x; nil for other points.
    init?(x: [Double], y: [Double]) {
        GSL.withoutErrorHandler
        guard x.count >= 3, x.count == y.count, zip(x, x.dropFirst()).allSatisfy(<),
            let interpolation = footfall_cubic_spline_alloc(x.count)
        else { return nil }
        (self.x, self.y, self.interpolation) = (x, y, interpolation)
        guard gsl_interp_init(interpolation, x, y, x.count) == 0 else { return nil }
    }

    deinit { gsl_interp_free(interpolation) }

    /// The values at equal distances, from `start` on. Beyond the points, the value is that of the nearest one.
    func values(from start: Double, every step: Double, count: Int) -> [Double] {
        guard let first = x.first, let last = x.last else { return [] }
        var accelerator = gsl_interp_accel()
        return (0..<count).map { index in
            let place = min(max(start + Double(index) * step, first), last)
            return gsl_interp_eval(interpolation, x, y, place, &accelerator)
        }
    }
}
