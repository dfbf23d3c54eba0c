import ArgumentParser
import Footfall
import FootfallAnswers
import FootfallHistory
import FootfallTables
import Foundation
import Logging

/// A `footfall query`: its question and its table. How a query is answered, printed and followed is common to all.
protocol QueryCommand: ParsableCommand {
    associatedtype Question: HistoryQuery
    typealias Row = Question.Row

    var options: QueryOptions { get }
    var question: Question { get }

    /// The rows as text for a terminal. Its foot is about `all` rows up to the last one of the page.
    func page(_ rows: [Row], of all: RowTotal, _ clock: WallClock) -> Page
}

/// The totals of rows.
struct RowTotal {
    private(set) var steps = 0
    /// Whether a row starts before the time that the history keeps.
    private(set) var isTruncated = false

    mutating func add(_ row: some QueryRow) {
        steps += row.stepCount
        isTruncated = isTruncated || row.isShrinking
    }
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
        let history = try options.history.read()
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
                page($0, of: $1, range.clock)
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
                page(rows, of: rows.reduce(into: RowTotal()) { $0.add($1) }, answer.range.clock)
            }
            repeat {
                guard !Interruption.isRequested, Terminal.waitWhileOpen(milliseconds: 200) else { return answer }
            } while try history.revision == answer.revision
            answer = try self.answer(from: history, after: answer.range)
        }
    }
}

/// Prints rows as records, or as a table in pages of equal columns.
private struct RowPrinter<Row: QueryRow> {
    /// The rows of a page.
    private static var pageLength: Int { 4096 }

    private let page: ([Row], RowTotal) -> Page
    private var writer: RecordWriter?
    private var rows: [Row] = []
    private var total = RowTotal()
    private var isFirst = true

    init(_ format: OutputFormat, zone: TimeZone?, page: @escaping ([Row], RowTotal) -> Page) {
        self.page = page
        writer = format.makeWriter(columns: Row.table.names, zone: zone)
    }

    mutating func add(_ row: Row) {
        guard writer == nil else {
            writer?.write(row.record)
            return
        }
        if rows.count == Self.pageLength { Terminal.out(nextPage().body) }
        rows.append(row)
        total.add(row)
    }

    mutating func finish() {
        writer?.finish()
        guard writer == nil else { return }
        let last = nextPage()
        Terminal.out(last.body + last.foot)
    }

    /// The page of the waiting rows, after its head if it is the first one.
    private mutating func nextPage() -> Page {
        var next = page(rows, total)
        if isFirst { next.body = next.head + next.body }
        (rows, isFirst) = ([], false)
        return next
    }
}

/// Prints the new and the changed rows of a repeated query.
private struct ChangePrinter<Row: QueryRow> {
    private var known: [Timestamp: Row] = [:]
    private var writer: RecordWriter?
    private var screen = Screen()
    private var isFirst = true

    init(_ format: OutputFormat, zone: TimeZone?) {
        writer = format.makeWriter(columns: Row.table.names, zone: zone)
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
