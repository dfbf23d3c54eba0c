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
    /// The largest forward step, and the largest difference from the host's clock, in nanoseconds.
    private static let largestLeap: Int64 = 2_000_000_000
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
            if let previous, time < previous - Self.largestStepBack || time > previous + Self.largestLeap {
                isSteady = false
            }
            previous = time
        }
        if isSteady, let offset, abs(arrival - newest - offset) > Self.largestLeap { isSteady = false }
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
