/// Resamples a strictly increasing series of samples onto the cells of the ``AnalysisGrid``, at 50 Hz. Each cell is the
/// mean, over its 20 ms, of the straight lines that join the samples. The mean makes a 400 Hz signal and a 25 Hz signal
/// comparable and needs no nominal rate. Below 50 samples a second the lines interpolate. An interval longer than
/// ``TimestampRepair/gapNanoseconds`` ends the contiguous signal.
struct Resampler: Sendable {
    /// The largest number of cells that one call of ``add(_:from:until:to:)`` completes: a second, and the longest
    /// interval without a gap.
    private static let mostCells = Int(AnalysisGrid.cells.hertz + TimestampRepair.gapNanoseconds / period) + 2
    private static var period: Int64 { AnalysisGrid.cells.period }
    /// The rate in Hz below which a sensor is slow. Watches and phones have 12.5 to 15 Hz, or 20 Hz and more.
    private static let slow: Float = 18

    /// The time at which the grid begins, in nanoseconds since 1970.
    private let origin: Int64
    private var cell: Cell
    private var last: Point

    init(_ sample: AccelerationSample, origin: Int64) {
        self.origin = origin
        last = Point(sample)
        // The first cell that the signal fills completely.
        let number = AnalysisGrid.cells.index(at: sample.nanoseconds - origin - 1) + 1
        cell = Cell(start: origin + number * Self.period)
    }

    /// When the last sample was taken.
    var end: Timestamp { Timestamp(nanosecondsSince1970: last.nanoseconds) }

    var nextCell: Int64 { AnalysisGrid.cells.index(at: cell.start - origin) }

    /// The gain that restores a frequency, which the lines between the samples of a slow sensor attenuate by
    /// sinc²(frequency/rate); 1 for other sensors. A sensor has no frequency above half its rate.
    static func gain(at hertz: Float, rate: Float) -> Float {
        guard rate < slow else { return 1 }
        let turn = Double(.pi * min(hertz / rate, 0.5))
        let share = Float(sine(turn) / turn)
        return 1 / (share * share)
    }

    /// Adds samples in strictly increasing order of time, directly after the last one added, until one completes the
    /// cells before `endCell` or a gap follows. Appends the completed cells to `signal`, and returns the position of
    /// the first sample that was not added.
    mutating func add(
        _ samples: SampleBatch, _ positions: Range<Int>, until endCell: Int64, to signal: inout SignalBuffer
    ) -> Int {
        let endTime = origin + endCell * Self.period
        precondition(positions.lowerBound >= 0 && positions.upperBound <= samples.count)
        var next = positions.lowerBound
        signal.append(atMost: Self.mostCells) { cells, begin in
            var free = begin
            while next < positions.upperBound, cell.start < endTime {
                // The line to the first sample begins outside of the columns.
                if next > positions.lowerBound, isDense(samples, next..<positions.upperBound) {
                    fillCells(samples, &next, positions.upperBound, until: endTime, &cells, &free)
                    guard next < positions.upperBound, cell.start < endTime else { break }
                }
                guard followLine(to: samples[next], &cells, &free) else { break }
                next += 1
            }
            // In bounds: these cells were written.
            for index in begin..<free { cells[unchecked: index] /= Float(2 * Self.period) }
            return free
        }
        return next
    }

    /// Whether to fill cells at once: the signal covers the current cell from its start, and three lines from the last
    /// sample on are shorter than two cells. With longer lines, most cells have no second sample.
    private func isDense(_ samples: SampleBatch, _ positions: Range<Int>) -> Bool {
        positions.count > 2 && last.nanoseconds >= cell.start
            && samples.times[positions.lowerBound + 2].nanosecondsSince1970 &- last.nanoseconds < 2 * Self.period
    }

    /// Fills one cell after the other from `free` on, each from up to two samples in it and the line that leaves it.
    /// Moves `next`, the first sample to add, and `free`. Leaves the last two samples, and stops before a line that is
    /// longer than a cell. How many samples lie in a cell is random where times have jitter, so no branch depends on
    /// it.
    private mutating func fillCells(
        _ samples: SampleBatch, _ next: inout Int, _ end: Int, until endTime: Int64,
        _ cells: inout MutableSpan<SIMD4<Float>>, _ free: inout Int
    ) {
        let (times, x, y, z) = (samples.times.span, samples.x.span, samples.y.span, samples.z.span)
        precondition(next > 0 && end <= times.count)
        precondition(free >= 0 && free + Int((endTime - cell.start) / Self.period) <= cells.count)
        // In bounds, here and below: from the sample before `next` to the one before `end`. All columns have the same
        // length.
        func time(_ position: Int) -> Int64 { times[unchecked: position].nanosecondsSince1970 }
        func acceleration(_ position: Int) -> SIMD4<Float> {
            SIMD4(x[unchecked: position], y[unchecked: position], z[unchecked: position], z[unchecked: position])
        }
        // Local copies stay in registers.
        var (position, place, lastTime, last) = (next, free, self.last.nanoseconds, self.last.acceleration)
        var (cellEnd, area) = (cell.start &+ Self.period, cell.area)
        while position &+ 2 < end, cellEnd <= endTime {
            let (one, two) = (time(position), time(position &+ 1))
            let value = acceleration(position)
            if time(position &+ 2) < cellEnd {
                area += (last + value) * Float(one &- lastTime)
                (lastTime, last) = (one, value)
                position &+= 1
                continue
            }
            // −1 for a sample in the cell, 0 for a later one.
            let (oneIsIn, twoIsIn) = ((one &- cellEnd) &>> 63, (two &- cellEnd) &>> 63)
            let leaving = position &- Int(oneIsIn &+ twoIsIn)
            let (startTime, leavingTime) = (time(leaving &- 1), time(leaving))
            guard leavingTime &- startTime <= Self.period else { break }
            area += (last + value) * Float((one &- lastTime) & oneIsIn)
            area += (value + acceleration(position &+ 1)) * Float((two &- one) & twoIsIn)
            let (start, beyond) = (acceleration(leaving &- 1), acceleration(leaving))
            let length = Float(cellEnd &- startTime)
            let border = start + (beyond - start) / Float(leavingTime &- startTime) * length
            // In bounds: a cell for each period before `endTime`.
            cells[unchecked: place] = area + (start + border) * length
            area = (border + beyond) * Float(leavingTime &- cellEnd)
            (lastTime, last) = (leavingTime, beyond)
            cellEnd &+= Self.period
            place &+= 1
            position = leaving &+ 1
        }
        (next, free) = (position, place)
        self.last = Point(nanoseconds: lastTime, acceleration: last)
        cell = Cell(start: cellEnd &- Self.period, area: area)
    }

    /// Follows the line from the last sample to the next one and writes the cells that it completes. Returns false, and
    /// does nothing, if a gap lies between them.
    private mutating func followLine(
        to sample: AccelerationSample, _ cells: inout MutableSpan<SIMD4<Float>>, _ free: inout Int
    ) -> Bool {
        guard sample.nanoseconds - last.nanoseconds <= TimestampRepair.gapNanoseconds else { return false }
        let next = Point(sample)
        var line = Line(from: last, to: next)
        line.skip(to: cell.start)
        while let area = cell.complete(along: &line) {
            cells[free] = area
            free += 1
        }
        last = next
        return true
    }

    /// A sample with its axes packed. The fourth lane repeats z until the magnitude overwrites it; with a constant zero
    /// the compiler would split the vector.
    fileprivate struct Point: Sendable {
        let nanoseconds: Int64
        let acceleration: SIMD4<Float>
    }

    /// The remaining part of the straight line between two samples.
    private struct Line {
        var nanoseconds: Int64
        var value: SIMD4<Float>
        let end: Point
        let slope: SIMD4<Float>

        @inline(__always)
        init(from last: Point, to sample: Point) {
            slope = (sample.acceleration - last.acceleration) / Float(sample.nanoseconds &- last.nanoseconds)
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
        /// When the cell begins, in nanoseconds since 1970.
        private(set) var start: Int64
        /// Twice the integral over the filled part, in g·ns.
        private(set) var area = SIMD4<Float>()

        /// Follows a line to the end of the cell or of the line. Returns the area of a complete cell, and the next one
        /// is current; else nil.
        @inline(__always)
        mutating func complete(along line: inout Line) -> SIMD4<Float>? {
            let end = start + Resampler.period
            guard end <= line.end.nanoseconds else {
                area += (line.value + line.end.acceleration) * Float(line.end.nanoseconds - line.nanoseconds)
                return nil
            }
            let length = Float(end - line.nanoseconds)
            let value = line.value + line.slope * length
            let whole = area + (line.value + value) * length
            (line.nanoseconds, line.value) = (end, value)
            (start, area) = (end, SIMD4())
            return whole
        }
    }
}

extension Resampler.Point {
    fileprivate init(_ sample: AccelerationSample) {
        nanoseconds = sample.nanoseconds
        acceleration = SIMD4(sample.x, sample.y, sample.z, sample.z)
    }
}

/// Divides samples at gaps and resamples each contiguous signal as a whole, for the training of the models. Up to the
/// resampling, the samples pass the same stages as in a ``MotionAnalyzer``. The grid begins in 1970, not with the first
/// sample: these are the same for a recording whose time begins at 0.
struct ResampledSignals: Sendable {
    /// A contiguous signal on the analysis grid, and its sample rate second by second.
    struct Signal: Sendable {
        fileprivate var resampler: Resampler
        fileprivate(set) var cells: SignalBuffer
        fileprivate(set) var rates: RateMeter

        fileprivate init(_ sample: AccelerationSample) {
            resampler = Resampler(sample, origin: 0)
            cells = SignalBuffer(start: resampler.nextCell)
            rates = RateMeter(firstSecond: AnalysisGrid.cells.second(of: cells.start))
            count(sample)
        }

        /// Adds samples up to the first gap. Returns the position of the first sample after it, or the end of
        /// `positions`.
        fileprivate mutating func add(_ samples: SampleBatch, _ positions: Range<Int>) -> Int {
            var next = positions.lowerBound
            while next < positions.upperBound {
                let start = next
                let end = AnalysisGrid.cells.start(of: AnalysisGrid.cells.second(of: cells.end) + 1)
                next = resampler.add(samples, start..<positions.upperBound, until: end, to: &cells)
                guard next > start else { break }
                for position in start..<next { count(samples[position]) }
            }
            return next
        }

        private mutating func count(_ sample: AccelerationSample) {
            let cell = AnalysisGrid.cells.index(at: sample.time.nanosecondsSince1970)
            rates.count(at: AnalysisGrid.cells.second(of: cell))
        }
    }

    private var intake = SampleIntake()
    private var impulses = ImpulseFilter()
    private var current: Signal?

    /// Adds the next samples. Returns the signals that end at a gap.
    mutating func add(_ batch: SampleBatch) -> [Signal] {
        var signals: [Signal] = []
        add(intake.add(batch), &signals)
        return signals
    }

    /// Ends the samples. Returns the last signals.
    mutating func finish() -> [Signal] {
        var signals: [Signal] = []
        add(intake.finish(), &signals)
        var settled = SampleBatch()
        impulses.finish(to: &settled)
        resample(settled, settled.indices, &signals)
        if let last = current.take() { signals.append(last) }
        return signals
    }

    private mutating func add(_ samples: RepairedSamples, _ signals: inout [Signal]) {
        for (batch, positions) in samples.parts {
            var settled = SampleBatch()
            let rest = impulses.add(batch, positions, mayHaveImpulses: samples.mayHaveImpulses, to: &settled)
            resample(settled, settled.indices, &signals)
            resample(batch, rest, &signals)
        }
    }

    private mutating func resample(_ samples: SampleBatch, _ positions: Range<Int>, _ signals: inout [Signal]) {
        var left = positions
        while !left.isEmpty {
            var signal = current.take() ?? Signal(samples[left.removeFirst()])
            left = signal.add(samples, left)..<left.upperBound
            if left.isEmpty { current = signal } else { signals.append(signal) }
        }
    }
}
