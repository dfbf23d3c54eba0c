internal import Footfall

/// How rows are written that are written alike: a time, x, y and z, each with as many characters as in every row, save for
/// the signs of the axes.
///
/// In such a row all that needs to be found out before the next one is read is where the minuses are. Whatever else differs
/// shows in one comparison a row; such a row is left to ``PlainRowReader``, which reads the same values.
struct RowShape: Sendable {
    private let time: NumberShape
    /// What stands behind the number in the time, from its second byte on, with the byte behind the time.
    private let suffix: EightBytes
    private let suffixLength: Int
    /// The time at which the number is 0, what its digits are multiplied by, in nanoseconds, and what they stay under.
    private let zero: Int64
    private let tick: Int64
    private let timeLimit: Int64

    private let x: NumberShape
    private let y: NumberShape
    private let z: NumberShape
    private let divisors: SIMD4<Double>
    private let scale: Float

    private let lineEnd: UInt8
    /// Whether columns follow that nobody asked for.
    private let hasMore: Bool
    /// Whether a carriage return stands before the end of the line.
    private let hasReturn: Bool
    /// The most bytes up to the end of the row, or to the columns that nobody asked for.
    private let length: Int

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
    }

    /// Learns how a row is written; nil when it is not as described.
    ///
    /// - Parameters:
    ///   - text: The row must end in it, and ``LineSource/margin`` bytes must follow.
    ///   - example: The time that the row begins with.
    ///   - scale: What 1 is in g.
    init?(_ text: Span<UInt8>, _ example: Time, _ dialect: CSVDialect, lineEnd: UInt8, scale: Float) {
        var position = example.number
        guard
            let time = NumberShape(
                text, from: example.place.lowerBound, &position, separator: dialect.decimalSeparator),
            time.decimals <= example.power
        else { return nil }
        suffixLength = example.place.upperBound - position
        guard (0...8).contains(suffixLength) else { return nil }
        var suffix = EightBytes()
        for index in 0..<suffixLength { suffix.expect(text[position + 1 + index], at: index) }
        position = example.place.upperBound

        var axes: [NumberShape] = []
        for _ in 0..<3 {
            guard text[position] == dialect.delimiter else { return nil }
            position += text[position + 1] == ASCII.minus ? 2 : 1
            guard let axis = NumberShape(text, from: position, &position, separator: dialect.decimalSeparator),
                // So that no value has to be looked at.
                Float(Double(axis.limit) / PlainNumber.powers[axis.decimals]) * scale <= RowParser.mostG
            else { return nil }
            axes.append(axis)
        }
        let divisors = axes.map { PlainNumber.powers[$0.decimals] }
        self.divisors = SIMD4(divisors[0], divisors[1], divisors[2], 1)
        (x, y, z) = (axes[0], axes[1], axes[2])
        (self.time, self.suffix, self.scale, self.lineEnd) = (time, suffix, scale, lineEnd)

        // No later time is before `zero`, and none that is under the limit lies outside what is supported.
        tick = PlainNumber.tens[example.power - time.decimals]
        let (elapsed, isTooMuch) = time.learned.multipliedReportingOverflow(by: tick)
        let (zero, isTooEarly) = example.nanoseconds.subtractingReportingOverflow(elapsed)
        let supported = Timestamp.supported
        let (room, isTooFar) = supported.upperBound.nanosecondsSince1970.subtractingReportingOverflow(zero)
        guard !isTooMuch, !isTooEarly, !isTooFar, supported.contains(Timestamp(nanosecondsSince1970: zero)) else {
            return nil
        }
        self.zero = zero
        timeLimit = min(example.limit, room) / tick

        hasMore = text[position] == dialect.delimiter
        hasReturn = text[position] == ASCII.carriageReturn && lineEnd == ASCII.newline
        guard hasMore || hasReturn || text[position] == lineEnd else { return nil }
        // The time and the byte behind it, a sign, a number and the byte behind it, and the end behind a carriage return.
        length = axes.reduce(example.place.count + 2) { $0 + $1.length + 2 }
    }

    /// The sample in the row at `position`, which moves behind the row; nil when the row is written otherwise, or too close to
    /// the ends of the text.
    ///
    /// - Parameter end: Where the last row in the text ends.
    @inline(__always)
    func read(_ text: Span<UInt8>, _ position: inout Int, _ end: Int) -> AccelerationSample? {
        // Nothing outside these bounds is looked at, whatever stands within them.
        guard position >= NumberShape.reach, position &+ length <= end else { return nil }
        var misfit: UInt64 = 0
        var place = position &+ time.length &+ 1
        let digits = time.read(text, endingAt: place, &misfit)
        if suffixLength > 0 {
            _ = suffix.values(text, at: place, &misfit)
            place &+= suffixLength
        }
        let x = RowShape.readAxis(text, &place, self.x, &misfit)
        let y = RowShape.readAxis(text, &place, self.y, &misfit)
        let z = RowShape.readAxis(text, &place, self.z, &misfit)
        guard misfit & 0x8080_8080_8080_8080 == 0, digits < timeLimit, passOverRest(text, &place, position) else {
            return nil
        }
        position = place
        let values = SIMD4<Float>(SIMD4(Double(x), Double(y), Double(z), 0) / divisors) * scale
        return AccelerationSample(
            time: Timestamp(nanosecondsSince1970: digits &* tick &+ zero), x: values.x, y: values.y, z: values.z)
    }

    /// The digits of an acceleration, with its sign; `place` moves behind the byte that follows it.
    @inline(__always)
    private static func readAxis(
        _ text: Span<UInt8>, _ place: inout Int, _ shape: NumberShape, _ misfit: inout UInt64
    ) -> Int64 {
        // Signs are as good as random, so the way over them must not be a branch.
        let sign: Int = text[unchecked: place] == ASCII.minus ? 1 : 0
        place &+= sign &+ shape.length &+ 1
        let value = shape.read(text, endingAt: place, &misfit)
        return (value ^ Int64(0 &- sign)) &+ Int64(sign)
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
