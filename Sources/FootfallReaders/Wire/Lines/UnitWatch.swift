internal import Footfall

/// Holds readings of a stream back while their unit may have changed.
struct UnitWatch: Sendable {
    /// In the unit that was learned.
    private(set) var held: [WireReading] = []
    private var usual = 0
    /// The most readings held back, if the times of the device hardly increase: a window at 800 Hz.
    private static let most = 1024

    /// Adds a reading, and appends those that are certain to `readings`. Those of more than 1000 g are dropped.
    ///
    /// - Parameters:
    ///   - scale: The unit in which it was read.
    ///   - isGiven: Whether the unit is given, so that it does not change.
    /// - Returns: The change of the unit, if the readings that were appended are in another one.
    mutating func add(
        _ reading: WireReading, in scale: AccelerationScale, isGiven: Bool, to readings: inout [WireReading]
    ) -> UnitChange? {
        let isUsual = UnitChange.isUsual(reading.vector)
        if held.isEmpty, isUsual {
            readings.append(reading)
            return nil
        }
        held.append(reading)
        usual += isUsual ? 1 : 0
        if isGiven || (usual > 1 && !UnitChange.isRare(usual, of: held.count)) { release(to: &readings) }
        guard held.count >= UnitChange.block, lastsLongEnough else { return nil }
        let change = UnitChange(of: held.map(\.vector), after: scale)
        release(to: &readings, factor: change.map { 1 / $0.factor } ?? 1)
        return change
    }

    /// Whether the readings held back last for longer than a jumper is in flight, where the device sends times.
    private var lastsLongEnough: Bool {
        guard let first = held.first?.deviceTime, let last = held.last?.deviceTime else { return true }
        return last < first || Double(last - first) >= UnitChange.window * 1e9 || held.count >= Self.most
    }

    /// Appends the readings that are held back to `readings`. Those of more than 1000 g are dropped.
    mutating func release(to readings: inout [WireReading], factor: Float = 1) {
        for reading in held {
            if let reading = WireReading(reading.vector * factor, at: reading.deviceTime) { readings.append(reading) }
        }
        held.removeAll(keepingCapacity: true)
        usual = 0
    }
}
