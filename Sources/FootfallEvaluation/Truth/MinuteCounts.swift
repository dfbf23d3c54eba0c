/// Steps per minute of the clock, from step times or from counts per second or minute.
public struct MinuteCounts: Hashable, Sendable {
    /// The steps by number of the minute since 1970-01-01T00:00:00Z.
    public private(set) var steps: [Int64: Double] = [:]

    /// Creates the counts from rows.
    ///
    /// - Parameter rows: The start of a second or of a minute, in seconds since 1970, and its steps. A row counts for
    ///   the minute in which it starts.
    public init(rows: some Sequence<(time: Double, steps: Double)>) {
        for row in rows { add(row.steps, at: row.time) }
    }

    /// Creates the counts from the time of each step, in seconds since 1970. A minute without a step has no entry.
    public init(stepTimes: some Sequence<Double>) {
        for time in stepTimes { add(1, at: time) }
    }

    private mutating func add(_ count: Double, at time: Double) {
        guard count.isFinite, let minute = Int64(exactly: (time / 60).rounded(.down)) else { return }
        steps[minute, default: 0] += count
    }

    /// The number of steps in all minutes.
    public var total: Int { Int(exactly: steps.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }.rounded()) ?? 0 }
}

/// The steps of a recording, as an observer or a program gives them.
public enum StepRecord: Hashable, Sendable {
    /// A number of steps.
    case count(Int)
    /// The time of each step in seconds since 1970, in order.
    case times([Double])
    /// Counts per minute, or per second added up to minutes.
    case minutes(MinuteCounts)

    /// The number of steps.
    public var count: Int {
        switch self {
        case .count(let count): count
        case .times(let times): times.count
        case .minutes(let minutes): minutes.total
        }
    }

    /// The time of each step in seconds since 1970; nil if only counts are known.
    public var times: [Double]? { if case .times(let times) = self { times } else { nil } }

    /// The steps of each minute; nil if only the number of steps is known.
    public var minutes: MinuteCounts? {
        switch self {
        case .count: nil
        case .times(let times): MinuteCounts(stepTimes: times)
        case .minutes(let minutes): minutes
        }
    }
}
