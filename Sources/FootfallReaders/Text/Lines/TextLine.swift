internal import Footfall

/// The fields of one line of text. The grammar is that of the Arduino IDE's plotter, extended by the output of common
/// sketches, loggers and phones. Commas, semicolons, bars, blanks or tabs separate fields. A field is a number,
/// `label:number` or `label = number`. A label may have several words and several numbers. Other words keep their place
/// in a row of fields.
package struct TextLine: Sendable {
    package struct Field: Sendable {
        package enum Content: Sendable {
            case number(DecimalNumber)
            /// A time of day, with the date where it is known.
            case clock(CivilTime)
            case word
        }

        var content: Content
        var range: Range<Int>
        /// The label of the number; nil without a label.
        var label: TextLabel?
        /// The text of the label, and of the label before it to which it belongs.
        var labelRange = 0..<0
        var contextRange = 0..<0
        /// The unit of acceleration behind the number.
        var unit: AccelerationUnit?

        package var number: DecimalNumber? {
            if case .number(let number) = content { number } else { nil }
        }

        var clock: CivilTime? {
            if case .clock(let clock) = content { clock } else { nil }
        }

        /// Whether the number is a time since 1970, in a usual unit.
        var isSinceEpoch: Bool {
            guard let value = number?.double else { return false }
            return TimeUnit.allCases.contains { CSVTimeBase.epochSeconds.contains(value * $0.inSeconds) }
        }
    }

    package private(set) var fields: [Field] = []
    /// Whether numbers have labels.
    package private(set) var isLabeled = false
    /// The time in ms in Teleplot's `label:time:value`.
    private(set) var time: DecimalNumber?
    /// The time before the text, or before the first label.
    private(set) var stamp: Field.Content?
    /// The unit of that time, where its form states it.
    private(set) var stampUnit: TimeUnit?
    /// The number of a prefix, and the position after the prefix.
    private(set) var (number, start): (Range<Int>?, Int) = (nil, 0)

    /// The words before a colon at the end of a line without numbers, such as `Accelerometer:`; nil for another line.
    package private(set) var heading: Range<Int>?

    /// The form of the numbers; nil for plain decimals.
    private var form: NumberForm?
    private var decimalSeparator = ASCII.point
    /// Whether bars separate fields. In Teleplot's lines they precede flags.
    private var areBarsSeparators = true
    /// The words of a label before its number, and whether a colon follows them.
    private var label: Range<Int>?
    private var isLabelMarked = false
    /// The last label that may be that of several letters, such as `Acceleration X`. Labels of one letter belong to it.
    private var context = 0..<0
    /// Whether that label has a number itself, unlike the heading `angular_velocity:` of others.
    private var isContextAxis = false
    private var group: TextLabel?
    /// A date whose time of day follows.
    private var date: CivilDate?

    /// In bytes, such as `deg/second`.
    private static let longestUnit = 12

    package init() {}

    package init(_ text: [UInt8], form: NumberForm? = nil) { read(text, form: form) }

    /// Reads a line without control bytes other than tabs.
    package mutating func read(_ text: [UInt8], form: NumberForm? = nil) {
        self.form = form
        read(text.span)
    }

    private mutating func read(_ whole: Span<UInt8>) {
        let text = whole.extracting(..<TextLine.end(whole))
        fields.removeAll(keepingCapacity: true)
        (isLabeled, time, heading) = (false, nil, nil)
        (label, isLabelMarked, context, group, date) = (nil, false, 0..<0, nil, nil)
        let prefix = LinePrefix(text)
        (stamp, stampUnit, number, start) = (prefix.stamp, prefix.unit, prefix.number, prefix.end)
        decimalSeparator =
            if case .decimalCommas = form { ASCII.comma } else { TextLine.decimalSeparator(text, prefix.end) }
        areBarsSeparators = !TextLine.hasTeleplotFlags(text)
        var position = prefix.end
        while position < text.count {
            if isSeparator(text[position]) {
                position += 1
                continue
            }
            let start = position
            while position < text.count, !isSeparator(text[position]) { position += 1 }
            add(text, start..<position)
        }
        if isLabelMarked, fields.isEmpty { heading = label }
        guard isLabeled else { return }
        // A number of the sensor may precede the time.
        let unlabeled = fields.prefix { $0.label == nil }
        if stamp == nil, let first = unlabeled.first(where: \.isSinceEpoch) ?? unlabeled.first {
            if case .word = first.content {} else { stamp = first.content }
        }
        fields.removeAll { $0.label == nil }
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.space, ASCII.tab, ASCII.semicolon, UInt8(ascii: "{"), UInt8(ascii: "}"): true
        case ASCII.comma: decimalSeparator != byte
        case UInt8(ascii: "|"): areBarsSeparators
        default: false
        }
    }

    /// A comma separates decimals if semicolons or tabs separate the fields and every comma is between digits.
    private static func decimalSeparator(_ text: Span<UInt8>, _ start: Int) -> UInt8 {
        var hasOther = false
        var hasComma = false
        for index in start..<max(start, text.count) {
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

    /// The end of the text without the checksum of NMEA 0183, such as `*5A`.
    private static func end(_ text: Span<UInt8>) -> Int {
        let star = text.count - 3
        return star > 0 && text[star] == UInt8(ascii: "*") && HexWord(text, star + 1..<text.count) != nil
            ? star : text.count
    }

    /// Whether the line ends with a bar and the letters of Teleplot's flags, such as `>ax:0.1|np`.
    private static func hasTeleplotFlags(_ text: Span<UInt8>) -> Bool {
        guard let bar = text.lastIndex(of: UInt8(ascii: "|"), in: 0..<text.count), bar > 0, !text[bar - 1].isBlank
        else { return false }
        let flags = bar + 1..<text.count
        return (1...3).contains(flags.count) && flags.allSatisfy { text[$0].isLetter }
    }

    // MARK: Fields

    private mutating func add(_ text: Span<UInt8>, _ token: Range<Int>) {
        if let number = number(text, token) { return addNumber(number, text, token) }
        if let clock = TextLine.clock(text, token) { return addClock(clock, text, token) }
        let mark = token.first { text[$0] == ASCII.colon || text[$0] == UInt8(ascii: "=") }
        if let mark, mark == token.upperBound - 1, endsCount(text, token.lowerBound..<mark) {
            label = nil
            return
        }
        guard let mark, mark == token.lowerBound || !TextLine.beginsNumber(text[token.lowerBound]) else {
            // A number in parentheses may be a part of the label before it, as in `accel(now:125):x:0.1`.
            if let mark, mark > token.lowerBound, text[mark - 1] == UInt8(ascii: ")"), mark + 1 < token.upperBound {
                return add(text, mark + 1..<token.upperBound)
            }
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
        // A word behind an equals sign is a value, as in `device=mpu6050`.
        if isLabelMarked, !value.isEmpty, text[value.lowerBound - 1] == UInt8(ascii: "="),
            value.allSatisfy({ !":=§".utf8.contains(text[$0]) }), text[value.lowerBound].isLetter,
            number(text, value) == nil
        {
            (label, isLabelMarked) = (nil, false)
            return
        }
        add(text, value)
    }

    private func number(_ text: Span<UInt8>, _ token: Range<Int>) -> DecimalNumber? {
        if let number = form?.number(text, token) { return number }
        if let number = DecimalNumber(text, token, separator: decimalSeparator) { return number }
        if let number = DecimalNumber(partsIn: text, token) { return number }
        // Of a list, or of a frame such as `<…>`, `#…!`, or `/*…*/` of Serial Studio.
        let isBracket: (UInt8) -> Bool = { "()[]<>/*!".utf8.contains($0) }
        guard let first = token.first, let last = token.last, isBracket(text[first]) || isBracket(text[last])
        else { return nil }
        let lower = token.first { !isBracket(text[$0]) } ?? token.upperBound
        let upper = token.last { !isBracket(text[$0]) }.map { $0 + 1 } ?? lower
        return lower < upper ? DecimalNumber(text, lower..<upper, separator: decimalSeparator) : nil
    }

    /// A time of day with seconds, such as `08:00:00.12` or `2026-11-20T08:00:00.12Z`. A date counts only if the order
    /// of its day and month is certain.
    private static func clock(_ text: Span<UInt8>, _ token: Range<Int>) -> CivilTime? {
        guard let first = token.first, text[first].isDigit, token.count(where: { text[$0] == ASCII.colon }) >= 2
        else { return nil }
        if let clock = CivilTimeParser().read(text.extracting(token)) { return clock }
        return CivilTimeParser(order: .monthFirst).read(text.extracting(token)).map {
            CivilTime(nanosecondOfDay: $0.nanosecondOfDay)
        }
    }

    /// Whether this is a date such as `2026-11-20`, `11/20/2026` or `20.11.2026`.
    private static func isDate(_ text: Span<UInt8>, _ token: Range<Int>) -> Bool {
        token.count >= 8 && CivilTimeParser(order: .monthFirst).readDate(text.extracting(token)) != nil
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == ASCII.minus || byte == ASCII.plus
    }

    /// Whether words and this number count the lines, as in `Sample 12: ax=0.1` or `Reading #12: x=0.1`.
    private func endsCount(_ text: Span<UInt8>, _ number: Range<Int>) -> Bool {
        let digits = number.drop { text[$0] == UInt8(ascii: "#") }
        return label != nil && !isLabelMarked && !digits.isEmpty && digits.allSatisfy { text[$0].isDigit }
    }

    private mutating func addNumber(_ number: DecimalNumber, _ text: Span<UInt8>, _ range: Range<Int>) {
        append(Field(content: .number(number), range: range), text)
    }

    /// Adds a time of day. A date in the field before it becomes part of the same field.
    private mutating func addClock(_ clock: CivilTime, _ text: Span<UInt8>, _ range: Range<Int>) {
        var clock = clock
        if let date = fields.last, case .word = date.content, TextLine.isDate(text, date.range),
            (date.range.upperBound..<range.lowerBound).allSatisfy({ text[$0] == ASCII.space })
        {
            clock.date = CivilTimeParser().readDate(text.extracting(date.range))
            fields.removeLast()
            if !isLabelMarked { label = nil }
        }
        if clock.date == nil { clock.date = date }
        append(Field(content: .clock(clock), range: range), text)
    }

    /// Adds a number or a time of day with its label.
    private mutating func append(_ field: Field, _ text: Span<UInt8>) {
        var field = field
        if let label, isLabelMarked {
            isLabeled = true
            let isLetter = label.count == 1
            // An axis that comes again begins another vector: the x of `Max:20 X:0.1` is no axis.
            if isLetter, isContextAxis, context.last.map({ text[$0] | 0x20 }) == text[label.lowerBound] | 0x20 {
                context = 0..<0
            }
            group = TextLabel(text, label, context: isLetter ? context : 0..<0)
            field.labelRange = label
            field.contextRange = isLetter ? context : 0..<0
            if !isLetter {
                let last = label.last { text[$0].isLetter }.map { text[$0].lowercasedLetter }
                context = last.map { "xyz".utf8.contains($0) } ?? false ? label : 0..<0
                isContextAxis = true
            }
        } else {
            group?.place += 1
        }
        field.label = group
        (label, isLabelMarked, date) = (nil, false, nil)
        fields.append(field)
    }

    private mutating func addWord(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard range.contains(where: { text[$0].isLetter || text[$0].isDigit || text[$0] >= 0x80 }) else { return }
        if label == nil, let last = fields.last, last.number != nil, range.count <= TextLine.longestUnit {
            let word = text.string(range).lowercased()
            if let unit = ColumnName.accelerationUnit(word) {
                fields[fields.count - 1].unit = unit
                return
            }
            let next = text.trimmed(range.upperBound..<text.count).first.map { text[$0] }
            // A unit of time with a mark behind it is the label of the next number.
            let isLabel = next == ASCII.colon || next == UInt8(ascii: "=")
            if SensorKind(unit: word) != nil || ColumnName.isVoltage(word)
                || ColumnName.timeUnit(word) != nil && !isLabel
            {
                return
            }
        }
        if let (number, unit) = TextLine.beginsNumber(text[range.lowerBound]) ? withUnit(text, range) : nil {
            addNumber(number, text, range)
            fields[fields.count - 1].unit = unit
            return
        }
        if isLabelMarked, TextLine.isDate(text, range) {
            date = CivilTimeParser().readDate(text.extracting(range))
            return
        }
        fields.append(Field(content: .word, range: range))
        extendLabel(range)
    }

    /// The number and the unit in a word such as `0.98g`, `9.81m/s^2` or `20ms`; nil for another word. A time has no
    /// unit of acceleration.
    private func withUnit(_ text: Span<UInt8>, _ range: Range<Int>) -> (DecimalNumber, AccelerationUnit?)? {
        guard let start = range.first(where: { text[$0].isLetter || text[$0] >= 0x80 }) else { return nil }
        let word = text.string(start..<range.upperBound).lowercased()
        let unit = ColumnName.accelerationUnit(word)
        guard unit != nil || ColumnName.timeUnit(word) != nil, let number = number(text, range.lowerBound..<start)
        else { return nil }
        return (number, unit)
    }

    /// Joins the words of a label. A label without a number is the context of the labels after it.
    private mutating func extendLabel(_ word: Range<Int>) {
        if let label, !isLabelMarked {
            self.label = label.lowerBound..<word.upperBound
        } else {
            if let label { (context, isContextAxis) = (label, false) }
            label = word
        }
        isLabelMarked = false
    }

    // MARK: Values

    /// Whether a line is a list in brackets or a frame, stands behind the mark of a terminal such as `00> `, or ends
    /// with a list behind a blank, such as `12.5 (0.1, 0.2, 0.9)`.
    static func isBracketed(_ text: [UInt8]) -> Bool {
        if text.first == UInt8(ascii: "<") || text.starts(with: "/*".utf8) { return true }
        if text.first(where: { !$0.isDigit }) == UInt8(ascii: ">") { return true }
        guard let opening = text.firstIndex(where: { "([".utf8.contains($0) }) else { return false }
        return opening == 0 || text[opening - 1].isBlank && text.last.map { ")]".utf8.contains($0) } ?? false
    }

    /// Whether a line is an item of a list, or the end of a document, in YAML: `- 0.0`, `---`.
    static func isYAMLItem(_ text: [UInt8]) -> Bool {
        guard text.first == ASCII.minus, text.count > 1 else { return false }
        return text.allSatisfy { $0 == ASCII.minus }
            || text[1].isBlank && DecimalNumber(text.span, text.span.trimmed(1..<text.count)) != nil
    }

    /// Whether all labels are letters that belong to no other label, as in `X: 0.1`.
    package var hasLetterLabels: Bool {
        isLabeled && fields.allSatisfy { $0.labelRange.count == 1 && $0.contextRange.isEmpty }
    }

    /// Whether each label has a number in the line; the unit behind one of these numbers.
    func hasAll(_ labels: [TextLabel]) -> Bool {
        labels.allSatisfy { label in fields.contains { $0.label == label && $0.number != nil } }
    }
    func unit(of labels: [TextLabel]) -> AccelerationUnit? {
        fields.lazy.filter { $0.label.map(labels.contains) ?? false }.compactMap(\.unit).first
    }

    /// Three fields as a vector; nil when one is not a number.
    func vector(_ axes: [Int]) -> SIMD3<Float>? {
        guard let x = fields[axes[0]].number, let y = fields[axes[1]].number, let z = fields[axes[2]].number
        else { return nil }
        return SIMD3(Float(x.double), Float(y.double), Float(z.double))
    }

    /// The words of a line such as `Accelerometer data`, a heading without a colon; nil for another line.
    func bareHeading(_ text: [UInt8]) -> Range<Int>? {
        guard (1...2).contains(fields.count), !isLabeled, fields.allSatisfy({ $0.number == nil }) else { return nil }
        let (first, last) = (fields[0].range, fields[fields.count - 1].range)
        let second = String(decoding: text[last], as: UTF8.self).lowercased()
        guard fields.count == 1 || ["data", "values", "readings", "reading"].contains(second) else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// The word in a field of a row, such as the first; nil when it is a number, a time of day, a date, or a number of
    /// seconds such as `1.234s:`.
    func word(at field: Int, _ text: [UInt8]) -> TextLabel? {
        guard fields.indices.contains(field), case .word = fields[field].content,
            !TextLine.isDate(text.span, fields[field].range)
        else { return nil }
        let unit = text[fields[field].range].drop { $0.isDigit || $0 == ASCII.point }.prefix { $0.isLetter }
        let isTime = text[fields[field].range.lowerBound].isDigit
        guard !isTime || ColumnName.timeUnit(String(decoding: unit, as: UTF8.self)) == nil else { return nil }
        return TextLabel(text.span, fields[field].range, context: 0..<0)
    }
}

/// A label, and the place of one of the numbers after it.
struct TextLabel: Hashable, Sendable {
    /// A hash of the label's letters and digits, so that reading a line creates no strings.
    private var name: UInt64
    var place = 0

    init(_ text: Span<UInt8>, _ label: Range<Int>, context: Range<Int>) {
        var hash = FNVHash()
        for index in context where text[index].isLetter || text[index].isDigit { hash.add(text[index] | 0x20) }
        for index in label where text[index].isLetter || text[index].isDigit { hash.add(text[index] | 0x20) }
        name = hash.value
    }
}
