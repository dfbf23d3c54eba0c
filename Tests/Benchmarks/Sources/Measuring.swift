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

/// Rows that are printed as an aligned Markdown table.
struct Table {
    private var rows = [["measured", "figure", "asked for"]]

    mutating func add(_ measured: String, _ figure: String, asked: String = "") {
        rows.append([measured, figure, asked])
    }

    mutating func add(_ measured: String, _ latencies: Latencies, asked: String = "", most: Bool = false) {
        var parts = ["median \(latencies.median.short) ms"]
        if latencies.milliseconds.count >= 100 { parts.append("99 % within \(latencies.quantile(0.99).short) ms") }
        if most { parts.append("longest \(latencies.quantile(1).short) ms") }
        add(measured, parts.joined(separator: ", "), asked: asked)
    }

    mutating func add(_ measured: String, _ throughput: Throughput, asked: String = "") {
        let figure =
            "\(throughput.perSecond.short) M events/s, \(throughput.perProcessorSecond.short) M per second of processor"
        add(measured, figure, asked: asked)
    }

    func print() {
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String], padding: String) -> String {
            let padded = zip(cells, widths).map { $0.padding(toLength: $1, withPad: padding, startingAt: 0) }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        for (index, row) in rows.enumerated() {
            Swift.print(line(row, padding: " "))
            if index == 0 { Swift.print(line(["", "", ""], padding: "-")) }
        }
    }
}

extension Double {
    /// With three digits that count, or all before the point.
    var short: String { String(format: self < 10 ? "%.2f" : self < 100 ? "%.1f" : "%.0f", self) }
}
