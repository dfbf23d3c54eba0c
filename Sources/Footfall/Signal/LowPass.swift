/// A symmetric (linear-phase) low-pass filter. It delays all frequencies equally, by ``reach`` values, so times stay
/// correct.
///
/// Windowed sinc with a Hamming window (Oppenheim & Schafer, *Discrete-Time Signal Processing*, §7.5).
struct LowPass: Sendable {
    /// Values to each side of the center.
    let reach: Int
    /// The center tap and the taps to one side of it. With the mirrored taps they sum to one.
    private let taps: [Float]

    /// - Parameters:
    ///   - cutoffHertz: The frequency with half the amplitude, in Hz.
    ///   - sampleRate: In Hz.
    ///   - reach: Values to each side. The transition is about 1.65 × sampleRate / reach Hz wide.
    init(cutoffHertz: Double, sampleRate: Double, reach: Int) {
        self.reach = reach
        let cutoff = cutoffHertz / sampleRate
        let half = (0...reach).map { offset -> Double in
            let sinc = offset == 0 ? 2 * cutoff : sine(2 * .pi * cutoff * Double(offset)) / (.pi * Double(offset))
            return sinc * (0.54 + 0.46 * cosine(.pi * Double(offset) / Double(reach)))
        }
        let sum = half[0] + 2 * half.dropFirst().reduce(0, +)
        taps = half.map { Float($0 / sum) }
    }

    /// Filters every second one of the values that have ``reach`` values on each side.
    ///
    /// - Parameters:
    ///   - values: Values at the full rate.
    ///   - results: Receives the results from position `start` on.
    /// - Returns: The position after the last result.
    func halve(
        _ values: Span<SIMD4<Float>>, into results: inout MutableSpan<SIMD4<Float>>, at start: Int
    ) -> Int {
        let taps = taps.span
        let count = (values.count - 2 * reach + 1) / 2
        var next = 0
        // Five independent sums run in parallel; a second has 25.
        while next + 5 <= count {
            let near = values.extracting(2 * next..<2 * next + 2 * reach + 9)
            var sums = (
                near[reach] * taps[0], near[reach + 2] * taps[0], near[reach + 4] * taps[0], near[reach + 6] * taps[0],
                near[reach + 8] * taps[0]
            )
            for offset in 1..<taps.count {
                // In bounds: positions from 0 to 2 reach + 8.
                let (before, after, tap) = (reach &- offset, reach &+ offset, taps[offset])
                sums.0 += (near[unchecked: before] + near[unchecked: after]) * tap
                sums.1 += (near[unchecked: before &+ 2] + near[unchecked: after &+ 2]) * tap
                sums.2 += (near[unchecked: before &+ 4] + near[unchecked: after &+ 4]) * tap
                sums.3 += (near[unchecked: before &+ 6] + near[unchecked: after &+ 6]) * tap
                sums.4 += (near[unchecked: before &+ 8] + near[unchecked: after &+ 8]) * tap
            }
            results[start + next] = sums.0
            results[start + next + 1] = sums.1
            results[start + next + 2] = sums.2
            results[start + next + 3] = sums.3
            results[start + next + 4] = sums.4
            next += 5
        }
        while next < count {
            let center = reach + 2 * next
            var sum = values[center] * taps[0]
            for offset in 1...reach { sum += (values[center - offset] + values[center + offset]) * taps[offset] }
            results[start + next] = sum
            next += 1
        }
        return start + count
    }
}
