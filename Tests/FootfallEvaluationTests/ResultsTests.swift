import Footfall
import FootfallEvaluation
import Foundation
import TestSupport
import Testing

@Suite("Results of other counters, and the forms of truth")
struct ResultsTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "set"), withIntermediateDirectories: true)
    }

    private func recordings(_ rows: String) throws -> [Manifest.Recording] {
        let text = "dataset,recording,true_steps,step_free,labels\n" + rows
        return try Manifest(contentsOf: folder.write("manifest.csv", Data(text.utf8))).recordings
    }

    private func results(_ text: String) throws -> CounterResults {
        try CounterResults(contentsOf: folder.write("watch.csv", Data(text.utf8)))
    }

    @Test("results are counts, step times, or counts of seconds and minutes")
    func forms() throws {
        let recording = try #require(recordings("set,a,100,,\n").first)
        let counts = try results("recording,steps\nset/a,98\nset/b,7\n")
        #expect(counts.name == "watch")
        #expect(counts.steps(of: recording) == .count(98))
        #expect(counts.unknown(in: [recording]) == ["set/b"])
        let times = try results("dataset,recording,time\nset,a,61\nset,a,0.5\n")
        #expect(times.steps(of: recording) == .times([0.5, 61]))
        #expect(try results("recording,time\nset/a,\n").steps(of: recording) == .times([]))
        let seconds = try results("recording,time,steps\nset/a,0,2\nset/a,59,1\nset/a,60,2\n")
        #expect(seconds.steps(of: recording) == .count(5))
        #expect(try results("recording,steps\nset/b,7\n").steps(of: recording) == nil)
    }

    @Test(
        "results of another form are refused with the remedy",
        arguments: [
            "steps\n3\n", "recording\nset/a\n", "recording,steps\nset/a,many\n", "recording,steps\nset/a,1\nset/a,2\n",
            "recording,steps\nset/a,-3\n", "recording,steps\nset/a,4e14\n", "recording,time,steps\nset/a,,480\n",
        ])
    func refused(text: String) {
        #expect(throws: EvaluationError.self) { try results(text) }
    }

    @Test("truth is a count, step times, counts of minutes, or no step at all")
    func truths() throws {
        _ = try folder.write("set/b.steps.csv", Data("time\n2\n1\n".utf8))
        _ = try folder.write("set/c.counts.csv", Data("time,steps\n0,40\n60,50\n".utf8))
        let recordings = try recordings("set,a,100,,\nset,b,,,\nset,c,,,\nset,d,,yes,\n")
        let truths = try recordings.map { try $0.truth() }
        guard case .steps(100, nil) = truths[0], case .steps(2, [1, 2]) = truths[1],
            case .steps(90, nil) = truths[2], case .steps(0, nil) = truths[3]
        else {
            Issue.record("\(truths)")
            return
        }
        #expect(recordings.map(\.isStepFree) == [false, false, false, true])
        _ = try folder.write("set/a.steps.csv", Data("seconds\n1\n2\n".utf8))
        #expect(throws: EvaluationError.self) { try recordings[0].truth() }
    }

    @Test("labels may be intervals")
    func intervals() throws {
        _ = try folder.write("set/a.labels.csv", Data("start,end,label\n0,60,walking\n60,90,stationary\n".utf8))
        guard case .activities(let labels)? = try recordings("set,a,,,yes\n").first?.truth() else {
            Issue.record("no labels")
            return
        }
        #expect(labels.seconds.count == 90 && labels.intervals.map(\.activity) == [.walking, .stationary])
    }

    @Test("single steps are compared where their times are known")
    func times() throws {
        let recording = try #require(recordings("set,a,3,,\n").first)
        var evaluation = Evaluation()
        evaluation.add(
            AnalyzerRun(steps: .times([1.1, 2, 181]), coverage: 240), of: recording,
            truth: .steps(3, times: [1, 61, 181]))
        let steps = try #require(evaluation.groups.first).steps
        #expect(steps.sensitivity == 2.0 / 3 && steps.precision == 2.0 / 3)
    }

    @Test("the interval of the percentage error is over people and the same each time")
    func interval() throws {
        let rows = [
            ("a", 100, 97), ("a", 200, 204), ("b", 300, 300), ("b", 400, 388), ("c", 500, 512), ("d", 650, 640),
        ]
        var steps = StepMeasures()
        for (person, truth, detected) in rows {
            steps.add(detected: detected, true: truth, seconds: 600, subject: person)
        }
        // The values of numpy with the same draws.
        let interval = try #require(steps.meanAbsolutePercentageErrorInterval)
        #expect(abs(interval.lowerBound - 1.5054945054945055) < 1e-9)
        #expect(abs(interval.upperBound - 2.466666666666667) < 1e-9)
        #expect(abs(try #require(steps.meanAbsolutePercentageError) - 1.9897435897435898) < 1e-9)

        var one = StepMeasures()
        for detected in [90, 95] { one.add(detected: detected, true: 100, seconds: 60, subject: "a") }
        #expect(one.meanAbsolutePercentageError == 7.5 && one.meanAbsolutePercentageErrorInterval == nil)
    }

    @Test("a requirement is a figure, a group and a limit")
    func requirements() throws {
        let plain = try #require(Requirement("mape<=5"))
        #expect(plain.isAbout(.all) && !plain.isAbout(.dataset("x")) && plain.isMet(by: 5) && !plain.isMet(by: 5.1))
        let hands = try #require(Requirement("falsePerHour[hands] <= 20"))
        #expect(
            hands.isAbout(.kind("hands", placement: "wrist")) && !hands.isAbout(.kind("hands:clap", placement: "hip")))
        let set = try #require(Requirement("stepTimes.f1[set pebble]>=0.9"))
        #expect(set.key == "stepTimes.f1" && set.isAbout(.dataset("pebble")) && set.isMet(by: 0.9))
        #expect(try #require(Requirement("mape[pebble]<3")).isAbout(.dataset("pebble")))
        for text in ["mape", "mape<=", "<=5", "mape[all<=5", "mape<=five"] { #expect(Requirement(text) == nil) }
    }
}
