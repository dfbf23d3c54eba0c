package import Footfall

/// Numbers and durations as text, in pictures, on pages and in tables.
package enum NumberText {
    /// A duration: `12.4 s`, `2 min 09 s`, `1 h 05 min`, `3 d 4 h`. `least` is the number of decimals below a minute
    /// that stay even if they are 0.
    package static func duration(_ seconds: Double, atLeast least: Int = 0) -> String {
        if (seconds * 10).rounded() < 600 { return "\(seconds.formatted(decimals: 1, atLeast: least)) s" }
        let whole = Int(clamping: seconds.rounded())
        if whole < 3600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
        let minutes = Int(clamping: (seconds / 60).rounded())
        if minutes < 48 * 60 { return "\(minutes / 60) h \(twoDigits(minutes % 60)) min" }
        return "\(minutes / 1440) d \(minutes / 60 % 24) h"
    }

    /// A duration in running text of a page, which stays on one line.
    package static func unbrokenDuration(_ seconds: Double) -> String {
        duration(seconds).replacing(" ", with: "\u{A0}")
    }

    /// A part as a rounded percentage of a whole: `12 %`, or `–` if the whole is 0. Only nothing is `0 %`, and only the
    /// whole is `100 %`; the rest lies between `<1 %` and `>99 %`. Seconds count as the whole if less than 0.2 s is
    /// missing, because a recording ends one sample before its range. `space` is the separator. A no-break space keeps
    /// both on one line of a page.
    package static func percentage(_ part: Double, of whole: Double, space: String = " ") -> String {
        guard whole > 0 else { return "–" }
        let share = part / whole
        let percent = Int(clamping: (100 * share).rounded())
        let number =
            percent <= 0 && share > 0 ? "<1" : percent >= 100 && whole - part >= 0.2 ? ">99" : String(percent)
        return "\(number)\(space)%"
    }

    /// `1 step`, `2 steps`
    package static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    /// A count with commas between its thousands: `12,345`.
    package static func count(_ value: Int) -> String {
        value < 1000 ? String(value) : "\(count(value / 1000)),\(String(value % 1000 + 1000).dropFirst())"
    }

    /// `1 step`, `12,345 steps`.
    package static func steps(_ count: Int) -> String { count == 1 ? "1 step" : "\(Self.count(count)) steps" }

    /// `stationary 22 h 30 min, walking 1 h 10 min`, in the order of `Activity.allCases`.
    package static func activities(_ durations: [Activity: Double]) -> String {
        Activity.allCases.compactMap { activity in
            durations[activity].map { "\(activity.rawValue) \(duration($0))" }
        }.joined(separator: ", ")
    }

    /// The meaning of a column with the time of an activity.
    package static func timeMeaning(_ activity: Activity) -> String {
        activity == .unknown ? "The time of no known activity." : "The time of \(activity.rawValue)."
    }

    /// A number of two digits or more: `07`.
    package static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}

extension Double {
    /// The number in plain decimal notation, rounded, in every locale alike. `decimals` is the number of digits after
    /// the point. `least` is the number of digits after the point that stay even if they are 0.
    package func formatted(decimals: Int, atLeast least: Int = 1) -> String {
        var text: [UInt8] = []
        text.append(self, decimals: decimals, atLeast: least)
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends the text of `Double.formatted(decimals:atLeast:)`.
    mutating func append(_ number: Double, decimals: Int, atLeast least: Int = 1) {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let rounded = (abs(number) * scale).rounded()
        guard rounded < 9e18 else { return append(contentsOf: String(number).utf8) }
        if number < 0, rounded > 0 { append(UInt8(ascii: "-")) }
        var (rest, places) = (UInt64(clamping: rounded), decimals)
        while places > least, rest.isMultiple(of: 10) { (rest, places) = (rest / 10, places - 1) }
        // From the last digit to the first one, and then turned around: in place, since a slice would be a copy.
        var start = count
        repeat {
            if places == 0, count > start { append(UInt8(ascii: ".")) }
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            (rest, places) = (rest / 10, places - 1)
        } while places >= 0 || rest > 0
        var end = count - 1
        while start < end {
            swapAt(start, end)
            (start, end) = (start + 1, end - 1)
        }
    }
}

extension String {
    /// The text, or its beginning and its end if it is longer than `count` characters.
    package func shortened(to count: Int) -> String {
        self.count > count ? prefix(count / 2) + "…" + suffix(count / 2) : self
    }
}

extension String {
    /// The text with an escape such as `\u{1B}` for each character that can change a terminal or the order of the text:
    /// controls, line ends, and marks of direction.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.isUnsafeOnTerminal) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isUnsafeOnTerminal:
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether the character controls a terminal, ends a line or changes the direction of text.
    package var isUnsafeOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
