public import Footfall

/// Converts the times of a device's readings to the host's clock.
///
/// The time of a reading is its arrival minus its delay of transport. The device's clock only gives the distances
/// between readings, which arrive in bursts. Its offset is fitted over the last minute to the readings with the
/// smallest delays. A wrong date, a drift or a stalled bus therefore has no effect.
///
/// The device's clock is used after two seconds in which it agrees with the host's to 5 %. The fit restarts when it
/// jumps: back by more than a second, which exceeds the reordering of datagrams, ahead by more than two seconds, or
/// away from the host's clock by more than two seconds. Readings without a usable device time are distributed by the
/// rate at which they arrive.
///
/// ```swift
/// var clock = DeviceClock()
/// let times = clock.times(of: readings.map(\.deviceTime), receivedAt: now)
/// ```
public struct DeviceClock: Sendable {
    /// The largest backward step of a clock that runs on, in nanoseconds.
    private static let largestStepBack: Int64 = 1_000_000_000
    /// The offset changes by at most the elapsed time divided by this, which bounds the error of distances at 2 %.
    private static let largestSlew: Int64 = 50
    /// The largest valid time in nanoseconds, 146 years. Differences of larger times could overflow.
    private static let largestTime: Int64 = 1 << 62

    private var fit = OffsetFit()
    private var smoother = ArrivalSmoother()
    /// The offset in use; nil while the device's clock is not used.
    private var offset: Int64?
    /// The device time and the host time of the newest reading.
    private var lastDeviceTime: Int64?
    private var lastTime: Int64?

    /// Creates a clock for a new device.
    public init() {}

    /// Marks the time at which the device starts to send. Readings whose format is recognized later begin here.
    public mutating func begin(at start: Timestamp) {
        let start = start.nanosecondsSince1970
        if start > -Self.largestTime, start < Self.largestTime { lastTime = max(lastTime ?? .min, start) }
    }

    /// Clears the device's clock after a lost connection. The rate of the readings is kept.
    public mutating func reset() {
        restart()
        lastDeviceTime = nil
        smoother.pause()
    }

    private mutating func restart() {
        fit = OffsetFit()
        offset = nil
    }

    /// The host times of readings that arrived together.
    ///
    /// - Parameters:
    ///   - deviceTimes: The device time of each reading in nanoseconds since any moment; nil if there is none.
    ///   - arrival: The time of arrival on a steady clock of the host, one that is not set while it runs.
    /// - Returns: A time for each reading on the steady clock. The order of the device times is kept.
    /// - Complexity: Linear in the number of readings.
    public mutating func times(of deviceTimes: [Int64?], receivedAt arrival: Timestamp) -> [Timestamp] {
        let arrival = arrival.nanosecondsSince1970
        guard !deviceTimes.isEmpty, arrival > -Self.largestTime, arrival < Self.largestTime else {
            return deviceTimes.map { _ in Timestamp(nanosecondsSince1970: arrival) }
        }
        smoother.add(deviceTimes.count, arrival)
        let valid = deviceTimes.compactMap { $0 }.filter { $0 > -Self.largestTime && $0 < Self.largestTime }
        let isComplete = valid.count == deviceTimes.count
        let converted = isComplete && follow(valid, arrival) ? converted(valid) : nil
        let times = converted ?? smoother.times(deviceTimes.count, after: lastTime, until: arrival)
        lastTime = max(lastTime ?? .min, times.max() ?? .min)
        lastDeviceTime = isComplete ? valid.last : nil
        return times.map { Timestamp(nanosecondsSince1970: $0) }
    }

    /// Adds readings to the fit. Returns false when the device's clock has jumped.
    private mutating func follow(_ deviceTimes: [Int64], _ arrival: Int64) -> Bool {
        guard let newest = deviceTimes.max() else { return false }
        var isSteady = true
        var previous = lastDeviceTime
        for time in deviceTimes {
            if let previous, time < previous - Self.largestStepBack || time > previous + Timestamp.largestJump {
                isSteady = false
            }
            previous = time
        }
        if isSteady, let offset, abs(arrival - newest - offset) > Timestamp.largestJump { isSteady = false }
        if !isSteady { restart() }
        fit.add(deviceTime: isSteady ? newest : previous ?? newest, arrival: arrival)
        return isSteady
    }

    /// The readings' times by the device's clock; nil while it is not used.
    private mutating func converted(_ deviceTimes: [Int64]) -> [Int64]? {
        guard let newest = deviceTimes.max(), let target = fit.offset(at: newest), let last = lastDeviceTime,
            let lastTime
        else {
            offset = nil
            return nil
        }
        // The first offset continues the times so far without a step.
        let current = offset ?? (lastTime - last)
        let correction = target - current
        func slewed(_ deviceTime: Int64) -> Int64 {
            let limit = max(0, deviceTime - last) / Self.largestSlew
            return current + min(max(correction, -limit), limit)
        }
        offset = slewed(newest)
        return deviceTimes.map { $0 + slewed($0) }
    }
}

/// Estimates the offset of the host's clock from a device's clock through the delays of transport. Of each second, the
/// fit keeps the reading with the smallest delay. A delay is never negative, so the line that touches these points from
/// below is the offset. Its slope is the drift of the clocks, by least squares.
struct OffsetFit: Sendable {
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

/// Estimates the times of readings without a device time from the rate at which they arrive. Readings arrive in bursts.
/// The end of a burst follows the arrivals slowly, so that the jitter of the bus does not become jitter of the times.
/// This is the delay-locked loop of F. Adriaensen, "Using a DLL to filter time" (2005). A rate that is counted over
/// half a minute replaces its second integrator.
struct ArrivalSmoother: Sendable {
    /// The seconds over which the rate is counted.
    private static let window = 30
    /// The nanoseconds and the number of readings that an estimate of the rate needs.
    private static let leastSpan: Int64 = 2_000_000_000
    private static let leastCount = 10
    /// The longest time in nanoseconds until the format of the first readings is recognized.
    private static let longestStart: Int64 = 5_000_000_000
    /// A burst whose arrival differs by more nanoseconds from the prediction ends at its arrival.
    private static let tolerance: Int64 = 250_000_000
    /// Each arrival corrects the prediction by the error divided by this.
    private static let damping: Int64 = 16

    /// The number of readings at the start of each second.
    private var seconds: [(arrival: Int64, count: Int)] = []
    private var count = 0
    private var lastArrival: Int64?
    /// Nanoseconds between two readings.
    private var period: Int64?

    /// Ends the count of the current second. The next arrival starts a new one.
    mutating func pause() {
        seconds.removeAll(keepingCapacity: true)
        lastArrival = nil
    }

    /// Counts readings that arrived together.
    mutating func add(_ newCount: Int, _ arrival: Int64) {
        if let lastArrival, arrival - lastArrival > Self.leastSpan || arrival < lastArrival { pause() }
        lastArrival = arrival
        count &+= newCount
        guard let first = seconds.first, let last = seconds.last else {
            seconds.append((arrival, count))
            return
        }
        let (span, arrived) = (arrival - first.arrival, count &- first.count)
        if span >= Self.leastSpan, arrived >= Self.leastCount { period = span / Int64(arrived) }
        guard arrival - last.arrival >= 1_000_000_000 else { return }
        if seconds.count == Self.window { seconds.removeFirst() }
        seconds.append((arrival, count))
    }

    /// The times of `count` readings that arrived together, none before `last`, the newest time returned so far.
    func times(_ count: Int, after last: Int64?, until arrival: Int64) -> [Int64] {
        guard let last, arrival > last else {
            // There is no time to distribute. The analyzer spreads equal times up to the next time.
            return Array(repeating: max(last ?? arrival, arrival), count: count)
        }
        guard let period else {
            return Self.even(count, from: arrival - last > Self.longestStart ? arrival : last, to: arrival)
        }
        let predicted = last + Int64(count) * period
        let error = arrival - predicted
        if error > Self.tolerance {
            // Readings are missing: there is a hole before the burst.
            return Self.even(count, from: arrival - Int64(count) * period, to: arrival)
        }
        let end = error < -Self.tolerance ? arrival : predicted + error / Self.damping
        return Self.even(count, from: last, to: max(end, last + Int64(count) * period / 2))
    }

    /// `count` times at equal distances after `start`, the last one at `end`.
    private static func even(_ count: Int, from start: Int64, to end: Int64) -> [Int64] {
        (1...Int64(max(count, 1))).map { start + (end - start) / Int64(count) * $0 }
    }
}
