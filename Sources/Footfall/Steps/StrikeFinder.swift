#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds the strikes of the feet within a confirmed bout.
///
/// The cadence, summed up, is a phase that passes a whole number at each step. How far the signal itself is ahead of it or
/// behind is measured by demodulation: the norm, turned back by that phase and averaged over 1.6 seconds, points where
/// its crests are. So the count is that of the cadence, which no single wild swing can spoil, and the times are those of
/// the crests.
struct StrikeFinder: Sendable {
    /// Half the window of the demodulation, in samples: 1.6 s in all.
    private static let reach: Int64 = 19
    /// Hann weights of the demodulation, from the middle outwards.
    private static let weights = (0...Int(reach)).map { 0.5 + 0.5 * cos(.pi * Float($0) / Float(reach + 1)) }
    /// Pauses shorter than this, in samples (0.4 s), are steps all the same.
    private static let bridge: Int64 = 10

    /// The cadence around the middle of a second, on the straight line between the middles of the seconds.
    struct CadenceLine {
        /// The sample in the middle of the second.
        var centre: Int64
        /// The cadences of the second before, of the second itself and of the one after it, in Hz.
        var before: Float
        var own: Float
        var after: Float

        func at(_ sample: Int64) -> Float {
            let offset = Float(sample - centre) / Float(StepDetector.rate)
            return offset < 0
                ? own + (own - before) * max(offset, -1) : own + (after - own) * min(offset, 1)
        }
    }

    /// The part of a bout that is looked at.
    struct Passage {
        /// Up to which sample strikes are sought, and up to which there is signal of the bout to look ahead to.
        var end: Int64
        var horizon: Int64
        var liveliness: Liveliness
        var cadence: CadenceLine
        /// The level, in g, above which a sample is part of the walk.
        var threshold: Float
    }

    /// The next sample to look at.
    private(set) var next: Int64
    /// The summed cadence at the sample before `next`.
    private var lastPhase = 0.0
    /// The signal turned back by the summed cadence, from ``reach`` samples before `next` on: its real and imaginary parts. Where
    /// there is no signal there are zeros.
    private var real = [Float](repeating: 0, count: Int(reach))
    private var imaginary = [Float](repeating: 0, count: Int(reach))
    /// The summed cadence at the samples from `next` on; kept for its memory, as are the averages there.
    private var phases: [Double] = []
    private var averages: [SIMD2<Float>] = []
    /// The signal's phase at the sample before `next`, in steps; nil before the first.
    private var strikePhase: Double?
    /// The angle last measured, unwrapped, in steps.
    private var angle = 0.0
    /// The last sample whose level was that of the walk.
    private var lastLive: Int64?

    /// Begins a bout at a sample.
    init(start: Int64) {
        next = start
    }

    /// Appends the strikes up to the end of a passage, which continues the one before.
    mutating func find(in passage: Passage, into strikes: inout [Timestamp]) {
        guard passage.end > next else { return }
        demodulate(passage)
        average(Int(passage.end - next))
        for index in averages.indices {
            let isLive = isPartOfWalk(next, passage)
            let phase = advance(to: phases[index], averages[index])
            if let before = strikePhase, phase.rounded(.down) > before.rounded(.down) {
                let fraction = (phase.rounded(.down) - before) / max(phase - before, 1e-9)
                let nearest = fraction < 0.5 ? wasLive : isLive
                if nearest { strikes.append(Self.time(of: next - 1, plus: fraction)) }
            }
            strikePhase = phase
            wasLive = isLive
            next += 1
        }
        lastPhase = phases[averages.count - 1]
        // What comes after the passage is turned anew, when its cadence is known better.
        Self.forget(averages.count, of: &real)
        Self.forget(averages.count, of: &imaginary)
    }

    /// Leaves of the turned signal what the next averages look back on.
    private static func forget(_ count: Int, of parts: inout [Float]) {
        for index in 0..<Int(reach) { parts[index] = parts[count + index] }
        parts.removeLast(parts.count - Int(reach))
    }

    /// Whether the sample before `next` was part of the walk.
    private var wasLive = false

    /// Turns the signal of a passage back, and that after it as far as the averages look ahead.
    private mutating func demodulate(_ passage: Passage) {
        let end = max(passage.end, min(passage.end + Self.reach, passage.horizon))
        phases.removeAll(keepingCapacity: true)
        phases += repeatElement(0, count: Int(end - next))
        real += repeatElement(0, count: phases.count)
        imaginary += repeatElement(0, count: phases.count)
        Self.demodulate(passage, next, lastPhase, &phases, &real, &imaginary)
    }

    /// Writes the phases from a sample on, and the turned signal behind what is kept of it.
    private static func demodulate(
        _ passage: Passage, _ first: Int64, _ lastPhase: Double, _ phases: inout [Double], _ real: inout [Float],
        _ imaginary: inout [Float]
    ) {
        // Spans, so that the arrays are checked for being shared once and not at every write.
        var phases = phases.mutableSpan
        var real = real.mutableSpan
        var imaginary = imaginary.mutableSpan
        var phase = lastPhase
        for index in phases.indices {
            let sample = first + Int64(index)
            phase += Double(passage.cadence.at(sample) / GaitSpectrum.rate)
            phases[index] = phase
            let angle = Float(-2 * .pi * (phase - phase.rounded(.down)))
            let swing = passage.liveliness.swing(at: sample)
            real[Int(reach) + index] = cos(angle) * swing
            imaginary[Int(reach) + index] = sin(angle) * swing
        }
    }

    /// Averages the turned signal around `count` samples from `next` on.
    private mutating func average(_ count: Int) {
        let reach = Int(Self.reach)
        // Eight at a time, the last of which may have to look at nothing.
        let missing = (count + 7) / 8 * 8 + 2 * reach - real.count
        real += repeatElement(0, count: max(missing, 0))
        imaginary += repeatElement(0, count: max(missing, 0))
        averages.removeAll(keepingCapacity: true)
        let (weights, realParts, imaginaryParts) = (Self.weights, real, imaginary)
        let (taps, real, imaginary) = (weights.span, realParts.span, imaginaryParts.span)
        for first in stride(from: 0, to: count, by: 8) {
            let centre = first + reach
            // What comes before and what comes after: sums that need not wait for each other.
            var before = (real.eight(unchecked: centre) * taps[0], imaginary.eight(unchecked: centre) * taps[0])
            var after = (SIMD8<Float>(), SIMD8<Float>())
            for offset in 1...reach {
                // From `first` to `first` + 2 reach + 7, which is less than there are.
                let (left, right, tap) = (centre &- offset, centre &+ offset, taps[offset])
                before.0 += real.eight(unchecked: left) * tap
                before.1 += imaginary.eight(unchecked: left) * tap
                after.0 += real.eight(unchecked: right) * tap
                after.1 += imaginary.eight(unchecked: right) * tap
            }
            let sums = (before.0 + after.0, before.1 + after.1)
            for lane in 0..<min(8, count - first) { averages.append(SIMD2(sums.0[lane], sums.1[lane])) }
        }
    }

    /// The signal's phase at a sample: the summed cadence and the unwrapped angle by which the signal is ahead.
    private mutating func advance(to phase: Double, _ average: SIMD2<Float>) -> Double {
        let measured = Double(atan2(average.y, average.x)) / (2 * .pi)
        angle += measured - angle - (measured - angle).rounded()
        let ahead = phase + angle
        return max(ahead, strikePhase ?? ahead)
    }

    /// Whether a sample is part of the walk: lively enough, or in a short dip between samples that are.
    private mutating func isPartOfWalk(_ sample: Int64, _ passage: Passage) -> Bool {
        func isLive(_ sample: Int64) -> Bool {
            passage.liveliness.level(at: sample) > passage.threshold
        }
        if isLive(sample) {
            lastLive = sample
            return true
        }
        guard let lastLive, sample - lastLive < Self.bridge else { return false }
        let latest = min(lastLive + Self.bridge, passage.horizon - 1)
        return latest > sample && (sample + 1...latest).contains(where: isLive)
    }

    /// The time of a fractional sample: sample m of the low-passed signal is the middle of a grid cell.
    private static func time(of sample: Int64, plus fraction: Double) -> Timestamp {
        let nanoseconds = sample * StepDetector.period + Int64(fraction * Double(StepDetector.period))
        return Timestamp(nanosecondsSince1970: nanoseconds + Resampler.period / 2)
    }
}
