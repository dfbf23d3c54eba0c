import Footfall
import FootfallReport

/// A JSON value. Objects keep the order of their keys; numbers have a number of decimals.
enum JSONValue {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number and its decimals; null if it is not finite.
    case number(Double, decimals: Int)
    case string(String)
    /// Values that may be computed one by one.
    case array(any Sequence<JSONValue>)
    case object([(key: String, value: JSONValue)])

    /// The value as compact JSON text (RFC 8259).
    var text: String {
        var text = ""
        write { text += $0 }
        return text
    }

    /// Passes the same text to `out` in short pieces, so that a long array is never in memory as text.
    func write(to out: (String) -> Void) {
        switch self {
        case .null: out("null")
        case .bool(let value): out(value ? "true" : "false")
        case .integer(let value): out(String(value))
        case .number(let value, let decimals): out(value.isFinite ? value.formatted(decimals: decimals) : "null")
        case .string(let value): out(JSONValue.quoted(value))
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
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension JSONValue {
    /// A time as ISO 8601 in UTC with milliseconds.
    static func time(_ time: Timestamp?) -> JSONValue {
        time.map { .string($0.description) } ?? .null
    }

    /// A duration in seconds, to the millisecond.
    static func seconds(_ seconds: Double) -> JSONValue {
        .number(seconds, decimals: 3)
    }

    /// The reason of an unknown activity, or null.
    static func reason(_ reason: UnknownReason?) -> JSONValue { reason.map { .string("\($0)") } ?? .null }

    /// A range as an object with start and end.
    static func span(_ range: Range<Timestamp>) -> JSONValue {
        .object([("start", .time(range.lowerBound)), ("end", .time(range.upperBound))])
    }
}
