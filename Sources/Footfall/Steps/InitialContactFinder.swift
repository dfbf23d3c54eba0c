/// Finds the initial contacts of the feet within a confirmed bout.
///
/// The integral of the cadence is a phase that passes an integer at each step. Demodulation averages the magnitude
/// times exp(−2πi · phase) over 1.6 seconds. The angle of the average is the distance of the crests from these
/// integers. So the count follows the cadence, which a single large deviation cannot change, and the times follow the
/// crests.
///
/// A walk ends, before a turn or a halt, with a step that is softer than the others. The first contact after the last
/// one of the walk counts as this closing step if the motion still follows the rhythm, and the steps so far followed it
/// closely.
struct InitialContactFinder: Sendable {
    /// Half the window of the demodulation, in values: 1.6 s in all.
    private static let reach: Int64 = 19
    /// The Hann weights of the demodulation, from the middle outwards.
    private static let weights = (0...Int(reach)).map { 0.5 + 0.5 * cosine(.pi * Float($0) / Float(reach + 1)) }
    /// Steps continue through pauses shorter than this, in values (0.4 s).
    private static let bridge: Int64 = 10
    /// The least mean coherence of the steps before a closing step. Coherence is the share of the signal's deviation
    /// that is a wave at the cadence.
    private static let steadyCoherence: Float = 0.85
    /// The least coherence of a closing step.
    private static let closingCoherence: Float = 0.4
    /// The standard deviation of a wave at the cadence, divided by the size of its average, which is a weighted sum.
    private static let waveDeviation = Float(2).squareRoot() / (2 * weights.reduce(0, +) - weights[0])

    /// The cadence around the middle of a second, interpolated between the middles of the seconds.
    struct CadenceLine {
        var center: Int64
        /// The cadences of the second before, of the second itself and of the second after it, in Hz.
        var before: Float
        var own: Float
        var after: Float

        func hertz(at index: Int64) -> Float {
            let offset = Float(index - center) / Float(AnalysisGrid.halfRate.hertz)
            return offset < 0 ? own + (own - before) * max(offset, -1) : own + (after - own) * min(offset, 1)
        }
    }

    struct Passage {
        /// The end of the search, and of the signal that it may use.
        var end: Int64
        var horizon: Int64
        var deviation: MovingStandardDeviation
        var cadence: CadenceLine
        /// The deviation, in g, above which a value is part of the walk, and above which a contact may be a closing
        /// step.
        var threshold: Float
        var closingThreshold: Float
    }

    private var next: Int64
    /// The cadence phase at the value before `next`.
    private var lastPhase = 0.0
    /// The magnitude times exp(−2πi · cadence phase), from ``reach`` values before `next` on: real and imaginary parts.
    /// Zero outside of the signal.
    private var real = [Float](repeating: 0, count: Int(reach))
    private var imaginary = [Float](repeating: 0, count: Int(reach))
    /// Scratch memory: the cadence phases and the averages from `next` on.
    private var phases: [Double] = []
    private var averages: [SIMD2<Float>] = []
    /// The signal phase at the value before `next`, in steps; nil before the first value.
    private var signalPhase: Double?
    /// The last measured angle, unwrapped, in steps.
    private var angle = 0.0
    /// The position of the last value whose deviation exceeds the threshold of its passage; nil before the first.
    private var lastAbove: Int64?
    /// Whether the value before `next` was part of the walk.
    private var wasWalking = false
    /// Whether the walk contains the point at which the phase last passed an integer.
    private var wasStep = false
    /// The number of steps so far, and the sum of their coherences.
    private var steps: Float = 0
    private var coherence: Float = 0
    /// The last contact, of this bout or of one before.
    private(set) var lastContact: Timestamp?

    /// Starts at the first value of a bout, after the last contact before it.
    init(start: Int64, after lastContact: Timestamp?) {
        next = start
        self.lastContact = lastContact
    }

    /// Appends the initial contacts up to the end of a passage, which continues the passage before.
    mutating func find(in passage: Passage, into contacts: inout [Timestamp]) {
        guard passage.end > next else { return }
        demodulate(passage)
        average(Int(passage.end - next))
        for index in averages.indices {
            let isWalking = isPartOfWalk(next, passage)
            let phase = advance(to: phases[index], averages[index])
            if let before = signalPhase, phase.rounded(.down) > before.rounded(.down) {
                let fraction = (phase.rounded(.down) - before) / max(phase - before, 1e-9)
                let isInWalk = fraction < 0.5 ? wasWalking : isWalking
                let isStep = isInWalk || wasStep && isClosing(next, averages[index], passage)
                if isInWalk {
                    steps += 1
                    coherence += Self.coherence(of: next, averages[index], passage)
                }
                wasStep = isInWalk
                if isStep { add(Self.time(of: next - 1, plus: fraction), to: &contacts) }
            }
            signalPhase = phase
            wasWalking = isWalking
            next += 1
        }
        lastPhase = phases[averages.count - 1]
        // The next passage demodulates the signal after this one again, with a better known cadence.
        Self.removeFirst(averages.count, of: &real)
        Self.removeFirst(averages.count, of: &imaginary)
    }

    /// Appends a contact, unless it is a second one of the same step. The phase leaps ahead where a step stumbles, and
    /// a resumed bout may begin with the last step of the bout before.
    private mutating func add(_ contact: Timestamp, to contacts: inout [Timestamp]) {
        if let lastContact, contact.seconds(since: lastContact) < Step.shortestInterval { return }
        contacts.append(contact)
        lastContact = contact
    }

    /// The share of the deviation at a value that is a wave at the cadence.
    private static func coherence(of index: Int64, _ average: SIMD2<Float>, _ passage: Passage) -> Float {
        let size = (average * average).sum().squareRoot()
        return min(waveDeviation * size / max(passage.deviation.deviation(at: index), 1e-4), 1)
    }

    /// Whether a contact after the last one of the walk is its closing step.
    private func isClosing(_ index: Int64, _ average: SIMD2<Float>, _ passage: Passage) -> Bool {
        passage.deviation.deviation(at: index) > passage.closingThreshold
            && coherence >= Self.steadyCoherence * steps
            && Self.coherence(of: index, average, passage) >= Self.closingCoherence
    }

    /// Keeps the part of the demodulated signal that the next averages need.
    private static func removeFirst(_ count: Int, of parts: inout [Float]) {
        for index in 0..<Int(reach) { parts[index] = parts[count + index] }
        parts.removeLast(parts.count - Int(reach))
    }

    /// Demodulates the signal of a passage, and the signal after it that the averages need, behind the kept part.
    private mutating func demodulate(_ passage: Passage) {
        let end = max(passage.end, min(passage.end + Self.reach, passage.horizon))
        phases.removeAll(keepingCapacity: true)
        var phase = lastPhase
        for position in next..<end {
            phase += Double(passage.cadence.hertz(at: position) / GaitSpectrum.rate)
            phases.append(phase)
            let angle = Float(-2 * .pi * (phase - phase.rounded(.down)))
            let magnitude = passage.deviation.detrendedMagnitude(at: position)
            real.append(cosine(angle) * magnitude)
            imaginary.append(sine(angle) * magnitude)
        }
    }

    /// Averages the demodulated signal around `count` values from `next` on.
    private mutating func average(_ count: Int) {
        let reach = Int(Self.reach)
        // Eight averages at a time. Zeros complete the last eight.
        let missing = (count + 7) / 8 * 8 + 2 * reach - real.count
        real += repeatElement(0, count: max(missing, 0))
        imaginary += repeatElement(0, count: max(missing, 0))
        averages.removeAll(keepingCapacity: true)
        let (weights, realParts, imaginaryParts) = (Self.weights, real, imaginary)
        let (taps, real, imaginary) = (weights.span, realParts.span, imaginaryParts.span)
        for first in stride(from: 0, to: count, by: 8) {
            let center = first + reach
            // Independent sums over the values before and after run in parallel.
            var before = (real.eight(unchecked: center) * taps[0], imaginary.eight(unchecked: center) * taps[0])
            var after = (SIMD8<Float>(), SIMD8<Float>())
            for offset in 1...reach {
                // In bounds: positions from `first` to `first` + 2 reach + 7.
                let (left, right, tap) = (center &- offset, center &+ offset, taps[offset])
                before.0 += real.eight(unchecked: left) * tap
                before.1 += imaginary.eight(unchecked: left) * tap
                after.0 += real.eight(unchecked: right) * tap
                after.1 += imaginary.eight(unchecked: right) * tap
            }
            let sums = (before.0 + after.0, before.1 + after.1)
            for lane in 0..<min(8, count - first) { averages.append(SIMD2(sums.0[lane], sums.1[lane])) }
        }
    }

    /// The signal phase: the cadence phase and the unwrapped angle by which the signal is ahead of it. It never
    /// decreases.
    private mutating func advance(to phase: Double, _ average: SIMD2<Float>) -> Double {
        let measured = Double(direction(average)) / (2 * .pi)
        angle += measured - angle - (measured - angle).rounded()
        let ahead = phase + angle
        return max(ahead, signalPhase ?? ahead)
    }

    /// Whether a value is part of the walk: above the threshold, or in a short pause between values above it.
    private mutating func isPartOfWalk(_ index: Int64, _ passage: Passage) -> Bool {
        func isAbove(_ index: Int64) -> Bool { passage.deviation.deviation(at: index) > passage.threshold }
        if isAbove(index) {
            lastAbove = index
            return true
        }
        guard let lastAbove, index - lastAbove < Self.bridge else { return false }
        let latest = min(lastAbove + Self.bridge, passage.horizon - 1)
        return latest > index && (index + 1...latest).contains(where: isAbove)
    }

    /// The time of a fractional position. A value of the low-passed signal belongs to the middle of its grid cell.
    private static func time(of index: Int64, plus fraction: Double) -> Timestamp {
        let period = AnalysisGrid.halfRate.period
        let nanoseconds = index * period + Int64(clamping: fraction * Double(period))
        return Timestamp(nanosecondsSince1970: nanoseconds + AnalysisGrid.cells.period / 2)
    }
}
