import Footfall

/// A JSON value whose objects keep the order of their keys, and whose numbers carry their decimals.
enum JSONValue {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number, and how many decimals are worth printing.
    case number(Double, decimals: Int)
    case string(String)
    /// Values that may be made only when it is their turn.
    case array(any Sequence<JSONValue>)
    case object([(key: String, value: JSONValue)])

    /// The value as compact JSON text (RFC 8259).
    var text: String {
        var text = ""
        write { text += $0 }
        return text
    }

    /// Hands over the same text in short pieces: all of a long array may be too much.
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
    /// A moment as ISO 8601 in UTC with milliseconds.
    static func time(_ time: Timestamp?) -> JSONValue {
        time.map { .string($0.description) } ?? .null
    }

    /// A duration in seconds, to the millisecond.
    static func seconds(_ seconds: Double) -> JSONValue {
        .number(seconds, decimals: 3)
    }
}

extension Double {
    /// The number in plain decimal notation, rounded to `decimals`, without trailing zeros but with one decimal.
    func formatted(decimals: Int) -> String {
        guard abs(self) < 1e15 else { return String(self) }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(self) * scale).rounded())
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        var fraction = padded.suffix(decimals)
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        let sign = self < 0 && scaled != 0 ? "-" : ""
        return sign + padded.dropLast(decimals) + (decimals > 0 ? "." + fraction : "")
    }
}
