internal import Foundation

/// A random number generator with the same numbers in every run: SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number of the normal distribution with mean 0 and standard deviation 1 (Box and Muller, 1958). It stands here
    /// because code of a test target is not optimized, and takes ten times as long.
    package mutating func normal() -> Double {
        let size = (-2 * log(Double.random(in: Double.ulpOfOne...1, using: &self))).squareRoot()
        return size * cos(2 * .pi * Double.random(in: 0...1, using: &self))
    }
}
