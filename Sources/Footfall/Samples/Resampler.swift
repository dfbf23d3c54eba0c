/// Brings a strictly increasing series of samples onto the analysis grid: 50 Hz, at whole multiples of 20 ms since 1970.
///
/// Each grid value is the mean, over its 20 ms, of the straight lines that join the samples. Averaging instead of picking
/// makes a 400 Hz signal and a 25 Hz signal look alike and needs no nominal rate; where a device sends fewer than
/// 50 samples a second, the lines fill in. Time without samples beyond ``SampleStraightener/gapNanoseconds`` ends a stretch.
struct Resampler: Sendable {
    /// The grid's rate in Hz.
    static let hertz = 50
    /// The grid's period in nanoseconds.
    static let period: Int64 = 20_000_000

    /// The cell being filled: it spans `cell * period ..< (cell + 1) * period`.
    private var cell: Int64 = 0
    /// The sum of value × time over the part of the cell that is filled, in g·ns.
    private var area = SIMD4<Float>()
    private var last: SampleStraightener.Reading?

    /// Whether a sample at `nanoseconds` continues the series, or begins a new stretch after a gap.
    func continues(at nanoseconds: Int64) -> Bool {
        guard let last else { return false }
        return nanoseconds - last.nanoseconds <= SampleStraightener.gapNanoseconds
    }

    /// The time of the last sample taken, in nanoseconds since 1970.
    var lastTime: Int64? { last?.nanoseconds }

    /// Begins a stretch with its first sample.
    ///
    /// - Returns: The number of the first grid cell that the stretch fills wholly.
    mutating func begin(with sample: SampleStraightener.Reading) -> Int64 {
        cell = (sample.nanoseconds - 1).flooredQuotientAndRemainder(by: Self.period).quotient + 1
        area = SIMD4()
        last = sample
        return cell
    }

    /// Takes the next sample and appends to `grid` the value of each cell that it completes.
    mutating func add(_ sample: SampleStraightener.Reading, to grid: inout Grid) {
        guard let last else { return }
        let slope = (sample.acceleration - last.acceleration) / Float(sample.nanoseconds - last.nanoseconds)
        var time = last.nanoseconds
        var value = last.acceleration
        let cellStart = cell * Self.period
        if time < cellStart {
            // Only before the first whole cell of a stretch: what lies before it is left out.
            let skipped = min(cellStart, sample.nanoseconds)
            value += slope * Float(skipped - time)
            time = skipped
        }
        var cellEnd = cellStart + Self.period
        while cellEnd <= sample.nanoseconds {
            let length = Float(cellEnd - time)
            let endValue = value + slope * length
            area += (value + endValue) * (0.5 * length)
            grid.append(acceleration: area / Float(Self.period))
            area = SIMD4()
            cell += 1
            time = cellEnd
            value = endValue
            cellEnd += Self.period
        }
        area += (value + sample.acceleration) * (0.5 * Float(sample.nanoseconds - time))
        self.last = sample
    }
}
