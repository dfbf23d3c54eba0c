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

    /// The part of a bout that is looked at.
    struct Passage {
        /// Up to which sample strikes are sought, and up to which there is signal of the bout to look ahead to.
        var end: Int64
        var horizon: Int64
        var liveliness: Liveliness
        /// The cadence at a sample, in Hz.
        var cadence: (Int64) -> Float
        /// The level, in g, above which a sample is part of the walk.
        var threshold: (Int64) -> Float
    }

    /// The next sample to look at.
    private(set) var next: Int64
    /// The sample at which the bout begins.
    private let start: Int64
    /// The summed cadence at the samples before `next`, as many as the demodulation looks back on.
    private var phases: [Double] = []
    /// The signal's phase at the sample before `next`, in steps; nil before the first.
    private var strikePhase: Double?
    /// The angle last measured, unwrapped, in steps.
    private var angle = 0.0
    /// The last sample whose level was that of the walk.
    private var lastLive: Int64?

    /// Begins a bout at a sample.
    init(start: Int64) {
        self.start = start
        next = start
    }

    /// The strikes up to the end of a passage, which continues the one before.
    mutating func strikes(in passage: Passage) -> [Timestamp] {
        guard passage.end > next else { return [] }
        let turned = demodulate(passage)
        var strikes: [Timestamp] = []
        while next < passage.end {
            let isLive = isPartOfWalk(next, passage)
            let phase = advance(to: turned.phases[Int(next - turned.start)], by: turned, passage)
            if let before = strikePhase, phase.rounded(.down) > before.rounded(.down) {
                let fraction = (phase.rounded(.down) - before) / max(phase - before, 1e-9)
                let nearest = fraction < 0.5 ? wasLive : isLive
                if nearest { strikes.append(Self.time(of: next - 1, plus: fraction)) }
            }
            strikePhase = phase
            wasLive = isLive
            next += 1
        }
        phases = Array(turned.phases[..<Int(next - turned.start)].suffix(Int(Self.reach)))
        return strikes
    }

    /// Whether the sample before `next` was part of the walk.
    private var wasLive = false

    /// The signal turned back by the summed cadence.
    private struct Turned {
        /// The first sample, and from it on the summed cadence and the turned signal.
        var start: Int64
        var phases: [Double] = []
        var values: [SIMD2<Float>] = []
    }

    private func demodulate(_ passage: Passage) -> Turned {
        var turned = Turned(start: next - Int64(phases.count), phases: phases)
        var phase = phases.last ?? 0
        for sample in next..<max(passage.end, min(passage.end + Self.reach, passage.horizon)) {
            phase += Double(passage.cadence(sample) / GaitSpectrum.rate)
            turned.phases.append(phase)
        }
        for (index, phase) in turned.phases.enumerated() {
            let angle = Float(-2 * .pi * (phase - phase.rounded(.down)))
            let swing = passage.liveliness.swing(at: turned.start + Int64(index))
            turned.values.append(SIMD2(cos(angle), sin(angle)) * swing)
        }
        return turned
    }

    /// The signal's phase at `next`: the summed cadence and the unwrapped angle by which the signal is ahead.
    private mutating func advance(to phase: Double, by turned: Turned, _ passage: Passage) -> Double {
        let centre = Int(next - turned.start)
        let weights = Self.weights
        let (values, taps) = (turned.values.span, weights.span)
        let (before, after) = (min(centre, Int(Self.reach)), min(values.count - 1 - centre, Int(Self.reach)))
        // Two sums that need not wait for each other.
        var sum = values[centre] * taps[0]
        var later = SIMD2<Float>()
        for offset in 0..<before { sum += values[centre - 1 - offset] * taps[offset + 1] }
        for offset in 0..<after { later += values[centre + 1 + offset] * taps[offset + 1] }
        sum += later
        let measured = Double(atan2(sum.y, sum.x)) / (2 * .pi)
        angle += measured - angle - (measured - angle).rounded()
        let ahead = phase + angle
        return max(ahead, strikePhase ?? ahead)
    }

    /// Whether a sample is part of the walk: lively enough, or in a short dip between samples that are.
    private mutating func isPartOfWalk(_ sample: Int64, _ passage: Passage) -> Bool {
        func isLive(_ sample: Int64) -> Bool {
            passage.liveliness.level(at: sample) > passage.threshold(sample)
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
