import Footfall
import FootfallTraces
import Foundation

/// One trace, read and analysed.
struct TraceAnalysis {
    let path: String
    /// How the log was read: format, columns, units.
    let layout: String
    private(set) var quality = SignalQuality()
    private(set) var steps = 0
    /// Empty unless they were asked for.
    private(set) var stepTimes: [Timestamp] = []
    private(set) var segments: [Segment] = []
    private(set) var gaps: [Range<Timestamp>] = []
    private(set) var warnings: [String] = []

    /// Reads and analyses a trace to its end, or until the command is interrupted.
    ///
    /// - Parameters:
    ///   - record: Takes all events at once, after the last sample: a trace is recorded wholly or not at all.
    ///   - progress: Told from time to time which share of the trace, 0…1, is done.
    /// - Throws: `TraceError` for a trace that cannot be read, and what `record` throws.
    init(
        path: String, options: TraceOptions, keepsStepTimes: Bool = false,
        record: (([MotionEvent]) throws -> Void)? = nil, progress: (Double) -> Void = { _ in }
    ) throws {
        var trace = try Trace(contentsOf: URL(filePath: path), options: options)
        var analyzer = MotionAnalyzer()
        var recorded: [MotionEvent] = []
        self.path = path
        layout = trace.layout.description
        while !Interruption.isRequested, let batch = try trace.nextBatch() {
            let events = analyzer.analyze(batch)
            take(events, keepsStepTimes: keepsStepTimes)
            if record != nil { recorded += events }
            progress(trace.progress)
        }
        let events = analyzer.finish()
        quality = analyzer.quality
        guard quality.sampleRate != nil else {
            throw TraceError(
                .badData, path: path,
                problem: "holds \(quality.samples - quality.dropped) usable samples, too few to analyse")
        }
        take(events, keepsStepTimes: keepsStepTimes)
        try record?(recorded + events)
        warnings = trace.warnings.map(\.description) + Self.warnings(about: quality)
        if Interruption.isRequested { warnings.append("interrupted: the rest of the trace was not read") }
    }

    private mutating func take(_ events: [MotionEvent], keepsStepTimes: Bool) {
        for event in events {
            switch event {
            case .step(let step):
                steps += 1
                if keepsStepTimes { stepTimes.append(step.time) }
            case .segment(let segment): segments.join(segment)
            case .gap(let gap): gaps.append(gap)
            }
        }
    }

    private static func warnings(about quality: SignalQuality) -> [String] {
        var warnings: [String] = []
        if quality.duplicates > 0 { warnings.append("\(quality.duplicates) samples dropped: repeated") }
        if quality.backward > 0 { warnings.append("\(quality.backward) samples dropped: time ran backwards") }
        if quality.unusable > 0 { warnings.append("\(quality.unusable) samples dropped: not usable") }
        if let rate = quality.sampleRate, rate < 12.5 {
            warnings.append(
                "\(rate.formatted(decimals: 1)) Hz is too slow to find steps reliably; 12.5 Hz is the least")
        }
        return warnings
    }

    /// The keys of ``record(withStepTimes:)``.
    static let columns = [
        "trace", "start", "end", "duration", "samples", "sampleRate", "coverage", "gaps", "steps", "activities",
        "layout", "warnings",
    ]

    /// The analysis as a JSON object.
    func record(withStepTimes: Bool) -> Record {
        let start = quality.start
        var record: Record = [
            ("trace", .string(URL(filePath: path).lastPathComponent)),
            ("start", .time(start)), ("end", .time(quality.end)), ("duration", .seconds(quality.duration)),
            ("samples", .integer(quality.samples)),
            ("sampleRate", quality.sampleRate.map { JSONValue.number($0, decimals: 2) } ?? .null),
            ("coverage", .seconds(quality.coverage)),
            ("gaps", .array(gaps.map { .object([("start", .time($0.lowerBound)), ("end", .time($0.upperBound))]) })),
            ("steps", .integer(steps)),
            ("activities", .array(segments.map { .object($0.record(from: start)) })),
        ]
        if withStepTimes, let start {
            record.append(("stepTimes", .array(stepTimes.map { .seconds($0.seconds(since: start)) })))
        }
        record.append(("layout", .string(layout)))
        record.append(("warnings", .array(warnings.map { .string($0) })))
        return record
    }
}

extension Segment {
    /// The segment as a JSON object; `offset` is in seconds from `start`.
    fileprivate func record(from start: Timestamp?) -> Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)),
            ("offset", .seconds(start.map { range.lowerBound.seconds(since: $0) } ?? 0)),
            ("duration", .seconds(range.seconds)), ("activity", .string(activity.rawValue)),
            ("flags", .array(flags.activities.map { .string($0.rawValue) })),
            ("confidence", .string(confidence.description)),
            ("probability", .number(Double(probability), decimals: 3)), ("steps", .integer(steps)),
        ]
    }
}
