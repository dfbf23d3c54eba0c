import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

/// Variants of real logs are read right or refused. `make fuzz` runs 200 of each log, `make test` a few.
@Suite("Variants of real logs")
struct LogVariantTests {
    /// The outcome of reading a variant.
    private enum Outcome: Equatable {
        case right, refused
        case wrong(String)
    }

    private static let variants = ProcessInfo.processInfo.environment["FOOTFALL_VARIANTS"].flatMap { Int($0) } ?? 6

    @Test("give the right samples or a refusal, and most are read", .needsShared("corpus"))
    func variants() async throws {
        let logs = try RealLog.paths.compactMap { try RealLog($0) }
        #expect(logs.count == RealLog.paths.count)
        let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
            for (index, log) in logs.enumerated() {
                group.addTask { try Self.outcomes(of: log, and: logs[(index + 7) % logs.count], seed: index) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let (right, refused) = (outcomes.count { $0 == .right }, outcomes.count { $0 == .refused })
        print("\(outcomes.count) variants of \(logs.count) logs: \(right) read right, \(refused) refused")
        for case .wrong(let problem) in outcomes { Issue.record("\(problem)") }
        #expect(right * 10 >= outcomes.count * 6)
    }

    private static func outcomes(of log: RealLog, and other: RealLog, seed: Int) throws -> [Outcome] {
        let folder = try Folder()
        return try withExtendedLifetime(folder) {
            try (0..<variants).map { number in
                var random = SeededGenerator(seed: UInt64(seed * 1000 + number))
                let variant = LogVariant(of: log, and: other, &random)
                let url = try folder.write("variant.csv", Data(variant.text.utf8))
                return outcome(of: url, variant, log, number)
            }
        }
    }

    private static func outcome(of url: URL, _ variant: LogVariant, _ log: RealLog, _ number: Int) -> Outcome {
        let name = "\(log.name), variant \(number) (\(variant.description))"
        let trace: ReadTrace
        do {
            trace = try ReadTrace(url)
        } catch {
            return .refused
        }
        // The command refuses a log that loses more than a tenth of its rows.
        var latest = Timestamp.epoch
        let backward = trace.samples.count { sample in
            defer { latest = max(latest, sample.time) }
            return sample.time < latest
        }
        if backward * 10 > trace.samples.count { return .refused }
        if variant.isEither { return .right }
        guard let rows = variant.rows else { return .wrong("\(name): read as \(trace.layout)") }
        guard trace.samples.count == rows.count, let first = trace.samples.first else {
            return .wrong("\(name): \(trace.samples.count) of \(rows.count) rows; \(trace.layout) \(trace.warnings)")
        }
        for (row, sample) in zip(rows, trace.samples) {
            let time = sample.time.seconds(since: first.time) - (log.times[row] - log.times[rows.lowerBound])
            let magnitude = SIMD3(Double(sample.x), Double(sample.y), Double(sample.z)).length
            let error = abs(magnitude - log.acceleration[row].length)
            guard abs(time) <= variant.timeTolerance, error <= variant.tolerance + 0.001 * magnitude else {
                return .wrong("\(name): row \(row) is off by \(time) s and \(error) g; \(trace.layout)")
            }
        }
        return .right
    }
}
