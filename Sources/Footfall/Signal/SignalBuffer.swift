/// A grid of evenly spaced values: value n belongs to n × ``period`` after the first sample of the series. The
/// resampler fills the cells of the 50 Hz grid. Step detection and window features work on the half-rate grid, which
/// keeps every second cell: half-rate value m belongs to cell 2 m.
struct AnalysisGrid: Sendable {
    /// The grid of the resampler: 50 Hz. Cell n is the mean over the 20 ms from n × 20 ms on.
    static var cells: AnalysisGrid { AnalysisGrid(hertz: 50, period: 20_000_000) }
    /// The grid of every second cell: 25 Hz.
    static var halfRate: AnalysisGrid { AnalysisGrid(hertz: 25, period: 40_000_000) }

    /// Values per second.
    let hertz: Int64
    /// The time between two values, in nanoseconds.
    let period: Int64

    /// The last value at or before a time in nanoseconds.
    @inline(__always)
    func index(at nanoseconds: Int64) -> Int64 { nanoseconds.flooredQuotientAndRemainder(by: period).quotient }

    /// The second that contains a value.
    func second(of index: Int64) -> Int64 { index.flooredQuotientAndRemainder(by: hertz).quotient }

    func start(of second: Int64) -> Int64 { second * hertz }

    func middle(of second: Int64) -> Int64 { start(of: second) + hertz / 2 }

    func values(of second: Int64) -> Range<Int64> { start(of: second)..<start(of: second + 1) }

    /// The half-rate values that belong to a range of cells.
    static func halfRate(of cells: Range<Int64>) -> Range<Int64> {
        (cells.lowerBound + 1) >> 1..<(cells.upperBound + 1) >> 1
    }
}

extension Timestamp {
    /// Creates the moment at which a whole second begins.
    init(second: Int64) { self.init(nanosecondsSince1970: second * 1_000_000_000) }

    /// The whole second that contains the moment.
    package var second: Int64 { nanosecondsSince1970.flooredQuotientAndRemainder(by: 1_000_000_000).quotient }
}

/// The latest values of a signal on an ``AnalysisGrid``, in one block of memory. The lanes of a value are x, y, z and
/// the vector magnitude, in g. Old values are removed at the front, so the memory is bounded by the span that the
/// stages need.
struct SignalBuffer: Sendable {
    /// The index of the first kept value.
    private(set) var start: Int64
    /// The index after the last value.
    private(set) var end: Int64
    /// The kept values from position `first` on, removed values before them, free room behind them.
    private var values: [SIMD4<Float>] = []
    private var first = 0

    /// Creates an empty buffer. Its first value will have the index `start`.
    init(start: Int64) {
        self.start = start
        end = start
    }

    var range: Range<Int64> { start..<end }

    /// Removes all values. The next value will have the index `start`.
    mutating func restart(at start: Int64) { (self.start, end, first) = (start, start, 0) }

    /// Appends at most `most` accelerations, which `fill` writes from a position on, and computes their magnitudes in
    /// the fourth lane. `fill` returns the position after the last one.
    @inline(__always)
    mutating func append(atMost most: Int, _ fill: (inout MutableSpan<SIMD4<Float>>, Int) -> Int) {
        makeRoom(for: most)
        let used = first + Int(end - start)
        var span = values.mutableSpan
        let filled = fill(&span, used)
        computeMagnitudes(used..<filled)
        end += Int64(filled - used)
    }

    /// Writes the magnitudes of values into their fourth lanes.
    private mutating func computeMagnitudes(_ positions: Range<Int>) {
        var values = values.mutableSpan
        precondition(positions.lowerBound >= 0 && positions.upperBound <= values.count)
        var next = positions.lowerBound
        // Four roots take the time of one.
        while next &+ 4 <= positions.upperBound {
            // In bounds: four positions of the range.
            let magnitudes = Self.magnitudes(
                values[unchecked: next], values[unchecked: next &+ 1], values[unchecked: next &+ 2],
                values[unchecked: next &+ 3])
            for lane in 0..<4 { values[unchecked: next &+ lane].w = magnitudes[lane] }
            next &+= 4
        }
        for index in next..<positions.upperBound {
            values[index].w = Self.magnitudes(values[index], SIMD4(), SIMD4(), SIMD4()).x
        }
    }

    /// The magnitudes of the first three lanes of four values. Never inlined, so that the compiler keeps whole vectors.
    @inline(never)
    private static func magnitudes(
        _ one: SIMD4<Float>, _ two: SIMD4<Float>, _ three: SIMD4<Float>, _ four: SIMD4<Float>
    ) -> SIMD4<Float> {
        let x = SIMD4(one.x, two.x, three.x, four.x)
        let y = SIMD4(one.y, two.y, three.y, four.y)
        let z = SIMD4(one.z, two.z, three.z, four.z)
        return (x * x + y * y + z * z).squareRoot()
    }

    private mutating func makeRoom(for count: Int) {
        let kept = Int(end - start)
        guard values.count < first + kept + count else { return }
        // With four times the room, moving the kept values costs a third of writing those that follow.
        let size = 4 * (kept + count)
        if values.count < size { values += repeatElement(SIMD4(), count: size - values.count) }
        let removed = first
        var span = values.mutableSpan
        for index in 0..<kept { span[index] = span[removed + index] }
        first = 0
    }

    mutating func removeValues(before index: Int64) {
        guard index > start else { return }
        let count = min(index, end) - start
        start += count
        first += Int(count)
    }

    /// The values of `range`, which must lie within ``range``.
    func slice(_ range: Range<Int64>) -> ArraySlice<SIMD4<Float>> {
        let begin = first + Int(range.lowerBound - start)
        return values[begin..<(begin + Int(range.upperBound - range.lowerBound))]
    }

    /// The values of any range. The first and the last value are repeated beyond the ends of the signal.
    func padded(_ range: Range<Int64>) -> ArraySlice<SIMD4<Float>> {
        let present = range.clamped(to: self.range)
        guard present != range, start < end else { return slice(present) }
        return range.map { values[first + Int(min(max($0, start), end - 1) - start)] }[...]
    }
}
