package import Footfall

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The host's clock in two readings: a steady one, which runs on through suspension and is never set, and the one on the wall,
/// which people and time servers set.
package struct HostClock: Sendable {
    /// The wall's time less the steady time, in nanoseconds, when the clock was made.
    private let base: Int64
    /// What the time is, and by how much the wall's was set, where they are not the host's.
    private let staged: (@Sendable () -> (time: Timestamp, correction: Int64))?

    /// The host's clock.
    package init() {
        base = Self.wall - Self.steady
        staged = nil
    }

    /// A clock that shows what it is told, for tests that cannot wait for someone to walk a minute.
    package init(staged: @escaping @Sendable () -> (time: Timestamp, correction: Int64)) {
        base = Self.wall - Self.steady
        self.staged = staged
    }

    /// The steady time. It agreed with the wall's when the clock was made.
    package var now: Timestamp { staged?().time ?? Timestamp(nanosecondsSince1970: base + Self.steady) }

    /// By how many nanoseconds the wall's clock has been set ahead since, or back.
    package var correction: Int64 { staged?().correction ?? Self.wall - Self.steady - base }

    private static var wall: Int64 { read(CLOCK_REALTIME) }

    private static var steady: Int64 {
        #if os(Linux)
            read(CLOCK_BOOTTIME)
        #else
            read(CLOCK_MONOTONIC)
        #endif
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
