import Footfall
import FootfallHistory
import FootfallTraces
import Foundation
import Testing

/// The README shows code; here it is compiled and run.
@Suite("README")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("the library example counts the steps of a shipped trace")
    func example() throws {
        let log = Self.root.appending(path: "SensorTraces/walk-wrist.csv")
        let folder = try Folder()
        let file = folder.url.appending(path: "steps.sqlite")
        // README begin
        let history = try MotionHistory(at: file)
        var trace = try Trace(contentsOf: log)
        var analyzer = MotionAnalyzer()
        while let batch = try trace.nextBatch() {
            try history.record(analyzer.analyze(batch), from: "wrist")
        }
        try history.record(analyzer.finish(), from: "wrist")

        let minute = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 60)
        let steps = try history.steps(in: minute)
        print("\(steps.count) steps, \(steps.coverage) s of it covered")
        for segment in try history.activities(in: minute, where: .activity(.walking, .running)) {
            print(segment.interval, segment.activity, segment.confidence, segment.steps)
        }
        // README end
        #expect(abs(steps.coverage - 60) < 1e-6)
        #expect((95...125).contains(steps.count))
    }

    @Test("the README shows that very example")
    func shown() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let start = try #require(source.range(of: "// README begin\n"))
        let end = try #require(source.range(of: "        // README end"))
        let code = source[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("        ") ? String($0.dropFirst(8)) : String($0) }.joined(separator: "\n")
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(code))
    }
}
