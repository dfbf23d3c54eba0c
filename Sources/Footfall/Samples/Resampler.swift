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

    /// Takes samples and appends to `grid` the value of each cell that they complete.
    ///
    /// - Parameters:
    ///   - samples: Those that follow, each later than the one before.
    ///   - first: The position of the first of them to take.
    ///   - end: The sample that completes the cell before this one is the last to be taken.
    /// - Returns: The position of the first sample that was not taken, because of `end` or because a gap is before it.
    mutating func add(
        _ samples: Span<SampleStraightener.Reading>, from first: Int, until end: Int64, to grid: inout Grid
    ) -> Int {
        guard var last else { return first }
        var next = first
        while next < samples.count, cell < end {
            let sample = samples[next]
            guard sample.nanoseconds - last.nanoseconds <= SampleStraightener.gapNanoseconds else { break }
            let cellStart = cell * Self.period
            if last.nanoseconds >= cellStart, sample.nanoseconds < cellStart + Self.period {
                let length = Float(sample.nanoseconds - last.nanoseconds)
                area += (last.acceleration + sample.acceleration) * (0.5 * length)
            } else {
                cross(from: last, to: sample, &grid)
            }
            last = sample
            next += 1
        }
        self.last = last
        return next
    }

    /// Follows the line between two samples through the cells that it completes, into the one it ends in.
    @inline(__always)
    private mutating func cross(
        from last: SampleStraightener.Reading, to sample: SampleStraightener.Reading, _ grid: inout Grid
    ) {
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
    }
}
