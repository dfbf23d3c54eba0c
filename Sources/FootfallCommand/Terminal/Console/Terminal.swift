import Footfall
import FootfallReaders
import FootfallTables
import Foundation
import Synchronization

/// Standard output, standard error and the properties of the terminal.
enum Terminal {
    static let isOutputTerminal = isatty(STDOUT_FILENO) == 1
    static let isErrorTerminal = isatty(STDERR_FILENO) == 1
    /// Whether the terminal has colors and a cursor that moves. A dumb one, such as that of an editor, has neither.
    private static let isCapable = getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? true
    /// Whether to color the output (https://no-color.org).
    static let usesColor = redrawsOutput && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    static let redrawsOutput = isOutputTerminal && isCapable
    /// Whether what stands on standard error can be drawn again.
    static let redrawsErrors = isErrorTerminal && isCapable

    /// The width of the terminal in columns; without one, that of a page of text, 76.
    static var width: Int { size.map { Int($0.ws_col) } ?? 76 }
    /// The most columns of a line; without limit where no terminal breaks it.
    static var lineWidth: Int { isOutputTerminal ? width : .max }
    /// The height of the terminal in lines; 40 without one.
    static var height: Int { size.map { Int($0.ws_row) } ?? 40 }

    private static var size: winsize? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0 ? size : nil
    }

    private static let outlivesOutput = Atomic<Bool>(false)
    /// The error of the system for results that could not be written; 0 before the first one.
    private static let loss = Atomic<Int32>(0)
    /// Whether results could not be written.
    static var isOutputLost: Bool { loss.load(ordering: .relaxed) != 0 }
    /// Whether the reader of standard output has closed it.
    static var isOutputClosed: Bool { loss.load(ordering: .relaxed) == EPIPE || !waitWhileOpen(milliseconds: 0) }

    /// Keeps the process running when results can no longer be written, because it also records them.
    static func surviveLostOutput() { outlivesOutput.store(true, ordering: .relaxed) }

    /// Waits until the time has passed or a signal arrives. Returns false if the reader of standard output has closed
    /// it.
    static func waitWhileOpen(milliseconds: Int32) -> Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, milliseconds) <= 0
    }

    /// Writes data to standard output.
    static func out(_ text: String) { print(text, to: STDOUT_FILENO) }

    /// Writes bytes to standard output.
    static func out(bytes: [UInt8]) { bytes.withUnsafeBytes { print($0, to: STDOUT_FILENO) } }

    /// Writes one or more lines to standard error, the first after a prefix. Characters that act on a terminal are
    /// escaped.
    static func note(_ text: String, prefix: String = "footfall: ") {
        let lines = (prefix + text).split(separator: "\n", omittingEmptySubsequences: false)
            .map { FilePath.shown(String($0)).escaped }
        print(lines.joined(separator: "\n") + "\n", to: STDERR_FILENO)
    }

    /// Writes to standard error without a newline.
    static func progress(_ text: String) { print(text, to: STDERR_FILENO) }

    private static func print(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { print(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private static func print(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var rest = bytes
        while !rest.isEmpty, !(descriptor == STDOUT_FILENO && isOutputLost) {
            // After a signal the command does not wait for a reader that does not read.
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if Interruption.hasArrived, poll(&entry, 1, 500) == 0 { return giveUp(descriptor, EPIPE) }
            let written = write(descriptor, rest.baseAddress, rest.count)
            guard written > 0 else {
                if errno == EINTR { continue }
                return giveUp(descriptor, errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Ends the process if results cannot be written, so that they are not lost silently.
    private static func giveUp(_ descriptor: Int32, _ code: Int32) {
        if descriptor == STDOUT_FILENO {
            loss.store(code, ordering: .relaxed)
            let rest = outlivesOutput.load(ordering: .relaxed) ? "; nothing more is printed" : ""
            if code != EPIPE { note("standard output: \(String(cString: strerror(code)))\(rest)") }
        }
        if !outlivesOutput.load(ordering: .relaxed) { exit(Interruption.hasArrived ? Interruption.exitCode : 1) }
    }
}

/// A style or a color that all terminals have.
enum Color: Int {
    case dim = 2
    case bold = 1
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36
    case gray = 90

    /// The code that ends all colors.
    static let end = "\u{1B}[0m"

    /// The text in this color, or unchanged without colors.
    func callAsFunction(_ text: String) -> String {
        Terminal.usesColor && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\(Color.end)" : text
    }
}

/// A text at the bottom of a terminal that is redrawn in place.
struct Screen {
    private var lines = 0
    private var size = (width: 0, height: 0)

    /// Draws a text over the previous one. If it is too tall, the first line and the end are drawn.
    mutating func show(_ text: String) {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        if rows.last == "" { rows.removeLast() }
        let newSize = (width: Terminal.width, height: Terminal.height)
        let room = max(2, newSize.height - 1)
        if rows.count > room { rows = rows.prefix(1) + rows.suffix(room - 1) }
        // After a change of size, wrapped lines make the position of the previous text unknown: clear the screen.
        let back = lines == 0 ? "" : size == newSize ? "\u{1B}[\(lines)A" : "\u{1B}[H\u{1B}[2J"
        // ESC[?7l clips lines at the edge instead of wrapping them. Each line overwrites the previous one and erases
        // only its rest (ESC[K), which avoids flicker.
        Terminal.out(
            "\r\(back)\u{1B}[?7l\(rows.joined(separator: "\u{1B}[K\n"))\u{1B}[K\n\u{1B}[J\u{1B}[?7h")
        (lines, size) = (rows.count, newSize)
    }

    /// Erases the text.
    mutating func clear() {
        if lines > 0 { Terminal.out("\r\u{1B}[\(lines)A\u{1B}[J") }
        lines = 0
    }
}

/// A progress bar on standard error, shown after half a second if that is a terminal.
struct ProgressBar {
    private let start = ContinuousClock.now
    private var lastDrawn = ContinuousClock.now
    private var isShown = false

    /// Shows a label and the finished fraction, 0…1.
    mutating func update(_ label: String, fraction: Double) {
        let now = ContinuousClock.now
        guard Terminal.redrawsErrors, now - start > .milliseconds(500), now - lastDrawn > .milliseconds(100) else {
            return
        }
        lastDrawn = now
        isShown = true
        let fraction = min(max(fraction, 0), 1)
        let filled = Int(clamping: fraction * 24)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        let percent = String(Int(clamping: fraction * 100))
        let space = String(repeating: " ", count: 3 - min(percent.count, 3))
        // ESC[?7l clips the line at the edge of the terminal.
        Terminal.progress(
            "\r\u{1B}[K\u{1B}[?7l\(bar) \(space)\(percent) %  \(remaining(fraction, now))\(label.escaped)\u{1B}[?7h")
    }

    /// Removes the line.
    mutating func clear() {
        if isShown { Terminal.progress("\r\u{1B}[K") }
        isShown = false
    }

    private func remaining(_ fraction: Double, _ now: ContinuousClock.Instant) -> String {
        guard fraction > 0.02 else { return "" }
        let elapsed = (now - start) / .seconds(1)
        let seconds = Int(clamping: elapsed / fraction * (1 - fraction) + 1)
        return seconds >= 60 ? "\(seconds / 60) min left  " : "\(seconds) s left  "
    }
}
