package import Footfall
internal import Foundation

/// The clocks of the host: a steady one, which runs during suspension and is never set, and the wall clock.
package struct HostClock: Sendable {
    /// The wall time minus the steady time at creation, in nanoseconds.
    private let base = Self.wall - Self.steady
    /// The end of the last session, before which the next one does not begin; see ``WallOffset``.
    package let end: Timestamp?
    /// Replaces both clocks in tests.
    private let staged: (@Sendable () -> (time: Timestamp, correction: Int64))?

    /// The host's clock.
    ///
    /// - Parameters:
    ///   - end: The end of the last session of the same source; nil without one.
    ///   - staged: The time and the correction in a test; nil for the host's.
    package init(after end: Timestamp? = nil, staged: (@Sendable () -> (time: Timestamp, correction: Int64))? = nil) {
        (self.end, self.staged) = (end, staged)
    }

    /// The steady time. It equals the wall time at creation.
    package var now: Timestamp { staged?().time ?? Timestamp(nanosecondsSince1970: base + Self.steady) }

    /// The nanoseconds by which the wall clock was set ahead since creation; negative when it was set back.
    package var correction: Int64 { staged?().correction ?? Self.wall - Self.steady - base }

    private static var wall: Int64 { read(CLOCK_REALTIME) }

    private static var steady: Int64 {
        #if os(Linux)
            read(CLOCK_BOOTTIME)
        #else
            read(CLOCK_MONOTONIC)
        #endif
    }

    /// The years 1899 to 2151 in seconds since 1970: a year more at each end than ``/Footfall/Timestamp/supported``.
    /// Differences of such times fit into 64 bits of nanoseconds; a clock may stand anywhere.
    private static let readable = -2_240_524_800...5_711_817_600

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        let seconds = min(max(Int(time.tv_sec), readable.lowerBound), readable.upperBound)
        return Int64(seconds) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
