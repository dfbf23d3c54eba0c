// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall
internal import Synchronization

/// Contiguous signals as an array of C structures, in memory that does not move.
struct GaitSignals: ~Copyable, @unchecked Sendable {
    let signals: UnsafeMutableBufferPointer<footfall_gait_signal>

    init(_ signals: [GaitInputs.Signal]) {
        self.signals = signals.map { signal in
            footfall_gait_signal(
                start: signal.start, value_count: signal.values.count / GaitInputs.lanes,
                values: signal.values.copied().baseAddress, first_second: signal.firstSecond,
                second_count: signal.cadences.count / GaitInputs.cadences,
                cadences: signal.cadences.copied().baseAddress, inputs: signal.inputs.copied().baseAddress)
        }.copied()
    }

    deinit {
        for signal in signals {
            signal.values?.deallocate()
            signal.cadences?.deallocate()
            signal.inputs?.deallocate()
        }
        signals.deallocate()
    }
}

private typealias GaitSignalsHandle = OpaqueHandle<GaitSignals>

@c @implementation public func footfall_gait_inputs_create(
    _ samples: UnsafePointer<footfall_samples>?, _ error: UnsafeMutablePointer<footfall_error>?
) -> OpaquePointer? {
    pointer(error) {
        var inputs = GaitInputs()
        try Samples(samples).forEachBatch { inputs.add($0) }
        return retain(GaitSignalsHandle(GaitSignals(inputs.finish())))
    }
}

@c @implementation public func footfall_gait_inputs_destroy(_ inputs: OpaquePointer?) {
    release(inputs, as: GaitSignalsHandle.self)
}

@c @implementation public func footfall_gait_inputs_signals(
    _ inputs: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<footfall_gait_signal>? {
    let signals = (try? object(inputs, as: GaitSignalsHandle.self))?.state.withLock { $0.signals }
    count?.pointee = signals?.count ?? 0
    return signals.flatMap { UnsafePointer($0.baseAddress) }
}

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
