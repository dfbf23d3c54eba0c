internal import Footfall
internal import FootfallHistory
internal import FootfallTables
internal import Foundation

/// The numbers of a history in the text format of Prometheus.
///
/// The counters of steps and of covered time are those of `RecordedTotal`, because old events expire: the total of the
/// kept ones would fall.
enum Metrics {
    /// The text for all sources.
    ///
    /// - Throws: `HistoryError`.
    static func text(of snapshot: HistorySnapshot, _ feed: LiveFeed, at now: Timestamp) throws -> String {
        var (steps, covered, age) = ("", "", "")
        for info in try snapshot.sources() {
            let label = label(info.name)
            let total = try snapshot.source(info.name).recordedTotal()
            steps += "footfall_steps_total\(label) \(total.steps)\n"
            covered += "footfall_covered_seconds_total\(label) \(number(total.coverage))\n"
            if let newest = info.newest {
                let seconds = max(0, now.seconds(since: newest))
                age += "footfall_last_sample_age_seconds\(label) \(number(seconds))\n"
            }
        }
        var text =
            family("footfall_steps_total", "counter", "Steps ever recorded.", steps)
            + family("footfall_covered_seconds_total", "counter", "Seconds with samples ever recorded.", covered)
            + family("footfall_last_sample_age_seconds", "gauge", "Seconds since the newest recorded sample.", age)
        if let source = feed.source, let signal = feed.signal {
            let label = label(source)
            if let rate = signal.rate {
                text += family(
                    "footfall_sample_rate_hertz", "gauge", "Samples per second of the live device.",
                    "footfall_sample_rate_hertz\(label) \(number(rate))\n")
            }
            text += family(
                "footfall_signal_age_seconds", "gauge", "Seconds since the last sample of the live device.",
                "footfall_signal_age_seconds\(label) \(number(signal.silence))\n")
            text += family(
                "footfall_dropped_samples_total", "counter", "Samples dropped since the device was started.",
                "footfall_dropped_samples_total\(label) \(signal.dropped)\n")
        }
        return text
    }

    private static func family(_ name: String, _ type: String, _ help: String, _ samples: String) -> String {
        samples.isEmpty ? "" : "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(samples)"
    }

    private static func number(_ value: Double) -> String { value.formatted(decimals: 3) }

    private static func label(_ source: String) -> String {
        let value = source.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "{source=\"\(value)\"}"
    }
}
