/// Scores a second by the course of the signal around it, beside the check of ``WalkingGate``, which knows the signal
/// at one cadence. The two err on different motions.
///
/// A convolutional network, which `Notebooks/train-walking-gate.ipynb` trains. Two layers make five frames of a second.
/// Four layers with gaps of 1, 2, 4 and 8 frames (dilated convolutions; van den Oord et al., *WaveNet*,
/// arXiv:1609.03499) add what happens up to three seconds away. The last layers join the frames of a second, and six
/// seconds. A second takes 120,000 products, so it is scored only while ``WalkingCheck`` is in doubt.
struct WaveCheck: Sendable {
    /// The numbers in a row of the signal, of the first layer and of all others.
    private static let (channels, fine, wide) = (8, 16, 32)
    /// The rows that a row of the next layer reads: values, rows of the first layer, frames with gaps, frames of a
    /// second, and seconds.
    private static let (values, fines, neighbors, frames, seconds) = (7, 9, 3, 5, 6)
    private static let gaps: [Int64] = [1, 2, 4, 8]
    /// The seconds that are read after the scored one.
    private static let ahead: Int64 = 2
    /// The half-rate values of a frame, those before and after it that its layers read, and those of a mean.
    private static let (frameLength, margin, gravityLength): (Int64, Int64, Int64) = (5, 5, 50)
    /// The least and the largest score of a second, in log-odds. The wave confirms more than it doubts: the swing of a
    /// watch that it has not learned may look like another motion (WalkingCheckTrials.md).
    private static let range: ClosedRange<Float> = -1.5...5

    private static let weights = NetworkWeights(
        PackageResources.wave_check_weights, version: 1,
        sizes: [values * channels * fine, fine, fines * fine * wide, wide]
            + gaps.flatMap { _ in [neighbors * wide * wide, wide] }
            + [frames * wide * wide, wide, seconds * wide * wide, wide, wide, 1])
    private static let fineLayer = RectifiedLayer<2>(weights[0], bias: weights[1])
    private static let frameLayer = RectifiedLayer<4>(weights[2], bias: weights[3])
    private static let gapLayers = gaps.indices.map {
        RectifiedLayer<4>(weights[4 + 2 * $0], bias: weights[5 + 2 * $0])
    }
    private static let secondLayer = RectifiedLayer<4>(weights[12], bias: weights[13])
    private static let scoreLayer = RectifiedLayer<4>(weights[14], bias: weights[15])
    private static let (output, bias) = (weights[16], weights[17][0])

    /// The frames after two layers and after each layer with gaps, and the joined seconds, as far as they are known.
    private var levels = [RowSeries](repeating: RowSeries(), count: gaps.count + 1)
    private var joined = RowSeries()

    /// The log-odds that a second is part of a walk or a run. The signal repeats its first and last values beyond its
    /// ends.
    mutating func score(of second: Int64, in signal: SplitSignal) -> Float {
        let last = second + Self.ahead
        let needed = last - Int64(Self.seconds) + 1..<last + 1
        let (missing, frames) = (joined.missing(of: needed), Int64(Self.frames))
        fill(Self.gaps.count, missing.lowerBound * frames..<missing.upperBound * frames, of: signal)
        for second in missing {
            let inputs = levels[Self.gaps.count].rows(second * frames..<(second + 1) * frames)
            Self.secondLayer.append(outputsOf: inputs, to: &joined.values)
        }
        var row: [Float] = []
        Self.scoreLayer.append(outputsOf: joined.rows(needed), to: &row)
        let score = zip(row, Self.output).reduce(Self.bias) { $0 + $1.0 * $1.1 }
        return min(max(score, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Computes the frames of a level that are missing in a range.
    private mutating func fill(_ level: Int, _ range: Range<Int64>, of signal: SplitSignal) {
        let missing = levels[level].missing(of: range)
        guard level > 0 else { return addFrames(missing, of: signal) }
        let gap = Self.gaps[level - 1]
        fill(level - 1, missing.lowerBound - gap..<missing.upperBound + gap, of: signal)
        var inputs: [Float] = []
        for frame in missing {
            inputs.removeAll(keepingCapacity: true)
            for near in [frame - gap, frame, frame + gap] { inputs += levels[level - 1].rows(near..<near + 1) }
            Self.gapLayers[level - 1].append(
                outputsOf: inputs[...], to: &levels[level].values, adding: inputs[Self.wide..<2 * Self.wide])
        }
    }

    /// Computes the frames of a range from the signal.
    private mutating func addFrames(_ range: Range<Int64>, of signal: SplitSignal) {
        guard !range.isEmpty else { return }
        let (length, margin) = (Self.frameLength, Self.margin)
        let channels = Self.channels(
            of: range.lowerBound * length - margin..<range.upperBound * length + margin, in: signal)
        var fine: [Float] = []
        for first in stride(from: 0, through: channels.count - Self.values * Self.channels, by: Self.channels) {
            Self.fineLayer.append(outputsOf: channels[first..<first + Self.values * Self.channels], to: &fine)
        }
        for index in 0..<range.count {
            let first = index * Int(length) * Self.fine
            Self.frameLayer.append(outputsOf: fine[first..<first + Self.fines * Self.fine], to: &levels[0].values)
        }
    }

    /// Seven numbers of each value, and a zero: the motion along and across gravity, the motion of the magnitude, what
    /// the low-pass removes of it, and the motion of each axis. Gravity is the mean of two seconds. The area hyperbolic
    /// sine compresses amplitudes, so that soft steps and runs have similar sizes.
    private static func channels(of range: Range<Int64>, in signal: SplitSignal) -> [Float] {
        let smooth = signal.lowPassed.padded(range.lowerBound - gravityLength + 1..<range.upperBound)
        let rough = signal.highPassed.padded(range)
        let (values, removed, length) = (smooth.span, rough.span, Int(gravityLength))
        var results: [Float] = []
        results.reserveCapacity(removed.count * channels)
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
            let row = areaHyperbolicSine(
                10 * SIMD8(rise, across, magnitude, removed[index].w, motion.x, motion.y, motion.z, 0))
            for lane in 0..<channels { results.append(row[lane]) }
        }
        return results
    }
}

/// The latest rows of consecutive frames or seconds.
private struct RowSeries {
    private static let width = 32
    /// More than a score reads, and the rows that are removed at once.
    private static let (most, removed) = (256, 128)

    private var start: Int64 = 0
    var values: [Float] = []

    /// The rows of a range that are still to be appended. A range that does not follow the known rows replaces them.
    mutating func missing(of range: Range<Int64>) -> Range<Int64> {
        if values.count > Self.most * Self.width {
            values.removeFirst(Self.removed * Self.width)
            start += Int64(Self.removed)
        }
        let end = start + Int64(values.count / Self.width)
        guard range.lowerBound >= start, range.lowerBound <= end else {
            values.removeAll(keepingCapacity: true)
            start = range.lowerBound
            return range
        }
        return end..<max(end, range.upperBound)
    }

    func rows(_ range: Range<Int64>) -> ArraySlice<Float> {
        values[Int(range.lowerBound - start) * Self.width..<Int(range.upperBound - start) * Self.width]
    }
}

/// A layer of rectified linear units in groups of eight, whose sums fit into the registers of a processor.
private struct RectifiedLayer<let groups: Int>: Sendable {
    private let bias: InlineArray<groups, SIMD8<Float>>
    /// The weights of each input.
    private let weights: [InlineArray<groups, SIMD8<Float>>]

    /// Arranges weights, which are a row of units for each input.
    init(_ weights: [Float], bias: [Float]) {
        func units(_ row: ArraySlice<Float>) -> InlineArray<groups, SIMD8<Float>> {
            InlineArray { group in
                SIMD8(row[(row.startIndex + 8 * group)..<(row.startIndex + 8 * (group + 1))])
            }
        }
        self.bias = units(bias[...])
        self.weights = stride(from: 0, to: weights.count, by: 8 * groups).map { units(weights[$0..<$0 + 8 * groups]) }
    }

    /// Appends the output of each unit, and a number to each.
    func append(outputsOf inputs: ArraySlice<Float>, to results: inout [Float], adding others: ArraySlice<Float> = []) {
        var sums = bias
        let (inputs, weights, others) = (inputs.span, weights.span, others.span)
        precondition(inputs.count == weights.count)
        for index in inputs.indices {
            // In bounds: both have the same count.
            let input = inputs[unchecked: index]
            for group in 0..<groups { sums[group] += weights[unchecked: index][group] * input }
        }
        let first = results.count
        results.append(contentsOf: repeatElement(0, count: 8 * groups))
        var outputs = results.mutableSpan
        for group in 0..<groups {
            let units = sums[group].replacing(with: 0, where: sums[group] .< 0)
            for lane in 0..<8 {
                let unit = 8 * group + lane
                outputs[first + unit] = units[lane] + (others.isEmpty ? 0 : others[unit])
            }
        }
    }
}
