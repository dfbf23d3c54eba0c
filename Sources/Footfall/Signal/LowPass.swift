#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A symmetric (linear-phase) low-pass: every frequency is delayed alike, by ``reach`` values, so times stay true.
///
/// Windowed sinc with a Hamming window (Oppenheim & Schafer, *Discrete-Time Signal Processing*, §7.5).
struct LowPass: Sendable {
    /// How far the filter looks to each side of a value.
    let reach: Int
    /// The centre tap and those to one side of it; they sum, with the mirrored ones, to one.
    private let taps: [Float]

    /// Designs a filter.
    ///
    /// - Parameters:
    ///   - cutoffHertz: Where the amplitude has fallen to one half, in Hz.
    ///   - sampleRate: In Hz.
    ///   - reach: Values to each side; the transition is about 1.65 × sampleRate / reach Hz wide.
    init(cutoffHertz: Double, sampleRate: Double, reach: Int) {
        self.reach = reach
        let cutoff = cutoffHertz / sampleRate
        let half = (0...reach).map { offset -> Double in
            let sinc = offset == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * Double(offset)) / (.pi * Double(offset))
            return sinc * (0.54 + 0.46 * cos(.pi * Double(offset) / Double(reach)))
        }
        let sum = half[0] + 2 * half.dropFirst().reduce(0, +)
        taps = half.map { Float($0 / sum) }
    }

    /// The filtered value at `centre`, which must have ``reach`` values on each side of it.
    @inline(__always)
    func value(at centre: Int, in values: Span<SIMD4<Float>>) -> SIMD4<Float> {
        var sum = values[centre] * taps[0]
        for offset in 1...reach {
            sum += (values[centre - offset] + values[centre + offset]) * taps[offset]
        }
        return sum
    }
}
