internal import Footfall
package import Foundation

extension TimeZone {
    /// The zone as outputs state it: its name in the time-zone database, `UTC`, or an offset such as `-04:00`.
    package var statedName: String {
        guard identifier.hasPrefix("GMT") else { return identifier }
        return self == .gmt ? "UTC" : Timestamp.offsetText(seconds: secondsFromGMT())
    }

    /// Creates a zone from a name of the time-zone database, or from an offset; nil for other text.
    package init?(named name: String) {
        guard let zone = TimeZone(identifier: name) ?? TimeZone.offset(name) else { return nil }
        self = zone
    }

    /// A zone as `+01:00`, `+0100` or `+01`; nil for other text.
    package static func offset(_ text: String) -> TimeZone? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        func digits(_ text: Substring) -> Int? {
            text.count == 2 && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
        }
        let (hourText, rest) = (text.dropFirst().prefix(2), text.dropFirst(3))
        let minuteText = rest.first == ":" ? rest.dropFirst() : rest
        guard let hours = digits(hourText), let minutes = rest.isEmpty ? 0 : digits(minuteText), hours <= 18,
            minutes < 60
        else { return nil }
        return TimeZone(secondsFromGMT: (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1))
    }
}
