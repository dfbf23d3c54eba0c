/// Numbers and durations as they are written in pictures.
enum Words {
    /// `1 h 05 min`, `2 min 09 s`, `12.4 s`.
    static func duration(_ seconds: Double) -> String {
        if seconds < 60 { return "\(seconds.formatted(decimals: 1)) s" }
        let whole = Int(seconds.rounded())
        if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        let minutes = Int((seconds / 60).rounded())
        if minutes < 48 * 60 { return "\(minutes / 60) h \(two(minutes % 60)) min" }
        return "\(minutes / 1440) d \(minutes / 60 % 24) h"
    }

    /// A share as a percentage, which no line breaks.
    static func share(_ part: Double, of whole: Double) -> String {
        whole > 0 ? "\(Int((100 * part / whole).rounded()))\u{A0}%" : "–"
    }

    /// A count with its thousands apart, `12,345`.
    static func count(_ value: Int) -> String {
        var digits = String(value)
        var end = digits.endIndex
        while let comma = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex), comma > digits.startIndex,
            value >= 0
        {
            digits.insert(",", at: comma)
            end = comma
        }
        return digits
    }

    /// `1 step`, `12,345 steps`.
    static func steps(_ count: Int) -> String {
        count == 1 ? "1 step" : "\(Self.count(count)) steps"
    }

    /// A number in two digits at least.
    static func two(_ value: Int) -> String {
        value < 10 ? "0\(value)" : String(value)
    }
}

extension Double {
    /// The number with at most `decimals` digits after the point, whatever the locale.
    func formatted(decimals: Int) -> String {
        guard abs(self) < 1e12 else { return String(self) }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(self) * Double(scale)).rounded())
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard scaled % scale > 0 else { return sign + String(scaled / scale) }
        let digits = String(scaled % scale)
        var fraction = String(repeating: "0", count: decimals - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(sign)\(scaled / scale).\(fraction)"
    }
}

extension String {
    /// The text, or its beginning and its end where it is longer than `count` characters.
    func shortened(to count: Int) -> String {
        self.count > count ? prefix(count / 2) + "…" + suffix(count / 2) : self
    }
}
