/// The moving standard deviation of the vector magnitude, around each value of the latest part of a 25 Hz signal. The
/// seconds of a walk need nearly the same values, one second after the other, so measured values are kept.
struct MovingStandardDeviation: Sendable {
    /// Half the window of the mean that is subtracted from the magnitude, in values: 2 s in all.
    private static let trendReach: Int64 = 25
    /// Half the window of the standard deviation, in values: 0.9 s in all.
    private static let deviationReach: Int64 = 11
    /// Values are removed once they lie this far before the requested ones: 20 s.
    private static let memory: Int64 = 500

    /// The magnitude without its trend, in g, from index `detrendedStart` on.
    private var detrended: [Float] = []
    private var detrendedStart: Int64 = 0
    /// The moving standard deviation, in g, from index `deviationStart` on.
    private var deviations: [Float] = []
    private var deviationStart: Int64 = 0
    /// The end of the signal at the last measurement. Values within reach of it change when more signal follows.
    private var signalEnd: Int64 = 0

    private var range: Range<Int64> { deviationStart..<deviationStart + Int64(deviations.count) }

    /// Measures the part of `requested` that lies in the signal and is not measured yet.
    mutating func measure(_ requested: Range<Int64>, of signal: SignalBuffer) {
        let requested = requested.clamped(to: signal.range)
        let reach = Self.deviationReach + Self.trendReach
        let final = min(deviations.count, Int(max(signalEnd - reach - deviationStart, 0)))
        if final == 0 || requested.lowerBound < deviationStart || requested.lowerBound > deviationStart + Int64(final) {
            deviations.removeAll(keepingCapacity: true)
            detrended.removeAll(keepingCapacity: true)
            deviationStart = requested.lowerBound
            detrendedStart = max(deviationStart - Self.deviationReach, signal.start)
        } else {
            deviations.removeLast(deviations.count - final)
            let finalDetrended = min(detrended.count, Int(max(signalEnd - Self.trendReach - detrendedStart, 0)))
            detrended.removeLast(detrended.count - finalDetrended)
            if requested.lowerBound - deviationStart > Self.memory { removeValues(before: requested.lowerBound) }
        }
        signalEnd = signal.end
        detrend(to: min(requested.upperBound + Self.deviationReach, signal.end), of: signal)
        measureDeviations(to: requested.upperBound)
    }

    private mutating func removeValues(before index: Int64) {
        deviations.removeFirst(Int(index - deviationStart))
        deviationStart = index
        detrended.removeFirst(Int(index - Self.deviationReach - detrendedStart))
        detrendedStart = index - Self.deviationReach
    }

    private mutating func detrend(to end: Int64, of signal: SignalBuffer) {
        let first = detrendedStart + Int64(detrended.count)
        guard first < end else { return }
        let start = max(first - Self.trendReach - 1, signal.start)
        let slice = signal.slice(start..<min(end + Self.trendReach, signal.end))
        let values = slice.span
        let known = detrended.count
        detrended += repeatElement(0, count: Int(end - first))
        var results = detrended.mutableSpan
        let skipped = Int(first - start)
        Self.writeMeans(known..<results.count, &results, offset: skipped - known, of: values.count, Self.trendReach) {
            values[$0][3]
        }
        for index in known..<results.count { results[index] = values[skipped + index - known][3] - results[index] }
    }

    private mutating func measureDeviations(to end: Int64) {
        let known = deviations.count
        guard deviationStart + Int64(known) < end else { return }
        deviations += repeatElement(0, count: Int(end - deviationStart) - known)
        let offset = Int(deviationStart - detrendedStart)
        let detrended = detrended
        let values = detrended.span
        var results = deviations.mutableSpan
        Self.writeMeans(known..<results.count, &results, offset: offset, of: values.count, Self.deviationReach) {
            values[$0] * values[$0]
        }
        // Rounding can leave a moving sum of squares below 0.
        for index in known..<results.count { results[index] = max(results[index], 0).squareRoot() }
    }

    /// The magnitude without its trend at a value, in g; 0 outside of the measured range.
    func detrendedMagnitude(at index: Int64) -> Float {
        let position = Int(index - detrendedStart)
        return detrended.indices.contains(position) ? detrended[position] : 0
    }

    /// The moving standard deviation at a value, in g; 0 outside of the measured range.
    func deviation(at index: Int64) -> Float {
        let position = Int(index - deviationStart)
        return deviations.indices.contains(position) ? deviations[position] : 0
    }

    /// The root mean square of the moving standard deviation over a range, in g; nil if none of the range is measured.
    func deviation(over range: Range<Int64>) -> Float? {
        let present = range.clamped(to: self.range)
        guard !present.isEmpty else { return nil }
        let first = Int(present.lowerBound - deviationStart)
        var sum: Float = 0
        for deviation in deviations[first..<first + present.count] { sum += deviation * deviation }
        return (sum / Float(present.count)).squareRoot()
    }

    /// Writes moving means to `places`: the one at position p is centered on value p + `offset`. At the ends, a mean
    /// spans the values that exist.
    @inline(__always)
    private static func writeMeans(
        _ places: Range<Int>, _ means: inout MutableSpan<Float>, offset: Int, of count: Int, _ reach: Int64,
        _ value: (Int) -> Float
    ) {
        let reach = Int(reach)
        let begin = places.lowerBound + offset
        var sum = 0.0
        for index in max(begin - reach - 1, 0)..<min(begin + reach, count) { sum += Double(value(index)) }
        for place in places {
            let index = place + offset
            let entering = index + reach < count ? value(index + reach) : 0
            let leaving = index > reach ? value(index - reach - 1) : 0
            sum += Double(entering) - Double(leaving)
            let (first, end) = (max(0, index - reach), min(count, index + reach + 1))
            means[place] = Float(sum / Double(end - first))
        }
    }
}
