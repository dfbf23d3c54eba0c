internal import Footfall

/// The random generator of simulations: SplitMix64, which is fast and splits into independent streams. G. Steele, D.
/// Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The increment of the published generator: 2⁶⁴ divided by the golden ratio, rounded to odd.
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(seed: UInt64) { state = seed }

    /// Creates the stream for one purpose and one scene. So a change of the sensor keeps the steps, and a change of a
    /// scene keeps the other scenes.
    init(seed: UInt64, _ purpose: Purpose, index: Int = 0) {
        var purposes = SplitMix64(seed: purpose.rawValue &* 0xD1B5_4A32_D192_ED03 ^ UInt64(truncatingIfNeeded: index))
        var seeds = SplitMix64(seed: seed ^ purposes.next())
        state = seeds.next()
    }

    /// The raw values never change, so that a seed keeps its trace.
    enum Purpose: UInt64 {
        case person = 1
        case plan
        case motion
        case clock
        case drops
        case noise = 7
        case wander
        case schedule
    }

    mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number in 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    mutating func uniform(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * Float(next() >> 40) * 0x1p-24
    }

    /// An almost normal number with mean 0 and standard deviation 1, within ±3.5. It is the sum of four uniform 16-bit
    /// numbers (Irwin-Hall). The last bit of a logarithm differs between machines.
    mutating func gaussian() -> Float {
        let bits = next()
        let low = Int32(bits & 0xFFFF) + Int32((bits >> 16) & 0xFFFF)
        let high = Int32((bits >> 32) & 0xFFFF) + Int32((bits >> 48) & 0xFFFF)
        // The sum has the mean 131,070 and the variance 4·(2³² − 1)/12.
        return Float(low + high - 131_070) * (1 / 37_837.227)
    }

    mutating func gaussian4() -> SIMD4<Float> { SIMD4(gaussian(), gaussian(), gaussian(), gaussian()) }
}

/// Four channels of smooth noise: Catmull-Rom splines through random values at equal intervals. The spectrum is flat up
/// to about half the rate and falls quickly above it. The noise is a function of time, so it does not depend on the
/// sampling. Values have the root mean square 1.
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

/// A sine with variable frequency and continuous phase.
struct Oscillator: Sendable {
    private var phase: Double
    private var time = 0.0

    /// Creates an oscillator at `phase`, in turns, at time 0.
    init(phase: Double) { self.phase = phase }

    /// Advances to `time` in seconds at `frequency` in Hz and returns sine and cosine.
    @inline(__always)
    mutating func advance(to time: Double, frequency: Double) -> (sine: Float, cosine: Float) {
        phase += (time - self.time) * frequency
        phase -= Double(Int(clamping: phase))
        self.time = time
        return (sine(turns: Float(phase)), cosine(turns: Float(phase)))
    }
}

/// The sine of an angle in turns, with an error below 2.2·10⁻⁷: Taylor's polynomial of degree 11 on ±¼ turn. The last
/// bits of the libm functions differ between machines; simulated traces must not.
@inline(__always)
func sine(turns: Float) -> Float {
    var angle = turns - Float(Int32(clamping: turns))
    if angle > 0.5 { angle -= 1 } else if angle < -0.5 { angle += 1 }
    if angle > 0.25 { angle = 0.5 - angle } else if angle < -0.25 { angle = -0.5 - angle }
    let x = angle * (2 * .pi)
    let square = x * x
    let ninth = 1 / 362_880 - square * (1 / 39_916_800)
    return x * (1 + square * (-1 / 6 + square * (1 / 120 + square * (-1 / 5040 + square * ninth))))
}

/// The cosine of an angle within a turn, in turns, with an error below 4.1·10⁻⁷.
@inline(__always)
func cosine(turns: Float) -> Float { sine(turns: turns + 0.25) }

/// A smooth step from 0 at 0 to 1 at 1; constant outside.
@inline(__always)
func smoothStep(_ value: Float) -> Float {
    let u = min(max(value, 0), 1)
    return u * u * (3 - 2 * u)
}

extension Float {
    /// An angle in degrees as turns.
    static func degrees(_ degrees: Float) -> Float { degrees / 360 }
}
