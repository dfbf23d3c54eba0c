import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReaders
import Foundation

/// The options for sensor logs whose columns, units or times cannot be detected.
struct TraceReading: ParsableArguments {
    @Option("The columns, by name or by number from 1.", "time,x,y,z", OptionValue.columns) var columns: SensorColumns?
    @Option("g, mg, mss (m/s^2), or how many counts are one g.", "unit", OptionValue.unit) var unit: AccelerationScale?
    @Option("The count at 0 g, or of each axis: 338,331,345.", "count", OptionValue.zero) var zero: SIMD3<Float>?
    @Option("The unit of numeric times: s, ms, us or ns.", "unit", OptionValue.timeUnit) var timeUnit: TimeUnit?

    @Option(
        "Samples per second, for logs without times.", "hertz", name: [.customLong("rate"), .customLong("sample-rate")])
    var sampleRate: Double?

    @Option(
        "The wearer's zone, and that of times without one.", "zone",
        name: [.customLong("tz"), .customLong("time-zone")], QueryValue.zone)
    var timeZone: TimeZone?

    @Option("The zone of times without one, if it is another.", "zone", name: .customLong("device-tz"), QueryValue.zone)
    var deviceTimeZone: TimeZone?

    @Option("The start of a log without a date.", "time") var start: String?
    @Flag(help: "Start it after the last event of its source.") var afterLast = false

    @Option(
        "Only rows with this value in a column: user=33.", "column=value", name: .customLong("where"), OptionValue.rows)
    var rows: [RowCondition] = []

    @Flag(help: "Accept a log that loses over a tenth of its rows.") var lenient = false

    func validate() throws {
        if let sampleRate, !(sampleRate > 0 && sampleRate <= 10_000) {
            throw ValidationError("--rate \(sampleRate): a rate lies between 0 and 10000 Hz.")
        }
        if afterLast, start != nil {
            throw ValidationError("--start and --after-last exclude each other. Use only one of them.")
        }
    }

    /// The options as the trace reader takes them. Throws `ValidationError` for an invalid start.
    func options() throws -> TraceOptions {
        var options = TraceOptions()
        (options.columns, options.unit, options.timeUnit) = (columns, unit, timeUnit)
        (options.sampleRate, options.rows, options.zero) = (sampleRate, rows, zero)
        options.timeZone = deviceTimeZone ?? timeZone ?? options.timeZone
        options.start = try start.map { try OptionValue.start($0, in: options.timeZone) }
        return options
    }

    /// The options that are given, each with its value as words of a command line.
    var arguments: [[String]] {
        let parameters: [ParameterText.Parameter?] = [
            columns.map { .columns($0) }, unit.map { .unit($0) }, zero.map { .zero(CountCoding(zero: $0)) },
            timeUnit.map { .timeUnit($0) }, sampleRate.map { .sampleRate($0) },
            timeZone.map { .timeZone($0.identifier) },
        ]
        let others: [[String]?] = [
            deviceTimeZone.map { ["--device-tz", $0.identifier] }, start.map { ["--start", $0] },
            afterLast ? ["--after-last"] : nil, lenient ? ["--lenient"] : nil,
        ]
        return parameters.compactMap { $0?.arguments } + others.compactMap(\.self)
            + rows.map { ParameterText.Parameter.rows("\($0)").arguments }
    }

    /// Refuses the options that concern logs alone. The times of a device are those of this machine.
    func checkDevice() throws {
        let given = [
            ("--start", start != nil), ("--rate", sampleRate != nil), ("--where", !rows.isEmpty),
            ("--lenient", lenient), ("--device-tz", deviceTimeZone != nil),
        ]
        guard let option = given.first(where: \.1)?.0 else { return }
        throw ValidationError("\(option) is for logs, not for devices. Leave it out, or --replay a log.")
    }

    /// The options as the decoder of text lines from a device takes them.
    var textOptions: TextLineOptions {
        var options = TextLineOptions()
        (options.columns, options.scale, options.timeUnit, options.zero) = (columns, unit, timeUnit, zero)
        return options
    }
}
