/// What a terminal program or a logging library writes before the text of a program: a time, a level, a tag.
///
/// - Serial monitors: `12:34:56.789 -> ` of the Arduino IDE, `12:34:56.789 > ` of PlatformIO,
///   `[2024-05-13 09:30:00.123] ` of minicom, tio and Tera Term, `May 13 09:30:00 ` of `ts`,
///   `[0.000002 0.000001] ` of grabserial, `00> ` of RTT.
/// - Logging: `I (1234) tag: ` of ESP-IDF, `[  1234][I][main.cpp:12] loop(): ` of Arduino for the ESP32,
///   `[00:00:01.234,567] <inf> tag: ` of Zephyr, `05-13 09:30:00.123  12  34 I tag: ` of Android,
///   `2024-05-13 09:30:00,123 - tag - INFO - ` of Python.
struct LinePrefix {
    /// The time, a number or a clock, and the unit of the number where the form of the prefix states it.
    private(set) var stamp: TextLine.Field.Content?
    private(set) var unit: TimeUnit?
    /// The number of ``stamp`` in the text, which may be that of a device instead of a time.
    private(set) var number: Range<Int>?
    /// The position of the first byte after the prefix.
    private(set) var end = 0

    /// The longest text in brackets.
    private static let longestBracket = 48
    /// The most words of a prefix between its time and its text.
    private static let mostWords = 8

    init(_ text: Span<UInt8>) {
        skipBlanks(text)
        guard end < text.count else { return }
        let start = end
        if !readEspressif(text), !readBracket(text), !readBareTime(text), !readNumber(text) { end = start }
        skipMarks(text)
        skipLevelAndTag(text)
        if end >= text.count { (stamp, unit, end) = (nil, nil, 0) }
    }

    // MARK: Times

    /// ESP-IDF: a level, and ms or a time of day in parentheses.
    private mutating func readEspressif(_ text: Span<UInt8>) -> Bool {
        guard end + 3 < text.count, Self.isLevel(text[end]), text[end + 1] == ASCII.space,
            text[end + 2] == UInt8(ascii: "("),
            let close = text.firstIndex(of: UInt8(ascii: ")"), in: end + 3..<min(text.count, end + Self.longestBracket))
        else { return false }
        let inner = text.trimmed(end + 3..<close)
        if let number = DecimalNumber(text, inner), number.isWhole {
            (stamp, unit) = (.number(number), .milliseconds)
        } else if let clock = Self.clock(text, inner) {
            stamp = .clock(clock)
        } else {
            return false
        }
        end = close + 1
        skipTag(text)
        return true
    }

    private mutating func readBracket(_ text: Span<UInt8>) -> Bool {
        guard text[end] == UInt8(ascii: "["),
            let close = text.firstIndex(of: UInt8(ascii: "]"), in: end + 1..<min(text.count, end + Self.longestBracket))
        else { return false }
        let inner = text.trimmed(end + 1..<close)
        guard !inner.isEmpty else { return false }
        if let clock = Self.clock(text, inner) {
            stamp = .clock(clock)
        } else {
            // grabserial writes two numbers, the time first.
            var first = inner.lowerBound..<(text.firstIndex(of: ASCII.space, in: inner) ?? inner.upperBound)
            let rest = text.trimmed(first.upperBound..<inner.upperBound)
            let stated = Self.unit(
                text, first.first { !text[$0].isDigit && text[$0] != ASCII.point } ?? first.upperBound)
            if let stated { first = first.lowerBound..<stated.range.lowerBound }
            guard let number = DecimalNumber(text, first), number.isFinite, !number.isNegative,
                rest.isEmpty || DecimalNumber(text, rest) != nil
            else { return false }
            // A list of three numbers, or of lists, is no time.
            let next = text.trimmed(close + 1..<text.count)
            guard let byte = next.first.map({ text[$0] }), byte != ASCII.comma, byte != ASCII.semicolon,
                byte != UInt8(ascii: "[") || next.dropFirst().first.map({ text[$0].isLetter }) ?? false
            else { return false }
            (stamp, unit, self.number) = (.number(number), stated?.unit, stated == nil ? first : nil)
        }
        end = close + 1
        return true
    }

    /// A time of day, with or without a date, before a mark or a word.
    private mutating func readBareTime(_ text: Span<UInt8>) -> Bool {
        guard text[end].isDigit || text[end].isLetter,
            (end..<min(text.count, end + Self.longestBracket)).count(where: { text[$0] == ASCII.colon }) >= 2
        else { return false }
        var (words, position) = ([Range<Int>](), end)
        while words.count < 4, position < text.count {
            let start = position
            while position < text.count, !text[position].isBlank { position += 1 }
            words.append(start..<position)
            while position < text.count, text[position].isBlank { position += 1 }
        }
        guard let last = words.firstIndex(where: { Self.isTimeOfDay(text, $0) }),
            last == 0 || words[..<last].allSatisfy({ Self.isPartOfDate(text, $0) })
        else { return false }
        for end in [last + 1, last].filter({ $0 < words.count }) {
            let upper = words[end].upperBound
            let range = words[0].lowerBound..<(text[upper - 1] == ASCII.colon ? upper - 1 : upper)
            guard let clock = Self.clock(text, range, isWhole: end > last), isBeforeText(text, range.upperBound)
            else { continue }
            stamp = .clock(clock)
            self.end = range.upperBound
            return true
        }
        return false
    }

    /// A number before `->`, `>` or a colon, one with a unit of time, or seconds, milliseconds or microseconds since
    /// 1970 before a word.
    private mutating func readNumber(_ text: Span<UInt8>) -> Bool {
        guard text[end].isDigit else { return false }
        var position = end
        while position < text.count, text[position].isDigit || text[position] == ASCII.point { position += 1 }
        guard let number = DecimalNumber(text, end..<position), position < text.count else { return false }
        if let stated = Self.unit(text, position) {
            let colon = stated.range.upperBound
            let after = colon < text.count && text[colon] == ASCII.colon ? colon + 1 : colon
            let rest = text.trimmed(after..<text.count)
            guard let first = rest.first, text[first].isLetter, isTextOfProgram(text, rest) else { return false }
            (stamp, unit, end) = (.number(number), stated.unit, after)
            return true
        }
        let next = text.trimmed(position..<text.count)
        guard next.count >= 2 else { return false }
        let isMark = text[next.lowerBound] == UInt8(ascii: ">") || isArrow(text, next.lowerBound)
        let isColon =
            text[position] == ASCII.colon && position + 1 < text.count && text[position + 1].isBlank
        let isEpoch = [1, 1e3, 1e6].contains { CSVTimeBase.epochSeconds.contains(number.double / $0) }
        let isBeforeWord = text[position] == ASCII.space && text[next.lowerBound].isLetter
        guard isMark || isColon || isEpoch && text[position].isBlank && (isBeforeWord || isList(text, next)) else {
            return false
        }
        (stamp, self.number) = (.number(number), end..<position)
        end = isColon ? position + 1 : position
        return true
    }

    /// Whether the bytes at `position` cannot be the next column of a row.
    private func isBeforeText(_ text: Span<UInt8>, _ position: Int) -> Bool {
        guard position < text.count, text[position].isBlank || text[position] == ASCII.colon else { return false }
        let next = text.trimmed(position..<text.count)
        guard let byte = next.first.map({ text[$0] }) else { return false }
        if byte.isLetter { return isTextOfProgram(text, next) }
        if isList(text, next) { return true }
        if byte == UInt8(ascii: "[") {
            // The level of a log, or the name of a zone in a table.
            return next.contains { text[$0] == ASCII.colon || text[$0] == UInt8(ascii: "=") }
        }
        return ">#:<({".utf8.contains(byte) || isArrow(text, next.lowerBound)
            || (byte == ASCII.minus && next.count > 1 && text[next.lowerBound + 1].isBlank)
            || isAndroid(text, next.lowerBound) != nil
    }

    /// Whether a text after a time has labels, or begins with the name of a sensor. Another word may be a field of a
    /// table, such as an activity.
    private func isTextOfProgram(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let end = range.first { !text[$0].isLetter } ?? range.upperBound
        if end < range.upperBound, [ASCII.comma, ASCII.semicolon].contains(text[end]) { return false }
        if range.contains(where: { text[$0] == ASCII.colon || text[$0] == UInt8(ascii: "=") }) { return true }
        let name = ColumnName(text.string(range.lowerBound..<end))
        return name.otherSensor != nil || !name.plain.isEmpty && ColumnName.quantity(name.plain) != nil
    }

    /// Whether a text behind a blank is a list of numbers between commas or semicolons. A blank behind a number would
    /// be the separator of a row. The text does not begin with a zone such as `+0200` before three axes.
    private func isList(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let separators = [ASCII.comma, ASCII.semicolon]
        let found = separators.filter { mark in range.contains { text[$0] == mark } }
        guard found.count == 1, let separator = text.firstIndex(of: found[0], in: range),
            !(0..<range.lowerBound).contains(where: { text[$0] == ASCII.semicolon }),
            range.allSatisfy({ !text[$0].isBlank || text[$0 - 1] == found[0] })
        else { return false }
        let word = range.lowerBound..<separator
        let isZone = Self.isZone(text, word) && range.count { text[$0] == found[0] } >= 3
        return !isZone && DecimalNumber(text, word) != nil
    }

    /// Whether a word is a sign and four digits, the last two of which are quarters of an hour.
    private static func isZone(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        guard word.count == 5, "+-".utf8.contains(text[word.lowerBound]),
            word.dropFirst().allSatisfy({ text[$0].isDigit })
        else { return false }
        return (10 * text[word.upperBound - 2].digit + text[word.upperBound - 1].digit).isMultiple(of: 15)
    }

    /// The unit of time directly behind a number, before a blank, a colon, a bracket or the end.
    private static func unit(_ text: Span<UInt8>, _ start: Int) -> (unit: TimeUnit, range: Range<Int>)? {
        let end = (start..<text.count).first { !text[$0].isLetter && text[$0] < 0x80 } ?? text.count
        guard start < end, end == text.count || text[end].isBlank || ":]".utf8.contains(text[end]) else { return nil }
        return ColumnName.timeUnit(text.string(start..<end).lowercased()).map { ($0, start..<end) }
    }

    private func isArrow(_ text: Span<UInt8>, _ position: Int) -> Bool {
        text.has(Array("->".utf8), at: position)
    }

    /// A clock in a range: a whole date-time or time of day, or a time of day among other words.
    private static func clock(_ text: Span<UInt8>, _ range: Range<Int>, isWhole: Bool = false) -> CivilTime? {
        var bytes = range.map { text[$0] }
        // Zephyr writes ms and µs: 00:00:01.234,567.
        if let point = bytes.lastIndex(of: ASCII.point), let comma = bytes.lastIndex(of: ASCII.comma),
            comma == point + 4
        {
            bytes.remove(at: comma)
        }
        guard bytes.count(where: { $0 == ASCII.colon }) >= 2 else { return nil }
        if let clock = CivilTimeParser().read(bytes.span) { return clock }
        if isWhole { return nil }
        // The order of day and month is unknown, or the date has no year.
        let words = bytes.split(separator: ASCII.space)
        return words.lazy.compactMap { CivilTimeParser(order: .monthFirst).read(Array($0).span) }.first.map {
            CivilTime(nanosecondOfDay: $0.nanosecondOfDay)
        }
    }

    private static func isTimeOfDay(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        guard let first = word.first, text[first].isDigit, word.count(where: { text[$0] == ASCII.colon }) >= 2
        else { return false }
        let end = word.last.map { text[$0] == ASCII.colon ? $0 : $0 + 1 } ?? word.upperBound
        return clock(text, word.lowerBound..<end) != nil
    }

    /// Whether a word before a time of day may be a part of its date, such as `May`, `13` or `05-13`.
    private static func isPartOfDate(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        let letters = word.count { text[$0].isLetter }
        if letters == word.count { return letters == 3 }
        return letters == 0
            && word.allSatisfy { text[$0].isDigit || [ASCII.minus, ASCII.slash, ASCII.point].contains(text[$0]) }
            && (word.count <= 2 || word.contains { !text[$0].isDigit })
    }

    // MARK: Levels and tags

    private static let levels: [StaticString] = [
        "trace", "debug", "info", "notice", "warn", "warning", "error", "critical", "fatal", "verbose", "dbg", "inf",
        "wrn", "err",
    ]

    /// Whether a word is the name of a level of a log.
    private static func isLevel(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
        levels.contains { $0.utf8CodeUnitCount == word.count && text.hasLetters($0, at: word.lowerBound) }
    }

    private static func isLevel(_ byte: UInt8) -> Bool { "VDIWEF".utf8.contains(byte) }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
        while end < text.count, text[end].isBlank { end += 1 }
    }

    /// Skips what separates a time from the text.
    private mutating func skipMarks(_ text: Span<UInt8>) {
        guard stamp != nil else { return }
        while end < text.count {
            if isArrow(text, end) {
                end += 2
            } else if ">#:".utf8.contains(text[end]) || isGap(text) {
                end += 1
            } else {
                return
            }
        }
    }

    /// Whether the next byte is a blank, or a minus before one.
    private func isGap(_ text: Span<UInt8>) -> Bool {
        text[end].isBlank || text[end] == ASCII.minus && end + 1 < text.count && text[end + 1].isBlank
    }

    /// The position after the numbers of a process and a thread and the level, as Android writes them.
    private func isAndroid(_ text: Span<UInt8>, _ start: Int) -> Int? {
        var position = start
        for _ in 0..<2 {
            let first = position
            while position < text.count, text[position].isDigit { position += 1 }
            guard position > first, position < text.count, text[position].isBlank else { return nil }
            while position < text.count, text[position].isBlank { position += 1 }
        }
        guard position + 1 < text.count, Self.isLevel(text[position]), text[position + 1] == ASCII.space
        else { return nil }
        return position + 1
    }

    private mutating func skipLevelAndTag(_ text: Span<UInt8>) {
        if stamp != nil, let after = isAndroid(text, end) {
            end = after
            return skipTag(text)
        }
        var (position, hasLevel) = (end, false)
        for _ in 0..<Self.mostWords {
            while position < text.count, text[position].isBlank || text[position] == ASCII.minus { position += 1 }
            guard position < text.count, let word = Self.word(text, position) else { break }
            let isBracket = "<[".utf8.contains(text[position])
            let isLevel =
                Self.isLevel(text, word.inner)
                || (isBracket && word.inner.count == 1 && Self.isLevel(text[word.inner.lowerBound]))
            // Behind a time, the name of a source may precede the level, and a place in the source may follow it.
            guard isLevel || (isBracket && hasLevel) || (stamp != nil && !hasLevel && isLevelNear(text, word.end))
            else { break }
            hasLevel = hasLevel || isLevel
            position = word.end
            if hasLevel { end = position }
        }
        if hasLevel { skipTag(text) }
    }

    private func isLevelNear(_ text: Span<UInt8>, _ start: Int) -> Bool {
        var position = start
        while position < text.count, text[position].isBlank || text[position] == ASCII.minus { position += 1 }
        return Self.word(text, position).map { Self.isLevel(text, $0.inner) } ?? false
    }

    /// The word at `position`, in brackets or not, and the position after it and its colon.
    private static func word(_ text: Span<UInt8>, _ position: Int) -> (inner: Range<Int>, end: Int)? {
        guard position < text.count else { return nil }
        if "<[".utf8.contains(text[position]) {
            let mark = text[position] == UInt8(ascii: "<") ? UInt8(ascii: ">") : UInt8(ascii: "]")
            let longest = min(text.count, position + longestBracket)
            guard let end = text.firstIndex(of: mark, in: position..<longest), end > position + 1,
                text[position + 1].isLetter
            else { return nil }
            return (position + 1..<end, end + 1)
        }
        var end = position
        while end < text.count, text[end].isLetter || text[end].isDigit || text[end] == UInt8(ascii: "_") { end += 1 }
        guard end > position, text[position].isLetter else { return nil }
        return (position..<end, end < text.count && text[end] == ASCII.colon ? end + 1 : end)
    }

    /// Skips the tag before a colon, unless it names a sensor or an axis.
    private mutating func skipTag(_ text: Span<UInt8>) {
        let start = end
        while end < text.count, isGap(text) { end += 1 }
        let longest = min(text.count, end + Self.longestBracket)
        guard let colon = text.firstIndex(of: ASCII.colon, in: end..<longest), colon > end, colon + 1 < text.count,
            (end..<colon).allSatisfy({ text[$0] != UInt8(ascii: "=") && text[$0] != ASCII.comma }),
            !(end..<colon).contains(where: { text[$0].isBlank && $0 + 1 < colon && text[$0 + 1].isDigit })
        else { return }
        let name = ColumnName(text.string(end..<colon))
        let next = text.trimmed(colon + 1..<text.count)
        let isValue = next.first.map { text[$0].isDigit || "-+.".utf8.contains(text[$0]) } ?? true
        if name.axisQuantity != nil || name.otherSensor != nil
            || ColumnName.quantity(name.plain) == .acceleration
            || ColumnName.quantity(name.plain) == .likelyAcceleration
            || name.timeRank != nil && isValue
        {
            end = min(start, end)
            return
        }
        end = colon + 1
    }
}
