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

    /// As many cells as the samples up to the end of a second may complete. The last of them may complete cells beyond it, as
    /// many as there can be without a gap.
    static let mostCells = hertz + Int(SampleStraightener.gapNanoseconds / period) + 2

    /// When the first sample was taken.
    let start: Timestamp
    /// How many samples were taken since a second was last complete.
    private(set) var samples = 1
    private var cell: Cell
    private var last: Point
    /// The number of the cell after the second that is not complete yet.
    private var secondEnd: Int64

    /// Begins a stretch with its first sample.
    init(_ sample: AccelerationSample) {
        start = sample.time
        last = Point(sample)
        // The first one that the stretch fills wholly.
        cell = Cell(number: (sample.nanoseconds - 1).flooredQuotientAndRemainder(by: Self.period).quotient + 1)
        secondEnd = Self.endOfSecond(around: cell.number)
    }

    /// When the last sample was taken.
    var end: Timestamp { Timestamp(nanosecondsSince1970: last.nanoseconds) }

    /// The number of the cell that is being filled.
    var nextCell: Int64 { cell.number }

    /// Takes samples up to the first gap and appends to `signal` the cells that they complete, with a mark where they
    /// complete a second.
    ///
    /// - Parameters:
    ///   - samples: Those that follow, each later than the one before.
    ///   - first: The position of the first of them to take; the ones before it were the last to be taken.
    /// - Returns: The position of the first sample that was not taken, because a gap is before it or `signal` is full.
    mutating func add(_ samples: SampleBatch, from first: Int, to signal: inout EvenSignal) -> Int {
        var next = first
        while next < samples.count, !signal.isFull {
            let start = next
            next = addSecond(samples, from: start, to: &signal)
            guard next > start else { break }
            self.samples += next - start
            if cell.number >= secondEnd {
                signal.mark(.secondsComplete(samples: self.samples))
                self.samples = 0
                secondEnd = Self.endOfSecond(around: cell.number)
            }
        }
        return next
    }

    private static func endOfSecond(around cell: Int64) -> Int64 {
        let hertz = Int64(hertz)
        return (cell.flooredQuotientAndRemainder(by: hertz).quotient + 1) * hertz
    }

    /// Takes samples until one completes a second or a gap comes.
    ///
    /// - Returns: The position of the first sample that was not taken.
    private mutating func addSecond(_ samples: SampleBatch, from first: Int, to signal: inout EvenSignal) -> Int {
        let (times, x, y, z) = (samples.times.span, samples.x.span, samples.y.span, samples.z.span)
        var next = first
        // Local, so that they stay in registers.
        var (number, area) = (cell.number, cell.area)
        let (secondEnd, previous) = (secondEnd, last)
        let endTime = secondEnd * Self.period
        signal.append { cells, begin in
            var free = begin
            while next < times.count, number < secondEnd {
                while FourLines.fit(times, to: next, from: number, until: endTime) {
                    let lines = FourLines(times, to: next, from: number)
                    let (x, y, z) = (lines.areas(x, to: next), lines.areas(y, to: next), lines.areas(z, to: next))
                    for line in 0..<4 {
                        // The fourth lane is the grid's: what stands in it does not matter.
                        // Written each time, and there to stay when the cell is complete. Whether it is no processor can
                        // foresee where samples come with jitter, so nothing branches on it.
                        area += SIMD4(x.here[line], y.here[line], z.here[line], z.here[line])
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
                guard sample.nanoseconds - last.nanoseconds <= SampleStraightener.gapNanoseconds else { break }
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

    /// What is left to follow of the straight line between two samples.
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
        private(set) var area: SIMD4<Float>

        init(number: Int64, area: SIMD4<Float> = SIMD4()) {
            self.number = number
            start = number * Resampler.period
            self.area = area
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
    }

    /// Four lines that join five samples, each within a cell or from one into the next.
    ///
    /// Most samples come in time; four at once cost little more than one.
    private struct FourLines {
        /// What the lines add to the cells that they begin in, and to the next ones.
        typealias Areas = (here: SIMD4<Float>, beyond: SIMD4<Float>)

        /// As many cells as four lines may lie in, so that samples at 100 Hz do.
        private static let mostCells: Int64 = 4

        /// The number of the cell that the last of the samples lies in.
        let lastCell: Int64
        /// Which of the lines go on into the next cell; one that ends with its cell does.
        let isCrossing: SIMDMask<SIMD4<Int32>>
        /// How long they are, in nanoseconds: as a whole, and in the cell that they begin in.
        private let length: SIMD4<Float>
        private let lengthHere: SIMD4<Float>
        /// How long they are in the next one.
        private let lengthBeyond: SIMD4<Float>

        /// Whether there are five samples that lie close enough to each other.
        ///
        /// - Parameters:
        ///   - times: Of the samples.
        ///   - next: The position of the second of the five.
        ///   - cell: The number of the cell that the first of them must lie in.
        ///   - end: The time that all must be before.
        @inline(__always)
        static func fit(_ times: Span<Timestamp>, to next: Int, from cell: Int64, until end: Int64) -> Bool {
            guard next > 0, next + 4 <= times.count else { return false }
            let (before, now) = (times.four(unchecked: next - 1), times.four(unchecked: next))
            let start = cell &* Resampler.period
            guard before[0] >= start, now[3] < min(start &+ mostCells * Resampler.period, end) else { return false }
            return all(SIMD4<Int32>(truncatingIfNeeded: now &- before) .<= Int32(Resampler.period))
        }

        /// Prepares the lines between samples that fit.
        @inline(__always)
        init(_ times: Span<Timestamp>, to next: Int, from cell: Int64) {
            let (before, now) = (times.four(unchecked: next - 1), times.four(unchecked: next))
            lastCell = now[3].flooredQuotientAndRemainder(by: Resampler.period).quotient
            let advance = SIMD4<Int32>(truncatingIfNeeded: now &- before)
            // How far into its cell each sample is.
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
            // At the end of the cell, or of the line.
            let value = now.replacing(with: before + slope * lengthHere, where: isCrossing)
            return ((before + value) * (0.5 * lengthHere), (value + now) * (0.5 * lengthBeyond))
        }
    }
}
