/// By how much the host's clock is ahead of a device's, seen through the delays of transport.
///
/// Of each second only the reading that waited least is kept. Delays only ever add, so the line that touches these from
/// below is the offset; its slope, the drift of the two clocks, is that of the least squares.
struct OffsetFit: Sendable {
    /// Seconds that are kept.
    private static let window = 60
    /// Seconds from which a drift can be told.
    private static let leastSeconds = 3
    /// The largest drift of what can be called a clock. Ceramic resonators are good to half a percent; a unit that was
    /// mistaken, or a counter that is no clock, is off by far more.
    private static let largestDrift = 0.05

    private struct Point {
        var second: Int64
        var deviceTime: Int64
        var offset: Int64
    }

    /// The line that touches the points from below: the offset at a point, and how it grows with the device's time.
    private struct Line {
        var deviceTime: Int64
        var offset: Int64
        var drift: Double
    }

    private var points: [Point] = []
    private var line: Line?

    /// Takes note that a reading taken at `deviceTime` arrived at `arrival`, both in nanoseconds.
    mutating func add(deviceTime: Int64, arrival: Int64) {
        let point = Point(second: arrival / 1_000_000_000, deviceTime: deviceTime, offset: arrival - deviceTime)
        if let last = points.last, last.second == point.second {
            guard point.offset < last.offset else { return }
            points.removeLast()
        }
        if points.count == Self.window { points.removeFirst() }
        points.append(point)
        line = fittedLine
    }

    /// The offset when the device's clock shows `deviceTime`; nil while there is too little to tell, or when the device's
    /// clock drifts too fast to be one.
    func offset(at deviceTime: Int64) -> Int64? {
        guard let line else { return nil }
        let growth = line.drift * Double(deviceTime - line.deviceTime)
        return abs(growth) < 1e15 ? line.offset + Int64(growth) : nil
    }

    private var fittedLine: Line? {
        guard points.count >= Self.leastSeconds, let reference = points.last else { return nil }
        // Relative to the newest point the numbers are small enough for a Double to hold to the nanosecond.
        let x = points.map { Double($0.deviceTime - reference.deviceTime) }
        let y = points.map { Double($0.offset - reference.offset) }
        let drift = Self.slope(x, y)
        guard abs(drift) <= Self.largestDrift else { return nil }
        let lowest = zip(x, y).map { $1 - drift * $0 }.min() ?? 0
        guard abs(lowest) < 1e15 else { return nil }
        return Line(deviceTime: reference.deviceTime, offset: reference.offset + Int64(lowest), drift: drift)
    }

    /// The slope of the line that is closest to the points in the sense of least squares.
    private static func slope(_ x: [Double], _ y: [Double]) -> Double {
        let count = Double(x.count)
        let meanX = x.reduce(0, +) / count
        let meanY = y.reduce(0, +) / count
        let variance = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        guard variance > 0 else { return .infinity }
        return zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / variance
    }
}
