import ArgumentParser
import Footfall
import FootfallHistory
import FootfallTables
import Foundation
import Logging

/// A `footfall query`: its question and its table. How a query is answered, printed and followed is common to all.
protocol QueryCommand: ParsableCommand {
    associatedtype Question: PrintedQuery
    typealias Row = Question.Row

    var options: QueryOptions { get }
    var question: Question { get }
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
        let history = try options.history.read(isFollowed: options.follow)
        options.output.log.info("reading \(url.path)")
        let range = try options.follow ? follow(history).range : print(history)
        guard range.coverage == 0 else { return }
        range.noteEmptiness()
        if options.requireData { throw ExitCode(Failure.noData) }
    }

    private func answer(
        from history: MotionHistory, after previous: ResolvedRange? = nil
    ) throws -> QueryAnswer<Row> {
        try history.read { snapshot in
            let (source, range) = try options.range.resolved(in: snapshot, after: previous)
            var rows: [Row] = []
            try question.rows(in: range, of: source) { rows.append($0) }
            return QueryAnswer(revision: try snapshot.revision, range: range, rows: rows)
        }
    }

    /// Prints the rows as they come, so that memory does not grow with their number.
    private func print(_ history: MotionHistory) throws -> ResolvedRange {
        try history.read { snapshot in
            let (source, range) = try options.range.resolved(in: snapshot)
            var printer = RowPrinter<Row>(options.output.output, zone: options.range.zone) {
                question.page($0, of: $1, range.clock, isReversed: options.reverse)
            }
            var reversed: [Row] = []
            try question.rows(in: range, of: source) { row in
                if Interruption.isRequested { throw ExitCode(Interruption.exitCode) }
                if options.reverse { reversed.append(row) } else { printer.add(row) }
            }
            for row in reversed.reversed() { printer.add(row) }
            printer.finish()
            return range
        }
    }

    /// Repeats the query after each change of the history, until interrupted or until the output is closed.
    private func follow(_ history: MotionHistory) throws -> QueryAnswer<Row> {
        var answer = try answer(from: history)
        var printer = ChangePrinter<Row>(options.output.output, zone: options.range.zone)
        defer { printer.finish() }
        while true {
            printer.print(answer.rows) { rows in
                question.page(
                    rows, of: rows.reduce(into: RowTotal()) { $0.add($1) }, answer.range.clock, isReversed: false)
            }
            repeat {
                guard !Interruption.isRequested, Terminal.waitWhileOpen(milliseconds: 200) else { return answer }
            } while try history.revision == answer.revision
            answer = try self.answer(from: history, after: answer.range)
        }
    }
}
