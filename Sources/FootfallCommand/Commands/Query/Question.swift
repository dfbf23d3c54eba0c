import ArgumentParser
import Footfall
import FootfallHistory
import Foundation
import Logging

/// A question to a history: what it asks for, and how its answer looks to a person. How it is asked, printed and followed
/// is the same for all.
protocol Question: ParsableCommand {
    associatedtype Item: AnswerItem

    var options: QueryOptions { get }

    /// Asks, in the order of time.
    func items(_ inquiry: Inquiry) throws -> [Item]

    /// The answer as a table or a picture.
    func page(_ items: [Item], _ inquiry: Inquiry) -> Page
}

/// One row of an answer, known by the start of its range.
protocol AnswerItem: Hashable {
    static var columns: [String] { get }
    var record: Record { get }
    var range: Range<Timestamp> { get }
    /// Whether the beginning of the range is forgotten, so that the row shrinks as time goes on.
    var isShrinking: Bool { get }
}

extension Question {
    func run() throws {
        let url = options.location.url
        let history = try MotionHistory(reading: url)
        options.output.log.info("asking \(url.path)")
        var inquirer = Inquirer(history, options.range)
        let inquiry = options.follow ? try follow(&inquirer) : try answer(&inquirer)
        guard try inquiry.coverage() == 0 else { return }
        inquiry.explainEmptiness()
        if options.requireData { throw ExitCode(Failure.noData) }
    }

    private func answer(_ inquirer: inout Inquirer) throws -> Inquiry {
        let inquiry = try inquirer.inquire()
        let found = try items(inquiry)
        let ordered = options.reverse ? found.reversed() : found
        if var writer = options.output.output.makeWriter(columns: Item.columns) {
            for item in ordered { writer.write(item.record) }
            writer.finish()
        } else {
            Terminal.out(page(ordered, inquiry).text)
        }
        return inquiry
    }

    /// Asks again whenever the history has changed, in this process or another, until interrupted or no longer read.
    private func follow(_ inquirer: inout Inquirer) throws -> Inquiry {
        var (revision, inquiry) = (try inquirer.history.revision, try inquirer.inquire())
        var found = try items(inquiry)
        var printer = NewsPrinter<Item>(options.output.output)
        defer { printer.finish() }
        while true {
            printer.print(found) { page($0, inquiry) }
            // The revision is read before the question is asked: what is recorded in between is asked for once more.
            var newRevision = revision
            while newRevision == revision {
                guard !Interruption.isRequested, Terminal.waitWhileOpen(milliseconds: 200) else { return inquiry }
                newRevision = try inquirer.history.revision
            }
            revision = newRevision
            inquiry = try inquirer.inquire()
            found = try items(inquiry)
        }
    }
}

/// Prints what is new or has changed in an answer that is asked for again and again.
private struct NewsPrinter<Item: AnswerItem> {
    private var known: [Timestamp: Item] = [:]
    private var writer: RecordWriter?
    private var screen = Screen()
    private var isFirst = true

    init(_ format: OutputFormat) {
        writer = format.makeWriter(columns: Item.columns)
    }

    /// Prints what was not printed before. On a terminal, a table is drawn anew as a whole.
    mutating func print(_ items: [Item], page: ([Item]) -> Page) {
        let news = items.filter { isNews($0) }
        // An item that is no longer there, corrected away or forgotten, would be news if it came back.
        known = Dictionary(items.map { ($0.range.lowerBound, $0) }) { $1 }
        if writer != nil {
            for item in news { writer?.write(item.record) }
        } else if Terminal.isOutputTerminal {
            screen.show(page(items).text)
        } else {
            let part = page(news)
            Terminal.out((isFirst ? part.head : "") + part.body)
        }
        isFirst = false
    }

    func finish() { writer?.finish() }

    /// Whether an item is not known yet, or not as it is. That its beginning was forgotten is no news.
    private func isNews(_ item: Item) -> Bool {
        guard let old = known[item.range.lowerBound] else { return true }
        return item != old && !(item.isShrinking && item.range.upperBound == old.range.upperBound)
    }
}
