/// The source of everything random in a simulation: SplitMix64.
///
/// G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. One addition and a
/// 64-bit finalizer per number; statistically plain, fast, and easy to split into streams that do not disturb one
/// another.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The golden ratio as a fraction of 2⁶⁴, made odd: the increment of the published generator.
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Creates the generator of the published algorithm with `seed` as its state.
    init(seed: UInt64) {
        state = seed
    }

    /// Creates the stream of one purpose, and of one scene of it.
    ///
    /// Each purpose draws from its own stream, so that changing the sensor leaves the steps where they are, and
    /// changing one scene leaves the others alone.
    init(seed: UInt64, _ purpose: Purpose, index: Int = 0) {
        var purposes = SplitMix64(seed: purpose.rawValue &* 0xD1B5_4A32_D192_ED03 ^ UInt64(truncatingIfNeeded: index))
        var seeds = SplitMix64(seed: seed ^ purposes.next())
        state = seeds.next()
    }

    /// What a stream of random numbers is for.
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

    /// A number in `range`, all equally likely.
    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// A number in `range`, all equally likely.
    mutating func uniform(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * Float(next() >> 40) * 0x1p-24
    }

    /// A number from the bell curve with mean 0 and standard deviation 1.
    ///
    /// The sum of four 16-bit uniforms out of one draw (Irwin-Hall): no logarithm, whose last bit differs between
    /// machines, and never beyond ±3.5, which suits a body.
    mutating func gaussian() -> Float {
        let bits = next()
        let low = Int32(bits & 0xFFFF) + Int32((bits >> 16) & 0xFFFF)
        let high = Int32((bits >> 32) & 0xFFFF) + Int32((bits >> 48) & 0xFFFF)
        // Four uniforms on 0…65535 have the mean 131,070 and the variance 4·(2³² − 1)/12.
        return Float(low + high - 131_070) * (1 / 37_837.227)
    }

    /// Four independent numbers from the bell curve.
    mutating func gaussian4() -> SIMD4<Float> {
        SIMD4(gaussian(), gaussian(), gaussian(), gaussian())
    }
}
