/// Times of day as loggers write them.
enum TextClock {
    static let day: Int64 = 86_400_000_000_000

    /// Reads `08:00:00`, `08:00:00.12` or `2026-11-20T08:00:00.12Z` as nanoseconds of the day.
    static func read(_ text: Span<UInt8>, _ field: Range<Int>) -> Int64? {
        var range = field
        if let letter = field.first(where: { text[$0] == UInt8(ascii: "T") }) {
            guard isDate(text, field.lowerBound..<letter) else { return nil }
            range = letter + 1..<field.upperBound
            if let last = range.last, text[last] == UInt8(ascii: "Z") { range = range.dropLast() }
        }
        var parts = SIMD4<Double>.zero
        var part = 0
        var start = range.lowerBound
        guard range.count >= 7 else { return nil }
        for position in range.lowerBound...range.upperBound {
            guard position == range.upperBound || text[position] == UInt8(ascii: ":") else { continue }
            guard part < 3, position > start, text[start].isDigit, let number = TextNumber(text, start..<position),
                part == 2 || number.isWhole
            else { return nil }
            parts[part] = number.value
            part += 1
            start = position + 1
        }
        guard part == 3, parts[0] < 24, parts[1] < 60, parts[2] < 61 else { return nil }
        return Int64(parts[0] * 60 + parts[1]) * 60_000_000_000 + Int64((parts[2] * 1e9).rounded())
    }

    /// Whether this is a date such as `2026-11-20`, `11/20/2026` or `20.11.2026`.
    static func isDate(_ text: Span<UInt8>, _ field: Range<Int>) -> Bool {
        guard (8...10).contains(field.count) else { return false }
        let separators = field.filter { "-/.".utf8.contains(text[$0]) }
        return separators.count == 2 && field.allSatisfy { text[$0].isDigit || separators.contains($0) }
    }
}
