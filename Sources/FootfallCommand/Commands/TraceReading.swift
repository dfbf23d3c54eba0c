import ArgumentParser
import Footfall
import FootfallTraces
import FootfallWire
import Foundation

/// The options for sensor logs whose columns, units or times cannot be detected.
struct TraceReading: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The columns of time, x, y and z, by name or by number from 0.", valueName: "time,x,y,z"))
    var columns: String?

    @Option(
        help: ArgumentHelp(
            "The unit of acceleration: g, mg, mss (m/s^2), or how many raw counts are one g, such as 16384.",
            valueName: "unit"))
    var unit: String?

    @Option(help: ArgumentHelp("The unit of numeric times: s, ms, us or ns.", valueName: "unit"))
    var timeUnit: String?

    @Option(
        name: [.customLong("rate"), .customLong("sample-rate")],
        help: ArgumentHelp("Samples per second, for logs without a time column.", valueName: "hertz"))
    var sampleRate: Double?

    @Option(
        name: [.customLong("tz"), .customLong("time-zone")],
        help: ArgumentHelp("The zone of date-times without a zone, such as Europe/Berlin.", valueName: "zone"))
    var timeZone: String?

    @Option(help: ArgumentHelp("The start of a log without absolute time.", valueName: "time"))
    var start: String?

    /// The options as the trace reader takes them.
    ///
    /// - Throws: `ValidationError` for a value that no option has.
    func options() throws -> TraceOptions {
        var options = TraceOptions()
        options.columns = try columns.map {
            try Self.require(SensorColumns($0), "--columns", $0, "time,x,y,z or 0,1,2,3")
        }
        options.unit = try readUnit()
        options.timeUnit = try readTimeUnit()
        if let sampleRate, !(sampleRate > 0 && sampleRate <= 10_000) {
            throw ValidationError("--rate \(sampleRate): a rate lies between 0 and 10000 Hz.")
        }
        options.sampleRate = sampleRate
        options.timeZone = try Zone.parse(timeZone) ?? options.timeZone
        if let start {
            let date = try Zone.read(start, in: options.timeZone)
            options.start = Timestamp(secondsSince1970: date.timeIntervalSince1970)
        }
        return options
    }

    /// The options as the decoder of text lines from a device takes them.
    ///
    /// - Throws: `ValidationError` for a value that no option has.
    func textOptions() throws -> TextLineOptions {
        var options = TextLineOptions()
        options.columns = try columns.map {
            try Self.require(SensorColumns($0), "--columns", $0, "time,x,y,z or 0,1,2,3, or without a time x,y,z")
        }
        options.scale = try readUnit()
        options.timeUnit = try readTimeUnit()
        return options
    }

    private func readUnit() throws -> AccelerationScale? {
        try unit.map { text in
            let counts = Float(text).flatMap { (1...1e6).contains($0) ? AccelerationScale.counts(perG: $0) : nil }
            return try Self.require(
                Self.units[text] ?? counts, "--unit", text, "g, mg, mss, or how many counts are one g, such as 16384")
        }
    }

    private func readTimeUnit() throws -> TimeUnit? {
        try timeUnit.map {
            try Self.require(TimeUnit(rawValue: $0 == "us" ? "µs" : $0), "--time-unit", $0, "s, ms, us or ns")
        }
    }

    private static let units: [String: AccelerationScale] = [
        "g": .g, "mg": .mg, "mss": .metresPerSecondSquared, "m/s2": .metresPerSecondSquared,
        "m/s²": .metresPerSecondSquared,
    ]

    private static func require<T>(_ value: T?, _ option: String, _ text: String, _ words: String) throws -> T {
        guard let value else { throw ValidationError("\(option) \(text): write \(words).") }
        return value
    }
}
