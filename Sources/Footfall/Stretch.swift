/// A stretch of signal without a gap, on its way through the stages.
struct Stretch: Sendable {
    /// Seconds of the past that the stages look back on.
    private static let memory: Int64 = 48

    private var grid: Grid
    private var rates: RateMeter
    private var steps: StepDetector
    private var features = FeatureMeter()
    private var segmenter: Segmenter
    /// The last look since a bout, and the last second that it does for.
    private var latestLook: (look: Segmenter.Look, through: Int64)?
    /// Seconds on their way from the step detector to the segmenter; kept for its memory.
    private var settled: [StepDetector.Second] = []
    /// The first second that has not been handed to the stages yet, because the grid has not completed it.
    private var nextSecond: Int64
    /// The cell that completes it.
    private var secondEnd: Int64

    /// Begins a stretch.
    ///
    /// - Parameters:
    ///   - start: When its first sample was taken.
    ///   - cell: The number of its first grid cell.
    init(start: Timestamp, cell: Int64) {
        let second = cell.flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient
        grid = Grid(start: cell)
        rates = RateMeter(firstSecond: second)
        steps = StepDetector(start: cell)
        segmenter = Segmenter(start: start)
        nextSecond = second
        secondEnd = (second + 1) * Int64(Resampler.hertz)
    }

    /// Takes the grid cells that follow.
    mutating func append(_ cells: ArraySlice<SIMD4<Float>>) {
        grid.append(cells)
    }

    /// Takes note that a second is complete, or several, and appends to `events` what that settles.
    ///
    /// - Parameter samples: How many samples that took; the last of them lies beyond.
    mutating func advance(samples: Int, to events: inout [MotionEvent]) {
        rates.count(samples - 1, at: nextSecond)
        rates.count(at: grid.end.flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient)
        while grid.end >= secondEnd {
            advance(to: &events)
        }
    }

    /// Settles everything; a gap or the end of the input follows.
    ///
    /// - Parameters:
    ///   - samples: How many samples came after the last complete second.
    ///   - end: When the last one was taken.
    mutating func finish(samples: Int, at end: Timestamp, to events: inout [MotionEvent]) {
        rates.count(samples, at: nextSecond)
        let lastSecond = (grid.end - 1).flooredQuotientAndRemainder(by: Int64(Resampler.hertz)).quotient
        segmenter.expectEnd(at: end, in: lastSecond)
        if grid.end > grid.start {
            steps.finish(grid, rates) { settled.append($0) }
        }
        segmentSettled(to: &events)
        segmenter.finish(to: &events)
    }

    private mutating func advance(to events: inout [MotionEvent]) {
        steps.advance(grid, rates, through: nextSecond) { settled.append($0) }
        segmentSettled(to: &events)
        nextSecond += 1
        secondEnd += Int64(Resampler.hertz)
        grid.forget(before: (nextSecond - Self.memory) * Int64(Resampler.hertz))
        rates.forget(before: nextSecond - Self.memory)
    }

    private mutating func segmentSettled(to events: inout [MotionEvent]) {
        for index in settled.indices { segment(settled[index], to: &events) }
        settled.removeAll(keepingCapacity: true)
    }

    private mutating func segment(_ second: StepDetector.Second, to events: inout [MotionEvent]) {
        // In a bout nobody looks: the step detector knows.
        if let gait = second.gait {
            latestLook = nil
            segmenter.add(second, in: gait, to: &events)
        } else {
            segmenter.add(second, look(from: second.second), to: &events)
        }
    }

    /// What a second and the next one look like: with five seconds in view, one look does for both.
    private mutating func look(from second: Int64) -> Segmenter.Look {
        if let latestLook, second <= latestLook.through { return latestLook.look }
        let middle = (second + 1) * Int64(Resampler.hertz)
        var look = Segmenter.Look(lacking: .tooShort)
        // Of less than a window not even the rate can be told.
        if grid.end - grid.start >= 2 * Int64(FeatureMeter.windowLength) {
            if rates.rate(around: second, reach: 15) < StepDetector.lowestRate {
                look = Segmenter.Look(lacking: .lowRate)
            } else if let features = features.features(of: grid, around: middle) {
                look = Segmenter.Look(features)
            }
        }
        latestLook = (look, second + 1)
        return look
    }
}
