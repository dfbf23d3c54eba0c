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

    /// The cell being filled.
    private var cell = Cell(number: 0)
    private var last: SampleStraightener.Reading?

    /// The time of the last sample taken, in nanoseconds since 1970.
    var lastTime: Int64? { last?.nanoseconds }

    /// Begins a stretch with its first sample.
    ///
    /// - Returns: The number of the first grid cell that the stretch fills wholly.
    mutating func begin(with sample: SampleStraightener.Reading) -> Int64 {
        cell = Cell(number: (sample.nanoseconds - 1).flooredQuotientAndRemainder(by: Self.period).quotient + 1)
        last = sample
        return cell.number
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
        // Local, so that it stays in registers.
        var cell = cell
        // The last sample taken may complete cells beyond the end, as many as there can be without a gap.
        let most = max(end - cell.number, 0) + SampleStraightener.gapNanoseconds / Self.period + 2
        grid.append(atMost: Int(most)) { cells, begin in
            var free = begin
            while next < samples.count, cell.number < end {
                let sample = samples[next]
                let advance = sample.nanoseconds - last.nanoseconds
                guard advance <= SampleStraightener.gapNanoseconds else { break }
                if advance <= Self.period, last.nanoseconds >= cell.start {
                    // Written each time, and there to stay when the cell is complete.
                    let (area, isComplete) = cell.step(from: last, to: sample)
                    cells[free] = area
                    free += isComplete ? 1 : 0
                } else {
                    var line = Line(from: last, to: sample)
                    line.skip(to: cell.start)
                    while let area = cell.complete(along: &line) {
                        cells[free] = area
                        free += 1
                    }
                }
                last = sample
                next += 1
            }
            for index in begin..<free { cells[index] /= Float(Self.period) }
            return free
        }
        (self.last, self.cell) = (last, cell)
        return next
    }

    /// What is left to follow of the straight line between two samples.
    private struct Line {
        var nanoseconds: Int64
        var value: SIMD4<Float>
        let end: SampleStraightener.Reading
        let slope: SIMD4<Float>

        @inline(__always)
        init(from last: SampleStraightener.Reading, to sample: SampleStraightener.Reading) {
            slope = (sample.acceleration - last.acceleration) / Float(sample.nanoseconds - last.nanoseconds)
            nanoseconds = last.nanoseconds
            value = last.acceleration
            end = sample
        }

        /// Leaves out what lies before a time: that is only before the first whole cell of a stretch.
        @inline(__always)
        mutating func skip(to time: Int64) {
            guard nanoseconds < time else { return }
            let skipped = min(time, end.nanoseconds)
            value += slope * Float(skipped - nanoseconds)
            nanoseconds = skipped
        }
    }

    /// A grid cell that is being filled.
    private struct Cell: Sendable {
        private(set) var number: Int64
        /// When it begins, in nanoseconds since 1970.
        private(set) var start: Int64
        /// The sum of value × time over the part that is filled, in g·ns.
        private var area = SIMD4<Float>()

        init(number: Int64) {
            self.number = number
            start = number * Resampler.period
        }

        /// Follows a line through the cell, to its end or to that of the line.
        ///
        /// - Returns: The area of the cell, when it is complete and the next one has begun.
        @inline(__always)
        mutating func complete(along line: inout Line) -> SIMD4<Float>? {
            let end = start + Resampler.period
            guard end <= line.end.nanoseconds else {
                area += (line.value + line.end.acceleration) * (0.5 * Float(line.end.nanoseconds - line.nanoseconds))
                return nil
            }
            let length = Float(end - line.nanoseconds)
            let value = line.value + line.slope * length
            let whole = area + (line.value + value) * (0.5 * length)
            (line.nanoseconds, line.value) = (end, value)
            (number, start, area) = (number + 1, end, SIMD4())
            return whole
        }

        /// Follows the line between two samples that lie in this cell, or in this and the next one.
        ///
        /// Which of the two it is no processor can foresee where samples come with jitter, so nothing branches on it.
        ///
        /// - Returns: The area of the cell so far, and whether it is complete and the next one has begun.
        @inline(__always)
        mutating func step(
            from last: SampleStraightener.Reading, to sample: SampleStraightener.Reading
        ) -> (area: SIMD4<Float>, isComplete: Bool) {
            let advance = sample.nanoseconds &- last.nanoseconds
            let beyond = sample.nanoseconds &- (start &+ Resampler.period)
            let isComplete = beyond >= 0
            let mask = SIMDMask<SIMD4<Float.SIMDMaskScalar>>(repeating: isComplete)
            // To the end of the cell, or to the sample.
            let length = Float(advance &- max(beyond, 0))
            let slope = (sample.acceleration - last.acceleration) / Float(advance)
            let value = sample.acceleration.replacing(with: last.acceleration + slope * length, where: mask)
            let filled = area + (last.acceleration + value) * (0.5 * length)
            let rest = (value + sample.acceleration) * (0.5 * Float(max(beyond, 0)))
            area = filled.replacing(with: rest, where: mask)
            number &+= isComplete ? 1 : 0
            start &+= isComplete ? Resampler.period : 0
            return (filled, isComplete)
        }
    }
}
