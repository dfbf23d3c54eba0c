import Footfall
import FootfallEvaluation
import FootfallTraces
import Foundation
import TestSupport
import Testing

@Suite("An evaluation")
struct EvaluationTests {
    @Test("of simulated traces reads their logs and their ground truth")
    func simulations() throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "shipped"),
            withDestinationURL: PackageFolder.url.appending(path: "SensorTraces"))
        let url = try folder.write(
            "manifest.csv", Data("dataset,recording,labels\nshipped,walk-wrist,yes\nshipped,desk-wrist,yes\n".utf8))

        var evaluation = Evaluation()
        for recording in try Manifest(contentsOf: url).recordings {
            var analyzer = RecordingAnalyzer()
            var trace = try Trace(contentsOf: recording.url)
            while let batch = try trace.nextBatch() { analyzer.analyze(batch) }
            evaluation.add(analyzer.finish(), of: recording, truth: try recording.truth())
        }
        for group in evaluation.groups {
            print(group.name, group.activities.confusion.accuracy ?? .nan)
        }

        #expect(evaluation.groups.map(\.name) == [.all, .atLeast8Hertz, .dataset("shipped")])
        let confusion = try #require(evaluation.groups.first).activities.confusion
        #expect(confusion.seconds(of: .walking) == 120 && confusion.seconds(of: .stationary) == 240)
        #expect(try #require(confusion.accuracy) > 0.95)
        #expect(!evaluation.hasStepTruth && evaluation.outcomes[0].steps > 200 && evaluation.outcomes[1].steps == 0)
    }

    @Test("compares provisional activities without a change to the settled ones")
    func live() throws {
        var labels = ActivityLabels()
        for second in 0..<60 { labels.append(.stationary, at: moments(Double(second))[0]) }
        var rest = SampleBatch()
        for index in 0..<3000 { rest.append(time: moments(Double(index) / 50)[0], x: 0, y: 0, z: 1) }
        var (settled, live) = (RecordingAnalyzer(), RecordingAnalyzer(comparingLiveWith: labels))
        settled.analyze(rest)
        live.analyze(rest)
        let (run, liveRun) = (settled.finish(), live.finish())
        #expect(run.segments == liveRun.segments && run.segments.map(\.activity) == [.stationary] && run.live == nil)
        let measures = try #require(liveRun.live)
        #expect(measures.confusion.count == LiveMeasures.delays.count)
        for confusion in measures.confusion {
            #expect(confusion.seconds(of: .stationary) == 60)
            #expect(try #require(confusion.accuracy) > 0.9)
        }
        #expect((1..<60).contains(measures.longestSettlingTime))
    }

    /// A manifest of two walks of 100 steps by two people and of a drive without steps.
    private func recordings() throws -> [Manifest.Recording] {
        let folder = try Folder()
        let url = try folder.write(
            "manifest.csv",
            Data(
                """
                dataset,recording,subject,placement,activity,true_steps
                set,a,ann,wrist,walking,100
                set,b,ben,hip,walking,100
                other,c,ben,wrist,driving,0

                """.utf8))
        return try Manifest(contentsOf: url).recordings
    }

    /// The result of a detector that finds these numbers of steps.
    private func evaluation(steps: [Int]) throws -> Evaluation {
        var evaluation = Evaluation()
        for (recording, count) in zip(try recordings(), steps) {
            let events = (0..<count).map { MotionEvent.step(Step(time: moments(Double($0) / 2)[0])) }
            let run = AnalyzerRun(events: events, coverage: 60, sampleRate: 50)
            evaluation.add(run, of: recording, truth: .steps(recording.trueSteps ?? 0, times: nil))
        }
        return evaluation
    }

    @Test("has groups by data set, activity, placement and subject, in this order")
    func groups() throws {
        let evaluation = try evaluation(steps: [90, 100, 2])
        #expect(
            evaluation.groups.map(\.name.description) == [
                "all", "set other", "set set", "activity walking", "no steps: driving", "placement hip",
                "placement wrist", "subject ann", "subject ben",
            ])
        let all = try #require(evaluation.groups.first)
        #expect(all.recordings == 3 && all.steps.meanAbsolutePercentageError == 5 && all.steps.bias == 0.95)
        #expect(all.steps.falseSteps.perHour == 120)
        #expect(evaluation.hasStepTruth && evaluation.outcomes.map(\.steps) == [90, 100, 2])
    }

    @Test("differs from a baseline by what has changed, and improves towards the target")
    func differences() throws {
        let (before, now) = (try evaluation(steps: [80, 100, 6]), try evaluation(steps: [110, 100, 9]))
        let baseline = Baseline(before)
        let all = try #require(now.groups.first)
        let differences = baseline.differences(in: all).filter { $0.change != 0 }
        #expect(differences.map(\.figure.key) == ["mape", "falseStepsPerHour", "bias", "falseSteps"])
        #expect(differences.map(\.change) == [-5, 180, 1.05 - 0.9, 3])
        #expect(differences.map { $0.improvement > 0 } == [true, false, true, false])
        #expect(baseline.differences(in: now.outcomes[1].group).allSatisfy { $0.change == 0 })
        #expect(Baseline(now).differences(in: all).allSatisfy { $0.change == 0 })
        #expect(baseline.differences(in: Evaluation.Group(.dataset("new"))).isEmpty)
    }
}
