// The header documents this function, under its name in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import FootfallReaders
internal import Foundation

/// How a log is read and why, as the object of `footfall_trace_explain`.
private struct Explanation: Encodable {
    struct Option: Encodable {
        var name: String
        var value: String?
    }

    struct Column: Encodable {
        var number: Int
        var title: String?
        var values: [String]
        var role: String?
        var reason: String
    }

    var layout, refusal, remedy: String?
    var line: Int?
    var delimiter, decimalSeparator: String?
    var headerLine: Int?
    var sampleRate, magnitude: Double?
    var notes: [String]
    var columns: [Column]
    var options: [Option]

    init(_ found: TraceExplanation) {
        layout = found.layout?.description
        (refusal, remedy) = (found.refusal?.problem.inC, found.refusal?.remedy?.inC)
        line = found.refusal?.line
        let table = found.table
        (delimiter, decimalSeparator, headerLine) = (table?.delimiter, table?.decimalSeparator, table?.headerLine)
        (sampleRate, magnitude) = (found.sampleRate, found.magnitude)
        notes = found.notes.map(\.inC)
        options = found.options.map { Option(name: $0.nameInC, value: $0.value) }
        columns = (table?.columns ?? []).map {
            Column(number: $0.number, title: $0.name, values: $0.values, role: $0.role, reason: $0.reason.inC)
        }
    }
}

@c @implementation public func footfall_trace_explain(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<footfall_trace_options>?,
    _ error: UnsafeMutablePointer<footfall_error>?
) -> UnsafeMutablePointer<CChar>? {
    pointer(error) {
        guard let path else { throw CallFailure("the path is NULL") }
        let url = URL(filePath: String(cString: path))
        let found = TraceExplanation(contentsOf: url, options: try TraceOptions(options))
        if let refusal = found.refusal, refusal.kind == .unreadable { throw refusal }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return text(String(decoding: try encoder.encode(Explanation(found)), as: UTF8.self))
    }
}

extension ParameterText {
    /// The text with the options of `footfall_trace_options`, which are the arguments of `footfall.read` in Python.
    var inC: String { text { $0.text(named: $0.nameInC) } }
}

extension ParameterText.Parameter {
    /// The name of the option in Python and C. The unit is `per_g` in C, the zone `time_zone`.
    var nameInC: String {
        switch self {
        case .timeUnit: "time_unit"
        case .sampleRate: "rate"
        case .timeZone: "tz"
        case .columns, .unit, .zero, .start, .rows, .each, .baud: name
        }
    }
}
