import Footfall
import FootfallHistory
import Foundation

/// Records one call after the other into a history and prints a line after each.
///
/// Usage: `HistoryRecorder FILE CALLS [LARGEST-FILE-SIZE]`. After the last call it waits to be killed.
/// `HistoryRecorder --flip-bits FOLDER COUNT` reads and writes damaged copies of a history, see ``BitFlips``.
@main
struct HistoryRecorder {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "--flip-bits", let count = Int(arguments[3]) {
            return try BitFlips(in: URL(filePath: arguments[2])).run(count) { printLine($0) }
        }
        guard arguments.count > 2, let calls = Int64(arguments[2]) else { exit(64) }
        if arguments.count > 3, let bytes = UInt64(arguments[3]) {
            var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
            signal(SIGXFSZ, SIG_IGN)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }
        do {
            let history = try MotionHistory(at: URL(fileURLWithPath: arguments[1]))
            printLine("open")
            for call in 0..<calls {
                try history.record(events(of: call), from: "wrist", timeZone: .gmt)
                printLine("\(call)")
            }
            printLine("done")
            // Longer than any test: one that fails may leave this process behind.
            sleep(3600)
        } catch {
            printLine("\(error)")
            exit(1)
        }
    }

    /// Fifteen seconds of walking. The first five repeat those of the previous call with other times.
    static func events(of call: Int64) -> [MotionEvent] {
        var events: [MotionEvent] = []
        let second: Int64 = 1_000_000_000
        for part in 0..<Int64(3) {
            let start = (call * 10 - 5 + part * 5) * second
            for step in 0..<Int64(40) {
                let time = start + step * second / 8 + call % 7
                events.append(.step(Step(time: Timestamp(nanosecondsSince1970: time))))
            }
            let from = Timestamp(nanosecondsSince1970: start)
            let until = Timestamp(nanosecondsSince1970: start + 5 * second)
            let flags: ActivityFlags = call % 3 == 0 ? .walking : .running
            events.append(.segment(Segment(range: from..<until, flags: flags, probability: 0.9, steps: 40)))
        }
        return events
    }

    private static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
