/// A piece of signal on the analysis grid, as ``SignalConditioner`` hands it to ``MotionRecognizer``.
///
/// It has finished grid cells, up to a minute of them, and marks between the cells: where stretches begin and end, and
/// where seconds are complete. Its memory is always that of a minute, to be filled again and again.
package struct EvenSignal: Sendable {
    /// What is to be known at a place between two cells.
    struct Mark: Sendable {
        enum Kind: Sendable {
            /// A stretch begins with its first sample, at `start`; the cell that follows has the number `cell`.
            case stretchBegins(start: Timestamp, cell: Int64)
            /// A second is complete, or several at once. It took `samples` samples, the last of which may lie after it.
            case secondsComplete(samples: Int)
            /// The stretch ends with its last sample, at `end`, `samples` samples after the last complete second.
            case stretchEnds(samples: Int, end: Timestamp)
        }

        let kind: Kind
        /// How many cells of the piece come before it.
        let position: Int
    }

    /// A minute of cells.
    private static let capacity = 60 * Resampler.hertz

    /// What is to be known between the cells, in order.
    private(set) var marks: [Mark] = []
    /// The cells, and room behind them. Lanes are x, y, z and |a|, in g.
    private var values = [SIMD4<Float>](repeating: SIMD4(), count: capacity)
    private var count = 0

    /// Creates an empty piece.
    package init() {}

    /// Whether the samples of another second could find no room.
    var isFull: Bool { count > Self.capacity - Resampler.mostCells }

    /// The cells from a position on, up to another or to the end.
    func cells(from first: Int, to end: Int? = nil) -> ArraySlice<SIMD4<Float>> {
        values[first..<(end ?? count)]
    }

    /// Appends the accelerations of the next cells, and their magnitudes in the fourth lane.
    ///
    /// - Parameter fill: Fills in cells from a position on, and returns the one after the last.
    @inline(__always)
    mutating func append(_ fill: (inout MutableSpan<SIMD4<Float>>, Int) -> Int) {
        let used = count
        var cells = values.mutableSpan
        count = fill(&cells, used)
        cells.setMagnitudes(in: used..<count)
    }

    /// Marks the place behind the last cell.
    mutating func mark(_ kind: Mark.Kind) {
        marks.append(Mark(kind: kind, position: count))
    }

    /// Removes everything and keeps the memory for what comes next.
    mutating func removeAll() {
        marks.removeAll(keepingCapacity: true)
        count = 0
    }
}
