internal import Footfall
package import FootfallHistory
package import Foundation
internal import NIOHTTP1
internal import Synchronization

/// The history of a server: a file, or that of a recorder.
package final class ServedHistory: Sendable {
    private let opened: Mutex<(history: FollowedHistory, session: String)>
    /// The file; nil for a history that belongs to a recorder.
    private let url: URL?

    /// Opens a history for reading.
    package init(reading url: URL) throws {
        opened = Mutex((FollowedHistory(try MotionHistory(reading: url)), Self.newSession))
        self.url = url
    }

    /// Shares the history of a recorder.
    package init(_ history: MotionHistory) {
        opened = Mutex((FollowedHistory(history), Self.newSession))
        url = nil
    }

    /// A text that is new for each opened file: one that replaces another may have the same revision.
    var session: String { opened.withLock(\.session) }

    private static var newSession: String { String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// The number of the recorded state. Throws `HistoryError`.
    var revision: Int {
        get throws { try opened.withLock(\.history).recorded.read(until: { false }, { try $0.revision }) }
    }

    /// Answers from one state of the history, unless the work is over before. The answer has the events that wait, so
    /// its steps are those of `footfall query`. Throws ``Problem``, and what `question` throws.
    func read<Answer>(_ work: Work, _ question: (HistorySnapshot) throws -> Answer) throws -> Answer {
        do {
            return try use(orFailWith: Self.unreadable) { try $0.read(until: { work.isOver }, question) }
        } catch is CancellationError {
            try work.check()
            throw CancellationError()
        }
    }

    /// Changes the marks of the history. Throws ``Problem``.
    func change<Answer>(_ change: (MotionHistory) throws -> Answer) throws -> Answer {
        try use(orFailWith: Self.unchangeable) { try change($0.recorded) }
    }

    private static let unreadable =
        "The history cannot be read now. “footfall history info” on the server has the reason."
    private static let unchangeable = "The history takes no marks now. “footfall mark” on the server has the reason."

    private func use<Answer>(
        orFailWith failure: String, _ body: (FollowedHistory) throws -> Answer
    ) throws -> Answer {
        do {
            do {
                return try body(opened.withLock(\.history))
            } catch let error as HistoryError where error.reason == .missing {
                // The file was removed or replaced. The new one may be there already.
                guard let url else { throw error }
                let new = FollowedHistory(try MotionHistory(reading: url))
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
