/// Scores a second by the course of the signal around it, beside the check of ``WalkingGate``, which knows the signal
/// at one cadence. The two err on different motions.
///
/// A convolutional network, which `Notebooks/train-walking-gate.ipynb` trains. Two layers make five frames of a second.
/// ``DilatedLayers`` with gaps of 1, 2, 4 and 8 frames add what happens up to three seconds away. The last layers join
/// the frames of a second, and six seconds. A second takes 120,000 products, so it is scored only while
/// ``WalkingCheck`` is in doubt.
struct WaveCheck: Sendable {
    /// The numbers in a row of the signal, of the first layer and of all others.
    private static let (channels, fine, wide) = (8, 16, 32)
    /// The rows that a row of the next layer reads: values, rows of the first layer, frames, and seconds.
    private static let (values, fines, frames, seconds) = (7, 9, 5, 6)
    private static let gaps: [Int64] = [1, 2, 4, 8]
    /// The seconds that are read after the scored one.
    private static let ahead: Int64 = 2
    /// The half-rate values of a frame, and those before and after it that its layers read.
    private static let (frameLength, margin): (Int64, Int64) = (5, 5)
    /// The least and the largest score of a second, in log-odds. The wave confirms more than it doubts: the swing of a
    /// watch that it has not learned may look like another motion (WalkingCheckTrials.md).
    private static let range: ClosedRange<Float> = -1.5...5

    private static let weights = NetworkWeights(
        PackageResources.wave_check_weights, version: 1,
        sizes: [values * channels * fine, fine, fines * fine * wide, wide] + DilatedLayers<4>.sizes(gaps: gaps)
            + [frames * wide * wide, wide, seconds * wide * wide, wide, wide, 1])
    private static let fineLayer = RectifiedLayer<2>(weights[0], bias: weights[1])
    private static let frameLayer = RectifiedLayer<4>(weights[2], bias: weights[3])
    private static let gapLayers = DilatedLayers<4>(gaps: gaps, before: 1, weights, from: 4)
    private static let secondLayer = RectifiedLayer<4>(weights[12], bias: weights[13])
    private static let scoreLayer = RectifiedLayer<4>(weights[14], bias: weights[15])
    private static let (output, bias) = (weights[16], weights[17][0])

    /// The frames after two layers and those with gaps, and the joined seconds, as far as they are known.
    private var framed = gapLayers
    private var joined = RowSeries<4>()

    /// The log-odds that a second is part of a walk or a run. The signal repeats its first and last values beyond its
    /// ends.
    mutating func score(of second: Int64, in signal: SplitSignal) -> Float {
        let last = second + Self.ahead
        let needed = last - Int64(Self.seconds) + 1..<last + 1
        let (missing, frames) = (joined.missing(of: needed), Int64(Self.frames))
        let missingFrames = framed.missing(for: missing.lowerBound * frames..<missing.upperBound * frames)
        addFrames(missingFrames[0], of: signal)
        framed.compute(missingFrames)
        for second in missing {
            joined.append(
                Self.secondLayer.outputs(of: framed.last.values.span, from: [framed.last.position(of: second * frames)])
            )
        }
        let row = Self.scoreLayer.outputs(of: joined.values.span, from: [joined.position(of: needed.lowerBound)])
        let score = Self.output.indices.reduce(Self.bias) { $0 + row[$1 / 8][$1 % 8] * Self.output[$1] }
        return min(max(score, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Computes the frames of a range from the signal.
    private mutating func addFrames(_ range: Range<Int64>, of signal: SplitSignal) {
        guard !range.isEmpty else { return }
        let (length, margin) = (Self.frameLength, Self.margin)
        let channels = signal.channels(of: range.lowerBound * length - margin..<range.upperBound * length + margin)
        var fine: [SIMD8<Float>] = []
        for first in 0...channels.count - Self.values {
            let row = Self.fineLayer.outputs(of: channels.span, from: [first])
            for group in row.indices { fine.append(row[group]) }
        }
        for index in 0..<range.count {
            framed.append(Self.frameLayer.outputs(of: fine.span, from: [index * Int(length) * Self.fine / 8]))
        }
    }
}
