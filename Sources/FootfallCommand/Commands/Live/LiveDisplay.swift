import Footfall
import FootfallDevices
import FootfallReport
import Foundation

/// What `footfall live` shows: on a terminal a view that is drawn anew in its place, elsewhere lines, for programs records.
struct LiveDisplay {
    /// Whether nothing is shown.
    let isQuiet: Bool
    private let format: OutputFormat
    private var view: LiveView
    private var writer: RecordWriter?
    private var screen = Screen()
    private var lines = LiveLines()
    private var states = LiveStates()

    init(isQuiet: Bool, format: OutputFormat, view: LiveView) {
        self.isQuiet = isQuiet
        self.format = format
        self.view = view
        writer = isQuiet ? nil : format.makeWriter(columns: LiveStates.columns)
    }

    private var isView: Bool { !isQuiet && format == .table && Terminal.isOutputTerminal }

    /// Takes note of what the device has said.
    mutating func take(_ notice: DeviceNotice) { view.take(notice) }

    /// Says something on standard error, above the view.
    mutating func say(_ notice: DeviceNotice) {
        if isView, Terminal.isErrorTerminal { screen.clear() }
        Terminal.note("footfall: \(view.name): \(notice)")
    }

    /// Shows how things stand.
    mutating func show(_ update: LiveUpdate) {
        guard !isQuiet else { return }
        view.take(update)
        if writer != nil {
            for record in states.records(of: update) { writer?.write(record) }
        } else if isView {
            screen.show(view.text)
        } else if let line = lines.line(of: update, view.clock) {
            Terminal.out(line)
        }
    }

    /// Shows how it ended.
    mutating func finish(_ last: LiveUpdate, sumsUp: Bool = true) {
        guard !isQuiet else { return }
        writer?.finish()
        guard sumsUp else { return }
        if format == .table {
            Terminal.out(view.summary + "\n")
        } else {
            Terminal.note("footfall: \(view.summary)")
        }
    }
}

/// The lines that stand for the view where there is no terminal: one whenever the activity changes, and one a minute.
struct LiveLines {
    private var last: (activity: Activity, minute: Int64)?

    /// The next line, if it is time for one.
    mutating func line(of update: LiveUpdate, _ clock: WallClock) -> String? {
        guard let time = update.time, let current = update.current else { return nil }
        let minute = time.nanosecondsSince1970 / 60_000_000_000
        if let last, last == (current.activity, minute) { return nil }
        let head = last == nil ? Self.row("time", "steps", "cadence", "activity", "confidence", "signal") : ""
        last = (current.activity, minute)
        return head
            + Self.row(
                clock.local(time).second, String(update.steps), LiveView.cadence(update),
                current.activity.rawValue, current.confidence.description, LiveView.rate(update))
    }

    private static func row(_ cells: String...) -> String {
        let widths = [8, -7, -8, 10, 10, 0]
        let padded = zip(cells, widths).map { cell, width in
            let space = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? space + cell : cell + space
        }
        return padded.joined(separator: "  ") + "\n"
    }
}
