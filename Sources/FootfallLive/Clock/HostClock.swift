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

    /// The host's clock after the end of the last session of the same source; nil without one. A test stages the time
    /// and the correction.
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

/// The difference of the wall clock and the steady one, by which the samples of a session get their times. Samples that
/// would repeat a recorded time replace what was recorded. So, when the wall clock is set back by up to five minutes, a
/// session goes on as if it were not, until a pause without samples makes up for it. The same holds for a session that
/// starts before the end of the last one. After a larger step the times are repeated: a session would be too far ahead
/// of the clock.
struct WallOffset {
    /// The longest lead over the clock, in nanoseconds: half of that which a history accepts.
    private static let longestLead: Int64 = 300_000_000_000
    /// Smaller steps are the time between the readings of the two clocks, and a clock that is slewed. In nanoseconds.
    private static let leastStep: Int64 = 100_000_000
    /// The lead grows by this before it is reported again, in nanoseconds.
    private static let reportedStep: Int64 = 1_000_000_000

    /// The newest wall time of a sample; nil if there is none.
    private var newest: Int64?
    private var offset: Int64?
    private var reported: Int64 = 0

    /// Starts a session after the end of the last one of the same source; nil without one.
    init(after end: Timestamp?) { newest = end?.nanosecondsSince1970 }

    /// The offset of samples that arrived together at steady times, and a notice if the clock was set back. The
    /// correction is the wall time minus the steady time, in nanoseconds.
    mutating func offset(of times: [Timestamp], at correction: Int64) -> (nanoseconds: Int64, notice: DeviceNotice?) {
        guard let first = times.min()?.nanosecondsSince1970, let last = times.max()?.nanosecondsSince1970 else {
            return (correction, nil)
        }
        let (repeated, lead) = repeated(from: first &+ correction, at: correction)
        var notice: DeviceNotice?
        // Of times that do not grow, the offset stays also after the smallest step, so that none of them runs back.
        if repeated <= 0 || lead < -Self.leastStep {
            (offset, reported) = (correction, 0)
        } else if lead > Self.longestLead {
            notice = .clockSetBack(seconds: Double(lead) / 1e9, repeats: true)
            (offset, reported) = (correction, 0)
        } else {
            offset = correction &+ lead
            if lead > reported &+ Self.reportedStep {
                notice = .clockSetBack(seconds: Double(lead) / 1e9, repeats: false)
                reported = lead
            }
        }
        let used = offset ?? correction
        newest = max(newest ?? .min, last &+ used)
        return (used, notice)
    }

    /// The time that samples from a moment on would repeat, and the lead over the clock that prevents it.
    private func repeated(from start: Int64, at correction: Int64) -> (Int64, lead: Int64) {
        guard let newest else { return (0, 0) }
        let repeated = newest &- start
        return (repeated, offset.map { $0 &- correction } ?? repeated)
    }
}
