// The header documents this function, under its name in C.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CFootfall
internal import FootfallTraces
internal import Foundation

/// How a log is read and why, with the keys of `footfall analyze --explain --output json`.
private struct Explanation: Encodable {
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
    var options: [String]

    init(_ found: TraceExplanation) {
        (layout, refusal, remedy) = (found.layout?.description, found.refusal?.problem, found.refusal?.remedy)
        line = found.refusal?.line
        (delimiter, decimalSeparator, headerLine) = (found.delimiter, found.decimalSeparator, found.headerLine)
        (sampleRate, magnitude) = (found.sampleRate, found.magnitude)
        (notes, options) = (found.notes, found.options)
        columns = found.columns.map {
            Column(number: $0.number, title: $0.name, values: $0.values, role: $0.role, reason: $0.reason)
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
