public import Footfall
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
/// The picture takes its words from the events: the steps, the segments and the gaps that it shows are the analyzer's.
/// However long the trace, a plot holds about 2,000 columns of it, each with what there was to see in its time; a week
/// takes the memory of a minute, and its picture less than 500 kB.
public struct TracePlot: Sendable {
    /// Up to this many steps are kept with their own times, to be drawn one by one.
    static let fewSteps = 300
    /// The cadence of a longer bout is worked out this many steps at a time.
    private static let longestBout = 256

    /// What there is to see, column by column.
    private(set) var columns = PlotColumns()
    /// The time that events cover.
    private(set) var span: Range<Timestamp>?
    /// All steps.
    private(set) var stepCount = 0
    /// The steps, as long as they are few; empty when they are many.
    private(set) var steps: [Step] = []
    /// The steps of the bout that goes on.
    private var bout: [Step] = []

    /// Creates a picture of nothing.
    public init() {}

    /// Adds samples to the picture. What an analyzer would not take, the picture leaves out as well.
    ///
    /// - Complexity: Linear in the number of samples.
    public mutating func add(_ batch: SampleBatch) {
        columns.add(batch)
    }

    /// Adds steps, segments and gaps to the picture, in the order in which an analyzer gives them.
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
            }
        }
    }

    /// The picture as an SVG document.
    ///
    /// It stands on white, names no font but `sans-serif`, runs no script, and says in words what it shows to whoever
    /// cannot see it.
    ///
    /// - Parameters:
    ///   - title: What the picture is of, such as the name of the trace. Any text will do.
    ///   - timeZone: The zone of the clock that the time axis shows; nil for the time since the start, which is all
    ///     there is to say of a trace that does not know when it was recorded.
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
