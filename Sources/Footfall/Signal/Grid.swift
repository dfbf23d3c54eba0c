/// The recent past of a signal on an even grid, the analysis grid or every second cell of it, in one piece of memory.
///
/// Lanes are x, y, z and |a|, in g. The buffer forgets from the front; its memory is bounded by what the stages look back on.
struct Grid: Sendable {
    /// The number of the first grid cell that is kept.
    private(set) var start: Int64
    private var values: [SIMD4<Float>] = []
    /// How many of `values`, from the front, are forgotten already.
    private var forgotten = 0

    /// Creates an empty buffer whose first value will be that of cell `start`.
    init(start: Int64) {
        self.start = start
    }

    /// The number of the cell after the last one.
    var end: Int64 { start + Int64(values.count - forgotten) }

    /// Appends the acceleration of the next cell, and its magnitude in the fourth lane.
    mutating func append(acceleration: SIMD4<Float>) {
        var value = acceleration
        value[3] = 0
        value[3] = (value * value).sum().squareRoot()
        values.append(value)
    }

    /// Forgets the cells before `cell`.
    mutating func forget(before cell: Int64) {
        guard cell > start else { return }
        let count = Int(min(cell, end) - start)
        start += Int64(count)
        forgotten += count
        // Moving the rest to the front costs as much as has been forgotten since the last time: constant per value.
        if forgotten > 1024, forgotten * 2 > values.count {
            values.removeFirst(forgotten)
            forgotten = 0
        }
    }

    /// The value of a cell, which must lie in `start..<end`.
    subscript(cell: Int64) -> SIMD4<Float> {
        values[forgotten + Int(cell - start)]
    }

    /// The cells of `range`, which must lie in `start..<end`.
    func slice(_ range: Range<Int64>) -> ArraySlice<SIMD4<Float>> {
        let first = forgotten + Int(range.lowerBound - start)
        return values[first..<(first + Int(range.upperBound - range.lowerBound))]
    }
}
