internal import Footfall

/// Estimates the offset of the host's clock from a device's clock through the delays of transport.
///
/// Of each second, the fit keeps the reading with the smallest delay. A delay is never negative, so the line that
/// touches these points from below is the offset. Its slope is the drift of the clocks, by least squares.
struct OffsetFit: Sendable {
    /// The seconds that are kept.
    private static let window = 60
    /// The seconds that an estimate of the drift needs.
    private static let leastSeconds = 3
    /// The largest drift of a clock. Ceramic resonators reach half a percent; a wrong unit, or a counter that is not a
    /// clock, drifts far more.
    private static let largestDrift = 0.05
    /// The largest correction in nanoseconds, 11 days, that a `Double` converts to an `Int64` without loss.
    private static let largestCorrection = 1e15

    private struct Point {
        var second: Int64
        var deviceTime: Int64
        var offset: Int64
    }

    private var points: [Point] = []
    /// The offset at a device time, and its growth.
    private var line: (deviceTime: Int64, offset: Int64, drift: Double)?

    /// Adds a reading, with times in nanoseconds.
    mutating func add(deviceTime: Int64, arrival: Int64) {
        let point = Point(second: arrival / 1_000_000_000, deviceTime: deviceTime, offset: arrival - deviceTime)
        if let last = points.last, last.second == point.second {
            guard point.offset < last.offset else { return }
            points.removeLast()
        }
        if points.count == Self.window { points.removeFirst() }
        points.append(point)
        fit()
    }

    /// The offset at a device time; nil with too few points, or when the device's clock drifts too fast.
    func offset(at deviceTime: Int64) -> Int64? {
        guard let line else { return nil }
        let growth = line.drift * Double(deviceTime - line.deviceTime)
        return abs(growth) < Self.largestCorrection ? line.offset + Int64(clamping: growth) : nil
    }

    private mutating func fit() {
        line = nil
        guard points.count >= Self.leastSeconds, let reference = points.last else { return }
        // Relative to the newest point, a Double holds the numbers to the nanosecond.
        let x = points.map { Double($0.deviceTime - reference.deviceTime) }
        let y = points.map { Double($0.offset - reference.offset) }
        let drift = Self.slope(x, y)
        guard abs(drift) <= Self.largestDrift else { return }
        let lowest = zip(x, y).map { $1 - drift * $0 }.min() ?? 0
        guard abs(lowest) < Self.largestCorrection else { return }
        line = (reference.deviceTime, reference.offset + Int64(clamping: lowest), drift)
    }

    /// The slope of the least-squares line.
    private static func slope(_ x: [Double], _ y: [Double]) -> Double {
        let count = Double(x.count)
        let meanX = x.reduce(0, +) / count
        let meanY = y.reduce(0, +) / count
        let variance = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        guard variance > 0 else { return .infinity }
        return zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / variance
    }
}
