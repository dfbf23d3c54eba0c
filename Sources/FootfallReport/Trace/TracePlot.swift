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
    public mutating func add(_ batch: SampleBatch) {
        columns.add(batch)
    }

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
