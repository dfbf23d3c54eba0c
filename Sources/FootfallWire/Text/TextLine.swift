internal import Footfall

/// One line of text, taken apart.
///
/// The grammar is that of the Arduino IDE's plotter, and what else sketches, loggers and phones print: fields separated by
/// commas, semicolons, blanks or tabs; a field is a number, or `label:number`, or `label = number`, and a label may be
/// several words or belong to several numbers. What is no number keeps its place in a row of fields.
struct TextLine: Sendable {
    struct Field: Sendable {
        enum Content: Sendable {
            case number(DecimalNumber)
            /// A time of day, in nanoseconds.
            case clock(Int64)
            case word
        }

        var content: Content
        var range: Range<Int>
        /// Which label the number stands behind; nil without.
        var label: TextLabel?
        /// What the label is written as, and what stood before it to which it belongs.
        var labelRange = 0..<0
        var contextRange = 0..<0

        var number: DecimalNumber? {
            if case .number(let number) = content { number } else { nil }
        }
    }

    private(set) var fields: [Field] = []
    /// Whether numbers stand behind labels.
    private(set) var isLabelled = false
    /// A unit of acceleration that stands behind a number, and the label of that number.
    private(set) var unit: (unit: AccelerationUnit, label: TextLabel?)?
    /// The time that Teleplot's `label:time:value` states, in ms.
    private(set) var time: DecimalNumber?

    private var decimalSeparator = UInt8(ascii: ".")
    /// The words of a label whose number is still to come; whether a colon stands behind them.
    private var label: Range<Int>?
    private var isLabelMarked = false
    /// The last label of more than a letter, to which bare letters belong.
    private var context = 0..<0
    private var group: TextLabel?

    /// Takes a line apart. It holds no control bytes but tabs.
    mutating func read(_ text: [UInt8]) {
        read(text.span)
    }

    private mutating func read(_ text: Span<UInt8>) {
        fields.removeAll(keepingCapacity: true)
        (isLabelled, unit, time) = (false, nil, nil)
        (label, isLabelMarked, context, group) = (nil, false, 0..<0, nil)
        decimalSeparator = TextLine.decimalSeparator(text)
        var position = 0
        while position < text.count {
            if isSeparator(text[position]) {
                position += 1
                continue
            }
            let start = position
            while position < text.count, !isSeparator(text[position]) { position += 1 }
            add(text, start..<position)
        }
        if isLabelled { fields.removeAll { $0.label == nil } }
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        case UInt8(ascii: ","): decimalSeparator != byte
        default: false
        }
    }

    /// A comma is a decimal comma where semicolons or tabs separate the fields and it stands between digits throughout.
    private static func decimalSeparator(_ text: Span<UInt8>) -> UInt8 {
        var hasOther = false
        var hasComma = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ";"), UInt8(ascii: "\t"): hasOther = true
            case UInt8(ascii: "."): return UInt8(ascii: ".")
            case UInt8(ascii: ","):
                guard index > 0, index + 1 < text.count, text[index - 1].isDigit, text[index + 1].isDigit
                else { return UInt8(ascii: ".") }
                hasComma = true
            default: break
            }
        }
        return hasOther && hasComma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    }

    // MARK: Fields

    private mutating func add(_ text: Span<UInt8>, _ token: Range<Int>) {
        if let number = number(text, token) { return addNumber(number, text, token) }
        if let clock = TextLine.timeOfDay(text, token) { return addClock(clock, text, token) }
        let mark = token.first { text[$0] == UInt8(ascii: ":") || text[$0] == UInt8(ascii: "=") }
        guard let mark, mark == token.lowerBound || !TextLine.beginsNumber(text[token.lowerBound]) else {
            return addWord(text, token)
        }
        if mark > token.lowerBound { extendLabel(token.lowerBound..<mark) }
        isLabelMarked = label != nil
        if mark + 1 < token.upperBound { addValue(text, mark + 1..<token.upperBound) }
    }

    /// What stands behind a label: `value`, or Teleplot's `value§unit|flags` and `time:value`.
    private mutating func addValue(_ text: Span<UInt8>, _ value: Range<Int>) {
        let end = value.first { text[$0] == UInt8(ascii: "|") || text[$0] == 0xC2 } ?? value.upperBound
        let value = value.lowerBound..<end
        if let colon = value.first(where: { text[$0] == UInt8(ascii: ":") }),
            let time = number(text, value.lowerBound..<colon), let number = number(text, colon + 1..<end)
        {
            self.time = time
            return addNumber(number, text, colon + 1..<end)
        }
        add(text, value)
    }

    private func number(_ text: Span<UInt8>, _ token: Range<Int>) -> DecimalNumber? {
        if let number = DecimalNumber(text, token, separator: decimalSeparator) { return number }
        let isBracket: (UInt8) -> Bool = { "()[]".utf8.contains($0) }
        guard let first = token.first, let last = token.last, isBracket(text[first]) || isBracket(text[last])
        else { return nil }
        let lower = token.first { !isBracket(text[$0]) } ?? token.upperBound
        let upper = token.last { !isBracket(text[$0]) }.map { $0 + 1 } ?? lower
        return lower < upper ? DecimalNumber(text, lower..<upper, separator: decimalSeparator) : nil
    }

    /// A time of day with seconds, such as `08:00:00.12` or `2026-11-20T08:00:00.12Z`, in nanoseconds.
    private static func timeOfDay(_ text: Span<UInt8>, _ token: Range<Int>) -> Int64? {
        guard text[token.lowerBound].isDigit, token.count(where: { text[$0] == ASCII.colon }) >= 2 else { return nil }
        // Only the time of day is used, so the order of day and month is not important.
        return CivilTimeParser(order: .monthFirst).read(text.extracting(token))?.nanosecondOfDay
    }

    /// Whether this is a date such as `2026-11-20`, `11/20/2026` or `20.11.2026`.
    static func isDate(_ text: Span<UInt8>, _ token: Range<Int>) -> Bool {
        token.count >= 8 && CivilTimeParser(order: .monthFirst).readDate(text.extracting(token)) != nil
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    private mutating func addNumber(_ number: DecimalNumber, _ text: Span<UInt8>, _ range: Range<Int>) {
        var field = Field(content: .number(number), range: range)
        if let label, isLabelMarked {
            isLabelled = true
            let isLetter = label.count == 1
            group = TextLabel(text, label, context: isLetter ? context : 0..<0)
            field.labelRange = label
            field.contextRange = isLetter ? context : 0..<0
            if !isLetter { context = label }
        } else {
            group?.place += 1
        }
        field.label = group
        (label, isLabelMarked) = (nil, false)
        fields.append(field)
    }

    /// A date stands in a field of its own, or before its time of day; then the two are one field.
    private mutating func addClock(_ clock: Int64, _ text: Span<UInt8>, _ range: Range<Int>) {
        if let date = fields.last, case .word = date.content, TextLine.isDate(text, date.range),
            (date.range.upperBound..<range.lowerBound).allSatisfy({ text[$0] == UInt8(ascii: " ") })
        {
            fields.removeLast()
        }
        fields.append(Field(content: .clock(clock), range: range))
        (label, isLabelMarked) = (nil, false)
    }

    private mutating func addWord(_ text: Span<UInt8>, _ range: Range<Int>) {
        if label == nil, let last = fields.last, last.number != nil,
            let unit = ColumnName.accelerationUnit(text.string(range).lowercased())
        {
            if self.unit == nil { self.unit = (unit, last.label) }
            return
        }
        fields.append(Field(content: .word, range: range))
        extendLabel(range)
    }

    /// A label of several words is one; a label behind which no number stands is the context of those that follow.
    private mutating func extendLabel(_ word: Range<Int>) {
        if let label, !isLabelMarked {
            self.label = label.lowerBound..<word.upperBound
        } else {
            if let label { context = label }
            label = word
        }
        isLabelMarked = false
    }
}

/// A label, and which of the numbers behind it is meant.
struct TextLabel: Hashable, Sendable {
    /// A hash of the label's letters and digits, so that a line can be read without making strings.
    private var name: UInt64
    var place = 0

    init(_ text: Span<UInt8>, _ label: Range<Int>, context: Range<Int>) {
        // FNV-1a (Fowler, Noll, Vo).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for index in context where text[index].isLetter || text[index].isDigit { add(text[index] | 0x20) }
        for index in label where text[index].isLetter || text[index].isDigit { add(text[index] | 0x20) }
        name = hash
    }
}
