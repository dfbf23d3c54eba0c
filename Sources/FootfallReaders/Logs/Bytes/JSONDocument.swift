/// Cuts a document of JSON on one line into a line for each element of its list, such as the export of a phone.
///
/// The commas between the elements become ends of lines. All other bytes stay where they are.
struct JSONDocument: LineFilter {
    private(set) var unfinished = 0

    /// The brackets that are open around the elements.
    private let depth: Int
    private var state = State()

    /// The place in the document.
    private struct State {
        var depth = 0
        var isInString = false
        var isEscaped = false
        /// The last byte outside of strings that is no blank.
        var last: UInt8 = 0

        /// Moves over a byte.
        mutating func take(_ byte: UInt8) {
            if isInString {
                if !isEscaped, byte == ASCII.quote { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                return
            }
            switch byte {
            case ASCII.quote: isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if !byte.isBlank { last = byte }
        }

        /// Whether the next comma stands behind an element.
        var isBehindElement: Bool { !isInString && (last == UInt8(ascii: "}") || last == UInt8(ascii: "]")) }
    }

    /// Examines the opening of a text; nil unless it is a long list in JSON without ends of lines.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        let end = text.firstIndex(of: ASCII.newline, in: range.prefix(RowReader.longestLine)) ?? range.upperBound
        guard let first = range.first, text[first] == UInt8(ascii: "[") || text[first] == UInt8(ascii: "{"),
            (end..<range.upperBound).allSatisfy({ text[$0].isBlank || text[$0] == ASCII.newline })
        else { return nil }
        var (state, counts) = (State(), [Int: Int]())
        for position in range {
            if text[position] == ASCII.comma, state.isBehindElement,
                Self.opens(text, position + 1..<range.upperBound) == true
            {
                counts[state.depth, default: 0] += 1
            }
            state.take(text[position])
        }
        // The outermost list that is long: a list of sensors is not.
        guard let depth = counts.filter({ $0.value >= Self.fewest }).keys.min() else { return nil }
        self.depth = depth
    }

    /// The fewest elements of a list of samples.
    private static let fewest = 16

    /// Whether an element follows; nil if the bytes end before that.
    private static func opens(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool? {
        range.first { !text[$0].isBlank }.map { text[$0] == UInt8(ascii: "{") || text[$0] == UInt8(ascii: "[") }
    }

    mutating func removeLines(in bytes: inout [UInt8], _ range: Range<Int>, isAtEnd: Bool) -> Int {
        unfinished = 0
        for position in range {
            let byte = bytes[position]
            if byte == ASCII.comma, state.depth == depth, state.isBehindElement {
                guard let opens = Self.opens(bytes.span, position + 1..<range.upperBound) else {
                    unfinished = isAtEnd ? 0 : range.upperBound - position
                    return range.upperBound
                }
                if opens { bytes[position] = ASCII.newline }
            }
            // The bracket around a list of objects belongs to none of its lines.
            if depth == 1, state.depth == 0, byte == UInt8(ascii: "[") { bytes[position] = ASCII.space }
            state.take(byte)
        }
        return range.upperBound
    }
}
