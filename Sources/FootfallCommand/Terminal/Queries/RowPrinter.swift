import Footfall
import FootfallHistory
import FootfallTables
import Foundation

/// The totals of rows.
struct RowTotal {
    private(set) var steps = 0
    /// Whether a row starts before the time that the history keeps.
    private(set) var isTruncated = false

    init() {}

    mutating func add(_ row: some QueryRow) {
        steps += row.stepCount
        isTruncated = isTruncated || row.isShrinking
    }
}

/// Prints rows as records, or as a table in pages of equal columns.
struct RowPrinter<Row: QueryRow> {
    /// The rows of a page.
    private static var pageLength: Int { 4096 }

    private let page: ([Row], RowTotal) -> Page
    private var writer: RecordWriter?
    private var rows: [Row] = []
    private var total = RowTotal()
    /// The heading above the last page.
    private var head: String?

    init(_ format: OutputFormat, zone: TimeZone?, page: @escaping ([Row], RowTotal) -> Page) {
        self.page = page
        writer = format.makeWriter(
            columns: Row.table.names, local: LocalTimes(of: Row.table.description, in: zone))
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

    /// The page of the waiting rows, after its heading if the page before has another one.
    private mutating func nextPage() -> Page {
        var next = page(rows, total)
        if next.head != head { next.body = next.head + next.body }
        (rows, head) = ([], next.head)
        return next
    }
}

/// Prints the new and the changed rows of a repeated query.
struct ChangePrinter<Row: QueryRow> {
    private var known: [Row.Key: Row] = [:]
    private var writer: RecordWriter?
    private var screen = Screen()
    private var isFirst = true

    init(_ format: OutputFormat, zone: TimeZone?) {
        writer = format.makeWriter(
            columns: Row.table.names, local: LocalTimes(of: Row.table.description, in: zone))
    }

    /// Prints new and changed rows or, on a terminal, the whole table.
    mutating func print(_ rows: [Row], page: ([Row]) -> Page) {
        let changes = rows.filter { isChange($0) }
        // A row that disappears is removed here, so that it counts as new if it comes back.
        known = Dictionary(rows.map { ($0.key, $0) }) { $1 }
        if writer != nil {
            for row in changes { writer?.write(row.record) }
        } else if Terminal.redrawsOutput {
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
        guard let old = known[row.key] else { return true }
        return row != old && !(row.isShrinking && row.range.upperBound == old.range.upperBound)
    }
}
