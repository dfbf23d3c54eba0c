/// The times of the samples: regular, with jitter, lost samples and gaps.
struct SamplingClock: Sendable {
    private let sensor: SensorModel
    private let duration: Double
    private let period: Double
    private var beat = 0
    private var gaps: GapTimeline
    private var gap: Range<Double>
    private var jitter: SplitMix64
    private var losses: SplitMix64

    /// The largest jitter as a share of the period; below 0.5, times stay in order.
    private static let largestJitter = 0.45

    init(sensor: SensorModel, duration: Double, seed: UInt64) {
        self.sensor = sensor
        self.duration = duration
        period = 1 / sensor.sampleRate
        gaps = GapTimeline(sensor: sensor, duration: duration, seed: seed)
        gap = gaps.next() ?? SamplingClock.never
        jitter = SplitMix64(seed: seed, .clock)
        losses = SplitMix64(seed: seed, .drops)
    }

    private static let never = Double.infinity..<Double.infinity

    /// The time of the next sample in seconds since the start of the trace; nil after the last one.
    @inline(__always)
    mutating func next() -> Double? {
        while true {
            let even = Double(beat) / sensor.sampleRate
            guard even < duration else { return nil }
            beat += 1
            let time = even + offset()
            if sensor.lostShare > 0, losses.unit() < sensor.lostShare { continue }
            while time >= gap.upperBound { gap = gaps.next() ?? SamplingClock.never }
            if gap.lowerBound > time, time < duration { return time }
        }
    }

    private mutating func offset() -> Double {
        guard sensor.jitter > 0 else { return 0 }
        let limit = SamplingClock.largestJitter * period
        let wanted = min(max(sensor.jitter * Double(jitter.gaussian()), -limit), limit)
        // No sample lies before the start of the trace.
        return beat == 1 ? max(wanted, 0) : wanted
    }
}

/// The spans without samples, requested and random ones, in order and without overlap.
struct GapTimeline: Sequence, IteratorProtocol {
    private var requested: [Range<Double>]
    private let duration: Double
    private let meanDistance: Double
    private let meanLength: Double
    private var random: SplitMix64
    private var randomGap: Range<Double>?
    private var end = 0.0

    init(sensor: SensorModel, duration: Double, seed: UInt64) {
        requested = sensor.gaps.filter { !$0.isEmpty }.sorted { $0.lowerBound > $1.lowerBound }
        self.duration = duration
        meanDistance = sensor.gapsPerHour > 0 ? 3600 / sensor.gapsPerHour : .infinity
        meanLength = sensor.meanGap
        random = SplitMix64(seed: seed, .gaps)
        randomGap = nextRandomGap(after: 0)
    }

    mutating func next() -> Range<Double>? {
        guard var gap = takeFirst(), gap.lowerBound < duration else { return nil }
        // Overlapping and touching spans become one gap.
        while let next = peek(), next.lowerBound <= gap.upperBound {
            _ = takeFirst()
            gap = gap.lowerBound..<Swift.max(gap.upperBound, next.upperBound)
        }
        return Swift.max(gap.lowerBound, 0)..<Swift.max(Swift.min(gap.upperBound, duration), 0)
    }

    private func peek() -> Range<Double>? {
        guard let last = requested.last else { return randomGap }
        guard let randomGap else { return last }
        return last.lowerBound <= randomGap.lowerBound ? last : randomGap
    }

    private mutating func takeFirst() -> Range<Double>? {
        guard let first = peek() else { return nil }
        if requested.last == first {
            requested.removeLast()
        } else {
            randomGap = nextRandomGap(after: first.upperBound)
        }
        return first
    }

    private mutating func nextRandomGap(after time: Double) -> Range<Double>? {
        guard meanDistance < .infinity else { return nil }
        let start = time + random.uniform(0.05...1.95) * meanDistance
        return start < duration ? start..<(start + random.uniform(0.3...1.7) * meanLength) : nil
    }
}
