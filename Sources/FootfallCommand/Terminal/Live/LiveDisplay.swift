import Footfall
import FootfallHistory
import FootfallLive
import FootfallTables
import Foundation

/// The output of `footfall live`: a redrawn view on a terminal, lines elsewhere, or records in a machine format.
struct LiveDisplay {
    let isQuiet: Bool
    private let format: OutputFormat
    private var view: LiveView
    private var writer: RecordWriter?
    private var screen = Screen()
    private var lines = LiveLines()
    private var rows = LiveRows()

    /// - Parameter zone: The zone of local times in CSV; nil for none.
    init(isQuiet: Bool, format: OutputFormat, zone: TimeZone?, view: LiveView) {
        self.isQuiet = isQuiet
        self.format = format
        self.view = view
        let local = LocalTimes(of: LiveRow.table.description, in: zone)
        writer = isQuiet ? nil : format.makeWriter(columns: LiveRow.table.names, local: local)
    }

    private var isView: Bool { !isQuiet && format == .table && Terminal.redrawsOutput }

    /// Updates the view from a notice of the device.
    mutating func update(_ notice: DeviceNotice) { view.update(notice) }

    /// Writes a notice to standard error, above the view.
    mutating func print(_ notice: DeviceNotice) {
        if isView, Terminal.isErrorTerminal { screen.clear() }
        Terminal.note("footfall: \(view.name): \(notice.message.asOptions)")
    }

    /// Shows the live state.
    mutating func show(_ update: LiveUpdate) {
        guard !isQuiet else { return }
        view.update(update)
        if writer != nil {
            for row in rows.next(for: update) { writer?.write(row.record) }
        } else if isView {
            screen.show(view.text)
        } else if let line = lines.line(of: update, view.clock) {
            Terminal.out(line)
        }
    }

    /// Ends the output, with a summary of the session.
    ///
    /// - Parameter replaced: The steps recorded before that the session has replaced.
    mutating func finish(withSummary: Bool = true, replaced: Int = 0) {
        guard !isQuiet else { return }
        view.replaced = replaced
        writer?.finish()
        guard withSummary else { return }
        if format == .table {
            Terminal.out(WrappedText.onTerminal(view.summary + "\n"))
        } else {
            Terminal.note("footfall: \(view.summary)")
        }
    }
}

/// The lines shown without a terminal: one for each change of activity, and one per minute.
struct LiveLines {
    private var last: (activity: Activity, minute: Int64)?

    /// The next line; nil if nothing has changed.
    mutating func line(of update: LiveUpdate, _ clock: WallClock) -> String? {
        guard let time = update.time, update.current != nil || !update.hasSignal else { return nil }
        let minute = time.nanosecondsSince1970 / 60_000_000_000
        if let last, last == (update.activity, minute) { return nil }
        let head = last == nil ? Self.row("time", "steps", "cadence", "activity", "confidence", "signal") : ""
        last = (update.activity, minute)
        return head
            + Self.row(
                clock.local(time).second, String(update.steps), LiveView.cadence(update),
                update.activity.rawValue, update.confidence?.description ?? "", LiveView.signal(update))
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
