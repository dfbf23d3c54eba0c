// The header documents these functions, under their names in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import Footfall

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
