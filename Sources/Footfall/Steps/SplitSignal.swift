/// A signal at half the rate in two parts: what a low-pass lets through, and what it removes.
struct SplitSignal: Sendable {
    /// Below 5 Hz, recordings at 12.5 Hz and at 400 Hz are alike, and gait has its power there.
    private static let lowPass = LowPass(cutoffHertz: 5, sampleRate: Double(AnalysisGrid.cells.hertz), reach: 24)
    /// The half-rate value at which the signal begins.
    let start: Int64
    private(set) var lowPassed: SignalBuffer
    /// The difference between the signal and the low-passed one, over the same range. That of a slow sensor is
    /// amplified, because the lines between its samples attenuate it: hands would be as smooth as gait.
    private(set) var highPassed: SignalBuffer
    /// The sample rate of the next values in Hz.
    var sampleRate: Float = .infinity
    /// The frequency in Hz for which a slow sensor is amplified: between the low-pass and half the rate of a watch.
    private static let amplified: Float = 6
    /// The gain of the high-passed signal. A tone is told from its power without it.
    var gain: Float { Resampler.gain(at: Self.amplified, rate: sampleRate) }

    /// The values whose mean is gravity for a network: two seconds.
    private static let gravityLength: Int64 = 50

    /// Starts with the first grid cell of a contiguous signal.
    init(firstCell: Int64) {
        start = AnalysisGrid.halfRate(of: firstCell..<firstCell).lowerBound
        lowPassed = SignalBuffer(start: start)
        highPassed = lowPassed
    }

    /// Splits the signal up to the value before `end`. If values before `start` are missing, it restarts at `start`.
    mutating func extend(_ signal: SignalBuffer, from start: Int64, to end: Int64) {
        let available = AnalysisGrid.halfRate(of: signal.range)
        if lowPassed.end < start {
            lowPassed.restart(at: max(start, self.start, available.lowerBound))
            highPassed.restart(at: lowPassed.start)
        }
        let last = min(end, available.upperBound)
        guard last > lowPassed.end else { return }
        let lowPass = Self.lowPass
        let reach = Int64(lowPass.reach)
        let values = signal.padded(2 * lowPassed.end - reach..<2 * (last - 1) + reach + 1)
        lowPassed.append(atMost: Int(last - lowPassed.end)) { lowPass.halve(values.span, into: &$0, at: $1) }
        let slice = lowPassed.slice(highPassed.end..<lowPassed.end)
        let (all, smooth) = (values.span.extracting(droppingFirst: lowPass.reach), slice.span)
        precondition(all.count >= 2 * smooth.count)
        let gain = gain
        highPassed.append(atMost: smooth.count) { results, start in
            precondition(start >= 0 && start + smooth.count <= results.count)
            // In bounds: as many results as values, and twice as many values before the low-pass.
            for index in smooth.indices {
                results[unchecked: start &+ index] = (all[unchecked: 2 &* index] - smooth[unchecked: index]) * gain
            }
            return start + smooth.count
        }
    }

    mutating func removeValues(before index: Int64) {
        lowPassed.removeValues(before: index)
        highPassed.removeValues(before: lowPassed.start)
    }

    /// Seven numbers of each value, and a zero: the motion along and across gravity, the motion of the magnitude, what
    /// the low-pass removes of it, and the motion of each axis. Gravity is the mean of two seconds. The area hyperbolic
    /// sine compresses amplitudes, so that soft steps and runs have similar sizes.
    func channels(of range: Range<Int64>) -> [SIMD8<Float>] {
        let smooth = lowPassed.padded(range.lowerBound - Self.gravityLength + 1..<range.upperBound)
        let rough = highPassed.padded(range)
        let (values, removed, length) = (smooth.span, rough.span, Int(Self.gravityLength))
        var results: [SIMD8<Float>] = []
        results.reserveCapacity(removed.count)
        var sum = SIMD4<Float>()
        for index in 0..<length - 1 { sum += values[index] }
        for index in removed.indices {
            let value = values[index + length - 1]
            sum += value
            let mean = sum / Float(length)
            sum -= values[index]
            var (motion, up) = (value - mean, mean)
            up.w = 0
            up /= (up * up).sum().squareRoot() + 1e-3
            let magnitude = motion.w
            motion.w = 0
            let rise = (motion * up).sum()
            let across = max((motion * motion).sum() - rise * rise, 0).squareRoot()
            results.append(
                areaHyperbolicSine(
                    10 * SIMD8(rise, across, magnitude, removed[index].w, motion.x, motion.y, motion.z, 0)))
        }
        return results
    }
}

/// A symmetric (linear-phase) low-pass filter. It delays all frequencies equally, by ``reach`` values, so times stay
/// correct. Windowed sinc with a Hamming window (Oppenheim & Schafer, *Discrete-Time Signal Processing*, §7.5).
struct LowPass: Sendable {
    /// Values to each side of the center.
    let reach: Int
    /// The center tap and the taps to one side of it. With the mirrored taps they sum to one.
    private let taps: [Float]

    /// Designs a filter with half the amplitude at `cutoffHertz`, and `reach` values to each side. The transition is
    /// about 1.65 × sampleRate / reach Hz wide.
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

    /// Filters every second one of the values that have ``reach`` values on each side. Writes the results from position
    /// `start` on, and returns the position after the last one.
    func halve(_ values: Span<SIMD4<Float>>, into results: inout MutableSpan<SIMD4<Float>>, at start: Int) -> Int {
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
