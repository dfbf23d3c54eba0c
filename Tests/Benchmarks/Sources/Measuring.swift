import Foundation

/// What happened to take how long, call by call.
struct Latencies {
    private(set) var milliseconds: [Double] = []

    /// Runs something and notes how long it took.
    mutating func measure<Outcome>(_ work: () throws -> Outcome) rethrows -> Outcome {
        let start = ContinuousClock.now
        let outcome = try work()
        milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
        return outcome
    }

    init() {}

    /// Runs something as often as asked.
    init(times: Int, _ work: () throws -> Void) rethrows {
        for _ in 0..<times { try measure(work) }
    }

    /// The value that a share of the calls did not exceed.
    func quantile(_ share: Double) -> Double {
        guard !milliseconds.isEmpty else { return .nan }
        let rank = Int((share * Double(milliseconds.count)).rounded(.up)) - 1
        return milliseconds.sorted()[min(max(rank, 0), milliseconds.count - 1)]
    }

    var median: Double { quantile(0.5) }
}

/// How many events are recorded in a second.
struct Throughput {
    private var events = 0
    private var wall = Duration.zero
    private var processor = 0.0

    mutating func measure(_ count: Int, _ work: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        let processorStart = clock()
        try work()
        wall += ContinuousClock.now - start
        processor += Double(clock() - processorStart) / Double(CLOCKS_PER_SEC)
        events += count
    }

    /// In millions, by the clock on the wall.
    var perSecond: Double { Double(events) / (wall / .seconds(1)) / 1e6 }
    /// In millions, by the processor's time.
    var perProcessorSecond: Double { Double(events) / processor / 1e6 }
}

/// How long the processor works on something, in seconds.
func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
    let start = clock()
    try work()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
}

extension Double {
    /// With three digits that count, or all before the point.
    var short: String { String(format: self < 10 ? "%.2f" : self < 100 ? "%.1f" : "%.0f", self) }
}
