/// A grid of evenly spaced values: value n belongs to the time n × ``period`` since 1970.
///
/// The resampler fills the cells of the 50 Hz grid. Step detection and window features work on the half-rate grid,
/// which keeps every second cell: half-rate value m belongs to cell 2 m.
struct AnalysisGrid: Sendable {
    /// The grid of the resampler: 50 Hz. Cell n is the mean over the 20 ms from n × 20 ms on.
    static var cells: AnalysisGrid { AnalysisGrid(hertz: 50, period: 20_000_000) }
    /// The grid of every second cell: 25 Hz.
    static var halfRate: AnalysisGrid { AnalysisGrid(hertz: 25, period: 40_000_000) }

    /// Values per second.
    let hertz: Int64
    /// The time between two values, in nanoseconds.
    let period: Int64

    /// The last value at or before a time in nanoseconds since 1970.
    @inline(__always)
    func index(at nanoseconds: Int64) -> Int64 {
        nanoseconds.flooredQuotientAndRemainder(by: period).quotient
    }

    /// The second since 1970 that contains a value.
    func second(of index: Int64) -> Int64 {
        index.flooredQuotientAndRemainder(by: hertz).quotient
    }

    func start(of second: Int64) -> Int64 {
        second * hertz
    }

    func middle(of second: Int64) -> Int64 {
        start(of: second) + hertz / 2
    }

    func values(of second: Int64) -> Range<Int64> {
        start(of: second)..<start(of: second + 1)
    }

    /// The half-rate values that belong to a range of cells.
    static func halfRate(of cells: Range<Int64>) -> Range<Int64> {
        (cells.lowerBound + 1) >> 1..<(cells.upperBound + 1) >> 1
    }
}

extension Timestamp {
    /// Creates the moment at which a whole second since 1970 begins.
    init(second: Int64) {
        self.init(nanosecondsSince1970: second * 1_000_000_000)
    }
}
