internal import Footfall

/// The random generator of simulations: SplitMix64, which is fast and splits into independent streams.
///
/// G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The increment of the published generator: 2⁶⁴ divided by the golden ratio, rounded to odd.
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(seed: UInt64) {
        state = seed
    }

    /// Creates the stream for one purpose and one scene.
    ///
    /// With separate streams, another sensor does not change the steps, and another scene does not change the others.
    init(seed: UInt64, _ purpose: Purpose, index: Int = 0) {
        var purposes = SplitMix64(seed: purpose.rawValue &* 0xD1B5_4A32_D192_ED03 ^ UInt64(truncatingIfNeeded: index))
        var seeds = SplitMix64(seed: seed ^ purposes.next())
        state = seeds.next()
    }

    enum Purpose: UInt64 {
        case person = 1
        case plan
        case motion
        case clock
        case drops
        case gaps
        case noise
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
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A uniformly distributed number in `range`.
    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// A uniformly distributed number in `range`.
    mutating func uniform(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * Float(next() >> 40) * 0x1p-24
    }

    /// A number with about normal distribution, mean 0 and standard deviation 1.
    ///
    /// The sum of four 16-bit uniform numbers from one draw (Irwin-Hall), within ±3.5. It needs no logarithm, whose
    /// last bit differs between machines.
    mutating func gaussian() -> Float {
        let bits = next()
        let low = Int32(bits & 0xFFFF) + Int32((bits >> 16) & 0xFFFF)
        let high = Int32((bits >> 32) & 0xFFFF) + Int32((bits >> 48) & 0xFFFF)
        // The sum has the mean 131,070 and the variance 4·(2³² − 1)/12.
        return Float(low + high - 131_070) * (1 / 37_837.227)
    }

    mutating func gaussian4() -> SIMD4<Float> {
        SIMD4(gaussian(), gaussian(), gaussian(), gaussian())
    }
}
