import Foundation

/// The durations of calls.
struct Latencies {
    private(set) var milliseconds: [Double] = []

    /// Runs a closure and stores its duration.
    mutating func measure<Outcome>(_ work: () throws -> Outcome) rethrows -> Outcome {
        let start = ContinuousClock.now
        let outcome = try work()
        milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
        return outcome
    }

    init() {}

    /// Runs a closure a number of times.
    init(times: Int, _ work: () throws -> Void) rethrows {
        for _ in 0..<times { try measure(work) }
    }

    /// The duration that a share of the calls does not exceed.
    func quantile(_ share: Double) -> Double {
        guard !milliseconds.isEmpty else { return .nan }
        let rank = Int((share * Double(milliseconds.count)).rounded(.up)) - 1
        return milliseconds.sorted()[min(max(rank, 0), milliseconds.count - 1)]
    }

    var median: Double { quantile(0.5) }
}

/// The number of events recorded per second.
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

    /// In millions per second of wall time.
    var perSecond: Double { Double(events) / (wall / .seconds(1)) / 1e6 }
    /// In millions per second of processor time.
    var perProcessorSecond: Double { Double(events) / processor / 1e6 }
}

/// The processor time of a closure, in seconds.
func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
    let start = clock()
    try work()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
}

extension Double {
    /// With three significant digits, or all before the decimal point.
    var short: String { String(format: self < 10 ? "%.2f" : self < 100 ? "%.1f" : "%.0f", self) }
}
