internal import Footfall

/// Computes the times of the samples of Axivity sectors.
///
/// Each sector states the time of one of its samples on the device's clock. Two consecutive sectors give the real rate.
/// The first sector, and one after a loss, uses the nominal rate.
struct AxivityClock: Sendable {
    /// Equally spaced times.
    struct Line {
        /// The time of the sample numbered `sample`, in nanoseconds since 1970.
        var time: Int64
        var sample: Int
        /// Nanoseconds from one sample to the next.
        var period: Double

        /// The time of a sample by its number, in nanoseconds since 1970.
        @inline(__always)
        func nanoseconds(of index: Int) -> Int64 {
            time &+ Int64(clamping: Double(index &- sample) * period)
        }
    }

    private var previous: (sequence: UInt32, clock: Int64, sample: Int)?
    /// The expected start of the next sector, on the device's clock.
    private var expected: Int64?

    /// The times of a sector's samples, on the device's clock.
    mutating func line(of sector: AxivitySector) -> Line {
        let follows = previous.map { $0.sequence &+ 1 == sector.sequence } ?? false
        var line = Line(time: sector.clock, sample: sector.clockSample, period: 1e9 / sector.hertz)
        if sector.isClockCoarse {
            // The clock is truncated to a second, so the time follows from the sector before, within that second.
            let second = sector.clock...sector.clock + 1_000_000_000
            line.time =
                follows ? min(max(expected ?? sector.clock, second.lowerBound), second.upperBound) : sector.clock
        } else if follows, let previous {
            let period = Double(sector.clock - previous.clock) / Double(sector.clockSample - previous.sample)
            // A larger deviation means that the clock was set.
            if period.isFinite, abs(period / line.period - 1) < AxivityClock.largestError { line.period = period }
        }
        previous = (sector.sequence, sector.clock, sector.clockSample - sector.count)
        expected = line.nanoseconds(of: sector.count)
        return line
    }

    /// The largest relative deviation of the real rate from the nominal one. Devices run up to 3 % slow.
    private static let largestError = 0.2
}
