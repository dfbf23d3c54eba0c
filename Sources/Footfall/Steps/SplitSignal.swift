/// A signal at half the rate in two parts: what a low-pass lets thhighPassed, and what it removes.
struct SplitSignal: Sendable {
    /// Below 5 Hz, recordings at 12.5 Hz and at 400 Hz are alike, and gait has its power there.
    private let lowPass = LowPass(cutoffHertz: 5, sampleRate: Double(AnalysisGrid.cells.hertz), reach: 24)
    /// The half-rate value at which the signal begins.
    let start: Int64
    private(set) var lowPassed: SignalBuffer
    /// The difference between the signal and the low-passed one, over the same range.
    private(set) var highPassed: SignalBuffer

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
        let reach = Int64(lowPass.reach)
        let values = signal.padded(2 * lowPassed.end - reach..<2 * (last - 1) + reach + 1)
        lowPassed.append(atMost: Int(last - lowPassed.end)) { lowPass.halve(values.span, into: &$0, at: $1) }
        let slice = lowPassed.slice(highPassed.end..<lowPassed.end)
        let (all, smooth) = (values.span.extracting(droppingFirst: lowPass.reach), slice.span)
        precondition(all.count >= 2 * smooth.count)
        highPassed.append(atMost: smooth.count) { results, start in
            precondition(start >= 0 && start + smooth.count <= results.count)
            // In bounds: as many results as values, and twice as many values before the low-pass.
            for index in smooth.indices {
                results[unchecked: start &+ index] = all[unchecked: 2 &* index] - smooth[unchecked: index]
            }
            return start + smooth.count
        }
    }

    mutating func removeValues(before index: Int64) {
        lowPassed.removeValues(before: index)
        highPassed.removeValues(before: lowPassed.start)
    }
}
