public import Footfall
internal import FootfallHistory
internal import FootfallTables
public import Foundation

/// A picture of a trace: acceleration, cadence and activities over one time axis.
///
/// ```swift
/// var plot = TracePlot()
/// while let batch = try trace.nextBatch() {
///     plot.add(batch)
///     plot.add(analyzer.analyze(batch))
/// }
/// plot.add(analyzer.finish())
/// let picture = plot.svg(title: "walk.csv")
/// ```
///
/// The picture shows the steps, the segments and the gaps of the events. A plot holds about 2,000 columns of a trace of
/// any length. So a week takes the memory of a minute, and its picture less than 500 kB.
public struct TracePlot: Sendable {
    /// The greatest number of steps that are drawn one by one.
    static let fewSteps = 300
    /// The number of steps per computation of the cadence of a long bout.
    private static let longestBout = 256

    private(set) var columns = PlotColumns()
    /// The time that events cover.
    private(set) var span: Range<Timestamp>?
    private(set) var stepCount = 0
    /// The steps, up to ``fewSteps``; empty beyond.
    private(set) var steps: [Step] = []
    private var bout: [Step] = []

    /// Creates an empty plot.
    public init() {}

    /// Adds samples to the picture. Samples that an analyzer drops are omitted.
    ///
    /// - Complexity: Linear in the number of samples.
    public mutating func add(_ batch: SampleBatch) { columns.add(batch) }

    /// Adds steps, segments and gaps to the picture, in the analyzer's order.
    public mutating func add(_ events: some Sequence<MotionEvent>) {
        for event in events {
            switch event {
            case .step(let step): add(step)
            case .segment(let segment):
                extend(over: segment.range)
                columns.add(segment)
            case .gap(let gap):
                extend(over: gap)
                columns.add(gap: gap)
            case .nonWear: break
            }
        }
    }

    /// Adds why a second has steps, or none, which the picture shows below the cadence.
    ///
    /// An analyzer that records its seconds has them, see `MotionAnalyzer.takeSeconds()`.
    public mutating func add(_ second: AnalyzedSecond) {
        columns.add(second.decision, in: second.start..<second.start.advanced(bySeconds: 1))
    }

    /// The picture as an SVG document.
    ///
    /// It has a white background, the font `sans-serif`, no script, and a description for screen readers.
    ///
    /// - Parameters:
    ///   - title: Any text, such as the name of the trace.
    ///   - timeZone: The zone of the time axis; nil, the default, for the time since the start.
    public func svg(title: String, timeZone: TimeZone? = nil) -> String {
        var plot = self
        plot.endBout()
        return TraceFigure(plot, title: title, timeZone: timeZone).svg
    }

    private mutating func add(_ step: Step) {
        stepCount += 1
        if stepCount <= Self.fewSteps { steps.append(step) } else { steps = [] }
        let pause = bout.last.map { step.time.seconds(since: $0.time) } ?? 0
        if pause > Step.longestInterval || bout.count == Self.longestBout { endBout() }
        bout.append(step)
    }

    private mutating func endBout() {
        for cadence in bout.cadences() { columns.add(cadence) }
        bout.removeAll(keepingCapacity: true)
    }

    private mutating func extend(over range: Range<Timestamp>) {
        let supported = range.clamped(to: Timestamp.supported)
        let before = span ?? supported
        span = min(before.lowerBound, supported.lowerBound)..<max(before.upperBound, supported.upperBound)
    }
}

/// A lane of the picture: an activity or, of an unknown one, a reason.
struct PlotLane: Equatable {
    /// From the top to the bottom.
    static let all =
        [Activity.automotive, .cycling, .running, .walking, .stationary, .unknown].map { PlotLane(activity: $0) }
        + UnknownReason.allCases.map { PlotLane(activity: .unknown, reason: $0) }

    var activity: Activity
    var reason: UnknownReason?
    var name: String { reason?.words ?? activity.rawValue }
}

/// A trace as columns of equal time, each with the statistics of its time. The number of columns is at most
/// ``capacity``: beyond it, the columns double their width. Empty columns are not stored, so a sample with a time that
/// is years off costs one column and no resolution.
struct PlotColumns: Sendable {
    /// Two columns per pixel of the picture, so at least one after a doubling.
    static let capacity = 2048
    /// The initial width as a power of two nanoseconds: 1.05 ms, less than a sample interval at 800 Hz.
    private static let firstShift = 20

    struct Column: Sendable {
        /// The number of samples; the extremes, the sum and the sum of squares of their vector magnitudes in g.
        var samples = 0.0
        var least = Double.infinity
        var greatest = -Double.infinity
        var sum = 0.0
        var squares = 0.0
        /// Seconds of each activity, in the order of ``PlotLane/all``, without and during halts.
        var moving = SIMD16<Float>()
        var halted = SIMD16<Float>()
        /// Seconds without samples.
        var gap: Float = 0
        /// Seconds of each decision on steps, in the order of `StepDecision.allCases`.
        var decisions = SIMD8<Float>()
        /// Steps with a cadence, and the sum of their cadences in steps a minute.
        var cadences = 0.0
        var cadenceSum = 0.0

        mutating func add(_ magnitude: Double) {
            samples += 1
            least = min(least, magnitude)
            greatest = max(greatest, magnitude)
            sum += magnitude
            squares += magnitude * magnitude
        }

        mutating func merge(_ other: Column) {
            samples += other.samples
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
            sum += other.sum
            squares += other.squares
            moving += other.moving
            halted += other.halted
            gap += other.gap
            decisions += other.decisions
            cadences += other.cadences
            cadenceSum += other.cadenceSum
        }
    }

    private var columns: [Int64: Column] = [:]
    /// The width of a column as a power of two nanoseconds. A column starts at a multiple of its width.
    private var shift = firstShift

    /// The width of a column in seconds.
    var seconds: Double { Double(Int64(1) << shift) * 1e-9 }

    /// The columns that overlap `span`, in the order of time, with their part of it.
    func columns(in span: Range<Timestamp>) -> [(range: Range<Timestamp>, column: Column)] {
        columns.sorted { $0.key < $1.key }.compactMap { index, column in
            let start = Timestamp(nanosecondsSince1970: index << shift)
            let end = Timestamp(nanosecondsSince1970: (index + 1) << shift)
            // The column of an empty span is included.
            guard start <= span.upperBound, end > span.lowerBound else { return nil }
            return ((start..<end).clamped(to: span), column)
        }
    }

    mutating func add(_ batch: SampleBatch) {
        var (index, column) = (Int64.min, Column())
        for sample in batch.indices {
            let time = batch.times[sample]
            let (x, y, z) = (Double(batch.x[sample]), Double(batch.y[sample]), Double(batch.z[sample]))
            let magnitude = (x * x + y * y + z * z).squareRoot()
            guard Timestamp.supported.contains(time), magnitude.isFinite else { continue }
            if time.nanosecondsSince1970 >> shift != index {
                if column.samples > 0 { merge(column, at: index) }
                (index, column) = (time.nanosecondsSince1970 >> shift, Column())
            }
            column.add(magnitude)
        }
        if column.samples > 0 { merge(column, at: index) }
    }

    mutating func add(_ segment: Segment) {
        guard let lane = PlotLane.all.firstIndex(of: PlotLane(activity: segment.activity, reason: segment.reason))
        else { return }
        spread(segment.range) { $0.moving[lane] += $1 }
        for halt in segment.halts {
            spread(halt) { column, seconds in
                column.moving[lane] -= seconds
                column.halted[lane] += seconds
            }
        }
    }

    mutating func add(gap: Range<Timestamp>) { spread(gap) { $0.gap += $1 } }

    /// Adds why a range has steps, or none.
    mutating func add(_ decision: StepDecision, in range: Range<Timestamp>) {
        guard let lane = StepDecision.allCases.firstIndex(of: decision) else { return }
        spread(range) { $0.decisions[lane] += $1 }
    }

    mutating func add(_ cadence: Cadence) {
        guard Timestamp.supported.contains(cadence.time) else { return }
        var column = Column()
        column.cadences = 1
        column.cadenceSum = cadence.stepsPerMinute
        merge(column, at: cadence.time.nanosecondsSince1970 >> shift)
    }

    /// Changes every column of a range, given the seconds of it that fall into the column.
    private mutating func spread(_ range: Range<Timestamp>, change: (inout Column, Float) -> Void) {
        let range = range.clamped(to: Timestamp.supported)
        var start = range.lowerBound.nanosecondsSince1970
        let end = range.upperBound.nanosecondsSince1970
        while start < end {
            let index = start >> shift
            let next = min(end, (index + 1) << shift)
            var column = Column()
            change(&column, Float(next - start) * 1e-9)
            merge(column, at: index)
            start = next
        }
    }

    /// Merges a column, then doubles the width until the number of columns is within the capacity.
    private mutating func merge(_ column: Column, at index: Int64) {
        columns[index, default: Column()].merge(column)
        while columns.count > Self.capacity {
            shift += 1
            var wider: [Int64: Column] = [:]
            wider.reserveCapacity(Self.capacity)
            for (index, column) in columns { wider[index >> 1, default: Column()].merge(column) }
            columns = wider
        }
    }
}
