// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import Synchronization

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
        try object(analyzer, as: AnalyzerHandle.self).state.withLock { try $0.recordSeconds() }
        return FOOTFALL_OK
    }
}

@c @implementation public func footfall_analyzer_take_seconds(
    _ analyzer: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<footfall_second>? {
    let seconds = (try? object(analyzer, as: AnalyzerHandle.self))?.state.withLock { $0.analyzer.takeSeconds() } ?? []
    count?.pointee = seconds.count
    guard !seconds.isEmpty else { return nil }
    let array = UnsafeMutablePointer<footfall_second>.allocate(capacity: seconds.count)
    for (index, second) in seconds.enumerated() { (array + index).initialize(to: footfall_second(second)) }
    return array
}

@c @implementation public func footfall_seconds_free(_ seconds: UnsafeMutablePointer<footfall_second>?) {
    seconds?.deallocate()
}
