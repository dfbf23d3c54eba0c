internal import Footfall

/// The fields of one line of text.
///
/// The grammar is that of the Arduino IDE's plotter, extended by the output of common sketches, loggers and phones.
/// Commas, semicolons, blanks or tabs separate fields. A field is a number, `label:number` or `label = number`. A label
/// may have several words and several numbers. Other words keep their place in a row of fields.
package struct TextLine: Sendable {
    package struct Field: Sendable {
        package enum Content: Sendable {
            case number(DecimalNumber)
            /// In nanoseconds.
            case timeOfDay(Int64)
            case word
        }

        var content: Content
        var range: Range<Int>
        /// The label of the number; nil without a label.
        var label: TextLabel?
        /// The text of the label, and of the label before it to which it belongs.
        var labelRange = 0..<0
        var contextRange = 0..<0

        package var number: DecimalNumber? {
            if case .number(let number) = content { number } else { nil }
        }

        var isTimeOfDay: Bool {
            if case .timeOfDay = content { true } else { false }
        }
    }

    package private(set) var fields: [Field] = []
    /// Whether numbers have labels.
    package private(set) var isLabeled = false
    /// The first unit of acceleration after a number, and the label of that number.
    private(set) var unit: (unit: AccelerationUnit, label: TextLabel?)?
    /// The time in ms in Teleplot's `label:time:value`.
    private(set) var time: DecimalNumber?

    private var decimalSeparator = ASCII.point
    /// The words of a label before its number, and whether a colon follows them.
    private var label: Range<Int>?
    private var isLabelMarked = false
    /// The last label of more than one letter. Labels of one letter belong to it.
    private var context = 0..<0
    private var group: TextLabel?

    package init() {}

    package init(_ text: [UInt8]) {
        read(text)
    }

    /// Reads a line without control bytes other than tabs.
    package mutating func read(_ text: [UInt8]) {
        read(text.span)
    }

    private mutating func read(_ text: Span<UInt8>) {
        fields.removeAll(keepingCapacity: true)
        (isLabeled, unit, time) = (false, nil, nil)
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
        if isLabeled { fields.removeAll { $0.label == nil } }
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.space, ASCII.tab, ASCII.semicolon, UInt8(ascii: "{"), UInt8(ascii: "}"): true
        case ASCII.comma: decimalSeparator != byte
        default: false
        }
    }

    /// A comma separates decimals if semicolons or tabs separate the fields and every comma is between digits.
    private static func decimalSeparator(_ text: Span<UInt8>) -> UInt8 {
        var hasOther = false
        var hasComma = false
        for index in text.indices {
            switch text[index] {
            case ASCII.semicolon, ASCII.tab: hasOther = true
            case ASCII.point: return ASCII.point
            case ASCII.comma:
                guard index > 0, index + 1 < text.count, text[index - 1].isDigit, text[index + 1].isDigit
                else { return ASCII.point }
                hasComma = true
            default: break
            }
        }
        return hasOther && hasComma ? ASCII.comma : ASCII.point
    }

    // MARK: Fields

    private mutating func add(_ text: Span<UInt8>, _ token: Range<Int>) {
        if let number = number(text, token) { return addNumber(number, text, token) }
        if let time = TextLine.timeOfDay(text, token) { return addTimeOfDay(time, text, token) }
        let mark = token.first { text[$0] == ASCII.colon || text[$0] == UInt8(ascii: "=") }
        guard let mark, mark == token.lowerBound || !TextLine.beginsNumber(text[token.lowerBound]) else {
            return addWord(text, token)
        }
        if mark > token.lowerBound { extendLabel(token.lowerBound..<mark) }
        isLabelMarked = label != nil
        if mark + 1 < token.upperBound { addValue(text, mark + 1..<token.upperBound) }
    }

    /// Adds the text after a label: `value`, or Teleplot's `value§unit|flags` and `time:value`.
    private mutating func addValue(_ text: Span<UInt8>, _ value: Range<Int>) {
        let end = value.first { text[$0] == UInt8(ascii: "|") || text[$0] == 0xC2 } ?? value.upperBound
        let value = value.lowerBound..<end
        if let colon = value.first(where: { text[$0] == ASCII.colon }),
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
        guard let first = token.first, text[first].isDigit, token.count(where: { text[$0] == ASCII.colon }) >= 2
        else { return nil }
        // The date is not used, so any order of day and month gives the same result.
        return CivilTimeParser(order: .monthFirst).read(text.extracting(token))?.nanosecondOfDay
    }

    /// Whether this is a date such as `2026-11-20`, `11/20/2026` or `20.11.2026`.
    private static func isDate(_ text: Span<UInt8>, _ token: Range<Int>) -> Bool {
        token.count >= 8 && CivilTimeParser(order: .monthFirst).readDate(text.extracting(token)) != nil
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == ASCII.minus || byte == ASCII.plus
    }

    private mutating func addNumber(_ number: DecimalNumber, _ text: Span<UInt8>, _ range: Range<Int>) {
        var field = Field(content: .number(number), range: range)
        if let label, isLabelMarked {
            isLabeled = true
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

    /// Adds a time of day. A date in the field before it becomes part of the same field.
    private mutating func addTimeOfDay(_ time: Int64, _ text: Span<UInt8>, _ range: Range<Int>) {
        if let date = fields.last, case .word = date.content, TextLine.isDate(text, date.range),
            (date.range.upperBound..<range.lowerBound).allSatisfy({ text[$0] == ASCII.space })
        {
            fields.removeLast()
        }
        fields.append(Field(content: .timeOfDay(time), range: range))
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

    /// Joins the words of a label. A label without a number is the context of the labels after it.
    private mutating func extendLabel(_ word: Range<Int>) {
        if let label, !isLabelMarked {
            self.label = label.lowerBound..<word.upperBound
        } else {
            if let label { context = label }
            label = word
        }
        isLabelMarked = false
    }

    // MARK: Values

    /// Three fields as a vector; nil when one is not a number.
    func vector(_ axes: [Int]) -> SIMD3<Float>? {
        guard let x = fields[axes[0]].number, let y = fields[axes[1]].number, let z = fields[axes[2]].number
        else { return nil }
        return SIMD3(Float(x.double), Float(y.double), Float(z.double))
    }

    /// The word with which a row begins; nil when it begins with a number, a time of day or a date.
    func lead(_ text: [UInt8]) -> TextLabel? {
        guard let first = fields.first, case .word = first.content, !TextLine.isDate(text.span, first.range)
        else { return nil }
        return TextLabel(text.span, first.range, context: 0..<0)
    }
}

/// A label, and the place of one of the numbers after it.
struct TextLabel: Hashable, Sendable {
    /// A hash of the label's letters and digits, so that reading a line creates no strings.
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
