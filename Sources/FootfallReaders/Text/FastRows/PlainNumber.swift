internal import Footfall

/// A number of ASCII digits with an optional minus and an optional decimal separator: at most 18 digits, or 19 that fit
/// an `Int64` and are not all decimals. `DecimalNumber` reads every other form, and the same values for these.
struct PlainNumber {
    /// 1 for a minus, else 0.
    let sign: Int
    /// The characters without the minus.
    let characters: Range<Int>
    /// The digits as an integer, without the sign.
    let digits: UInt64
    /// The number of digits.
    let count: Int
    /// The number of digits after the decimal separator.
    let decimals: Int

    /// Reads the number at `position`. Returns nil for another form, and where no byte follows the number.
    @inline(__always)
    init?(_ text: Span<UInt8>, at position: Int, separator: UInt8) {
        guard position < text.count else { return nil }
        // The signs of acceleration are random, and a mispredicted branch costs more than this sum.
        sign = text[position] == UInt8(ascii: "-") ? 1 : 0
        let start = position &+ sign
        var (end, value) = (start, UInt64(0))
        PlainNumber.readDigits(text, &end, &value)
        var count = end &- start
        var decimals = 0
        if end < text.count, text[end] == separator {
            end &+= 1
            let firstDecimal = end
            PlainNumber.readFours(text, &end, &value)
            PlainNumber.readDigits(text, &end, &value)
            decimals = end &- firstDecimal
            count &+= decimals
        }
        guard end < text.count, count > 0, count <= 18 || count == 19 && decimals < 19 && value <= Int64.max
        else { return nil }
        (characters, digits, self.count, self.decimals) = (start..<end, value, count, decimals)
    }

    /// Appends the digits at `position` to `value`.
    @inline(__always)
    private static func readDigits(_ text: Span<UInt8>, _ position: inout Int, _ value: inout UInt64) {
        while position < text.count {
            let digit = text[unchecked: position] &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            value = value &* 10 &+ UInt64(digit)
            position &+= 1
        }
    }

    /// Appends the digits at `position` to `value` as long as there are four of them.
    @inline(__always)
    private static func readFours(_ text: Span<UInt8>, _ position: inout Int, _ value: inout UInt64) {
        while position &+ 4 <= text.count {
            let four = text.littleEndian(UInt32.self, at: position) ^ 0x3030_3030
            guard ((four &+ 0x7676_7676) | four) & 0x8080_8080 == 0 else { return }
            // The sums of neighbors, in the place of the second of them.
            let pairs = (four &* (10 << 8 + 1)) &>> 8 & 0x00FF_00FF
            value = value &* 10_000 &+ UInt64((pairs &* (100 << 16 + 1)) &>> 16)
            position &+= 4
        }
    }

    /// The position of the byte behind the number.
    var end: Int { characters.upperBound }

    /// The number times 10^`power`; nil when it has more decimals or overflows.
    @inline(__always)
    func times(tenToThe power: Int) -> Int64? {
        guard decimals <= power else { return nil }
        let factor = Int64(PowersOfTen.integers[power &- decimals])
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// The nearest `Double` for digits up to 2^53.
    @inline(__always)
    var double: Double { Double(mantissa) / PowersOfTen.doubles[decimals] }

    /// The largest `Float` with as many digits and decimals.
    var largest: Float { Float(PowersOfTen.doubles[count - decimals]) }

    @inline(__always)
    private var mantissa: Int64 { (Int64(truncatingIfNeeded: digits) ^ Int64(0 &- sign)) &+ Int64(sign) }
}

/// The fields of a row that ``FastRowReader`` reads.
struct PlainRow {
    /// The time of a row.
    struct Time {
        /// The start and the end of the field.
        var start: Int
        var end: Int
        /// The number in it that changes from row to row: all of it, or the seconds of a date-time.
        var number: PlainNumber
        /// In nanoseconds: of a number of 1 without decimals, of the row since 1970, and what the number is below.
        var unit: Int64
        var moment: Int64
        var limit: Int64
    }

    /// Nil in a table without times.
    var time: Time?
    /// The three numbers, in the order of the columns.
    var x: PlainNumber
    var y: PlainNumber
    var z: PlainNumber
    /// The start of the next row.
    var next: Int

    /// The lengths of the fields without a minus, and the numbers of decimals.
    var shape: SIMD8<Int> {
        SIMD8(
            x.characters.count, y.characters.count, z.characters.count, time.map { $0.end - $0.start } ?? 0,
            x.decimals, y.decimals, z.decimals, time?.number.decimals ?? 0)
    }
}
