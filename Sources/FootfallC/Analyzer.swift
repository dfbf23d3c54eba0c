// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import FootfallReaders
internal import Synchronization

/// An analyzer, and the events that C has not taken yet.
struct Analysis: Sendable {
    var analyzer = MotionAnalyzer()
    var events: [MotionEvent] = []

    mutating func add(_ batch: SampleBatch) { events += analyzer.analyze(batch) }
}

typealias AnalyzerHandle = OpaqueHandle<Analysis>

@c @implementation public func footfall_analyzer_create() -> OpaquePointer? { retain(AnalyzerHandle(Analysis())) }

@c @implementation public func footfall_analyzer_destroy(_ analyzer: OpaquePointer?) {
    release(analyzer, as: AnalyzerHandle.self)
}

@c @implementation public func footfall_analyzer_add(
    _ analyzer: OpaquePointer?, _ samples: UnsafePointer<footfall_samples>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> Int32 {
    status(error) {
        let samples = try Samples(samples)
        try object(analyzer, as: AnalyzerHandle.self).state.withLock { analysis in
            samples.forEachBatch { analysis.add($0) }
        }
        return FOOTFALL_OK
    }
}

@c @implementation public func footfall_analyzer_add_trace(
    _ analyzer: OpaquePointer?, _ trace: OpaquePointer?, _ batches: Int, _ error: UnsafeMutablePointer<footfall_error>?
) -> Int32 {
    status(error) {
        try checkCount(batches, "batches")
        let trace = try object(trace, as: TraceHandle.self)
        return try object(analyzer, as: AnalyzerHandle.self).state.withLock { analysis in
            for _ in 0..<batches {
                guard let batch = try trace.state.withLock({ try $0.next() }) else { return FOOTFALL_END }
                analysis.add(batch)
            }
            return FOOTFALL_OK
        }
    }
}

@c @implementation public func footfall_analyzer_finish(_ analyzer: OpaquePointer?) {
    (try? object(analyzer, as: AnalyzerHandle.self))?.state.withLock { $0.events += $0.analyzer.finish() }
}

@c @implementation public func footfall_analyzer_take(_ analyzer: OpaquePointer?) -> OpaquePointer? {
    let taken = (try? object(analyzer, as: AnalyzerHandle.self))?.state.withLock { analysis in
        defer { analysis.events = [] }
        return analysis.events
    }
    return taken.map { retain(Events($0)) }
}

@c @implementation public func footfall_analyzer_provisional(_ analyzer: OpaquePointer?) -> OpaquePointer? {
    let copy = (try? object(analyzer, as: AnalyzerHandle.self))?.state.withLock { $0.analyzer }
    return copy.map { retain(Events($0.provisional)) }
}

@c @implementation public func footfall_analyzer_quality(
    _ analyzer: OpaquePointer?, _ quality: UnsafeMutablePointer<footfall_quality>?
) {
    let found = (try? object(analyzer, as: AnalyzerHandle.self))?.state.withLock { $0.analyzer.quality }
    let counts = found ?? SignalQuality()
    quality?.pointee = footfall_quality(
        samples: Int64(counts.samples), duplicates: Int64(counts.duplicates), backward: Int64(counts.backward),
        leaping: Int64(counts.leaping), unusable: Int64(counts.unusable), impulses: Int64(counts.impulses),
        gaps: Int64(counts.gaps), coverage: counts.coverage, rate: counts.sampleRate ?? 0,
        start: counts.start?.nanosecondsSince1970 ?? 0, end: counts.end?.nanosecondsSince1970 ?? 0)
}

extension footfall_second {
    fileprivate init(_ second: AnalyzedSecond) {
        self.init()
        let best = second.candidates.max { $0.score < $1.score }
        start = second.start.nanosecondsSince1970
        gate_cadence = best?.stepsPerMinute ?? .nan
        gate_score = best?.score ?? .nan
        candidates = UInt32(clamping: second.candidates.count)
        (check, check_sum) = (second.check ?? .nan, second.checkSum ?? .nan)
        cadence = second.cadence ?? .nan
        bout = UInt8(clamping: AnalyzedSecond.BoutState.allCases.firstIndex(of: second.bout) ?? 0)
        decision = UInt8(clamping: StepDecision.allCases.firstIndex(of: second.decision) ?? 0)
        steps = UInt32(clamping: second.steps)
        withUnsafeMutableBytes(of: &features) { fill($0, with: second.features) }
        withUnsafeMutableBytes(of: &classes) { fill($0, with: second.classes) }
        withUnsafeMutableBytes(of: &states) { fill($0, with: second.states) }
        probability = second.probability
        activity = UInt8(clamping: Activity.allCases.firstIndex(of: second.activity) ?? 0)
        reason = second.reason?.rawValue ?? 0
    }
}

/// Writes values into an array of C; the rest of the array is NaN.
func fill(_ array: UnsafeMutableRawBufferPointer, with values: [Float]) {
    let array = array.bindMemory(to: Float.self)
    for index in array.indices { array[index] = index < values.count ? values[index] : .nan }
}

@c @implementation public func footfall_analyzer_record_seconds(
    _ analyzer: OpaquePointer?, _ error: UnsafeMutablePointer<footfall_error>?
) -> Int32 {
    status(error) {
        try object(analyzer, as: AnalyzerHandle.self).state.withLock { analysis in
            guard analysis.analyzer.quality.samples == 0 else {
                throw CallFailure("the analyzer has samples already", remedy: "record seconds from the first sample on")
            }
            analysis.analyzer = MotionAnalyzer(recordsSeconds: true)
        }
        return FOOTFALL_OK
    }
}

@c @implementation public func footfall_analyzer_take_seconds(
    _ analyzer: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<footfall_second>? {
    let seconds = (try? object(analyzer, as: AnalyzerHandle.self))?.state.withLock { $0.analyzer.takeSeconds() } ?? []
    count?.pointee = seconds.count
    return seconds.isEmpty ? nil : seconds.map { footfall_second($0) }.copied().baseAddress
}

@c @implementation public func footfall_seconds_free(_ seconds: UnsafeMutablePointer<footfall_second>?) {
    seconds?.deallocate()
}
