package import Footfall
internal import Foundation

/// A JSON value. Objects keep the order of their keys, and numbers have fixed decimals.
package enum JSONValue {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number and its decimals; null if it is missing or not finite.
    case number(Double?, decimals: Int)
    case string(String)
    /// ISO 8601 in UTC with milliseconds; null without a time.
    case time(Timestamp?)
    /// Words without a `|`, which separates them in CSV.
    case words([String])
    /// Values, which a lazy sequence computes one by one.
    case array(any Sequence<JSONValue>)
    case object([(key: String, value: JSONValue)])

    /// The value as compact JSON text (RFC 8259).
    package var text: String {
        var text = ""
        write { text += $0 }
        return text
    }

    /// Passes the same text to `out` in short parts, so that a long array is never in memory as text.
    package func write(to out: (String) -> Void) {
        switch self {
        case .null: out("null")
        case .bool(let value): out(value ? "true" : "false")
        case .integer(let value): out(String(value))
        case .number(let value?, let decimals) where value.isFinite: out(value.formatted(decimals: decimals))
        case .number: out("null")
        case .string(let value): out(JSONValue.quoted(value))
        case .time(let time): out(time.map { "\"\($0)\"" } ?? "null")
        case .words(let words): JSONValue.texts(words).write(to: out)
        case .array(let values):
            var opening = "["
            for value in values {
                out(opening)
                value.write(to: out)
                opening = ","
            }
            out(opening == "[" ? "[]" : "]")
        case .object(let members):
            var opening = "{"
            for (key, value) in members {
                out(opening + JSONValue.quoted(key) + ":")
                value.write(to: out)
                opening = ","
            }
            out(opening == "{" ? "{}" : "}")
        }
    }

    private static func quoted(_ text: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C }
        if text.utf8.allSatisfy(isPlain) { return "\"" + text + "\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isUnsafeOnTerminal: result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension JSONValue {
    /// A duration in seconds, to the millisecond.
    package static func seconds(_ seconds: Double) -> JSONValue { .number(seconds, decimals: 3) }

    /// A text; null without one.
    package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    package static func flags(_ flags: ActivityFlags) -> JSONValue { .words(flags.activities.map(\.rawValue)) }

    /// Ranges as objects with start and end.
    package static func spans(_ ranges: some Sequence<Range<Timestamp>>) -> JSONValue {
        .array(ranges.lazy.map { .object([("start", .time($0.lowerBound)), ("end", .time($0.upperBound))]) })
    }
}

// Literals of strings, arrays and dictionaries, for documents of a fixed form.
extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .string(text) }

    package init(arrayLiteral values: JSONValue...) { self = .array(values) }

    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { (key: $0.0, value: $0.1) })
    }
}
