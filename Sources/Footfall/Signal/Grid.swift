/// The recent past of a signal on an even grid, the analysis grid or every second cell of it, in one piece of memory.
///
/// Lanes are x, y, z and |a|, in g. The buffer forgets from the front; its memory is bounded by what the stages look back on.
struct Grid: Sendable {
    /// The number of the first grid cell that is kept.
    private(set) var start: Int64
    /// The number of the cell after the last one.
    private(set) var end: Int64
    /// The cells that are kept, from `first` on, with what is forgotten before them and room behind.
    private var values: [SIMD4<Float>] = []
    private var first = 0

    /// Creates an empty buffer whose first value will be that of cell `start`.
    init(start: Int64) {
        self.start = start
        end = start
    }

    /// Forgets everything; the next value will be that of cell `start`.
    mutating func begin(at start: Int64) {
        (self.start, end, first) = (start, start, 0)
    }

    /// Appends the accelerations of the next cells, and their magnitudes in the fourth lane.
    ///
    /// - Parameters:
    ///   - most: As many cells as there may be.
    ///   - fill: Fills in cells from a position on, and returns the one after the last.
    @inline(__always)
    mutating func append(atMost most: Int, _ fill: (inout MutableSpan<SIMD4<Float>>, Int) -> Int) {
        makeRoom(for: most)
        let used = first + Int(end - start)
        var cells = values.mutableSpan
        let filled = fill(&cells, used)
        cells.setMagnitudes(in: used..<filled)
        end += Int64(filled - used)
    }

    /// Appends the next cells as they are.
    mutating func append(_ next: ArraySlice<SIMD4<Float>>) {
        makeRoom(for: next.count)
        let used = first + Int(end - start)
        var cells = values.mutableSpan
        let next = next.span
        for index in next.indices { cells[used + index] = next[index] }
        end += Int64(next.count)
    }

    /// Sees to it that `count` cells can be appended.
    private mutating func makeRoom(for count: Int) {
        let kept = Int(end - start)
        guard values.count < first + kept + count else { return }
        // With room for four times as much, moving what is kept to the front costs a third of filling in what follows.
        let size = 4 * (kept + count)
        if values.count < size { values += repeatElement(SIMD4(), count: size - values.count) }
        let forgotten = first
        var cells = values.mutableSpan
        for index in 0..<kept { cells[index] = cells[forgotten + index] }
        first = 0
    }

    /// Forgets the cells before `cell`.
    mutating func forget(before cell: Int64) {
        guard cell > start else { return }
        let count = min(cell, end) - start
        start += count
        first += Int(count)
    }

    /// The cells of `range`, which must lie in `start..<end`.
    func slice(_ range: Range<Int64>) -> ArraySlice<SIMD4<Float>> {
        let begin = first + Int(range.lowerBound - start)
        return values[begin..<(begin + Int(range.upperBound - range.lowerBound))]
    }

    /// The cells of any range; beyond the ends of the signal its first and last values stand in.
    func padded(_ range: Range<Int64>) -> ArraySlice<SIMD4<Float>> {
        let present = range.clamped(to: start..<end)
        let values = slice(present)
        guard present != range, let front = values.first, let back = values.last else { return values }
        let before = repeatElement(front, count: Int(present.lowerBound - range.lowerBound))
        let after = repeatElement(back, count: Int(range.upperBound - present.upperBound))
        return (Array(before) + values + Array(after))[...]
    }
}

extension MutableSpan<SIMD4<Float>> {
    /// Sets the fourth lane to the magnitude of the other three.
    @inline(__always)
    mutating func setMagnitudes(in range: Range<Int>) {
        for index in range {
            var value = self[index]
            value[3] = 0
            value[3] = (value * value).sum().squareRoot()
            self[index] = value
        }
    }
}
