internal import Footfall
internal import FootfallWire

/// How rows are written that are written alike: a time, x, y and z, each with as many characters as in every row, save for
/// the signs of the axes.
///
/// In such a row all that needs to be found out before the next one is read is where the minuses are. Whatever else differs
/// shows in one comparison a row; such a row is left to ``PlainRowReader``, which reads the same values.
struct RowShape: Sendable {
    /// The words that end with the byte behind each number, and those before them: of x, y, z and the time.
    private let last: FourWords
    private let earlier: FourWords
    private let earlierWorth: SIMD4<UInt64>
    /// Whether any number has digits in its earlier word.
    private let isLong: Bool

    private let timeLength: Int
    /// What stays the same in the time: in its second word from the end, and in those before.
    private let second: EightBytes
    private let third: EightBytes
    private let fourth: EightBytes
    /// What stands behind the number in the time, from its second byte on, with the byte behind the time.
    private let suffix: EightBytes
    private let suffixLength: Int
    /// The time at which the digits that are read are 0, what they are multiplied by, in nanoseconds, and what they stay
    /// under.
    private let zero: Int64
    private let tick: Int64
    private let timeLimit: Int64

    private let xLength: Int
    private let yLength: Int
    private let zLength: Int
    private let divisors: SIMD4<Double>
    private let scale: Float

    private let lineEnd: UInt8
    /// Whether columns follow that nobody asked for.
    private let hasMore: Bool
    /// Whether a carriage return stands before the end of the line.
    private let hasReturn: Bool
    /// The most bytes up to the end of the row, or to the columns that nobody asked for.
    private let length: Int

    /// How long, in nanoseconds, a shape should fit. To learn one costs much more than to read a row.
    private static let lifetime: Int64 = 10_000_000_000

    /// The time of the row that is learned from.
    struct Time {
        /// Where it stands.
        var place: Range<Int>
        /// Where in it the number begins that changes: at once, or at the seconds of a date-time.
        var number: Int
        /// What it says, in nanoseconds since 1970.
        var nanoseconds: Int64
        /// A number of 1 is 10^`power` nanoseconds.
        var power: Int
        /// What the number stays under, in nanoseconds.
        var limit: Int64

        /// How the number is written; nil when it is not written as it should be.
        func shape(_ text: Span<UInt8>, _ position: inout Int, separator: UInt8) -> NumberShape? {
            for mostRead in [NumberShape.mostInWord, NumberShape.mostInTwo] {
                position = number
                guard
                    let shape = NumberShape(
                        text, from: place.lowerBound, &position, separator: separator, mostRead: mostRead),
                    shape.decimals <= power
                else { return nil }
                let (span, isLong) = (shape.limit - shape.constant).multipliedReportingOverflow(
                    by: PlainNumber.tens[power - shape.decimals])
                if isLong || span >= RowShape.lifetime || shape.length <= mostRead { return shape }
            }
            return nil
        }
    }

    /// Learns how a row is written; nil when it is not as described.
    ///
    /// - Parameters:
    ///   - text: The row must end in it, and ``LineSource/margin`` bytes must follow.
    ///   - example: The time that the row begins with.
    ///   - scale: What 1 is in g.
    init?(_ text: Span<UInt8>, _ example: Time, _ dialect: CSVDialect, lineEnd: UInt8, scale: Float) {
        var position = 0
        guard let time = example.shape(text, &position, separator: dialect.decimalSeparator) else { return nil }
        timeLength = time.length
        suffixLength = example.place.upperBound - position
        guard (0...8).contains(suffixLength) else { return nil }
        var suffix = EightBytes()
        for index in 0..<suffixLength { suffix.expect(text[position + 1 + index], at: index) }
        position = example.place.upperBound

        var axes: [NumberShape] = []
        for _ in 0..<3 {
            guard text[position] == dialect.delimiter else { return nil }
            position += text[position + 1] == ASCII.minus ? 2 : 1
            guard
                let axis = NumberShape(
                    text, from: position, &position, separator: dialect.decimalSeparator,
                    mostRead: NumberShape.mostInTwo),
                axis.length <= NumberShape.mostInTwo,
                // So that no value has to be looked at.
                Float(Double(axis.limit) / PlainNumber.powers[axis.decimals]) * scale <= PlausibleAcceleration.limitG
            else { return nil }
            axes.append(axis)
        }
        (xLength, yLength, zLength) = (axes[0].length, axes[1].length, axes[2].length)
        let divisors = axes.map { PlainNumber.powers[$0.decimals] }
        self.divisors = SIMD4(divisors[0], divisors[1], divisors[2], 1)
        (self.suffix, self.scale, self.lineEnd) = (suffix, scale, lineEnd)

        // No later time is before `zero`, and none that is under the limit lies outside what is supported.
        tick = PlainNumber.tens[example.power - time.decimals]
        let (elapsed, isTooMuch) = time.learned.multipliedReportingOverflow(by: tick)
        let (zero, isTooEarly) = example.nanoseconds.subtractingReportingOverflow(elapsed)
        let supported = Timestamp.supported
        let (room, isTooFar) = supported.upperBound.nanosecondsSince1970.subtractingReportingOverflow(zero)
        guard !isTooMuch, !isTooEarly, !isTooFar, supported.contains(Timestamp(nanosecondsSince1970: zero)) else {
            return nil
        }
        // The product is no more than the one before.
        self.zero = zero + time.constant * tick
        timeLimit = min(example.limit, room) / tick - time.constant

        let words = Words(axes + [time])
        (last, earlier, earlierWorth) = (words.last, words.earlier, words.last.worthBefore)
        (second, third, fourth) = (words.compared[1], words.compared[2], words.compared[3])
        isLong = words.isLong

        hasMore = text[position] == dialect.delimiter
        hasReturn = text[position] == ASCII.carriageReturn && lineEnd == ASCII.newline
        guard hasMore || hasReturn || text[position] == lineEnd else { return nil }
        // The time and the byte behind it, a sign, a number and the byte behind it, and the end behind a carriage return.
        length = axes.reduce(example.place.count + 2) { $0 + $1.length + 2 }
    }

    /// Reads rows for as long as they are written so and there is room, and returns how many; `position` moves behind them.
    ///
    /// - Parameters:
    ///   - end: Where the last row in the text ends.
    ///   - previous: The time that no row may be before; the time of the last row then.
    func read(
        _ text: Span<UInt8>, _ position: inout Int, _ end: Int, after previous: inout Timestamp,
        into columns: inout SampleColumns
    ) -> Int {
        // Nothing outside these bounds is looked at, whatever stands within them.
        guard position >= NumberShape.reach else { return 0 }
        let room = columns.room
        if isLong {
            readLong(text, &position, end - length, &previous, &columns)
        } else {
            readShort(text, &position, end - length, &previous, &columns)
        }
        return room - columns.room
    }

    /// Reads rows whose numbers have up to seven digits that matter. These and their divisor are exact, so their quotient is
    /// the one nearest to the number.
    private func readShort(
        _ text: Span<UInt8>, _ position: inout Int, _ lastStart: Int, _ previous: inout Timestamp,
        _ columns: inout SampleColumns
    ) {
        // Local, so that they stay in registers.
        var (place, time) = (position, previous)
        columns.append(
            over: SIMD4<Float>(divisors), times: scale,
            asLongAs: {
                guard place <= lastStart, let row = readRow(text, &place, after: &time, isLong: false) else {
                    return nil
                }
                return (time, (SIMD4<Int32>(truncatingIfNeeded: row.digits) ^ row.signs) &- row.signs)
            })
        (position, previous) = (place, time)
    }

    private func readLong(
        _ text: Span<UInt8>, _ position: inout Int, _ lastStart: Int, _ previous: inout Timestamp,
        _ columns: inout SampleColumns
    ) {
        var (place, time) = (position, previous)
        columns.append(asLongAs: {
            guard place <= lastStart, let row = readRow(text, &place, after: &time, isLong: true) else { return nil }
            // Lane by lane: older processors have no instruction that makes a vector of these.
            func value(_ lane: Int) -> Float {
                let sign = Int64(row.signs[lane])
                let digits = (Int64(truncatingIfNeeded: row.digits[lane]) ^ sign) &- sign
                return Float(Double(digits) / divisors[lane]) * scale
            }
            return AccelerationSample(time: time, x: value(0), y: value(1), z: value(2))
        })
        (position, previous) = (place, time)
    }

    /// The digits of x, y and z, taken for integers, and their signs, in the row at `position`, which moves behind the row; nil when
    /// the row is written otherwise, or is earlier than the one before.
    @inline(__always)
    private func readRow(
        _ text: Span<UInt8>, _ position: inout Int, after previous: inout Timestamp, isLong: Bool
    ) -> (digits: SIMD4<UInt64>, signs: SIMD4<Int32>)? {
        let time = position &+ timeLength &+ 1
        var place = time &+ suffixLength
        // Signs are as good as random, so the way over them must not be a branch.
        let xSign = RowShape.sign(text, place)
        let x = place &+ Int(xSign) &+ xLength &+ 1
        let ySign = RowShape.sign(text, x)
        let y = x &+ Int(ySign) &+ yLength &+ 1
        let zSign = RowShape.sign(text, y)
        let z = y &+ Int(zSign) &+ zLength &+ 1

        var misfits = SIMD4<UInt64>()
        let lastWords = SIMD4(text.word(x &- 8), text.word(y &- 8), text.word(z &- 8), text.word(time &- 8))
        var values = last.values(lastWords, &misfits)
        if isLong {
            let words = SIMD4(text.word(x &- 16), text.word(y &- 16), text.word(z &- 16), text.word(time &- 16))
            values &+= (earlier.values(words, &misfits) & 0xFFFF_FFFF) &* (earlierWorth & 0xFFFF_FFFF)
        }
        let halves = misfits.lowHalf | misfits.highHalf
        let misfit = (halves[0] | halves[1]) & 0x8080_8080_8080_8080 | misfit(text, time)
        let digits = Int64(truncatingIfNeeded: values[3])
        let moment = Timestamp(nanosecondsSince1970: digits &* tick &+ zero)
        place = z
        guard misfit == 0, digits < timeLimit, moment >= previous, passOverRest(text, &place, position) else {
            return nil
        }
        (position, previous) = (place, moment)
        return (values, 0 &- SIMD4<Int32>(xSign, ySign, zSign, 0))
    }

    /// 1 where a minus stands, 0 elsewhere.
    @inline(__always)
    private static func sign(_ text: Span<UInt8>, _ place: Int) -> Int32 {
        text[unchecked: place] == ASCII.minus ? 1 : 0
    }

    /// Not 0 when something differs that stays the same in the time whose number ends before `end`.
    @inline(__always)
    private func misfit(_ text: Span<UInt8>, _ end: Int) -> UInt64 {
        var misfit = suffixLength > 0 ? suffix.misfit(text.word(end)) : 0
        guard timeLength > NumberShape.mostInWord else { return misfit }
        misfit |= second.misfit(text.word(end - 16))
        guard timeLength > NumberShape.mostInTwo else { return misfit }
        return misfit | third.misfit(text.word(end - 24)) | fourth.misfit(text.word(end - 32))
    }

    /// Steps over what is left of the row behind z and the byte that follows it.
    @inline(__always)
    private func passOverRest(_ text: Span<UInt8>, _ place: inout Int, _ start: Int) -> Bool {
        guard hasReturn || hasMore else { return true }
        if hasMore {
            while text[place] != lineEnd { place &+= 1 }
        }
        guard text[place] == lineEnd, place &- start <= LineSource.longestLine else { return false }
        place &+= 1
        return true
    }
}

/// What is expected of the words of x, y, z and the time.
private struct Words {
    var last = FourWords()
    var earlier = FourWords()
    /// What stays the same in the time, word by word from the last.
    var compared = [EightBytes](repeating: EightBytes(), count: NumberShape.reach / 8)
    /// Whether there are digits in earlier words.
    var isLong = false

    init(_ numbers: [NumberShape]) {
        for (lane, number) in numbers.enumerated() {
            for (distance, character) in number.characters.enumerated() {
                let (word, place) = (distance / 8, 7 - distance % 8)
                switch character {
                case .digit where word == 0:
                    last.expectDigit(at: place, in: lane)
                case .digit:
                    earlier.expectDigit(at: place, in: lane)
                    isLong = true
                case .byte(let byte) where word == 0:
                    last.expect(byte, at: place, in: lane)
                case .byte(let byte) where lane == 3:
                    compared[word].expect(byte, at: place)
                case .byte(let byte):
                    earlier.expect(byte, at: place, in: lane)
                }
            }
        }
    }
}

/// Eight bytes of which some are always the same.
private struct EightBytes: Sendable {
    private var mask: UInt64 = 0
    private var expected: UInt64 = 0

    mutating func expect(_ byte: UInt8, at place: Int) {
        mask |= 0xFF << UInt64(place * 8)
        expected |= UInt64(byte) << UInt64(place * 8)
    }

    /// Not 0 when one of them differs.
    @inline(__always)
    func misfit(_ word: UInt64) -> UInt64 { (word ^ expected) & mask }
}

extension Span<UInt8> {
    /// The eight bytes at `place`, which must lie within, the first of them the lowest.
    @inline(__always)
    fileprivate func word(_ place: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
    }
}
