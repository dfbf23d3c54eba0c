/// Cuts a document of JSON into a line for each element of its list of samples, such as the export of a phone. The
/// commas between the elements become ends of lines. Blanks outside of texts, and what stands before the list and
/// behind it, are left out.
struct JSONDocument: LineFilter {
    /// The list of samples.
    private let list: List
    private var state = State()
    /// The number of bytes that have been read.
    private var count = 0
    private var isPastList = false

    private struct List {
        /// The number of bytes up to its first element.
        var start: Int
        /// The brackets that are open around its elements.
        var depth: Int
        var commas = 0
        var key: String?

        /// Whether its key names another sensor than the accelerometer.
        var isOfOtherSensor: Bool {
            key.flatMap { SensorKind(title: $0) }.map { $0 != .accelerometer } ?? false
        }
    }

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
            if !JSONDocument.isBlank(byte) { last = byte }
        }

        /// Whether the next comma stands behind an element.
        var isBehindElement: Bool { !isInString && (last == UInt8(ascii: "}") || last == UInt8(ascii: "]")) }
    }

    /// Examines the opening of a text; nil unless it is one long list in JSON, or one object around such a list.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard Self.opens(text, range) == true else { return nil }
        var (state, open, lists) = (State(), [List](), [List]())
        for position in range {
            let byte = text[position]
            if byte == ASCII.comma, state.isBehindElement, state.depth == open.last?.depth,
                Self.opens(text, position + 1..<range.upperBound) == true
            {
                open[open.count - 1].commas += 1
            }
            let depth = state.depth
            state.take(byte)
            if state.depth > depth, byte == UInt8(ascii: "["), open.count < Self.deepest {
                let key = Self.key(before: position, text, range)
                open.append(List(start: position + 1 - range.lowerBound, depth: state.depth, key: key))
            } else if state.depth < depth, let last = open.last, last.depth == depth {
                lists.append(open.removeLast())
            }
            if state.depth == 0, depth > 0 {
                // Lines of JSON follow one another; a document stands alone.
                guard (position + 1..<range.upperBound).allSatisfy({ Self.isBlank(text[$0]) }) else { return nil }
            }
        }
        // The outermost list that is long: a list of sensors is not.
        let long = (lists + open).filter { $0.commas >= Self.fewest && !$0.isOfOtherSensor }
        guard let first = long.min(by: { ($0.depth, $0.start) < ($1.depth, $1.start) }) else { return nil }
        // Several lists with one key are packets, in a list of their own.
        let isPacket = long.count { $0.depth == first.depth && $0.key == first.key } > 1
        let around = (lists + open).filter { $0.depth < first.depth && $0.commas > 0 }
        guard let list = isPacket ? around.max(by: { $0.commas < $1.commas }) : first else { return nil }
        self.list = list
    }

    /// The fewest elements of a list of samples.
    private static let fewest = 16
    /// The most lists inside of lists.
    private static let deepest = 12

    private static func isBlank(_ byte: UInt8) -> Bool { byte.isBlank || byte == ASCII.newline }

    /// The key of the list that begins at `position`; nil without one.
    private static func key(before position: Int, _ text: Span<UInt8>, _ range: Range<Int>) -> String? {
        let before = range.lowerBound..<position
        guard let colon = before.last(where: { !isBlank(text[$0]) }), text[colon] == ASCII.colon,
            let end = (range.lowerBound..<colon).last(where: { !isBlank(text[$0]) }), text[end] == ASCII.quote,
            let start = (range.lowerBound..<end).last(where: { text[$0] == ASCII.quote })
        else { return nil }
        return text.string(start + 1..<end)
    }

    /// Whether an object or a list follows; nil if the bytes end before that.
    static func opens(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool? {
        range.first { !isBlank(text[$0]) }.map { text[$0] == UInt8(ascii: "{") || text[$0] == UInt8(ascii: "[") }
    }

    mutating func rewrite(_ bytes: inout [UInt8], _ range: Range<Int>, to end: inout Int, isAtEnd: Bool) -> Int {
        for position in range {
            var byte = bytes[position]
            if byte == ASCII.comma, count >= list.start, state.depth == list.depth, state.isBehindElement {
                guard let opens = Self.opens(bytes.span, position + 1..<range.upperBound) else {
                    return isAtEnd ? range.upperBound : position
                }
                if opens { byte = ASCII.newline }
            }
            let isIndentation = Self.isBlank(bytes[position]) && !state.isInString
            state.take(bytes[position])
            count += 1
            guard count > list.start, !isPastList, !isIndentation else { continue }
            isPastList = state.depth < list.depth
            bytes[end] = isPastList ? ASCII.newline : byte
            end += 1
        }
        return range.upperBound
    }
}
