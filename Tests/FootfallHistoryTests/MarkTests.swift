import Footfall
import FootfallHistory
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A mark")
struct MarkTests {
    private let folder: Folder
    private var file: URL { folder.history }

    /// A walk of an hour with two steps per second.
    init() throws {
        folder = try Folder()
        let history = try MotionHistory(at: folder.history)
        try history.record(Recordings.walk(0..<3600), from: "wrist", timeZone: .gmt)
        history.close()
    }

    /// The marks as texts such as `lap 10-20`; a star stands after an open one.
    private func marks(
        _ history: MotionHistory, in range: Range<Timestamp> = Timestamp.supported, from source: String? = nil
    ) throws -> [String] {
        try history.marks(in: range, from: source).map { mark in
            let ends = [mark.range.lowerBound, mark.range.upperBound].map { $0.nanosecondsSince1970 / 1_000_000_000 }
            return "\(mark.text) \(ends[0])-\(ends[1])\(mark.isOpen ? "*" : "")"
        }
    }

    private func lines(_ history: MotionHistory) throws -> [String] {
        var lines: [String] = []
        try history.exportLines { lines.append($0) }
        return lines
    }

    @Test("counts the steps of a lap without a change of any other answer")
    func laps() throws {
        let history = try MotionHistory(at: file)
        let before = try history.summary(of: Timestamp.supported)
        for start in [600, 1200, 1800] as [Int64] {
            let lap = try history.mark("lap", at: .second(start))
            #expect(lap.range == .seconds(start..<3600) && lap.isOpen)
        }
        #expect(try marks(history) == ["lap 600-1200*", "lap 1200-1800*", "lap 1800-3600*"])
        let steps = try history.marks(in: Timestamp.supported).map { try history.steps(in: $0.range).count }
        #expect(steps == [1200, 1200, 3600])
        #expect(try history.summary(of: Timestamp.supported) == before)
    }

    @Test("with an end overlaps others, and ends no open one")
    func overlap() throws {
        let history = try MotionHistory(at: file)
        try history.mark("treadmill", at: .second(100))
        try history.mark("with the pram", in: Range.seconds(200..<300))
        try history.mark("uphill", in: Range.seconds(250..<400))
        try history.mark("outside", at: .second(1000))
        #expect(
            try marks(history)
                == ["treadmill 100-1000*", "with the pram 200-300", "uphill 250-400", "outside 1000-3600*"])
        #expect(try marks(history, in: .seconds(300..<301)) == ["treadmill 100-1000*", "uphill 250-400"])
        #expect(try marks(history, in: .seconds(1000..<1001)) == ["outside 1000-3600*"])
        #expect(try marks(history, in: .seconds(0..<100)).isEmpty)
        #expect(try marks(history, in: .seconds(50..<50)).isEmpty)
    }

    @Test("without an end grows with the data, and is empty before it")
    func open() throws {
        let history = try MotionHistory(at: file)
        let ahead = try history.mark("tomorrow", at: .second(4000))
        #expect(ahead.isOpen && ahead.range.isEmpty)
        try history.record(Recordings.walk(3600..<3900), from: "wrist")
        #expect(try marks(history) == ["tomorrow 4000-4000*"])
        try history.record(Recordings.walk(3900..<4200), from: "wrist")
        #expect(try marks(history) == ["tomorrow 4000-4200*"])
    }

    @Test("of the same start and text replaces the one before, and another text does not")
    func replaced() throws {
        let history = try MotionHistory(at: file)
        try history.mark("pram", at: .second(10))
        try history.mark("shop", at: .second(10))
        #expect(try marks(history) == ["pram 10-3600*", "shop 10-3600*"])
        try history.mark("pram", in: Range.seconds(10..<20))
        #expect(try marks(history) == ["pram 10-20", "shop 10-3600*"])
        try history.unmark(history.marks(in: Timestamp.supported).suffix(1))
        #expect(try marks(history) == ["pram 10-20"])
    }

    @Test("is kept when its time is recorded again, and through a restart")
    func kept() throws {
        do {
            let history = try MotionHistory(at: file)
            try history.mark("pram", in: Range.seconds(10..<20))
            try history.record(Recordings.rest(0..<60), from: "wrist")
            try history.finish()
        }
        #expect(try marks(MotionHistory(reading: file)) == ["pram 10-20"])
        #expect(try marks(MotionHistory(at: file)) == ["pram 10-20"])
    }

    @Test("belongs to its source")
    func sources() throws {
        let history = try MotionHistory(at: file)
        try history.record(Recordings.walk(0..<60), from: "pocket")
        #expect(throws: HistoryError(.severalSources(["pocket", "wrist"]), at: file)) {
            try history.mark("lap", at: .second(5))
        }
        try history.mark("lap", at: .second(5), from: "pocket")
        try history.mark("lap", at: .second(10), from: "wrist")
        #expect(try marks(history, from: "pocket") == ["lap 5-60*"])
        #expect(try marks(history, from: "wrist") == ["lap 10-3600*"])
        #expect(throws: HistoryError.self) { try history.mark("lap", at: .second(5), from: "ankle") }
        #expect(try history.sources().map(\.name) == ["pocket", "wrist"])
    }

    @Test(
        "has any text",
        arguments: [
            "a", "😀", "e\u{301}", "\u{E9}", "a'b\"c", "\n\t\u{1}\u{7F}", "%s", "; DROP TABLE mark", "\u{202E}x",
            "\u{FFFF}", String(repeating: "ü", count: 256),
        ])
    func texts(text: String) throws {
        let history = try MotionHistory(at: file)
        #expect(try history.mark(text, in: Range.seconds(10..<20)).text.utf8.elementsEqual(text.utf8))
        let copy = try MotionHistory.inMemory()
        try copy.importLines(lines(history))
        for history in [history, copy] {
            let found = try #require(history.marks(in: Timestamp.supported).first)
            #expect(found.text.utf8.elementsEqual(text.utf8))
        }
        #expect(try history.check().problem == nil)
    }

    @Test("is refused without a text, with a NUL or a document, and without a kept time")
    func refused() throws {
        let history = try MotionHistory(at: file)
        for text in ["", "a\u{0}b", String(repeating: "a", count: 257)] {
            #expect(throws: HistoryError.self) { try history.mark(text, at: .second(5)) }
        }
        #expect(throws: HistoryError.self) { try history.mark("empty", in: Range.seconds(5..<5)) }
        #expect(throws: HistoryError(.unkept, at: file)) {
            try history.mark("never", at: Timestamp.supported.upperBound)
        }
        try history.record(Recordings.rest(700_000..<700_060), from: "wrist")
        #expect(throws: HistoryError(.unkept, at: file)) { try history.mark("old", in: Range.seconds(10..<20)) }
        #expect(throws: HistoryError(.unkept, at: file)) { try history.mark("old and open", at: .second(10)) }
        #expect(try marks(history).isEmpty)
        #expect(throws: HistoryError.self) { try MotionHistory.inMemory().mark("nothing", at: .second(5)) }
    }

    @Test("expires with the events of its time")
    func retention() throws {
        let history = try MotionHistory.inMemory(retention: Retention(seconds: 5000))
        try history.record(Recordings.walk(0..<3600), from: "wrist")
        try history.mark("warm-up", in: Range.seconds(10..<20))
        try history.mark("first lap", at: .second(20))
        try history.mark("partly", in: Range.seconds(1000..<3000))
        try history.mark("lap", at: .second(2000))
        try history.record(Recordings.rest(3600..<7000), from: "wrist")
        // From 2000 s on.
        #expect(try marks(history) == ["partly 1000-3000", "lap 2000-7000*"])
        #expect(try !lines(history).contains { $0.contains("warm-up") || $0.contains("first lap") })
        try history.record(Recordings.rest(7000..<12_000), from: "wrist")
        #expect(try marks(history) == ["lap 2000-12000*"])
        #expect(try history.check().problem == nil)
    }

    @Test("that expired is not in the file any more")
    func purged() throws {
        let history = try MotionHistory(at: file, retention: Retention(seconds: 5000))
        try history.mark("secret", in: Range.seconds(10..<20))
        try history.record(Recordings.rest(3600..<7000), from: "wrist")
        try history.record(Recordings.rest(7000..<12_000), from: "wrist")
        try history.finish()
        let left = try DatabaseQueue(path: file.path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM mark") }
        #expect(left == 0)
    }

    @Test("is deleted with its whole time, and with its source")
    func deletion() throws {
        let history = try MotionHistory(at: file)
        try history.mark("within", in: Range.seconds(100..<200))
        try history.mark("across", in: Range.seconds(150..<300))
        try history.mark("lap", at: .second(160))
        try history.mark("lap", at: .second(190))
        try history.delete(in: Range.seconds(100..<200))
        #expect(try marks(history) == ["across 150-300", "lap 190-3600*"])
        try history.delete(in: .second(180)..<Timestamp.supported.upperBound)
        #expect(try marks(history) == ["across 150-300"])
        #expect(try history.check().problem == nil)
        try history.delete(in: Timestamp.supported)
        try history.record(Recordings.walk(0..<3600), from: "wrist")
        #expect(try marks(history).isEmpty)
    }

    @Test("is exported, and imported again and again")
    func export() throws {
        let history = try MotionHistory(at: file)
        try history.mark("pram", in: Range.seconds(10..<20))
        try history.mark("lap", at: .second(15))
        let export = try lines(history)
        let copy = try MotionHistory.inMemory()
        for _ in 0..<2 {
            try copy.importLines(export)
            #expect(try lines(copy) == export)
        }
        #expect(try marks(copy) == ["pram 10-20", "lap 15-3600*"])
        // A source without events keeps its marks, too.
        try copy.importLines([
            #"{"retention":604800000000000,"version":4}"#, #"{"source":"ankle","zones":[]}"#,
            #"{"mark":"later","start":5}"#, #"{"count":3}"#,
        ])
        #expect(try copy.marks(in: Timestamp.supported, from: "ankle").map(\.text) == ["later"])
    }

    @Test(
        "with a value that no export has is refused",
        arguments: [
            #"{"mark":"","start":5}"#, #"{"mark":"a"}"#, #"{"mark":"a","start":5,"end":5}"#,
            #"{"mark":"a","start":9223372036854775807}"#, #"{"mark":"a\u0000b","start":5}"#, #"{"mark":5,"start":5}"#,
        ])
    func invalidExport(line: String) throws {
        let copy = try MotionHistory.inMemory()
        let head = [#"{"version":4}"#, #"{"source":"a","zones":[]}"#]
        #expect(throws: HistoryError(.malformed(line: 3), at: nil)) {
            try copy.importLines(head + [line, #"{"count":3}"#])
        }
        #expect(throws: HistoryError(.malformed(line: 2), at: nil)) {
            try copy.importLines([head[0], #"{"mark":"a","start":5}"#, #"{"count":2}"#])
        }
        #expect(try copy.sources().isEmpty)
    }

    @Test("is copied, also while a recorder has the history open")
    func copy() throws {
        let history = try MotionHistory(at: file)
        try history.mark("pram", in: Range.seconds(10..<20))
        let copy = folder.url.appending(path: "copy.sqlite")
        try history.copy(to: copy)
        #expect(try marks(MotionHistory(reading: copy)) == ["pram 10-20"])
    }

    @Test("is added by a reader, with and without a recorder")
    func readers() throws {
        let reader = try MotionHistory(reading: file)
        try reader.mark("alone", in: Range.seconds(10..<20))
        #expect(try marks(reader) == ["alone 10-20"])
        let recorder = try MotionHistory(at: file)
        try recorder.record(Recordings.walk(3600..<3660), from: "wrist")
        let revision = try recorder.revision
        try reader.mark("beside", at: .second(30))
        #expect(try recorder.revision > revision)
        try recorder.record(Recordings.walk(3660..<3720), from: "wrist")
        #expect(try marks(recorder) == ["alone 10-20", "beside 30-3720*"])
        try reader.unmark(reader.marks(in: Timestamp.supported).prefix(1))
        try recorder.finish()
        #expect(try marks(reader) == ["beside 30-3720*"])
        #expect(try reader.steps(in: Timestamp.supported).count == 7440)
        #expect(try reader.check().problem == nil)
    }

    @Test("of this object or a reader is kept while the first events of a recording wait", arguments: [true, false])
    func first(isReader: Bool) async throws {
        let folder = try Folder()
        let recorder = try MotionHistory(at: folder.history)
        let (events, continuation) = AsyncStream.makeStream(of: [MotionEvent].self)
        for start in [0, 5, 10, 15] as [Int64] { continuation.yield(Recordings.walk(start..<start + 5)) }
        continuation.finish()
        var isMarked = false
        let outcome = try await recorder.record(\.self, of: events, from: "wrist", timeZone: .gmt) { _ in
            guard !isMarked else { return }
            isMarked = true
            let marking = isReader ? try MotionHistory(reading: folder.history) : recorder
            try marking.mark("lap", at: .second(2))
        }
        #expect(outcome.recorded == 44 && outcome.replaced == 0)
        #expect(try marks(recorder) == ["lap 2-20*"])
        #expect(try recorder.steps(in: Timestamp.supported).count == 40 && recorder.check().problem == nil)
    }

    @Test("of a reader creates no history where it was removed")
    func removed() throws {
        let reader = try MotionHistory(reading: file)
        try FileManager.default.removeItem(at: file)
        #expect(throws: HistoryError(.missing, at: file)) { try reader.mark("lost", at: .second(5)) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("that was added beside a killed recorder is kept with its recording")
    func killed() throws {
        let folder = try Folder()
        let process = try RecordingProcess(folder.history, calls: 3)
        while let line = process.nextLine(), line != "done" {}
        let steps = try MotionHistory(reading: folder.history).steps(in: Timestamp.supported).count
        try MotionHistory(reading: folder.history).mark("pram", at: .second(1))
        process.kill()
        _ = process.remainingLines()
        let history = try MotionHistory(at: folder.history)
        #expect(try history.marks(in: Timestamp.supported).map(\.text) == ["pram"])
        #expect(try history.steps(in: Timestamp.supported).count == steps && history.remarks.isEmpty)
        #expect(try history.check().problem == nil)
    }

    @Test(
        "that no call writes is found by a check",
        arguments: [
            "INSERT INTO mark VALUES (77, 5, NULL, 'stray')",
            "INSERT INTO mark VALUES (1, 9000000000000000000, NULL, 'far')",
            "INSERT INTO mark VALUES (1, 5, 9000000000000000000, 'far')", "INSERT INTO mark VALUES (1, 5, 6, '')",
        ])
    func damage(statement: String) throws {
        try DatabaseQueue(path: file.path).write { try $0.execute(sql: statement) }
        let problem = try MotionHistory(reading: file).check().problem
        #expect(problem?.text.contains("mark") == true || problem?.text.contains("1900 to 2150") == true)
    }
}
