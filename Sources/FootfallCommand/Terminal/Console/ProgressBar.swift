import Footfall
import FootfallTables

/// A progress bar on standard error, shown after half a second if that is a terminal.
struct ProgressBar {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastDrawn: ContinuousClock.Instant
    private var isShown = false

    init() {
        start = clock.now
        lastDrawn = clock.now
    }

    /// Shows a label and the finished fraction, 0…1.
    mutating func update(_ label: String, fraction: Double) {
        let now = clock.now
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
