/// How long a history remembers.
///
/// Age is measured, for every source by itself, from the newest time recorded of that source, not from the clock on the
/// wall: an old log can be imported without being forgotten at once.
public struct Retention: Hashable, Sendable {
    /// The length in nanoseconds; nil for ever.
    let nanoseconds: Int64?

    /// Keeps what happened within a duration of the newest time recorded. A negative duration counts as zero.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? (seconds < 0 ? 0 : .max) : nanoseconds &+ attoseconds / 1_000_000_000)
    }

    init(nanoseconds: Int64?) {
        self.nanoseconds = nanoseconds.map { Swift.max(0, $0) }
    }

    /// Keeps the last `count` times 24 hours.
    public static func days(_ count: Int) -> Retention {
        // Beyond some 106,000 days the nanoseconds no longer fit, which is as good as for ever.
        count > 100_000 ? .forever : Retention(.seconds(Swift.max(0, count) * 86400))
    }

    /// Keeps everything.
    public static let forever = Retention(nanoseconds: nil)

    /// Seven days, as Core Motion keeps them.
    public static let sevenDays = Retention.days(7)

    /// The length; nil for ever.
    public var duration: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// Whether less is remembered than with another retention.
    func isShorter(than other: Retention) -> Bool {
        guard let nanoseconds else { return false }
        return nanoseconds < other.nanoseconds ?? .max
    }

    /// The moment before which a source whose newest time is `newest` is forgotten; nil for never.
    func cut(newest: Int64) -> Int64? {
        guard let nanoseconds else { return nil }
        let (cut, overflow) = newest.subtractingReportingOverflow(nanoseconds)
        return overflow ? nil : cut
    }
}
