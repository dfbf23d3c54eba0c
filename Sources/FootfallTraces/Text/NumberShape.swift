internal import FootfallWire

/// How a number is written: how many characters it has, and which of them separates the decimals. The numbers of a column
/// mostly look alike, so that nobody needs to search for their ends.
struct NumberShape {
    /// How many bytes a number may have, with the one behind it.
    static let reach = 32
    /// What of it fits in a word and in two, with the byte behind.
    static let mostInWord = 7
    static let mostInTwo = 15

    /// How many characters there are, without a sign.
    let length: Int
    /// How many of them are decimals.
    let decimals: Int
    /// What the digits, taken for an integer, stay under.
    let limit: Int64
    /// The number that it was learned from.
    let learned: Int64
    /// What those digits contribute that are compared and not read.
    let constant: Int64
    /// The characters, with those before the number that stay the same and the one behind it, from the last to the first.
    let characters: [Expectation]

    /// What stands in a place.
    enum Expectation {
        /// Any digit.
        case digit
        /// Always the same.
        case byte(UInt8)
    }

    /// Learns the shape of the number that stands at `start`; nil when none is there that serves.
    ///
    /// - Parameters:
    ///   - start: Where the number begins, or other characters before it that stay the same.
    ///   - position: Where the number itself begins; moves behind it.
    ///   - mostRead: How many characters at the end are read. Those before them are taken to stay the same.
    init?(_ text: Span<UInt8>, from start: Int, _ position: inout Int, separator: UInt8, mostRead: Int) {
        let numberStart = position
        guard numberStart < text.count, text[numberStart] != ASCII.minus,
            let number = PlainNumber(text, &position, separator: separator, isLarge: false)
        else { return nil }
        length = position - start
        decimals = number.decimals
        learned = number.mantissa
        guard length < NumberShape.reach else { return nil }
        var bound: Int64 = 1
        characters = (start...position).reversed().map { [position] place in
            guard place >= max(numberStart, position - mostRead), text[place].isDigit, place < position else {
                return .byte(text[place])
            }
            bound *= 10
            return .digit
        }
        constant = number.mantissa / bound * bound
        let (limit, isTooMuch) = constant.addingReportingOverflow(bound)
        guard !isTooMuch else { return nil }
        self.limit = limit
    }
}
