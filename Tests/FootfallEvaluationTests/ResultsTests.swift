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
        let record = try #require(seconds.steps(of: recording))
        #expect(record.count == 5 && record.minutes?.steps == [0: 3, 1: 2])
        #expect(try results("recording,steps\nset/b,7\n").steps(of: recording) == nil)
    }

    @Test(
        "results of another form are refused with the remedy",
        arguments: [
            "steps\n3\n", "recording\nset/a\n", "recording,steps\nset/a,many\n", "recording,steps\nset/a,1\nset/a,2\n",
        ])
    func refused(text: String) {
        #expect(throws: EvaluationError.self) { try results(text) }
    }

    @Test("truth is a count, step times, counts of minutes, or no step at all")
    func truths() throws {
        _ = try folder.write("set/b.steps.csv", Data("time\n1\n2\n".utf8))
        _ = try folder.write("set/c.counts.csv", Data("time,steps\n0,40\n60,50\n".utf8))
        let recordings = try recordings("set,a,100,,\nset,b,,,\nset,c,,,\nset,d,,yes,\n")
        let truths = try recordings.map { try $0.truth() }
        guard case .steps(100, nil, nil) = truths[0], case .steps(2, [1, 2], _) = truths[1],
            case .steps(90, nil, let minutes) = truths[2], case .steps(0, nil, nil) = truths[3]
        else {
            Issue.record("\(truths)")
            return
        }
        #expect(minutes?.steps == [0: 40, 1: 50])
        #expect(recordings.map(\.isStepFree) == [false, false, false, true])
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

    @Test("minutes without a step in either are minutes of the recording, where step times are known")
    func minutes() throws {
        let recording = try #require(recordings("set,a,3,,\n").first)
        let truth = [1.0, 61, 181]
        var evaluation = Evaluation()
        evaluation.add(
            AnalyzerRun(steps: .times([1.1, 2, 181]), coverage: 240), of: recording,
            truth: .steps(3, times: truth, minutes: MinuteCounts(stepTimes: truth)))
        let steps = try #require(evaluation.groups.first).steps
        #expect(steps.minutes.pairs.map(\.truth) == [1, 1, 0, 1])
        #expect(steps.minutes.pairs.map(\.counted) == [2, 0, 0, 1])
        #expect(steps.minutes.meanAbsoluteError == 0.5)
        #expect(steps.sensitivity == 2.0 / 3 && steps.precision == 2.0 / 3)
    }

    @Test("a difference is paired by recording, and its interval is over people")
    func paired() throws {
        var (first, second) = (CountAgreement(), CountAgreement())
        for (index, person) in ["a", "b", "c", "d"].enumerated() {
            first.add(true: 100, counted: 90, person: person, recording: "set/\(index)")
            if index > 0 { second.add(true: 100, counted: 98, person: person, recording: "set/\(index)") }
        }
        let difference = try #require(PairedDifference(first, from: second))
        #expect(difference.recordings == 3 && difference.mean == 8 && difference.interval == 8...8)
        #expect(PairedDifference(first, from: CountAgreement()) == nil)
    }

    @Test("a requirement is a figure, a group and a limit")
    func requirements() throws {
        let plain = try #require(Requirement("mape<=5"))
        #expect(plain.isAbout(.all) && !plain.isAbout(.dataset("x")) && plain.isMet(by: 5) && !plain.isMet(by: 5.1))
        let hands = try #require(Requirement("falsePerHour[hands] <= 20"))
        #expect(
            hands.isAbout(.kind("hands", placement: "wrist")) && !hands.isAbout(.kind("hands:clap", placement: "hip")))
        let set = try #require(Requirement("agreement.icc[set pebble]>=0.9"))
        #expect(set.key == "agreement.icc" && set.isAbout(.dataset("pebble")) && set.isMet(by: 0.9))
        #expect(try #require(Requirement("mape[pebble]<3")).isAbout(.dataset("pebble")))
        for text in ["mape", "mape<=", "<=5", "mape[all<=5", "mape<=five"] { #expect(Requirement(text) == nil) }
    }
}
