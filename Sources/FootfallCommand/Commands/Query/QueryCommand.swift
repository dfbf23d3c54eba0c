import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReport
import Foundation
import Logging

/// A `footfall query`: its rows and their table. How a query is answered, printed and followed is common to all.
protocol QueryCommand: ParsableCommand {
    associatedtype Row: QueryRow

    var options: QueryOptions { get }

    /// The rows of the answer, in the order of time.
    func rows(in range: ResolvedRange, of source: SourceSnapshot) throws -> [Row]

    /// The rows as text for a terminal.
    func page(_ rows: [Row], _ clock: WallClock) -> Page
}

/// A row of an answer, identified by the start of its range.
protocol QueryRow: Hashable {
    static var columns: [String] { get }
    var record: Record { get }
    var range: Range<Timestamp> { get }
    /// Whether the start of the range is older than the retention, so that the row shrinks with time.
    var isShrinking: Bool { get }
}

/// An answer from one state of the history.
private struct QueryAnswer<Row: QueryRow> {
    let revision: Int
    let range: ResolvedRange
    let rows: [Row]
}

extension QueryCommand {
    func run() throws {
        let url = options.history.url
        let history = try MotionHistory(reading: url)
        options.output.log.info("reading \(url.path)")
        let answer = try options.follow ? follow(history) : print(answer(from: history))
        guard answer.range.coverage == 0 else { return }
        answer.range.noteEmptiness()
        if options.requireData { throw ExitCode(Failure.noData) }
    }

    private func answer(
        from history: MotionHistory, after previous: ResolvedRange? = nil
    ) throws -> QueryAnswer<Row> {
        try history.read { snapshot in
            let range = try ResolvedRange(options.range, in: snapshot, after: previous)
            let rows = try rows(in: range, of: snapshot.source(range.source))
            return QueryAnswer(revision: try snapshot.revision, range: range, rows: rows)
        }
    }

    private func print(_ answer: QueryAnswer<Row>) -> QueryAnswer<Row> {
        let ordered = options.reverse ? answer.rows.reversed() : answer.rows
        options.output.print(ordered.lazy.map(\.record), columns: Row.columns) {
            page(ordered, answer.range.clock).text
        }
        return answer
    }

    /// Repeats the query after each change of the history, until interrupted or until the output is closed.
    private func follow(_ history: MotionHistory) throws -> QueryAnswer<Row> {
        var answer = try answer(from: history)
        var printer = ChangePrinter<Row>(options.output.output)
        defer { printer.finish() }
        while true {
            printer.print(answer.rows) { page($0, answer.range.clock) }
            repeat {
                guard !Interruption.isRequested, Terminal.waitWhileOpen(milliseconds: 200) else { return answer }
            } while try history.revision == answer.revision
            answer = try self.answer(from: history, after: answer.range)
        }
    }
}

/// Prints the new and the changed rows of a repeated query.
private struct ChangePrinter<Row: QueryRow> {
    private var known: [Timestamp: Row] = [:]
    private var writer: RecordWriter?
    private var screen = Screen()
    private var isFirst = true

    init(_ format: OutputFormat) {
        writer = format.makeWriter(columns: Row.columns)
    }

    /// Prints new and changed rows or, on a terminal, the whole table.
    mutating func print(_ rows: [Row], page: ([Row]) -> Page) {
        let changes = rows.filter { isChange($0) }
        // A row that disappears is removed here, so that it counts as new if it comes back.
        known = Dictionary(rows.map { ($0.range.lowerBound, $0) }) { $1 }
        if writer != nil {
            for row in changes { writer?.write(row.record) }
        } else if Terminal.isOutputTerminal {
            screen.show(page(rows).text)
        } else {
            let part = page(changes)
            Terminal.out((isFirst ? part.head : "") + part.body)
        }
        isFirst = false
    }

    func finish() { writer?.finish() }

    /// Whether a row is new or changed. A row that only shrinks with the retention is unchanged.
    private func isChange(_ row: Row) -> Bool {
        guard let old = known[row.range.lowerBound] else { return true }
        return row != old && !(row.isShrinking && row.range.upperBound == old.range.upperBound)
    }
}
