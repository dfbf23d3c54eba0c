internal import Footfall

/// Rewrites the cells of a table that other programs write for people: thousands with a mark between them, lists in
/// brackets or quotes, and units behind numbers.
///
/// - A number such as `"1,023.5"`, `1.023,5`, `1'023.5` loses its marks.
/// - A list beside three other numbers becomes one word. A list of x, y and z becomes cells.
/// - A number such as `0.98 g` loses its unit, if that is one of acceleration or of time.
struct CellRewriter: LineFilter {
    /// What is done with lists.
    private enum Lists {
        case join, divide
    }

    /// The mark between thousands; empty if there is none.
    private var mark: [UInt8] = []
    private var lists: Lists?
    /// The units behind numbers; empty if there are none.
    private var units: [[UInt8]] = []
    /// The unit of acceleration in the cells; nil if they state none.
    private(set) var unit: AccelerationUnit?
    private var separators: [UInt8] = [ASCII.comma]
    private var lineEnd = ASCII.newline

    /// The bytes of the opening that are examined.
    private static let opening = 1 << 15
    /// Apostrophes, the narrow space without a break, the thin space, and the space without a break.
    private static let clearMarks: [[UInt8]] = ["'", "’", "\u{202F}", "\u{2009}", "\u{A0}"].map { Array($0.utf8) }

    /// Examines the opening of a text; nil if nothing is to be rewritten.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        let head = text.extracting(range.prefix(Self.opening))
        guard head.indices.contains(where: { Self.mayBeRewritten(head, $0) }) else { return nil }
        if head.firstIndex(of: ASCII.newline, in: 0..<head.count) == nil { lineEnd = ASCII.carriageReturn }
        let lines = head.lines(in: head.indices, endedBy: lineEnd).filter { !$0.isEmpty }
        guard lines.count >= 3, head.indices.allSatisfy({ head[$0] >= ASCII.tab }),
            !"{[".utf8.contains(head[lines[1].lowerBound])
        else { return nil }
        let wide = [ASCII.semicolon, ASCII.tab]
        let haveWide = lines.count { Self.isDivided(head, $0, by: wide) }
        if haveWide * 2 > lines.count { separators = wide }
        findMark(head, lines)
        findLists(head, lines)
        findUnits(head, lines)
        if mark.isEmpty, lists == nil, units.isEmpty { return nil }
    }

    // MARK: Recognition

    /// Whether a list, a mark or a unit may stand at a byte. Each byte of an opening is asked.
    private static func mayBeRewritten(_ text: Span<UInt8>, _ index: Int) -> Bool {
        switch text[index] {
        case ASCII.quote, UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "'"), ASCII.semicolon, ASCII.tab, 0x80...:
            true
        case UInt8(ascii: "g"), UInt8(ascii: "m"): index > 0 && (text[index - 1].isDigit || text[index - 1].isBlank)
        default: false
        }
    }

    private mutating func findMark(_ text: Span<UInt8>, _ lines: [Range<Int>]) {
        let cells = lines.flatMap { self.cells(text, $0) }
        let isWide = separators != [ASCII.comma]
        let marks = Self.clearMarks + (isWide ? [[ASCII.space]] : [])
        for mark in marks where cells.contains(where: { groups(text, $0.range, mark) != nil }) {
            self.mark = mark
            return
        }
        for mark in isWide ? [ASCII.point, ASCII.comma] : [ASCII.comma] where separatesThousands(mark, text, cells) {
            self.mark = [mark]
            return
        }
    }

    /// Whether a point or a comma stands between thousands and not before decimals: no number begins with a 0 before
    /// it, each has three digits behind it, and either decimals follow or smaller numbers of its column have none.
    private func separatesThousands(_ mark: UInt8, _ text: Span<UInt8>, _ cells: [Cell]) -> Bool {
        var (isCertain, withGroups, withSmall) = (false, Set<Int>(), Set<Int>())
        for cell in cells {
            guard !cell.range.isEmpty, cell.range.allSatisfy({ text[$0].isDigit || "+-.,".utf8.contains(text[$0]) })
            else { continue }
            let count = cell.range.count { text[$0] == mark }
            guard count > 0 else {
                withSmall.insert(cell.column)
                continue
            }
            guard separators != [ASCII.comma] || cell.isQuoted else { continue }
            let first = cell.range.first { text[$0].isDigit }
            guard let groups = groups(text, cell.range, [mark]), first.map({ text[$0] != ASCII.zero }) ?? false else {
                // Dates have two points too.
                if count == 1 { return false }
                continue
            }
            withGroups.insert(cell.column)
            if groups.count > 1 || groups.hasDecimals { isCertain = true }
        }
        return isCertain || !withGroups.isDisjoint(with: withSmall)
    }

    private mutating func findLists(_ text: Span<UInt8>, _ lines: [Range<Int>]) {
        var (count, rich, several) = (0, 0, 0)
        for line in lines.dropFirst() {
            let cells = cells(text, line)
            let lists = cells.count { isList(text, $0) }
            guard lists > 0 else { continue }
            count += 1
            several += lists > 1 ? 1 : 0
            let numbers = cells.count { DecimalNumber(text, $0.range) != nil }
            if numbers >= 3 { rich += 1 }
        }
        // Several lists in a row have the samples of a second, an axis each.
        guard count * 2 > lines.count, several * 2 <= count || rich * 2 > count else { return }
        lists = rich * 2 > count ? .join : .divide
    }

    private mutating func findUnits(_ text: Span<UInt8>, _ lines: [Range<Int>]) {
        var (found, rows, first) = (Set<[UInt8]>(), 0, AccelerationUnit?.none)
        for line in lines {
            var accelerations = 0
            for cell in cells(text, line) {
                guard let range = unitRange(text, cell.range) else { continue }
                let name = text.string(range).lowercased()
                let unit = ColumnName.accelerationUnit(name)
                guard unit != nil || ColumnName.timeUnit(name) != nil else { continue }
                accelerations += unit == nil ? 0 : 1
                first = first ?? unit
                found.insert(range.map { text[$0] })
            }
            rows += accelerations >= 3 ? 1 : 0
        }
        if rows * 2 > lines.count { (units, unit) = (Array(found), first) }
    }

    /// What follows the number at the start of a cell; nil where it does not begin with a number, or ends with it.
    private func unitRange(_ text: Span<UInt8>, _ cell: Range<Int>) -> Range<Int>? {
        let end = cell.first { !text[$0].isDigit && !"+-.,".utf8.contains(text[$0]) }
        guard let end, DecimalNumber(text, cell.lowerBound..<end) != nil else { return nil }
        let unit = text.trimmed(end..<cell.upperBound)
        return unit.isEmpty ? nil : unit
    }

    // MARK: Cells

    private struct Cell {
        let column: Int
        /// Without quotes.
        let range: Range<Int>
        let isQuoted: Bool
    }

    /// Whether a line has a separator outside of quotes and brackets.
    private static func isDivided(_ text: Span<UInt8>, _ line: Range<Int>, by separators: [UInt8]) -> Bool {
        var position = line.lowerBound
        while position < line.upperBound {
            if separators.contains(text[position]) { return true }
            let end = closing(text[position]).flatMap { text.firstIndex(of: $0, in: position + 1..<line.upperBound) }
            position = (end ?? position) + 1
        }
        return false
    }

    /// The cells of a line; a separator in quotes or brackets is part of its cell.
    private func cells(_ text: Span<UInt8>, _ line: Range<Int>) -> [Cell] {
        var cells: [Cell] = []
        var start = line.lowerBound
        while start < line.upperBound {
            while start < line.upperBound, text[start] == ASCII.space { start += 1 }
            guard start < line.upperBound else { break }
            let close = Self.closing(text[start])
            let end = close.flatMap { text.firstIndex(of: $0, in: start + 1..<line.upperBound) }
            var position = end.map { $0 + 1 } ?? start
            while position < line.upperBound, !separators.contains(text[position]) { position += 1 }
            let isQuoted = end != nil && text[start] == ASCII.quote
            let range = isQuoted ? start + 1..<(end ?? start + 1) : text.trimmed(start..<position)
            cells.append(Cell(column: cells.count, range: range, isQuoted: isQuoted))
            start = position + 1
        }
        return cells
    }

    private static func closing(_ byte: UInt8) -> UInt8? {
        switch byte {
        case ASCII.quote: ASCII.quote
        case UInt8(ascii: "["): UInt8(ascii: "]")
        case UInt8(ascii: "("): UInt8(ascii: ")")
        default: nil
        }
    }

    /// Whether a cell is a list of at least three numbers, in brackets or quotes.
    private func isList(_ text: Span<UInt8>, _ cell: Cell) -> Bool {
        guard let first = cell.range.first, cell.isQuoted || Self.closing(text[first]) != nil else { return false }
        let content = cell.range.filter { !"[]()".utf8.contains(text[$0]) }
        guard let lower = content.first, let upper = content.last else { return false }
        var (numbers, start) = (0, lower)
        for position in lower...upper + 1 {
            let isEnd = position > upper || ", ;".utf8.contains(text[position])
            guard isEnd else { continue }
            if start < position {
                guard DecimalNumber(text, start..<position) != nil else { return false }
                numbers += 1
            }
            start = position + 1
        }
        return numbers >= 3
    }

    /// The number of marks in a number whose thousands have a mark between them, and whether decimals follow; nil for
    /// any other text.
    private func groups(
        _ text: Span<UInt8>, _ range: Range<Int>, _ mark: [UInt8]
    ) -> (count: Int, hasDecimals: Bool)? {
        var position = range.lowerBound
        func digits() -> Int {
            let start = position
            while position < range.upperBound, text[position].isDigit { position += 1 }
            return position - start
        }
        if position < range.upperBound, text[position] == ASCII.minus || text[position] == ASCII.plus { position += 1 }
        guard (1...3).contains(digits()) else { return nil }
        var count = 0
        while position < range.upperBound, text.extracting(..<range.upperBound).has(mark, at: position) {
            position += mark.count
            guard digits() == 3 else { return nil }
            count += 1
        }
        guard count > 0 else { return nil }
        guard position < range.upperBound else { return (count, false) }
        guard text[position] == ASCII.point || text[position] == ASCII.comma, [text[position]] != mark else {
            return nil
        }
        position += 1
        return digits() > 0 && position == range.upperBound ? (count, true) : nil
    }

    // MARK: Rewriting

    mutating func rewrite(_ bytes: inout [UInt8], _ range: Range<Int>, to end: inout Int, isAtEnd: Bool) -> Int {
        var start = range.lowerBound
        while start < range.upperBound {
            let found = bytes.span.firstIndex(of: lineEnd, in: start..<range.upperBound)
            guard found != nil || isAtEnd else { break }
            let stop = found ?? range.upperBound
            rewrite(&bytes, start..<stop, to: &end)
            if let found {
                bytes[end] = bytes[found]
                end += 1
            }
            start = stop + 1
        }
        return min(start, range.upperBound)
    }

    /// Moves a line to `end`, with its cells rewritten.
    private func rewrite(_ bytes: inout [UInt8], _ line: Range<Int>, to end: inout Int) {
        let cells = cells(bytes.span, line)
        var next = line.lowerBound
        func copy(_ bytes: inout [UInt8], to stop: Int) {
            bytes.move(next..<stop, to: &end)
            next = stop
        }
        for cell in cells {
            if lists != nil, isList(bytes.span, cell) {
                replaceList(&bytes, cell, in: line)
            } else if !mark.isEmpty, groups(bytes.span, cell.range, mark) != nil {
                copy(&bytes, to: cell.range.lowerBound)
                while next < cell.range.upperBound {
                    if bytes.span.has(mark, at: next) { next += mark.count } else { copy(&bytes, to: next + 1) }
                }
            } else if !units.isEmpty, let unit = unitRange(bytes.span, cell.range),
                units.contains(where: { $0.count == unit.count && bytes.span.has($0, at: unit.lowerBound) })
            {
                copy(&bytes, to: unit.lowerBound)
                next = unit.upperBound
            }
        }
        copy(&bytes, to: line.upperBound)
    }

    /// Makes a list one word, or the cells of its numbers.
    private func replaceList(_ bytes: inout [UInt8], _ cell: Cell, in line: Range<Int>) {
        let separator = separators.first { Self.isDivided(bytes.span, line, by: [$0]) } ?? separators[0]
        var isBehindNumber = false
        for position in cell.range {
            switch bytes[position] {
            case ASCII.space, ASCII.comma, ASCII.semicolon:
                let isEnd = position + 1 < cell.range.upperBound && " ,;])".utf8.contains(bytes[position + 1])
                bytes[position] =
                    lists == .join
                    ? UInt8(ascii: "_") : isBehindNumber && !isEnd ? separator : ASCII.space
                if !isEnd { isBehindNumber = false }
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"):
                if lists == .divide { bytes[position] = ASCII.space }
            default: isBehindNumber = true
            }
        }
        if lists == .divide, cell.isQuoted {
            bytes[cell.range.lowerBound - 1] = ASCII.space
            bytes[cell.range.upperBound] = ASCII.space
        }
    }
}
