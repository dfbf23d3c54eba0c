/// Resamples a strictly increasing series of samples onto the cells of the ``AnalysisGrid``, at 50 Hz.
///
/// Each cell is the mean, over its 20 ms, of the straight lines that join the samples. The mean makes a 400 Hz signal and a
/// 25 Hz signal comparable and needs no nominal rate. Below 50 samples a second the lines interpolate. An interval longer than
/// ``TimestampRepair/gapNanoseconds`` ends the contiguous signal.
struct Resampler: Sendable {
    /// The largest number of cells that one call of ``add(_:from:until:to:)`` completes: a second, and the longest interval
    /// without a gap.
    private static let mostCells = Int(AnalysisGrid.cells.hertz + TimestampRepair.gapNanoseconds / period) + 2
    private static var period: Int64 { AnalysisGrid.cells.period }

    private var cell: Cell
    private var last: Point

    init(_ sample: AccelerationSample) {
        last = Point(sample)
        // The first cell that the signal fills completely.
        cell = Cell(number: AnalysisGrid.cells.index(at: sample.nanoseconds - 1) + 1)
    }

    /// When the last sample was taken.
    var end: Timestamp { Timestamp(nanosecondsSince1970: last.nanoseconds) }

    /// The number of the cell that is being filled.
    var nextCell: Int64 { cell.number }

    /// Adds samples until one completes the cells before `endCell` or a gap follows, and appends the completed cells to `signal`.
    ///
    /// - Parameters:
    ///   - samples: Samples in strictly increasing order of time.
    ///   - first: The position of the first sample to add. The sample before it was the last one added.
    /// - Returns: The position of the first sample that was not added.
    mutating func add(
        _ samples: SampleBatch, from first: Int, until endCell: Int64, to signal: inout SignalBuffer
    ) -> Int {
        let (times, x, y, z) = (samples.times.span, samples.x.span, samples.y.span, samples.z.span)
        var next = first
        // Local copies stay in registers.
        var (number, area) = (cell.number, cell.area)
        let previous = last
        let endTime = endCell * Self.period
        signal.append(atMost: Self.mostCells) { cells, begin in
            var free = begin
            while next < times.count, number < endCell {
                while FourLines.fit(times, to: next, from: number, until: endTime) {
                    let lines = FourLines(times, to: next, from: number)
                    let (x, y, z) = (lines.areas(x, to: next), lines.areas(y, to: next), lines.areas(z, to: next))
                    for line in 0..<4 {
                        // The fourth lane is overwritten by the magnitude.
                        area += SIMD4(x.here[line], y.here[line], z.here[line], z.here[line])
                        // The cell is written at each step and kept once complete. Jitter makes completion unpredictable,
                        // so a branch would cost more.
                        cells[free] = area
                        let isComplete = lines.isCrossing[line]
                        free += isComplete ? 1 : 0
                        let beyond = SIMD4(x.beyond[line], y.beyond[line], z.beyond[line], z.beyond[line])
                        area = area.replacing(with: beyond, where: SIMDMask(repeating: isComplete))
                    }
                    number = lines.lastCell
                    next += 4
                }
                guard next < times.count else { break }
                let last = next > 0 ? Point(samples[next - 1]) : previous
                let sample = Point(samples[next])
                guard sample.nanoseconds - last.nanoseconds <= TimestampRepair.gapNanoseconds else { break }
                var cell = Cell(number: number, area: area)
                var line = Line(from: last, to: sample)
                line.skip(to: cell.start)
                while let area = cell.complete(along: &line) {
                    cells[free] = area
                    free += 1
                }
                (number, area) = (cell.number, cell.area)
                next += 1
            }
            for index in begin..<free { cells[index] /= Float(Self.period) }
            return free
        }
        cell = Cell(number: number, area: area)
        if next > first { last = Point(samples[next - 1]) }
        return next
    }

    /// A sample with its axes packed; the fourth lane is zero.
    private struct Point: Sendable {
        let nanoseconds: Int64
        let acceleration: SIMD4<Float>

        @inline(__always)
        init(_ sample: AccelerationSample) {
            nanoseconds = sample.nanoseconds
            acceleration = SIMD4(sample.x, sample.y, sample.z, 0)
        }
    }

    /// The remaining part of the straight line between two samples.
    private struct Line {
        var nanoseconds: Int64
        var value: SIMD4<Float>
        let end: Point
        let slope: SIMD4<Float>

        @inline(__always)
        init(from last: Point, to sample: Point) {
            slope = (sample.acceleration - last.acceleration) / Float(sample.nanoseconds - last.nanoseconds)
            nanoseconds = last.nanoseconds
            value = last.acceleration
            end = sample
        }

        /// Skips the part before a time. Only a line before the first cell of a signal has such a part.
        @inline(__always)
        mutating func skip(to time: Int64) {
            guard nanoseconds < time else { return }
            let skipped = min(time, end.nanoseconds)
            value += slope * Float(skipped - nanoseconds)
            nanoseconds = skipped
        }
    }

    private struct Cell: Sendable {
        private(set) var number: Int64
        /// When the cell begins, in nanoseconds since 1970.
        private(set) var start: Int64
        /// The integral over the filled part, in g·ns.
        private(set) var area: SIMD4<Float>

        init(number: Int64, area: SIMD4<Float> = SIMD4()) {
            self.number = number
            start = number * Resampler.period
            self.area = area
        }

        /// Follows a line to the end of the cell or of the line.
        ///
        /// - Returns: The area of the cell if it is complete; the next cell is then current. Nil otherwise.
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
    }

    /// Four lines that join five samples. Each line lies within one cell or crosses into the next cell.
    ///
    /// Most samples fit. Four lines at once cost little more than one.
    private struct FourLines {
        /// The areas that the lines add to the cells that they begin in, and to the next cells.
        typealias Areas = (here: SIMD4<Float>, beyond: SIMD4<Float>)

        /// The largest number of cells that four lines may span; enough for samples at 100 Hz.
        private static let mostCells: Int64 = 4

        /// The number of the cell that contains the last sample.
        let lastCell: Int64
        /// Which lines reach the next cell. A line that ends with its cell does.
        let isCrossing: SIMDMask<SIMD4<Int32>>
        /// The lengths in nanoseconds: whole, within the first cell, within the next cell.
        private let length: SIMD4<Float>
        private let lengthHere: SIMD4<Float>
        private let lengthBeyond: SIMD4<Float>

        /// Whether five samples lie close enough to each other.
        ///
        /// - Parameters:
        ///   - next: The position of the second of the five samples.
        ///   - cell: The number of the cell that contains the first sample.
        ///   - end: The samples must be before this time.
        @inline(__always)
        static func fit(_ times: Span<Timestamp>, to next: Int, from cell: Int64, until end: Int64) -> Bool {
            guard next > 0, next + 4 <= times.count else { return false }
            let (before, now) = (times.four(unchecked: next - 1), times.four(unchecked: next))
            let start = cell &* Resampler.period
            guard before[0] >= start, now[3] < min(start &+ mostCells * Resampler.period, end) else { return false }
            return all(SIMD4<Int32>(truncatingIfNeeded: now &- before) .<= Int32(Resampler.period))
        }

        @inline(__always)
        init(_ times: Span<Timestamp>, to next: Int, from cell: Int64) {
            let (before, now) = (times.four(unchecked: next - 1), times.four(unchecked: next))
            lastCell = AnalysisGrid.cells.index(at: now[3])
            let advance = SIMD4<Int32>(truncatingIfNeeded: now &- before)
            // The distance of each sample from the start of its cell.
            let reached = SIMD4<Int32>(truncatingIfNeeded: now &- cell &* Resampler.period)
            let period = Int32(Resampler.period)
            var place = reached
            for cells in 1..<Int32(Self.mostCells) {
                place.replace(with: place &- period, where: reached .>= cells &* period)
            }
            isCrossing = (place .< advance)
            let beyond = place.replacing(with: 0, where: .!isCrossing)
            length = SIMD4<Float>(advance)
            lengthHere = SIMD4<Float>(advance &- beyond)
            lengthBeyond = SIMD4<Float>(beyond)
        }

        /// The areas below the lines, on one axis.
        @inline(__always)
        func areas(_ values: Span<Float>, to next: Int) -> Areas {
            let (before, now) = (values.four(unchecked: next - 1), values.four(unchecked: next))
            let slope = (now - before) / length
            // The value at the end of the cell, or of the line.
            let value = now.replacing(with: before + slope * lengthHere, where: isCrossing)
            return ((before + value) * (0.5 * lengthHere), (value + now) * (0.5 * lengthBeyond))
        }
    }
}
