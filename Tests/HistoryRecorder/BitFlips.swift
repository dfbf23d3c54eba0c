import Footfall
import FootfallHistory
import Foundation

/// Flips bits of a small history and reads and writes each damaged copy. A trap ends the process.
struct BitFlips {
    private let folder: URL
    private let original: [UInt8]
    /// The bytes that hold something: most of a small file is empty.
    private let occupied: [Int]

    /// Creates the history in a folder.
    init(in folder: URL) throws {
        self.folder = folder
        let url = folder.appending(path: "original.sqlite")
        do {
            let history = try MotionHistory(at: url)
            for (source, zone) in [("wrist", "Europe/Berlin"), ("pocket", "Asia/Tokyo")] {
                for call in 0..<Int64(12) {
                    let zone = TimeZone(identifier: call < 6 ? zone : "America/New_York")
                    try history.record(HistoryRecorder.events(of: call * 7), from: source, timeZone: zone)
                }
                let day = Timestamp.epoch..<Timestamp.epoch.advanced(bySeconds: 86400)
                try history.mark("all day", in: day, from: source)
                try history.mark("lap", at: day.lowerBound, from: source)
            }
        }
        let bytes = try Array(Data(contentsOf: url))
        original = bytes
        occupied = bytes.indices.filter { bytes[$0] != 0 }
    }

    /// Tries copies with one to three flipped bits. Writes a line before each copy, and after it what happened.
    func run(_ count: Int, say: (String) -> Void) throws {
        for seed in 0..<UInt64(count) {
            say("copy \(seed)")
            var bytes = original
            var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
            for _ in 0...seed % 3 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                bytes[occupied[Int(state >> 33) % occupied.count]] ^= 1 << UInt8(state >> 20 & 7)
            }
            let url = folder.appending(path: "copy.sqlite")
            for suffix in ["", "-wal", "-shm", "-lock"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
            try Data(bytes).write(to: url)
            say(Self.attempts(url).map { Self.outcome(of: $0) }.joined(separator: " "))
        }
    }

    /// Each question, and each way to write.
    private static func attempts(_ url: URL) -> [() throws -> Void] {
        let range = Timestamp.supported
        let hour = HistoryRecorder.events(of: 0)
        let questions: [(SourceSnapshot) throws -> Void] = [
            { _ = try $0.steps(in: range) },
            { _ = try $0.steps(in: Timestamp.epoch..<Timestamp.epoch.advanced(bySeconds: 86400), by: .hour) },
            { _ = try $0.stepTimes(in: range) },
            { _ = try $0.bouts(in: range) },
            { _ = try $0.activities(in: range) },
            { _ = try $0.pieces(in: range) },
            { _ = try $0.coverage(in: range).gaps },
            { _ = try $0.summary(of: range) },
            { _ = try $0.timeZones() },
            { _ = try $0.marks(in: range) },
            { _ = try $0.info() },
        ]
        func read(_ question: @escaping (HistorySnapshot) throws -> Void) -> () throws -> Void {
            { try MotionHistory(reading: url).read(question) }
        }
        var attempts = questions.map { question in read { try question($0.source("wrist")) } }
        attempts += [
            read { _ = (try $0.sources(), try $0.retention, try $0.revision, try $0.formatVersion) },
            { try MotionHistory(reading: url).exportLines { _ in } },
            { try MotionHistory(at: url).record(hour, from: "wrist") },
            { try MotionHistory(at: url, retention: .forever).record(hour, from: "pocket", timeZone: .gmt) },
            {
                try MotionHistory(at: url).delete(
                    in: Timestamp.epoch..<Timestamp.epoch.advanced(bySeconds: 200), from: "wrist")
            },
        ]
        return attempts
    }

    private static func outcome(of attempt: () throws -> Void) -> String {
        do {
            try attempt()
            return "answered"
        } catch let error as HistoryError {
            switch error.reason {
            case .damaged, .foreign, .newerVersion, .unknownSource: return "refused"
            default: return "unexplained(\(error))"
            }
        } catch {
            return "unexplained(\(error))"
        }
    }
}
