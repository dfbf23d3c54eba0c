// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import Foundation
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

// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

extension footfall_window {
    fileprivate init(_ window: ActivityInputs.Window) {
        self.init()
        (second, rms, rate) = (window.second, window.rms, window.rate)
        withUnsafeMutableBytes(of: &features) { fill($0, with: window.features) }
        (is_noise, is_sprung) = (window.isNoise ? 1 : 0, window.isSprung ? 1 : 0)
    }
}

@c @implementation public func footfall_windows_measure(
    _ samples: UnsafePointer<footfall_samples>?, _ count: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> UnsafeMutablePointer<footfall_window>? {
    count?.pointee = 0
    return pointer(error) {
        var inputs = ActivityInputs()
        try Samples(samples).forEachBatch { inputs.add($0) }
        let windows = inputs.finish().map { footfall_window($0) }.copied()
        count?.pointee = windows.count
        return windows.baseAddress
    }
}

@c @implementation public func footfall_windows_free(_ windows: UnsafeMutablePointer<footfall_window>?) {
    windows?.deallocate()
}

// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// The time zone with a name, such as Europe/Berlin, or with an offset.
///
/// - Throws: ``CallFailure`` for an unknown name.
func zone(named name: String) throws -> TimeZone {
    guard let zone = TimeZone(named: name) else {
        throw CallFailure("there is no time zone “\(name)”", remedy: "write one such as Europe/Berlin or UTC")
    }
    return zone
}

/// A copy of a text, which C frees with `footfall_free`; NULL for nil.
func text(_ text: String?) -> UnsafeMutablePointer<CChar>? { text.flatMap { strdup($0) } }

@c @implementation public func footfall_free(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

@c @implementation public func footfall_abi_version() -> UInt32 { UInt32(FOOTFALL_ABI_VERSION) }
