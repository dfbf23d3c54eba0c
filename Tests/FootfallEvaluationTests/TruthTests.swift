import Footfall
import FootfallEvaluation
import Foundation
import TestSupport
import Testing

@Suite("Ground truth in files")
struct TruthTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func write(_ name: String, _ text: String) throws -> URL { try folder.write(name, Data(text.utf8)) }

    @Test("a manifest is read whatever its line ends, quotes and order of columns", arguments: ["\n", "\r\n"])
    func manifest(lineEnd: String) throws {
        let lines = [
            "recording,notes,true_steps,dataset,sample_rate_hz,subject",
            "a,\"hat, \"\"coat\"\"\nand tie\",100,set,25.00,ann",
            "", "b,,,set,,", "c,short", "d,,0,other,8,\"be\"\"n\"",
        ]
        let url = try write("manifest.csv", lines.joined(separator: lineEnd))
        let recordings = try Manifest(contentsOf: url).recordings
        #expect(recordings.map(\.id) == ["set/a", "set/b", "/c", "other/d"])
        #expect(recordings.map(\.trueSteps) == [100, nil, nil, 0])
        #expect(recordings.map(\.sampleRate) == [25, nil, nil, 8])
        #expect(recordings.map(\.subject) == ["ann", "", "", "be\"n"])
        #expect(recordings[0].url.path == folder.path("set/a.csv"))
    }

    @Test("a manifest of a spreadsheet may be Windows-1252, and has empty rows")
    func spreadsheet() throws {
        let lines = ["dataset;recording;subject", "set;a;Ren\u{e9} O\u{92}Neill \u{80}\u{9f}", ";;", "set;b;Ann", ""]
        let bytes = lines.joined(separator: "\r\n").unicodeScalars.map { UInt8($0.value) }
        let url = try folder.write("manifest.csv", Data(bytes))
        #expect(try Manifest(contentsOf: url).recordings.map(\.subject) == ["René O’Neill €Ÿ", "Ann"])
    }

    @Test("a quote within a field is a character; one that is never closed is named, as are UTF-16 and lines of CR")
    func quotes() throws {
        let text = "dataset;recording;\"subject\n(who)\";subject\nset;a;5\" tall;\"A \"\"x\"\"; b\"\nset;b;;\"Ann\"\n"
        let url = try write("manifest.csv", text)
        #expect(try Manifest(contentsOf: url).recordings.map(\.subject) == ["A \"x\"; b", "Ann"])
        let twice = try write("manifest.csv", "dataset,recording,subject\r\r\nset,a,Ann\r\r\n")
        #expect(try Manifest(contentsOf: twice).recordings.map(\.subject) == ["Ann"])
        let open = try write("manifest.csv", "dataset,recording\nset,\"a\nset,b\n")
        let error = #expect(throws: EvaluationError.self) { try Manifest(contentsOf: open) }
        #expect(error?.description.contains("line 2: a quote") == true, "\(error)")
        let wide = try folder.write("manifest.csv", #require(text.data(using: .utf16)))
        let other = #expect(throws: EvaluationError.self) { try Manifest(contentsOf: wide) }
        #expect(other?.description.contains("UTF-16") == true, "\(other)")
        let old = try write("manifest.csv", "dataset,recording,subject\rset,a,Ann\r")
        let refusal = #expect(throws: EvaluationError.self) { try Manifest(contentsOf: old) }
        #expect(refusal?.description.contains("end with CR alone") == true, "\(refusal)")
    }

    @Test("a manifest without its columns or rows, or with one twice, is refused, and a missing file is named")
    func badManifests() throws {
        for text in ["", "dataset,name\na,b\n", "dataset,recording\n", "dataset,recording\na,b\nc,b\na,b\n"] {
            let url = try write("manifest.csv", text)
            let error = #expect(throws: EvaluationError.self) { try Manifest(contentsOf: url) }
            #expect(error?.reason == .malformed)
        }
        let lacking = try write("manifest.csv", "dataset,name\na,b\n")
        let named = #expect(throws: EvaluationError.self) { try Manifest(contentsOf: lacking) }
        #expect(
            named?.problem.hasPrefix("has no column recording; it has dataset, name. A manifest is") == true, "\(named)"
        )
        let error = #expect(throws: EvaluationError.self) {
            try Manifest(contentsOf: URL(filePath: folder.path("none.csv")))
        }
        #expect(error?.reason == .unreadable)
        #expect(error?.description.hasSuffix("none.csv: no such file") == true)
    }

    @Test("step times stand in a file beside the recording")
    func stepTimes() throws {
        let url = try write("manifest.csv", "dataset,recording,true_steps\n,a,3\n,b,3\n")
        _ = try write("a.steps.csv", "foot,time\nleft,1.5\nright,2.25\nleft,oops\n")
        let truths = try Manifest(contentsOf: url).recordings.map { try $0.truth() }
        guard case .steps(3, let times) = truths[0], case .steps(3, nil) = truths[1] else {
            Issue.record("\(truths)")
            return
        }
        #expect(times == [1.5, 2.25])
    }

    @Test("labels of rows become seconds and intervals; a turn during a walk belongs to it")
    func labels() throws {
        let rows = (0..<100).map { index in
            let label = index < 20 ? "stationary" : (50..<60).contains(index) ? "unknown" : "walking"
            return "\(Double(index) / 2 + 0.25),0,0,1,\(label)"
        }
        let text = (["time,x,y,z,label"] + rows + ["broken,0,0,1,walking", "60,0,0,1,dancing"]).joined(separator: "\n")
        let labels = try ActivityLabels(recording: write("a.csv", text))
        #expect(labels.seconds.count == 50)
        #expect(labels.seconds[1].time == moments(1.25)[0])
        #expect(labels.intervals.map(\.activity) == [.stationary, .walking, .unknown, .walking])
        #expect(labels.intervals.map(\.range.lowerBound) == moments(0.25, 10.25, 25.25, 30.25))
        #expect(labels.boundaries(of: .walking) == (starts: moments(10.25), ends: []))
        #expect(labels.boundaries(of: .stationary) == (starts: [], ends: moments(10.25)))
    }

    @Test("time without a label belongs to no interval, and starts and ends no activity")
    func unlabeled() throws {
        let rows = [
            "start,end,label", "nan,5,walking", "0,30,stationary", "60,70,walking", "70,80,walking", "80,95,dancing",
            "95,100,stationary",
        ]
        let labels = try ActivityLabels(intervals: write("gaps.labels.csv", rows.joined(separator: "\n")))
        #expect(labels.seconds.count == 55)
        #expect(labels.intervals.map(\.activity) == [.stationary, .walking, .stationary])
        #expect(labels.intervals.map { $0.range.seconds.rounded() } == [30, 20, 5])
        #expect(labels.boundaries(of: .walking) == (starts: [], ends: []))
        let dense = (0..<60).map { "\($0),0,0,1,\($0 < 20 ? "stationary" : $0 < 50 ? "dancing" : "stationary")" }
        let recorded = try ActivityLabels(
            recording: write("gaps.csv", (["time,x,y,z,label"] + dense).joined(separator: "\n")))
        #expect(recorded.intervals.map { $0.range.seconds.rounded() } == [20, 9])
        let sparse = (0..<600).map { row in
            let label = row % 10 > 2 ? "" : row < 300 ? "walking" : "stationary"
            return "\(Double(row) / 10),0,0,1,\(label)"
        }
        let once = try ActivityLabels(
            recording: write("sparse.csv", (["time,x,y,z,label"] + sparse).joined(separator: "\n")))
        #expect(once.intervals.map { $0.range.seconds.rounded() } == [30, 29])
        let endless = try write("endless.labels.csv", "start,end,label\n0,1700000000,stationary\n")
        #expect(throws: EvaluationError.self) { try ActivityLabels(intervals: endless) }
    }

    @Test("labels of a simulation come from its ground truth")
    func simulation() throws {
        let url = try write("manifest.csv", "dataset,recording,labels\n,a,simulated\n,b,none\n")
        _ = try write(
            "a.truth.json",
            """
            {"segments": [{"offset": 0, "duration": 2.5, "activity": "walking", "flags": ["walking"], "steps": 4},
            {"offset": 2.5, "duration": 2, "activity": "stationary", "flags": [], "steps": 0}]}
            """)
        _ = try write("b.csv", "time,x,y,z\n0,0,0,1\n")
        let recordings = try Manifest(contentsOf: url).recordings
        guard case .activities(let labels) = try recordings[0].truth() else {
            Issue.record("no labels")
            return
        }
        #expect(labels.seconds.map(\.activity) == [.walking, .walking, .walking, .stationary, .stationary])
        #expect(labels.intervals.map(\.range.lowerBound) == moments(0, 2.5))
        #expect(throws: EvaluationError.self) { try recordings[1].truth() }
        #expect(throws: EvaluationError.self) { try ActivityLabels(simulation: recordings[1].url) }
    }
}
