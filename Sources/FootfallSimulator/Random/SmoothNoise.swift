/// Four channels of smooth noise: Catmull-Rom splines through random values at equal intervals.
///
/// The spectrum is flat up to about half the rate and falls quickly above it. The noise is a function of time, so it
/// does not depend on the sampling. Values have the root mean square 1.
struct SmoothNoise: Sendable {
    private var random: SplitMix64
    private var knots: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private var nextKnot: Double
    private let rate: Double
    private let spacing: Double

    /// The root mean square of a Catmull-Rom spline through independent values of variance 1: √(∫ Σ wᵢ(u)² du).
    private static let splineRootMeanSquare: Float = 0.902_378

    /// Creates noise with `rate` independent values per second, starting at time 0.
    init(rate: Double, random: inout SplitMix64) {
        self.random = SplitMix64(seed: random.next())
        self.rate = rate
        spacing = 1 / rate
        nextKnot = spacing
        knots = (.zero, .zero, .zero, .zero)
        for _ in 0..<4 { shift() }
    }

    private mutating func shift() {
        knots = (knots.1, knots.2, knots.3, random.gaussian4() * (1 / SmoothNoise.splineRootMeanSquare))
    }

    /// The four channels at `time` in seconds; times must not decrease.
    @inline(__always)
    mutating func values(at time: Double) -> SIMD4<Float> {
        while time >= nextKnot {
            shift()
            nextKnot += spacing
        }
        let u = Float(1 - (nextKnot - time) * rate)
        let slope = 0.5 * (knots.2 - knots.0)
        let nextSlope = 0.5 * (knots.3 - knots.1)
        let rise = knots.2 - knots.1
        let quadratic = 3 * rise - 2 * slope - nextSlope
        let cubic = slope + nextSlope - 2 * rise
        return knots.1 + u * (slope + u * (quadratic + u * cubic))
    }
}

/// Narrow-band noise, such as that of a car body on its springs: a carrier whose two quadratures are modulated by slow
/// noise (S. O. Rice, 1944).
struct BandNoise: Sendable {
    private var envelope: SmoothNoise
    private var carrier: Oscillator
    private let frequency: Double

    /// Creates noise of a width around a frequency, both in Hz.
    init(frequency: Double, width: Double, random: inout SplitMix64) {
        envelope = SmoothNoise(rate: width, random: &random)
        carrier = Oscillator(phase: random.unit())
        self.frequency = frequency
    }

    /// Four channels at `time` in seconds, each with the root mean square 1; times must not decrease.
    @inline(__always)
    mutating func values(at time: Double) -> SIMD4<Float> {
        let (sine, cosine) = carrier.advance(to: time, frequency: frequency)
        let modulation = envelope.values(at: time)
        let turned = SIMD4(modulation.y, -modulation.x, modulation.w, -modulation.z)
        return modulation * cosine + turned * sine
    }
}
