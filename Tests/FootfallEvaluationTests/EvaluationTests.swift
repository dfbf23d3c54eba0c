import Footfall
import FootfallEvaluation
import FootfallReaders
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
                "placement wrist", "cadence 100 to 120", "bout 60 to 180 s", "rate 35 to 75 Hz", "subject ann",
                "subject ben",
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

    @Test("counts the steps of hands by kind and place, and takes the interval over people")
    func kinds() throws {
        let folder = try Folder()
        let rows = (0..<20).map { "set,r\($0),p\($0 / 2),wrist\($0 % 2 == 0 ? " (watch)" : ""),unknown,hands:clap" }
        let header = "dataset,recording,subject,placement,labels,kind"
        let text = ([header] + rows + ["set,r20,p0,wrist,unknown,sweep"]).joined(separator: "\n")
        let manifest = try Manifest(contentsOf: folder.write("manifest.csv", Data(text.utf8)))
        #expect(manifest.recordings.map(\.isStepFree) == Array(repeating: true, count: 20) + [false])
        var evaluation = Evaluation()
        for recording in manifest.recordings {
            // Only one person's hands give steps: 180 in half an hour, and a ride.
            let isWorst = recording.subject == "p3"
            let steps = (0..<(isWorst ? 90 : 0)).map { MotionEvent.step(Step(time: moments(Double($0))[0])) }
            let span = moments(0, 900)
            let segment = Segment(
                range: span[0]..<span[1], flags: isWorst ? .cycling : .stationary, probability: 0.9, steps: steps.count)
            let run = AnalyzerRun(events: steps + [.segment(segment)], coverage: 900, sampleRate: 50)
            evaluation.add(run, of: recording, truth: .activities(ActivityLabels()))
        }
        let names = evaluation.groups.map(\.name.description).filter { $0.hasPrefix("kind") }
        #expect(names == ["kind hands, wrist", "kind hands:clap, wrist", "kind sweep, wrist"])
        let clapping = try #require(evaluation.groups.first { $0.name == .kind("hands:clap", placement: "wrist") })
        #expect(clapping.people.people.count == 10 && clapping.people.stepsPerHour == 36)
        #expect(clapping.people.share(of: .cycling) == 0.1 && clapping.people.share(of: .stationary) == 0.9)
        #expect(clapping.people.share(of: .cycling, isConfident: true) == 0.1)
        #expect(clapping.people.worst(3).map(\.person) == ["p3"])
        #expect(clapping.falseStepsByKind["hands:clap"]?.count == 180)
        // A sample of ten people holds the one with steps up to four times, or not at all.
        let interval = try #require(clapping.people.stepsPerHourInterval)
        #expect(interval.lowerBound == 0 && (72...144).contains(interval.upperBound))
        let differences = Baseline(evaluation).differences(in: clapping)
        #expect(differences.map(\.figure.key).contains("stepsPerHour"))
    }
}
