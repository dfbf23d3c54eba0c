public import Footfall

/// Puts the readings of a device on the host's clock.
///
/// The host's clock is the master: a reading was taken when it arrived, less what it waited on its way. What the device's own
/// clock says is only used for the distances between readings, which arrive in bursts. Its offset is fitted over the last
/// minute, to the readings that waited least, so that neither a wrong date nor a slow crystal nor a stalled bus matters.
///
/// A device's clock is believed once two seconds of it agree with the host's to 5 %. It is left and fitted anew when it jumps: back
/// by more than a second, which the reordering of datagrams does not reach, ahead by more than two, or away from the host's
/// by more than two. Readings without a time of their own, or with one that is not believed, are spread by the rate at which
/// they have been arriving.
///
/// ```swift
/// var clock = DeviceClock()
/// let times = clock.times(of: readings.map(\.deviceTime), receivedAt: now)
/// ```
public struct DeviceClock: Sendable {
    /// How far the device's clock may fall back before it counts as set anew, in nanoseconds.
    private static let largestStepBack: Int64 = 1_000_000_000
    /// How far it may run ahead of the reading before, or of the host's clock, in nanoseconds.
    private static let largestLeap: Int64 = 2_000_000_000
    /// The part of the time passed by which the offset may change: what is put right distorts distances by no more.
    private static let largestSlew: Int64 = 50
    /// Times beyond this many nanoseconds, 146 years, are taken for no time: their differences would overflow.
    private static let largestTime: Int64 = 1 << 62

    private var fit = OffsetFit()
    private var spreader = ArrivalSpreader()
    /// The offset in use, once the device's clock is believed.
    private var offset: Int64?
    /// The device's time and the host's of the newest reading.
    private var lastDeviceTime: Int64?
    private var lastTime: Int64?

    /// Creates a clock that knows nothing of its device.
    public init() {}

    /// Takes note that the device has begun to send, when its first readings need longer to be understood: they are then
    /// spread from here on.
    public mutating func begin(at start: Timestamp) {
        let start = start.nanosecondsSince1970
        if start > -Self.largestTime, start < Self.largestTime { lastTime = max(lastTime ?? .min, start) }
    }

    /// Forgets the device's clock but not its rate, because the connection was lost.
    public mutating func reset() {
        fit = OffsetFit()
        offset = nil
        lastDeviceTime = nil
        spreader.pause()
    }

    /// The host's times of readings that arrived together.
    ///
    /// - Parameters:
    ///   - deviceTimes: What the device's clock showed at each reading, in nanoseconds since whenever; nil where it did not say.
    ///   - arrival: What a steady clock of the host showed when they had arrived: one that is not set while it runs.
    /// - Returns: A time for each reading, by the same clock. Readings that the device put in order are in order.
    /// - Complexity: Linear in the number of readings.
    public mutating func times(of deviceTimes: [Int64?], receivedAt arrival: Timestamp) -> [Timestamp] {
        let arrival = arrival.nanosecondsSince1970
        guard !deviceTimes.isEmpty, arrival > -Self.largestTime, arrival < Self.largestTime else {
            return deviceTimes.map { _ in Timestamp(nanosecondsSince1970: arrival) }
        }
        spreader.learn(deviceTimes.count, arrival)
        let known = deviceTimes.compactMap { $0 }.filter { abs($0.clamped) < Self.largestTime }
        let isTold = known.count == deviceTimes.count && follow(known, arrival)
        let times = (isTold ? told(known) : nil) ?? spreader.spread(deviceTimes.count, after: lastTime, until: arrival)
        lastTime = max(lastTime ?? .min, times.max() ?? .min)
        lastDeviceTime = known.count == deviceTimes.count ? known.last : nil
        return times.map { Timestamp(nanosecondsSince1970: $0) }
    }

    /// Compares the device's clock with the host's. Returns false when it has jumped, so that what it says now cannot be used.
    private mutating func follow(_ deviceTimes: [Int64], _ arrival: Int64) -> Bool {
        var isSteady = true
        var previous = lastDeviceTime
        for time in deviceTimes {
            if let previous, time < previous - Self.largestStepBack || time > previous + Self.largestLeap {
                isSteady = false
            }
            previous = time
        }
        guard let newest = deviceTimes.max() else { return false }
        if isSteady, let offset, abs(arrival - newest - offset) > Self.largestLeap { isSteady = false }
        if !isSteady {
            fit = OffsetFit()
            offset = nil
        }
        fit.add(deviceTime: isSteady ? newest : previous ?? newest, arrival: arrival)
        return isSteady
    }

    /// The readings' times by the device's clock; nil while it is not believed.
    private mutating func told(_ deviceTimes: [Int64]) -> [Int64]? {
        guard let newest = deviceTimes.max(), let target = fit.offset(at: newest) else {
            offset = nil
            return nil
        }
        // Where readings were spread before, the device's clock takes over without a step.
        guard let last = lastDeviceTime, let lastTime else {
            offset = nil
            return nil
        }
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

extension Int64 {
    /// The number, or the next one whose magnitude exists.
    fileprivate var clamped: Int64 { self == .min ? .min + 1 : self }
}
