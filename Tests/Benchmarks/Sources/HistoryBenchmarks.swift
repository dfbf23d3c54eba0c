import Footfall
import FootfallHistory
import Foundation

/// Measures the speed of queries and of recording, and the size of the file.
struct HistoryBenchmarks {
    private var table: Table
    private let folder: URL
    private let source = "wrist"

    /// Adds the measurements to a table.
    static func run(in folder: URL, _ table: inout Table) throws {
        var benchmarks = HistoryBenchmarks(table: table, folder: folder)
        try benchmarks.recordInBatches()
        try benchmarks.ask()
        try benchmarks.recordLive()
        try benchmarks.recordForAMonth()
        table = benchmarks.table
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    /// Records days of 25 steps a minute, one call per hour, and opens the history again.
    private func fill(_ url: URL, days: Int64, retention: Retention) throws {
        let history = try MotionHistory(at: url, retention: retention)
        for hour in 0..<days * 24 {
            let start = Workload.start + hour * 3600
            try history.record(Workload.allDay(start..<start + 3600), from: source)
        }
    }

    // MARK: Recording in bulk

    private mutating func recordInBatches() throws {
        let workloads = [
            ("two steps a second", Workload.dense, "1 M events/s"),
            ("one piece a second", Workload.pieces, "1 M events/s"),
            ("a gap every 30 s", Workload.gaps, "0.03 M events/s"),
        ]
        for (name, events, asked) in workloads {
            let history = try MotionHistory(at: file(name), retention: .forever)
            var throughput = Throughput()
            for batch in 0..<Int64(6) {
                let start = Workload.start + batch * 86400
                let events = events(start..<start + 86400)
                try throughput.measure(events.count) { try history.record(events, from: source) }
            }
            table.add(
                "recording a day at a time, \(name)", throughput.perSecond, "M events/s",
                note: "\(throughput.perProcessorSecond.short) M per second of processor", asked: asked)
        }
    }

    // MARK: Queries

    private mutating func ask() throws {
        var medians: [Double] = []
        for (name, days, retention) in [("7 days", Int64(7), Retention.sevenDays), ("70 days", 70, .forever)] {
            let url = file(name)
            try fill(url, days: days, retention: retention)
            let seconds = Workload.start..<Workload.start + days * Workload.day
            let history = try MotionHistory(reading: url)
            let count = try history.steps(in: Workload.range(seconds)).count
            let random = try randomRanges(of: history, in: seconds)
            medians.append(random.median)
            table.add("steps in any range, \(name), \(count) steps", random, asked: "median 1 ms")
            if days == 7 { try ask(history, about: seconds) }

            table.add("opening to read, \(name)", try Latencies(times: 9) { _ = try MotionHistory(reading: url) })
            table.add("opening to record, \(name)", try Latencies(times: 3) { _ = try MotionHistory(at: url) })
        }
        table.add("steps in any range, 70 days to 7 days", "\((medians[1] / medians[0]).short) times the median")
    }

    private func randomRanges(of history: MotionHistory, in seconds: Range<Int64>) throws -> Latencies {
        let bounds = Workload.range(seconds)
        let nanoseconds = bounds.lowerBound.nanosecondsSince1970..<bounds.upperBound.nanosecondsSince1970
        var generator = SeededGenerator(seed: 3)
        var latencies = Latencies()
        for _ in 0..<3000 {
            let moments = (0..<2).map { _ in Int64.random(in: nanoseconds, using: &generator) }.sorted()
            let start = Timestamp(nanosecondsSince1970: moments[0])
            let end = Timestamp(nanosecondsSince1970: moments[1])
            _ = try latencies.measure { try history.steps(in: start..<end) }
        }
        return latencies
    }

    private mutating func ask(_ history: MotionHistory, about seconds: Range<Int64>) throws {
        let week = Workload.range(seconds)
        let day = Workload.range(seconds.upperBound - Workload.day..<seconds.upperBound)
        let hours = try Latencies(times: 25) { _ = try history.steps(in: week, by: .hour) }
        table.add("steps of a week by the hour", hours)
        table.add("activities of a day", try Latencies(times: 25) { _ = try history.activities(in: day) })
        table.add("summary of a day", try Latencies(times: 25) { _ = try history.summary(of: day) })
    }

    // MARK: Live recording

    /// Records after the end of a full history. With seven days in it, every call removes as much as it adds. With
    /// seventy days and a retention of seven, the first calls remove much more.
    private mutating func recordLive() throws {
        for (name, days, hours) in [("7 days", Int64(7), Int64(4)), ("70 days, 7 to be kept", 70, 1)] {
            let history = try MotionHistory(at: file("\(days) days"), retention: .sevenDays)
            let start = Workload.start + days * Workload.day
            var latencies = Latencies()
            for second in start..<start + hours * 3600 {
                let events = Workload.allDay(second..<second + 1, rest: 1)
                _ = try latencies.measure { try history.record(events, from: source) }
            }
            table.add("a call a second on full \(name)", latencies, asked: "longest 50 ms", most: true)
        }
    }

    private mutating func recordForAMonth() throws {
        let url = file("month")
        let history = try MotionHistory(at: url, retention: .sevenDays)
        for day in 1...Int64(30) {
            let end = Workload.start + day * Workload.day
            for start in stride(from: end - Workload.day, to: end, by: 300) {
                try history.record(Workload.allDay(start..<start + 300), from: source)
            }
            guard [1, 8, 15, 30].contains(day) else { continue }
            let bytes = ["", "-wal"].map { suffix in
                (try? FileManager.default.attributesOfItem(atPath: url.path + suffix))?[.size] as? Int ?? 0
            }
            table.add(
                "file after \(day) of 30 days, 7 days kept",
                "\((Double(bytes[0]) / 1e6).short) MB, log \((Double(bytes[1]) / 1e6).short) MB",
                asked: day == 30 ? "bounded" : "")
        }
    }
}
