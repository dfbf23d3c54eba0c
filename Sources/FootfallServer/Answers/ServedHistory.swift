internal import Footfall
internal import FootfallHistory
internal import Foundation
internal import NIOHTTP1
internal import Synchronization

final class ServedHistory: Sendable {
    private let opened: Mutex<(history: MotionHistory, session: String)>
    /// The history with the events that wait for their transaction, while some do.
    private struct Current {
        let base: MotionHistory
        let revision: Int
        var waiting: [Data]
        let history: MotionHistory
    }

    private let current = Mutex<Current?>(nil)
    /// The file; nil for a history that belongs to a recorder.
    private let url: URL?

    /// Opens a history for reading.
    init(reading url: URL) throws {
        opened = Mutex((try MotionHistory(reading: url), Self.newSession))
        self.url = url
    }

    /// Shares the history of a recorder.
    init(_ history: MotionHistory) {
        opened = Mutex((history, Self.newSession))
        url = nil
    }

    /// A text that is new for each opened file: one that replaces another may have the same revision.
    var session: String { opened.withLock(\.session) }

    private static var newSession: String { String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// The number of the recorded state. Throws `HistoryError`.
    var revision: Int { get throws { try Self.revision(of: opened.withLock(\.history)) } }

    private static func revision(of history: MotionHistory) throws -> Int {
        try history.read(until: { false }, { try $0.revision })
    }

    /// A history with the events of a recorder that wait for their transaction. So every answer has the number of steps
    /// that `footfall query` has.
    private func withWaiting(_ base: MotionHistory) throws -> MotionHistory {
        guard let waiting = base.waiting else {
            current.withLock { $0 = nil }
            return base
        }
        return try current.withLock { current in
            let revision = try Self.revision(of: base)
            if let known = current, known.base === base, known.revision == revision {
                if known.waiting != waiting.bytes {
                    try known.history.add(waiting)
                    current?.waiting = waiting.bytes
                }
                return known.history
            }
            let new = try base.current(with: waiting)
            current = Current(base: base, revision: revision, waiting: waiting.bytes, history: new)
            return new
        }
    }

    /// Answers from one state of the history, with the events that wait, unless the work is over before. Throws
    /// ``Problem``, and what `question` throws.
    func read<Answer>(_ work: Work, _ question: (HistorySnapshot) throws -> Answer) throws -> Answer {
        do {
            return try use(orFailWith: Self.unreadable) { try withWaiting($0).read(until: { work.isOver }, question) }
        } catch is CancellationError {
            try work.check()
            throw CancellationError()
        }
    }

    /// Changes the marks of the history. Throws ``Problem``.
    func change<Answer>(_ change: (MotionHistory) throws -> Answer) throws -> Answer {
        try use(orFailWith: Self.unchangeable, change)
    }

    private static let unreadable =
        "The history cannot be read now. “footfall history info” on the server has the reason."
    private static let unchangeable = "The history takes no marks now. “footfall mark” on the server has the reason."

    private func use<Answer>(
        orFailWith failure: String, _ body: (MotionHistory) throws -> Answer
    ) throws -> Answer {
        do {
            do {
                return try body(opened.withLock(\.history))
            } catch let error as HistoryError where error.reason == .missing {
                // The file was removed or replaced. The new one may be there already.
                guard let url else { throw error }
                let new = try MotionHistory(reading: url)
                opened.withLock { $0 = (new, Self.newSession) }
                return try body(new)
            }
        } catch let error as HistoryError {
            throw Problem(error, orElse: failure)
        } catch is ResolvedRange.Empty {
            throw Problem(
                .badRequest, "since is at or after until. Give an earlier since or a later until.", parameter: "since")
        }
    }
}

extension Problem {
    /// The error of a history, without the path of the file.
    fileprivate init(_ error: HistoryError, orElse failure: String) {
        func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
        switch error.reason {
        case .unknownSource(_, let known):
            self.init(.notFound, "There is no such source. Sources: \(list(known)).", parameter: "source")
        case .severalSources(let names):
            self.init(.badRequest, "There are several sources: \(list(names)). Name one of them.", parameter: "source")
        case .tooManyBuckets: self = QueryAPI.tooMany(QueryAPI.mostRows)
        case .unkept:
            self.init(.badRequest, "The history does not keep this time. Mark a later one.", parameter: "since")
        default: self.init(busy: failure)
        }
    }
}
