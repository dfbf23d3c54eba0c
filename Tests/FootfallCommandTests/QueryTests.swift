import Footfall
import FootfallHistory
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("footfall query")
struct QueryTests {
    private static let kinds = ["steps", "activities", "coverage", "summary"]

    @Test("has the same keys in CSV, JSON and ndjson, and the keys that scripts rely on")
    func keys() throws {
        let history = try RecordedHistory.commute.get()
        let promised = [
            "steps": ["start", "end", "steps", "coverage", "truncated"],
            "activities": [
                "start", "end", "duration", "activity", "flags", "confidence", "probability", "steps", "halts",
                "reason",
                "clippedStart", "clippedEnd", "open",
            ],
            "coverage": ["start", "end", "coverage", "truncated", "covered", "gaps"],
            "summary": ["start", "end", "steps", "coverage", "truncated", "walking", "automotive", "longestBout"],
        ]
        for kind in Self.kinds {
            let records = try history.records(kind)
            let keys = try #require(records.first?.keys.sorted())
            let csv = try history.query(kind, "-o", "csv").output.split(separator: "\n")
            #expect(csv.first?.split(separator: ",").map(String.init).sorted() == keys, "\(kind)")
            #expect(csv.count == records.count + 1)
            let lines = try history.query(kind, "-o", "ndjson").output.split(separator: "\n")
            #expect(lines.count == records.count)
            for line in lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(object?.keys.sorted() == keys)
            }
            #expect(Set(keys).isSuperset(of: promised[kind] ?? []), "\(kind)")
        }
    }

    @Test("counts the steps of the analysis, in total and in parts that add up")
    func additivity() throws {
        let history = try RecordedHistory()
        let analysis = try history.record("commute", start: "2026-11-20T08:00:00Z").records()
        let steps = try #require(analysis.integers("steps").first)
        #expect(try history.records("steps").integers("steps") == [steps])
        for bucket in ["hour", "day", "week", "15m", "1m", "7min"] {
            let counts = try history.records("steps", "--by", bucket).integers("steps")
            #expect(counts.reduce(0, +) == steps, "\(bucket)")
        }
        let cuts = ["08:00", "08:01:07.123456", "08:03:30.5", "08:03:31", "08:20"].map { "2026-11-20T\($0)Z" }
        let parts = try zip(cuts, cuts.dropFirst()).flatMap {
            try history.records("steps", "--since", $0, "--until", $1).integers("steps")
        }
        #expect(parts.count == 4 && parts.reduce(0, +) == steps)
    }

    @Test("filters by activity, duration and confidence")
    func filters() throws {
        let history = try RecordedHistory.commute.get()
        let all = try history.records("activities")
        let walks = all.filter { $0["activity"] as? String == "walking" }
        #expect(try history.records("activities", "--activity", "walking").count == walks.count)
        let both = try history.records("activities", "--activity", "walking", "--activity", "automotive")
        #expect(Set(both.strings("activity")) == ["walking", "automotive"])
        let long = try history.records("activities", "--min-duration", "1min")
        #expect(long.count == all.filter { ($0["duration"] as? Double ?? 0) >= 60 }.count)
        #expect(long.count < all.count)
        let certain = try history.records("activities", "--confidence", "high")
        #expect(certain.count == all.filter { $0["confidence"] as? String == "high" }.count)

        let steps = try history.records("steps", "--activity", "walking")
        #expect(steps.integers("steps") == [walks.integers("steps").reduce(0, +)])
        let minutes = try history.records("steps", "--activity", "walking", "--by", "1m")
        #expect(minutes.integers("steps").reduce(0, +) == steps.integers("steps").first)
        let driven = try history.records("steps", "--activity", "automotive")
        #expect(driven.integers("steps") == [0])
        #expect((driven.first?["coverage"] as? Double ?? 0) > 0)
    }

    @Test("has the halts of a drive, and the reason of an unknown activity")
    func haltsAndReasons() throws {
        let drive = try #require(
            RecordedHistory.commute.get().records("activities", "--activity", "automotive").first)
        let halts = try #require(drive["halts"] as? [[String: String]])
        // A red light of 25 seconds, from 5 min 38 s on.
        #expect(halts.contains { $0["start"]?.hasPrefix("2026-11-20T08:05:3") == true && $0["end"] != nil })
        #expect(drive["reason"] is NSNull)
        let table = try RecordedHistory.commute.get().query("activities").output
        #expect(table.contains(" halts, 29.5 s"))

        let folder = try Folder()
        let slow =
            "time,x,y,z\n" + (0..<200).map { "\(Double($0) / 3),0.01,0.02,\(1 - Double($0 % 7) / 100)\n" }.joined()
        let trace = try folder.write("slow.csv", slow)
        let analysis = try footfall("analyze", trace, "-o", "json").records()
        let segments = try #require(analysis.first?["activities"] as? [[String: Any]])
        #expect(segments.strings("reason") == ["lowRate"])
        #expect(segments.strings("activity") == ["unknown"])
        #expect(try footfall("analyze", trace).output.contains("under 8 Hz"))
    }

    @Test("has the bounds of a segment and the clipped bounds")
    func clipping() throws {
        let history = try RecordedHistory.walk()
        let run = try history.query(
            "activities", "--since", "2026-11-20T08:00:30Z", "--until", "2026-11-20T08:01:00Z", "-o", "json")
        let segment = try #require(run.records().first)
        #expect(segment["start"] as? String == "2026-11-20T08:00:00.000Z")
        #expect(segment["clippedStart"] as? String == "2026-11-20T08:00:30.000Z")
        #expect(segment["clippedEnd"] as? String == "2026-11-20T08:01:00.000Z")
        #expect(segment["open"] as? Bool == true)
        let steps = try #require(segment["steps"] as? Int)
        #expect((40...70).contains(steps))
    }

    @Test("prints the newest first with --reverse")
    func reverse() throws {
        let history = try RecordedHistory.commute.get()
        for question in [["steps", "--by", "1m"], ["activities"]] {
            let arguments = question + ["-o", "json", "--history", history.path]
            let starts = try footfall(["query"] + arguments).records().strings("start")
            #expect(try footfall(["query"] + arguments + ["-r"]).records().strings("start") == starts.reversed())
            #expect(starts.count > 1)
        }
    }

    @Test("without data prints an empty list or no coverage, and fails with --require-data or in an empty history")
    func noData() throws {
        let history = try RecordedHistory.commute.get()
        let past = ["--since", "2020-01-01", "--until", "2020-01-02", "--history", history.path]
        for (kind, format) in zip(Self.kinds, ["table", "csv", "json", "ndjson"]) {
            let run = try footfall(["query", kind, "-o", format] + past)
            #expect(run.status == 0)
            #expect(run.errors.contains("2026-11-20 08:00:00"), "\(run.errors)")
            let strict = try footfall(["query", kind, "-o", format, "--require-data"] + past)
            #expect(strict.status == 3)
            #expect(strict.output == run.output)
            #expect(try history.query(kind, "--require-data").status == 0)
        }
        let json = try footfall(["query", "activities", "-o", "json"] + past)
        #expect(json.output == "[]\n")
        let csv = try footfall(["query", "activities", "-o", "csv"] + past)
        #expect(csv.output.hasPrefix("start,") && csv.output.split(separator: "\n").count == 1)
        let steps = try footfall(["query", "steps", "-o", "json"] + past).records()
        #expect(steps.integers("steps") == [0] && steps.first?["coverage"] as? Double == 0)
        let empty = try RecordedHistory.walk()
        #expect(try empty.manage("delete", "--source", "wrist").status == 0)
        for (option, status) in [("--verbose", Int32(1)), ("--require-data", 3)] {
            let run = try empty.query("activities", "-o", "json", option)
            #expect(
                run.status == status && run.output == "[]\n" && run.errors.contains("the history is empty"), "\(run)")
        }
        // A filter without matches is not missing data.
        #expect(try history.query("activities", "--activity", "cycling", "--require-data").status == 0)
    }

    @Test("needs the name of the source if there are several")
    func sources() throws {
        let history = try RecordedHistory.walk()
        try history.record("run-pocket", start: "2026-11-20T09:00:00Z", source: "pocket")
        let unclear = try history.query("steps")
        #expect(unclear.status == 64)
        #expect(unclear.errors.contains("pocket, wrist") && unclear.output.isEmpty)
        let unknown = try history.query("steps", "--source", "ankle")
        #expect(unknown.status == 64 && unknown.errors.contains("pocket, wrist"))
        for source in ["wrist", "pocket"] {
            #expect(try history.records("steps", "--source", source).count == 1)
        }
    }

    @Test("reads times in journalctl's grammar, including a leading minus")
    func times() throws {
        let history = try RecordedHistory.commute.get()
        let now = Date()
        let run = try history.query("steps", "--since", "-2h", "-U", "+1h", "-o", "json", "--tz", "Asia/Tokyo")
        let record = try #require(try run.records().first)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let start = try format.parse(#require(record["start"] as? String))
        let end = try format.parse(#require(record["end"] as? String))
        #expect(abs(start.timeIntervalSince(now) + 7200) < 60 && abs(end.timeIntervalSince(start) - 10800) < 0.1)
        let day = try history.records("steps", "-S", "2026-11-20", "-U", "2026-11-20 08:03")
        #expect(day.strings("start") == ["2026-11-20T00:00:00.000Z"])
        #expect(day.strings("end") == ["2026-11-20T08:03:00.000Z"])
        #expect(try history.query("steps", "--since", "--until", "today").status == 64)
    }

    @Test("answers from one state of the history while another thread records")
    func consistency() throws {
        let history = try RecordedHistory()
        let start = try #require(Timestamp(year: 2026, month: 11, day: 16))
        let recorder = try MotionHistory(at: URL(filePath: history.path))
        try recorder.record(ShiftingWalks.events(of: 0, from: start), from: "wrist", timeZone: .gmt)
        let isDone = Mutex(false)
        let thread = Thread {
            for call in 1... {
                if isDone.withLock(\.self) { return }
                _ = try? recorder.record(ShiftingWalks.events(of: call, from: start), from: "wrist")
            }
        }
        thread.start()
        defer { isDone.withLock { $0 = true } }
        var firstDays: Set<Int> = []
        // Of 40 answers from several transactions, about half have another total.
        for _ in 0..<40 {
            let days = try history.records("summary", "--since", "2026-11-16", "--until", "2026-11-18").integers(
                "steps")
            #expect(days.count == 2 && days.reduce(0, +) == ShiftingWalks.steps)
            firstDays.insert(days[0])
        }
        #expect(firstDays == [100, 200])
    }

    @Test("refuses more than a million buckets before it prints one", arguments: [[], ["--reverse"], ["--follow"]])
    func tooManyBuckets(options: [String]) throws {
        let history = try RecordedHistory.commute.get()
        for format in ["json", "csv", "table"] {
            let run = try history.query(
                ["steps", "--by", "1m", "--since", "1900-01-01", "--until", "2150-01-01", "--tz", "UTC", "-o", format]
                    + options)
            #expect(run.status == 64 && !run.output.contains("1900"), "\(run)")
            #expect(run.errors.contains("about 131487840 buckets, and an answer has at most 1000000"), "\(run)")
        }
    }

    @Test("rejects invalid options before it opens a file")
    func refusals() throws {
        for arguments in [
            ["steps", "--by", "0m"], ["steps", "--activity", "flying"], ["activities", "--min-duration", "long"],
            ["activities", "--confidence", "total"], ["steps", "--follow", "--reverse"], ["summary", "--tz", "Mars"],
            ["coverage", "--since", "tomorow"],
        ] {
            let run = try footfall(["query"] + arguments + ["--history", "/nowhere/history.sqlite"])
            #expect(run.status == 64, "\(run)")
            #expect(run.output.isEmpty && run.errors.hasPrefix("footfall: "))
        }
    }
}
