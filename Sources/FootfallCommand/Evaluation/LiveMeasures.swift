import Footfall
import FootfallTraces
import Foundation

/// How right the answers are that are shown live, before they are settled.
///
/// Every second is asked about after each delay; when the recording ends before, at its end.
struct LiveMeasures {
    /// How many seconds after the end of the second in question the answer is looked at.
    static let delays: [Int64] = [0, 5, 10, 30]

    /// The answers of each delay.
    private(set) var answers = delays.map { _ in ActivityMeasures() }
    /// The longest time, in seconds, between a sample and the event that settles it.
    private(set) var longestWait = 0.0

    /// Nothing measured yet.
    init() {}

    /// Reads a trace as if it came from a device, a second at a time, and asks for the answer after each.
    ///
    /// - Throws: `TraceError`.
    init(of file: TraceFile, against labels: Labels) throws {
        var trace = try Trace(contentsOf: URL(filePath: file.path), options: TraceOptions())
        var analyzer = MotionAnalyzer()
        var questions = labels.seconds[...]
        // Of what is settled, no more than can still be asked about.
        var settled: [Segment] = []
        var now: Timestamp?
        while !Interruption.isRequested, let batch = try trace.nextBatch() {
            var rest = batch.startIndex
            while rest < batch.endIndex {
                let second = batch.times[rest].second
                let end = batch.times[rest...].firstIndex { $0.second != second } ?? batch.endIndex
                if let now, now.second != second {
                    ask(&questions, at: now, settled + analyzer.provisional.segments)
                }
                settled += analyzer.analyze(SampleBatch(batch[rest..<end])).segments
                let latest = batch.times[end - 1]
                if let first = settled.last?.range.upperBound ?? analyzer.quality.start {
                    longestWait = max(longestWait, latest.seconds(since: first))
                }
                settled.removeAll { latest.seconds(since: $0.range.upperBound) > 120 }
                now = latest
                rest = end
            }
        }
        guard let now else { return }
        ask(&questions, at: now, settled + analyzer.finish().segments, isLast: true)
    }

    /// Compares what is said at `now`, after the last sample of a second, with the labels of the seconds before.
    private mutating func ask(
        _ questions: inout ArraySlice<Labels.Second>, at now: Timestamp, _ segments: [Segment], isLast: Bool = false
    ) {
        let longest = Self.delays.last ?? 0
        questions = questions.drop { now.second - $0.time.second > longest }
        for question in questions.prefix(while: { $0.time.second <= now.second }) {
            let age = now.second - question.time.second
            for (index, delay) in Self.delays.enumerated() where delay == age || isLast && delay > age {
                answers[index].add(question.label, answer: segments.first { $0.range.contains(question.time) })
            }
        }
    }

    /// Adds all that another measure counted.
    mutating func merge(_ other: LiveMeasures) {
        for index in answers.indices { answers[index].merge(other.answers[index]) }
        longestWait = max(longestWait, other.longestWait)
    }
}

extension Timestamp {
    /// The whole second it lies in.
    fileprivate var second: Int64 { Int64(seconds(since: .epoch).rounded(.down)) }
}

extension [MotionEvent] {
    fileprivate var segments: [Segment] {
        compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
    }
}
